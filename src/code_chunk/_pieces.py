"""What is packed into chunks, and how good a cut between two such pieces is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

# Ranks of boundaries, from the best place for a cut to the worst; up to OPENED + HEADER at a line's start.
FREE = 0  # between two tiles
LEAD = 1  # between a comment, attribute or decorator and what it leads
HEADER = 2  # inside a header, or between a header and its first statement
OPENED = 3  # added to the above inside what would fit, opened because its line does not
LINE = 6  # in mid-line, between two nodes or words
CHARACTER = 7  # inside a word
CLOSER = 8  # in front of a closer or separator

# How strictly a boundary keeps the chunks on its two sides apart.
SMALL_JOIN = 1
CRUMBS_JOIN = 2
NEVER_JOIN = 3
PARTS = {SMALL_JOIN: 4, CRUMBS_JOIN: 10}
"""What is smaller than this part of the limit joins across such a boundary."""

# What a piece leads.
LEADS_NOTHING = 0
LEADS_TOUCHING = 1  # a comment: what follows without an empty line
LEADS_NEXT = 2  # an attribute: what follows


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
    leads: int = LEADS_NOTHING
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
