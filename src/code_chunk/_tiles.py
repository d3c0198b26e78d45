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
    from collections.abc import Iterable, Iterator, Sequence

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
_LONGEST_CLOSER = 4
_SEPARATORS = (b",", b";")
_PUNCTUATION = re.compile(rb"[^\w\x80-\xff]+")


@dataclass(slots=True, eq=False)
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
    taken_in: Sequence[Node] = ()
    """Comments in front of the node that count as its first children."""
    is_whole: bool = False
    """True for a statement, definition or comment: not opened when it fits."""
    is_definition: bool = False
    hard: int = 0
    """How strictly the boundary in front of it parts chunks."""
    ends_hard: int = 0
    """How strictly the boundary behind it does."""

    @property
    def is_text(self) -> bool:
        """Whether it is bare text that no node covers."""
        return not self.node and not self.parts

    @property
    def has_parts(self) -> bool:
        """Whether it is more than one token."""
        return bool(self.parts or not self.node or self.node.child_count)


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
        elif piece.node and piece.node.child_count:
            parts = iter(self._children(piece, [*piece.taken_in, *piece.node.children]))
        else:
            parts = self._text(piece)
        first = next(parts)
        first.rank, first.hard = piece.rank, max(first.hard, piece.hard)
        return chain((first,), parts)

    def is_body(self, piece: Piece) -> bool:
        """Whether a piece is the whole body of what its header stands in front of."""
        return piece.node is not None and not piece.is_whole and piece.node.type in self._language.blocks

    def _children(self, parent: Piece, nodes: list[Node], *, is_root: bool = False) -> list[Piece]:
        """Give the pieces of a node: its children, each in one piece with what leads it, where that fits."""
        language, data = self._language, self._buffer.data
        base, shift = self._buffer.start, parent.offset - self._buffer.start
        kind = parent.node.type if parent.node else ""
        is_block = is_root or kind in language.blocks
        is_definition = not is_block and kind in language.definitions
        if is_block:
            nodes = self._without_lists(nodes)
        has_statement = is_root or not is_block
        pieces: list[Piece] = []
        group: list[Piece] = []
        leads, glues = _NOTHING, False
        # positions in the buffer's data; `before` is where the text in front of a node ends
        before = blank_start(data, parent.start - base) if is_root else parent.start - base
        last = len(nodes) - 1
        for index, node in enumerate(nodes):
            start, end = max(before, node.start_byte + shift), node.end_byte + shift
            if start >= end or data[start] <= 0x20 or data[end - 1] <= 0x20:
                start, end = _trimmed(data, start, end)
            gap = data[before:start]
            if gap and not gap.isspace():
                text = self._gap(parent, before, start)
                if text:
                    pieces += self._unit(group, may_be_unit=is_block)
                    group, leads, glues = [text], _NOTHING, False
                    before = text.end - base
                    gap = data[before:start]
            if start >= end:
                continue
            lines = gap.count(b"\n") if gap else 0
            size = self._measure.size(start + base, end + base)
            piece = Piece(start + base, end + base, size, FREE, parent.depth + 1, node, parent.offset)
            kind, is_named = node.type, node.is_named
            piece.is_definition = kind in language.definitions
            is_comment = is_named and node.is_extra and not node.is_error
            is_first = not group
            is_last = index == last and not is_root
            if self._is_closer(kind, data[start : min(end, start + 5)], is_named=is_named, is_last=is_last):
                piece.rank = CLOSER
            elif not lines and not is_first:
                piece.rank = LINE
            elif (
                is_definition or glues or not has_statement or (not is_block and kind in language.blocks)
            ):
                piece.rank = HEADER
            # a definition that is but a part of one on its line, `export class` or `var x`, is none by itself
            piece.is_whole = (
                (piece.is_definition and not (is_definition and piece.rank == LINE))
                or is_comment
                or (is_block and is_named)
                or kind in language.statements
            )
            if leads == _TOUCHING and not is_block and kind in language.blocks:
                # Python's grammar leaves the comments in front of a body's first statement outside of the body
                group = [_with_comments(piece, group)]
            elif leads and piece.rank != CLOSER and (leads == _NEXT or lines < 2):
                piece.rank = LEAD if lines else LINE
                group.append(piece)
            else:
                pieces += self._unit(group, may_be_unit=is_block)
                group = [piece]
            if kind in language.attach:
                leads = _NEXT
            elif is_comment:
                # a comment behind something on its line belongs to that
                leads = _TOUCHING if lines or is_first or leads else _NOTHING
            else:
                leads = _NOTHING
                if is_named and not has_statement:
                    has_statement = not self._is_docstring(node)
            glues = not is_named and data[start:end] not in _SEPARATORS
            before = end
        pieces += self._unit(group, may_be_unit=is_block)
        text = self._gap(parent, before, parent.end - base)
        return [*pieces, text] if text else pieces

    def _without_lists(self, nodes: list[Node]) -> list[Node]:
        """Put what a list of statements holds in its place: a block inside of a block, without brackets."""
        blocks = self._language.blocks
        result: list[Node] = []
        for node in nodes:
            first = node.child(0) if node.type in blocks else None
            result += node.children if first and first.is_named else (node,)
        return result

    def _gap(self, parent: Piece, start: int, end: int) -> Piece | None:
        """Make a piece of text that no child covers, between two positions in the buffer's data."""
        data, base = self._buffer.data, self._buffer.start
        begin, end = _trimmed(data, start, end)
        size = self._measure.size(begin + base, end + base) if begin < end else 0
        if not size:
            return None
        rank = FREE if b"\n" in data[start:begin] else LINE
        return Piece(begin + base, end + base, size, rank, parent.depth + 1)

    def _is_closer(self, kind: str, text: bytes, *, is_named: bool, is_last: bool) -> bool:
        """Whether a node only ends or separates what stands before it; ``text`` is how it begins."""
        if len(text) <= _LONGEST_CLOSER:
            if not text.strip(_CLOSERS):
                return True
            if is_last and (not is_named or _PUNCTUATION.fullmatch(text)):
                return True
            if text == b":" and not is_named:
                return True
        elif is_last and not is_named:
            return True
        return kind in self._language.closers

    def _is_docstring(self, node: Node) -> bool:
        """Whether a block's first statement only documents what the block belongs to."""
        kinds = self._language.docstrings
        if not kinds or node.named_child_count != 1:
            return False
        child = node.named_child(0)
        return child is not None and child.type in kinds

    def _unit(self, parts: list[Piece], *, may_be_unit: bool) -> list[Piece]:
        """Make one piece of parts that belong together, or mark them as a unit that must be cut."""
        if not parts or (len(parts) == 1 and parts[0].size <= self._limit):
            return parts
        first, last = parts[0], parts[-1]
        size = sum(part.size for part in parts)
        if size > self._limit:
            if may_be_unit and last.is_definition:
                strictness = NEVER_JOIN if last.size <= self._limit else CRUMBS_JOIN
                last.ends_hard = strictness
                first.hard = strictness if first.rank < LINE else 0
            return parts
        group = Piece(first.start, last.end, size, first.rank, first.depth, parts=parts)
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


def _with_comments(body: Piece, comments: list[Piece]) -> Piece:
    """Let a body begin with the comments in front of it."""
    body.start, body.rank = comments[0].start, comments[0].rank
    body.size += sum(comment.size for comment in comments)
    body.taken_in = [comment.node for comment in comments if comment.node]
    return body


def _trimmed(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Leave the blank out at both ends; an empty range when there is nothing else."""
    text = _TEXT.search(data, start, end) if start < end else None
    return (text.start(), blank_start(data, end)) if text else (end, end)
