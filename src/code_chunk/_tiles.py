"""Nodes -> pieces: the parts of a file that may be packed, and how good a cut between two of them is.

A piece that fits into a chunk stays whole. One that does not is opened: its node's children, and the text
between them that no child covers, become pieces in its place. Each boundary between two pieces has a rank,
which says how bad a cut there would be; comments, attributes and decorators form one piece with what they
lead, as long as the whole fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from ._bare_text import LONGEST_CLOSER, is_punctuation, runs_of, trimmed, whole_characters
from ._measure import DIRECT
from ._parse import blank_start, children_of
from ._pieces import (
    CLOSER,
    CRUMBS_JOIN,
    FREE,
    HEADER,
    LEAD,
    LEADS_NEXT,
    LEADS_NOTHING,
    LEADS_TOUCHING,
    LINE,
    NEVER_JOIN,
    PARTS,
    SMALL_JOIN,
    Piece,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Node

    from ._measure import NwsMeasure
    from ._parse import Slice
    from ._source import Buffer
    from ._types import Packing
    from .languages import Language

# What a node's type says of it, as flags.
_BLOCK = 1
_DEFINITION = 2
_STATEMENT = 4
_ATTACHED = 8
_CLOSES = 16

_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")
_CLOSERS = b")]}>;,"
_SEPARATORS = b",;"


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


@cache
def _roles(language: Language) -> dict[str, int]:
    """The flags of each node type that the language's record names."""
    roles: dict[str, int] = {}
    for kinds, flag in (
        (language.blocks, _BLOCK),
        (language.definitions, _DEFINITION),
        (language.statements, _STATEMENT),
        (language.attach, _ATTACHED),
        (language.closers, _CLOSES),
    ):
        for kind in kinds:
            roles[kind] = roles.get(kind, 0) | flag
    return roles


