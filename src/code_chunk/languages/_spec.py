"""Reads and checks a language folder's ``language.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NoReturn

from .._errors import LanguageSpecError

BUILT_IN = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class DocRules:
    """What is a doc comment, and how its text is cleaned; None: there is no such thing."""

    line: re.Pattern[str] | None = None
    block: re.Pattern[str] | None = None
    block_end: re.Pattern[str] | None = None
    margin: re.Pattern[str] | None = None
    """Matches the line end in front, too."""
    ignore: re.Pattern[str] | None = None
    header: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """What we know about a language. A language with several grammars has one such record for each."""

    name: str
    folder: Path
    aliases: tuple[str, ...]
    extensions: tuple[str, ...]
    filenames: tuple[str, ...]
    interpreters: tuple[str, ...]
    grammar: str
    grammars: tuple[str, ...]
    separator: str
    query_folders: tuple[Path, ...]
    attach: frozenset[str]
    annotations: frozenset[str]
    wrappers: frozenset[str]
    """Node types that a definition in them begins and ends with: ``export``, decorators."""
    declarations: frozenset[str]
    """Node types that may define several names: the first begins with them, and all end by themselves."""
    definitions: frozenset[str]
    blocks: frozenset[str]
    statements: frozenset[str]
    docstrings: frozenset[str]
    closers: frozenset[str]
    doc: DocRules


_NODE_TYPES = (
    *("attach", "annotations", "wrappers", "declarations", "definitions", "blocks", "statements"),
    *("docstrings", "closers"),
)
_LISTS = ("aliases", "extensions", "filenames", "interpreters", "inherits", *_NODE_TYPES)
_STRINGS = ("name", "grammar", "separator")
_KEYS = (*_STRINGS, *_LISTS, "doc", "variants")
_VARIANT_KEYS = ("extensions", "aliases", "grammar")
_DOC_KEYS = tuple(field.name for field in fields(DocRules))


@dataclass(frozen=True, slots=True)
class _Spec:
    """The text of a ``language.toml``, to say where something in it is wrong."""

    path: Path
    text: str

    def refuse(self, problem: str, key: str = "", value: str = "") -> NoReturn:
        """Raise an error that points at a key, or at a value behind it."""
        found = re.search(rf"^[ \t]*\[*({re.escape(key)})\b", self.text, re.MULTILINE) if key else None
        start = found.start(1) if found else 0
        start = max(start, self.text.find(value, start)) if value else start
        row = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        raise LanguageSpecError(f"{self.path}:{row}:{column}: {problem}")

    def check_keys(self, table: dict[str, Any], legal: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in legal:
                self.refuse(f"unknown key {key!r}{where}; the keys are {', '.join(legal)}", key)

    def string(self, table: dict[str, Any], key: str, default: str | None = None) -> str:
        value = table.get(key, default)
        if value is None:
            self.refuse(f"the key {key!r} is missing; required are name and grammar")
        if not isinstance(value, str) or (not value and default is None):
            self.refuse(f"{key} must be a string that is not empty", key)
        return value

    def strings(self, table: dict[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            self.refuse(f"{key} must be a list of strings", key)
        return tuple(value)


def read_languages(folder: Path) -> tuple[Language, ...]:
    """Read a language folder: the language itself, then its variants with other grammars."""
    path = folder / "language.toml"
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except OSError as error:
        raise LanguageSpecError(f"{path}: can not be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LanguageSpecError(f"{path}: not UTF-8 at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, str(error)) from error
    return _languages(_Spec(path, text), table, folder)


def _syntax_error(path: Path, message: str) -> LanguageSpecError:
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    place = f"{found[1]}:{found[2]}" if found else "1:1"
    return LanguageSpecError(f"{path}:{place}: not valid TOML: {message}")


def _languages(spec: _Spec, table: dict[str, Any], folder: Path) -> tuple[Language, ...]:
    spec.check_keys(table, _KEYS, "")
    variants = table.get("variants", [])
    if not isinstance(variants, list) or not all(isinstance(variant, dict) for variant in variants):
        spec.refuse("variants must be an array of tables: [[variants]]", "variants")
    for variant in variants:
        spec.check_keys(variant, _VARIANT_KEYS, " in [[variants]]")
    main = Language(
        name=spec.string(table, "name"),
        folder=folder,
        aliases=spec.strings(table, "aliases"),
        extensions=_extensions(spec, table),
        filenames=spec.strings(table, "filenames"),
        interpreters=spec.strings(table, "interpreters"),
        grammar=_grammar(spec, table),
        grammars=tuple(_grammar(spec, each) for each in (table, *variants)),
        separator=spec.string(table, "separator", "."),
        query_folders=_query_folders(spec, table, folder),
        doc=_doc_rules(spec, table.get("doc", {})),
        **{key: frozenset(spec.strings(table, key)) for key in _NODE_TYPES},
    )
    return main, *(_variant(spec, variant, main) for variant in variants)


def _variant(spec: _Spec, table: dict[str, Any], main: Language) -> Language:
    values: dict[str, Any] = {field.name: getattr(main, field.name) for field in fields(Language)}
    return Language(
        **values
        | {
            "aliases": spec.strings(table, "aliases"),
            "extensions": _extensions(spec, table),
            "filenames": (),
            "interpreters": (),
            "grammar": _grammar(spec, table),
        }
    )


def _extensions(spec: _Spec, table: dict[str, Any]) -> tuple[str, ...]:
    extensions = spec.strings(table, "extensions")
    for extension in extensions:
        if not extension.startswith(".") or extension != extension.lower():
            spec.refuse(
                f"{extension!r} must begin with a dot and be in lower case", "extensions", f'"{extension}"'
            )
    return extensions


def _grammar(spec: _Spec, table: dict[str, Any]) -> str:
    grammar = spec.string(table, "grammar")
    if not re.fullmatch(r"[\w.]+:\w+", grammar):
        spec.refuse(f"grammar must have the form module:function, not {grammar!r}", "grammar")
    return grammar


def _query_folders(spec: _Spec, table: dict[str, Any], folder: Path) -> tuple[Path, ...]:
    """The language's own folder, then those it inherits from: its neighbours, or built-in ones."""
    folders = [folder]
    for name in spec.strings(table, "inherits"):
        found = [parent / name for parent in (folder.parent, BUILT_IN) if (parent / name).is_dir()]
        if not found:
            spec.refuse(f"there is no folder {name!r} to inherit from in {folder.parent}", "inherits")
        folders.append(found[0])
    return tuple(folders)


