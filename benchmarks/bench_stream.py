"""Measures whether streaming is real: is it cheap, is the first chunk early, is memory bounded?

One large file on disk: the files of a language that have no syntax error, one behind the other, over and
over. `chunk_stream` reads it from its path; a bare parse reads it into memory and parses it as a whole. The
third row is the same file with `)))` between two lines in its middle, a syntax error that makes the rest of
it doubtful.

Each row is a fresh process, in turns, the best of the rounds. *CPU* has the reading in it; *of the parse* is
its ratio to the bare parse's. *peak* is the process's largest resident memory, *growth* by how much that is
more than what it had before it opened the file, its grammar loaded. *first* is the CPU time to the first
chunk, *share* that of the whole.

The first chunk must be out before 3 % of the CPU time that all of them take, and memory must grow by less
than 64 MB; with `--compare`, which keeps all of them in memory, the chunks must equal those of `chunk()` in
all fields but `total_chunks`. Otherwise the program exits with 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from report import describe_run, table
from resident import peak, reset_peak
from sources import GRAMMARS, KINDS, concatenated, parser_of

from code_chunk import chunk, chunk_stream

if TYPE_CHECKING:
    from collections.abc import Iterable

    from code_chunk import Chunk

MOST_FIRST = 0.03
MOST_GROWTH = 64.0
"""MB."""
WARM_UP = 2000
"""Bytes."""


def write_file(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(pieces)


def write_broken(path: Path, whole: Path) -> None:
    """Write a file with a syntax error in its middle, between two lines."""
    data = whole.read_bytes()
    middle = data.find(b"\n", len(data) // 2) + 1
    write_file(path, (data[:middle], b")))\n", data[middle:]))


def parse(path: Path) -> dict[str, Any]:
    parser = parser_of(KINDS[path.suffix])
    before = reset_peak()
    start = time.process_time()
    tree = parser.parse(path.read_bytes())
    seconds = time.process_time() - start
    return {"CPU": seconds, "peak": peak(), "before": before, "is_broken": tree.root_node.has_error}


def stream(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:  # what a process does once is no part of what is measured
        list(chunk_stream(path.name, file.read(WARM_UP).decode(errors="ignore")))
    before = reset_peak()
    start = time.process_time()
    chunks = iter(chunk_stream(path))
    next(chunks)
    first = time.process_time() - start
    count = 1 + sum(1 for _ in chunks)
    seconds = time.process_time() - start
    return {"CPU": seconds, "peak": peak(), "before": before, "first": first, "chunks": count}


def digest(chunks: Iterable[Chunk]) -> tuple[int, str]:
    """Return the number of chunks and a hash of all their fields but the total."""
    count, hasher = 0, hashlib.sha256()
    for made in chunks:
        hasher.update(repr(replace(made, total_chunks=-1)).encode("utf-8", "surrogatepass"))
        count += 1
    return count, hasher.hexdigest()


def compare(path: Path) -> dict[str, Any]:
    streamed = digest(chunk_stream(path))
    return {"equal": streamed == digest(chunk(str(path), path.read_bytes()))}


TASKS = {"parse": parse, "stream": stream, "compare": compare}


def run_task(task: str, path: Path) -> dict[str, Any]:
    """Run one measurement in a fresh process."""
    command = [sys.executable, __file__, "--task", task, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{task} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def row(title: str, megabytes: float, best: dict[str, Any], bare: dict[str, Any]) -> list[str]:
    """Return a row of the table; an error in the file has no parse to compare with."""
    is_stream = "first" in best
    is_comparable = best.get("is_whole", True)
    return [
        title,
        f"{best['chunks']:,}" if is_stream else "",
        f"{best['CPU']:.2f}",
        f"{megabytes / best['CPU']:.2f}",
        f"{best['CPU'] / bare['CPU']:.2f}" if is_comparable else "",
        f"{best['peak']:.0f}",
        f"{best['peak'] - best['before']:.1f}",
        f"{1000 * best['first']:.0f}" if is_stream else "",
        f"{best['first'] / best['CPU']:.2%}" if is_stream else "",
    ]


HEAD = ("", "chunks", "CPU (s)", "MB/s", "of the parse", "peak (MB)", "growth (MB)", "first (ms)", "share")


def report(whole: Path, rounds: int, is_compared: bool) -> bool:
    """Measure a file, print what was found, and tell whether it is as it must be."""
    broken = whole.with_name(f"broken{whole.suffix}")
    write_broken(broken, whole)
    works = {
        "bare parse": ("parse", whole),
        "chunk_stream": ("stream", whole),
        "chunk_stream, with an error": ("stream", broken),
    }
    runs: dict[str, list[dict[str, Any]]] = {title: [] for title in works}
    for _ in range(rounds):  # in turns
        for title, (task, path) in works.items():
            runs[title].append(run_task(task, path))
    best = {title: min(taken, key=lambda one: one["CPU"]) for title, taken in runs.items()}
    bare, megabytes = best["bare parse"], whole.stat().st_size / 1e6
    best["chunk_stream, with an error"]["is_whole"] = False
    print(table(HEAD, (row(title, megabytes, one, bare) for title, one in best.items())))
    if bare["is_broken"]:
        print("\nThe files one behind the other are no valid source: the parser recovers from errors.")
    streams = [one for one in best.values() if "first" in one]
    is_early = all(one["first"] / one["CPU"] < MOST_FIRST for one in streams)
    is_bounded = all(one["peak"] - one["before"] < MOST_GROWTH for one in streams)
    is_equal = not is_compared or all(run_task("compare", path)["equal"] for path in (whole, broken))
    verdicts = {
        "the first chunk is late": is_early,
        "memory is not bounded": is_bounded,
        "the chunks are not those of chunk()": is_equal,
    }
    wrong = [what for what, is_right in verdicts.items() if not is_right]
    if wrong:
        print(f"\nWRONG: {', '.join(wrong)}")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--megabytes", type=float, default=100, help="size of the file (default: 100)")
    parser.add_argument("--language", choices=list(GRAMMARS), default="python", help="default: python")
    parser.add_argument("--rounds", type=int, default=2, help="the best of so many is taken (default: 2)")
    parser.add_argument("--compare", action="store_true", help="compare the chunks with those of chunk()")
    parser.add_argument("--task", choices=list(TASKS), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        print(json.dumps(TASKS[arguments.task](arguments.paths[0])))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / f"large{GRAMMARS[arguments.language].extensions[0]}"
        write_file(whole, concatenated(arguments.paths, arguments.language, arguments.megabytes))
        size = f"{whole.stat().st_size / 1e6:.1f} MB of {arguments.language}"
        print(describe_run(file=size, best_of=arguments.rounds))
        return 0 if report(whole, arguments.rounds, arguments.compare) else 1


if __name__ == "__main__":
    sys.exit(main())
