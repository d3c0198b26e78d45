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

_RUNS = 4
"""Text over the limit is cut into runs of up to a quarter of the limit."""
_TEXT = re.compile(rb"[^\x00-\x20]")
_LAST_BLANK = re.compile(rb".*[\x00-\x20]", re.DOTALL)
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
    lines: int = 0
    """Line ends between it and what stands before."""
    parts: list[Piece] | None = None
    """Of a group."""
    taken_in: Sequence[Node] = ()
    """Comments in front of the node that count as its first children."""
    leads: int = _NOTHING
    glues: bool = False
    """True for an opening bracket, an operator or a keyword: what follows belongs to it."""
    is_whole: bool = False
    """True for a statement, definition or comment: not opened when it fits."""
    is_definition: bool = False
    is_body: bool = False
    """True for what a header stands in front of: opened when it does not fit together with that."""
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


@dataclass(slots=True)
class _Inside:
    """What matters for the children of a node."""

    nodes: Sequence[Node]
    is_root: bool
    is_block: bool
    is_definition: bool
    body: Node | None
    """The child that holds the body of a definition."""
    last: Node | None
    """The last child, which may be a closer."""
    has_statement: bool
    """False until the header has its first statement."""
    goes_on: bool
    """True when something stands in front of the first child that is not seen here: the previous slice."""


