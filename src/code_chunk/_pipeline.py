"""The pipeline, written once: source -> slices -> entities and windows -> context -> chunks."""

from __future__ import annotations

import os
from collections import deque
from types import coroutine
from typing import TYPE_CHECKING, Self

from . import languages
from ._assemble import Assembler
from ._extract import extract
from ._measure import NwsMeasure
from ._parse import FIRST_SLICE, faults, slices
from ._scope import nest
from ._source import Buffer, check_code, open_source
from ._types import make_options
from ._windows import WindowPacker

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import BinaryIO, Unpack

    from ._source import Code
    from ._types import Chunk, ChunkOptions, OptionOverrides

_STEP = 8
"""Chunks that are made at most before an event loop gets its turn."""


def chunk(
    filepath: str | os.PathLike[str],
    code: str | bytes | BinaryIO,
    options: ChunkOptions | None = None,
    **overrides: Unpack[OptionOverrides],
) -> list[Chunk]:
    """Cut source code into chunks.

    Args:
        filepath: The file's path; its name tells the language, and it stands in the chunks' context. The
            file is not read.
        code: The source: text, UTF-8 bytes, or a binary file object.
        options: How to chunk.
        **overrides: Single options by name, laid over ``options``.

    Returns:
        The chunks in order; together their texts are the code. None for a file without any text.

    Raises:
        UnsupportedLanguageError: No language is known for the path, or by the name given.
        ChunkingError: The bytes are not UTF-8.
        TypeError: An argument has the wrong type, or an option is unknown.
        ValueError: An option is out of range.

    Example:
        >>> chunks = chunk("jar.py", "import os\\n\\ndef full():\\n    return os.sep\\n", max_chunk_size=20)
        >>> [c.text for c in chunks]
        ['import os\\n\\n', 'def full():\\n', '    return os.sep\\n']
        >>> chunks[2].context.scope[0].name
        'full'
    """
    _require_code(code)
    steps = steps_of(checked_path(filepath), code, make_options(options, overrides))
    return numbered([made for step in steps for made in step])


async def achunk(
    filepath: str | os.PathLike[str],
    code: str | bytes | BinaryIO,
    options: ChunkOptions | None = None,
    **overrides: Unpack[OptionOverrides],
) -> list[Chunk]:
    """Cut source code into chunks as `chunk` does, and let the event loop run between slices of the work.

    A slice is some 64 KiB, but as large as a top-level construct that is larger; where a file may hold one of
    many megabytes, `asyncio.to_thread` with `chunk` keeps the loop free.

    Example:
        >>> import asyncio
        >>> len(asyncio.run(achunk("a.py", "x = 1")))
        1
    """
    _require_code(code)
    chunks: list[Chunk] = []
    for step in steps_of(checked_path(filepath), code, make_options(options, overrides)):
        chunks += step
        await pause()
    return numbered(chunks)


def chunk_stream(
    filepath: str | os.PathLike[str],
    code: str | bytes | BinaryIO | None = None,
    options: ChunkOptions | None = None,
    **overrides: Unpack[OptionOverrides],
) -> ChunkStream:
    """Give the chunks of a file as they are made, for ``for`` and for ``async for``.

    Only a bounded part of the file and of its tree is in memory at a time. ``total_chunks`` is -1.

    Args:
        filepath: The file's path, as for `chunk`.
        code: The source; None reads the file at ``filepath`` piece by piece, as UTF-8.
        options: How to chunk.
        **overrides: Single options by name, laid over ``options``.

    Returns:
        An iterator and asynchronous iterator, which can be used once; `ChunkStream.close` ends it early.

    Raises:
        UnsupportedLanguageError: As for `chunk`; like the next two when the first chunk is asked for.
        ChunkingError: The bytes are not UTF-8.
        OSError: The file can not be read.
        TypeError: An argument has the wrong type, or an option is unknown.
        ValueError: An option is out of range.

    Example:
        >>> for made in chunk_stream("a.py", "x = 1\\ny = 2\\n", max_chunk_size=3):
        ...     print(made.index, made.text.strip())
        0 x = 1
        1 y = 2
    """
    check_code(code)
    return ChunkStream(steps_of(checked_path(filepath), code, make_options(options, overrides)))


class ChunkStream:
    """The chunks of one file as they are made; see `chunk_stream`."""

    def __init__(self, steps: Generator[list[Chunk], None, None]) -> None:
        self._steps = steps
        self._ready: deque[Chunk] = deque()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Chunk:
        while not self._ready:
            self._ready.extend(next(self._steps))
        return self._ready.popleft()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Chunk:
        while not self._ready:
            await pause()
            step = next(self._steps, None)
            if step is None:
                raise StopAsyncIteration
            self._ready.extend(step)
        return self._ready.popleft()

    def close(self) -> None:
        """End the stream, close its file and free what it holds."""
        self._steps.close()
        self._ready.clear()

    async def aclose(self) -> None:
        """Do the same as `close`."""
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


@coroutine
def pause() -> Generator[None, None, None]:
    """Let the event loop run other tasks once."""
    yield


def checked_path(filepath: object) -> str:
    if isinstance(filepath, str):
        return filepath
    path = os.fspath(filepath) if isinstance(filepath, os.PathLike) else filepath
    if not isinstance(path, str):
        raise TypeError(f"filepath must be str or a path of str, not {type(path).__name__}")
    return path


def _require_code(code: object) -> None:
    check_code(code)
    if code is None:
        raise TypeError(
            "code must be str, bytes or a binary file object, not None; chunk_stream reads a path"
        )


def numbered(chunks: list[Chunk]) -> list[Chunk]:
    """Tell the chunks how many they are; nobody has seen them yet."""
    for made in chunks:
        object.__setattr__(made, "total_chunks", len(chunks))
    return chunks


def steps_of(filepath: str, code: Code, options: ChunkOptions) -> Generator[list[Chunk], None, None]:
    """Run the pipeline over a file; each step gives the chunks that became ready in a bounded time."""
    with open_source(filepath, code) as read:
        buffer = Buffer(read)
        buffer.fill(FIRST_SLICE)
        language = languages.resolve(filepath, options.language, buffer.data)
        packer = WindowPacker(buffer, NwsMeasure(buffer), language, options)
        assembler = Assembler(filepath, language.name, options, buffer)
        for piece in slices(buffer, language):
            known = piece.offset + piece.end
            yield []  # an event loop gets its turn after each stage
            if options.context_mode != "none":
                entities = extract(
                    piece.root, language, piece.source, piece.offset, piece.row, piece.end, piece.column
                )
                assembler.contexts.add(nest(entities))
                yield []
            assembler.faults.extend(faults(piece))
            ready: list[Chunk] = []
            for window in packer.feed(piece):
                assembler.windows.append(window)
                ready += assembler.ready(known)
                if len(ready) >= _STEP:
                    yield ready
                    ready = []
            ready += assembler.ready(known, is_last=piece.is_last)
            buffer.release(min(assembler.needed_from, packer.needed_from))
            yield ready
