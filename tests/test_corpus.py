"""Corpus cases: source, and the outline of the entities that are found in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from tree_sitter import Parser, Query, QueryCursor

from code_chunk._extract import Entity, extract
from code_chunk._scope import nest
from code_chunk.languages import Language, load_grammar, load_query, resolve, supported_languages

CORPUS = Path(__file__).parent / "corpus"
_TITLE = re.compile(r"^=+\n([^\n]+)\n=+\n", re.M)


@dataclass(frozen=True)
class Case:
    """One case of a corpus file."""

    path: Path
    title: str
    source: bytes
    outline: str

    @property
    def language(self) -> Language:
        """The language of the folder; `x.tsx.txt` asks for the grammar of `.tsx`."""
        return resolve(f"x{Path(self.path.stem).suffix}", self.path.parent.name, "")


def read_cases(path: Path) -> list[Case]:
    head, *rest = _TITLE.split(path.read_text(encoding="utf-8"))
    assert not head.strip(), f"{path}: there is text in front of the first title"
    cases = []
    for title, text in zip(rest[::2], rest[1::2], strict=True):
        source, bar, outline = text.partition("\n---\n")
        assert bar, f"{path}: {title}: the line --- is missing"
        cases.append(Case(path, title, (source.strip("\n") + "\n").encode(), outline.strip("\n")))
    return cases


CASES = [case for path in sorted(CORPUS.glob("*/*.txt")) for case in read_cases(path)]


def outline_of(case: Case) -> str:
    language = case.language
    root = Parser(load_grammar(language)).parse(case.source).root_node
    entities = nest(extract(root, language, case.source, 0, 0, len(case.source)))
    return "\n".join("  " * _depth(entity) + _line(entity) for entity in entities)


def _depth(entity: Entity) -> int:
    return 1 + _depth(entity.parent) if entity.parent else 0


def _line(entity: Entity) -> str:
    scope = f" (scope {entity.scope_name})" if entity.scope_name else ""
    parts = [f"{entity.type} {entity.name}{scope}", entity.signature]
    if entity.docstring is not None:
        parts.append(entity.docstring.replace("\n", "⏎"))
    if entity.source is not None:
        default = " (default)" if entity.is_default else ""
        parts.append(f"from {entity.source}{default}{' (namespace)' if entity.is_namespace else ''}")
    return " | ".join(parts)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.path.parent.name}-{case.title}")
def test_outline(case: Case, request: pytest.FixtureRequest) -> None:
    """The entities of a case are those that its file says."""
    actual = outline_of(case)
    if request.config.getoption("--update-corpus") and actual != case.outline:
        _rewrite(case.path)
    else:
        assert case.outline == actual


def _rewrite(path: Path) -> None:
    parts = []
    for case in read_cases(path):
        bar = "=" * max(18, len(case.title))
        source = case.source.decode().rstrip("\n")
        text = f"{bar}\n{case.title}\n{bar}\n\n{source}\n\n---\n\n{outline_of(case)}"
        parts.append(text.rstrip("\n") + "\n")
    path.write_text("\n".join(parts), encoding="utf-8", newline="")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.path.parent.name}-{case.title}")
def test_only_broken_cases_have_errors(case: Case) -> None:
    """A case is valid code, unless its title says that it is broken."""
    root = Parser(load_grammar(case.language)).parse(case.source).root_node
    assert ("broken" in case.title.lower()) == root.has_error


@pytest.mark.parametrize("name", supported_languages())
def test_language_has_a_broken_case(name: str) -> None:
    """Each language shows what becomes of broken code."""
    assert any(case.language.name == name and "broken" in case.title.lower() for case in CASES)


@pytest.mark.parametrize("name", supported_languages())
def test_each_pattern_is_hit(name: str) -> None:
    """No pattern of a query is dead: some case of a language that has it makes it match."""
    hits, wanted = set(), set()
    for case in CASES:
        compiled = load_query(case.language)
        texts = [_pattern_text(compiled.query, compiled.text, i) for i in range(compiled.query.pattern_count)]
        if case.language.name == name:
            wanted.update(texts)
        root = Parser(load_grammar(case.language)).parse(case.source).root_node
        hits.update(texts[index] for index, _ in QueryCursor(compiled.query).matches(root))
    assert sorted(wanted - hits) == []


def _pattern_text(query: Query, text: str, index: int) -> str:
    start, end = query.start_byte_for_pattern(index), query.end_byte_for_pattern(index)
    return text.encode()[start:end].decode().strip()
