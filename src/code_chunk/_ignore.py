"""What ignore files exclude: git's rules for the files, the globs in them matched by pathspec.

Git compares bytes. Paths and patterns are therefore held as text of one character a byte (Latin-1), in which
``?`` matches half an ``é``, as it does in git. pathspec reads ordinary globs as git does, but odd ones in
another way, and on some it raises (``[z-a]``, ``[[:alpha:]]``, a lone ``!``). So a line is taken apart here
by git's rules, and its glob is put into a form that both read alike. Where git departs from its own manual,
the manual counts: ``a**/b`` is ``a*/b``, while git takes it for ``a*/**/b``.
"""

from __future__ import annotations

import os
import re
import stat
import string
from dataclasses import dataclass
from functools import lru_cache

GIT_IGNORE = ".gitignore"
OWN_IGNORE = ".code-chunkignore"

_NEWLINE = "\u010a"
"""Stands for a line end in a name, which the dot of a regex would not match."""

_CLASSES = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(map(chr, range(1, 32))) + "\x7f",
    "digit": string.digits,
    "graph": "".join(map(chr, range(33, 127))),
    "lower": string.ascii_lowercase,
    "print": "".join(map(chr, range(32, 127))),
    "punct": string.punctuation,
    "space": " \t\n\r",
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}
"""The named classes as git has them, whatever the locale."""

