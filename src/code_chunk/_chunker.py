"""The functions of the package with options of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._pipeline import achunk, chunk, chunk_stream
from ._source import STRICT
from ._types import make_options

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable
    from typing import BinaryIO, Unpack

    from ._batch import BatchItem, BatchStream, OnProgress
    from ._pipeline import ChunkStream
    from ._tasks import BatchResult
    from ._types import Chunk, ChunkOptions, OptionOverrides


class Chunker:
    """The functions of this package with options of its own; can be pickled.

    Example:
        >>> len(Chunker(ChunkOptions(max_chunk_size=3)).chunk("a.py", "x = 1\\ny = 2\\n"))
        2
    """

    def __init__(self, options: ChunkOptions | None = None, **overrides: Unpack[OptionOverrides]) -> None:
        self.options = make_options(options, overrides)

    def __repr__(self) -> str:
        return f"Chunker({self.options!r})"

    def chunk(
        self,
        filepath: str | os.PathLike[str],
        code: str | bytes | BinaryIO,
        **overrides: Unpack[OptionOverrides],
    ) -> list[Chunk]:
        """Cut source code into chunks; see `code_chunk.chunk`."""
        return chunk(filepath, code, self.options, **overrides)

    async def achunk(
        self,
        filepath: str | os.PathLike[str],
        code: str | bytes | BinaryIO,
        **overrides: Unpack[OptionOverrides],
    ) -> list[Chunk]:
        """Cut source code into chunks in an event loop; see `code_chunk.achunk`."""
        return await achunk(filepath, code, self.options, **overrides)

    def stream(
        self,
        filepath: str | os.PathLike[str],
        code: str | bytes | BinaryIO | None = None,
        **overrides: Unpack[OptionOverrides],
    ) -> ChunkStream:
        """Give chunks as they are made; see `code_chunk.chunk_stream`."""
        return chunk_stream(filepath, code, self.options, **overrides)

    def chunk_batch(
        self,
        files: Iterable[BatchItem],
        *,
        concurrency: int | None = None,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
        encoding: str = STRICT,
        **overrides: Unpack[OptionOverrides],
    ) -> list[BatchResult]:
        """Chunk many files in worker processes; see `code_chunk.chunk_batch`."""
        from ._batch import chunk_batch

        return chunk_batch(
            files,
            concurrency=concurrency,
            on_progress=on_progress,
            timeout=timeout,
            encoding=encoding,
            options=self.options,
            **overrides,
        )

    async def achunk_batch(
        self,
        files: Iterable[BatchItem],
        *,
        concurrency: int | None = None,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
        encoding: str = STRICT,
        **overrides: Unpack[OptionOverrides],
    ) -> list[BatchResult]:
        """Chunk many files, and let the event loop run meanwhile; see `code_chunk.achunk_batch`."""
        from ._batch import achunk_batch

        return await achunk_batch(
            files,
            concurrency=concurrency,
            on_progress=on_progress,
            timeout=timeout,
            encoding=encoding,
            options=self.options,
            **overrides,
        )

    def chunk_batch_stream(
        self,
        files: Iterable[BatchItem],
        *,
        concurrency: int | None = None,
        on_progress: OnProgress | None = None,
        timeout: float | None = None,
        encoding: str = STRICT,
        **overrides: Unpack[OptionOverrides],
    ) -> BatchStream:
        """Give the results of many files as they complete; see `code_chunk.chunk_batch_stream`."""
        from ._batch import chunk_batch_stream

        return chunk_batch_stream(
            files,
            concurrency=concurrency,
            on_progress=on_progress,
            timeout=timeout,
            encoding=encoding,
            options=self.options,
            **overrides,
        )


def create_chunker(options: ChunkOptions | None = None, **overrides: Unpack[OptionOverrides]) -> Chunker:
    """Make a `Chunker`, which keeps options for many calls.

    Raises:
        TypeError: An option has the wrong type or is unknown.
        ValueError: An option is out of range.

    Example:
        >>> chunker = create_chunker(max_chunk_size=500)
        >>> chunker.chunk("a.py", "x = 1")[0].text
        'x = 1'
    """
    return Chunker(options, **overrides)
