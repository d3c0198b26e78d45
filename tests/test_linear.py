"""Large and monotonous files are chunked in a time that grows as they do (G9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from code_chunk import ChunkOptions, chunk
from guarantees import check

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTES = 5_000_000
WORDS = "the quick brown fox jumps over the lazy dog "
LINES = WORDS.strip() + "\n"


def repeated(text: str, size: int = MEGABYTES) -> str:
    return text * (size // len(text))


def numbered(text: str, count: int) -> str:
    return "".join(map(text.format, range(count)))


LARGE: dict[str, tuple[str, Callable[[], str]]] = {
    "functions in Go": (
        "a.go",
        lambda: "package p\n\n" + numbered("// F{0} does.\nfunc F{0}() int {{ return {0} }}\n\n", 20_000),
    ),
    "functions in Java": (
        "A.java",
        lambda: (
            "class A {\n" + numbered("    /** Does. */\n    int f{0}() {{ return {0}; }}\n", 20_000) + "}\n"
        ),
    ),
    "functions in JavaScript": (
        "a.js",
        lambda: numbered("/** Does. */\nexport function f{0}() {{ return {0} }}\n\n", 20_000),
    ),
    "functions in Python": (
        "a.py",
        lambda: numbered('def f{0}():\n    """Does."""\n    return {0}\n\n', 20_000),
    ),
    "functions in Rust": ("a.rs", lambda: numbered("/// Does.\npub fn f{0}() -> u32 {{ {0} }}\n\n", 20_000)),
    "functions in TypeScript": (
        "a.ts",
        lambda: (
            "class A {\n" + numbered("  /** Does. */\n  f{0}(): number {{ return {0} }}\n", 20_000) + "}\n"
        ),
    ),
    "names of a declaration in Go": (
        "a.go",
        lambda: "package p\n\nvar a int = 1\n\nvar " + numbered("b{0}, // Counts.\n", 20_000) + "c int\n",
    ),
    "names of a declaration in Java": (
        "A.java",
        lambda: "interface A { int a = 1" + numbered(",\n  b{0} = 1 /* Counts. */", 20_000) + ";\n}\n",
    ),
    "names of a declaration in TypeScript": (
        "a.ts",
        lambda: "const a = 1, " + "/* Counts. */ " * 20_000 + numbered("b{0} = 1, ", 20_000) + "c = 1\n",
    ),
    "imports": ("a.py", lambda: numbered("from m{0} import a{0}, b{0}\n", 20_000)),
    "list in Python": ("a.py", lambda: "x = [\n" + numbered("    {0},\n", 200_000) + "]\n"),
    "list in JavaScript": ("a.js", lambda: "x = [" + numbered("{0},", 200_000) + "]\n"),
    "list in Go": ("a.go", lambda: "package p\n\nvar x = []int{" + numbered("{0}, ", 200_000) + "}\n"),
    "line of statements": ("a.js", lambda: repeated("console.log('" + WORDS * 2 + "'); ")),
    "line of text": ("a.py", lambda: repeated(WORDS, 1_000_000)),
    "line without a blank": ("a.ts", lambda: repeated("x")),
    "literal of one line in Go": ("a.go", lambda: 'package p\n\nvar x = "' + repeated(WORDS) + '"\n'),
    "literal of one line in Java": ("A.java", lambda: 'class A { String x = "' + repeated("x") + '"; }\n'),
    "literal of one line in Python": ("a.py", lambda: "x = '" + repeated(WORDS) + "'\n"),
    "literal of one line in Rust": ("a.rs", lambda: 'const X: &str = "' + repeated("設定") + '";\n'),
    "literal of one line in TypeScript": ("a.ts", lambda: "let x = '" + repeated(WORDS) + "'\n"),
    "literal in JavaScript": ("a.js", lambda: "let x = `" + repeated(LINES) + "`\n"),
    "literal in Python": ("a.py", lambda: "x = '''" + repeated(LINES) + "'''\n"),
    "comment of one line in Python": ("a.py", lambda: "# " + repeated(WORDS) + "\nx = 1\n"),
    "comment in Go": ("a.go", lambda: "package p\n\n/*\n" + repeated(LINES) + "*/\nfunc f() {}\n"),
    "comment in Rust": ("a.rs", lambda: "/*\n" + repeated(LINES) + "*/\nfn f() {}\n"),
    "comments in Python": ("a.py", lambda: repeated("# " + LINES, 3_000_000) + "x = 1\n"),
    "blank lines": ("a.py", lambda: "x = 1\n" + repeated("  \n") + "y = 1\n"),
}


@pytest.mark.parametrize(("name", "make"), LARGE.values(), ids=LARGE)
def test_large_file(name: str, make: Callable[[], str]) -> None:
    """It is chunked, the guarantees hold, and what is no error is not called one."""
    code = make()
    chunks = chunk(name, code)
    check(name, code, chunks, ChunkOptions())
    assert any(made.context.parse_error for made in chunks) == code.startswith(WORDS)


def test_large_doc_around_many_chunks() -> None:
    """What a header takes from a doc is looked for near its start, however long the doc is."""
    doc = " \n" * 1_000_000
    code = f'class A:\n    """{doc}End."""\n' + numbered("    def f{0}(self): return {0}\n", 20_000)
    options = ChunkOptions(max_chunk_size=40, context_mode="minimal")
    chunks = chunk("a.py", code, options)
    check("a.py", code, chunks, options)
    assert "Scope: A" in chunks[-1].contextualized_text
