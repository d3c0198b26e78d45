"""How the package is laid out: small modules, and no word about any language in Python."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest
from tree_sitter import Language

import code_chunk

PACKAGE = Path(code_chunk.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
SPECS = {path.parent.name: tomllib.loads(path.read_text("utf-8")) for path in PACKAGE.rglob("language.toml")}
MOST_LINES = 400
MOST_LINES_OF_A_FUNCTION = 60
WORDS_OF_OURS = {
    "ERROR",  # the type of every grammar's error nodes
    "block",  # a kind of doc comment
    "comment",
    "body",  # captures
    "doc",
    "import",
    "name",
    "scope",
    "class",  # entity types
    "constant",
    "enum",
    "export",
    "function",
    "interface",
    "method",
    "module",
    "type",
    "none",  # values of options and of settings
    "true",
}
"""Words that are node types of some grammar, and mean something else here."""


def of_package(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


EVERY_MODULE = pytest.mark.parametrize("path", MODULES, ids=of_package)


@EVERY_MODULE
def test_module_is_read_in_one_sitting(path: Path) -> None:
    """No module has more than 400 lines."""
    count = len(path.read_text("utf-8").splitlines())
    assert count <= MOST_LINES


@EVERY_MODULE
def test_functions_are_small(path: Path) -> None:
    """No function has more than 60 lines."""
    found = [
        n
        for n in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    assert [n.name for n in found if (n.end_lineno or 0) - n.body[0].lineno >= MOST_LINES_OF_A_FUNCTION] == []


@EVERY_MODULE
def test_module_has_no_bare_except(path: Path) -> None:
    """No exception is caught that was not named, unless it goes on, or becomes the result of one file."""
    handlers = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.ExceptHandler)]
    kept = [n for n in handlers if _is_broad(n.type) and ast.unparse(n.body[-1]) != "raise"]
    assert len(kept) == BROAD.get(path.name, 0)


BROAD = {"_tasks.py": 1, "_workers.py": 1}
"""What happens to a file, and why no worker starts, is told to the caller whatever it is."""


def _is_broad(caught: ast.expr | None) -> bool:
    return caught is None or bool(
        {"Exception", "BaseException"} & set(re.findall(r"\w+", ast.unparse(caught)))
    )


def literals(path: Path) -> set[str]:
    """Give the string literals of a module that are no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    strings = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return {str(n.value) for n in strings if id(n) not in docs}


def names_of_languages() -> set[str]:
    """Give names, aliases and extensions of the languages, and the names of their grammars."""
    tables = [table for spec in SPECS.values() for table in (spec, *spec.get("variants", []))]
    words = [
        word for t in tables for key in ("aliases", "extensions", "filenames") for word in t.get(key, [])
    ]
    grammars = [t["grammar"].partition(":")[0] for t in tables]
    return {*SPECS, *words, *grammars}


def node_types() -> set[str]:
    """Give the types of all named nodes of all grammars."""
    found: set[str] = set()
    for spec in SPECS.values():
        for table in (spec, *spec.get("variants", [])):
            module, _, function = table["grammar"].partition(":")
            grammar = Language(getattr(importlib.import_module(module), function)())
            kinds = range(grammar.node_kind_count)
            found |= {grammar.node_kind_for_id(n) or "" for n in kinds if grammar.node_kind_is_named(n)}
    return found - {""}


def test_languages_are_found() -> None:
    """The checks below look for something."""
    assert {"python", ".tsx", "tree_sitter_go"} <= names_of_languages()
    assert {"function_definition", "impl_item", "jsx_element"} <= node_types()


@EVERY_MODULE
def test_module_names_no_language(path: Path) -> None:
    """No string of a module is a language's name, alias, extension or grammar."""
    assert literals(path) & names_of_languages() == set()


@EVERY_MODULE
def test_module_names_no_node_type(path: Path) -> None:
    """No string of a module is a grammar's node type, but for words that we use ourselves."""
    assert literals(path) & node_types() <= WORDS_OF_OURS


@pytest.mark.parametrize("name", SPECS)
def test_language_is_a_folder_of_data(name: str) -> None:
    """A language's folder holds its record and its queries, and no Python."""
    folder = PACKAGE / "languages" / name
    assert {path.name for path in folder.iterdir()} <= {"language.toml", "tags.scm", "imports.scm"}


def test_py_typed() -> None:
    """Type checkers are told that the package has types."""
    assert (PACKAGE / "py.typed").is_file()
