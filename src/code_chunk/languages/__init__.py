"""The registry of languages: what is known, how a file's language is found, and its grammar and queries."""

from __future__ import annotations

import importlib
import os
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import tree_sitter

from .._errors import GrammarNotInstalledError, UnsupportedLanguageError
from ._detect import extensions_of, file_name, interpreter
from ._query import CompiledQuery, Pattern, compile_query
from ._spec import BUILT_IN, DocRules, Language, node_types, read_languages, refuse_node_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "LANGUAGE_EXTENSIONS",
    "CompiledQuery",
    "DocRules",
    "Language",
    "Pattern",
    "adopt_languages",
    "detect_language",
    "load_grammar",
    "load_query",
    "register_language",
    "registered_languages",
    "resolve",
    "supported_languages",
]

_by_name: dict[str, tuple[Language, ...]] = {}
_by_alias: dict[str, Language] = {}
_by_extension: dict[str, Language] = {}
_by_filename: dict[str, Language] = {}
_by_interpreter: dict[str, Language] = {}
_extension_names: dict[str, str] = {}
_registered: dict[str, tuple[Language, ...]] = {}

LANGUAGE_EXTENSIONS: Mapping[str, str] = MappingProxyType(_extension_names)
"""The language's name for each known extension, such as ``".py"``; read-only, and always up to date."""


def supported_languages() -> tuple[str, ...]:
    """Return the names of all languages that can be chunked, sorted.

    Example:
        >>> "python" in supported_languages()
        True
    """
    return tuple(sorted(_by_name))


def detect_language(filepath: str | os.PathLike[str], content: str | bytes | None = None) -> str | None:
    """Tell a file's language from its name, else from the shebang of its content.

    Args:
        filepath: The file's path; only its last part counts. The file is not read.
        content: The file's text, or its beginning.

    Returns:
        The language's name, or None when it is unknown.

    Example:
        >>> detect_language("src/App.TSX")
        'typescript'
    """
    found = _detect(os.fspath(filepath), content or "")
    return found.name if found else None


def _detect(filepath: str, head: str | bytes) -> Language | None:
    name = file_name(filepath)
    if name in _by_filename:
        return _by_filename[name]
    for extension in extensions_of(name):
        if extension in _by_extension:
            return _by_extension[extension]
    return _by_interpreter.get(interpreter(head)) if head else None


def resolve(filepath: str, name: str | None, head: str | bytes) -> Language:
    """Find the language by the name or alias that was asked for, else by the file's name and first line.

    Raises:
        UnsupportedLanguageError: If there is none.
    """
    if name is None:
        found = _detect(filepath, head)
        if found is None:
            raise UnsupportedLanguageError(f"Unsupported file type: {filepath}", filepath)
        return found
    wanted = name.lower()
    if wanted in _by_name:
        by_file = _detect(filepath, "")
        return by_file if by_file in _by_name[wanted] else _by_name[wanted][0]
    if wanted not in _by_alias:
        raise UnsupportedLanguageError(f"Unknown language: {name}", filepath)
    return _by_alias[wanted]


def register_language(folder: str | os.PathLike[str]) -> None:
    """Add a language: a folder with ``language.toml``, ``tags.scm`` and ``imports.scm``.

    The grammar is loaded and everything is checked at once. A language of the same name is replaced; an
    extension, file name or interpreter goes to the language that was registered last.

    Args:
        folder: The folder; it must stay where it is.

    Raises:
        LanguageSpecError: If something in the folder is wrong; the message says where and what is allowed.
        GrammarNotInstalledError: If the grammar can not be loaded.

    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> _ = Path(folder, "language.toml").write_text('''
        ... name = "starlark"
        ... extensions = [".star", ".bzl"]
        ... grammar = "tree_sitter_python:language"
        ... definitions = ["function_definition"]
        ... blocks = ["module", "block"]
        ... ''')
        >>> _ = Path(folder, "tags.scm").write_text('''
        ... (function_definition
        ...   name: (identifier) @name
        ...   body: (block) @body) @definition.function
        ... ''')
        >>> _ = Path(folder, "imports.scm").write_text("")
        >>> register_language(folder)
        >>> detect_language("rules.bzl")
        'starlark'
    """
    path = Path(folder).resolve()
    languages = read_languages(path)
    for language in languages:
        load_query(language)
    _add(languages)
    _registered.pop(str(path), None)  # the one registered last stands last
    _registered[str(path)] = languages