class Opener:
    """Makes the pieces of one file, opening what is over the limit."""

    def __init__(self, buffer: Buffer, measure: NwsMeasure, language: Language, limit: int) -> None:
        self._buffer = buffer
        self.measure = measure
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
                if self._hard_next:
                    self._harden(part)
                yield part
                if part.ends_hard:
                    self._hard_next = max(self._hard_next, part.ends_hard)
            else:
                stack.pop()
                self._hard_next = max(self._hard_next, ends_hard)

    def _harden(self, piece: Piece) -> None:
        """Let the end of a unit that was cut part chunks at the next line that does not belong to it."""
        if piece.rank < LINE:
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

    def _children(self, parent: Piece, nodes: Sequence[Node], *, is_root: bool = False) -> list[Piece]:
        """Give the pieces of a node: its children, each in one piece with what leads it, where that fits."""
        inside = self._inside(parent, nodes, is_root=is_root)
        pieces: list[Piece] = []
        group: list[Piece] = []
        for piece in self._covering(parent, inside):
            before = group[-1] if group else None
            if piece.node:
                self._classify(piece, piece.node, before, inside)
            if before and before.leads == _TOUCHING and piece.is_body and not inside.is_block:
                # in Python's grammar the comments in front of a body's first statement are no part of it
                group = [_with_comments(piece, group)]
            elif before and _belongs(before, piece):
                piece.rank = LEAD if piece.lines else LINE
                group.append(piece)
            else:
                if before and (len(group) > 1 or before.size > self._limit):
                    pieces += self._unit(group, inside)
                else:
                    pieces += group
                group = [piece]
        return pieces + self._unit(group, inside) if group else pieces

    def _inside(self, parent: Piece, nodes: Sequence[Node], *, is_root: bool) -> _Inside:
        """Tell what matters for the children of a node."""
        language = self._language
        kind = parent.node.type if parent.node else ""
        is_block = is_root or kind in language.blocks
        is_definition = not is_root and kind in language.definitions
        if is_block and not is_root:
            nodes = self._without_lists(nodes)
        body = None
        if is_definition or parent.is_body:
            body = next((node for node in reversed(nodes) if node.is_named and not node.is_extra), None)
        last = nodes[-1] if nodes and not is_root else None
        goes_on = is_root and parent.start > 0
        return _Inside(nodes, is_root, is_block, is_definition, body, last, is_root or not is_block, goes_on)

    def _covering(self, parent: Piece, inside: _Inside) -> Iterator[Piece]:
        """Make pieces of a node's children, and of the text between them that no child covers."""
        data, base = self._buffer.data, self._buffer.start
        shift, offset, depth = parent.offset - base, parent.offset, parent.depth + 1
        # positions in the buffer's data; `before` is where the text in front of a node ends
        before = blank_start(data, parent.start - base) if inside.is_root else parent.start - base
        for node in inside.nodes:
            start, end = node.start_byte + shift, node.end_byte + shift
            if start < before:
                start = before
            if start >= end or data[start] <= 0x20 or data[end - 1] <= 0x20:
                start, end = _trimmed(data, start, end)
            gap = data[before:start]
            if gap and not gap.isspace():
                text = self._gap(parent, before, start)
                if text:
                    yield text
                    before = text.end - base
                    gap = data[before:start]
            if start < end:
                lines = gap.count(b"\n") if gap else 0
                size = self.measure.size(start + base, end + base)
                yield Piece(start + base, end + base, size, FREE, depth, node, offset, lines)
                before = end
        text = self._gap(parent, before, parent.end - base)
        if text:
            yield text

    def _classify(self, piece: Piece, node: Node, before: Piece | None, inside: _Inside) -> None:
        """Find out how a child stands to what is in front of it, and whether it may be opened."""
        language = self._language
        kind, is_named = node.type, node.is_named
        is_block = kind in language.blocks
        is_comment = is_named and node.is_extra and not node.is_error
        if self._is_closer(piece, kind, is_named=is_named, is_last=node == inside.last):
            piece.rank = CLOSER
        elif not piece.lines and (before or inside.goes_on):
            piece.rank = LINE
        elif (
            ((inside.is_definition or is_block) and not inside.is_block)
            or not inside.has_statement
            or (before and before.glues)
        ):
            piece.rank = HEADER
        piece.is_definition = kind in language.definitions
        # a definition that is but a part of one on its line, `export class` or `var x`, is none by itself
        is_part = inside.is_definition and piece.rank == LINE
        piece.is_whole = is_comment or kind in language.statements
        if not is_part and (piece.is_definition or (inside.is_block and is_named)):
            piece.is_whole = True
        piece.is_body = not piece.is_whole and (is_block or node == inside.body)
        if kind in language.attach:
            piece.leads = _NEXT
        elif is_comment:
            # a comment behind something on its line belongs to that
            is_behind = not piece.lines and (not before.leads if before else inside.goes_on)
            piece.leads = _NOTHING if is_behind else _TOUCHING
        elif is_named and not inside.has_statement:
            inside.has_statement = not self._is_docstring(node)
        if not is_named:
            piece.glues = self._buffer.get(piece.start, piece.end) not in _SEPARATORS

    def _without_lists(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """Put what a list of statements holds in its place: a block inside of a block, without brackets."""
        blocks = self._language.blocks
        if not any(node.type in blocks for node in nodes):
            return nodes
        result: list[Node] = []
        for node in nodes:
            first = node.child(0) if node.type in blocks else None
            result += node.children if first and first.is_named else (node,)
        return result

    def _gap(self, parent: Piece, start: int, end: int) -> Piece | None:
        """Make a piece of text that no child covers, between two positions in the buffer's data."""
        data, base = self._buffer.data, self._buffer.start
        begin, end = _trimmed(data, start, end)
        size = self.measure.size(begin + base, end + base) if begin < end else 0
        if not size:
            return None
        lines = data.count(b"\n", start, begin)
        return Piece(begin + base, end + base, size, FREE if lines else LINE, parent.depth + 1, lines=lines)

    def _is_closer(self, piece: Piece, kind: str, *, is_named: bool, is_last: bool) -> bool:
        """Whether a node only ends or separates what stands before it."""
        if piece.end - piece.start <= _LONGEST_CLOSER:
            text = self._buffer.get(piece.start, piece.end)
            if not text.strip(_CLOSERS) or (text == b":" and not is_named):
                return True
            if is_last and _is_punctuation(text):
                return True
        return (is_last and not is_named) or kind in self._language.closers

    def _is_docstring(self, node: Node) -> bool:
        """Whether a block's first statement only documents what the block belongs to."""
        kinds = self._language.docstrings
        if not kinds or node.named_child_count != 1:
            return False
        child = node.named_child(0)
        return child is not None and child.type in kinds

    def _unit(self, parts: list[Piece], inside: _Inside) -> list[Piece]:
        """Make one piece of parts that belong together, or mark them as a unit that must be cut."""
        first, last = parts[0], parts[-1]
        size = sum(part.size for part in parts)
        if size > self._limit:
            if inside.is_block and last.is_definition:
                strictness = NEVER_JOIN if last.size <= self._limit else CRUMBS_JOIN
                last.ends_hard = strictness
                first.hard = strictness if first.rank < LINE else 0
            return parts
        if len(parts) == 1:
            return parts
        group = Piece(first.start, last.end, size, first.rank, first.depth, parts=parts)
        group.is_whole = last.is_whole
        group.is_definition = last.is_definition
        return [group]

    def _text(self, piece: Piece) -> Iterator[Piece]:
        """Cut bare text into runs: at line ends, else at blanks, else between characters."""
        data, base = self._buffer.data, self._buffer.start
        length = max(1, self._limit // _RUNS)  # in bytes: no more than that many characters
        start, rank = piece.start, piece.rank
        while start < piece.end:
            until, following = piece.end, FREE
            if until - start > length:
                until, following = _break(data, start - base, start - base + length)
                until += base
            is_short = start > piece.start and piece.end - start <= _LONGEST_CLOSER
            if is_short and _is_punctuation(data[start - base : piece.end - base]):
                rank = CLOSER  # the last line of a comment or literal may be no more than its end
            end = blank_start(data, until - base) + base
            yield Piece(start, end, self.measure.size(start, end), rank, piece.depth + 1, is_whole=True)
            start, rank = _trimmed(data, until - base, piece.end - base)[0] + base, following


def _belongs(before: Piece, piece: Piece) -> bool:
    """Whether a comment or attribute leads the piece behind it."""
    return piece.rank != CLOSER and (before.leads == _NEXT or (before.leads == _TOUCHING and piece.lines < 2))


def _with_comments(body: Piece, comments: list[Piece]) -> Piece:
    """Let a body begin with the comments in front of it."""
    body.start, body.rank = comments[0].start, comments[0].rank
    body.size += sum(comment.size for comment in comments)
    body.taken_in = [comment.node for comment in comments if comment.node]
    return body


def _break(data: bytes, start: int, until: int) -> tuple[int, int]:
    """Where text is best cut up to a position, and the rank of that place."""
    line = data.rfind(b"\n", start, until) + 1
    if line:
        return line, FREE
    blank = _LAST_BLANK.match(data, start, until)
    if blank:
        return blank.end(), LINE
    while _is_continuation(data, until):
        until -= 1
    if until == start:  # not even one character
        until += 1
        while _is_continuation(data, until):
            until += 1
    return until, CHARACTER


def _is_continuation(data: bytes, position: int) -> bool:
    return position < len(data) and data[position] & 0xC0 == 0x80


def _is_punctuation(text: bytes) -> bool:
    return len(text) <= _LONGEST_CLOSER and bool(_PUNCTUATION.fullmatch(text))


def _trimmed(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Leave the blank out at both ends; an empty range when there is nothing else."""
    text = _TEXT.search(data, start, end) if start < end else None
    return (text.start(), blank_start(data, end)) if text else (end, end)
