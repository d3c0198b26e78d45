"""Oracle: what is found in Python code equals what the standard `ast` module says."""

from __future__ import annotations

import ast
import sysconfig
import tokenize
import warnings
from pathlib import Path

import pytest
from tree_sitter import Parser

from code_chunk._extract import Entity, extract
from code_chunk._scope import nest
from code_chunk.languages import load_grammar, resolve

LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = sorted(path for path in LIBRARY.rglob("*.py") if "site-packages" not in path.parts)
SAMPLE = FILES[::12]

Definition = tuple[tuple[str, ...], int, int, str | None]
"""The names around it and its own, the first and the last line, and the docstring."""


def definitions_of_ast(source: bytes) -> list[Definition]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes and the like
        tree = ast.parse(source)
    found: list[Definition] = []
    stack: list[tuple[ast.AST, tuple[str, ...]]] = [(tree, ())]
    while stack:
        node, names = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = (*names, node.name)
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.append((names, first - 1, (node.end_lineno or 0) - 1, ast.get_docstring(node)))
        stack.extend((child, names) for child in ast.iter_child_nodes(node))
    return sorted(found, key=lambda each: (each[1], each[0]))


def definitions_of_ours(source: bytes) -> list[Definition] | None:
    language = resolve("a.py", None, "")
    root = Parser(load_grammar(language)).parse(source).root_node
    if root.has_error:
        return None
    found = [
        (_names(entity), entity.start_row, entity.end_row, entity.docstring)
        for entity in nest(extract(root, language, source, 0, 0, len(source)))
        if entity.type in ("function", "method", "class") and " = lambda" not in entity.signature
    ]
    return sorted(found, key=lambda each: (each[1], each[0]))


def _names(entity: Entity) -> tuple[str, ...]:
    names: list[str] = []
    around: Entity | None = entity
    while around is not None:
        if around.type in ("function", "method", "class"):
            names.insert(0, around.name)
        around = around.parent
    return tuple(names)


def differences(path: Path) -> list[str]:
    """Say where the two do not agree; nothing for files that one of them can not read."""
    source = path.read_bytes()
    try:
        with tokenize.open(path) as file:
            if file.encoding not in ("utf-8", "utf-8-sig"):
                return []
        expected = definitions_of_ast(source)
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return []
    actual = definitions_of_ours(source)
    if actual is None:
        return []
    found = []
    lines = source.splitlines()
    if [each[0] for each in expected] != [each[0] for each in actual]:
        return [f"{path}: {sorted({e[0] for e in expected} ^ {a[0] for a in actual})}"]
    for (names, first, last, doc), (_, our_first, our_last, our_doc) in zip(expected, actual, strict=True):
        place = f"{path}:{first + 1}: {'.'.join(names)}"
        if our_first != first:
            found.append(f"{place}: first line {our_first + 1}")
        if our_last < last or any(_is_code(line) for line in lines[last + 1 : our_last + 1]):
            found.append(f"{place}: last line {our_last + 1}, not {last + 1}")
        has_escapes = our_doc is not None and "\\" in our_doc  # which we leave as written
        if our_doc != (doc if doc and doc.strip() else None) and not has_escapes:
            found.append(f"{place}: docstring {our_doc!r}, not {doc!r}")
    return found


def _is_code(line: bytes) -> bool:
    return bool(line.strip()) and not line.strip().startswith(b"#")


def test_a_sample_of_the_standard_library() -> None:
    """Names, nesting, first and last lines equal those of ast, but for comments behind the last statement."""
    assert SAMPLE
    assert [difference for path in SAMPLE for difference in differences(path)] == []


@pytest.mark.slow
def test_the_whole_standard_library() -> None:
    """The same for each file."""
    assert [difference for path in FILES for difference in differences(path)] == []
