"""The command line: ``python -m evals --set tune --size 600 --retriever bm25``, from the repository root."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from . import docs, report
from .chunking import MEANS
from .experiment import Experiment
from .headers import BASE as NO_HEADER
from .headers import HEADERS
from .recipe import LANGUAGES, SETS
from .retrieval import RETRIEVERS
from .rows import RECOMMENDED, Row, read_candidates, rows_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .experiment import Result
    from .tasks import Bench, Task

CACHE = Path("/tmp/evals-cache")
SIZES = (600, 1150)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", choices=SETS, default="tune", help="default: tune; choose on no other")
    parser.add_argument("--size", type=int, nargs="+", help="mean NWS of a chunk; default: 600")
    parser.add_argument("--mean", choices=MEANS, default="chunk", help="what the mean is of; default: chunk")
    parser.add_argument("--retriever", nargs="+", choices=RETRIEVERS, help="default: bm25")
    parser.add_argument(
        "--headers", action="store_true", help="the rows that show what each header line does"
    )
    parser.add_argument("--row", action="append", help="only rows whose names hold this; may be repeated")
    parser.add_argument("--candidates", type=Path, help="a file with ROWS of one's own, see rows.py")
    parser.add_argument("--base", help="the row to compare with; default: what we recommend")
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"default: {CACHE}")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N tasks of each kind and stop"
    )
    parser.add_argument(
        "--docs", type=Path, help="write the page here; by default of all sizes, both retrievers"
    )
    arguments = parser.parse_args()
    arguments.size = arguments.size or (SIZES if arguments.docs else SIZES[:1])
    arguments.retriever = arguments.retriever or (("bm25", "dense") if arguments.docs else ("bm25",))
    if arguments.headers:
        arguments.base = arguments.base or NO_HEADER
    if min(arguments.size) < 1:
        parser.error("--size must be at least 1")
    if len(arguments.language) < len(LANGUAGES) and arguments.docs:
        parser.error("the page is written of all languages")
    return arguments


def wanted_rows(arguments: argparse.Namespace) -> dict[str, Row]:
    known = HEADERS if arguments.headers else rows_for(arguments.retriever[0])
    if arguments.candidates:
        try:
            known = {**known, **read_candidates(arguments.candidates)}
        except ValueError as error:
            raise SystemExit(str(error)) from error
    if arguments.base and arguments.base not in known:
        raise SystemExit(f"there is no row {arguments.base!r} to compare with; there are {', '.join(known)}")
    parts = arguments.row or [""]
    for part in parts:
        if not any(part in name for name in known):
            raise SystemExit(f"no row's name holds {part!r}; there are {', '.join(known)}")
    bases = [arguments.base] if arguments.base else [RECOMMENDED[one] for one in arguments.retriever]
    return {name: row for name, row in known.items() if name in bases or any(part in name for part in parts)}


def write_docs(arguments: argparse.Namespace) -> None:
    sets = ("report", "tune")
    experiments = {name: Experiment(name, arguments.cache, tuple(LANGUAGES)) for name in sets}
    text = docs.page(experiments, arguments.size, arguments.retriever)
    arguments.docs.parent.mkdir(parents=True, exist_ok=True)
    arguments.docs.write_text(text)


def print_tables(bench: Bench, results: Sequence[Result], base: str) -> None:
    print("\n" + report.figures_table(bench, results, report.is_leak_free))
    print("\n" + report.differences_table(bench, results, base, report.is_leak_free))
    for metric in ("MRR", "IoU@5"):
        print("\n" + report.parts_table(bench, results, metric))
    print("\nLEAKY, the announcement's setting:\n")
    print(report.leaky_table(bench, results))
    for line in report.failures(results):
        print(f"\n{line}")


def show(bench: Bench, number: int) -> None:
    """Print some tasks of each kind and language, with the lines that are asked for."""
    texts = {(file.package, file.path): file.text.split("\n") for file in bench.files}
    shown: dict[tuple[str, str], int] = {}
    for task in bench.tasks:
        key = (task.kind, task.language)
        shown[key] = shown.get(key, 0) + 1
        if shown[key] <= number:
            print_task(task, texts[task.package, task.path])


def print_task(task: Task, lines: Sequence[str]) -> None:
    print(f"\n=== {task.kind} {task.package} {task.path}:{task.first_line + 1} {task.name}")
    print(task.query)
    print("---")
    print("\n".join(lines[task.first_line : task.last_line + 1]))


def main() -> None:
    arguments = parse()
    began = time.monotonic()
    if arguments.docs:
        write_docs(arguments)
        return
    experiment = Experiment(arguments.set, arguments.cache, tuple(arguments.language), arguments.mean)
    bench = experiment.bench
    print(f"set {arguments.set}: {len(bench.files)} files, {len(bench.tasks)} tasks, digest {bench.digest}\n")
    print(report.tasks_table(bench))
    if arguments.show:
        show(bench, arguments.show)
        return
    rows = wanted_rows(arguments)
    for retriever in arguments.retriever:
        for size in arguments.size:
            results = experiment.results(rows, size, retriever)
            print(f"\n## {arguments.set}, {retriever}, mean size {size} of a {arguments.mean}")
            print_tables(bench, results, arguments.base or RECOMMENDED[retriever])
    print(f"\n{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
