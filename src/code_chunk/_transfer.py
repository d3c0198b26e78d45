"""Chunks on their way from a worker: plain tuples, which cost half of what the values themselves do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._types import (
    new_byte_range,
    new_char_range,
    new_chunk,
    new_chunk_entity,
    new_context,
    new_line_range,
    new_sibling,
)

if TYPE_CHECKING:
    from ._types import Chunk, ChunkEntityInfo

Flat = tuple[Any, ...]


def flattened(chunk: Chunk) -> Flat:
    """Take a chunk apart, but for the values that it shares with other chunks of its file."""
    context = chunk.context
    entities = [
        (
            entity.name,
            entity.type,
            entity.signature,
            entity.docstring,
            entity.line_range.start if entity.line_range else None,
            entity.line_range.end if entity.line_range else None,
            entity.is_partial,
            entity.parent,
            entity.source,
        )
        for entity in context.entities
    ]
    siblings = [(s.name, s.type, s.position, s.distance, s.signature) for s in context.siblings]
    return (
        chunk.text,
        chunk.contextualized_text,
        chunk.byte_range.start,
        chunk.byte_range.end,
        chunk.char_range.start,
        chunk.char_range.end,
        chunk.line_range.start,
        chunk.line_range.end,
        (context.filepath, context.language, context.scope),
        entities,
        siblings,
        (context.imports, context.uses, context.parse_error),
        (chunk.index, chunk.total_chunks, chunk.size, chunk.id),
    )


def restored(flat: Flat) -> Chunk:
    """Put together what `flattened` took apart."""
    text, contextualized, byte, byte_end, char, char_end, line, line_end = flat[:8]
    where, entities, siblings, used, rest = flat[8:]
    filepath, language, scope = where
    imports, uses, parse_error = used
    context = new_context(
        filepath,
        language,
        scope,
        tuple([_entity(*entity) for entity in entities]),
        tuple([new_sibling(*sibling) for sibling in siblings]),
        imports,
        uses,
        parse_error,
    )
    return new_chunk(
        text,
        contextualized,
        new_byte_range(byte, byte_end),
        new_char_range(char, char_end),
        new_line_range(line, line_end),
        context,
        *rest,
    )


def _entity(
    name: str,
    kind: Any,
    signature: str,
    docstring: str | None,
    line: int | None,
    line_end: int | None,
    is_partial: bool,
    parent: str | None,
    source: str | None,
) -> ChunkEntityInfo:
    lines = None if line is None or line_end is None else new_line_range(line, line_end)
    return new_chunk_entity(name, kind, signature, docstring, lines, is_partial, parent, source)
