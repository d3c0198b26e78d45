"""Measures whether streaming is real: is the first chunk early, is memory bounded, is the result the same?

The source is some 16 MB of Python: the files of the standard library (without ``test`` and ``idlelib``) one
behind the other, repeated if they are less; and the same with ``)))`` in its middle, a syntax error that
makes the rest of the file doubtful. Each source is written to a temporary file, and fresh processes read it
into a ``str`` and stream it: one takes the CPU time to the first and to the last chunk, one the peak of its
resident memory beyond what it held with the source read (the trees of tree-sitter count too), and one
compares the chunks with those of ``chunk()``, all fields but ``total_chunks``.

The first chunk must be out before 3 % of the CPU time that all of them take, memory must grow by less than
64 MB, and the chunks must be equal; otherwise the program exits with 1.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from code_chunk import chunk, chunk_stream

if TYPE_CHECKING:
    from collections.abc import Iterable

    from code_chunk import Chunk

LEFT_OUT = {"test", "tests", "idlelib", "site-packages", "dist-packages"}
MOST_FIRST = 0.03
MOST_GROWTH = 64.0
UNIT = 1024 if sys.platform != "darwin" else 1
"""Bytes in a unit of ``ru_maxrss``."""


def standard_library(megabytes: float) -> str:
    """Return that much of the standard library, whole files, repeated if it is less."""
    room = int(megabytes * 1_000_000)
    root = Path(sysconfig.get_path("stdlib"))
    texts: list[str] = []
    for path in sorted(root.rglob("*.py")):
        if LEFT_OUT.isdisjoint(path.relative_to(root).parts):
            try:
                texts.append(path.read_bytes().decode() + "\n")
            except UnicodeDecodeError:
                continue
    whole = "".join(texts)
    if not whole:
        raise SystemExit(f"no standard library in {root}")
    while len(whole) < room:
        whole += whole
    return whole[: whole.rfind("\n", 0, room) + 1]


def broken(code: str) -> str:
    """Return a source with a syntax error in its middle, between two lines."""
    middle = code.find("\n", len(code) // 2) + 1
    return f"{code[:middle]})))\n{code[middle:]}"


def digest(chunks: Iterable[Chunk]) -> tuple[int, str]:
    """Return the number of chunks and a hash of all their fields but the total."""
    count, hasher = 0, hashlib.sha256()
    for made in chunks:
        hasher.update(repr(replace(made, total_chunks=-1)).encode("utf-8", "surrogatepass"))
        count += 1
    return count, hasher.hexdigest()


def reset_peak() -> float:
    """Forget the peak of this process's memory, if the system can do that, and return what it has now, in MB.

    Without that the peak of reading the source would hide the growth from here on.
    """
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 1e6
    return status("VmRSS")


def peak() -> float:
    """Return the largest memory that this process has had since, in MB."""
    if Path("/proc/self/status").exists():
        return status("VmHWM")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT / 1e6


def status(key: str) -> float:
    """Return a size from Linux's status of this process, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith(key))


def warm_up() -> None:
    """Load the grammar and compile the query: what a process does once is no part of what is measured."""
    list(chunk_stream("warm.py", "def warm():\n    pass\n"))


def time_stream(code: str) -> dict[str, Any]:
    start = time.process_time()
    stream = iter(chunk_stream("library.py", code))
    next(stream)
    first = time.process_time() - start
    count = 1 + sum(1 for _ in stream)
    return {"first": first, "all": time.process_time() - start, "chunks": count}


def measure_memory(code: str) -> dict[str, Any]:
    before = reset_peak()
    for _ in chunk_stream("library.py", code):
        pass
    return {"before": before, "growth": peak() - before}


def compare(code: str) -> dict[str, Any]:
    streamed = digest(chunk_stream("library.py", code))
    return {"equal": streamed == digest(chunk("library.py", code))}


TASKS = {"time": time_stream, "memory": measure_memory, "compare": compare}


def run_task(task: str, path: Path) -> dict[str, Any]:
    """Run one measurement in a fresh process."""
    command = [sys.executable, __file__, "--task", task, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{task} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def report(title: str, code: str) -> bool:
    """Measure one source, print what was found, and tell whether it is as it must be."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "source.txt"
        path.write_text(code, encoding="utf-8", newline="")
        results = {name: run_task(name, path) for name in TASKS}
    times, memory, equal = results["time"], results["memory"], results["compare"]["equal"]
    share = times["first"] / times["all"]
    right = bool(share < MOST_FIRST and memory["growth"] < MOST_GROWTH and equal)
    print(f"{title}: {len(code) / 1e6:.1f} M characters, {times['chunks']} chunks")
    print(f"  first chunk after {1000 * times['first']:.0f} ms of {times['all']:.2f} s CPU: {share:.2%}")
    print(f"  memory {memory['before']:.0f} MB with the source, its peak is {memory['growth']:.1f} MB more")
    print(f"  equal to chunk(): {'yes' if equal else 'NO'}{'' if right else '   WRONG'}")
    return right


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=16, help="size of the source (default: 16)")
    parser.add_argument("--task", choices=list(TASKS), help=argparse.SUPPRESS)
    parser.add_argument("source", nargs="?", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        warm_up()
        print(json.dumps(TASKS[arguments.task](arguments.source.read_bytes().decode())))
        return 0
    code = standard_library(arguments.megabytes)
    results = [report("standard library", code), report("the same with ))) in it", broken(code))]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
