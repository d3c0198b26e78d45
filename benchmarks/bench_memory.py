"""Measures whether a process that chunks again and again grows.

A fresh process chunks the first lines of the standard library a number of times to warm up, then many times
more; *growth* is what its resident memory has become larger by since the warm-up, in MB. Once the result is
dropped, once it is pickled and loaded first, as it is on its way from a worker process.
"""

from __future__ import annotations

import argparse
import gc
import json
import pickle
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from report import describe_run, table
from resident import now
from sources import standard_library

from code_chunk import chunk

if TYPE_CHECKING:
    from collections.abc import Callable

    from code_chunk import Chunk

MOST_GROWTH = 10.0
"""MB."""
WARM_UP = 0.1
"""Share of the calls."""


def drop(_: list[Chunk]) -> None:
    pass


def send(chunks: list[Chunk]) -> None:
    if pickle.loads(pickle.dumps(chunks)) != chunks:
        raise SystemExit("pickled chunks are not equal")


USES: dict[str, Callable[[list[Chunk]], None]] = {"dropped": drop, "pickled": send}


def measure(use: str, calls: int, lines: int) -> dict[str, float]:
    """Call many times in this process."""
    code = "".join(standard_library(lines / 10_000).splitlines(keepends=True)[:lines])
    warm_up = max(1, int(WARM_UP * calls))
    for _ in range(warm_up):
        USES[use](chunk("library.py", code))
    gc.collect()
    before = now()
    start = time.process_time()
    for _ in range(calls):
        USES[use](chunk("library.py", code))
    seconds = time.process_time() - start
    gc.collect()
    return {"lines": len(code.splitlines()), "calls": calls, "before": before, "after": now(), "CPU": seconds}


def run(use: str, calls: int, lines: int) -> dict[str, float]:
    """Measure in a fresh process."""
    command = [sys.executable, __file__, "--use", use, "--calls", str(calls), "--lines", str(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{use} failed:\n{done.stderr}")
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=5000, help="default: 5000")
    parser.add_argument("--lines", type=int, default=2000, help="lines of the file (default: 2000)")
    parser.add_argument("--use", choices=list(USES), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.use:
        print(json.dumps(measure(arguments.use, arguments.calls, arguments.lines)))
        return 0
    found = {use: run(use, arguments.calls, arguments.lines) for use in USES}
    print(describe_run(warm_up=f"{WARM_UP:.0%}", most_growth=f"{MOST_GROWTH:.0f} MB"))
    head = ["result", "lines", "calls", "CPU for each (ms)", "warm (MB)", "at the end (MB)", "growth (MB)"]
    rows = [
        [
            use,
            f"{one['lines']:,}",
            f"{one['calls']:,}",
            f"{1000 * one['CPU'] / one['calls']:.1f}",
            *(f"{size:.1f}" for size in (one["before"], one["after"], one["after"] - one["before"])),
        ]
        for use, one in found.items()
    ]
    print(table(head, rows))
    is_right = all(one["after"] - one["before"] <= MOST_GROWTH for one in found.values())
    if not is_right:
        print("\nWRONG: it grows")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
