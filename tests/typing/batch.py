"""Batches as a type checker sees them."""

# pyright: reportUnusedCallResult=false, reportExplicitAny=false

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_type

from code_chunk import (
    BatchResult,
    Chunk,
    Chunker,
    ChunkOptions,
    CodeChunkError,
    FileInput,
    achunk_batch,
    chunk_batch,
    chunk_batch_stream,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable, Iterator

# --- files ---

paths: list[Path] = [Path("a.py")]
pairs: list[tuple[str, str]] = [("a.py", "x = 1")]
inputs = [
    FileInput("a.py"),
    FileInput(Path("a.py"), b"x = 1", {"max_chunk_size": 5}),
    FileInput("a.py", Path("b.py")),
]
assert_type(chunk_batch(paths), list[BatchResult])
assert_type(chunk_batch(pairs), list[BatchResult])
assert_type(chunk_batch(inputs), list[BatchResult])
assert_type(chunk_batch(Path().rglob("*.py")), list[BatchResult])
assert_type(chunk_batch(["a.py", Path("a.py"), ("a.py", b""), FileInput("a.py")]), list[BatchResult])
assert_type(chunk_batch((path, path.read_bytes()) for path in paths), list[BatchResult])
chunk_batch([1])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
chunk_batch([("a.py", 1)])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
chunk_batch(None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
FileInput("a.py", 1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# --- arguments ---


def tell(completed: int, total: int, filepath: str, success: bool) -> None:
    """Be told of the progress."""
    assert_type((completed, total, filepath, success), tuple[int, int, str, bool])


chunk_batch(pairs, concurrency=2, on_progress=tell, timeout=1.5, encoding="latin-1")
chunk_batch(pairs, concurrency=None, on_progress=None, timeout=None, options=ChunkOptions(), max_chunk_size=5)
chunk_batch(pairs, on_progress=print)
chunk_batch(pairs, concurrency="2")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
chunk_batch(pairs, on_progress=print, timeout="1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
chunk_batch(pairs, max_size=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
chunk_batch(pairs, 2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

# --- streams ---

for result in chunk_batch_stream(paths):
    assert_type(result, BatchResult)
with chunk_batch_stream(paths, concurrency=2) as stream:
    assert_type(next(stream), BatchResult)
    assert_type(stream.close(), None)
iterable: Iterable[BatchResult] = chunk_batch_stream(paths)
asynchronous: AsyncIterable[BatchResult] = chunk_batch_stream(paths)
iterator: Iterator[BatchResult] = iter(chunk_batch_stream(paths))


async def use() -> None:
    """Await a list, and iterate over a stream."""
    assert_type(await achunk_batch(paths, concurrency=2, on_progress=tell), list[BatchResult])
    async for made in chunk_batch_stream(paths):
        assert_type(made, BatchResult)
    async with chunk_batch_stream(paths) as results:
        assert_type([made async for made in results], list[BatchResult])
    assert_type(await anext(chunk_batch_stream(paths)), BatchResult)


# --- results ---


def look_at(made: BatchResult) -> None:
    """One of chunks and error is None."""
    assert_type(made.filepath, str)
    assert_type(made.chunks, list[Chunk] | None)
    assert_type(made.error, CodeChunkError | None)
    assert_type(made.encoding, str | None)
    assert_type(made.to_dict(), dict[str, Any])
    assert_type(BatchResult.from_dict({}), BatchResult)
    made.chunks = []  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


# --- a chunker ---


async def use_a_chunker(chunker: Chunker) -> None:
    """Its methods take what the functions do, but for options, which it has."""
    assert_type(chunker.chunk_batch(paths, concurrency=2, max_chunk_size=5), list[BatchResult])
    assert_type(await chunker.achunk_batch(paths, timeout=1), list[BatchResult])
    for made in chunker.chunk_batch_stream(paths, on_progress=tell):
        assert_type(made, BatchResult)
    chunker.chunk_batch(paths, options=ChunkOptions())  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
