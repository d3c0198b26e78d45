"""Measures whether worker processes pay, and whether a batch that is streamed is bounded in memory.

The files are those of the given folders in a fixed random order, repeated until there are enough megabytes.
Fresh processes read the batch with `chunk_batch_stream` and touch every chunk: in turns, and the best of
several rounds is taken, so that a busy machine slows all of them. Times are wall-clock times of the whole
batch, the start and the end of the workers and the transfer of all results included.

Rows: the work done in the calling process, by one, two and four workers, and two workers with a consumer that
itself keeps a core busy with plain Python for a fifth of the time that the chunking takes; then many small
files, in the calling process and by two workers. *ratio* is that of the throughput to the calling process's;
*caller* and *workers* are CPU seconds; *first half* and *second half* the peak of the caller's resident
memory in MB over that half of the results.

Two workers must have 1.6 times the throughput of the calling process (on two idle cores), and the caller's
memory must peak at most 10 % + 8 MB higher in the second half than in the first; otherwise the program exits
with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from report import describe_run, table
from resident import peak, reset_peak
from sources import KINDS, source_files

from code_chunk import chunk_batch_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST_GAIN = 1.6
SMALL = 2048
"""Bytes of a small file at most."""
FOREVER = 10_000.0
"""A time-out that nothing reaches: with one, a single worker is a process of its own."""
CONSUMER = 0.05
"""Seconds of plain Python for each megabyte, about a fifth of what chunking it takes."""


class Row(NamedTuple):
    title: str
    workers: int
    """0: the calling process."""
    is_small: bool = False
    is_busy: bool = False


HERE, TWO = Row("calling process", 0), Row("2 workers", 2)
SMALL_HERE, SMALL_TWO = (
    Row("small, calling process", 0, is_small=True),
    Row("small, 2 workers", 2, is_small=True),
)
ROWS = [
    HERE,
    Row("1 worker", 1),
    TWO,
    Row("4 workers", 4),
    Row("2, busy consumer", 2, is_busy=True),
    SMALL_HERE,
    SMALL_TWO,
]


def chosen(paths: list[Path], row: Row, megabytes: float) -> list[Path]:
    """Return files of so many megabytes; of small ones a tenth, since they cost more."""
    sized = [(path, path.stat().st_size) for path in source_files(paths)]
    if row.is_small:
        sized = [(path, size) for path, size in sized if size <= SMALL]
        megabytes /= 10
    if not sum(size for _, size in sized):
        raise SystemExit(f"no {'small ' if row.is_small else ''}files of {', '.join(KINDS)} there")
    random.Random(1).shuffle(sized)
    files: list[Path] = []
    room = megabytes * 1_000_000
    while room > 0:
        for path, size in sized:
            files.append(path)
            room -= size
            if room <= 0:
                break
    return files


def spin(seconds: float) -> None:
    """Keep the interpreter busy for so much CPU time of this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(200))


def consume(row: Row, files: list[Path], total: float) -> Iterator[int]:
    """Read a batch, and give the number of chunks of each file."""
    timeout = FOREVER if row.workers else None
    for result in chunk_batch_stream(files, concurrency=row.workers or 1, timeout=timeout):
        if row.is_busy:
            spin(CONSUMER * total / len(files))
        yield sum(1 for chunk in result.chunks or () if chunk.contextualized_text)


def measure(row: Row, files: list[Path]) -> dict[str, float]:
    """Run a batch in this process."""
    megabytes = sum(os.path.getsize(path) for path in files) / 1e6
    halves, count = [], 0
    reset_peak()
    start = time.perf_counter()
    for done, chunks in enumerate(consume(row, files, megabytes), 1):
        count += chunks
        if done == len(files) // 2:
            halves.append(peak())
            reset_peak()
    seconds = time.perf_counter() - start
    halves.append(peak())
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "MB": megabytes,
        "files": len(files),
        "chunks": count,
        "seconds": seconds,
        "caller": used[0].ru_utime + used[0].ru_stime,
        "workers": used[1].ru_utime + used[1].ru_stime,
        "first half": halves[0],
        "second half": halves[-1],
    }


def run(place: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure a row in a fresh process."""
    command = [sys.executable, __file__, "--row", str(place), "--megabytes", str(arguments.megabytes)]
    done = subprocess.run([*command, *arguments.paths], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{ROWS[place].title} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


HEAD = ("", "files", "MB", "chunks", "MB/s", "ratio", "caller", "workers", "first half", "second half")


def printed(row: Row, best: dict[str, float], ratio: float) -> list[str]:
    """Return a row of the table."""
    return [
        row.title,
        f"{best['files']:,}",
        f"{best['MB']:.1f}",
        f"{best['chunks']:,}",
        f"{best['MB'] / best['seconds']:.2f}",
        f"{ratio:.2f}",
        f"{best['caller']:.2f}",
        f"{best['workers']:.2f}",
        f"{best['first half']:.0f}",
        f"{best['second half']:.0f}",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--megabytes", type=float, default=100, help="size of the batch (default: 100)")
    parser.add_argument("--rounds", type=int, default=2, help="the best of so many is taken (default: 2)")
    parser.add_argument("--row", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.row is not None:
        row = ROWS[arguments.row]
        print(json.dumps(measure(row, chosen(arguments.paths, row, arguments.megabytes))))
        return 0
    runs: list[list[dict[str, Any]]] = [[] for _ in ROWS]
    for _ in range(arguments.rounds):  # in turns
        for place in range(len(ROWS)):
            runs[place].append(run(place, arguments))
    best = {row: min(taken, key=lambda one: one["seconds"]) for row, taken in zip(ROWS, runs, strict=True)}
    print(describe_run(best_of=arguments.rounds))
    rows = [
        printed(row, best[row], best[SMALL_HERE if row.is_small else HERE]["seconds"] / best[row]["seconds"])
        for row in ROWS
    ]
    print(table(HEAD, rows))
    gain = best[HERE]["seconds"] / best[TWO]["seconds"]
    growth = best[TWO]["second half"] - best[TWO]["first half"]
    right = gain >= LEAST_GAIN and growth <= 0.1 * best[TWO]["first half"] + 8
    print(f"\n2 workers: {gain:.2f} times the calling process, memory {growth:+.0f} MB", end="")
    print("" if right else "   WRONG")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
