"""Small inputs of kinds that users of code chunkers reported as bugs, each with what is right."""

from __future__ import annotations

import io
import multiprocessing
import pickle
import re
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import code_chunk
from code_chunk import (
    ChunkingError,
    UnsupportedLanguageError,
    chunk,
    chunk_stream,
    create_chunker,
    detect_language,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from code_chunk import Chunk, ChunkEntityInfo

ONE_OF_EACH = {
    "a.py": "import os\ndef f(x):\n    return os.sep + x\n",
    "a.ts": 'import os from "os"\nexport function f(x: string): string {\n  return os + x\n}\n',
    "a.js": 'import os from "os"\nfunction f(x) {\n  return os + x\n}\n',
    "a.rs": "use std::os;\nfn f(x: u8) -> u8 {\n    os::sep() + x\n}\n",
    "a.go": 'package p\n\nimport "os"\n\nfunc f(x string) string {\n\treturn os.Sep + x\n}\n',
    "A.java": "import a.Os;\nclass A {\n  String f(String x) {\n    return Os.sep + x;\n  }\n}\n",
}


def short_id(value: object) -> str:
    """Name a test after the first line of its argument."""
    return str(value).split("\n", 1)[0][:24]


def assert_lossless(chunks: Sequence[Chunk], code: str, limit: int = 1500) -> None:
    """Check that the chunks are the code, their ranges true (G1, G2), and the limit kept (G3)."""
    raw = code.encode("utf-8", "surrogatepass")
    assert "".join(c.text for c in chunks) == code
    for c in chunks:
        assert raw[c.byte_range.start : c.byte_range.end] == c.text.encode("utf-8", "surrogatepass")
        assert code[c.char_range.start : c.char_range.end] == c.text
        assert c.size == sum(char > " " for char in c.text)
        assert c.size <= limit


def entities(filepath: str, code: str) -> list[ChunkEntityInfo]:
    """Give everything that is reported of a file that is chunked with the default options."""
    return [entity for c in chunk(filepath, code) for entity in c.context.entities]


def outline(filepath: str, code: str) -> list[tuple[str, str, str | None]]:
    """Give (type, name, parent) of the definitions of a file."""
    found = entities(filepath, code)
    return [(e.type, e.name, e.parent) for e in found if e.type not in ("import", "export")]


def bound(filepath: str, code: str) -> list[tuple[str, str | None]]:
    """Give (name, source) of the imports of a file."""
    return [(e.name, e.source) for e in entities(filepath, code) if e.type == "import"]


def run_python(program: str, *flags: str) -> str:
    """Run a program in a fresh interpreter; it must end well and say nothing on stderr."""
    done = subprocess.run([sys.executable, *flags, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# --- text lost, repeated or altered ---

BLOB = "QkFTRTY0" * 14


@pytest.mark.parametrize(
    ("filepath", "code"),
    [
        ("a.py", f'blob = "{BLOB}"\nn = 1\n'),
        ("a.ts", f'const blob: string = "{BLOB}"\nconst n = 1\n'),
        ("a.js", f"const blob = `{BLOB}`\nconst n = 1\n"),
        ("a.rs", f'static BLOB: &str = "{BLOB}";\nstatic N: u8 = 1;\n'),
        ("a.go", f"package p\n\nvar blob = `{BLOB}`\nvar n = 1\n"),
        ("A.java", f'class A {{\n  String blob = "{BLOB}";\n  int n = 1;\n}}\n'),
    ],
    ids=short_id,
)
def test_oversized_leaf_silently_dropped(filepath: str, code: str) -> None:
    """A literal over the limit is cut into pieces, and all its characters are present once."""
    assert_lossless(chunk(filepath, code, max_chunk_size=40), code, 40)


@pytest.mark.parametrize(
    ("filepath", "before", "after"),
    [
        ("a.py", 'HELP = """', '"""\na = 1\nb = 2\n'),
        ("a.ts", "const help = `", "`\nconst a = 1\nconst b = 2\n"),
        ("a.js", "const help = `", "`;\nconst a = 1;\nconst b = 2;\n"),
        ("a.rs", 'static HELP: &str = r"', '";\nstatic a: u8 = 1;\nstatic b: u8 = 2;\n'),
        ("a.go", "package p\n\nvar help = `", "`\nvar a = 1\nvar b = 2\n"),
        ("A.java", 'class A { String help = """', '""";\n  int a = 1;\n  int b = 2;\n}\n'),
    ],
    ids=short_id,
)
def test_piece_of_an_oversized_leaf_merged_with_its_neighbour_brings_the_whole_leaf_back(
    filepath: str, before: str, after: str
) -> None:
    """The chunk behind a literal that was cut holds its last piece at most."""
    help_text = "".join(
        f"\n{word} line number {word} of the help" for word in ("alpha", "beta", "gamma", "delta")
    )
    code = f"{before}{help_text}\n{after}"
    chunks = chunk(filepath, code, max_chunk_size=40)
    assert_lossless(chunks, code, 40)
    assert ["alpha" in c.text for c in chunks if re.search(r"\ba\b.* = 1", c.text)] == [False]


@pytest.mark.parametrize(
    "minified", ["var t=[{}];\n", "var t={{{}}};\n", "f({});\n"], ids=["list", "object", "call"]
)
def test_a_very_long_single_line_stays_one_chunk_over_the_limit(minified: str) -> None:
    """A minified line is cut behind commas, and every chunk is within the limit."""
    item = "k{}:{}" if "{{" in minified else "{1}"
    code = minified.format(",".join(item.format(number, number) for number in range(1, 41)))
    chunks = chunk("a.js", code, max_chunk_size=30)
    assert_lossless(chunks, code, 30)
    assert [c.text[-1] for c in chunks[:-1]] == [","] * (len(chunks) - 1)


@pytest.mark.parametrize("filepath", ["a.py", "a.js"])
def test_a_very_long_single_line_falls_back_to_character_edges_inside_a_token(filepath: str) -> None:
    """One token over the limit is cut between its characters, never inside one."""
    code = "x = '" + "é🎉" * 50 + "'"
    assert_lossless(chunk(filepath, code, max_chunk_size=30), code, 30)


def test_first_line_loses_its_indentation() -> None:
    """The indentation in front of a method belongs to the method's chunk."""
    method = '    def {}(self):\n        return "a long enough body to be its own chunk"\n'
    code = "class A:\n" + method.format("one") + method.format("two")
    assert [c.text for c in chunk("a.py", code, max_chunk_size=65)] == [
        "class A:\n" + method.format("one"),
        method.format("two"),
    ]


@pytest.mark.parametrize("limit", [12, 40, 1500])
def test_everything_that_is_not_a_definition_is_dropped(limit: int) -> None:
    """Imports, assignments and the main guard are in some chunk."""
    code = (
        "import os\nREGISTRY = {}\ndef f():\n    return REGISTRY\n"
        'if __name__ == "__main__":\n    os.exit(f())\n'
    )
    chunks = chunk("a.py", code, max_chunk_size=limit)
    assert_lossless(chunks, code, limit)


@pytest.mark.parametrize("limit", [1, 10, 30, 50, 100, 1500])
def test_container_and_members_both_emitted(limit: int) -> None:
    """A member's text occurs once, whatever the limit."""
    code = "class Store {\n  get(k: string) { return k }\n  put(k: string, v: string) { return k + v }\n}\n"
    assert_lossless(chunk("a.ts", code, max_chunk_size=limit), code, limit)


@pytest.mark.parametrize(
    ("filepath", "template"),
    [
        ("a.py", 'x = {{"k": "{}"}}\n'),
        ("a.ts", 'export default {{"k": "{}"}}\n'),
        ("a.js", '({{"k": "{}"}})\n'),
        ("a.rs", 'm! {{"k": "{}"}}\n'),
        ("a.go", 'package p\n\nvar x = M{{"k": "{}"}}\n'),
        ("A.java", 'class A {{ Object x = Map.of("k", "{}"); }}\n'),
    ],
    ids=short_id,
)
def test_chunk_over_the_token_limit_thrown_away(filepath: str, template: str) -> None:
    """A value that is over the limit is cut again, not skipped."""
    code = template.format(" ".join(["0123456789"] * 8))
    assert_lossless(chunk(filepath, code, max_chunk_size=20), code, 20)


def test_zero_chunks_for_a_file_with_no_recognised_definition() -> None:
    """A file of plain statements is one chunk with its full text."""
    code = 'export const routes = [{ path: "/", ok: true }];\nconsole.log(routes.length);\n'
    assert [(c.text, [e.name for e in c.context.entities]) for c in chunk("a.ts", code)] == [
        (code, ["routes"])
    ]


# --- offsets and lines ---


@pytest.mark.parametrize("comment", ["naïve", "設定", "🎉🎉", "e\u0301a\u0308", "naïve — 設定 🎉"])
def test_byte_offsets_used_on_a_str(comment: str) -> None:
    """Characters of two, three and four bytes and combining marks in front do not move a name."""
    code = f"# {comment}\nimport os\ndef second(): return os.sep\n"
    [made] = chunk("a.py", code)
    assert_lossless([made], code)
    assert [e.name for e in made.context.entities] == ["os", "second"]
    assert [(i.name, i.source) for i in made.context.imports] == [("os", "os")]


def test_byte_range_that_counts_something_else() -> None:
    """A byte range counts UTF-8 bytes; a character range is a field of its own."""
    code = "# 日本 🎉\nx = 1\n"
    first, second = chunk("a.py", code, max_chunk_size=4)
    assert (first.byte_range.end, second.byte_range.end) == (14, 20)
    assert (first.char_range.end, second.char_range.end) == (7, 13)


@pytest.mark.parametrize("limit", [8, 20, 1500])
@pytest.mark.parametrize(("filepath", "code"), ONE_OF_EACH.items(), ids=ONE_OF_EACH)
def test_crlf_drift(filepath: str, code: str, limit: int) -> None:
    """Files with CRLF and LF give the same chunks, with their own line ends and the same lines."""
    with_cr = code.replace("\n", "\r\n")
    chunks = chunk(filepath, with_cr, max_chunk_size=limit)
    assert_lossless(chunks, with_cr, limit)
    assert [(c.text.replace("\r\n", "\n"), c.line_range) for c in chunks] == [
        (c.text, c.line_range) for c in chunk(filepath, code, max_chunk_size=limit)
    ]


@pytest.mark.parametrize("limit", [8, 1500])
@pytest.mark.parametrize(("filepath", "code"), ONE_OF_EACH.items(), ids=ONE_OF_EACH)
def test_bom(filepath: str, code: str, limit: int) -> None:
    """A BOM is no error, hides nothing, and counts for three bytes and one character but not for the size."""
    chunks = chunk(filepath, "\ufeff" + code, max_chunk_size=limit)
    plain = chunk(filepath, code, max_chunk_size=limit)
    assert_bom_in_front(chunks, plain)
    assert [c.byte_range.end for c in chunks] == [c.byte_range.end + 3 for c in plain]
    assert [c.char_range.end for c in chunks] == [c.char_range.end + 1 for c in plain]


def assert_bom_in_front(chunks: Sequence[Chunk], plain: Sequence[Chunk]) -> None:
    """Check that a BOM changes nothing but the first text and the id that hangs on it."""
    assert "".join(c.text for c in chunks) == "\ufeff" + "".join(c.text for c in plain)
    assert [(c.context, c.size, c.line_range) for c in chunks] == [
        (c.context, c.size, c.line_range) for c in plain
    ]
    assert [c.context.parse_error for c in chunks] == [None] * len(chunks)


def test_row_0_against_line_1_in_values() -> None:
    """Values count lines from 0: a file of one line is on line 0."""
    [made] = chunk("a.py", "def only(): pass\n")
    [only] = made.context.entities
    assert (made.line_range, only.line_range) == (code_chunk.LineRange(0, 0), code_chunk.LineRange(0, 0))


def test_row_0_against_line_1_in_messages() -> None:
    """Messages count lines and columns from 1."""
    [made] = chunk("a.py", "x = 1\ny = (\n")
    assert made.context.parse_error
    assert "line 2, column 1" in made.context.parse_error.message


# --- sizes ---


def test_limit_in_the_wrong_unit() -> None:
    """The limit counts code points that are no whitespace, whatever their bytes."""
    code = "# 一二三四五六七八九十一二三四五六七八九十\nx = '😀😀😀😀😀😀😀😀😀😀'\n"
    assert [c.size for c in chunk("a.py", code, max_chunk_size=21)] == [21, 14]


def test_overlap_header_or_special_tokens_added_after_the_check() -> None:
    """Header and overlap are outside of the text and its size; the overlap is bounded by its lines."""
    code = 'def a():\n    return "twenty characters..."\ndef b():\n    return "twenty characters..."\n'
    second = chunk("a.py", code, max_chunk_size=40, overlap_lines=1)[1]
    assert second.text == 'def b():\n    return "twenty characters..."\n'
    assert second.contextualized_text.endswith(
        '\n# ...\n    return "twenty characters..."\n# ---\ndef b():\n    return "twenty characters..."'
    )


@pytest.mark.parametrize(
    "wrong", [{"max_size": 10}, {"maxChunkSize": 10}, {"context_mode": "all"}, {"overlap_lines": -1}]
)
def test_options_that_do_nothing(wrong: dict[str, object]) -> None:
    """An unknown option or value raises."""
    with pytest.raises((TypeError, ValueError)):
        chunk("a.py", "x = 1", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [25, 30, 40, 50, 60, 70])
def test_confetti(limit: int) -> None:
    """No chunk holds only closers where the one before it has room for them."""
    code = f'class A {{ void m() {{ if (x) {{ y(); }} }} void n() {{ z("{"a" * 56}"); }} }}\n'
    chunks = chunk("A.java", code, max_chunk_size=limit)
    assert_lossless(chunks, code, limit)
    assert [
        after.text
        for before, after in pairwise(chunks)
        if not after.text.strip(" \n(){};,") and before.size + after.size <= limit
    ] == []


def test_unrelated_functions_packed_together_by_default() -> None:
    """Greedy packing puts small neighbours into one chunk."""
    code = "fn parse() -> u8 { 1 }\nfn render() -> u8 { 2 }\n"
    assert [c.text for c in chunk("a.rs", code)] == [code]


@pytest.mark.parametrize("limit", [0, -1, None, True, 1.5, "100"])
def test_nonsense_limits(limit: object) -> None:
    """A limit that is no positive int raises before any work: before the code itself is looked at."""
    with pytest.raises((TypeError, ValueError), match="max_chunk_size"):
        chunk("a.py", b"\xff", max_chunk_size=limit)  # type: ignore[arg-type]


# --- crashes, hangs, threads ---

DEPTH = 100_000
DEEP = {
    "parentheses": ("a.py", "x = " + "(" * DEPTH + "1" + ")" * DEPTH),
    "sum": ("a.py", "x = a" + "+a" * DEPTH),
    "attributes": ("a.py", "x = a" + ".b" * DEPTH),
    "else if": ("a.js", "if (a) b();" + " else if (a) b();" * DEPTH),
    "jsx": ("a.jsx", "x = " + "<a>" * DEPTH + "</a>" * DEPTH),
}


@pytest.mark.parametrize(("filepath", "code"), DEEP.values(), ids=DEEP)
def test_python_recursion_limit(filepath: str, code: str) -> None:
    """A hundred thousand levels are chunked in a thread with a small stack and the usual recursion limit."""
    made: list[Chunk] = []
    size = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=lambda: made.extend(chunk(filepath, code)))
        thread.start()
    finally:
        threading.stack_size(size)
    thread.join()
    is_lossless = "".join(c.text for c in made) == code
    assert is_lossless


def test_python_recursion_limit_is_not_touched() -> None:
    """No module of the package sets the interpreter's recursion limit."""
    modules = Path(code_chunk.__file__).parent.rglob("*.py")
    assert [path.name for path in modules if "setrecursionlimit" in path.read_text("utf-8")] == []


def test_parser_hangs_or_eats_memory() -> None:
    """Generics, casts and markup in one line of TSX come out whole."""
    code = 'const a = <T,>(x: T) => <div>{x as unknown as Foo<Bar<Baz<"q">>>}</div>\n'
    assert_lossless(chunk("a.tsx", code), code)


def test_one_parser_shared_between_threads() -> None:
    """Sixteen threads give what one gives, in six languages."""
    expected = {filepath: chunk(filepath, code, max_chunk_size=20) for filepath, code in ONE_OF_EACH.items()}

    def work(_: int) -> bool:
        return all(
            chunk(filepath, code, max_chunk_size=20) == expected[filepath]
            for _ in range(33)
            for filepath, code in ONE_OF_EACH.items()
        )

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(work, range(16))) == [True] * 16


def test_not_picklable() -> None:
    """A chunker survives pickle and works."""
    chunker = pickle.loads(pickle.dumps(create_chunker(max_chunk_size=3)))
    assert [c.text for c in chunker.chunk("a.py", "x = 1\ny = 2\n")] == ["x = 1\n", "y = 2\n"]


def test_not_picklable_in_a_spawned_process() -> None:
    """A process that starts afresh takes a chunker and gives back chunks and errors."""
    chunker = create_chunker(max_chunk_size=3)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(chunker.chunk, "a.py", "x = 1\ny = 2\n").result() == chunker.chunk(
            "a.py", "x = 1\ny = 2\n"
        )
        with pytest.raises(UnsupportedLanguageError, match=r"Unsupported file type: a\.xyz") as raised:
            pool.submit(chunker.chunk, "a.xyz", "?").result()
    assert raised.value.filepath == "a.xyz"


@pytest.mark.parametrize(("filepath", "code"), [("a.py", "x = '\udcff'"), ("a.js", "x = '\ud800' // \udfff")])
def test_undecodable_or_surrogate_text_in_a_str(filepath: str, code: str) -> None:
    """A lone surrogate counts as three bytes and comes out as it was."""
    assert_lossless(chunk(filepath, code, max_chunk_size=4), code, 4)


@pytest.mark.parametrize(
    ("data", "position"), [(b"caf\xe9 = 1", 3), (b"x = '\xed\xb3\xbf'", 5), (b"x = 1 # \xf0\x9f", 8)]
)
def test_undecodable_or_surrogate_text_in_bytes(data: bytes, position: int) -> None:
    """Bytes that are not UTF-8 raise an error that names the first of them."""
    with pytest.raises(ChunkingError, match=f"0x{data[position]:02x} at position {position}"):
        chunk("a.py", data)


def test_undecodable_or_surrogate_text_in_a_file(tmp_path: Path) -> None:
    """A file that is not UTF-8 raises, and is never read in another encoding."""
    path = tmp_path / "a.py"
    path.write_bytes(b"caf\xe9 = 1")
    with pytest.raises(ChunkingError, match="0xe9 at position 3"):
        list(chunk_stream(path))


# --- grammars, packaging, languages ---


def test_binding_api_changes() -> None:
    """No call is deprecated: all languages work with warnings as errors."""
    program = f"""
import code_chunk
for path, code in {ONE_OF_EACH!r}.items():
    code_chunk.chunk(path, code, max_chunk_size=20)
"""
    assert run_python(program, "-W", "error", "-X", "dev") == ""


def test_abi_mismatch_between_runtime_and_grammar_wheels(tmp_path: Path) -> None:
    """A grammar of another ABI is one clear error with language, both versions and the fix."""
    (tmp_path / "future_grammar.py").write_text(FUTURE_GRAMMAR)
    (tmp_path / "language.toml").write_text(
        'name = "future"\nextensions = [".future"]\ngrammar = "future_grammar:language"\n'
    )
    (tmp_path / "tags.scm").write_text("")
    (tmp_path / "imports.scm").write_text("")
    message, others_work = run_python(f"folder = {str(tmp_path)!r}\n{REGISTERS_FUTURE}").splitlines()
    assert re.search(r"\bfuture\b.*\b99\b.*\b15\b.*pip install .*future-grammar", message)
    assert others_work == "None python"


FUTURE_GRAMMAR = """
import ctypes

table = (ctypes.c_uint32 * 64)(99)  # a language's table begins with its ABI version

def language():
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new(ctypes.addressof(table), b"tree_sitter.Language", None)
"""

REGISTERS_FUTURE = """
import sys
import code_chunk
sys.path.insert(0, folder)
try:
    code_chunk.register_language(folder)
except code_chunk.GrammarNotInstalledError as error:
    print(error)
print(code_chunk.detect_language("a.future"), code_chunk.chunk("a.py", "x = 1")[0].context.language)
"""


def test_grammars_fetched_from_the_network_at_first_use() -> None:
    """No socket is opened for any language."""
    program = f"""
import sys
def guard(event, args):
    if event.startswith("socket."):
        raise AssertionError(event)
sys.addaudithook(guard)
import code_chunk
print(sorted({{code_chunk.chunk(path, code)[0].context.language for path, code in {ONE_OF_EACH!r}.items()}}))
"""
    assert run_python(program) == "['go', 'java', 'javascript', 'python', 'rust', 'typescript']\n"


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("py", "python"),
        ("Python", "python"),
        ("ts", "typescript"),
        ("tsx", "typescript"),
        ("js", "javascript"),
        ("jsx", "javascript"),
        ("rs", "rust"),
        ("golang", "go"),
        ("JAVA", "java"),
    ],
)
def test_silent_fallback_from_an_alias(alias: str, name: str) -> None:
    """An alias in any case names its language."""
    assert chunk("a.unknown", "x", language=alias)[0].context.language == name


