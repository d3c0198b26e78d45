"""The pipeline, written once: source -> slices -> entities and windows -> context -> chunks."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import replace
from hashlib import blake2b
from types import coroutine
from typing import TYPE_CHECKING, Self

from . import languages
from ._context import LOOKAHEAD, ContextBuilder
from ._extract import extract
from ._format import format_chunk, without_trailing_blank_lines
from ._measure import NwsMeasure
from ._parse import SLICE, SyntaxFault, faults, line_break_before, slices
from ._scope import nest
from ._source import Buffer, check_code, open_source
from ._types import (
    ByteRange,
    CharRange,
    Chunk,
    ChunkContext,
    ChunkOptions,
    LineRange,
    ParseError,
    make_options,
)
from ._windows import WindowPacker

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import BinaryIO, Unpack

    from ._source import Code
    from ._types import OptionOverrides
    from ._windows import Window

_STEP = 32
"""Chunks that are made at most before an event loop gets its turn."""
_BLANK = "".join(map(chr, range(0x21)))
_FAULTS = 3


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
    steps = _steps(_checked_path(filepath), code, make_options(options, overrides))
    return _numbered([made for step in steps for made in step])


async def achunk(
    filepath: str | os.PathLike[str],
    code: str | bytes | BinaryIO,
    options: ChunkOptions | None = None,
    **overrides: Unpack[OptionOverrides],
) -> list[Chunk]:
    """Cut source code into chunks as `chunk` does, and let the event loop run between slices of the work.

    Example:
        >>> import asyncio
        >>> len(asyncio.run(achunk("a.py", "x = 1")))
        1
    """
    _require_code(code)
    chunks: list[Chunk] = []
    for step in _steps(_checked_path(filepath), code, make_options(options, overrides)):
        chunks += step
        await _pause()
    return _numbered(chunks)


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
    return ChunkStream(_steps(_checked_path(filepath), code, make_options(options, overrides)))


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
            await _pause()
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
        self, filepath: str | os.PathLike[str], code: str | bytes | BinaryIO, **overrides: Unpack[OptionOverrides]
    ) -> list[Chunk]:
        """Cut source code into chunks; see `code_chunk.chunk`."""
        return chunk(filepath, code, self.options, **overrides)

    async def achunk(
        self, filepath: str | os.PathLike[str], code: str | bytes | BinaryIO, **overrides: Unpack[OptionOverrides]
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


@coroutine
def _pause() -> Generator[None, None, None]:
    """Let the event loop run other tasks once."""
    yield


def _checked_path(filepath: object) -> str:
    path = os.fspath(filepath) if isinstance(filepath, os.PathLike) else filepath
    if not isinstance(path, str):
        raise TypeError(f"filepath must be str or a path of str, not {type(path).__name__}")
    return path


def _require_code(code: object) -> None:
    check_code(code)
    if code is None:
        raise TypeError("code must be str, bytes or a binary file object, not None; chunk_stream reads a path")


def _numbered(chunks: list[Chunk]) -> list[Chunk]:
    """Tell the chunks how many they are; nobody has seen them yet."""
    for made in chunks:
        object.__setattr__(made, "total_chunks", len(chunks))
    return chunks


def _steps(filepath: str, code: Code, options: ChunkOptions) -> Generator[list[Chunk], None, None]:
    """Run the pipeline over a file; each step gives the chunks that became ready in a bounded time."""
    with open_source(filepath, code) as read:
        buffer = Buffer(read)
        buffer.fill(SLICE)
        language = languages.resolve(filepath, options.language, buffer.data)
        packer = WindowPacker(buffer, NwsMeasure(buffer), language, options.max_chunk_size)
        assembler = _Assembler(filepath, language.name, options, buffer)
        for piece in slices(buffer, language):
            known = piece.offset + piece.end
            if options.context_mode != "none":
                entities = extract(piece.root, language, piece.source, piece.offset, piece.row, piece.end)
                assembler.contexts.add(nest(entities))
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


class _Assembler:
    """Makes chunks of windows, in order."""

    def __init__(self, filepath: str, language: str, options: ChunkOptions, buffer: Buffer) -> None:
        self.contexts = ContextBuilder(filepath, language, options)
        self.faults: deque[SyntaxFault] = deque()
        self.windows: deque[Window] = deque()
        self._bare = ChunkContext(filepath, language)
        self._options = options
        self._buffer = buffer
        self._lookahead = LOOKAHEAD if options.context_mode == "full" else 0
        self._index = 0
        self._char = 0
        self._row = 0
        self._overlap = ""
        self._seen: dict[bytes, int] = {}

    @property
    def needed_from(self) -> int:
        """Where the text begins that is still needed."""
        return self.windows[0].start if self.windows else self._buffer.end

    def ready(self, known: int, *, is_last: bool = False) -> Iterator[Chunk]:
        """Make chunks of the windows about which all is known, given the entities up to ``known``."""
        least = 2 if self._options.overlap_nodes and not is_last else 1
        while len(self.windows) >= least and (is_last or self.windows[0].end + self._lookahead <= known):
            yield self._chunk(self.windows.popleft())

    def _chunk(self, window: Window) -> Chunk:
        raw = self._buffer.get(window.start, window.end)
        text = raw.decode("utf-8", "surrogatepass")
        context = self._bare
        if self._options.context_mode != "none":
            last = window.end - (len(text) - len(text.rstrip(_BLANK + ")]};,")))
            context = self.contexts.context(window.start, window.end, last, raw, text)
        error = self._error(window.end) if self.faults else None
        if error:
            context = replace(context, parse_error=error)
        made = Chunk(
            text=text,
            contextualized_text=self._contextualized(text, context),
            byte_range=ByteRange(window.start, window.end),
            char_range=CharRange(self._char, self._char + len(text)),
            line_range=self._lines(text),
            context=context,
            index=self._index,
            total_chunks=-1,
            size=window.size,
            id=self._id(raw, context),
        )
        self._overlap = self._overlap_of(window, text)
        self._index += 1
        self._char += len(text)
        self._row += text.count("\n")
        return made

    def _error(self, end: int) -> ParseError | None:
        """The errors that begin in front of ``end`` and were not told yet."""
        found = []
        while self.faults and (self.faults[0].byte < end or end == self._buffer.end):
            found.append(self.faults.popleft())
        if not found:
            return None
        message = "; ".join(fault.text for fault in found[:_FAULTS])
        if len(found) > _FAULTS:
            message += f"; ... and {len(found) - _FAULTS} more"
        return ParseError(message, all(fault.is_recovered for fault in found))

    def _lines(self, text: str) -> LineRange:
        body = (text if self._index else text.removeprefix("\ufeff")).lstrip(_BLANK)
        first = self._row + text.count("\n", 0, len(text) - len(body))
        return LineRange(first, first + body.rstrip(_BLANK).count("\n"))

    def _contextualized(self, text: str, context: ChunkContext) -> str:
        options = self._options
        if options.context_mode == "none":
            return text
        after = ""
        if options.overlap_nodes and self.windows:
            following = self.windows[0]
            stop = following.end
            if options.overlap_nodes < len(following.tiles):
                stop = self._line_start(following.tiles[options.overlap_nodes])
            after = self._buffer.get(following.start, stop).decode("utf-8", "surrogatepass")
        return format_chunk(text, context, before=self._overlap, after=after, style=options.context_format)

    def _overlap_of(self, window: Window, text: str) -> str:
        """What the next chunk's contextualized text repeats of this one."""
        options = self._options
        if options.overlap_nodes:
            start = window.start
            if options.overlap_nodes < len(window.tiles):
                start = self._line_start(window.tiles[-options.overlap_nodes])
            return self._buffer.get(start, window.end).decode("utf-8", "surrogatepass")
        count = options.effective_overlap_lines
        if not count:
            return ""
        return "\n".join(without_trailing_blank_lines(text).rsplit("\n", count)[-count:])

    def _line_start(self, position: int) -> int:
        return self._buffer.start + line_break_before(self._buffer.data, position - self._buffer.start)

    def _id(self, raw: bytes, context: ChunkContext) -> str:
        """A digest of path, scope and text; of equal ones in a file, each has its number in it as well."""
        digest = blake2b(digest_size=16)
        for part in (context.filepath, *(entity.name for entity in context.scope)):
            name = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(name) + name)
        digest.update(b"=" + raw)
        key = digest.digest()
        count = self._seen.get(key, 0)
        self._seen[key] = count + 1
        return blake2b(key + b"%d" % count, digest_size=16).hexdigest() if count else key.hex()
