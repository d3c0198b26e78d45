"""One file of a batch: what is asked for, the work on it, and what comes of it."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from ._errors import ChunkingError, CodeChunkError
from ._files import read_source
from ._pipeline import checked_path, numbered, steps_of
from ._source import STRICT
from ._transfer import Flat, flattened, restored
from ._types import Chunk, ChunkOptions, make_options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

OUT_OF_MEMORY = "there is not enough memory to chunk the file"
FILE_COST = 4 * 1024
"""What a file costs beside its bytes, in bytes."""


@dataclass(frozen=True, slots=True)
class FileInput:
    """A file to chunk in a batch.

    Raises:
        TypeError: A field has the wrong type, or an option is unknown.
        ValueError: An option is out of range.

    Example:
        >>> FileInput("src/a.py", "x = 1", {"max_chunk_size": 500}).filepath
        'src/a.py'
    """

    filepath: str | os.PathLike[str]
    """The path: it tells the language and stands in the chunks' context."""
    code: str | bytes | os.PathLike[str] | None = None
    """The source; a path object is the file to read instead, None the file at ``filepath``."""
    options: ChunkOptions | Mapping[str, Any] | None = None
    """Options by name, laid over the batch's, or a whole set of them in their place."""

    def __post_init__(self) -> None:
        checked_path(self.filepath)
        if isinstance(self.code, os.PathLike):
            checked_path(self.code)
        elif self.code is not None and not isinstance(self.code, str | bytes | bytearray | memoryview):
            kind = type(self.code).__name__
            raise TypeError(
                f"code must be str, bytes, a path object or None, not {kind}; give a path to read"
            )
        if isinstance(self.options, Mapping):
            make_options(None, self.options)
        else:
            make_options(self.options, {})


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of one file of a batch: chunks or an error."""

    filepath: str
    """The path as given."""
    chunks: list[Chunk] | None = None
    """The file's chunks; None if it failed."""
    error: CodeChunkError | None = None
    """Why it failed; the original cause is in ``__cause__``."""
    encoding: str | None = None
    """The encoding of a file that was read, None where the code was given."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data; an error becomes its ``_tag`` and ``message``."""
        error = self.error
        return {
            "filepath": self.filepath,
            "chunks": None if self.chunks is None else [chunk.to_dict() for chunk in self.chunks],
            "error": None if error is None else {"_tag": error._tag, "message": str(error)},
            "encoding": self.encoding,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BatchResult:
        """Make the result from what `to_dict` returned; unknown keys are ignored."""
        chunks, error = data.get("chunks"), data.get("error")
        return cls(
            data["filepath"],
            None if chunks is None else [Chunk.from_dict(item) for item in chunks],
            None if error is None else CodeChunkError.from_tag(error["_tag"], error["message"]),
            data.get("encoding"),
        )


class Task(NamedTuple):
    """A file of a batch, checked, and small to send."""

    position: int
    """Place among the batch's files."""
    filepath: str
    code: str | bytes | None
    source: str | None
    """The absolute path of the file to read, where no code is given."""
    options: ChunkOptions
    encoding: str
    size: int
    """About how many bytes there are to chunk; 0 where that can not be told."""


class Done(NamedTuple):
    """A file's result, and its place."""

    position: int
    result: BatchResult


class _End(NamedTuple):
    """Follows the chunks of a file."""

    error: CodeChunkError | None
    encoding: str | None


def make_task(position: int, item: object, options: ChunkOptions, encoding: str) -> Task:
    """Turn one of the files of a batch into a task, or say what is wrong with it."""
    if isinstance(item, str | os.PathLike):
        item = FileInput(item)
    elif isinstance(item, tuple | list) and len(item) == 2:
        if item[1] is None:
            raise TypeError(f"the code of {item[0]!r} is None; give the path alone to have it read")
        item = FileInput(*item)
    elif not isinstance(item, FileInput):
        kind = type(item).__name__
        raise TypeError(f"a file must be a path, a (filepath, code) pair or a FileInput, not {kind}")
    filepath, code = _plain(checked_path(item.filepath)), item.code
    if isinstance(item.options, ChunkOptions):
        options = item.options
    elif item.options:
        options = make_options(options, item.options)
    if type(options) is not ChunkOptions:
        options = ChunkOptions(**{field.name: getattr(options, field.name) for field in fields(ChunkOptions)})
    if code is None or isinstance(code, os.PathLike):
        source = os.path.abspath(_plain(filepath if code is None else checked_path(code)))
        return Task(position, filepath, None, source, options, encoding, _size_on_disk(source))
    if isinstance(code, str):
        code = _plain(code)
    elif type(code) is not bytes:
        code = bytes(memoryview(code))
    return Task(position, filepath, code, None, options, encoding, len(code))


def _plain(text: str) -> str:
    """Return a plain ``str``: a worker may not know the class of another."""
    return str.__str__(text)


def _size_on_disk(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0  # whoever opens it will say why


def work(task: Task) -> Iterator[Done | None]:
    """Chunk a file: None after each bounded piece of work, then the result."""
    return _gathered(task, _parts(task))


def packed(tasks: list[Task]) -> bytes:
    """Make tasks ready to be sent; a worker unpacks them where what is wrong with one of them can be told."""
    return pickle.dumps(tasks, pickle.HIGHEST_PROTOCOL)


def run(tasks: bytes | None, path: str) -> bytes | None:
    """Chunk files in a worker, and write a file that `results` makes their results from.

    Args:
        tasks: As `packed` gives them; None where they are in the file.
        path: The file.

    Returns:
        What could not be written, because the disk for temporary files is full, or no such file can be made.
    """
    if tasks is None:
        with open(path, "rb") as file:
            tasks = file.read()
    unpacked: list[Task] = pickle.loads(tasks)
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open(path, "wb") as target:
            _write(unpacked, target)
    except OSError:
        with suppress(OSError):
            os.unlink(path)
        memory = io.BytesIO()
        _write(unpacked, memory)
        return memory.getvalue()
    return None


def _write(tasks: list[Task], target: BinaryIO) -> None:
    for task in tasks:
        pickler = pickle.Pickler(target, pickle.HIGHEST_PROTOCOL)  # one a file: it knows what it has written
        for part in _parts(task):
            pickler.dump(part if isinstance(part, _End) else [flattened(chunk) for chunk in part])


def results(tasks: list[Task], path: str, unwritten: bytes | None) -> Iterator[Done | None]:
    """Read what `run` left of the same tasks: None after each bounded part, and each file's result."""
    with open(path, "rb") if unwritten is None else io.BytesIO(unwritten) as source:
        for task in tasks:
            unpickler = pickle.Unpickler(source)
            yield from _gathered(task, map(_received, iter(unpickler.load, None)))
    if unwritten is None:
        os.unlink(path)


def _received(part: _End | list[Flat]) -> _End | list[Chunk]:
    return part if isinstance(part, _End) else [restored(flat) for flat in part]


def failed(task: Task, error: CodeChunkError) -> Done:
    """Return the result of a task that could not be done."""
    return Done(task.position, BatchResult(task.filepath, None, error))


def _parts(task: Task) -> Iterator[list[Chunk] | _End]:
    """Chunk a file; whatever happens to it is told in the end, and goes no further."""
    encoding = None
    try:
        if task.source is None:
            assert task.code is not None
            yield from steps_of(task.filepath, task.code, task.options)
        elif task.encoding == STRICT:
            encoding = STRICT
            with open(task.source, "rb") as file:
                yield from steps_of(task.filepath, file, task.options)
        else:
            text, encoding = read_source(task.source, task.encoding)
            yield from steps_of(task.filepath, text, task.options)
    except CodeChunkError as error:
        yield _End(error, encoding)
    except Exception as cause:
        yield _End(_explained(cause, task), encoding)
    else:
        yield _End(None, encoding)


def _explained(cause: Exception, task: Task) -> ChunkingError:
    if isinstance(cause, OSError) and task.source is not None:
        error = ChunkingError(f"{task.source} can not be read: {cause.strerror or cause}")
    elif isinstance(cause, MemoryError):
        error = ChunkingError(OUT_OF_MEMORY)
    else:
        error = ChunkingError(f"{type(cause).__name__}: {cause}")
    error.__cause__ = cause
    return error


def _gathered(task: Task, parts: Iterator[list[Chunk] | _End]) -> Iterator[Done | None]:
    chunks: list[Chunk] = []
    for part in parts:
        if isinstance(part, _End):
            made = None if part.error else numbered(chunks)
            yield Done(task.position, BatchResult(task.filepath, made, part.error, part.encoding))
            return
        chunks += part
        yield None
