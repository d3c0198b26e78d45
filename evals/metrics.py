"""Rankings -> figures and their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .peers import nws

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .chunking import Piece
    from .recipe import SourceFile
    from .tasks import Task

METRICS = ("R@1", "R@5", "R@10", "IoU@5", "IoU@10", "MRR", "nDCG@10", "lines")
DEPTH = 10
BUDGET = 4_000
"""NWS that are read."""
LEAST_SHARE = 0.5
LEAST_IOU = 0.3
RESAMPLES = 2_000
SEED = 20_240_229


@dataclass(frozen=True, slots=True)
class Overlap:
    """How the lines of a chunk and those of a target meet."""

    share: float
    """Of the target."""
    iou: float

    @property
    def is_hit(self) -> bool:
        """A hit has half of the target, or, of a target that does not fit, a piece that is mostly that."""
        return self.share >= LEAST_SHARE or self.iou >= LEAST_IOU


def overlap(first: int, last: int, task: Task) -> Overlap:
    """Compare the lines of a chunk of the right file with those of the target."""
    shared = min(last, task.last_line) - max(first, task.first_line) + 1
    if shared <= 0:
        return Overlap(0.0, 0.0)
    target = task.last_line - task.first_line + 1
    return Overlap(shared / target, shared / (target + last - first + 1 - shared))


class Reader:
    """Knows the sizes of the lines of a corpus."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        self._sizes = {
            (file.package, file.path): [nws(line) for line in file.text.split("\n")] for file in files
        }

    def lines_read(self, ranking: Iterable[Piece], task: Task) -> float:
        """Return the share of the target's lines that are read, best chunk first, within the budget.

        No line is read twice, and reading ends with the first line that does not fit.
        """
        left = BUDGET
        read: set[tuple[str, int]] = set()
        for piece in ranking:
            sizes = self._sizes[piece.package, piece.path]
            for row in range(piece.first, piece.last + 1):
                if (piece.path, row) in read:
                    continue
                left -= sizes[row]
                if left < 0:
                    return self._share(read, task)
                read.add((piece.path, row))
        return self._share(read, task)

    def _share(self, read: set[tuple[str, int]], task: Task) -> float:
        sizes = self._sizes[task.package, task.path]
        rows = [row for row in range(task.first_line, task.last_line + 1) if sizes[row]]
        return sum((task.path, row) in read for row in rows) / len(rows)


def measure(ranking: Sequence[Piece], task: Task, reader: Reader) -> list[float]:
    """Return the figures of one task, in the order of `METRICS`."""
    found = [overlap(piece.first, piece.last, task) if piece.path == task.path else None for piece in ranking]
    first_hit = next((rank for rank, one in enumerate(found, 1) if one and one.is_hit), math.inf)
    ious = [one.iou if one else 0.0 for one in found[:DEPTH]]
    return [
        *(float(first_hit <= depth) for depth in (1, 5, DEPTH)),
        max(ious[:5], default=0.0),
        max(ious, default=0.0),
        1 / first_hit,
        gain(ranking[:DEPTH], task),
        reader.lines_read(ranking, task),
    ]


def gain(ranking: Sequence[Piece], task: Task) -> float:
    """Return the discounted gain: each chunk gains the share of the target that it is the first to bring.

    The ideal is the whole target at rank 1, however a chunker cuts; so this needs no other norm.
    """
    target = task.last_line - task.first_line + 1
    seen: set[int] = set()
    total = 0.0
    for rank, piece in enumerate(ranking, 1):
        if piece.path == task.path:
            rows = set(range(max(piece.first, task.first_line), min(piece.last, task.last_line) + 1))
            total += len(rows - seen) / target / math.log2(rank + 1)
            seen |= rows
    return total


def interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a mean of paired differences."""
    values = np.asarray(differences)
    random = np.random.default_rng(SEED)
    means = np.empty(RESAMPLES)
    for number in range(RESAMPLES):
        means[number] = values[random.integers(0, len(values), len(values))].mean()
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def mean(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the mean of each column, summed exactly so that no order matters."""
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]
