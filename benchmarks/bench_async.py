"""Measures how late an event loop's other tasks are while it chunks.

A ticking task sleeps for 5 ms again and again, and notes by how much it is woken late, while another task

- awaits `achunk_batch` over many files in worker processes,
- reads `chunk_batch_stream` over the same with `async for`,
- reads `chunk_stream` over a large file without errors with `async for`,
- awaits `achunk` for that file,

each in a fresh process; and, to tell what the machine itself costs, while it only sleeps. The large file is
the standard library's sources, the many are the same ones as files. *p50*, *p99* and *max* are milliseconds
by which ticks are late, *gc* the longest collection of Python's garbage collector meanwhile.

At the 99th percentile the ticks must be late by at most 50 ms (on an idle machine) while batches run and
while a file is streamed; otherwise the program exits with 1. `achunk` is shown beside it: it keeps all chunks
of the file, so that Python's collector, which looks at them all, stops everything for longer and longer.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from report import describe_run, table
from sources import standard_library

from code_chunk import achunk, achunk_batch, chunk, chunk_batch_stream, chunk_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

TICK = 0.005
MOST_LATE = 50.0
"""Milliseconds at the 99th percentile."""
FILE_SIZE = 8000
"""Bytes of each of the many files."""


def many(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))


async def sleep(_: Path) -> int:
    await asyncio.sleep(3)
    return 0


async def await_batch(folder: Path) -> int:
    results = await achunk_batch(many(folder / "many"), concurrency=2)
    return sum(len(result.chunks or ()) for result in results)


async def stream_batch(folder: Path) -> int:
    count = 0
    async for result in chunk_batch_stream(many(folder / "many"), concurrency=2):
        count += len(result.chunks or ())
    return count


async def stream_file(folder: Path) -> int:
    count = 0
    async for _ in chunk_stream(folder / "large.py"):
        count += 1
    return count


async def await_file(folder: Path) -> int:
    return len(await achunk("large.py", (folder / "large.py").read_bytes()))


TASKS: dict[str, Callable[[Path], Coroutine[Any, Any, int]]] = {
    "asleep": sleep,
    "achunk_batch": await_batch,
    "async for, batch": stream_batch,
    "async for, file": stream_file,
    "achunk": await_file,
}


async def tick(late: list[float]) -> None:
    """Note by how many milliseconds each tick is late."""
    while True:
        due = time.perf_counter() + TICK
        await asyncio.sleep(TICK)
        late.append(1000 * (time.perf_counter() - due))


def watch_collections() -> list[float]:
    """Note how many milliseconds each collection takes."""
    taken, start = [0.0], 0.0

    def note(phase: str, _: dict[str, int]) -> None:
        nonlocal start
        if phase == "start":
            start = time.perf_counter()
        else:
            taken.append(1000 * (time.perf_counter() - start))

    gc.callbacks.append(note)
    return taken


async def measure(task: str, folder: Path) -> dict[str, float]:
    late: list[float] = []
    collections = watch_collections()
    ticking = asyncio.create_task(tick(late))
    await asyncio.sleep(0.1)
    late.clear()
    start = time.perf_counter()
    chunks = await TASKS[task](folder)
    seconds = time.perf_counter() - start
    await asyncio.sleep(2 * TICK)  # the tick that was due meanwhile
    ticking.cancel()
    late.sort()
    return {
        "seconds": seconds,
        "chunks": chunks,
        "ticks": len(late),
        "p50": late[len(late) // 2],
        "p99": late[int(0.99 * len(late))],
        "max": late[-1],
        "gc": max(collections),
    }


def run(task: str, folder: Path) -> dict[str, Any]:
    """Run one measurement in a fresh process."""
    done = subprocess.run(
        [sys.executable, __file__, "--task", task, str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{task} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def write_files(folder: Path, megabytes: float) -> None:
    """Write the large file, and the same in many files."""
    code = standard_library(megabytes)
    (folder / "large.py").write_text(code, encoding="utf-8", newline="")
    (folder / "many").mkdir()
    for number, start in enumerate(range(0, len(code), FILE_SIZE)):
        path = folder / "many" / f"{number:05}.py"
        path.write_text(code[start : start + FILE_SIZE], encoding="utf-8", newline="")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=16, help="size of the source (default: 16)")
    parser.add_argument("--rounds", type=int, default=2, help="the best of so many is taken (default: 2)")
    parser.add_argument("--task", choices=list(TASKS), help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        chunk("warm.py", "def warm():\n    pass\n")  # loads the grammar
        print(json.dumps(asyncio.run(measure(arguments.task, arguments.folder))))
        return 0
    rows: list[list[str]] = []
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name), arguments.megabytes)
        for task in TASKS:
            best = min((run(task, Path(name)) for _ in range(arguments.rounds)), key=lambda one: one["p99"])
            numbers = [f"{best[key]:.1f}" for key in ("p50", "p99", "max", "gc")]
            rows.append(
                [task, f"{best['chunks']:,}", f"{best['seconds']:.2f}", f"{best['ticks']:,}", *numbers]
            )
            if task != "achunk":
                worst = max(worst, best["p99"])
    print(describe_run(best_of=arguments.rounds, tick=f"{1000 * TICK:.0f} ms"))
    print(table(["", "chunks", "seconds", "ticks", "p50", "p99", "max", "gc (ms)"], rows))
    verdict = "" if worst <= MOST_LATE else "   WRONG"
    print(f"\n99 % of the ticks are late by at most {worst:.1f} ms{verdict}")
    return 0 if worst <= MOST_LATE else 1


if __name__ == "__main__":
    sys.exit(main())
