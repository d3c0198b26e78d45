"""Windows and contexts -> chunks."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from ._context import LOOKAHEAD, ContextBuilder
from ._format import BLANK, format_chunk, without_trailing_blank_lines
from ._parse import line_break_before
from ._types import ChunkContext, ParseError, new_byte_range, new_char_range, new_chunk, new_line_range

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._parse import SyntaxFault
    from ._source import Buffer
    from ._types import Chunk, ChunkOptions, LineRange
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
        context, about = self._bare, ""
        if self._options.context_mode != "none":
            last = window.end - (len(text) - len(text.rstrip(_BLANK_AND_CLOSERS)))
            context, about = self.contexts.context(window.start, window.end, last, raw, text)
        error = self._error(window.end) if self.faults else None
        if error:
            context = replace(context, parse_error=error)
        made = new_chunk(
            text=text,
            contextualized_text=self._contextualized(text, context, about),
            byte_range=new_byte_range(window.start, window.end),
            char_range=new_char_range(self._char, self._char + len(text)),
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
        body = (text if self._index else text.removeprefix("\ufeff")).lstrip(BLANK)
        first = self._row + text.count("\n", 0, len(text) - len(body))
        return new_line_range(first, first + body.rstrip(BLANK).count("\n"))

    def _contextualized(self, text: str, context: ChunkContext, about: str) -> str:
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
            text,
            context,
            before=self._overlap,
            after=after,
            style=options.context_format,
            is_minimal=options.context_mode == "minimal",
            about=about,
        )

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
