"""Input for tests: arbitrary text, and the samples spliced, truncated, duplicated and mutated."""

from __future__ import annotations

import dataclasses
import io
import itertools
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from unittest.mock import patch

from hypothesis import strategies as st

from code_chunk import Chunk, ChunkOptions, _parse, _pipeline
from guarantees import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES = Path(__file__).parent / "samples"
LANGUAGES = ("go", "java", "javascript", "python", "rust", "typescript")
_EXCERPT = 1500
"""Characters taken from a sample at most: many small examples find more than few large ones."""

_TOKENS = {
    "go": (
        'package p', 'func f() {', '}', '(', ')', '[', ']', '{', 'type T struct {', 'var (',
        'const x = 1', 'import "a"', '//', '/*', '*/', '`', '"', "'", ':=', 'case 1:', 'switch x {',
        'if x {', '} else {', 'return', ';', ',', 'interface {', 'func (s *S) M() {}',
        'go func() {}()', 'for {', '<-', '...',
    ),
    "java": (
        'class A {', '}', 'void m() {', '(', ')', '[', ']', '@A', '@A(', 'import a.b;', 'package p;',
        '//', '/**', '*/', '"""', '"', "'", 'enum E { A, B;', '->', 'record R(int x) {',
        'interface I {', 'static final int X = 1;', 'return', ';', ',', '<T>', 'switch (x) {',
        'case 1 ->', 'default:', 'new A() {',
    ),
    "javascript": (
        'function f() {', '}', '(', ')', '[', ']', '{', 'class A {', 'm() {', '=>', 'const x = ',
        'let', "import a from 'a'", 'export', '//', '/**', '*/', '`', '${', '"', "'", '<div>',
        '</div>', '/>', '/', '/x/g', '...', 'async', '?.', '??', ';', ',', 'return', 'exports.a = ',
        'static {', '#p', 'get a() {',
    ),
    "python": (
        'def f():', '\n    ', '\n        ', 'class A:', '@d', 'import a', 'from a import b', '#',
        "'''", '"""', "'", '"', "f'{", '(', ')', '[', ']', '{', '}', ':', '=', 'lambda x:', 'if x:',
        'else:', 'elif y:', 'return', 'pass', 'async ', 'await ', '\\\n', ';', ',', 'match x:',
        'case 1:', 'type A = int', 'X = 1', 'try:', 'except:', 'with a:',
    ),
    "rust": (
        'fn f() {', '}', '(', ')', '[', ']', '{', 'impl A {', 'impl T for A {', 'struct S;',
        'struct S {', 'enum E {', 'mod m {', 'use a::b;', '#[a]', '#![b]', '//', '///', '/**', '*/',
        'r#"', '"#', '"', "'", "'a", 'macro_rules! m {', 'm! {', '=>', 'match x {', 'let x = 1;', ';',
        ',', '::', '<T>', 'where', 'pub ', 'trait T {', 'const X: u8 = 1;',
    ),
    "typescript": (
        'function f(): void {', '}', '(', ')', '[', ']', '{', 'class A {', 'interface I {',
        'type T = ', 'enum E {', 'namespace N {', 'm(): void {', '=>', 'const x: number = ',
        "import { a } from 'a'", 'export ', 'export default ', '//', '/**', '*/', '`', '${', '"', "'",
        '<T>', 'as', '@d()', 'declare ', 'abstract ', '?:', ';', ',', 'return', '<div>', '</div>',
        "import x = require('x')", 'get a() {', '#p', 'readonly',
    ),
}  # fmt: skip
_SPECIAL = (
    "\n", "\n", "\n\n", "\r\n", "\r", "\r\r\n", "\t", " ", "  ", "\f", "\v", "\0", "\x1f", "\x7f", "\x85",
    "\xa0", "\u2028", "\u2029", "\u3000", "\ufeff", "\ud800", "\udfff", "\ud83d\ude00", "\udcff", "e\u0301",
    "\u200d", "👩\u200d👩\u200d👧", "設定", "ß", "😀", "\u0300\u0301", "\uffff", "\U0010ffff", "\\", "\u202e",
)  # fmt: skip


def sample_paths(language: str | None = None) -> list[Path]:
    """Paths of the samples, of one language or of all."""
    languages = [language] if language else LANGUAGES
    return [path for name in languages for path in sorted((SAMPLES / name).iterdir())]


@cache
def sample_text(path: Path) -> str:
    """A sample's text, its line ends kept."""
    return path.read_bytes().decode()


@cache
def _complete_parts(path: Path) -> tuple[str, ...]:
    """The top-level constructs of a sample, each with the text in front of it."""
    code = sample_text(path).removeprefix("\ufeff")
    raw = code.encode()
    ends = [0, *(node.end_byte for node in parse(path.name, code).children if not node.is_extra)]
    return tuple(raw[start:end].decode() for start, end in itertools.pairwise(ends))


def limits() -> st.SearchStrategy[int]:
    """Sizes from 1 to 8192; small ones more often, since they cut more."""
    return st.one_of(st.integers(1, 40), st.integers(20, 400), st.integers(1, 8192))


