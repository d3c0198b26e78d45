"""Compiles a language's queries, and refuses what the binding would ignore in silence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal, NoReturn, cast

import tree_sitter

from .._errors import LanguageSpecError
from .._types import ENTITY_TYPES

if TYPE_CHECKING:
    from pathlib import Path

    from .._types import EntityType
    from ._spec import Language

ATTACH = "attach"  # the capture of the pattern that we add for a language's `attach` nodes

_CAPTURES = (
    *(f"definition.{entity_type}" for entity_type in ENTITY_TYPES),
    *("name", "body", "doc", "scope", "import", "import.source", "import.name", "import.prefix"),
)
_PREDICATES = (
    *("eq?", "not-eq?", "any-eq?", "any-not-eq?", "match?", "not-match?", "any-match?", "any-not-match?"),
    *("any-of?", "not-any-of?", "set!"),
)
_SETTINGS = (
    "is_default",
    "is_namespace",
    "name.pattern",
    "source",
    "signature.prefix",
    "signature.end",
    "max_depth",
    "max_level",
)
_TOKEN = re.compile(r';[^\n]*|"(?:\\.|[^"\\])*"|[@#]?[\w.!?*+/-]+|[@#]|\S')

Refuse = Callable[[str], NoReturn]
Role = Literal["definition", "import", "statement", "prefix", "doc", "attach"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What one pattern of a query stands for."""

    role: Role
    capture: str = ""
    """The ``definition.<type>`` capture."""
    type: EntityType = "import"
    is_default: bool = False
    is_namespace: bool = False
    name_pattern: re.Pattern[str] | None = None
    source: str | None = None
    signature_prefix: str = ""
    signature_end: bytes = b""
    """The text behind the name that ends the signature: a cheaper @body where many names share one."""
    max_depth: int | None = None
    """How many entities that are no modules may stand around it; for a constant none, if nothing is said."""
    max_level: int | None = None
    """How many nodes may stand around it where no entity does: fewer than a callback's body has."""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledQuery:
    """A language's queries as one, and the meaning of each of its patterns."""

    query: tree_sitter.Query
    patterns: tuple[Pattern, ...]
    text: str
    """The text of the query, into which the byte offsets of its patterns point."""


@dataclass(slots=True)
class _Sources:
    """Query files put one behind the other, to say where something in them is wrong."""

    text: str = ""
    paths: list[Path] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def add(self, path: Path, text: str) -> None:
        self.paths.append(path)
        self.starts.append(len(self.text))
        self.text += text.rstrip() + "\n"

    def refuse(self, position: int, problem: str) -> NoReturn:
        index = max(bisect_right(self.starts, position) - 1, 0)
        start = self.starts[index]
        row = self.text.count("\n", start, position) + 1
        column = position - max(self.text.rfind("\n", start, position) + 1, start) + 1
        raise LanguageSpecError(f"{self.paths[index]}:{row}:{column}: {problem}")

    def position(self, byte: int) -> int:
        return len(self.text.encode()[:byte].decode())


def compile_query(language: Language, grammar: tree_sitter.Language) -> CompiledQuery:
    """Compile the language's query files: all imports, then all tags, its own before inherited ones."""
    sources = _read_sources(language)
    _check_words(sources)
    if language.attach:
        types = " ".join(f"({node_type})" for node_type in sorted(language.attach))
        sources.add(language.folder / "language.toml", f"[{types}] @{ATTACH}")
    try:
        query = tree_sitter.Query(grammar, sources.text)
    except tree_sitter.QueryError as error:
        _refuse_syntax(sources, str(error))
    patterns = tuple(_pattern(query, index, sources) for index in range(query.pattern_count))
    return CompiledQuery(query, patterns, sources.text)


def _read_sources(language: Language) -> _Sources:
    sources = _Sources()
    for name in ("imports.scm", "tags.scm"):
        for folder in language.query_folders:
            if (folder / name).is_file():
                sources.add(folder / name, (folder / name).read_text(encoding="utf-8"))
    if not sources.paths:
        raise LanguageSpecError(f"{language.folder}: there is neither a tags.scm nor an imports.scm")
    return sources


