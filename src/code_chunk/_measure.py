"""How large a piece of text is: non-whitespace characters (NWS), by prefix sums."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING
from zlib import adler32

if TYPE_CHECKING:
    from ._source import Buffer

BLANK = bytes(range(0x21))
"""Whitespace: every code point up to U+0020."""
BOM = b"\xef\xbb\xbf"

NOT_COUNTED = BLANK + bytes(range(0x80, 0xC0))
"""Whitespace and continuation bytes: what is left is one byte for each character."""
_MARKS = bytes(byte not in NOT_COUNTED for byte in range(0x100))
_BLOCK = 512
DIRECT = 4 * _BLOCK
"""What is no longer than this is counted, instead of looked up."""
SUM = 0xFFFF
"""The half of an Adler-32 checksum, begun at 0, that is the sum of the bytes: of up to 65,520 marks, the NWS.

``marks.count(1)`` takes a branch for each byte, which the processor guesses wrong at most ends of words.
"""


class NwsMeasure:
    """Sizes of parts of a buffer in NWS; a BOM at the start of the file does not count."""

    __slots__ = ("_buffer", "_marks", "_origin", "_sums")

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer
        self._origin = 0
        self._marks = b""
        self._sums = [0]

    def size(self, start: int, end: int) -> int:
        """Return the NWS between two positions."""
        marks = self.marks(end)
        start -= self._origin
        end -= self._origin
        if end - start <= DIRECT:
            return adler32(marks[start:end], 0) & SUM
        return self._before(end) - self._before(start)

    def marks(self, end: int) -> bytes:
        """Return a 1 for each byte of the buffer that counts, a 0 for others, at least up to a position."""
        buffer = self._buffer
        if buffer.start != self._origin or end - buffer.start > len(self._marks):
            self._extend()
        return self._marks

    def _before(self, position: int) -> int:
        block = position // _BLOCK
        return self._sums[block] + (adler32(self._marks[block * _BLOCK : position], 0) & SUM)

    def _extend(self) -> None:
        """Sum the blocks that came into the buffer; start afresh when it has let go of its front."""
        data = self._buffer.data
        if self._buffer.start != self._origin:
            self._origin = self._buffer.start
            self._marks = b""
            self._sums = [0]
        new = data[len(self._marks) :].translate(_MARKS)
        if not self._origin and not self._marks and data.startswith(BOM):
            new = bytes(len(BOM)) + new[len(BOM) :]
        self._marks = marks = self._marks + new
        begin, stop = _BLOCK * (len(self._sums) - 1), len(marks) - _BLOCK + 1
        counts = [adler32(marks[start : start + _BLOCK], 0) & SUM for start in range(begin, stop, _BLOCK)]
        self._sums.extend(accumulate(counts, initial=self._sums.pop()))
