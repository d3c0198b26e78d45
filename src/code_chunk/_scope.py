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


@dataclass(slots=True, eq=False)
class _Open:
    """An entity that has begun."""

    entity: Entity
    node: ScopeNode | None
    """What its content hangs on: itself, or its parent if it was dropped."""
    is_dropped: bool
    depth: int
    """How many entities that are no modules stand here, this one included."""


def nest(entities: list[Entity]) -> list[ScopeNode]:
    """Turn entities, sorted by position, into the nodes of a scope tree, in the same order."""
    nodes: list[ScopeNode] = []
    stack: list[_Open] = []
    for entity in entities:
        while stack and not _encloses(stack[-1].entity, entity):
            stack.pop()
        around = stack[-1] if stack else None
        opened = _open(entity, around)
        if not opened.is_dropped and opened.node is not None:
            nodes.append(opened.node)
        if entity.type not in _ENCLOSE_NOTHING:
            stack.append(opened)
    return nodes


def _encloses(outer: Entity, inner: Entity) -> bool:
    """Equal ranges are neighbours: two names of one declaration."""
    if outer.end_byte < inner.end_byte:
        return False
    return outer.end_byte > inner.end_byte or outer.start_byte < inner.start_byte


def _open(entity: Entity, around: _Open | None) -> _Open:
    parent = around.node if around else None
    depth = around.depth if around else 0
    if _is_dropped(entity, around, depth):
        return _Open(entity, parent, True, depth)
    if entity.type == "function" and parent is not None and parent.entity.type in _OWN_METHODS:
        entity.type = "method"
    node = ScopeNode(entity, parent)
    if parent is not None:
        parent.children.append(node)
    return _Open(entity, node, False, depth + (entity.type != "module"))


def _is_dropped(entity: Entity, around: _Open | None, depth: int) -> bool:
    if entity.max_depth is not None and depth > entity.max_depth:
        return True
    if around is None or entity.type != "method" or entity.scope_name is not None:
        return False
    return around.is_dropped and around.entity.type == "constant"  # a local object's methods
