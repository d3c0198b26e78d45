"""Nodes -> pieces: the parts of a file that may be packed, and how good a cut between two of them is.

A piece that fits into a chunk stays whole. One that does not is opened: its node's children, and the text
between them that no child covers, become pieces in its place. Each boundary between two pieces has a rank,
which says how bad a cut there would be; comments, attributes and decorators form one piece with what they
lead, as long as the whole fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from ._parse import blank_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from ._measure import NwsMeasure
    from ._parse import Slice
    from ._source import Buffer
    from .languages import Language

# Ranks of boundaries, from the best place for a cut to the worst; up to OPENED + HEADER at a line's start.
FREE = 0  # between two tiles
LEAD = 1  # between a comment, attribute or decorator and what it leads
HEADER = 2  # inside a header, or between a header and its first statement
OPENED = 3  # added to the above inside what would fit, opened because its line does not
LINE = 6  # in mid-line, between two nodes or words
CHARACTER = 7  # inside a word
CLOSER = 8  # in front of a closer or separator

# How strictly a boundary keeps the chunks on its two sides apart.
CRUMBS_JOIN = 1
NEVER_JOIN = 2

# What a piece leads.
_NOTHING = 0
_TOUCHING = 1  # a comment: what follows without an empty line
_NEXT = 2  # an attribute: what follows

_RUNS = 8
"""A word over the limit is cut into runs of an eighth of the limit."""
_TEXT = re.compile(rb"[^\x00-\x20]")
_WORD = re.compile(rb"[^\x00-\x20]+")
_CLOSERS = b")]}>;,"
_SEPARATORS = (b",", b";")
_PUNCTUATION = re.compile(rb"[^\w\x80-\xff]+")


@dataclass(slots=True)
class Piece:
    """A part of the file that may be packed: a node, a group of pieces that belong together, or text."""

    start: int
    """Its first byte that is not blank."""
    end: int
    """The byte behind its last that is not blank."""
    size: int
    rank: int
    """Of the boundary in front of it."""
    depth: int
    """How many nodes were opened to get at it."""
    node: Node | None = None
    offset: int = 0
    """Where the slice of the node starts."""
    parts: list[Piece] | None = None
    """Of a group."""
    lines: int = 0
    """Line ends between it and what stands before."""
    leads: int = _NOTHING
    glues: bool = False
    """True for an opening bracket, an operator or a keyword: the next piece belongs to it."""
    is_whole: bool = False
    """True for a statement, definition or comment: not opened when it fits."""
    is_definition: bool = False
    hard: int = 0
    """How strictly the boundary in front of it parts chunks."""
    ends_hard: int = 0
    """How strictly the boundary behind it does."""

    @property
    def has_parts(self) -> bool:
        """Whether it is more than one token or bare text."""
        return bool(self.parts or (self.node and self.node.child_count))


class Opener:
    """Makes the pieces of one file, opening what is over the limit."""

    def __init__(self, buffer: Buffer, measure: NwsMeasure, language: Language, limit: int) -> None:
        self._buffer = buffer
        self._measure = measure
        self._language = language
        self._limit = limit
        self._hard_next = 0

    def fitting(self, piece: Slice) -> Iterator[Piece]:
        """Give the pieces of a slice in order, each of which fits."""
        end = piece.offset + piece.end
        root = Piece(piece.offset, end, 0, FREE, -1, piece.root, piece.offset)
        stack = [(iter(self._children(root, piece.nodes, is_root=True)), 0)]
        while stack:  # no recursion: the source decides how deep it would go
            pieces, ends_hard = stack[-1]
            for part in pieces:
                if part.size > self._limit:
                    stack.append((iter(self.opened(part)), part.ends_hard))
                    break
                self._harden(part)
                yield part
                self._hard_next = max(self._hard_next, part.ends_hard)
            else:
                stack.pop()
                self._hard_next = max(self._hard_next, ends_hard)

    def _harden(self, piece: Piece) -> None:
        """Let the end of a unit that was cut part chunks at the next line that does not belong to it."""
        if self._hard_next and piece.rank < LINE:
            piece.hard = max(piece.hard, self._hard_next)
            self._hard_next = 0

    def opened(self, piece: Piece) -> Iterable[Piece]:
        """Give the parts of a piece; the first of them takes over the boundary in front of it."""
        parts: Iterator[Piece]
        if piece.parts:
            parts = iter(piece.parts)
        elif piece.node and piece.has_parts:
            parts = iter(self._children(piece, piece.node.children))
        else:
            parts = self._text(piece)
        first = next(parts)
        first.rank, first.hard = piece.rank, piece.hard
        return chain((first,), parts)

    def _children(self, parent: Piece, nodes: list[Node], *, is_root: bool = False) -> list[Piece]:
        """Give the pieces of a node, in groups of what belongs together."""
        assert parent.node
        kind = parent.node.type
        is_block = is_root or kind in self._language.blocks
        is_definition = not is_block and kind in self._language.definitions
        has_statement = is_root or not is_block
        last = None if is_root else len(nodes) - 1
        pieces: list[Piece] = []
        for index, node in enumerate(nodes):
            piece = self._node_piece(parent, node, pieces)
            if piece is None:
                continue
            piece.is_whole |= is_block and node.is_named
            if self._is_closer(node, piece, is_last=index == last):
                piece.rank = CLOSER
            elif pieces and not piece.lines:
                piece.rank = LINE
            elif (
                is_definition
                or not has_statement
                or (pieces and pieces[-1].glues)
                or (not is_block and node.type in self._language.blocks)
            ):
                piece.rank = HEADER
            if not has_statement and node.is_named and not piece.leads:
                has_statement = not self._is_docstring(node)
            pieces.append(piece)
        self._add_gap(parent, parent.end, pieces)
        return self._grouped(pieces, may_be_units=is_block)

    def _node_piece(self, parent: Piece, node: Node, pieces: list[Piece]) -> Piece | None:
        """Make the piece of a child, behind one of the text in front of it that no child covers."""
        language = self._language
        data, base = self._buffer.data, self._buffer.start
        start, end = node.start_byte + parent.offset - base, node.end_byte + parent.offset - base
        if start < parent.start - base:
            start = parent.start - base
        if start >= end:
            return None
        if data[start] <= 0x20:
            text = _TEXT.search(data, start, end)
            if text is None:
                return None
            start = text.start()
        if data[end - 1] <= 0x20:
            end = blank_start(data, end)
        start += base
        end += base
        self._add_gap(parent, start, pieces)
        size = self._measure.size(start, end)
        if not size:
            return None
        piece = Piece(start, end, size, FREE, parent.depth + 1, node, parent.offset)
        before = pieces[-1].end - base if pieces else blank_start(data, start - base)
        piece.lines = data.count(b"\n", before, start - base)
        kind = node.type
        if kind in language.attach:
            piece.leads = _NEXT
        elif node.is_extra and node.is_named and not node.is_error:
            piece.is_whole = True
            # a comment behind a statement on its line belongs to that one
            if not pieces or piece.lines or pieces[-1].leads:
                piece.leads = _TOUCHING
        elif not node.is_named:
            piece.glues = self._buffer.get(start, end) not in _SEPARATORS
        piece.is_definition = kind in language.definitions
        piece.is_whole |= piece.is_definition or kind in language.statements
        return piece

    def _add_gap(self, parent: Piece, until: int, pieces: list[Piece]) -> None:
        """Add the text since the last piece that no node covers, if there is any."""
        before = pieces[-1].end if pieces else parent.start
        if before >= until:
            return
        data, base = self._buffer.data, self._buffer.start
        text = _TEXT.search(data, before - base, until - base)
        if text is None:
            return
        start, end = text.start() + base, blank_start(data, until - base) + base
        size = self._measure.size(start, end)
        if size:
            lines = data.count(b"\n", before - base, start - base)
            rank = FREE if lines else LINE
            pieces.append(Piece(start, end, size, rank, parent.depth + 1, lines=lines))

    def _is_closer(self, node: Node, piece: Piece, *, is_last: bool) -> bool:
        """Whether a node only ends or separates what stands before it."""
        if node.type in self._language.closers:
            return True
        if node.is_named and piece.end - piece.start > 4:
            return False
        text = self._buffer.get(piece.start, piece.end)
        if not text.strip(_CLOSERS):
            return True
        if text == b":" and not node.is_named:
            return True
        return is_last and (not node.is_named or bool(_PUNCTUATION.fullmatch(text)))

    def _is_docstring(self, node: Node) -> bool:
        """Whether a block's first statement only documents what the block belongs to."""
        kinds = self._language.docstrings
        if not kinds or node.named_child_count != 1:
            return False
        child = node.named_child(0)
        return child is not None and child.type in kinds

    def _grouped(self, pieces: list[Piece], *, may_be_units: bool) -> list[Piece]:
        """Join each piece with the comments and attributes that lead it, where the whole fits."""
        groups: list[Piece] = []
        begin = 0
        for end in range(1, len(pieces) + 1):
            before = pieces[end - 1]
            if before.leads and end < len(pieces) and _belongs(before, pieces[end]):
                pieces[end].rank = LEAD if pieces[end].lines else LINE
            else:
                groups.extend(self._unit(pieces[begin:end], may_be_unit=may_be_units))
                begin = end
        return groups

    def _unit(self, parts: list[Piece], *, may_be_unit: bool) -> list[Piece]:
        """Make one piece of parts that belong together, or mark them as a unit that must be cut."""
        first, last = parts[0], parts[-1]
        size = sum(part.size for part in parts)
        if size > self._limit:
            if may_be_unit and last.is_definition:
                strictness = NEVER_JOIN if last.size <= self._limit else CRUMBS_JOIN
                first.hard = last.ends_hard = strictness
            return parts
        if len(parts) == 1:
            return parts
        group = Piece(first.start, last.end, size, first.rank, first.depth, parts=parts, lines=first.lines)
        group.is_whole = last.is_whole
        group.is_definition = last.is_definition
        return [group]

    def _text(self, piece: Piece) -> Iterator[Piece]:
        """Cut bare text at line ends; a line at blanks; a word between characters."""
        text = self._buffer.get(piece.start, piece.end)
        if b"\n" in text:
            return self._lines(piece, text)
        if _WORD.fullmatch(text):
            return self._runs(piece, text)
        return self._words(piece, text)

    def _lines(self, piece: Piece, text: bytes) -> Iterator[Piece]:
        position = 0
        while position < len(text):
            line_end = text.find(b"\n", position) + 1 or len(text)
            word = _TEXT.search(text, position, line_end)
            if word:
                start, end = word.start(), blank_start(text, line_end)
                # the last line of a comment or literal may be no more than its end
                is_end = line_end == len(text) and _PUNCTUATION.fullmatch(text, start, end)
                yield self._text_piece(piece, start, end, CLOSER if is_end else FREE)
            position = line_end

    def _words(self, piece: Piece, text: bytes) -> Iterator[Piece]:
        for word in _WORD.finditer(text):
            yield self._text_piece(piece, word.start(), word.end(), LINE)

    def _runs(self, piece: Piece, text: bytes) -> Iterator[Piece]:
        characters = text.decode("utf-8", "surrogatepass")
        length = max(1, self._limit // _RUNS)
        start = 0
        for index in range(0, len(characters), length):
            run = characters[index : index + length]
            end = start + len(run.encode("utf-8", "surrogatepass"))
            yield self._text_piece(piece, start, end, CHARACTER)
            start = end

    def _text_piece(self, piece: Piece, start: int, end: int, rank: int) -> Piece:
        start, end = piece.start + start, piece.start + end
        return Piece(start, end, self._measure.size(start, end), rank, piece.depth + 1)


def _belongs(before: Piece, piece: Piece) -> bool:
    """Whether a comment or attribute leads the piece that follows it."""
    return piece.rank != CLOSER and (before.leads == _NEXT or piece.lines < 2)
