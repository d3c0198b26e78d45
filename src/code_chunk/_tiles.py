"""Nodes -> pieces: the parts of a file that may be packed, and how good a cut between two of them is.

A piece that fits into a chunk stays whole. One that does not is opened: its node's children, and the text
between them that no child covers, become pieces in its place. Each boundary between two pieces has a rank,
which says how bad a cut there would be; comments, attributes and decorators form one piece with what they
lead, as long as the whole fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING
from zlib import adler32

from . import languages
from ._bare_text import LONGEST_CLOSER, is_punctuation, runs_of, trimmed, whole_characters
from ._measure import DIRECT, SUM
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

# What a node's kind says of it, as flags.
_BLOCK = 1
_DEFINITION = 2
_STATEMENT = 4
_ATTACHED = 8
_CLOSES = 16
_UNNAMED = 32
_ERROR = 64
_IN_DOUBT = _CLOSES | _UNNAMED | _ERROR

_ERROR_NODE = 0xFFFF
"""The number of ERROR nodes in every grammar."""

_SURROGATE = re.compile(rb"\xed[\xa0-\xbf]")
_CLOSERS = b")]}>;,"
_SEPARATORS = b",;"


@dataclass(slots=True)
class _Inside:
    """What matters for the children of a node."""

    nodes: Sequence[Node]
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
    is_settled: bool
    """True when a child at a line's start is a tile: in a block, with no header in front."""
    pieces: list[Piece] = field(default_factory=list)
    """What was made of them so far."""
    unit: int | None = None
    """Where in the pieces the last unit starts, if it is large or not complete."""


