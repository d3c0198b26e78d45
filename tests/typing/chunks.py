"""Calls and values as a type checker sees them."""

# pyright: reportUnusedCallResult=false, reportExplicitAny=false

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, assert_type

from code_chunk import (
    LANGUAGE_EXTENSIONS,
    ByteRange,
    Chunk,
    ChunkContext,
    ChunkEntityInfo,
    ChunkingError,
    ChunkingTimeoutError,
    CodeChunkError,
    EntityInfo,
    GrammarNotInstalledError,
    ImportInfo,
    LanguageSpecError,
    LineRange,
    ParseError,
    SiblingInfo,
    UnsupportedLanguageError,
    achunk,
    chunk,
    chunk_stream,
    detect_language,
    format_chunk_with_context,
    register_language,
    supported_languages,
)

# --- one file ---

assert_type(chunk("a.py", "x = 1"), list[Chunk])
assert_type(chunk(Path("a.py"), b"x = 1"), list[Chunk])
assert_type(chunk("a.py", io.BytesIO(b"x = 1")), list[Chunk])
with Path("a.py").open("rb") as file:
    assert_type(chunk(Path("a.py"), file), list[Chunk])
chunk("a.py")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
chunk("a.py", None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
chunk(b"a.py", "x = 1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
chunk("a.py", io.StringIO("x = 1"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# --- streams ---

for made in chunk_stream("a.py"):
    assert_type(made, Chunk)
with chunk_stream(Path("a.py"), b"x = 1") as stream:
    assert_type(next(stream), Chunk)
    assert_type(next(stream, None), Chunk | None)
    assert_type(stream.close(), None)
iterator: Iterator[Chunk] = chunk_stream("a.py", "x = 1")
asynchronous: AsyncIterator[Chunk] = chunk_stream("a.py", None)


async def use() -> None:
    """Await a list, and iterate over a stream."""
    assert_type(await achunk("a.py", "x = 1"), list[Chunk])
    async for part in chunk_stream("a.py"):
        assert_type(part, Chunk)
    async with chunk_stream("a.py") as parts:
        assert_type([part async for part in parts], list[Chunk])
    assert_type(await anext(chunk_stream("a.py")), Chunk)


# --- values ---


def look_at(piece: Chunk) -> None:
    """Every field has its type."""
    assert_type(piece.text, str)
    assert_type(piece.contextualized_text, str)
    assert_type(piece.byte_range, ByteRange)
    assert_type(piece.byte_range.start, int)
    assert_type(piece.char_range.end, int)
    assert_type(piece.line_range, LineRange)
    assert_type(piece.context, ChunkContext)
    assert_type(piece.index, int)
    assert_type(piece.total_chunks, int)
    assert_type(piece.size, int)
    assert_type(piece.id, str)
    piece.text = ""  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


def look_around(context: ChunkContext) -> None:
    """The parts of a context are tuples."""
    assert_type(context.filepath, str)
    assert_type(context.language, str)
    assert_type(context.scope, tuple[EntityInfo, ...])
    assert_type(context.entities, tuple[ChunkEntityInfo, ...])
    assert_type(context.siblings, tuple[SiblingInfo, ...])
    assert_type(context.imports, tuple[ImportInfo, ...])
    assert_type(context.uses, tuple[str, ...])
    assert_type(context.parse_error, ParseError | None)
    assert_type(format_chunk_with_context("x = 1", context), str)
    assert_type(format_chunk_with_context("x = 1", context, overlap_text=None), str)


def look_closer(entity: ChunkEntityInfo, sibling: SiblingInfo, info: ImportInfo, error: ParseError) -> None:
    """What may be missing may be None; categories are literals."""
    assert_type(entity.name, str)
    assert_type(entity.docstring, str | None)
    assert_type(entity.line_range, LineRange | None)
    assert_type(entity.is_partial, bool)
    assert_type(entity.parent, str | None)
    assert_type(entity.source, str | None)
    assert_type(sibling.position, Literal["before", "after"])
    assert_type(sibling.signature, str | None)
    assert_type(info.is_default, bool)
    assert_type(error.recoverable, bool)
    _ = entity.type == "klass"  # type: ignore[comparison-overlap]  # pyright: ignore[reportUnnecessaryComparison]


assert_type(Chunk.from_dict({"text": ""}), Chunk)
assert_type(ByteRange(0, 1).to_dict(), dict[str, Any])
ByteRange("0", 1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# --- languages ---

assert_type(detect_language("a.py"), str | None)
assert_type(detect_language(Path("a"), content=b"#!/bin/sh"), str | None)
assert_type(supported_languages(), tuple[str, ...])
assert_type(LANGUAGE_EXTENSIONS, Mapping[str, str])
assert_type(register_language(Path("folder")), None)
LANGUAGE_EXTENSIONS[".x"] = "python"  # type: ignore[index]  # pyright: ignore[reportIndexIssue]

# --- errors ---

try:
    assert_type(chunk("a.py", "x = 1"), list[Chunk])
except UnsupportedLanguageError as unsupported:
    assert_type(unsupported.filepath, str)
as_base: list[type[CodeChunkError]] = [
    ChunkingError,
    ChunkingTimeoutError,
    UnsupportedLanguageError,
    GrammarNotInstalledError,
    LanguageSpecError,
]
as_value_error: type[ValueError] = UnsupportedLanguageError
as_import_error: type[ImportError] = GrammarNotInstalledError
