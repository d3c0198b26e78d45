"""Pieces of source -> slices: parsed parts of the file that hold only complete top-level nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tree_sitter import Parser, Point

from . import languages
from ._measure import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Tree

    from ._source import Buffer
    from .languages import Language

FIRST_SLICE = 256 * 1024
"""Bytes that are parsed at first: most files are one slice."""
SLICE = 64 * 1024
"""Bytes that are parsed at a time after that, unless a top-level node is larger."""
ERROR_SLICE = 1024 * 1024
"""From here on an error with whole nodes behind it is the file's own, and not due to the slice's end."""
OPEN_SLICE = 16 * 1024 * 1024
"""From here on so is one that nothing whole follows: no construct is that large."""
_OPENING = re.compile(rb"""\"{3}|'{3}|/\*|["'`]""")
_CLOSING = {b"/*": b"*/"}
_OPENING_REACH = 1024
_HELD_BACK = 2
"""Named nodes at the end of a slice that might go on in what was not read yet."""


@dataclass(slots=True)
class Slice:
    """A parsed part of a file."""

    root: Node
    """The root of its tree; positions in the tree count from the slice's start."""
    nodes: list[Node]
    """Its complete top-level nodes."""
    source: bytes
    """What was parsed; more than the nodes cover."""
    offset: int
    """Where it starts in the file, in bytes."""
    row: int
    """The line where it starts, from 0."""
    column: int
    """The code points in front of it on that line."""
    end: int
    """Where the next slice starts, counted from this one's start."""
    is_last: bool
    """True when the file ends with it."""


def slices(buffer: Buffer, language: Language) -> Iterator[Slice]:
    """Parse a file slice by slice, filling the buffer on the way."""
    parser = Parser(languages.load_grammar(language))
    offset = row = column = 0
    while True:
        piece = _grown(parser, buffer, offset, language)
        piece.row, piece.column = row, column
        yield piece
        if piece.is_last:
            return
        line_start = piece.source.rfind(b"\n", 0, piece.end) + 1
        if line_start:
            row += piece.source.count(b"\n", 0, piece.end)
            column = 0
        column += len(piece.source[line_start : piece.end].decode("utf-8", "surrogatepass"))
        offset += piece.end


def _grown(parser: Parser, buffer: Buffer, offset: int, language: Language) -> Slice:
    """Parse from ``offset`` on, a larger part each time, until something in it is complete."""
    tree: Tree | None = None
    source = b""
    wanted = SLICE if offset else FIRST_SLICE
    while True:
        is_last = not buffer.fill(offset + wanted)
        grown = buffer.get(offset, buffer.end if is_last else _character_start(buffer, offset + wanted))
        if tree is None:
            tree = parser.parse(grown)
        else:
            _announce_growth(tree, source, grown)
            tree = parser.parse(grown, tree)
        source = grown
        root = tree.root_node
        nodes = root.children
        if is_last:
            return Slice(root, nodes, source, offset, 0, 0, len(source), is_last)
        fault = _first_fault(root, nodes) if root.has_error else len(nodes)
        closing = _open_literal(source, root, nodes[fault]) if fault < len(nodes) else None
        count = _complete(root, nodes, source, language, fault, is_open=closing is not None)
        while count and is_continuation(source, nodes[count].start_byte):
            count -= 1
        if count:
            end = line_break_before(source, nodes[count].start_byte)
            return Slice(root, nodes[:count], source, offset, 0, 0, end, is_last)
        wanted *= 2 if wanted >= ERROR_SLICE else 4
        if closing:
            wanted = max(wanted, _behind(closing, buffer, offset, len(source)))
            tree = None  # of words that are none


def _behind(mark: bytes, buffer: Buffer, offset: int, length: int) -> int:
    """Read on to a mark that is not in the first bytes from ``offset``; how many there are well behind it."""
    position, limit = offset + length - len(mark) + 1, offset + OPEN_SLICE
    while True:
        index = buffer.data.find(mark, position - buffer.start, limit - buffer.start)
        if index >= 0:
            return index + buffer.start - offset + SLICE
        if buffer.end >= limit:
            return OPEN_SLICE
        position = buffer.end - len(mark) + 1
        if not buffer.fill(min(limit, buffer.end + FIRST_SLICE)):
            return buffer.end - offset


def _character_start(buffer: Buffer, position: int) -> int:
    """Move a position back to a character's start, so that it does not depend on how the source is read."""
    while buffer.data[position - buffer.start] & 0xC0 == 0x80:
        position -= 1
    return position


def _announce_growth(tree: Tree, old: bytes, new: bytes) -> None:
    """Tell a tree that text was appended, so that parsing again costs only what is new."""
    old_point = _end_point(old)
    tree.edit(len(old), len(old), len(new), old_point, old_point, _end_point(new))


def _end_point(source: bytes) -> Point:
    return Point(source.count(b"\n"), len(source) - source.rfind(b"\n") - 1)


def _complete(
    root: Node, nodes: list[Node], source: bytes, language: Language, fault: int, *, is_open: bool
) -> int:
    """How many of the top-level nodes can not change with the text that follows.

    The first error is in the one at ``fault``; ``is_open`` tells that it begins a literal without an end.
    """
    stop, held = len(nodes), _HELD_BACK
    if root.has_error:
        is_open |= root.is_error or sum(map(_counts, nodes[fault + 1 :])) < _HELD_BACK
        if len(source) < (OPEN_SLICE if is_open else ERROR_SLICE):
            # an error that no node has lies between the last ones
            stop, held = fault, 1 if fault < len(nodes) and not root.is_error else _HELD_BACK + 1
    while held and stop:
        stop -= 1
        held -= _counts(nodes[stop])
    front = stop
    while front and _may_lead(nodes[front - 1], language):
        is_touching = _leads(nodes[front - 1], nodes[front], source, language)
        front -= 1
        # comments do not part an attribute from what it belongs to
        if (is_touching and stop == front + 1) or nodes[front].type in language.attach:
            stop = front
    return stop


