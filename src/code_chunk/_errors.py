"""The errors of the package; each can be pickled and names itself in ``_tag``."""

from __future__ import annotations

from typing import Any


class CodeChunkError(Exception):
    """Base class of every error that this package raises on purpose."""

    @property
    def _tag(self) -> str:
        """The class name, under the key that the original library uses."""
        return type(self).__name__

    @classmethod
    def from_tag(cls, tag: str, message: str) -> CodeChunkError:
        """Make an error from its ``_tag`` and message."""
        kinds: list[type[CodeChunkError]] = [cls, *cls.__subclasses__(), ChunkingTimeoutError]
        return {kind.__name__: kind for kind in kinds}.get(tag, cls)(message)

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the cause in pickle, which drops it otherwise."""
        return type(self), self.args, {**self.__dict__, "__cause__": self.__cause__}


class ChunkingError(CodeChunkError):
    """The input can not be chunked, for example because it is not UTF-8.

    The original cause, if there is one, is in ``__cause__``.
    """


class ChunkingTimeoutError(ChunkingError):
    """Chunking one file took longer than it was allowed to."""


class UnsupportedLanguageError(CodeChunkError, ValueError):
    """No language is known for a file, or the language asked for is unknown.

    Attributes:
        filepath: The path of the file that was to be chunked.
    """

    def __init__(self, message: str, filepath: str = "") -> None:
        super().__init__(message)
        self.filepath = filepath


class GrammarNotInstalledError(CodeChunkError, ImportError):
    """The grammar of a known language is not installed, or can not be loaded."""


class LanguageSpecError(CodeChunkError):
    """A language folder or one of its queries is wrong; the message says where and what is allowed."""