_CLASS_ITEM = re.compile(r"\[:(?P<name>[^]]*):\]|(?P<low>\\?.)(?:-(?P<high>\\.|[^]\\]))?", re.DOTALL)
_SECTION = re.compile(r'\s*\[\s*([-.\w]+)\s*("(?:[^"\\]|\\.)*")?\s*\]')
_EXCLUDES_FILE = re.compile(r"\s*excludesfile\s*=(.*)", re.IGNORECASE)
_VALUE_PART = re.compile(r'\\(?P<escaped>.)|(?P<quote>")|(?P<comment>[#;])|(?P<plain>.)')


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern of an ignore file."""

    regex: re.Pattern[str]
    """Matches the whole of the path or name."""
    has_path: bool
    """It is for the path from the ignore file's folder on; else for the name alone."""
    is_for_folders: bool
    """It ends with a slash."""
    is_negated: bool
    """It starts with ``!``."""
    place: str
    """Where it stands and what it says: ``.gitignore:3: *.log``."""


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The patterns that hold in a folder and below."""

    rules: tuple[Rule, ...]
    """The last of the file first, since the last that matches decides."""
    start: int
    """How much of a path from the top leads to the folder."""


def as_git_path(path: str) -> str:
    """The bytes that git sees, one character each."""
    if not path.isascii():
        path = os.fsencode(path).decode("latin-1")
    return path.replace("\n", _NEWLINE)


def find_rule(files: tuple[RuleFile, ...], path: str, *, is_folder: bool) -> Rule | None:
    """The pattern that decides on a path: in the first file that has one, the last that matches."""
    name = path[path.rfind("/") + 1 :]
    for file in files:
        below = path[file.start :]
        for rule in file.rules:
            if (is_folder or not rule.is_for_folders) and rule.regex.fullmatch(
                below if rule.has_path else name
            ):
                return rule
    return None


# --- patterns ---


def read_rules(data: bytes, source: str, start: int) -> tuple[RuleFile, ...]:
    """Read the content of an ignore file; no file when there is no pattern in it."""
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n")
    # a NUL ends the line for git, which is written in C
    texts = [line.removesuffix("\r").partition("\0")[0] for line in lines]
    rules = [_rule(text, f"{source}:{number}") for number, text in enumerate(texts, 1)]
    kept = tuple(rule for rule in reversed(rules) if rule)
    return (RuleFile(kept, start),) if kept else ()


def read_patterns(patterns: tuple[str, ...], option: str, start: int) -> tuple[RuleFile, ...]:
    """Read patterns that are the value of an option.

    Raises:
        ValueError: If one of them can match nothing.
    """
    rules = []
    for pattern in patterns:
        rule = _rule(as_git_path(pattern), option)
        if rule is None:
            raise ValueError(f"{option}: no file can match the pattern {pattern!r}")
        rules.append(rule)
    return (RuleFile(tuple(reversed(rules)), start),) if rules else ()


def _rule(line: str, source: str) -> Rule | None:
    """Take a line apart; None for a comment, and for what can match nothing."""
    text = _without_trailing_spaces(line)
    is_negated = text.startswith("!")
    glob = text.removeprefix("!")
    is_for_folders = glob.endswith("/")
    glob = glob.removesuffix("/")
    has_path = "/" in glob
    regex = None if text.startswith("#") else _regex(glob.removeprefix("/"), has_path)
    if regex is None:
        return None
    shown = text.encode("latin-1", "replace").decode("utf-8", "surrogateescape")
    return Rule(regex, has_path, is_for_folders, is_negated, f"{source}: {shown}")


def _without_trailing_spaces(line: str) -> str:
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    is_escaped = backslashes % 2 == 1 and stripped != line
    return stripped + " " if is_escaped else stripped


@lru_cache(maxsize=4096)  # the same few globs stand in many ignore files
def _regex(glob: str, has_path: bool) -> re.Pattern[str] | None:
    # not at the top: it takes a quarter of the time that importing this package may take
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    plain = _plain(glob)
    return GitIgnoreSpecPattern(("/" if has_path else "**/") + plain).regex if plain else None


def _plain(glob: str) -> str:
    """Put a glob into the form that pathspec reads as git does; empty if it can match nothing."""
    parts = []
    position = 0
    while position < len(glob):
        character = glob[position]
        end = position + 1
        if character == "*":
            while glob[end : end + 1] == "*":
                end += 1
            part = _stars(glob, position, end)
        elif character == "[":
            part, end = _class(glob, position)
        elif character == "\\":
            end += 1
            part = _literal(glob[position + 1 : end])
        else:
            part = character if character in "/?" else _literal(character)
        if not part:
            return ""
        parts.append(part)
        position = end
    return "".join(parts)


def _literal(character: str) -> str:
    # pathspec would take a space of any kind off the end
    if character.isspace():
        return f"[{character}]"
    return character if character.isalnum() or character in ("", "/") else "\\" + character


def _stars(glob: str, start: int, end: int) -> str:
    """Two stars or more mean folders only where they fill a part of the path."""
    is_last = end == len(glob)
    is_part = glob[start - 1 : start] in ("", "/") and (is_last or glob[end] == "/")
    if not is_part:
        return "*"
    # as its last part, pathspec would match the beginning of a path, but the whole is to match
    if end - start == 1:
        return "?*"
    return "**/?*" if is_last else "**"


def _class(glob: str, start: int) -> tuple[str, int]:
    """Put a bracket expression into a form without ranges, escapes and negation, and say where it ends."""
    position = start + 1
    is_negated = glob[position : position + 1] in ("!", "^")
    position = first = position + is_negated
    members: set[int] = set()
    while position == first or glob[position : position + 1] != "]":
        item = _CLASS_ITEM.match(glob, position)
        if item is None or (item["low"] is None and item["name"] not in _CLASSES):
            return "", position
        if item["low"] is None:
            members.update(map(ord, _CLASSES[item["name"]]))
        else:
            low, high = item["low"], item["high"] or item["low"]
            # for git the lower end is a member even of a range that runs backwards
            members.update((ord(low[-1]), *range(ord(low[-1]), ord(high[-1]) + 1)))
        position = item.end()
    if is_negated:
        members = set(range(1, 256)) - members
    members.discard(ord("/"))
    return _class_of(members), position + 1


def _class_of(members: set[int]) -> str:
    """A class of these characters, in an order in which none has a meaning of its own."""
    if not members:
        return ""
    special = "".join(char for char in "[^-" if ord(char) in members)
    first = "]" if ord("]") in members else ""
    plain = "".join(map(chr, sorted(members - set(map(ord, "][^-")))))
    newline = _NEWLINE if ord("\n") in members else ""
    # no name has a NUL: it is only there to part "]" from what follows
    return f"[{first}\0{plain}{newline}{special}]"


# --- where git keeps them ---


def git_folder(folder: str) -> str | None:
    """Where git keeps its data on a working tree with its top in this folder; None if it has none."""
    path = os.path.join(folder, ".git")
    if os.path.isfile(path):  # of a linked working tree, or of a submodule
        pointer = _content(path)
        if not pointer.startswith(b"gitdir:"):
            return None
        path = os.path.join(folder, os.fsdecode(pointer[7:].strip()))
    common = _common_folder(path)
    has_all = os.path.lexists(os.path.join(path, "HEAD")) and all(
        os.path.isdir(os.path.join(common, name)) for name in ("objects", "refs")
    )
    return path if has_all else None


def find_repository(folder: str) -> str | None:
    """The top of the working tree that a folder belongs to; takes and gives a real path."""
    while git_folder(folder) is None:
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return folder


def read_repository_rules(top: str, start: int) -> tuple[RuleFile, ...]:
    """What holds in the whole of a working tree: its ``info/exclude``, then the user's excludes file."""
    git = git_folder(top)
    configs = [os.path.join(_user_folder(), "config"), os.path.expanduser("~/.gitconfig")]
    rules: tuple[RuleFile, ...] = ()
    if git is not None:
        common = _common_folder(git)
        exclude = os.path.join(common, "info", "exclude")
        rules = read_rules(_content(exclude), exclude, start)
        configs.append(os.path.join(common, "config"))
    excludes = os.path.join(_user_folder(), "ignore")
    for config in configs:
        setting = _excludes_file(os.fsdecode(_content(config)))
        excludes = excludes if setting is None else setting
    if not excludes:
        return rules
    path = os.path.join(top, os.path.expanduser(excludes))
    return rules + read_rules(_content(path), path, start)