@pytest.mark.parametrize("name", ["klingon", "", "text", ".py"])
def test_silent_fallback_from_an_unknown_name(name: str) -> None:
    """An unknown name raises, though the path would tell a language."""
    with pytest.raises(UnsupportedLanguageError) as raised:
        chunk("a.py", "x = 1", language=name)
    assert (str(raised.value), raised.value.filepath) == (f"Unknown language: {name}", "a.py")


@pytest.mark.parametrize("filepath", ["a.txt", "a", "py", ".py/a", "a.py/", ""])
def test_silent_fallback_from_an_unknown_extension(filepath: str) -> None:
    """A path that tells no language raises; there is no fallback to plain text."""
    with pytest.raises(UnsupportedLanguageError) as raised:
        chunk(filepath, "x = 1")
    assert (str(raised.value), raised.value.filepath) == (f"Unsupported file type: {filepath}", filepath)


@pytest.mark.parametrize("filepath", ["a.ts", "a.mts", "a.cts"])
def test_tsx_with_the_typescript_grammar(filepath: str) -> None:
    """An angle cast is no error in TypeScript without JSX."""
    [made] = chunk(filepath, "const w = <any>globalThis;\n")
    assert (made.context.language, made.context.parse_error) == ("typescript", None)


@pytest.mark.parametrize("filepath", ["a.tsx", "a.jsx", "a.js"])
def test_tsx_with_the_typescript_grammar_and_the_reverse(filepath: str) -> None:
    """Markup is no error where JSX is allowed."""
    [made] = chunk(filepath, "export const X = () => <div>hi</div>;\n")
    assert (made.context.parse_error, [e.name for e in made.context.entities]) == (None, ["X"])