def _doc_rules(spec: _Spec, table: Any) -> DocRules:
    if not isinstance(table, dict):
        spec.refuse("doc must be a table: [doc]", "doc")
    spec.check_keys(table, _DOC_KEYS, " in [doc]")
    patterns = {key: spec.string(table, key) for key in table}
    if "margin" in patterns:  # so that it can be removed from all the lines at once
        patterns["margin"] = rf"\n(?:{patterns['margin']})"
    rules = DocRules(**{key: _regex(spec, key, pattern) for key, pattern in patterns.items()})
    if rules.margin and rules.margin.fullmatch("\n\n"):
        spec.refuse("margin must not match line ends", "margin")
    return rules


def _regex(spec: _Spec, key: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        spec.refuse(f"{key} is no regular expression: {error}", key)


def node_types(language: Language) -> set[str]:
    """All node types that a language's record speaks of."""
    return {node_type for key in _NODE_TYPES for node_type in getattr(language, key)}


def refuse_node_type(language: Language, node_type: str) -> NoReturn:
    """Raise an error that points at a node type which no grammar of the language has."""
    path = language.folder / "language.toml"
    key = next(key for key in _NODE_TYPES if node_type in getattr(language, key))
    problem = f"no node {node_type!r} in the grammar {' or '.join(language.grammars)}"
    _Spec(path, path.read_text(encoding="utf-8")).refuse(problem, key, f'"{node_type}"')
