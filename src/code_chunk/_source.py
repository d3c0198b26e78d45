"""Where the bytes come from: text, bytes, a file object or a path, as pieces of UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import BinaryIO

from ._errors import ChunkingError

STRICT = "utf-8"
"""The encoding of files that are read piece by piece."""
Code = str | bytes | bytearray | memoryview | BinaryIO | None
_BYTES = (bytes, bytearray)
_IN_MEMORY = (str, bytes, bytearray, memoryview)
Read = Callable[[int], bytes]
"""Gives up to about that many bytes of whole code points; empty at the end."""


class Buffer:
    """The part of a file that is held in memory, addressed by positions in the file."""

    __slots__ = ("_is_read", "_read", "data", "start")

    def __init__(self, read: Read) -> None:
        self._read = read
        self._is_read = False
        self.data = b""
        self.start = 0

    @property
    def end(self) -> int:
        """The position behind the last byte held."""
        return self.start + len(self.data)

    def fill(self, position: int) -> bool:
        """Read beyond a position; False when the file ends there or before."""
        missing = position + 1 - self.end
        if missing <= 0 or self._is_read:
            return missing <= 0
        pieces = [self.data]
        while missing > 0 and not self._is_read:
            piece = self._read(missing)
            pieces.append(piece)
            missing -= len(piece)
            self._is_read = not piece
        self.data = b"".join(pieces)
        return missing <= 0

    def get(self, start: int, end: int) -> bytes:
        """Return the bytes between two positions."""
        return self.data[start - self.start : end - self.start]

    def release(self, before: int) -> None:
        """Forget what stands before a position."""
        if before > self.start:
            self.data = self.data[before - self.start :]
            self.start = before


def check_code(code: object) -> None:
    """Refuse what is no source code, before any work."""
    if code is None or isinstance(code, _IN_MEMORY):
        return
    if not callable(getattr(code, "read", None)):
        kind = type(code).__name__
        raise TypeError(
            f"code must be str, bytes or a binary file object, not {kind}; chunk_stream(path) reads a file"
        )


@contextmanager
def open_source(filepath: str, code: Code) -> Iterator[Read]:
    """Open the code, or the file at ``filepath`` when there is none, for reading in pieces."""
    if isinstance(code, str):
        yield _read_text(code)
    elif isinstance(code, (bytes, bytearray, memoryview)):
        yield _checked(BytesIO(bytes(code)).read)
    elif code is not None:
        yield _checked(code.read)
    else:
        with open(filepath, "rb") as file:
            yield _checked(file.read)


def _read_text(text: str) -> Read:
    position = 0

    def read(size: int) -> bytes:
        nonlocal position
        piece = text[position : position + size]
        position += len(piece)
        return piece.encode("utf-8", "surrogatepass")

    return read


def _checked(read_raw: Callable[[int], object]) -> Read:
    """Read whole code points, and refuse bytes that are no UTF-8."""
    position = 0
    rest = b""

    def read(size: int) -> bytes:
        nonlocal position, rest
        while True:
            raw = read_raw(size)
            if not isinstance(raw, _BYTES):
                kind = type(raw).__name__
                raise TypeError(f"code must be a binary file (opened with 'rb'): its read() gave {kind}")
            whole = rest + raw
            try:
                _, count = codecs.utf_8_decode(whole, "strict", not raw)
            except UnicodeDecodeError as error:
                bad = position + error.start
                value = error.object[error.start]
                raise ChunkingError(f"not UTF-8: byte 0x{value:02x} at position {bad}") from error
            position += count
            whole, rest = whole[:count], whole[count:]
            if whole or not raw:
                return whole

    return read
