"""Runs all benchmarks and writes a page of what they print: ``python benchmarks/write_docs.py corpus``.

What stands above the tables on the page is what each program says of itself.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "docs" / "benchmarks.md"
HEAD = """\
# What does it cost?

Written by `python benchmarks/write_docs.py corpus`; change the programs, not this page. `corpus` is what
`python benchmarks/fetch_corpus.py` fetches: some 40 MB of real code in six languages, by name and version.

Times are CPU times if nothing else is said, and a time next to another one is from the same run, taken in
turns: the ratios hold on other machines, the seconds do not.
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A benchmark, and how it is run."""

    title: str
    quick: tuple[str, ...]
    """Options for a quick look, which is no measurement."""
    takes_corpus: bool = True


PROGRAMS = {
    "bench_peers": Program(
        "Beside other chunkers",
        ("--megabytes", "0.01", "--rounds", "1", "--cached", "--peer", "code-chunk", "--peer",
         "semantic-text-splitter", "--peer", "astchunk"),
    ),
    "bench_core": Program(
        "Beside the parser", ("--megabytes", "0.01", "--rounds", "1", "--scale", "0.001")
    ),
    "bench_growth": Program(
        "Awkward input", ("--rounds", "1", "--scale", "0.001"), takes_corpus=False
    ),
    "bench_stream": Program("Streams", ("--megabytes", "0.5", "--rounds", "1", "--compare")),
    "bench_memory": Program("Memory", ("--calls", "5", "--lines", "100"), takes_corpus=False),
    "bench_batch": Program("Worker processes", ("--megabytes", "0.1", "--rounds", "1")),
    "bench_async": Program("Event loops", ("--megabytes", "0.1", "--rounds", "1"), takes_corpus=False),
}  # fmt: skip


def section(name: str, program: Program, paths: list[str], is_quick: bool) -> str:
    """Run a program, and return its part of the page."""
    path = FOLDER / f"{name}.py"
    options = program.quick if is_quick else ()
    given = paths if program.takes_corpus else []
    done = subprocess.run(
        [sys.executable, str(path), *given, *options], capture_output=True, text=True, check=False
    )
    if done.returncode and "WRONG" not in done.stdout:
        raise SystemExit(f"{name} failed:\n{done.stderr}")
    command = " ".join(["python", f"benchmarks/{name}.py", *(["corpus"] if given else []), *options])
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return f"## {program.title}\n\n{text}\n\n```console\n{command}\n```\n\n{done.stdout.strip()}\n"


def sections_of(page: str) -> dict[str, str]:
    """Return the parts of a page by their titles."""
    parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)[1:]
    return {
        title: f"## {title}\n{text.rstrip()}\n" for title, text in zip(parts[::2], parts[1::2], strict=True)
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders")
    parser.add_argument("--docs", type=Path, default=PAGE, help="default: docs/benchmarks.md")
    parser.add_argument(
        "--only", action="append", choices=list(PROGRAMS), help="leave the rest as it is; may be repeated"
    )
    parser.add_argument("--quick", action="store_true", help="with little input: figures mean nothing")
    arguments = parser.parse_args()
    written = sections_of(arguments.docs.read_text()) if arguments.docs.exists() else {}
    for name in arguments.only or PROGRAMS:
        print(name, file=sys.stderr, flush=True)
        program = PROGRAMS[name]
        written[program.title] = section(name, program, arguments.paths, arguments.quick)
    titles = [program.title for program in PROGRAMS.values()]
    arguments.docs.write_text("\n".join([HEAD, *(written[title] for title in titles if title in written)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