class Opener:
    """Makes the pieces of one file, opening what is over the limit."""

    def __init__(
        self,
        buffer: Buffer,
        measure: NwsMeasure,
        language: Language,
        limit: int,
        packing: Packing,
    ) -> None:
        self._buffer = buffer
        self.measure = measure
        self._roles = _roles(language)
        self._docstrings = language.docstrings
        self._limit = limit
        self._sets_apart = packing == "definitions"
        self._hard_next = 0
        self._has_surrogates = False
        self._gaps = {b"": 0}
        """The line ends in each blank gap between nodes of a slice: few are different."""

    def fitting(self, piece: Slice) -> Iterator[Piece]:
        """Give the pieces of a slice in order, each of which fits."""
        end, limit, sets_apart = piece.offset + piece.end, self._limit, self._sets_apart
        self._gaps = {b"": 0}
        self._has_surrogates = _SURROGATE.search(piece.source) is not None
        root = Piece(piece.offset, end, 0, FREE, -1, piece.root, piece.offset)
        stack = [(iter(self._children(root, piece.nodes, is_root=True)), 0)]
        while stack:  # no recursion: the source decides how deep it would go
            pieces, ends_hard = stack[-1]
            for part in pieces:
                if sets_apart:
                    self._set_apart(part)
                if part.size > limit:
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

    def _set_apart(self, piece: Piece) -> None:
        """Keep a definition of some size apart from its neighbours."""
        if piece.is_definition and piece.rank < LINE and piece.size * PARTS[SMALL_JOIN] >= self._limit:
            piece.ends_hard = max(piece.ends_hard, SMALL_JOIN)
            if piece.rank != LEAD:
                piece.hard = max(piece.hard, SMALL_JOIN)

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
            parts = iter(self._children(piece, [*piece.taken_in, *children_of(piece.node)]))
        else:
            parts = runs_of(piece, self._buffer, self.measure, self._limit)
        first = next(parts)
        first.rank, first.hard = piece.rank, max(first.hard, piece.hard)
        return chain((first,), parts)

    def _children(self, parent: Piece, nodes: Sequence[Node], *, is_root: bool = False) -> list[Piece]:
        """Give the pieces of a node: its children, each in one piece with what leads it, where that fits."""
        inside = self._inside(parent, nodes, is_root=is_root)
        limit, is_block = self._limit, inside.is_block
        pieces: list[Piece] = []
        first = 0  # of those that belong together with the last one
        before: Piece | None = None
        for piece in self._covering(parent, inside):
            node, lines = piece.node, piece.lines
            if node and not (
                lines and is_block and inside.has_statement and self._is_plain(piece, node, before)
            ):
                self._classify(piece, node, before, inside)
            if before:
                if piece.rank == CLOSER and self._ends(before, piece):
                    before.end = piece.end
                    before.size += piece.size
                    continue
                if before.leads:
                    if before.leads == LEADS_TOUCHING and piece.is_body and not is_block:
                        # in Python's grammar comments in front of a body's first statement are no part of it
                        pieces[first:] = [_with_comments(piece, pieces[first:])]
                        before = piece
                        continue
                    if _belongs(before, piece):
                        piece.rank = LEAD if lines else LINE
                        pieces.append(piece)
                        before = piece
                        continue
                if before.size > limit or len(pieces) - first > 1:
                    pieces[first:] = self._unit(pieces[first:], inside)
            first = len(pieces)
            pieces.append(piece)
            before = piece
        if before:
            pieces[first:] = self._unit(pieces[first:], inside)
        return pieces

    def _is_plain(self, piece: Piece, node: Node, before: Piece | None) -> bool:
        """Classify what most children of a block are: statements, definitions, comments on their lines."""
        if piece.end - piece.start <= LONGEST_CLOSER or (before and before.glues) or not node.is_named:
            return False
        role = self._roles.get(node.type)
        if role:
            if role & _CLOSES or node.is_extra:
                return False
            piece.is_definition = bool(role & _DEFINITION)
            if role & _ATTACHED:
                piece.leads = LEADS_NEXT
        elif node.is_extra:
            if node.is_error:
                return False
            piece.leads = LEADS_TOUCHING
        piece.is_whole = True
        return True

    def _ends(self, before: Piece, piece: Piece) -> bool:
        """Whether a separator is the end of what it stands behind, and the two fit together."""
        if piece.lines or before.size + piece.size > self._limit:
            return False
        return piece.size == 1 and self._buffer.get(piece.start, piece.end) in _SEPARATORS

    def _inside(self, parent: Piece, nodes: Sequence[Node], *, is_root: bool) -> _Inside:
        """Tell what matters for the children of a node."""
        role = self._roles.get(parent.node.type, 0) if parent.node else 0
        is_block = is_root or bool(role & _BLOCK)
        is_definition = not is_root and bool(role & _DEFINITION)
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
        data, base, marks = self._buffer.data, self._buffer.start, self.measure.marks(parent.end)
        shift, offset, depth, limit = parent.offset - base, parent.offset, parent.depth + 1, self._limit
        piece: Piece | None = None
        gaps, has_surrogates = self._gaps, self._has_surrogates
        # positions in the buffer's data; `before` is where the text in front of a node ends
        before = blank_start(data, parent.start - base) if inside.is_root else parent.start - base
        for node in inside.nodes:
            start, end = node.start_byte + shift, node.end_byte + shift
            if has_surrogates:
                start, end = whole_characters(data, start, end)
            if start < before or start >= end or data[start] <= 0x20:
                start, end = trimmed(data, max(start, before), end)
            elif data[end - 1] <= 0x20:
                end = blank_start(data, end)
            gap = data[before:start]
            lines = gaps.get(gap)
            if lines is None:
                text = None if gap.isspace() else self._gap(parent, before, start)
                if text:
                    yield text
                    piece, before = text, text.end - base
                    gap = data[before:start]
                lines = gap.count(b"\n")
                if gap.isspace():
                    gaps[gap] = lines
            if start >= end:
                continue
            if end - start <= DIRECT:
                size = marks.count(1, start, end)
            else:
                size = self.measure.size(start + base, end + base)
            before = end
            is_end = size == 1 and not lines and data[start] in _SEPARATORS and not node.is_named
            if is_end and piece and piece.rank != CLOSER and piece.size < limit:
                piece.end = end + base  # a closer would not do: it may have been taken in itself
                piece.size += 1
            else:
                piece = Piece(start + base, end + base, size, FREE, depth, node, offset, lines)
                yield piece
        text = self._gap(parent, before, parent.end - base)
        if text:
            yield text

    def _classify(self, piece: Piece, node: Node, before: Piece | None, inside: _Inside) -> None:
        """Find out how a child stands to what is in front of it, and whether it may be opened."""
        is_named = node.is_named
        role = self._roles.get(node.type, 0)
        is_short = piece.end - piece.start <= LONGEST_CLOSER
        text = self._buffer.get(piece.start, piece.end) if is_short else b""
        if (is_short or not is_named or role & _CLOSES) and self._is_closer(text, node, role, inside):
            piece.rank = CLOSER
        elif not piece.lines and (before or inside.goes_on):
            piece.rank = LINE
        elif self._is_glued(role, before, inside):
            piece.rank = HEADER
        if not is_named:
            piece.glues = len(text) != 1 or text not in _SEPARATORS
            return
        if node.is_extra and not node.is_error:
            piece.is_whole = True
            # a comment behind something on its line belongs to that
            is_behind = not piece.lines and (not before.leads if before else inside.goes_on)
            piece.leads = LEADS_NOTHING if is_behind else LEADS_TOUCHING
            return
        # a definition that is but a part of one on its line, `export class` or `var x`, is none by itself
        is_part = inside.is_definition and piece.rank == LINE
        if role:
            piece.leads = LEADS_NEXT if role & _ATTACHED else LEADS_NOTHING
            piece.is_definition = bool(role & _DEFINITION)
            piece.is_whole = bool(role & _STATEMENT) or (
                not is_part and (inside.is_block or piece.is_definition)
            )
        else:
            piece.is_whole = inside.is_block and not is_part
        piece.is_body = not piece.is_whole and (bool(role & _BLOCK) or node is inside.body)
        if not inside.has_statement and not piece.leads:
            inside.has_statement = not self._is_docstring(node)

    def _is_glued(self, role: int, before: Piece | None, inside: _Inside) -> bool:
        """Whether a child at a line's start belongs to the header in front of it."""
        if not inside.is_block and (inside.is_definition or role & _BLOCK):
            return True
        return not inside.has_statement or (before is not None and before.glues)

    def _is_closer(self, text: bytes, node: Node, role: int, inside: _Inside) -> bool:
        """Whether a node only ends or separates what stands before it; only a short ``text`` is given."""
        if role & _CLOSES or (text and not text.strip(_CLOSERS)):
            return True
        if not node.is_named:
            return text == b":" or node is inside.last
        return node is inside.last and is_punctuation(text)

    def _without_lists(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """Put what a list of statements holds in its place: a block inside of a block, without brackets."""
        roles = self._roles
        if not any(roles.get(node.type, 0) & _BLOCK for node in nodes):
            return nodes
        result: list[Node] = []
        for node in nodes:
            first = node.child(0) if roles.get(node.type, 0) & _BLOCK else None
            result += node.children if first and first.is_named else (node,)
        return result

    def _gap(self, parent: Piece, start: int, end: int) -> Piece | None:
        """Make a piece of text that no child covers, between two positions in the buffer's data."""
        data, base = self._buffer.data, self._buffer.start
        begin, end = trimmed(data, start, end)
        size = self.measure.size(begin + base, end + base) if begin < end else 0
        if not size:
            return None
        lines = data.count(b"\n", start, begin)
        rank = FREE if lines else LINE
        if not data[begin:end].strip(_CLOSERS):
            rank = CLOSER
        return Piece(begin + base, end + base, size, rank, parent.depth + 1, lines=lines)

    def _is_docstring(self, node: Node) -> bool:
        """Whether a block's first statement only documents what the block belongs to."""
        if not self._docstrings or node.named_child_count != 1:
            return False
        child = node.named_child(0)
        return child is not None and child.type in self._docstrings

    def _unit(self, parts: list[Piece], inside: _Inside) -> list[Piece]:
        """Make one piece of parts that belong together, or mark them as a unit that must be cut."""
        first, last = parts[0], parts[-1]
        size = sum([part.size for part in parts])
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


def _belongs(before: Piece, piece: Piece) -> bool:
    """Whether a comment or attribute leads the piece behind it."""
    return piece.rank != CLOSER and (
        before.leads == LEADS_NEXT or (before.leads == LEADS_TOUCHING and piece.lines < 2)
    )


def _with_comments(body: Piece, comments: list[Piece]) -> Piece:
    """Let a body begin with the comments in front of it."""
    body.start, body.rank = comments[0].start, comments[0].rank
    body.size += sum(comment.size for comment in comments)
    body.taken_in = [comment.node for comment in comments if comment.node]
    return body
