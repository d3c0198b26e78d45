"""Where the chunks go: a file that appears whole or not at all, standard output, or a pipe or device."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import tempfile
from contextlib import AbstractContextManager, contextmanager
from typing import IO, TYPE_CHECKING

from ._errors import ReaderGoneError, RefusedError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

_DESCRIPTORS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
STDOUT = "-"


class Output(io.RawIOBase):
    """A stream of bytes whose errors end the run in one line."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name
        self._told = 0
        self.temporary: str | None = None
        """The file that is written in the target's stead."""

    def writable(self) -> bool:
        """Tell that this is a stream to write."""
        return True

    def tell(self) -> int:
        """Return the number of bytes written: a pipe knows no position."""
        return self._told

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write all of the data."""
        with _explained(self._name):
            self._stream.write(data)
        self._told += len(data)
        return len(data)

    def flush(self) -> None:
        """Hand on what was written."""
        if not self._stream.closed:
            with _explained(self._name):
                self._stream.flush()


@contextmanager
def _explained(name: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGoneError from error
    except OSError as error:
        raise RefusedError(f"{name}: {error.strerror or error}") from error


def open_output(path: str) -> AbstractContextManager[Output]:
    """Open what is to be written; leaving without an exception makes the file appear.

    Raises:
        RefusedError: It can not be written.
        ReaderGoneError: The reader of a pipe has closed it.
    """
    descriptor = _descriptor_of(path)
    if descriptor == 1:
        return _standard_output("standard output")
    name = printable(path)
    if descriptor is not None or is_special(path):
        return _in_place(path if descriptor is None else descriptor, name)
    return _replaced(path, name)


def is_special(path: str) -> bool:
    """Tell whether a path leads to something that is no regular file, and so can not be replaced."""
    if _descriptor_of(path) is not None:
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False  # whoever opens it will say why
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _descriptor_of(path: str) -> int | None:
    if path == STDOUT:
        return 1
    found = _DESCRIPTOR.fullmatch(path)
    return int(found[1]) if found else _DESCRIPTORS.get(path)


@contextmanager
def _standard_output(name: str) -> Iterator[Output]:
    if sys.stdout is None:
        raise RefusedError(f"{name} is closed")
    output = Output(sys.stdout.buffer, name)
    try:
        yield output
        output.flush()
    except (ReaderGoneError, RefusedError):
        # what is left in the buffer must not raise again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


@contextmanager
def _in_place(target: str | int, name: str) -> Iterator[Output]:
    """Write to a pipe, a device, or an open descriptor."""
    with _explained(name):
        stream = open(os.dup(target) if isinstance(target, int) else target, "wb")  # noqa: SIM115, see below
    try:
        output = Output(stream, name)
        yield output
        output.flush()
    finally:
        stream.raw.close()  # what is left in the buffer could not be written


@contextmanager
def _replaced(path: str, name: str) -> Iterator[Output]:
    """Write a new file beside the target, and put it in the target's place in the end."""
    if path.endswith(os.sep):
        raise RefusedError(f"{name}: names a folder")
    target = os.path.realpath(path)
    folder, base = os.path.split(target)
    mode = _mode_of(target, name)
    with _explained(name):
        handle, temporary = tempfile.mkstemp(prefix=f".{base[:50]}.", suffix=".tmp", dir=folder)
    stream = open(handle, "wb")  # noqa: SIM115, closed below, without its buffer when things go wrong
    try:
        output = Output(stream, name)
        output.temporary = temporary
        yield output
        output.flush()
        with _explained(name):
            stream.close()
            os.chmod(temporary, mode)
            os.replace(temporary, target)
    except BaseException:
        stream.raw.close()  # what is left in the buffer is not wanted
        os.unlink(temporary)
        raise


def _mode_of(target: str, name: str) -> int:
    """The permissions that the file should have: those of the one that is replaced, or of any new file."""
    try:
        mode = os.stat(target).st_mode
    except OSError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask
    if stat.S_ISDIR(mode):
        raise RefusedError(f"{name}: is a folder")
    if not os.access(target, os.W_OK):
        raise RefusedError(f"{name}: no permission to write")
    return stat.S_IMODE(mode)
