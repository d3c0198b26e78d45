"""Streams: early, bounded, closed when told, and equal to the list (G8, G10)."""

from __future__ import annotations

import asyncio
import builtins
import io
import itertools
import subprocess
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import pytest

from code_chunk import Chunk, ChunkingError, ChunkOptions, chunk, chunk_stream
from guarantees import check, parse
from strategies import LANGUAGES, patch_slices, sample_paths, sample_text, streamed, trickle

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from code_chunk._pipeline import ChunkStream

MIB = 1024 * 1024
FIRST = 400_000
"""Bytes that may be read for the first chunk."""
FUNCTION = 'def f{0}(a, b):\n    """Doc of f{0}."""\n    return a + b * {0}\n\n\n'
BROKEN = b"\n\n)))\n\n"
languages = pytest.mark.parametrize("language", LANGUAGES)


class Source:
    """A binary file object that makes its bytes as they are read, and counts them."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.count = 0
        self._pieces = pieces

    def read(self, size: int) -> bytes:  # noqa: ARG002
        piece = next(self._pieces, b"")
        self.count += len(piece)
        return piece


def functions(size: int, broken_at: int | None = None) -> Iterator[bytes]:
    """Pieces of some kilobytes of Python, all different, together at least ``size`` bytes."""
    count = 0
    for number in itertools.count(step=100):
        if count >= size:
            return
        piece = "".join(map(FUNCTION.format, range(number, number + 100))).encode()
        if broken_at is not None and count >= broken_at:
            piece, broken_at = BROKEN + piece, None
        count += len(piece)
        yield piece


def stream_of(source: Source, **options: Any) -> ChunkStream:
    return chunk_stream("a.py", cast("BinaryIO", source), **options)


def large_code(language: str, size: int, between: str = "") -> tuple[str, str]:
    """(file name, code) of copies of the samples of one file type."""
    suffix = {"javascript": ".js", "python": ".py", "rust": ".rs", "typescript": ".ts"}.get(language, "")
    paths = [path for path in sample_paths(language) if path.name.endswith(suffix)]
    texts = [sample_text(path).removeprefix("\ufeff").rstrip() + "\n\n" for path in paths]
    # a shebang, for one, may stand but once
    texts = [
        text for path, text in zip(paths, texts, strict=True) if not parse(path.name, 2 * text).has_error
    ]
    copies = list(itertools.islice(itertools.cycle(texts), size * len(texts) // sum(map(len, texts))))
    copies.insert(len(copies) // 2, between)
    return paths[0].name, "".join(copies)


# --- early ---


@pytest.mark.parametrize("limit", [50, 1500])
def test_first_chunk_comes_early(limit: int) -> None:
    """The first chunk is there when a tenth of a file of 4 MB is read."""
    source = Source(functions(4_000_000))
    with stream_of(source, max_chunk_size=limit) as stream:
        assert next(stream).index == 0
        assert source.count < FIRST


def test_first_chunk_comes_early_in_broken_code() -> None:
    """An error holds a stream up for at most the megabyte in which it may mend itself."""
    source = Source(functions(6_000_000, broken_at=0))
    with stream_of(source) as stream:
        next(stream)
        assert source.count < 2.5 * MIB


def test_chunks_come_as_the_source_is_read() -> None:
    """Reading goes on only when chunks are asked for, and is never far ahead of them."""
    source = Source(functions(2_000_000))
    for made in stream_of(source, max_chunk_size=500):
        assert source.count - made.byte_range.end < FIRST


@languages
def test_first_chunk_comes_early_in_every_language(language: str) -> None:
    """Each language's slices end where its top-level nodes do."""
    name, code = large_code(language, 600_000)
    source = io.BytesIO(code.encode())
    with chunk_stream(name, source) as stream:
        next(stream)
    assert source.tell() < FIRST


# --- equal to the list ---