@cache
def _roles(language: Language) -> dict[int, int]:
    """The flags of each kind of node in a language, by the number that its grammar gives it."""
    flags: dict[str, int] = {}
    for kinds, flag in (
        (language.blocks, _BLOCK),
        (language.definitions, _DEFINITION),
        (language.statements, _STATEMENT),
        (language.attach, _ATTACHED),
        (language.closers, _CLOSES),
    ):
        for kind in kinds:
            flags[kind] = flags.get(kind, 0) | flag
    grammar = languages.load_grammar(language)
    roles = {_ERROR_NODE: _ERROR}
    for number in range(grammar.node_kind_count):
        role = flags.get(grammar.node_kind_for_id(number) or "", 0)
        roles[number] = role if grammar.node_kind_is_named(number) else role | _UNNAMED
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
        self._has_surrogates = b"\xed" in piece.source and _SURROGATE.search(piece.source) is not None
        root = Piece(piece.offset, end, 0, FREE, -1, piece.root, piece.offset)
        stack = [(iter(self._children(root, piece.nodes, is_root=True)), 0)]
        hard_next = self._hard_next
        while stack:  # no recursion: the source decides how deep it would go
            pieces, ends_hard = stack[-1]
            for part in pieces:
                if sets_apart:
                    self._set_apart(part)
                if part.size > limit:
                    stack.append((iter(self.opened(part)), part.ends_hard))
                    break
                if hard_next and part.rank < LINE:
                    # the end of a unit that was cut parts chunks at the next line that does not belong to it
                    part.hard = max(part.hard, hard_next)
                    hard_next = 0
                yield part
                if part.ends_hard:
                    hard_next = max(hard_next, part.ends_hard)
            else:
                stack.pop()
                hard_next = max(hard_next, ends_hard)
        self._hard_next = hard_next

    def _set_apart(self, piece: Piece) -> None:
        """Keep a definition of some size apart from its neighbours."""
        if piece.is_definition and piece.rank < LINE and piece.size * PARTS[SMALL_JOIN] >= self._limit:
            piece.ends_hard = max(piece.ends_hard, SMALL_JOIN)
            if piece.rank != LEAD:
                piece.hard = max(piece.hard, SMALL_JOIN)

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
        """Give the pieces of a node: its children, and the text between them that no child covers."""
        inside = self._inside(parent, nodes, is_root=is_root)
        data, base, marks = self._buffer.data, self._buffer.start, self.measure.marks(parent.end)
        shift, offset, depth, limit = parent.offset - base, parent.offset, parent.depth + 1, self._limit
        pieces, roles, gaps, has_surrogates = inside.pieces, self._roles, self._gaps, self._has_surrogates
        # positions in the buffer's data; `before` is where the text in front of a node ends
        before = blank_start(data, parent.start - base) if is_root else parent.start - base
        for node in inside.nodes:
            start, end = node.start_byte + shift, node.end_byte + shift
            if has_surrogates:
                start, end = whole_characters(data, start, end)
            if start < before or start >= end or data[start] <= 0x20:
                start, end = trimmed(data, max(start, before), end)
            elif data[end - 1] <= 0x20:
                end = blank_start(data, end)
            lines = gaps.get(data[before:start])
            if lines is None:
                before, lines = self._gap(parent, before, start, inside)
            if start >= end:
                continue
            if end - start <= DIRECT:
                size = adler32(marks[start:end], 0) & SUM
            else:
                size = self.measure.size(start + base, end + base)
            before = end
            role = roles[node.kind_id]
            is_end = size == 1 and role & _UNNAMED and not lines and data[start] in _SEPARATORS
            if is_end and pieces and pieces[-1].size < limit:
                pieces[-1].end = end + base
                pieces[-1].size += 1
                continue
            piece = Piece(start + base, end + base, size, FREE, depth, node, offset, lines)
            if lines and inside.is_settled and end - start > LONGEST_CLOSER and not role & _IN_DOUBT:
                # most children of a block: statements, definitions, comments on lines of their own
                piece.is_whole = True
                if node.is_extra:
                    piece.leads = LEADS_TOUCHING
                elif role:
                    piece.is_definition = bool(role & _DEFINITION)
                    if role & _ATTACHED:
                        piece.leads = LEADS_NEXT
            else:
                self._classify(piece, node, role, inside)
            if piece.leads or inside.unit is not None or piece.rank == CLOSER or size > limit:
                self._join(piece, inside)
            else:
                pieces.append(piece)
        if before < parent.end - base:
            self._gap(parent, before, parent.end - base, inside)
        if inside.unit is not None:
            pieces[inside.unit :] = self._unit(pieces[inside.unit :], inside)
        return pieces

    def _join(self, piece: Piece, inside: _Inside) -> None:
        """Add a piece to those of its parent, in one with those in front of it that it belongs to."""
        pieces, unit = inside.pieces, inside.unit
        if pieces:
            is_closer, leads = piece.rank == CLOSER, pieces[-1].leads
            if is_closer and self._ends(pieces[-1], piece):
                pieces[-1].end = piece.end
                pieces[-1].size += 1
                return
            if leads == LEADS_TOUCHING and piece.is_body and not inside.is_block:
                # in Python's grammar comments in front of a body's first statement are no part of it
                pieces[unit:] = [_with_comments(piece, pieces[unit:])]
                return
            if not is_closer and (leads == LEADS_NEXT or (leads and piece.lines < 2)):
                piece.rank = LEAD if piece.lines else LINE
                pieces.append(piece)
                return
        if unit is not None:
            pieces[unit:] = self._unit(pieces[unit:], inside)
        inside.unit = len(pieces) if piece.leads or piece.size > self._limit else None
        pieces.append(piece)

    def _ends(self, before: Piece, piece: Piece) -> bool:
        """Whether a separator is the end of what it stands behind, and the two fit together."""
        if piece.size != 1 or piece.lines or before.size >= self._limit:
            return False
        return self._buffer.data[piece.start - self._buffer.start] in _SEPARATORS

    def _inside(self, parent: Piece, nodes: Sequence[Node], *, is_root: bool) -> _Inside:
        """Tell what matters for the children of a node."""
        role = self._roles[parent.node.kind_id] if parent.node else 0
        is_block = is_root or bool(role & _BLOCK)
        is_definition = not is_root and bool(role & _DEFINITION)
        if is_block and not is_root:
            nodes = self._without_lists(nodes)
        body = None
        if is_definition or parent.is_body:
            body = next((node for node in reversed(nodes) if node.is_named and not node.is_extra), None)
        last = nodes[-1] if nodes and not is_root else None
        goes_on = is_root and parent.start > 0
        return _Inside(nodes, is_block, is_definition, body, last, is_root or not is_block, goes_on, is_root)

    def _classify(self, piece: Piece, node: Node, role: int, inside: _Inside) -> None:
        """Find out how a child stands to what is in front of it, and whether it may be opened."""
        before = inside.pieces[-1] if inside.pieces else None
        is_named = not role & _UNNAMED
        is_short = piece.end - piece.start <= LONGEST_CLOSER
        text = self._buffer.get(piece.start, piece.end) if is_short else b""
        if (is_short or role & (_UNNAMED | _CLOSES)) and self._is_closer(text, node, role, inside):
            piece.rank = CLOSER
        elif not piece.lines and (before or inside.goes_on):
            piece.rank = LINE
        elif self._is_glued(role, before, inside):
            piece.rank = HEADER
        if not is_named:
            piece.glues = len(text) != 1 or text[0] not in _SEPARATORS
            inside.is_settled = inside.is_settled and not piece.glues
            return
        inside.is_settled = inside.is_block and inside.has_statement
        if node.is_extra and not role & _ERROR:
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
            inside.is_settled = inside.is_block and inside.has_statement

    def _is_glued(self, role: int, before: Piece | None, inside: _Inside) -> bool:
        """Whether a child at a line's start belongs to the header in front of it."""
        if not inside.is_block and (inside.is_definition or role & _BLOCK):
            return True
        return not inside.has_statement or (before is not None and before.glues)

    def _is_closer(self, text: bytes, node: Node, role: int, inside: _Inside) -> bool:
        """Whether a node only ends or separates what stands before it; only a short ``text`` is given."""
        if role & _CLOSES or (text and not text.strip(_CLOSERS)):
            return True
        if role & _UNNAMED:
            return text == b":" or node is inside.last
        return node is inside.last and is_punctuation(text)

    def _without_lists(self, nodes: Sequence[Node]) -> Sequence[Node]:
        """Put what a list of statements holds in its place: a block inside of a block, without brackets."""
        roles = self._roles
        if not [node for node in nodes if roles[node.kind_id] & _BLOCK]:
            return nodes
        result: list[Node] = []
        for node in nodes:
            first = node.child(0) if roles[node.kind_id] & _BLOCK else None
            result += node.children if first and first.is_named else (node,)
        return result

    def _gap(self, parent: Piece, start: int, end: int, inside: _Inside) -> tuple[int, int]:
        """Add the text that no child covers in a part of the data; give its end, and the line ends behind."""
        data, base = self._buffer.data, self._buffer.start
        gap = data[start:end]
        if not gap.isspace():
            begin, stop = trimmed(data, start, end)
            size = self.measure.size(begin + base, stop + base)
            if size:
                lines = data.count(b"\n", start, begin)
                rank = FREE if lines else LINE
                if not data[begin:stop].strip(_CLOSERS):
                    rank = CLOSER
                text = Piece(begin + base, stop + base, size, rank, parent.depth + 1, lines=lines)
                self._join(text, inside)
                start, gap = stop, data[stop:end]
        lines = gap.count(b"\n")
        if gap.isspace():
            self._gaps[gap] = lines
        return start, lines

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


def _with_comments(body: Piece, comments: list[Piece]) -> Piece:
    """Let a body begin with the comments in front of it."""
    body.start, body.rank = comments[0].start, comments[0].rank
    body.size += sum(comment.size for comment in comments)
    body.taken_in = [comment.node for comment in comments if comment.node]
    return body
