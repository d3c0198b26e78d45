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

from ._chunker import Chunker, achunk, chunk, chunk_stream, create_chunker
from ._errors import (
    ChunkingError,
    ChunkingTimeoutError,
    CodeChunkError,
    GrammarNotInstalledError,
    LanguageSpecError,
    UnsupportedLanguageError,
)
from ._format import format_chunk_with_context
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
    "GrammarNotInstalledError",
    "ImportInfo",
    "LanguageSpecError",
    "LineRange",
    "ParseError",
    "SiblingInfo",
    "UnsupportedLanguageError",
    "achunk",
    "chunk",
    "chunk_stream",
    "create_chunker",
    "detect_language",
    "format_chunk_with_context",
    "register_language",
    "supported_languages",
]