@languages
def test_large_file(language: str) -> None:
    """A file of many slices: the guarantees hold, and every way to read it gives the same."""
    name, code = large_code(language, 300_000)
    options = ChunkOptions(max_chunk_size=700)
    chunks = chunk(name, code, options)
    check(name, code, chunks, options)
    raw = code.encode()
    assert list(chunk_stream(name, code, options)) == streamed(chunks)
    assert list(chunk_stream(name, trickle(raw, 3000), options)) == streamed(chunks)
    assert chunk(name, raw, options) == chunks


@languages
def test_slices_do_not_show(language: str) -> None:
    """A file of many slices gives the chunks that it gives when parsed at once."""
    name, code = large_code(language, 500_000)
    sliced = chunk(name, code, max_chunk_size=400)
    with patch_slices(10**9, 10**9):
        assert sliced == chunk(name, code, max_chunk_size=400)
    assert not any(made.context.parse_error for made in sliced)


@languages
def test_large_broken_file(language: str) -> None:
    """The same with an error in its middle."""
    name, code = large_code(language, 500_000, between="\n)))\n\n")
    options = ChunkOptions(max_chunk_size=700)
    chunks = chunk(name, code, options)
    check(name, code, chunks, options)
    assert list(chunk_stream(name, trickle(code.encode(), 1000), options)) == streamed(chunks)
    assert any(made.context.parse_error for made in chunks)


def test_numbers() -> None:
    """A stream's chunks are numbered, and do not know how many they are."""
    chunks = list(stream_of(Source(functions(300_000))))
    assert [made.index for made in chunks] == list(range(len(chunks)))
    assert {made.total_chunks for made in chunks} == {-1}


def test_for_and_async_for_take_turns() -> None:
    """Both loops take from the same stream."""
    stream = chunk_stream("a.py", "a = 1\nb = 2\nc = 3\nd = 4\n", max_chunk_size=3)

    async def rest() -> list[str]:
        return [made.text async for made in stream]

    first = next(stream).text
    assert [first, *asyncio.run(rest()), *(made.text for made in stream)] == [
        "a = 1\n", "b = 2\n", "c = 3\n", "d = 4\n"
    ]  # fmt: skip


def test_async_for_lets_other_tasks_run() -> None:
    """The event loop gets its turn between the slices."""
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def read() -> int:
        counting = asyncio.create_task(count_turns())
        await asyncio.sleep(0)
        made = [made async for made in stream_of(Source(functions(500_000)))]
        counting.cancel()
        return len(made)

    assert asyncio.run(read()) > 100
    assert turns > 5