def _words(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for found in _TOKEN.finditer(text, start, end):
        if not found[0].startswith(";"):
            yield found.start(), found[0]


def _check_words(sources: _Sources) -> None:
    """Refuse captures, predicates and settings that are not in the closed sets."""
    previous = ""
    for position, word in _words(sources.text, 0, len(sources.text)):
        if word.startswith("@") and word[1:] not in _CAPTURES and not word.startswith("@_"):
            sources.refuse(
                position, f"unknown capture {word}; the captures are {_listed(_CAPTURES, '@')}, @_private"
            )
        if word.startswith("#") and word[1:] not in _PREDICATES:
            sources.refuse(
                position, f"unknown predicate {word}; the predicates are {_listed(_PREDICATES, '#')}"
            )
        if previous == "#set!" and word.strip('"') not in _SETTINGS:
            sources.refuse(position, f"unknown key {word} of #set!; the keys are {_listed(_SETTINGS)}")
        previous = word


def _listed(words: tuple[str, ...], mark: str = "") -> str:
    return ", ".join(mark + word for word in words)


def _refuse_syntax(sources: _Sources, message: str) -> NoReturn:
    found = re.search(r"(.*) at row (\d+)(?:, column (\d+))?(.*)", message, re.DOTALL)
    if not found:  # "Unexpected EOF"
        sources.refuse(len(sources.text.rstrip()), f"the query does not compile: {message}")
    lines = sources.text.encode().splitlines(keepends=True)
    byte = sum(map(len, lines[: int(found[2])])) + int(found[3] or 0)
    sources.refuse(sources.position(byte), f"the query does not compile: {found[1]}{found[4]}")


def _pattern(query: tree_sitter.Query, index: int, sources: _Sources) -> Pattern:
    start = sources.position(query.start_byte_for_pattern(index))
    end = sources.position(query.end_byte_for_pattern(index))
    words = list(_words(sources.text, start, end))
    refuse = partial(sources.refuse, words[0][0])
    # From the text, since the binding fails when asked about a capture that a pattern does not have.
    captures = {word[1:] for _, word in words if word.startswith("@") and not word.startswith("@_")}
    indices = {query.capture_name(i): i for i in range(query.capture_count)}
    definitions = sorted(name for name in captures if name.startswith("definition."))
    for name in sorted(captures - {"doc"}):
        if query.capture_quantifier(index, indices[name]) in ("*", "+"):
            refuse(f"@{name} must capture one node, not several")
    settings = query.pattern_settings(index)
    role = _role(captures, settings, definitions, refuse)
    max_depth = _number("max_depth", settings, refuse)
    if max_depth is None and definitions == ["definition.constant"]:
        max_depth = 0
    return Pattern(
        role,
        capture=definitions[0] if definitions else "",
        type=cast("EntityType", definitions[0].partition(".")[2] if definitions else "import"),
        is_default=_flag(settings, "is_default", refuse),
        is_namespace=_flag(settings, "is_namespace", refuse),
        name_pattern=_name_pattern(settings, refuse),
        source=settings.get("source"),
        signature_prefix=settings.get("signature.prefix") or "",
        signature_end=(settings.get("signature.end") or "").encode(),
        max_depth=max_depth,
        max_level=_number("max_level", settings, refuse),
    )


def _role(
    captures: set[str], settings: Mapping[str, str | None], definitions: list[str], refuse: Refuse
) -> Role:
    """What a pattern stands for follows from its captures."""
    if len(definitions) > 1:
        refuse(f"one pattern can not have two definitions: {_listed(tuple(definitions), '@')}")
    if definitions and "name" not in captures:
        refuse(f"@{definitions[0]} needs a @name")
    if definitions:
        return "import" if definitions == ["definition.export"] else "definition"
    if "import.prefix" in captures:
        return "prefix" if "body" in captures else refuse("@import.prefix needs a @body: where it applies")
    if "import.source" in captures or ("import.name" in captures and "source" in settings):
        return "import"
    if captures == {"import"}:
        return "statement"
    if captures == {"doc"}:
        return "doc"
    if captures == {ATTACH}:
        return "attach"
    return refuse(
        "a pattern needs @definition.<type> and @name, or @import and @import.source, or @import.prefix and "
        f"@body, or @doc alone; this one has {_listed(tuple(sorted(captures)), '@') or 'none of them'}"
    )


def _flag(settings: Mapping[str, str | None], key: str, refuse: Refuse) -> bool:
    if settings.get(key) not in (None, "true"):
        refuse(f"{key} takes no value")
    return key in settings


def _name_pattern(settings: Mapping[str, str | None], refuse: Refuse) -> re.Pattern[str] | None:
    if "name.pattern" not in settings:
        return None
    try:
        pattern = re.compile(settings["name.pattern"] or "")
    except re.error as error:
        refuse(f"name.pattern is no regular expression: {error}")
    return pattern if pattern.groups else refuse("name.pattern needs a group: the name")


def _number(key: str, settings: Mapping[str, str | None], refuse: Refuse) -> int | None:
    if key not in settings:
        return None
    value = settings[key] or ""
    return int(value) if value.isdecimal() else refuse(f'{key} must be a number, such as "1"')
