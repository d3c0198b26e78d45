"""The worst input gives chunks that keep the guarantees, or an error that says what is wrong (G7)."""

from __future__ import annotations

import asyncio
import io
import itertools
import re
import threading
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import pytest

from code_chunk import (
    Chunk,
    ChunkingError,
    ChunkOptions,
    ParseError,
    achunk,
    chunk,
    chunk_stream,
    create_chunker,
)
from code_chunk._docs import literal_doc
from guarantees import check, check_structure, error_nodes, parse, to_bytes
from strategies import LANGUAGES, sample_paths, sample_text, trickle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tree_sitter import Node

LIMITS = (1, 2, 7, 30, 1500)
CODE = {
    "a.go": """package p

// Doc of f.
func f(a int) string {
	b := "one two"
	return b
}

type T struct{ x int }
""",
    "A.java": """import a.B;

/** Doc. */
class A {
    @D
    int f(int a) {
        String b = "one two";
        return a;
    }
}
""",
    "a.js": """import a from 'a'

/** Doc of f. */
export function f(a) {
  const b = 'one two'
  return a + b
}
""",
    "a.jsx": """/** Doc of F. */
export const F = () => (
  <div>
    one two
  </div>
)
""",
    "a.py": """import os

@decorator
def f(a):
    'Doc of f.'
    b = "one two"
    return a, b

X = 1
""",
    "a.rs": """use a::B;

/// Doc of f.
#[inline]
fn f(a: u8) -> &str {
    let b = "one two";
    b
}

struct S;
""",
    "a.ts": """import { a } from 'a'

export class A {
  /** Doc of f. */
  f(a: number): string {
    return 'one two'
  }
}
""",
    "a.tsx": """/** Doc of F. */
export const F = (p: P) => (
  <div>
    one two
  </div>
)
""",
}
files = pytest.mark.parametrize("name", CODE)


def chunked(name: str, code: str, limit: int) -> list[Chunk]:
    """Chunk, and check what holds for any text."""
    options = ChunkOptions(max_chunk_size=limit)
    chunks = chunk(name, code, options)
    check(name, code, chunks, options)
    check_structure(name, code, chunks, options)
    return chunks


def outline(chunks: list[Chunk]) -> list[tuple[object, ...]]:
    """What the chunks say about their code, without the text."""
    return [
        (entity.name, entity.type, entity.signature, entity.docstring, entity.line_range)
        for made in chunks
        for entity in made.context.entities
    ]


# --- blanks, line ends, odd characters ---


@pytest.mark.parametrize(
    "code", ["", " ", "\n", "\r\n\r\n", "\r", "\t\f\v\0\x1f ", "\ufeff", "\ufeff\r\n \0"]
)
@files
def test_blank(name: str, code: str) -> None:
    """A file without any text has no chunks, in whatever form it comes."""
    raw = code.encode()
    assert chunk(name, code) == chunk(name, raw) == chunk(name, io.BytesIO(raw)) == []
    assert list(chunk_stream(name, code)) == list(chunk_stream(name, raw)) == []


@pytest.mark.parametrize("limit", LIMITS)
@files
def test_bom(name: str, limit: int) -> None:
    """A BOM is part of the first chunk, and changes nothing else."""
    plain, marked = chunked(name, CODE[name], limit), chunked(name, "\ufeff" + CODE[name], limit)
    assert [made.size for made in marked] == [made.size for made in plain]
    assert [made.line_range for made in marked] == [made.line_range for made in plain]
    assert [made.context for made in marked] == [made.context for made in plain]
    assert marked[0].text == "\ufeff" + plain[0].text
    assert [made.text for made in marked[1:]] == [made.text for made in plain[1:]]


@pytest.mark.parametrize("limit", LIMITS)
@files
def test_crlf(name: str, limit: int) -> None:
    """CR LF gives the cuts, lines and entities of LF."""
    plain, windows = chunked(name, CODE[name], limit), chunked(name, CODE[name].replace("\n", "\r\n"), limit)
    assert [made.text.replace("\r\n", "\n") for made in windows] == [made.text for made in plain]
    assert [made.line_range for made in windows] == [made.line_range for made in plain]
    assert outline(windows) == outline(plain)


