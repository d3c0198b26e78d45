"""A set, sizes, retrievers and rows -> results, each kept on disk by all that it depends on."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import bm25s

from . import dense, embedder, metrics, retrieval
from .chunking import Chunking, mean_of_characters, mean_of_chunks
from .metrics import Reader, measure
from .peers import nws
from .recipe import read_set
from .retrieval import make_retriever, rankings
from .rows import code_digest
from .store import digest, read_json, write_json
from .tasks import Bench, make_bench

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .chunking import Piece
    from .rows import Row


@dataclass(frozen=True, slots=True)
class Result:
    """What a row reached."""

    row: str
    chunks: int
    mean_size: float
    felt_size: float
    """The mean size of the chunk that a character is in."""
    held: float
    """The share of the corpus, in NWS, that the chunks hold; over 1 with overlap."""
    knobs: dict[str, int]
    errors: tuple[str, ...]
    figures: tuple[tuple[float, ...], ...]
    """For each task of the bench, its figures in the order of `METRICS`."""


class Experiment:
    """Evaluates rows on one set."""

    def __init__(self, name: str, cache: Path, languages: tuple[str, ...], mean: str = "chunk") -> None:
        self.name = name
        self.cache = cache
        self.bench: Bench = make_bench(read_set(name, cache / "packages", languages))
        self.chunking = Chunking(self.bench, cache, mean)
        self._reader = Reader(self.bench.files)
        self._total = sum(nws(file.text) for file in self.bench.files)

    def by_mean_of(self, mean: str) -> Experiment:
        """Return the same experiment with knobs that make another mean equal."""
        other = copy.copy(self)
        other.chunking = Chunking(self.bench, self.cache, mean)
        return other

    def result(self, name: str, row: Row, size: int, retriever: str) -> Result:
        """Evaluate a row, or return what was kept of it."""
        chunked = self.chunking.chunks(name, row, size)
        key = digest([self.bench.digest, chunked.key, retriever, _method(retriever)])
        kept = self.cache / "results" / f"{key}.json.gz"
        figures = read_json(kept)
        if figures is None:
            began = time.monotonic()
            figures = self._figures(chunked.pieces, retriever)
            write_json(kept, figures)
            print(f"{self.name} {size} {retriever} {name}: {time.monotonic() - began:.0f} s", flush=True)
        return Result(
            name,
            len(chunked.pieces),
            mean_of_chunks(chunked.sizes),
            mean_of_characters(chunked.sizes),
            sum(chunked.sizes) / self._total,
            chunked.knobs,
            chunked.errors,
            tuple(map(tuple, figures)),
        )

    def results(self, rows: dict[str, Row], size: int, retriever: str) -> list[Result]:
        """Evaluate rows at one size with one retriever."""
        return [self.result(name, row, size, retriever) for name, row in rows.items()]

    def _figures(self, pieces: Sequence[Piece], retriever: str) -> list[list[float]]:
        tasks = self.bench.tasks
        figures: list[list[float]] = [[] for _ in tasks]
        for number, ranking in rankings(pieces, tasks, make_retriever(retriever, self.cache)):
            figures[number] = measure(ranking, tasks[number], self._reader)
        return figures


def _method(retriever: str) -> list[str]:
    """How a ranking is made and measured; results of another way are not taken for one's own."""
    modules = [metrics, retrieval, *([dense, embedder] if retriever == "dense" else [])]
    return [bm25s.__version__, *(code_digest(Path(module.__file__ or "")) for module in modules)]
