"""The order of the output: that of the files, while results come in any order."""

from __future__ import annotations

import pickle
import tempfile
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Iterable, Iterator

    from code_chunk import BatchResult

    from ._sources import Source

_HELD_CHUNKS = 20_000
"""Chunks that wait in memory for their turn; further ones wait on disk."""


def in_order(results: Iterable[BatchResult], pending: deque[Source]) -> Iterator[tuple[Source, BatchResult]]:
    """Give results that come in any order in that of the files."""
    with _Waiting() as waiting:
        for result in results:
            waiting.add(result)
            while pending and pending[0].filepath in waiting:
                source = pending.popleft()
                yield source, waiting.pop(source.filepath)


class _Waiting:
    """Results before their turn: in memory, but for those beyond a limit."""

    def __init__(self) -> None:
        self._held: dict[str, BatchResult] = {}
        self._chunks = 0
        self._stored: dict[str, int] = {}
        self._file = tempfile.TemporaryFile()  # noqa: SIM115, closed by __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __contains__(self, filepath: str) -> bool:
        return filepath in self._held or filepath in self._stored

    def add(self, result: BatchResult) -> None:
        """Keep a result."""
        if self._chunks > _HELD_CHUNKS:
            self._stored[result.filepath] = self._file.seek(0, 2)
            pickle.dump(result, self._file, pickle.HIGHEST_PROTOCOL)
        else:
            self._held[result.filepath] = result
            self._chunks += len(result.chunks or ())

    def pop(self, filepath: str) -> BatchResult:
        """Give a result back."""
        result: BatchResult
        if filepath in self._held:
            result = self._held.pop(filepath)
            self._chunks -= len(result.chunks or ())
        else:
            self._file.seek(self._stored.pop(filepath))
            result = pickle.load(self._file)
            if not self._stored:
                self._file.truncate(0)
        return result