ODD = {
    "lone CR": ("\n", "\r"),
    "CR CR LF": ("\n", "\r\r\n"),
    "form feed": ("\n", "\f\n"),
    "NUL in a blank": (" ", " \0"),
    "NUL in a word": ("o", "\0"),
    "NUL in a literal": ("one", "\0"),
    "surrogate in a literal": ("one", "\udcff"),
    "surrogate in a name": ("f", "\ud800"),
    "surrogate pair as two": ("two", "\ud83d\ude00"),
    "surrogates for blanks": (" ", "\udfff"),
    "BOMs": (" ", "\ufeff"),
    "combining marks": ("o", "o\u0301\u0327"),
    "joined emoji": ("one", "👩‍👩‍👧‍👦"),
    "no-break space": (" ", "\xa0"),
    "line separators": ("\n", "\u2028"),
    "control characters": ("a", "\x01\x7f\x85"),
    "right to left": ("two", "\u202e\u05d0\u2066"),
    "noncharacters": ("a", "\uffff\U0010ffff"),
}


@pytest.mark.parametrize(("old", "new"), ODD.values(), ids=ODD)
@files
def test_odd_characters(name: str, old: str, new: str) -> None:
    """Whatever stands in the code, the chunks are the code."""
    for limit in LIMITS:
        chunked(name, CODE[name].replace(old, new), limit)
        chunked(name, new + CODE[name] + new, limit)


# --- bytes that are not UTF-8 ---

NOT_UTF_8 = (
    b"\xff", b"\x80", b"\xc3", b"\xe9 = 1", b"\xe2\x82", b"\xe2\x82x", b"\xf0\x9f\x98", b"\xf0\x9f\x98\n",
    b"\xc0\x80", b"\xed\xa0\x80", b"\xed\xb3\xbf'", b"\xf5\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80",
)  # fmt: skip
SLICE = 64 * 1024


def expected_error(data: bytes) -> str:
    """The message that names the first bad byte and its position."""
    with pytest.raises(UnicodeDecodeError) as raised:
        data.decode()
    return f"not UTF-8: byte 0x{data[raised.value.start]:02x} at position {raised.value.start}"


@pytest.mark.parametrize("bad", NOT_UTF_8, ids=bytes.hex)
@pytest.mark.parametrize("before", [b"", "x = 'é😀'\n".encode()], ids=["first", "later"])
def test_not_utf_8(before: bytes, bad: bytes, tmp_path: Path) -> None:
    """The error names the byte and its position in the file, however the bytes come."""
    data = before + bad
    path = tmp_path / "a.py"
    path.write_bytes(data)
    ways: list[Callable[[], object]] = [
        lambda: chunk("a.py", data),
        lambda: chunk("a.py", io.BytesIO(data)),
        lambda: create_chunker().chunk("a.py", data),
        lambda: list(chunk_stream("a.py", data)),
        lambda: list(chunk_stream(path)),
        *(partial(lambda size: chunk("a.py", trickle(data, size)), size) for size in (1, 2, 3, 7)),
    ]
    for way in ways:
        with pytest.raises(ChunkingError, match=f"^{re.escape(expected_error(data))}$") as raised:
            way()
        assert isinstance(raised.value.__cause__, UnicodeDecodeError)