def registered_languages() -> tuple[tuple[Language, ...], ...]:
    """What was registered with `register_language`, for `adopt_languages` in another process."""
    return tuple(_registered.values())


def adopt_languages(registered: Iterable[tuple[Language, ...]]) -> None:
    """Know the languages that another process has registered.

    They have been checked there; nothing is loaded, so that what a grammar does wrong in this process is told
    to those who use it.
    """
    for languages in registered:
        _add(languages)


def _add(languages: tuple[Language, ...]) -> None:
    name = languages[0].name
    for table in (_by_alias, _by_extension, _by_filename, _by_interpreter):
        for key in [key for key, language in table.items() if language.name == name]:
            del table[key]
            _extension_names.pop(key, None)
    _by_name[name.lower()] = languages
    for language in languages:
        _by_alias.update((alias.lower(), language) for alias in language.aliases)
        _by_extension.update((extension, language) for extension in language.extensions)
        _by_filename.update((filename.lower(), language) for filename in language.filenames)
        _by_interpreter.update((program, language) for program in language.interpreters)
        _extension_names.update((extension, name) for extension in language.extensions)


def load_grammar(language: Language) -> tree_sitter.Language:
    """Load the compiled grammar of a language.

    Raises:
        GrammarNotInstalledError: If it is not there, or does not fit the installed tree-sitter.
    """
    return _load(language.grammar, language.name)


@cache
def _load(grammar: str, name: str) -> tree_sitter.Language:
    module_name, _, function = grammar.partition(":")
    install = f"pip install --upgrade {module_name.partition('.')[0].replace('_', '-')}"
    try:
        pointer = getattr(importlib.import_module(module_name), function)()
    except ImportError as error:
        raise GrammarNotInstalledError(
            f"the grammar of {name} is not installed ({error}): {install}"
        ) from error
    except AttributeError as error:
        raise GrammarNotInstalledError(
            f"the grammar of {name}: {module_name} has no function {function}: {install}"
        ) from error
    loaded = tree_sitter.Language(pointer)
    least, most = tree_sitter.MIN_COMPATIBLE_LANGUAGE_VERSION, tree_sitter.LANGUAGE_VERSION
    if not least <= loaded.abi_version <= most:
        raise GrammarNotInstalledError(
            f"the grammar of {name} has ABI version {loaded.abi_version}, but tree-sitter "
            f"{tree_sitter.__version__} reads {least} to {most}: {install} tree-sitter"
        )
    return loaded


@cache
def load_query(language: Language) -> CompiledQuery:
    """Compile a language's queries, and check them and its record against its grammar.

    Raises:
        LanguageSpecError: If something is wrong; the message says where and what is allowed.
        GrammarNotInstalledError: If the grammar can not be loaded.
    """
    _check_node_types(language)
    return compile_query(language, load_grammar(language))


def _check_node_types(language: Language) -> None:
    """A node type need only exist in one of the grammars that share the record."""
    missing = node_types(language)
    for grammar in (language.grammar, *language.grammars):
        if missing:
            loaded = _load(grammar, language.name)
            missing = {name for name in missing if loaded.id_for_node_kind(name, True) is None}
    if missing:
        refuse_node_type(language, min(missing))


for _folder in sorted(BUILT_IN.glob("*/language.toml")):
    _add(read_languages(_folder.parent))
