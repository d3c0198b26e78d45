"""How large a piece of text is: non-whitespace characters (NWS), by prefix sums."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._source import Buffer

BLANK = bytes(range(0x21))
"""Whitespace: every code point up to U+0020."""
BOM = b"\xef\xbb\xbf"
BOM_END = len(BOM)

NOT_COUNTED = BLANK + bytes(range(0x80, 0xC0))
"""Whitespace and continuation bytes: what is left is one byte for each character."""
_BLOCK = 512
DIRECT = 2 * _BLOCK
"""What is no longer than this is counted, instead of looked up."""


class NwsMeasure:
    """Sizes of parts of a buffer in NWS; a BOM at the start of the file does not count."""

    __slots__ = ("_buffer", "_origin", "_sums")

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._origin = 0
        self._sums = [0]

    def size(self, start: int, end: int) -> int:
        """Return the NWS between two positions."""
        buffer = self._buffer
        origin = buffer.start
        if start < BOM_END and buffer.get(0, BOM_END) == BOM:
            start = min(BOM_END, end)
        if end - start <= DIRECT:
            return len(buffer.data[start - origin : end - origin].translate(None, NOT_COUNTED))
        if origin != self._origin or (end - origin) // _BLOCK >= len(self._sums):
            self._extend()
        return self._before(end) - self._before(start)

    def _before(self, position: int) -> int:
        block = (position - self._origin) // _BLOCK
        begin = self._origin + block * _BLOCK
        return self._sums[block] + len(self._buffer.get(begin, position).translate(None, NOT_COUNTED))

    def _extend(self) -> None:
        """Sum the blocks that came into the buffer; start afresh when it has let go of its front."""
        buffer = self._buffer
        if buffer.start != self._origin:
            self._origin = buffer.start
            self._sums = [0]
        data = buffer.get(self._origin + _BLOCK * (len(self._sums) - 1), buffer.end)
        counts = (
            len(data[begin : begin + _BLOCK].translate(None, NOT_COUNTED))
            for begin in range(0, len(data) - _BLOCK + 1, _BLOCK)
        )
        self._sums.extend(accumulate(counts, initial=self._sums.pop()))
