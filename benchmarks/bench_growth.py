"""Measures how the time of chunking grows with the size of awkward input.

Each input is chunked at a size and at twice that size; the growth is the ratio of the CPU times, each the
best of several rounds, and so is that of a bare parse of the same text. About 2 is linear, 4 is quadratic.
"""

from __future__ import annotations

import argparse
import importlib
import time
from functools import partial
from typing import TYPE_CHECKING

from tree_sitter import Language, Parser

from code_chunk import chunk

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = "the quick brown fox jumps over the lazy dog "

CASES: dict[str, tuple[str, Callable[[int], str], int]] = {
    "functions": ("a.py", lambda n: "".join(f"def f{i}():\n    return {i}\n\n" for i in range(n)), 10_000),
    "methods of one class": (
        "a.py",
        lambda n: "class A:\n" + "".join(f"    def f{i}(self): return {i}\n" for i in range(n)),
        10_000,
    ),
    "imports": ("a.py", lambda n: "".join(f"import m{i}\n" for i in range(n)), 10_000),
    "items of one list": ("a.js", lambda n: "x = [" + "1," * n + "]\n", 100_000),
    "nested brackets": ("a.js", lambda n: "x = " + "[" * n + "]" * n + "\n", 50_000),
    "unclosed brackets": ("a.py", lambda n: "x = " + "(" * n, 50_000),
    "call chain": ("a.ts", lambda n: "x = a" + ".b()" * n + "\n", 25_000),
    "statements on one line": ("a.js", lambda n: "f(a, b);" * n, 100_000),
    "words of one literal": ("a.py", lambda n: "x = '" + WORDS * n + "'\n", 25_000),
    "lines of one comment": ("a.go", lambda n: "package p\n/*\n" + (WORDS + "\n") * n + "*/\n", 100_000),
    "line comments": ("a.go", lambda n: "package p\n" + "// a line of text\n" * n, 50_000),
    "syntax errors": ("a.py", lambda n: "x = )\n" * n, 25_000),
}
GRAMMARS = {
    ".py": "tree_sitter_python:language",
    ".js": "tree_sitter_javascript:language",
    ".ts": "tree_sitter_typescript:language_typescript",
    ".go": "tree_sitter_go:language",
}


def cpu(run: Callable[[], object], rounds: int) -> float:
    """The best CPU time of several rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def parser_of(name: str) -> Parser:
    module, function = GRAMMARS[name[name.index(".") :]].split(":")
    return Parser(Language(getattr(importlib.import_module(module), function)()))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--scale", type=float, default=1.0, help="multiply all sizes (default: 1)")
    arguments.add_argument("--rounds", type=int, default=3, help="rounds of each measurement (default: 3)")
    options = arguments.parse_args()
    print(f"{'input':24} {'size':>9} {'seconds':>8} {'growth':>7} {'of the parse':>13}")
    for title, (name, make, count) in CASES.items():
        count = max(1, int(count * options.scale))
        once, twice = make(count), make(2 * count)
        chunks = [cpu(partial(chunk, name, code), options.rounds) for code in (once, twice)]
        parser = parser_of(name)
        parses = [cpu(partial(parser.parse, code.encode()), options.rounds) for code in (once, twice)]
        growth, bare = chunks[1] / max(chunks[0], 1e-9), parses[1] / max(parses[0], 1e-9)
        print(f"{title:24} {len(twice):>9,} {chunks[1]:>8.2f} {growth:>7.2f} {bare:>13.2f}", flush=True)


if __name__ == "__main__":
    main()
