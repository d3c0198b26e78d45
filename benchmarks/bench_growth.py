"""Measures how the time of chunking grows with the size of awkward input.

Each input is chunked at a size and at twice that size; *growth* is the ratio of the CPU times, each the best
of several rounds, and *growth of the parse* that of a bare parse of the same text. About 2 is linear, 4 is
quadratic. *of the parse* is the time at the first size as a multiple of the bare parse.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from report import describe_run, table
from sources import KINDS, parser_of

from code_chunk import chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORDS = "the quick brown fox jumps over the lazy dog "
Case = tuple[str, "Callable[[int], str]", int]
"""A path, what makes the text, and how many parts it has."""


def functions(count: int) -> str:
    return "".join(f"def f{i}():\n    return {i}\n\n" for i in range(count))


def items(count: int) -> str:
    return "x = [" + "1," * count + "]\n"


def nested(count: int) -> str:
    return "x = " + "[" * count + "]" * count + "\n"


def statements(count: int) -> str:
    return "f(a, b);" * count


CASES: dict[str, Case] = {
    "functions": ("a.py", functions, 10_000),
    "methods of one class": (
        "a.py",
        lambda n: "class A:\n" + "".join(f"    def f{i}(self): return {i}\n" for i in range(n)),
        10_000,
    ),
    "imports": ("a.py", lambda n: "".join(f"import m{i}\n" for i in range(n)), 10_000),
    "items of one list": ("a.js", items, 100_000),
    "nested brackets": ("a.js", nested, 50_000),
    "unclosed brackets": ("a.py", lambda n: "x = " + "(" * n, 50_000),
    "call chain": ("a.ts", lambda n: "x = a" + ".b()" * n + "\n", 25_000),
    "statements on one line": ("a.js", statements, 100_000),
    "words of one literal": ("a.py", lambda n: "x = '" + WORDS * n + "'\n", 25_000),
    "lines of one comment": ("a.go", lambda n: "package p\n/*\n" + (WORDS + "\n") * n + "*/\n", 100_000),
    "line comments": ("a.go", lambda n: "package p\n" + "// a line of text\n" * n, 50_000),
    "syntax errors": ("a.py", lambda n: "x = )\n" * n, 25_000),
}
WORST: dict[str, Case] = {
    "bytes on one line": ("a.js", lambda n: statements(n // len(statements(1))), 5_000_000),
    "levels of nesting": ("a.js", nested, 100_000),
    "items of one list": ("a.js", items, 200_000),
    "functions": ("a.py", functions, 20_000),
}
HEAD = ("input", "MB", "seconds", "MB/s", "of the parse", "growth", "growth of the parse")


def cpu(run: Callable[[], object]) -> float:
    """Return the CPU time of a call, in seconds."""
    start = time.process_time()
    run()
    return max(time.process_time() - start, 1e-9)


def measure(cases: dict[str, Case], scale: float, rounds: int) -> Iterator[list[str]]:
    """Yield a row of the table for each case."""
    for title, (path, make, full) in cases.items():
        count = max(10, int(full * scale))
        once, twice = make(count), make(2 * count)
        parse = parser_of(KINDS[Path(path).suffix]).parse
        chunk(path, make(1))  # loads the grammar and compiles the queries
        runs: list[Callable[[], object]] = [
            *(partial(chunk, path, code) for code in (once, twice)),
            *(partial(parse, code.encode()) for code in (once, twice)),
        ]
        times = zip(*([cpu(run) for run in runs] for _ in range(rounds)), strict=True)  # in turns
        first, second, bare, bare_twice = map(min, times)
        megabytes = len(once.encode()) / 1e6
        yield [
            f"{count:,} {title}",
            f"{megabytes:.2f}",
            f"{first:.2f}",
            f"{megabytes / first:.2f}",
            *(f"{ratio:.2f}" for ratio in (first / bare, second / first, bare_twice / bare)),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=float, default=1.0, help="multiply all sizes (default: 1)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each measurement (default: 3)")
    options = parser.parse_args()
    print(describe_run(best_of=options.rounds, scale=options.scale))
    print(table(HEAD, measure(CASES, options.scale, options.rounds)))


if __name__ == "__main__":
    main()