def read_folder_rules(path: str, source: str, start: int) -> tuple[RuleFile, ...]:
    """Read an ignore file of a folder; like git, none that is a link, or that can not be read."""
    try:
        is_file = stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return ()
    return read_rules(_content(path), source, start) if is_file else ()


def _common_folder(git: str) -> str:
    """Linked working trees share one folder for what is common to them."""
    common = _content(os.path.join(git, "commondir"))
    return os.path.join(git, os.fsdecode(common.strip())) if common else git


def _user_folder() -> str:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(home, "git")


def _content(path: str) -> bytes:
    """A file that may be missing, no regular one, or closed to us: empty then, as it is to git."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):  # a path that another file names may hold a NUL byte
        return b""


def _excludes_file(config: str) -> str | None:
    """The last ``core.excludesFile`` in a file of git's settings."""
    section = ""
    setting = None
    without_comments = re.sub(r"(?m)^\s*[#;].*$", "", config.replace("\r\n", "\n"))
    for line in re.sub(r"\\\n", "", without_comments).split("\n"):
        rest = line
        while header := _SECTION.match(rest):
            section = "" if header[2] else header[1].lower()
            rest = rest[header.end() :]
        found = _EXCLUDES_FILE.match(rest)
        if found and section == "core":
            setting = _config_value(found[1])
    return setting


def _config_value(text: str) -> str:
    """Take quotes, escapes and a comment out of the value of a setting."""
    value = ""
    end = 0
    is_quoted = False
    for part in _VALUE_PART.finditer(text.lstrip()):
        if part["comment"] and not is_quoted:
            break
        is_quoted ^= part["quote"] is not None
        value += {"n": "\n", "t": "\t", "b": "\b"}.get(part["escaped"] or "", part["escaped"] or "")
        value += part["plain"] or part["comment"] or ""
        if is_quoted or not value[-1:].isspace():
            end = len(value)  # only spaces outside of quotes may be taken off
    return value[:end]