@pytest.mark.parametrize(
    ("filepath", "name"),
    [
        ("a.PY", "python"),
        ("a.pyw", "python"),
        ("a.pyi", "python"),
        ("a.mjs", "javascript"),
        ("a.CJS", "javascript"),
        ("a.mts", "typescript"),
        ("a.cts", "typescript"),
        ("a.d.ts", "typescript"),
        ("dir.py\\a.Go", "go"),
        ("/x/dir.py/a.rs", "rust"),
    ],
)
def test_extensions_and_names_not_recognised(filepath: str, name: str) -> None:
    """An extension in any case is known, and only that of the last part of the path counts."""
    assert detect_language(filepath) == name


@pytest.mark.parametrize(
    ("shebang", "name"),
    [
        ("#!/usr/bin/env -S python3.12 -u", "python"),
        ("#!/usr/bin/env python", "python"),
        ("#!/usr/bin/python3", "python"),
        ("#! /usr/local/bin/python3.11 -I", "python"),
        ("#!/usr/bin/env -i LANG=C python3", "python"),
        ("#!/usr/bin/env node", "javascript"),
        ("#!/usr/bin/env -S node --harmony", "javascript"),
        ("#!/bin/sh", None),
        ("# python", None),
        ("#!", None),
    ],
)
@pytest.mark.parametrize("as_bytes", [False, True], ids=["str", "bytes"])
def test_extensions_and_names_not_recognised_by_shebang(
    shebang: str, name: str | None, as_bytes: bool
) -> None:
    """The first line of the content names the interpreter."""
    content = f"{shebang}\ndef main(): return 0\n"
    assert detect_language("bin/tool", content.encode() if as_bytes else content) == name


