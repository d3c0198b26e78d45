"""Windows and contexts -> chunks."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from ._context import LOOKAHEAD, ContextBuilder
from ._format import BLANK, format_chunk, without_trailing_blank_lines
from ._parse import line_break_before
from ._types import (
    ParseError,
    new_byte_range,
    new_char_range,
    new_chunk,
    new_context,
    new_line_range,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._parse import SyntaxFault
    from ._source import Buffer
    from ._types import Chunk, ChunkContext, ChunkOptions
    from ._windows import Window

_BLANK_AND_CLOSERS = BLANK + ")]};,"
_FAULTS = 3
"""How many errors a message names."""


class Assembler:
    """Makes chunks of windows, in order."""

    def __init__(self, filepath: str, language: str, options: ChunkOptions, buffer: Buffer) -> None:
        self.contexts = ContextBuilder(filepath, language, options)
        self.faults: deque[SyntaxFault] = deque()
        self.windows: deque[Window] = deque()
        self._bare = new_context(filepath, language)
        self._path = _counted(filepath)
        self._options = options
        self._overlap_lines = options.effective_overlap_lines
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
        start, end = window.start, window.end
        raw = self._buffer.get(start, end)
        text = raw.decode("utf-8", "surrogatepass")
        shown = without_trailing_blank_lines(text)
        kept = shown.rstrip(BLANK)
        context, about = self._bare, ""
        if self._options.context_mode != "none":
            last = end - (len(text) - len(kept.rstrip(_BLANK_AND_CLOSERS)))
            context, about = self.contexts.context(start, end, last, raw, text)
        error = self._error(end) if self.faults else None
        if error:
            context = replace(context, parse_error=error)
        char, row = self._char, self._row
        self._char = char + len(text)
        self._row = row + text.count("\n")
        made = new_chunk(
            text,
            self._contextualized(text, shown, context, about),
            new_byte_range(start, end),
            new_char_range(char, self._char),
            new_line_range(row + self._blank_lines(text), self._row - text.count("\n", len(kept))),
            context,
            self._index,
            -1,
            window.size,
            self._id(raw, context),
        )
        self._overlap = self._overlap_of(window, shown)
        self._index += 1
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

    def _blank_lines(self, text: str) -> int:
        """How many lines without text a chunk begins with."""
        body = (text if self._index else text.removeprefix("\ufeff")).lstrip(BLANK)
        blank = len(text) - len(body)
        return text.count("\n", 0, blank) if blank else 0

    def _contextualized(self, text: str, shown: str, context: ChunkContext, about: str) -> str:
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
        return format_chunk(
            shown,
            context,
            before=self._overlap,
            after=after,
            style=options.context_format,
            is_minimal=options.context_mode == "minimal",
            about=about,
        )

    def _overlap_of(self, window: Window, shown: str) -> str:
        """What the next chunk's contextualized text repeats of this one."""
        options = self._options
        if options.overlap_nodes:
            start = window.start
            if options.overlap_nodes < len(window.tiles):
                start = self._line_start(window.tiles[-options.overlap_nodes])
            return self._buffer.get(start, window.end).decode("utf-8", "surrogatepass")
        count = self._overlap_lines
        if not count:
            return ""
        lines = shown.rsplit("\n", count)
        return shown[len(lines[0]) + 1 :] if len(lines) > count else shown

    def _line_start(self, position: int) -> int:
        return self._buffer.start + line_break_before(self._buffer.data, position - self._buffer.start)

    def _id(self, raw: bytes, context: ChunkContext) -> str:
        """A digest of path, scope and text; of equal ones in a file, each has its number in it as well."""
        scope = [_counted(entity.name) for entity in context.scope]
        key = blake2b(b"".join((self._path, *scope, b"=", raw)), digest_size=16).digest()
        count = self._seen.get(key, 0)
        self._seen[key] = count + 1
        return blake2b(key + b"%d" % count, digest_size=16).hexdigest() if count else key.hex()


def _counted(name: str) -> bytes:
    """A name with its length in front, so that names in a row can not be mistaken."""
    encoded = name.encode("utf-8", "surrogatepass")
    return b"%d:" % len(encoded) + encoded