# --- closed ---


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[BinaryIO]:
    """The files that were opened since."""
    files: list[BinaryIO] = []
    real_open = builtins.open

    def spying_open(*args: Any, **kwargs: Any) -> Any:
        files.append(real_open(*args, **kwargs))
        return files[-1]

    monkeypatch.setattr(builtins, "open", spying_open)
    return files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of a megabyte."""
    path = tmp_path / "a.py"
    path.write_bytes(b"".join(functions(1_000_000)))
    return path


def close(stream: ChunkStream) -> None:
    stream.close()


def aclose(stream: ChunkStream) -> None:
    asyncio.run(stream.aclose())


def leave_with(stream: ChunkStream) -> None:
    with stream as entered:
        assert entered is stream


def leave_async_with(stream: ChunkStream) -> None:
    async def enter() -> None:
        async with stream as entered:
            assert entered is stream

    asyncio.run(enter())


@pytest.mark.parametrize("end", [close, aclose, leave_with, leave_async_with])
@pytest.mark.parametrize("taken", [0, 1, 50])
def test_closed_early(end: Any, taken: int, path: Path, opened: list[BinaryIO]) -> None:
    """A stream that is closed early closes its file and gives nothing more."""
    stream = chunk_stream(path)
    assert len(list(itertools.islice(stream, taken))) == taken
    assert [file.closed for file in opened] == [False] * bool(taken)
    end(stream)
    end(stream)  # again, which does nothing
    assert all(file.closed for file in opened)
    assert list(stream) == []


def test_read_to_the_end(path: Path, opened: list[BinaryIO]) -> None:
    """A stream that came to its end has closed its file."""
    assert sum(1 for _ in chunk_stream(path)) > 100
    assert [file.closed for file in opened] == [True]


def test_forgotten(path: Path, opened: list[BinaryIO]) -> None:
    """A stream that nobody holds any more closes its file."""
    for _ in chunk_stream(path):
        break
    assert [file.closed for file in opened] == [True]


def test_left_by_an_exception(path: Path, opened: list[BinaryIO]) -> None:
    """An exception in the loop closes the file as well."""

    def fail() -> None:
        with chunk_stream(path) as stream:
            for made in stream:
                raise LookupError(made.index)

    with pytest.raises(LookupError, match="0"):
        fail()
    assert [file.closed for file in opened] == [True]


# --- errors in the middle ---


def taken_before(error: type[Exception], message: str, stream: ChunkStream) -> list[Chunk]:
    """The chunks that a stream gives before it raises an error; then it gives nothing."""
    made: list[Chunk] = []

    def take() -> None:
        for each in stream:
            made.append(each)  # noqa: PERF402 (what came before the error counts)

    with pytest.raises(error, match=message):
        take()
    assert list(stream) == []
    return made


def test_bad_byte_in_the_middle(path: Path, opened: list[BinaryIO]) -> None:
    """What stands before a bad byte comes out, then the error."""
    good = path.read_bytes()
    path.write_bytes(good + b"\xff\n")
    opened.clear()
    made = taken_before(ChunkingError, f"byte 0xff at position {len(good)}$", chunk_stream(path))
    assert made[-1].byte_range.end > len(good) - FIRST
    assert [file.closed for file in opened] == [True]


def test_bad_byte_in_the_middle_of_an_async_stream() -> None:
    """The same for ``async for``."""
    data = b"".join(functions(300_000)) + b"\xff"
    made: list[Chunk] = []

    async def read() -> None:
        async for each in chunk_stream("a.py", data):
            made.append(each)  # noqa: PERF401 (what came before the error counts)

    with pytest.raises(ChunkingError, match=f"byte 0xff at position {len(data) - 1}$"):
        asyncio.run(read())
    assert len(made) > 100


def test_source_that_fails() -> None:
    """An error of the file object is given on, behind the chunks that were ready."""

    def pieces() -> Iterator[bytes]:
        yield from functions(300_000)
        raise OSError("gone")

    assert len(taken_before(OSError, "gone", stream_of(Source(pieces())))) > 100


# --- bounded ---

_PEAK = """
import resource, sys
sys.path.insert(0, {tests!r})
from test_stream import Source, functions, stream_of

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

sum(1 for _ in stream_of(Source(functions(1_000_000))))
before = peak()
source = Source(functions({size}, broken_at={broken_at}))
size = sum(len(made.text) for made in stream_of(source, **{options}))
print(size, peak() - before)
"""


@pytest.mark.parametrize(
    ("size", "broken_at", "options", "allowed"),
    [
        (16_000_000, None, {"context_mode": "none"}, 8),
        (8_000_000, None, {"max_chunk_size": 100_000}, 16),
        (8_000_000, 4_000_000, {}, 40),
    ],
    ids=["many functions", "large chunks", "an error in the middle"],
)
def test_memory_is_bounded(
    size: int, broken_at: int | None, options: dict[str, object], allowed: int
) -> None:
    """A stream over a large file holds a small part of it, and of its tree, also behind an error."""
    tests = str(sample_paths()[0].parents[2])
    program = _PEAK.format(tests=tests, size=size, broken_at=broken_at, options=options)
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    streamed_size, grown = map(int, done.stdout.split())
    assert streamed_size >= size
    assert grown < allowed * MIB