def test_extensions_and_names_not_recognised_in_chunk() -> None:
    """A script without an extension is chunked by its shebang."""
    code = "#!/usr/bin/env -S python3.12 -u\ndef main(): return 0\n"
    assert [e.name for e in chunk("bin/tool", code)[0].context.entities] == ["main"]


# --- entities, scope, imports ---

DECORATED = """\
@app.get("/x")
@cache
async def handler(q): return q
class C:
    @property
    def p(self): return 1
"""


def test_decorators() -> None:
    """An entity begins at its first decorator, which its signature leaves out."""
    found = [(e.type, e.name, e.parent, e.signature, e.line_range) for e in entities("a.py", DECORATED)]
    assert found == [
        ("function", "handler", None, "async def handler(q)", code_chunk.LineRange(0, 2)),
        ("class", "C", None, "class C", code_chunk.LineRange(3, 5)),
        ("method", "p", "C", "def p(self)", code_chunk.LineRange(4, 5)),
    ]


@pytest.mark.parametrize("limit", [50, 60, 70])
def test_decorators_are_not_parted_from_what_they_decorate(limit: int) -> None:
    """No cut falls between a decorator and a definition that fit together."""
    chunks = chunk("a.py", DECORATED, max_chunk_size=limit)
    assert [c.text for c in chunks] == [
        DECORATED[: DECORATED.index("class")],
        DECORATED[DECORATED.index("class") :],
    ]


