"""Compares chunkers: what they cost, and what their chunks are.

All get the same files: whole files of each language up to so many megabytes, always the same ones. Each runs
in a process of its own, in a virtual environment of its own that is made from PyPI once and kept; its limit
is the same number in its own unit: non-whitespace characters (*nws*), characters or bytes. One that does not
know a language (*-*) is measured on those it knows. Settings that keep blank space are chosen where there are
any.

The first table is the cost. A number in a language's column is CPU time as a multiple of a bare tree-sitter
parse of the same files; another process does that parse in the same run, in turns with the chunker, language
by language, and of both the best round counts. *all* is that over all its languages, *peak* the largest
resident memory of its process, which drops the chunks of a file before it takes the next, *import* the
wall-clock time of its import in a fresh process, the best of the rounds.

The second table is the chunks.

- *lossless*: files whose joined chunks are the file; *text kept*: files that lack blank space at most. The
  columns from *cut* on are of these.
- *over*: chunks over the limit, in the chunker's own unit.
- *cut*: cuts inside a definition that fits the limit, again in its own unit; *stmt*: cuts inside a statement
  or member that fits; *mid-line*: cuts that do not stand at the first character of a line. Shares of all cuts
  in files without syntax errors.
- *parted*: definitions that are parted from the comments, attributes or decorators that lead them, though
  they fit together: a share of those that have some and fit.
- *fill*: the mean of size / limit over the chunks of files that are larger than the limit.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import peer_judge
from peer_judge import Quality
from peers import LANGUAGES, PEERS
from report import describe_run, table
from sources import sample, size_of

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # evals/ drives the same chunkers, in the same environments

from evals.environments import ENVIRONMENTS, is_made, python_of  # noqa: E402  it is on no path before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sources import Source

CACHE = Path("/tmp/evals-cache")
GRAMMARS = tuple(package for package in ENVIRONMENTS["omnichunk"] if package.startswith("tree-sitter"))
JAVASCRIPT = "tree-sitter-javascript==0.25.0"
OWN_ENVIRONMENTS: dict[str, tuple[str, ...]] = {
    "semantic-javascript": (*ENVIRONMENTS["semantic"], JAVASCRIPT),
    "llama-index": ("llama-index-core==0.14.25", *GRAMMARS, JAVASCRIPT),
    "language-pack": ("tree-sitter-language-pack==1.25.0",),
}
"""Those that the evaluation has no use for."""
PATIENCE = 100
"""Seconds that a chunker may take for the files of a language."""
IMPORT_TIMER = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"


@dataclass(slots=True)
class Result:
    """What was measured of one chunker."""

    name: str
    version: str = ""
    best: dict[str, float] = field(default_factory=dict)
    """CPU seconds of each language."""
    bare: dict[str, float] = field(default_factory=dict)
    """Those of the bare parse beside it."""
    peak: float = 0.0
    import_time: float = 0.0
    quality: Quality = field(default_factory=Quality)
    failures: dict[str, list[str]] = field(default_factory=dict)
    """Errors, and where they were met."""


class Worker:
    """A process that chunks."""

    def __init__(self, python: str, name: str, limit: int, listed: Path) -> None:
        self.name = name
        self.log = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed on exit
        self.process = subprocess.Popen(
            [python, str(Path(__file__).parent / "peers.py"), name, str(limit), str(listed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            encoding="utf-8",
            env=environment(python),
        )

    def ask(self, *command: str) -> Any:
        """Send a command and return the answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        alarm = threading.Timer(PATIENCE, self.process.kill)
        alarm.start()
        with contextlib.suppress(BrokenPipeError):  # it has ended, and there is no answer
            print(json.dumps(command), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        is_late = not alarm.is_alive()
        alarm.cancel()
        if not answer and is_late:
            raise RuntimeError(f"no answer for {PATIENCE} s: it may wait for the network")
        if not answer:
            self.log.seek(0)
            raise RuntimeError(f"ends with {''.join(self.log.read().splitlines()[-1:])}")
        return json.loads(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()
        self.log.close()


def environment(python: str) -> dict[str, str]:
    """Return the variables of a process: other interpreters do not see this one's packages."""
    return {
        name: value for name, value in os.environ.items() if python == sys.executable or name != "PYTHONPATH"
    }


def import_time(python: str, statement: str, rounds: int) -> float:
    """Return the seconds that an import takes in a fresh process; one more warms the disk."""
    command = [python, "-c", IMPORT_TIMER.format(statement)]
    runs = [
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment(python))
        for _ in range(rounds + 1)
    ]
    return min(float(run.stdout.split()[-1]) for run in runs[1:])


def time_all(result: Result, worker: Worker, bare: Worker, languages: Sequence[str], rounds: int) -> None:
    """Take the best times, in turns with the bare parse; give up where all files of a language fail."""
    for language in languages:
        times: dict[Worker, list[float]] = {bare: [], worker: []}
        errors: list[str] = []
        for _ in range(rounds):
            for own, taken in times.items():
                answer = own.ask("time", language)
                taken.append(answer["seconds"])
                errors = answer["errors"]
            if errors and len(errors) == answer["files"]:
                raise RuntimeError(f"all files in {language}: {errors[0]}")
        result.best[language], result.bare[language] = min(times[worker]), min(times[bare])
        if errors:
            result.failures.setdefault(errors[0], []).append(f"{len(errors)} files in {language}")


def measure(
    name: str, python: str, sources: dict[str, list[Source]], arguments: argparse.Namespace, listed: Path
) -> Result:
    """Time a chunker, and judge its chunks; if it ends, the result says so."""
    peer, result = PEERS[name], Result(name)
    languages = [language for language in sources if language in peer.languages]
    result.import_time = import_time(python, peer.imports, arguments.rounds)
    with (
        Worker(python, name, arguments.size, listed) as worker,
        Worker(sys.executable, "bare", arguments.size, listed) as bare,
    ):
        try:
            result.version = worker.ask("state")["version"]
            time_all(result, worker, bare, languages, arguments.rounds)
            result.peak = worker.ask("state")["peak"]
            for language in languages:
                made = worker.ask("texts", language)
                for source, texts in zip(sources[language], made, strict=True):
                    peer_judge.add(result.quality, source, texts, peer.unit, arguments.size)
        except RuntimeError as error:
            result.failures[str(error)] = ["its process"]
    if result.quality.failed == result.quality.files:
        result.best.clear()
    return result


def ratio(result: Result, languages: Sequence[str]) -> str:
    known = [language for language in languages if language in result.best]
    if not known:
        return "-"
    best, bare = (sum(times[language] for language in known) for times in (result.best, result.bare))
    return f"{best / bare:.2f}"


def cost_row(result: Result, languages: Sequence[str]) -> list[str]:
    return [
        result.name,
        result.version,
        *(ratio(result, [language]) for language in languages),
        ratio(result, languages),
        f"{result.peak:.0f}" if result.best else "-",
        f"{1000 * result.import_time:.0f}" if result.import_time else "-",
    ]


def percent(share: float) -> str:
    """Return a share; nothing at all is a plain 0, and a little is not."""
    return f"{100 * share:.2f} %" if share else "0"


def quality_row(result: Result) -> list[str]:
    quality, peer = result.quality, PEERS[result.name]
    head = [result.name, peer.unit, f"{quality.files:,}", f"{quality.failed:,}"]
    made = quality.files - quality.failed
    if not made:
        return [*head, *["-"] * 9]
    shares = [percent(quality.share(kind)) for kind in ("cut", "parted", "stmt")]
    shares.append(percent(quality.mid_line / max(quality.cuts, 1)))
    return [
        *head,
        f"{quality.chunks:,}",
        f"{100 * quality.exact / made:.0f} %",
        f"{100 * quality.whole / made:.0f} %",
        percent(quality.over / max(quality.chunks, 1)),
        *(shares if quality.judged else ["-"] * 4),
        f"{sum(quality.fills) / len(quality.fills):.2f}" if quality.fills else "-",
    ]


COST = ("all", "peak (MB)", "import (ms)")
QUALITY = ("", "unit", "files", "failed", "chunks", "lossless", "text kept", "over", "cut", "parted", "stmt",
           "mid-line", "fill")  # fmt: skip


def results(sources: dict[str, list[Source]], arguments: argparse.Namespace) -> Iterator[Result]:
    """Measure the chunkers that are asked for."""
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "files.json"
        paths = {language: [str(source.path) for source in files] for language, files in sources.items()}
        listed.write_text(json.dumps(paths))
        for name in arguments.peer or PEERS:
            asked = PEERS[name].environment
            wanted = asked, arguments.cache, OWN_ENVIRONMENTS.get(asked or "", ())
            if arguments.cached and not is_made(*wanted):
                continue
            try:
                with contextlib.redirect_stdout(sys.stderr):
                    python = python_of(*wanted)
            except RuntimeError as error:
                yield Result(name, failures={str(error): ["its environment"]})
                continue
            yield measure(name, python, sources, arguments, listed)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    parser.add_argument("--megabytes", type=float, default=1, help="of each language (default: 1)")
    parser.add_argument("--size", type=int, default=1500, help="the limit (default: 1500)")
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many is taken (default: 3)")
    parser.add_argument("--peer", action="append", choices=list(PEERS), help="may be repeated; default: all")
    parser.add_argument(
        "--cached", action="store_true", help="leave out those whose environment is not there"
    )
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"of environments (default: {CACHE})")
    return parser.parse_args()


def main() -> int:
    arguments = parse()
    found = sample(arguments.paths, arguments.megabytes)
    sources = {language: found[language] for language in LANGUAGES if language in found}
    if not sources:
        raise SystemExit("no files of a supported language there")
    measured = list(results(sources, arguments))
    sizes = ", ".join(f"{size_of(files):.2f} MB of {language}" for language, files in sources.items())
    print(describe_run(limit=arguments.size, best_of=arguments.rounds, files=sizes))
    rows = [cost_row(result, list(sources)) for result in measured]
    print(table(["", "version", *sources, *COST], rows))
    print()
    print(table(QUALITY, map(quality_row, measured)))
    for result in measured:
        for error, places in result.failures.items():
            print(f"\n*{result.name}* failed, {', '.join(places)}: `{' '.join(error.split())}`")
    return 0


if __name__ == "__main__":
    sys.exit(main())