@pytest.mark.parametrize("bad", [b"\xff", b"\xe2\x82x", b"\xf0\x9f\x98", b"\xed\xa0\x80"], ids=bytes.hex)
@pytest.mark.parametrize("size", [SLICE - 3, SLICE - 2, SLICE - 1, SLICE, 3 * SLICE - 1, 3 * SLICE + 1])
def test_not_utf_8_at_a_piece_border(size: int, bad: bytes) -> None:
    """The position is that in the file, also where a piece ends inside a sequence."""
    data = (b"x = 1\n" * (size // 6 + 1))[:size] + bad
    for code in (data, io.BytesIO(data), trickle(data, 1000)):
        with pytest.raises(ChunkingError, match=f"^{re.escape(expected_error(data))}$"):
            chunk("a.py", code)


@pytest.mark.parametrize("size", [SLICE - 3, SLICE - 2, SLICE - 1, SLICE, 2 * SLICE - 1])
@pytest.mark.parametrize("character", ["é", "€", "😀"])
def test_code_point_at_a_piece_border(size: int, character: str) -> None:
    """A code point is whole though a piece ends inside of its bytes."""
    code = "#" + "x" * (size - 1) + character * 3 + "\ny = 1\n"
    assert chunk("a.py", code.encode()) == chunk("a.py", io.BytesIO(code.encode())) == chunk("a.py", code)
    assert "".join(made.text for made in chunk("a.py", trickle(code.encode(), 1))) == code


# --- syntax errors ---

ERRORS = (
    ")))",
    "{",
    "}",
    "'",
    '"""',
    "`",
    "/*",
    "<",
    "\\",
    "@",
    "$",
    "def class if",
    "=> =>",
    "0x",
    ";;",
    "\0",
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_syntax_errors_anywhere(language: str) -> None:
    """Broken code gives chunks, and the errors are told where they are."""
    for path in sample_paths(language):
        code = sample_text(path)[:1200]
        for error, at in zip(itertools.cycle(ERRORS), range(0, len(code), 83), strict=False):
            broken = code[:at] + "é設😀" + error + code[at:]
            check_errors(path.name, broken, chunked(path.name, broken, 100))


@pytest.mark.parametrize("language", LANGUAGES)
def test_truncated_code(language: str) -> None:
    """Code may end anywhere."""
    for path in sample_paths(language):
        code = sample_text(path)[:1200]
        for end in range(0, len(code), 57):
            check_errors(path.name, code[:end], chunked(path.name, code[:end], 60))


def check_errors(name: str, code: str, chunks: list[Chunk]) -> None:
    """Each chunk tells the errors that begin in it, those that a parse of the whole file has."""
    errors = error_nodes(parse(name, code))
    for made in chunks:
        is_last = made.index == len(chunks) - 1
        here = [node for node in errors if node.start_byte < made.byte_range.end or is_last]
        del errors[: len(here)]
        if not here:
            assert made.context.parse_error is None
            continue
        message = "; ".join(described(node, to_bytes(code)) for node in here[:3])
        message += f"; ... and {len(here) - 3} more" if len(here) > 3 else ""
        assert made.context.parse_error == ParseError(message, recoverable=here[0].parent is not None)


def described(node: Node, raw: bytes) -> str:
    line_start = raw.rfind(b"\n", 0, node.start_byte) + 1
    column = len(raw[line_start : node.start_byte].decode("utf-8", "surrogatepass")) + 1
    what = f"MISSING {node.type}" if node.is_missing else "ERROR"
    line = raw.count(b"\n", 0, node.start_byte) + 1
    return f"{what} at line {line}, column {column}"


# --- depth ---

DEPTH = 100_000
NESTED = {
    "brackets in Go": ("a.go", "package p\nvar x = " + "(" * DEPTH + "1" + ")" * DEPTH + "\n"),
    "brackets in Java": ("A.java", "class A { int x = " + "(" * DEPTH + "1" + ")" * DEPTH + "; }\n"),
    "brackets in JavaScript": ("a.js", "let x = " + "[" * DEPTH + "1" + "]" * DEPTH + ";\n"),
    "brackets in Python": ("a.py", "x = " + "[" * DEPTH + "1" + "]" * DEPTH + "\n"),
    "brackets in Rust": ("a.rs", "const X: u8 = " + "(" * DEPTH + "1" + ")" * DEPTH + ";\n"),
    "brackets in TypeScript": ("a.ts", "let x = " + "(" * DEPTH + "1" + ")" * DEPTH + ";\n"),
    "unclosed in Go": ("a.go", "package p\nfunc f() " + "{" * DEPTH),
    "unclosed in Java": ("A.java", "class A " + "{" * DEPTH),
    "unclosed in JavaScript": ("a.js", "let x = " + "[" * DEPTH),
    "unclosed in Python": ("a.py", "x = " + "(" * DEPTH),
    "unclosed in Rust": ("a.rs", "fn f() " + "{" * DEPTH),
    "unclosed in TypeScript": ("a.ts", "let x: A = " + "(" * DEPTH),
    "unopened": ("a.js", "let x = " + ")" * DEPTH),
    "members in TypeScript": ("a.ts", "x = a" + ".b" * DEPTH + "\n"),
    "else if in Python": ("a.py", "if a:\n    b\n" + "elif a:\n    b\n" * DEPTH),
    "signs": ("a.py", "x = " + "-" * DEPTH + "1\n"),
    "functions": ("a.js", "function f(){" * 20_000 + "}" * 20_000),
    "templates": ("a.js", "let x = " + "`${" * 20_000 + "}`" * 20_000),
    "generics": ("a.rs", "type X = " + "A<" * 20_000 + "B" + ">" * 20_000 + ";\n"),
}


@pytest.mark.parametrize(("name", "code"), NESTED.values(), ids=NESTED)
def test_deep_nesting(name: str, code: str) -> None:
    """No depth is too deep, in a thread with a small stack and with the usual recursion limit."""
    made: list[Chunk] = []
    size = threading.stack_size(128 * 1024)
    try:
        thread = threading.Thread(target=lambda: made.extend(chunk(name, code)))
        thread.start()
    finally:
        threading.stack_size(size)
    thread.join()
    check(name, code, made, ChunkOptions())


# --- arguments ---


class Untouched:
    """A file object that must not be read."""

    def read(self, size: int) -> bytes:
        raise AssertionError(f"{size} bytes were read")


@pytest.mark.parametrize(
    "arguments",
    [
        {"max_chunk_size": 0},
        {"max_chunk_size": None},
        {"unknown": 1},
        {"overlap_lines": 1, "overlap_nodes": 1},
        {"options": 5},
        {"filepath": 5},
    ],
    ids=str,
)
def test_nothing_is_read_with_wrong_arguments(arguments: dict[str, Any]) -> None:
    """Wrong arguments are refused before any work."""
    call: dict[str, Any] = {"filepath": "a.py", "code": Untouched(), **arguments}
    for function in (chunk, chunk_stream, lambda **given: asyncio.run(achunk(**given))):
        with pytest.raises((TypeError, ValueError), match=re.escape(list(arguments)[-1])):
            function(**call)


@pytest.mark.parametrize("given", ["text", None, 5, [b"x"]], ids=repr)
def test_file_object_that_gives_no_bytes(given: object) -> None:
    """A file object must be a binary one."""

    class Odd:
        def read(self, size: int) -> object:  # noqa: ARG002
            return given

    with pytest.raises(TypeError, match=r"read\(\) gave"):
        chunk("a.py", cast("BinaryIO", Odd()))


@pytest.mark.parametrize("filepath", CODE)
@pytest.mark.parametrize("packing", ["greedy", "definitions"])
def test_no_cut_inside_a_surrogate(filepath: str, packing: Any) -> None:
    """A lexer may stop inside the bytes of a lone surrogate, behind a backslash for one; a chunk does not."""
    beside = ("", "\\", "'", "`\\", "/*", "*/\\", "x", "}", "\n")
    for before, middle, behind in itertools.product(beside, ("\ud800", "\udfff", "\ud800\udc00"), beside):
        for size in (1, 2, 3):
            code = before + middle + behind
            options = ChunkOptions(max_chunk_size=size, packing=packing)
            check(filepath, code, chunk(filepath, code, options), options)


@pytest.mark.parametrize("size", [1, 3, 7, 1500])
def test_uncovered_text_in_front_of_an_empty_node(size: int) -> None:
    """Text that no node covers is counted once, where the parser puts in a node without text behind it."""
    code = "\\v\x01til$.Entr\u00e9"
    options = ChunkOptions(max_chunk_size=size)
    check("A.java", code, chunk("A.java", code, options), options)


ESCAPES = {
    "a default that goes on, in Python": ("a.py", 'def f(\n    a="{}" + b,\n):\n    pass\n', "\\n"),
    "a call on a raw literal": ("a.py", '@d\ndef f(p=r"{}".x):  # c\n    pass\n', "\\d"),
    "a default that goes on, in JavaScript": ("a.js", 'function f(\n  a = "{}" + b,\n) {}\n', "\\n"),
    "a template with a value": ("a.ts", "function f(\n  a: `{}${B}` | C,\n) {}\n", "\\n"),
    "a literal that does not end": ("a.py", 'def g(a="{}\n\nb"):\n    pass\n', "\\d"),
    "a doc that does not end": ("a.py", 'def g():\n    """{}"\n', "\\d"),
    "a raw literal of Rust": ("a.rs", 'const A: &[&str] = &[\n    r#"{}"# , // c\n    "x",\n];\n', "\\"),
}


@pytest.mark.parametrize(("name", "code", "escape"), ESCAPES.values(), ids=ESCAPES)
def test_many_escapes(name: str, code: str, escape: str) -> None:
    """A literal in a header is read in one way only: two ways for each escape would take for ever."""
    for limit in (7, 1500):
        chunked(name, code.replace("{}", escape * 2000, 1), limit)


def test_doc_with_many_escapes_and_no_end() -> None:
    """The same of documentation."""
    assert literal_doc('"' + "\\d" * 2000) is None
    assert literal_doc('r"""' + "\\d" * 2000 + '"""') == "\\d" * 2000