RUST_LEAD = """\
/// Adds.
// note
#[inline]
#[must_use]
pub fn add(a: i32) -> i32 { a }
"""


def test_doc_comments_attributes_annotations_before_the_definition() -> None:
    """A definition is in one chunk with all that leads it, and its docstring is found through attributes."""
    code = "fn zero() -> i32 { 0 }\n" + RUST_LEAD
    assert [c.text for c in chunk("a.rs", code, max_chunk_size=70)] == [code[:23], RUST_LEAD]
    assert [e.docstring for e in entities("a.rs", code)] == [None, "Adds."]


@pytest.mark.parametrize(
    ("filepath", "code"),
    [
        ("a.rs", "// Copyright.\n\nfn f() {}\n"),
        ("a.rs", "//! About the file.\n\nfn f() {}\n"),
        ("a.rs", "/// Copyright.\n\nfn f() {}\n"),
        ("a.ts", "/** Copyright. */\n\nfunction f() {}\n"),
        ("a.js", "/** @fileoverview Copyright. */\nfunction f() {}\n"),
        ("a.go", "// Copyright.\n\nfunc f() {}\n"),
        ("A.java", "/** Copyright. */\n\nclass f {}\n"),
        ("a.py", '"""Copyright."""\n\ndef f(): pass\n'),
    ],
    ids=short_id,
)
def test_doc_comments_and_a_licence_header_followed_by_a_blank_line(filepath: str, code: str) -> None:
    """A file's header is nobody's docstring."""
    assert [(e.name, e.docstring) for e in entities(filepath, code)] == [("f", None)]


