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

import importlib as _importlib
import typing as _typing

from ._chunker import Chunker, create_chunker
from ._errors import (
    ChunkingError,
    ChunkingTimeoutError,
    CodeChunkError,
    GrammarNotInstalledError,
    LanguageSpecError,
    UnsupportedLanguageError,
)
from ._format import format_chunk_with_context
from ._pipeline import achunk, chunk, chunk_stream
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

if _typing.TYPE_CHECKING:
    from ._batch import achunk_batch, chunk_batch, chunk_batch_stream
    from ._files import SkippedFile, read_source, walk_repository
    from ._tasks import BatchResult, FileInput

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

_LOADED_LATER = {
    "BatchResult": "_tasks",
    "FileInput": "_tasks",
    "SkippedFile": "_files",
    "achunk_batch": "_batch",
    "chunk_batch": "_batch",
    "chunk_batch_stream": "_batch",
    "read_source": "_files",
    "walk_repository": "_files",
}
"""Names whose modules are imported when they are first asked for: who chunks single files does not wait."""


def __getattr__(name: str) -> _typing.Any:
    module = _LOADED_LATER.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(_importlib.import_module(f".{module}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
