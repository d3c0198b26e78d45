"""Text over the limit that no node parts -> pieces: a long literal, a comment, an unknown word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._parse import blank_start, is_continuation
from ._pieces import CHARACTER, CLOSER, FREE, LINE, Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._measure import NwsMeasure
    from ._source import Buffer

LONGEST_CLOSER = 4
"""Bytes; what is longer says more than that something ends."""
_RUNS = 4
"""Text over the limit is cut into runs of up to a quarter of the limit."""
_TEXT = re.compile(rb"[^\x00-\x20]")
_LAST_BLANK = re.compile(rb".*[\x00-\x20]", re.DOTALL)
_PUNCTUATION = re.compile(rb"[^\w\x80-\xff]+")


def runs_of(piece: Piece, buffer: Buffer, measure: NwsMeasure, limit: int) -> Iterator[Piece]:
    """Cut bare text into runs: at line ends, else at blanks, else between characters."""
    data, base = buffer.data, buffer.start
    length = max(1, limit // _RUNS)  # in bytes: no more than that many characters
    start, rank = piece.start, piece.rank
    while start < piece.end:
        until, following = piece.end, FREE
        if until - start > length:
            until, following = _break(data, start - base, start - base + length)
            until += base
        is_short = start > piece.start and piece.end - start <= LONGEST_CLOSER
        if is_short and is_punctuation(data[start - base : piece.end - base]):
            rank = CLOSER  # the last line of a comment or literal may be no more than its end
        end = blank_start(data, until - base) + base
        yield Piece(start, end, measure.size(start, end), rank, piece.depth + 1, is_whole=True)
        start, rank = trimmed(data, until - base, piece.end - base)[0] + base, following


def _break(data: bytes, start: int, until: int) -> tuple[int, int]:
    """Where text is best cut up to a position, and the rank of that place."""
    line = data.rfind(b"\n", start, until) + 1
    if line:
        return line, FREE
    blank = _LAST_BLANK.match(data, start, until)
    if blank:
        return blank.end(), LINE
    while is_continuation(data, until):
        until -= 1
    if until == start:  # not even one character
        until += 1
        while is_continuation(data, until):
            until += 1
    return until, CHARACTER


def is_punctuation(text: bytes) -> bool:
    return bool(_PUNCTUATION.fullmatch(text))


def trimmed(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Leave the blank out at both ends; an empty range when there is nothing else."""
    text = _TEXT.search(data, start, end) if start < end else None
    return (text.start(), blank_start(data, end)) if text else (end, end)


def whole_characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Move the edges of a node out of characters: a lexer may stop inside of a lone surrogate."""
    while is_continuation(data, start):
        start -= 1
    while is_continuation(data, end):
        end += 1
    return start, end