def test_functions_bound_to_constants() -> None:
    """Functions bound to names are functions; callbacks and their parameters are nothing."""
    code = "export const loadCart = () => 1;\nconst g = function* () {};\n[1].map(x => x + 1);\n"
    assert outline("a.ts", code) == [("function", "loadCart", None), ("function", "g", None)]


@pytest.mark.parametrize(
    ("code", "name"),
    [("export default function Page() { return 1 }\n", "Page"), ("export default () => 2\n", "default")],
)
@pytest.mark.parametrize("filepath", ["a.js", "a.ts"])
def test_export_default(filepath: str, code: str, name: str) -> None:
    """A default export is one function, by its own name or as ``default``."""
    assert [(e.type, e.name) for e in entities(filepath, code)] == [("function", name)]


def test_commonjs() -> None:
    """What ``require`` binds is imported, and functions that are put into the exports have their names."""
    code = (
        'const { a, b: c } = require("./m");\n'
        "exports.list = async (req) => req;\nmodule.exports.go = function () {};\n"
    )
    assert [(e.type, e.name, e.source) for e in entities("a.js", code)] == [
        ("import", "a", "./m"),
        ("import", "c", "./m"),
        ("function", "list", None),
        ("function", "go", None),
    ]


def test_abstract_classes() -> None:
    """An abstract class and its methods, abstract ones too, are found."""
    code = "export abstract class Base { abstract check(): boolean; id() { return 1 } }\n"
    assert outline("a.ts", code) == [
        ("class", "Base", None),
        ("method", "check", "Base"),
        ("method", "id", "Base"),
    ]


