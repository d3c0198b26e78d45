"""Pieces -> windows: byte ranges that tile the file, each no larger than the limit.

Pieces are packed until the next one does not fit; then the best boundary in reach becomes a cut: the one of
the lowest rank, and among equals the latest, but in the second half of what fits the one that lies highest
in the tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ._parse import line_break_before
from ._pieces import CLOSER, FREE, HEADER, LEAD, LINE, NEVER_JOIN, OPENED, PARTS, Piece
from ._tiles import Opener

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ._measure import NwsMeasure
    from ._parse import Slice
    from ._source import Buffer
    from ._types import ChunkOptions
    from .languages import Language


@dataclass(slots=True)
class Window:
    """A part of the file that becomes a chunk."""

    start: int
    end: int
    size: int
    tiles: list[int]
    """Where the text of its tiles starts, if chunks overlap by tiles."""
    seams: list[tuple[int, int]] = field(default_factory=list)
    """The size in front of each place in it where only what is small joins, and how strict that place is."""


class WindowPacker:
    """Packs the pieces of one file into windows; fed with its slices in order."""

    def __init__(
        self, buffer: Buffer, measure: NwsMeasure, language: Language, options: ChunkOptions
    ) -> None:
        self._buffer = buffer
        self._limit = options.max_chunk_size
        self._parts_definitions = options.packing == "definitions"
        self._notes_tiles = options.overlap_nodes > 0
        self._opener = Opener(buffer, measure, language, self._limit, options.packing)
        self._pending: list[Piece] = []
        self._pending_size = 0
        self._held: Window | None = None

    @property
    def needed_from(self) -> int:
        """Where the text begins that is still needed."""
        return self._held.start if self._held else 0

    def feed(self, piece: Slice) -> Iterator[Window]:
        """Take in the next slice, and give the windows that are complete."""
        limit = self._limit
        for part in self._pieces(piece):
            is_apart = part.hard and self._pending and not self._takes_along(part)
            if is_apart and (window := self._emit(len(self._pending))):
                yield window
            self._pending.append(part)
            self._pending_size += part.size
            while self._pending_size > limit:
                if window := self._emit(self._best_cut()):
                    yield window
        if piece.is_last:
            if self._pending and (window := self._emit(len(self._pending))):
                yield window
            if self._held:
                self._held.end = self._buffer.end
                yield self._held

    def _pieces(self, piece: Slice) -> Iterable[Piece]:
        """The pieces of a slice; of a file that fits as a whole, itself."""
        if piece.is_last and not piece.offset and not self._parts_definitions:
            size = self._opener.measure.size(0, piece.end)
            if size <= self._limit:
                return [Piece(0, piece.end, size, FREE, 0)] if size else []
        return self._opener.fitting(piece)

    def _takes_along(self, part: Piece) -> bool:
        """Whether a unit takes along what is pending: a short header around it, or closers left over."""
        if part.rank == HEADER and self._parts_definitions and self._pending_size + part.size <= self._limit:
            return True
        if part.hard == NEVER_JOIN or not self._may_join(self._pending_size, part.hard):
            return False
        return part.rank == HEADER or all(piece.rank == CLOSER for piece in self._pending)

    def _may_join(self, size: int, hard: int) -> bool:
        """Whether something is small enough to join across a boundary."""
        return size * PARTS[hard] < self._limit

    def _best_cut(self) -> int:
        """Give the index of the pending piece in front of which the cut falls best."""
        while True:
            index = self._lowest_rank()
            rank = self._pending[index].rank
            if rank > FREE and self._open_bodies():
                continue
            if rank >= LINE and self._open_lines():
                continue
            if rank == CLOSER and self._open_groups():
                continue
            return index

    def _lowest_rank(self) -> int:
        pending, limit = self._pending, self._limit
        best, best_is_late = 1, False
        chosen, size = pending[1], pending[0].size
        for index in range(1, len(pending)):
            if size > limit:
                break
            piece = pending[index]
            rank = piece.rank
            if rank < chosen.rank or (
                rank == chosen.rank
                and (not best_is_late or piece.depth <= chosen.depth or rank in (LEAD, HEADER))
            ):
                best, chosen, best_is_late = index, piece, 2 * size >= limit
            size += piece.size
        return best

    def _open_bodies(self) -> bool:
        """Open the bodies that do not fit with their headers, so that a header keeps its first statement."""
        return self._open(lambda piece: piece.is_body)

    def _open_groups(self) -> bool:
        """Part statements from their comments, so that the last one takes its closer along."""
        return self._open(lambda piece: piece.parts is not None and not piece.is_definition)

    def _open_lines(self) -> bool:
        """Open the parts of statements that span lines, so that a cut need not fall in mid-line."""
        return self._open(self._spans_lines, shift=OPENED)

    def _spans_lines(self, piece: Piece) -> bool:
        if piece.is_whole or not piece.has_parts:
            return False
        return b"\n" in self._buffer.get(piece.start, piece.end)

    def _open(self, is_chosen: Callable[[Piece], bool], shift: int = 0) -> bool:
        """Put the parts of pending pieces in their place, their ranks shifted; False if none is chosen."""
        pending: list[Piece] = []
        is_changed = False
        for piece in self._pending:
            if not is_chosen(piece):
                pending.append(piece)
                continue
            is_changed = True
            first, *others = self._opener.opened(piece)
            for part in others:
                if shift and part.rank <= HEADER:
                    part.rank += shift
                part.is_whole |= part.is_text and not piece.is_text  # of one token, which fits
            pending += [first, *others]
        self._pending = pending
        return is_changed

    def _emit(self, count: int) -> Window | None:
        """Make a window of the first pending pieces; give the one before it, if they stay apart."""
        pending, held = self._pending, self._held
        first, self._pending = pending[0], pending[count:]
        left = sum([piece.size for piece in self._pending])
        size, self._pending_size = self._pending_size - left, left
        tiles: list[int] = []
        if self._notes_tiles:
            tiles = [piece.start for piece in pending[:count] if piece.rank == FREE or piece is first]
        if held and self._joins(held, first.hard, size):
            held.size += size
            held.tiles += tiles
            return None
        start = self._cut(first) if held else 0
        self._held = Window(start, start, size, tiles)
        if held:
            held.end = start
        return held

    def _joins(self, held: Window, hard: int, size: int) -> bool:
        """Join a new window with the one before it, if they fit together and may."""
        total = held.size + size
        if total > self._limit or hard == NEVER_JOIN:
            return False
        seams = [*held.seams, (held.size, hard)] if hard else held.seams
        if not all(self._may_join(min(size, total - size), strict) for size, strict in seams):
            return False
        held.seams = seams
        return True

    def _cut(self, piece: Piece) -> int:
        """Where a cut in front of a piece falls: its indentation goes with it."""
        data, base = self._buffer.data, self._buffer.start
        return line_break_before(data, piece.start - base) + base
