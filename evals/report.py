"""Results -> tables in Markdown."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .metrics import LEAST_IOU, METRICS, interval, mean
from .tasks import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .experiment import Result
    from .tasks import Bench, Task

COMPARED = ("R@5", "IoU@5", "MRR", "nDCG@10", "lines")
_SHARES = ("IoU@5", "IoU@10")
"""Printed as they are; the others in per cent."""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is text, the others are numbers."""
    lines = [head, ["---", *(["---:"] * (len(head) - 1))], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _figure(metric: str, value: float) -> str:
    return f"{value:.3f}" if metric in _SHARES else f"{100 * value:.1f}"


def _difference(metric: str, values: Sequence[float]) -> str:
    """Return a mean difference with its interval, bold where that excludes 0."""
    scale, digits = (1, 3) if metric in _SHARES else (100, 1)
    low, high = interval(values)
    middle = scale * sum(values) / len(values)
    text = f"{middle:+.{digits}f} [{scale * low:+.{digits}f}, {scale * high:+.{digits}f}]"
    return f"**{text}**" if low > 0 or high < 0 else text


def _chosen(bench: Bench, is_wanted: Callable[[Task], bool]) -> list[int]:
    return [number for number, task in enumerate(bench.tasks) if is_wanted(task)]


def is_leak_free(task: Task) -> bool:
    return task.kind != "prefix"


def is_leaky(task: Task) -> bool:
    return task.kind == "prefix"


def figures_table(bench: Bench, results: Sequence[Result], is_wanted: Callable[[Task], bool]) -> str:
    """All figures of all rows, over the tasks that are wanted."""
    numbers = _chosen(bench, is_wanted)
    rows = []
    for result in results:
        means = mean([result.figures[number] for number in numbers])
        told = [_figure(metric, value) for metric, value in zip(METRICS, means, strict=True)]
        sizes = f"{result.mean_size:.0f}", f"{result.felt_size:.0f}", f"{100 * result.held:.1f}"
        rows.append([result.row, str(result.chunks), *sizes, *told])
    return table(["", "chunks", "size", "felt", "text %", *METRICS], rows)


def differences_table(
    bench: Bench, results: Sequence[Result], base: str, is_wanted: Callable[[Task], bool]
) -> str:
    """Each row less the base row, task by task, with 95 % intervals."""
    numbers = _chosen(bench, is_wanted)
    reference = next(result for result in results if result.row == base)
    columns = [METRICS.index(metric) for metric in COMPARED]
    rows = []
    for result in results:
        if result.row == base:
            continue
        told = []
        for column in columns:
            pairs = [(result.figures[number], reference.figures[number]) for number in numbers]
            told.append(_difference(METRICS[column], [own[column] - other[column] for own, other in pairs]))
        rows.append([result.row, *told])
    return table([f"less {base}", *COMPARED], rows)


def parts_table(bench: Bench, results: Sequence[Result], metric: str) -> str:
    """One figure by kind and language, over the tasks without a leak."""
    column = METRICS.index(metric)
    kinds = [kind for kind in KINDS if kind != "prefix"]
    languages = sorted({task.language for task in bench.tasks})
    tasks = [(number, task) for number, task in enumerate(bench.tasks) if is_leak_free(task)]
    parts = [(kind, [number for number, task in tasks if task.kind == kind]) for kind in kinds]
    parts += [(one, [number for number, task in tasks if task.language == one]) for one in languages]
    rows = [
        [
            result.row,
            *(_figure(metric, mean([result.figures[n] for n in numbers])[column]) for _, numbers in parts),
        ]
        for result in results
    ]
    return table([metric, *(name for name, _ in parts)], rows)


def overall(bench: Bench, result: Result, metric: str) -> str:
    """One figure over the tasks without a leak."""
    numbers = _chosen(bench, is_leak_free)
    return _figure(metric, mean([result.figures[number] for number in numbers])[METRICS.index(metric)])


def leaky_table(bench: Bench, results: Sequence[Result]) -> str:
    """The announcement's figures in its own setting: a chunk counts if its IoU is high enough."""
    numbers = _chosen(bench, is_leaky)
    column = METRICS.index("IoU@5")
    rows = []
    for result in results:
        ious = [result.figures[number][column] for number in numbers]
        recall = sum(iou >= LEAST_IOU for iou in ious) / len(ious)
        rows.append([result.row, _figure("R@5", recall), _figure("IoU@5", sum(ious) / len(ious))])
    return table(["", f"R@5, IoU >= {LEAST_IOU}", "IoU@5"], rows)


def tasks_table(bench: Bench) -> str:
    """How many tasks of each kind and language there are, and of how many candidates they were taken."""
    chosen = Counter((task.kind, task.language) for task in bench.tasks)
    languages = sorted({task.language for task in bench.tasks})
    rows = [
        [
            kind,
            *(f"{chosen[kind, language]} of {bench.counts[kind].get(language, 0)}" for language in languages),
        ]
        for kind in KINDS
    ]
    return table(["", *languages], rows)


def failures(results: Sequence[Result]) -> Iterator[str]:
    """Tell which chunkers failed on which files."""
    for result in results:
        if result.errors:
            shown = "; ".join(result.errors[:3])
            more = f"; and {len(result.errors) - 3} more" if len(result.errors) > 3 else ""
            yield f"{result.row} failed on {len(result.errors)} files: {shown}{more}"