def test_go_receivers_and_generics() -> None:
    """A method's parent is its receiver's type, generic or nameless, and its signature keeps the receiver."""
    code = "package p\ntype Stack[T any] struct{}\nfunc (s *Stack[T]) Push(v T) {}\nfunc (*Queue) Push() {}\n"
    assert [(e.type, e.name, e.parent, e.signature) for e in entities("a.go", code)] == [
        ("type", "Stack", None, "type Stack[T any] struct"),
        ("method", "Push", "Stack", "func (s *Stack[T]) Push(v T)"),
        ("method", "Push", "Queue", "func (*Queue) Push()"),
    ]


def test_go_grouped_declarations() -> None:
    """Each name of a group is an entity by itself."""
    code = "package p\ntype ( A int; B = string; C interface{ Do() } )\nconst ( X = iota; Y )\n"
    assert outline("a.go", code) == [
        ("type", "A", None),
        ("type", "B", None),
        ("interface", "C", None),
        ("method", "Do", "C"),
        ("constant", "X", None),
        ("constant", "Y", None),
    ]


def test_rust_impl_traits_macros() -> None:
    """Macros, unions, statics and traits are found, and an impl block is named by its type."""
    code = (
        "macro_rules! m { () => {} }\nunion U { a: u8 }\nstatic S: u8 = 1;\n"
        "trait T { fn q(&self); fn d(&self) {} }\nimpl<T> Foo<T> { fn a(&self) {} }\n"
        "impl std::fmt::Display for Bar { fn fmt(&self) {} }\n"
    )
    assert outline("a.rs", code) == [
        ("function", "m", None),
        ("type", "U", None),
        ("constant", "S", None),
        ("interface", "T", None),
        ("method", "q", "T"),
        ("method", "d", "T"),
        ("class", "Foo", None),
        ("method", "a", "Foo"),
        ("class", "Bar", None),
        ("method", "fmt", "Bar"),
    ]


def test_java_records_annotations_constructors() -> None:
    """Records, annotation types, enums with bodies, constructors and inner classes are found."""
    code = (
        "record P(int x) { P { } int dbl() { return 2 * x; } }\n"
        '@interface M { String n() default ""; }\n'
        "enum E { A { void f() {} }; abstract void f(); }\n"
        "class K { K() {} static { } class In { } }\n"
    )
    assert outline("A.java", code) == [
        ("class", "P", None),
        ("method", "P", "P"),
        ("method", "dbl", "P"),
        ("interface", "M", None),
        ("method", "n", "M"),
        ("enum", "E", None),
        ("method", "f", "E"),
        ("method", "f", "E"),
        ("class", "K", None),
        ("method", "K", "K"),
        ("class", "In", "K"),
    ]


def test_python_import_forms() -> None:
    """Each bound name has its own source, and the module of a from-import is no name."""
    code = (
        "from __future__ import annotations\nimport a, b.c as d\nfrom . import x\n"
        "from m import (y,\n               z as w)\nfrom q import *\ndef late(): import json\n"
    )
    assert bound("a.py", code) == [
        ("annotations", "__future__"),
        ("a", "a"),
        ("d", "b.c"),
        ("x", "."),
        ("y", "m"),
        ("w", "m"),
        ("*", "q"),
        ("json", "json"),
    ]


