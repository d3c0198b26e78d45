"""Nests entities, and drops what counts only at the outermost level."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._extract import Entity

_OWN_METHODS = frozenset(("class", "interface", "enum", "type"))
_ENCLOSE_NOTHING = frozenset(("import", "export"))


@dataclass(slots=True, eq=False)
class ScopeNode:
    """An entity and those around and inside it."""

    entity: Entity
    parent: ScopeNode | None
    children: list[ScopeNode] = field(default_factory=list)


_Open = tuple["Entity", ScopeNode | None, int]
"""An entity that has begun; what its content hangs on: its node, or its parent's if it was dropped; how many
entities that are no modules stand here, this one included."""


def nest(entities: list[Entity]) -> list[ScopeNode]:
    """Turn entities, sorted by position, into the nodes of a scope tree, in the same order."""
    nodes: list[ScopeNode] = []
    stack: list[_Open] = []
    for entity in entities:
        start, end = entity.start_byte, entity.end_byte
        while stack:
            outer, parent, depth = stack[-1]
            # Equal ranges are neighbours: two names of one declaration.
            if outer.end_byte > end or (outer.end_byte == end and outer.start_byte < start):
                break
            stack.pop()
        else:
            outer, parent, depth = None, None, 0
        if _is_dropped(entity, outer, parent, depth):
            stack.append((entity, parent, depth))
            continue
        node = ScopeNode(entity, parent)
        nodes.append(node)
        if parent is not None:
            parent.children.append(node)
            if entity.type == "function" and parent.entity.type in _OWN_METHODS:
                entity.type = "method"
        if entity.type not in _ENCLOSE_NOTHING:
            stack.append((entity, node, depth + (entity.type != "module")))
    return nodes


def _is_dropped(entity: Entity, outer: Entity | None, parent: ScopeNode | None, depth: int) -> bool:
    if entity.max_depth is not None and depth > entity.max_depth:
        return True
    if entity.is_inner and outer is None:
        return True
    # A method of a local object literal, whose constant was dropped.
    return (
        entity.type == "method"
        and entity.scope_name is None
        and outer is not None
        and outer.type == "constant"
        and (parent is None or parent.entity is not outer)
    )