@st.composite
def option_sets(draw: st.DrawFn) -> ChunkOptions:
    """Options of every kind that go together."""
    overlap: dict[str, Any] = draw(
        st.sampled_from(
            ({}, {"overlap_lines": 0}, {"overlap_lines": 3}, {"overlap_nodes": 1}, {"overlap_nodes": 4})
        )
    )
    return ChunkOptions(
        max_chunk_size=draw(limits()),
        packing=draw(st.sampled_from(("greedy", "definitions"))),
        context_mode=draw(st.sampled_from(("full", "minimal", "none"))),
        sibling_detail=draw(st.sampled_from(("signatures", "names", "none"))),
        filter_imports=draw(st.booleans()),
        context_format=draw(st.sampled_from(("labels", "ancestry"))),
        **overlap,
    )


def _any_character() -> st.SearchStrategy[str]:
    return st.characters(exclude_categories=())  # lone surrogates too


def arbitrary_text(language: str) -> st.SearchStrategy[str]:
    """Tokens of a language, odd characters and any other characters, in any order."""
    tokens = _TOKENS[language]
    parts = st.one_of(
        st.sampled_from(tokens),
        st.sampled_from(tokens),
        st.sampled_from(_SPECIAL),
        st.text(_any_character(), max_size=8),
        st.text("abc_ \n", max_size=30),
    )
    return st.lists(parts, max_size=60).map("".join)


def _position(draw: st.DrawFn, code: str) -> int:
    return draw(st.integers(0, len(code)))


@st.composite
def excerpts(draw: st.DrawFn, language: str) -> str:
    """A piece of a sample, which may begin and end anywhere."""
    code = sample_text(draw(st.sampled_from(sample_paths(language))))
    start = _position(draw, code) if draw(st.booleans()) else 0
    return code[start : start + draw(st.integers(0, _EXCERPT))]


@st.composite
def damaged_samples(draw: st.DrawFn, language: str) -> str:
    """Pieces of samples, one behind or inside the other, changed in a few places."""
    code = draw(excerpts(language))
    for change in draw(st.lists(st.sampled_from(_CHANGES), max_size=4)):
        code = change(draw, code, language)
    return code


def _insert(draw: st.DrawFn, code: str, language: str) -> str:
    at = _position(draw, code)
    return code[:at] + draw(st.one_of(arbitrary_text(language), st.sampled_from(_SPECIAL))) + code[at:]


def _splice(draw: st.DrawFn, code: str, language: str) -> str:
    at = _position(draw, code)
    return code[:at] + draw(excerpts(language)) + code[at:]


def _delete(draw: st.DrawFn, code: str, language: str) -> str:  # noqa: ARG001 (one signature for all)
    start = _position(draw, code)
    return code[:start] + code[start + draw(st.integers(1, 40)) :]


def _duplicate(draw: st.DrawFn, code: str, language: str) -> str:  # noqa: ARG001
    start = _position(draw, code)
    part = code[start : start + draw(st.integers(1, 200))]
    return code[:start] + part * draw(st.integers(2, 4)) + code[start + len(part) :]


def _replace_line_ends(draw: st.DrawFn, code: str, language: str) -> str:  # noqa: ARG001
    return code.replace("\n", draw(st.sampled_from(("\r\n", "\r", "\n\n", "\n \t", "\f\n", " "))))


def _prefix_bom(draw: st.DrawFn, code: str, language: str) -> str:  # noqa: ARG001
    return "\ufeff" + code


_CHANGES = (_insert, _splice, _delete, _duplicate, _replace_line_ends, _prefix_bom)


@st.composite
def clean_files(draw: st.DrawFn, language: str) -> tuple[str, str]:
    """(file name, code) made of complete top-level constructs of one sample or two: mostly without errors."""
    path = draw(st.sampled_from(sample_paths(language)))
    others = [other for other in sample_paths(language) if other.suffix == path.suffix]
    parts = [*_complete_parts(path), *_complete_parts(draw(st.sampled_from(others)))]
    chosen = draw(st.lists(st.sampled_from(parts), min_size=1, max_size=8))
    code = draw(st.sampled_from(("", "\n", "\n\n"))).join(chosen) + draw(st.sampled_from(("", "\n")))
    if draw(st.integers(0, 9)) == 0:
        code = code.replace("\r\n", "\n").replace("\n", "\r\n")
    return path.name, code


def any_code(language: str) -> st.SearchStrategy[tuple[str, str]]:
    """(file name, code): arbitrary text or damaged samples, under a name of the language."""
    names = sorted({path.name for path in sample_paths(language)})
    return st.tuples(st.sampled_from(names), st.one_of(arbitrary_text(language), damaged_samples(language)))


class Trickle(io.RawIOBase):
    """A file object that gives a few bytes at a time, whatever it is asked for."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data = io.BytesIO(data)
        self._size = size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:  # noqa: ARG002
        return self._data.read(self._size)


def trickle(data: bytes, size: int) -> BinaryIO:
    return cast("BinaryIO", Trickle(data, size))


def streamed(chunks: list[Chunk]) -> list[Chunk]:
    """What a stream gives for the same code."""
    return [dataclasses.replace(made, total_chunks=-1) for made in chunks]


@contextmanager
def patch_slices(size: int, error_size: int) -> Iterator[None]:
    """Parse less or more at a time, to have many slices in little code, or one in much."""
    with ExitStack() as stack:
        for name in ("FIRST_SLICE", "SLICE"):
            stack.enter_context(patch.object(_parse, name, size))
        for name in ("ERROR_SLICE", "OPEN_SLICE"):
            stack.enter_context(patch.object(_parse, name, error_size))
        stack.enter_context(patch.object(_pipeline, "FIRST_SLICE", size))
        yield
