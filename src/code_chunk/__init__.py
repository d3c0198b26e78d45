"""Cuts source code into chunks along its syntax tree and tells each chunk where it stands.

Example:
    >>> from code_chunk import chunk
    >>> made = chunk("jar.py", "class Jar:\\n    def full(self) -> bool:\\n        return True\\n")
    >>> print(made[0].contextualized_text)
    # jar.py
    # Defines: class Jar, def full(self) -> bool
    <BLANKLINE>
    class Jar:
        def full(self) -> bool:
            return True
"""

from ._batch import achunk_batch, chunk_batch, chunk_batch_stream
from ._chunker import Chunker, create_chunker
from ._errors import (
    ChunkingError,
    ChunkingTimeoutError,
    CodeChunkError,
    GrammarNotInstalledError,
    LanguageSpecError,
    UnsupportedLanguageError,
)
from ._files import SkippedFile, read_source, walk_repository
from ._format import format_chunk_with_context
from ._pipeline import achunk, chunk, chunk_stream
from ._tasks import BatchResult, FileInput
from ._types import (
    ByteRange,
    Chunk,
    ChunkContext,
    ChunkEntityInfo,
    ChunkOptions,
    EntityInfo,
    ImportInfo,
    LineRange,
    ParseError,
    SiblingInfo,
)
from .languages import LANGUAGE_EXTENSIONS, detect_language, register_language, supported_languages

__all__ = [
    "LANGUAGE_EXTENSIONS",
    "BatchResult",
    "ByteRange",
    "Chunk",
    "ChunkContext",
    "ChunkEntityInfo",
    "ChunkOptions",
    "Chunker",
    "ChunkingError",
    "ChunkingTimeoutError",
    "CodeChunkError",
    "EntityInfo",
    "FileInput",
    "GrammarNotInstalledError",
    "ImportInfo",
    "LanguageSpecError",
    "LineRange",
    "ParseError",
    "SiblingInfo",
    "SkippedFile",
    "UnsupportedLanguageError",
    "achunk",
    "achunk_batch",
    "chunk",
    "chunk_batch",
    "chunk_batch_stream",
    "chunk_stream",
    "create_chunker",
    "detect_language",
    "format_chunk_with_context",
    "read_source",
    "register_language",
    "supported_languages",
    "walk_repository",
]