def _first_fault(root: Node, nodes: list[Node]) -> int:
    """The index of the first top-level node with an error; under a root that is one, that of a bare token."""
    for index, node in enumerate(nodes):
        if node.has_error or node.is_error or (root.is_error and not node.is_named and node.type.strip()):
            return index
    return len(nodes)


def _open_literal(source: bytes, root: Node, node: Node) -> bytes | None:
    """If a node's first error begins a literal or comment whose end is not in the slice: what would end it.

    The parser takes up again inside of it, so that whole nodes may seem to follow.
    """
    while not node.is_error and not root.is_error:
        inner = next((child for child in children_of(node) if child.has_error or child.is_missing), None)
        if inner is None:
            return None
        node = inner
    start = source.rfind(b"\n", 0, node.start_byte) + 1
    openings = _OPENING.finditer(source, start, node.start_byte + _OPENING_REACH)
    for mark in openings:
        closing = _CLOSING.get(mark[0], mark[0])
        if source.find(closing, mark.end()) < 0:
            return closing
    return None


def _counts(node: Node) -> bool:
    """Whether a node is more than a comment or a token."""
    return node.is_named and (node.is_error or not node.is_extra)


def _may_lead(node: Node, language: Language) -> bool:
    is_comment = node.is_extra and not node.is_error
    return is_comment or node.type in language.attach or not node.type.strip()


def _leads(node: Node, following: Node, source: bytes, language: Language) -> bool:
    """Whether a top-level node belongs to the one that follows: a comment that touches it, an attribute."""
    if node.type in language.attach or not node.type.strip():
        return True
    start = node.start_byte
    if not node.is_extra or node.is_error or source[source.rfind(b"\n", 0, start) + 1 : start].strip(BLANK):
        return False
    return source.count(b"\n", node.end_byte, following.start_byte) < 2


def children_of(node: Node) -> list[Node]:
    """A node's children, as ``node.children``, but not kept by the node.

    A node keeps the children that it was asked for. A chain of nodes that keep theirs would be freed by one
    call inside of the other, and source decides how deep that goes: the stack of a thread may be small.
    """
    itself = node.walk().node
    return itself.children if itself else []


def line_break_before(data: bytes, position: int) -> int:
    """Move a cut in front of the text at ``position`` to the last line start in the blank before it."""
    blank = blank_start(data, position)
    return data.rfind(b"\n", blank, position) + 1 or position


def is_continuation(data: bytes, position: int) -> bool:
    """Whether a position is inside of a character."""
    return position < len(data) and data[position] & 0xC0 == 0x80


def blank_start(data: bytes, end: int) -> int:
    """Where the blank that ends at ``end`` begins."""
    size = 64
    while True:
        low = max(0, end - size)
        kept = len(data[low:end].rstrip(BLANK))
        if kept or not low:
            return low + kept
        size *= 4


@dataclass(slots=True)
class SyntaxFault:
    """An ERROR or MISSING node."""

    byte: int
    """Where it is in the file."""
    text: str
    """What it is and where, for people."""
    is_recovered: bool
    """False when the parser found no structure around it."""


def faults(piece: Slice) -> list[SyntaxFault]:
    """Find the outermost errors in a slice, in source order."""
    root = piece.root
    if not root.has_error:
        return []
    if root.is_error and not piece.is_last and _first_fault(root, piece.nodes) == len(piece.nodes):
        return []  # the error is behind the slice's nodes
    if root.is_error:
        return [_fault(root, piece, is_recovered=False)]
    found = []
    stack = [node for node in reversed(piece.nodes) if node.has_error or node.is_error]
    while stack:
        node = stack.pop()
        inner = [child for child in reversed(children_of(node)) if child.has_error or child.is_missing]
        if node.is_error or node.is_missing or not inner:  # a missing node of a hidden type is no child
            found.append(_fault(node, piece, is_recovered=True))
        else:
            stack += inner
    if not found and piece.is_last and not piece.offset:  # elsewhere it may be due to a slice's end
        found = _between(piece)
    return found


def _between(piece: Slice) -> list[SyntaxFault]:
    """The error of a slice none of whose nodes has one: two statements with nothing to part them."""
    for before, node in pairwise(piece.nodes):
        is_blank = not piece.source[before.end_byte : node.start_byte].strip(b" \t")
        if is_blank and before.is_named and node.is_named and not node.is_extra:
            return [_fault(node, piece, is_recovered=True)]
    return []


def _fault(node: Node, piece: Slice, *, is_recovered: bool) -> SyntaxFault:
    row, column = node.start_point
    start = node.start_byte
    characters = len(piece.source[start - column : start].decode("utf-8", "surrogatepass"))
    characters += 0 if row else piece.column
    what = f"MISSING {node.type}" if node.is_missing else "ERROR"
    text = f"{what} at line {piece.row + row + 1}, column {characters + 1}"
    return SyntaxFault(piece.offset + start, text, is_recovered)
