"""Nests entities, and drops what counts only at the outermost level."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._extract import Entity

NO_DEFINITIONS = frozenset(("import", "export"))
"""What encloses nothing, and is nobody's sibling."""
_OWN_METHODS = frozenset(("class", "interface", "enum", "type"))

_Open = tuple["Entity", "Entity | None", int]
"""An entity that has begun; what its content hangs on: itself, or its parent if it was dropped; how many
entities that are no modules stand here, this one included."""


def nest(entities: list[Entity]) -> list[Entity]:
    """Tell entities, sorted by position, their parents; give those that are not dropped."""
    kept: list[Entity] = []
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
        kept.append(entity)
        entity.parent = parent
        if entity.type in NO_DEFINITIONS:
            continue
        if parent is not None and entity.type == "function" and parent.type in _OWN_METHODS:
            entity.type = "method"
        stack.append((entity, entity, depth + (entity.type != "module")))
    return kept


def _is_dropped(entity: Entity, outer: Entity | None, parent: Entity | None, depth: int) -> bool:
    if entity.max_depth is not None and depth > entity.max_depth:
        return True
    if outer is None:
        return entity.is_inner
    # A method of a local object literal, whose constant was dropped.
    return (
        entity.type == "method"
        and entity.scope_name is None
        and outer.type == "constant"
        and parent is not outer
    )