def test_typescript_import_forms() -> None:
    """Every form binds its name, and the flags for default and namespace are right."""
    code = (
        'import type { A } from "a";\nimport D, { type B as C, E } from "b";\nimport * as N from "n";\n'
        'import "side";\nexport { F } from "f";\nimport R = require("r");\n'
    )
    [made] = chunk("a.ts", code)
    assert [(i.name, i.source, i.is_default, i.is_namespace) for i in made.context.imports] == [
        ("A", "a", False, False),
        ("D", "b", True, False),
        ("C", "b", False, False),
        ("E", "b", False, False),
        ("N", "n", False, True),
        ("side", "side", False, False),
        ("R", "r", False, False),
    ]
    assert [(e.name, e.source) for e in made.context.entities if e.type == "export"] == [("F", "f")]


@pytest.mark.parametrize(
    ("filepath", "code"),
    [
        ("a.js", "export const handler = async () => {};\n"),
        ("a.js", "module.exports.handler = function handler() {};\n"),
        ("a.ts", "export default class handler {}\n"),
        ("a.ts", "export declare function handler(): void\n"),
        ("a.py", "@x\n@y\ndef handler(): pass\n"),
        ("a.py", "handler = lambda: 1\n"),
        ("a.rs", "#[a]\npub(crate) async unsafe fn handler() {}\n"),
        ("a.go", "func handler[T any]() {}\n"),
        ("A.java", "@A public final class handler<T> {}\n"),
    ],
    ids=short_id,
)
def test_the_same_thing_twice(filepath: str, code: str) -> None:
    """A definition is exactly one entity."""
    assert [e.name for e in entities(filepath, code)] == ["handler"]


TWICE = "def a(): pass\n# same text again:\ndef a(): pass\n"


def test_colliding_ids() -> None:
    """Equal texts in a file have different ids."""
    ids = [c.id for c in chunk("a.py", TWICE, max_chunk_size=15)]
    assert len(set(ids)) == len(ids) == 3


def test_unstable_ids_between_processes() -> None:
    """Ids are equal in processes with different hash seeds."""
    program = (
        f"from code_chunk import chunk\nprint([c.id for c in chunk('a.py', {TWICE!r}, max_chunk_size=15)])"
    )
    assert (
        run_python(program)
        == run_python(program)
        == f"{[c.id for c in chunk('a.py', TWICE, max_chunk_size=15)]}\n"
    )


def test_unstable_ids_after_an_edit_elsewhere() -> None:
    """An edit of another definition leaves a chunk's id as it was."""
    code = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
    before = chunk("a.py", code, max_chunk_size=16)
    after = chunk("a.py", "import os\n\n\n" + code.replace("return 1", "return 3"), max_chunk_size=16)
    assert (before[-1].text, before[-1].id) == (after[-1].text, after[-1].id)


@pytest.mark.parametrize("limit", [8, 20, 1500])
@pytest.mark.parametrize(("filepath", "code"), ONE_OF_EACH.items(), ids=ONE_OF_EACH)
def test_streaming_differs_from_the_list(filepath: str, code: str, limit: int) -> None:
    """The stream gives the list's chunks, but for their number, which it does not know."""
    as_list = [c.to_dict() | {"totalChunks": -1} for c in chunk(filepath, code, max_chunk_size=limit)]
    assert [c.to_dict() for c in chunk_stream(filepath, code, max_chunk_size=limit)] == as_list


def test_streaming_gives_the_first_chunk_before_the_last_is_built() -> None:
    """The stream has read only a part of the file when it gives the first chunk."""
    data = "".join(f"def f{n}():\n    return {n}\n" for n in range(20_000)).encode()
    source = io.BytesIO(data)
    stream = chunk_stream("a.py", source)
    next(stream)
    assert source.tell() < len(data) / 2


def test_streaming_closed_early_frees_the_file(tmp_path: Path) -> None:
    """A stream that is closed early has closed its file."""
    path = tmp_path / "a.py"
    path.write_text("x = 1\n" * 100_000)
    stream = chunk_stream(path)
    next(stream)
    stream.close()
    assert list(stream) == []
    assert open_files() == []


def open_files() -> list[str]:
    """Give the names of this process's open files that end in ``a.py``."""
    links = Path("/proc/self/fd")
    if not links.exists():
        return []
    return [
        str(link.readlink())
        for link in links.iterdir()
        if link.is_symlink() and str(link.readlink()).endswith("a.py")
    ]
