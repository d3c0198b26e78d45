"""Measures what chunking costs beyond parsing.

For each language, the CPU time of `chunk()` over all files as a multiple of that of a bare `Parser.parse` of
the same files, each file as a whole; both are the best of several rounds of one run, taken in turns. Files
that are not UTF-8 are left out. *parse* is the bare parse in MB/s; *full* (the default), *minimal* and *none*
are the context modes as multiples of it, with greedy packing and with `packing="definitions"`; *MB/s* is the
speed of the default. *walk* and *query* are the parser's own part of that, also as multiples: the bare parse
with one query over its tree that finds the syntax errors only, so that the cursor but visits each node, and
with the queries that find the language's definitions, imports and comments.

Then the worst cases, at a size and at twice that size: *growth* is the ratio of the CPU times, 2 is linear.

Then what a process pays once: the import, of which the start of Python is no part, and its first `chunk()`,
of a small file, which loads the grammar and compiles the queries; wall-clock time in fresh processes, the
best.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bench_growth import HEAD, WORST, cpu
from bench_growth import measure as measure_growth
from report import describe_run, table
from sources import GRAMMARS, parser_of, sample, size_of
from tree_sitter import Language, Query, QueryCursor

from code_chunk import ChunkOptions, chunk
from code_chunk.languages import load_query, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sources import Source

Mode = Literal["full", "minimal", "none"]
Packing = Literal["greedy", "definitions"]
MODES: tuple[Mode, ...] = ("full", "minimal", "none")
PACKINGS: tuple[Packing, ...] = ("greedy", "definitions")
COLUMNS = {
    mode if packing == "greedy" else f"{mode}, {packing}": (mode, packing)
    for packing, mode in product(PACKINGS, MODES)
}
QUERIES = ("walk", "query")
ONCE = """
import json, sys, time
start = time.perf_counter()
import code_chunk
imported = time.perf_counter()
code_chunk.chunk(sys.argv[1], sys.argv[2])
print(json.dumps([imported - start, time.perf_counter() - imported]))
"""
SMALL = {
    "typescript": "function f() { return 1 }\n",
    "javascript": "function f() { return 1 }\n",
    "python": "def f():\n    return 1\n",
    "rust": "fn f() -> u8 { 1 }\n",
    "go": "package p\n\nfunc f() int { return 1 }\n",
    "java": "class A { int f() { return 1; } }\n",
}


def parse_all(kind: str, sources: Sequence[Source]) -> None:
    parser = parser_of(kind)
    for source in sources:
        parser.parse(source.data)


def query_all(kind: str, sources: Sequence[Source], query: Query) -> None:
    parser = parser_of(kind)
    for source in sources:
        QueryCursor(query).matches(parser.parse(source.data).root_node)


def chunk_all(sources: Sequence[Source], options: ChunkOptions) -> None:
    for source in sources:
        chunk(str(source.path), source.text, options)


def measure(kind: str, sources: Sequence[Source], rounds: int) -> dict[str, float]:
    """Return the best time of the bare parse and of each column."""
    works: dict[str, Callable[[], None]] = {"parse": partial(parse_all, kind, sources)}
    walk = Query(Language(GRAMMARS[kind].load()), "(ERROR) @error")
    compiled = load_query(resolve(str(sources[0].path), None, b"")).query
    for name, query in zip(QUERIES, (walk, compiled), strict=True):
        works[name] = partial(query_all, kind, sources, query)
    for name, (mode, packing) in COLUMNS.items():
        works[name] = partial(chunk_all, sources, ChunkOptions(context_mode=mode, packing=packing))
    chunk_all(sources[:1], ChunkOptions())  # loads the grammar and compiles the query
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):  # in turns, so that a busy machine slows all of them
        for name, work in works.items():
            best[name] = min(best[name], cpu(work))
    return best


def row(kind: str, best: dict[str, float]) -> list[str]:
    """Return a row from the best times and the sums ``files`` and ``MB``."""
    return [
        kind,
        f"{best['files']:,.0f}",
        f"{best['MB']:.2f}",
        f"{best['MB'] / best['parse']:.1f}",
        *(f"{best[name] / best['parse']:.2f}" for name in (*QUERIES, *COLUMNS)),
        f"{best['MB'] / best['full']:.2f}",
    ]


def languages_table(sources: dict[str, list[Source]], rounds: int) -> str:
    rows: list[list[str]] = []
    total: dict[str, float] = {}
    for kind, files in sources.items():
        best = {**measure(kind, files, rounds), "files": len(files), "MB": size_of(files)}
        rows.append(row(kind, best))
        for name, value in best.items():
            total[name] = total.get(name, 0) + value
    rows.append(row("all", total))
    return table(["", "files", "MB", "parse", *QUERIES, *COLUMNS, "MB/s"], rows)


def first_times(kind: str, rounds: int) -> list[float]:
    """Return the milliseconds of the import and of the first call; one more process warms the disk."""
    path = f"a{GRAMMARS[kind].extensions[0]}"
    command = [sys.executable, "-c", ONCE, path, SMALL[kind]]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(rounds + 1)]
    return [1000 * min(times) for times in zip(*(json.loads(run.stdout) for run in runs[1:]), strict=True)]


def once_table(rounds: int) -> str:
    rows = [[kind, *(f"{time:.0f}" for time in first_times(kind, rounds))] for kind in SMALL]
    return table(["", "import (ms)", "first chunk() (ms)"], rows)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many is taken (default: 3)")
    parser.add_argument("--megabytes", type=float, help="of each language (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="multiply the worst cases (default: 1)")
    arguments = parser.parse_args()
    sources = sample(arguments.paths, arguments.megabytes)
    if not sources:
        parser.error("no files of a supported language there")
    print(describe_run(best_of=arguments.rounds, max_chunk_size=ChunkOptions().max_chunk_size))
    print(languages_table(sources, arguments.rounds))
    print()
    print(table(HEAD, measure_growth(WORST, arguments.scale, arguments.rounds)))
    print()
    print(once_table(arguments.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
