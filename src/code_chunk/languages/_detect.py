"""Tells a language from a file's name or its first line."""

from __future__ import annotations

import re

_OPTIONS_WITH_VALUE = ("-u", "--unset", "-C", "--chdir")
_VERSION = re.compile(r"[-.\d]+$")


def file_name(filepath: str) -> str:
    """The last part of a path of either system, in lower case."""
    return re.split(r"[/\\]", filepath)[-1].lower()


def extensions_of(name: str) -> list[str]:
    """All endings that a file name may be known by, the longest first: ``.d.ts``, ``.ts``."""
    parts = name.split(".")
    return ["." + ".".join(parts[i:]) for i in range(1, len(parts))]


def interpreter(head: str | bytes) -> str:
    """The program that a shebang line names, without path and version; empty without one."""
    if isinstance(head, bytes):
        head = head[:1024].decode("utf-8", "replace")
    line = head[:1024].removeprefix("\ufeff").split("\n", 1)[0]
    if not line.startswith("#!"):
        return ""
    words = line[2:].split()
    if words and _program(words[0]) == "env":
        words = _after_env(words[1:])
    return _program(words[0]) if words else ""


def _after_env(words: list[str]) -> list[str]:
    """The command that ``env`` runs: what follows its options and assignments."""
    while words:
        word = words[0]
        split = re.match(r"(?:-[iv0]*S|--split-string=)(.+)", word)
        if split:
            return _after_env([split[1], *words[1:]])
        if word in _OPTIONS_WITH_VALUE:
            words = words[2:]
        elif word.startswith("-") or "=" in word:
            words = words[1:]
        else:
            break
    return words


def _program(word: str) -> str:
    name = file_name(word).removesuffix(".exe")
    return _VERSION.sub("", name) or name
