"""Measures what chunking costs beyond parsing.

For each language, the CPU time of ``chunk()`` over all given files is printed as a multiple of the CPU time
of a bare ``Parser.parse`` of the same files, each file as a whole; both are the best of several rounds of
one run, taken in turns. Files that are not UTF-8 are left out. Then the time that ``import code_chunk``
takes in a fresh process, of which the start of Python itself is no part.

Columns: ``parse`` is the bare parse in MB/s; ``full`` (the default), ``minimal`` and ``none`` are the three
context modes as multiples of it; ``MB/s`` is the speed of the default.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import platform
import statistics
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tree_sitter import Language, Parser

from code_chunk import ChunkOptions, chunk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

GRAMMARS = {
    "typescript": ((".ts", ".mts", ".cts"), "tree_sitter_typescript:language_typescript"),
    "typescript (tsx)": ((".tsx",), "tree_sitter_typescript:language_tsx"),
    "javascript": ((".js", ".jsx", ".mjs", ".cjs"), "tree_sitter_javascript:language"),
    "python": ((".py", ".pyi", ".pyw"), "tree_sitter_python:language"),
    "rust": ((".rs",), "tree_sitter_rust:language"),
    "go": ((".go",), "tree_sitter_go:language"),
    "java": ((".java",), "tree_sitter_java:language"),
}
KINDS = {extension: kind for kind, (extensions, _) in GRAMMARS.items() for extension in extensions}
Mode = Literal["full", "minimal", "none"]
MODES: tuple[Mode, ...] = ("full", "minimal", "none")
PACKAGES = ("code-chunk", "tree-sitter")
IMPORT_TIMER = "import time; t = time.perf_counter(); import code_chunk; print(time.perf_counter() - t)"

Sources = list[tuple[str, str, bytes]]
"""Path, text and bytes of each file."""


@cache
def parser_of(kind: str) -> Parser:
    module, function = GRAMMARS[kind][1].split(":")
    return Parser(Language(getattr(importlib.import_module(module), function)()))


def source_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the given files and, in sorted order, those of known languages in the given folders."""
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in found if file.suffix.lower() in KINDS and file.is_file())


def read(paths: Iterable[Path]) -> dict[str, Sources]:
    """Return the sources of each kind."""
    sources: dict[str, Sources] = {}
    for path in source_files(paths):
        data = path.read_bytes()
        try:
            text = data.decode()
        except UnicodeDecodeError:
            continue
        sources.setdefault(KINDS[path.suffix.lower()], []).append((str(path), text, data))
    return sources


def parse_all(kind: str, sources: Sources) -> None:
    parser = parser_of(kind)
    for _, _, data in sources:
        parser.parse(data)


def chunk_all(sources: Sources, mode: Mode) -> None:
    options = ChunkOptions(context_mode=mode)
    for path, text, _ in sources:
        chunk(path, text, options)


def seconds(work: Callable[[], None]) -> float:
    """Return the CPU time of this process that a call takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(kind: str, sources: Sources, rounds: int) -> dict[str, float]:
    """Return the best time of the bare parse and of each mode."""
    works: dict[str, Callable[[], None]] = {"parse": lambda: parse_all(kind, sources)}
    for mode in MODES:
        works[mode] = lambda mode=mode: chunk_all(sources, mode)  # type: ignore[misc]
    chunk_all(sources[:1], "full")  # loads the grammar and compiles the query
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):  # in turns, so that a busy machine slows all of them
        for name, work in works.items():
            best[name] = min(best[name], seconds(work))
    return best


def print_row(kind: str, files: int, megabytes: float, best: dict[str, float]) -> None:
    multiples = "".join(f"{best[mode] / best['parse']:>9.2f}" for mode in MODES)
    speeds = f"{megabytes / best['parse']:>8.1f}{multiples}{megabytes / best['full']:>8.2f}"
    print(f"{kind:<17}{files:>6}{megabytes:>8.2f}{speeds}")


def describe_machine() -> str:
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line
        ]
        processor = names[0] if names else processor
    return f"{processor}, {platform.system()}, Python {platform.python_version()}"


def describe_versions() -> str:
    grammars = {grammar.split(":")[0].replace("_", "-") for _, grammar in GRAMMARS.values()}
    versions = []
    for name in (*PACKAGES, *sorted(grammars)):
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} (not installed)")
    return ", ".join(versions)


def import_times(rounds: int) -> list[float]:
    """Return the seconds that the import takes in fresh processes, the first of which warms the disk."""
    command = [sys.executable, "-c", IMPORT_TIMER]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(rounds + 1)]
    return [float(run.stdout) for run in runs[1:]]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many is taken (default: 3)")
    arguments = parser.parse_args()
    sources = read(arguments.paths)
    if not sources:
        parser.error("no files of a supported language there")
    print(describe_versions())
    print(describe_machine())
    print(f"\n{'':<17} files      MB   parse     full  minimal     none    MB/s")
    total: dict[str, float] = {}
    for kind, files in sources.items():
        megabytes = sum(len(data) for _, _, data in files) / 1e6
        best = measure(kind, files, arguments.rounds)
        print_row(kind, len(files), megabytes, best)
        for name, value in {**best, "files": len(files), "MB": megabytes}.items():
            total[name] = total.get(name, 0) + value
    print_row("all", int(total["files"]), total["MB"], total)
    times = import_times(5)
    print(
        f"\nimport code_chunk: {1000 * min(times):.0f} ms (median {1000 * statistics.median(times):.0f} ms)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
