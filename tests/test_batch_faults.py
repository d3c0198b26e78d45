"""Batches in trouble: whatever happens to a worker, every file has one result, and no process is left."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import itertools
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from code_chunk import (
    ChunkingError,
    ChunkingTimeoutError,
    CodeChunkError,
    achunk_batch,
    chunk_batch,
    chunk_batch_stream,
    register_language,
)
from processes import PATIENCE, children, eventually, is_running
from test_batch import FORCED, expected, failure, functions, language, small_files, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from code_chunk import BatchResult

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="made with signals and named pipes")


@pytest.fixture(autouse=True)
def _watchdog(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[None]:
    """Fail a test that hangs, and say where; and one that leaves a process or a file behind."""
    folder = tmp_path_factory.mktemp("results")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    slow = request.node.get_closest_marker("slow")

    def fail(_: int, frame: FrameType | None) -> None:
        raise AssertionError(f"hangs in {frame}; children: {children()}")

    before = signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, 10 * PATIENCE if slow else PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    left = children()
    for process in left:
        process.kill()
    assert not left
    assert eventually(lambda: not list(folder.iterdir()), 5)


class Stuck:
    """A file that keeps its reader waiting: a named pipe."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path

    def open(self) -> int:
        """Wait until a process reads the file, and keep it reading."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                return os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                time.sleep(0.005)
        raise AssertionError("nobody reads the file")

    def kill_reader(self, number: int = signal.SIGKILL) -> None:
        """Wait until a process reads the file, and kill it."""
        keeping = self.open()
        assert eventually(lambda: bool(self._readers()))
        (process,) = self._readers()
        process.send_signal(number)
        assert number == signal.SIGSTOP or eventually(lambda: not is_running(process))
        os.close(keeping)

    def _readers(self) -> list[psutil.Process]:
        return [process for process in children() if self._is_read_by(process)]

    def _is_read_by(self, process: psutil.Process) -> bool:
        try:
            links = list(Path(f"/proc/{process.pid}/fd").iterdir())
            return any(os.readlink(link) == str(self.path) for link in links)
        except OSError:  # it has just ended, or closed another file
            return False

    def write(self, text: str) -> None:
        """Let the next reader have its text."""
        writing = self.open()
        os.write(writing, text.encode())
        os.close(writing)


@pytest.fixture
def stuck(tmp_path: Path) -> Stuck:
    return Stuck(tmp_path / "stuck.py")


@contextlib.contextmanager
def meanwhile(work: Callable[[], object]) -> Iterator[None]:
    """Do something in another thread, and see to it that it ended well."""
    failures: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    yield
    thread.join(PATIENCE)
    assert not failures
    assert not thread.is_alive()


def names(results: list[BatchResult]) -> list[str]:
    return sorted(result.filepath for result in results)


def around(item: Any, count: int = 2000) -> list[Any]:
    """Small files, one of which is something else."""
    files: list[Any] = list(small_files(count))
    files[count // 2] = item
    return files


def assert_others_are_chunked(results: list[BatchResult], place: int | None = None) -> None:
    """All but one of the small files have their chunks."""
    place = len(results) // 2 if place is None else place
    wanted = expected(len(results))
    assert [*results[:place], *results[place + 1 :]] == [*wanted[:place], *wanted[place + 1 :]]


# --- killed workers ---

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for the reader in /proc")


@on_linux
def test_killed_worker(stuck: Stuck) -> None:
    """The file on which a worker was killed is done again, and all the others with it."""

    def kill_once() -> None:
        stuck.kill_reader()
        stuck.write("x = 1")

    with meanwhile(kill_once):
        results = chunk_batch(around(stuck.path), concurrency=2)
    assert_others_are_chunked(results)
    assert texts(results[1000]) == ["x = 1"]


@on_linux
def test_file_that_kills_its_workers(stuck: Stuck) -> None:
    """A file on which workers are killed again and again fails; it costs nobody else."""

    def kill_always() -> None:
        for _ in range(3):  # with its group, and twice alone
            stuck.kill_reader()

    with meanwhile(kill_always):
        results = chunk_batch(around(stuck.path), concurrency=2)
    assert_others_are_chunked(results)
    error = failure([results[1000]])
    assert type(error) is ChunkingError
    assert str(error) == "the worker process was killed by SIGKILL, twice, with this file alone"
    assert error.__cause__ is not None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS])
@on_linux
def test_signals(stuck: Stuck, number: signal.Signals) -> None:
    """The error tells the signal by its name."""

    def kill_always() -> None:
        for _ in range(2):
            stuck.kill_reader(number)

    with meanwhile(kill_always):
        error = failure(chunk_batch([stuck.path], concurrency=1, timeout=FORCED))
    assert number.name in str(error)


@pytest.mark.parametrize("at", [1, 500, 1999])
def test_all_workers_killed(at: int) -> None:
    """A batch goes on with new workers."""

    def kill(completed: int, *_: object) -> None:
        if completed == at:
            for process in children():
                process.kill()

    assert chunk_batch(small_files(2000), concurrency=2, on_progress=kill) == expected(2000)


def test_killed_while_idle() -> None:
    """Workers that are killed with nothing to do are replaced, as often as it takes."""

    def files() -> Iterator[tuple[str, str]]:
        for number, file in enumerate(small_files(60)):
            yield file
            if number % 6 == 5:
                time.sleep(0.06)
                for process in children():
                    process.kill()

    results = list(chunk_batch_stream(files(), concurrency=2))
    assert names(results) == names(expected(60))
    assert not any(result.error for result in results)


def test_killed_while_starting() -> None:
    """So are those that are killed before they have begun."""

    def kill() -> None:
        for _ in range(3):
            assert eventually(lambda: bool(children()))
            for process in children():
                with contextlib.suppress(psutil.Error):
                    process.kill()

    with meanwhile(kill):
        assert chunk_batch(small_files(300), concurrency=2) == expected(300)


def test_killed_with_a_large_file() -> None:
    """A worker that is killed in the middle of sending or receiving leaves nothing that others wait for."""
    files = [(f"large{number}.py", functions(10_000)) for number in range(8)]
    chance = random.Random(7)

    def kill(*_: object) -> None:
        time.sleep(chance.uniform(0, 0.3))
        for process in children()[:1]:
            with contextlib.suppress(psutil.Error):
                process.kill()

    results = chunk_batch(files, concurrency=2, on_progress=kill)
    assert [result.filepath for result in results] == [name for name, _ in files]


def killed_at_random(seed: int, count: int, kills: int, pauses: tuple[float, float]) -> None:
    """A batch whose workers are killed at random; every file has one result all the same."""
    chance = random.Random(seed)
    over = threading.Event()

    def kill() -> None:
        for _ in range(kills):
            if over.wait(chance.uniform(*pauses)):
                return
            found = children()
            if found:
                with contextlib.suppress(psutil.Error):
                    chance.choice(found).kill()

    results: list[BatchResult] = []
    with meanwhile(kill), contextlib.suppress(CodeChunkError):  # no worker lives long enough
        try:
            results = list(chunk_batch_stream(small_files(count), concurrency=2))
        finally:
            over.set()
    if not results:
        return
    assert names(results) == names(expected(count))
    for result in results:
        lost = ("killed by SIGKILL", "is lost when it gets this file")
        assert result.chunks is not None or any(said in str(result.error) for said in lost)


def test_killed_at_random() -> None:
    """Workers that die all the time lose no file and double none."""
    killed_at_random(1, 4000, 25, (0.2, 0.4))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("pauses", [(0.02, 0.05), (0.05, 0.2), (0.2, 0.5)])
def test_killed_at_random_many_times(seed: int, pauses: tuple[float, float]) -> None:
    """The same, more often; where no worker lives long enough the batch says so."""
    killed_at_random(seed, 10_000, 10**6, pauses)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_stopped_at_random(seed: int) -> None:
    """Workers that stand still, wherever in their work, are overdue like others."""
    chance = random.Random(seed)
    over = threading.Event()

    def stop() -> None:
        while not over.wait(chance.uniform(0.1, 0.6)):
            for process in children()[:1]:
                with contextlib.suppress(psutil.Error):
                    process.send_signal(signal.SIGSTOP)

    code = functions(10_000)
    files = [("a.py", code), *small_files(1000)]
    with meanwhile(stop):
        results = list(chunk_batch_stream(files * 4, concurrency=2, timeout=5))
        over.set()
    assert Counter(names(results)) == Counter(4 * [name for name, _ in files])


# --- overdue files ---


@pytest.mark.parametrize("timeout", [0.05, 0.5])
def test_overdue_file(stuck: Stuck, timeout: float) -> None:
    """A file that takes too long fails, and says how long it had."""
    error = failure(chunk_batch([stuck.path], timeout=timeout))
    assert type(error) is ChunkingTimeoutError
    assert str(error) == f"the file took longer than {timeout:g} s"


@pytest.mark.parametrize("concurrency", [1, 2])
def test_overdue_file_among_others(stuck: Stuck, concurrency: int) -> None:
    """Those that were in its group are chunked."""
    results = chunk_batch(around(stuck.path, 300), concurrency=concurrency, timeout=1)
    assert_others_are_chunked(results)
    assert isinstance(results[150].error, ChunkingTimeoutError)


def test_many_overdue_files(tmp_path: Path) -> None:
    """Each of several files in one group is stopped at its own time."""
    files = [Stuck(tmp_path / f"stuck{number}.py").path for number in range(3)]
    results = chunk_batch([*files, *small_files(20)], concurrency=2, timeout=1)
    assert [type(result.error) for result in results[:3]] == 3 * [ChunkingTimeoutError]
    assert results[3:] == expected(20)


def test_overdue_while_it_computes() -> None:
    """A file that is merely large is stopped as well."""
    results = chunk_batch([("large.py", functions(60_000)), *small_files(5)], concurrency=1, timeout=0.3)
    assert isinstance(results[0].error, ChunkingTimeoutError)
    assert results[1:] == expected(6)[:5]


def test_timeout_below_everything() -> None:
    """Whatever the timeout, each file has one result: its chunks or that it took too long."""
    results = chunk_batch(small_files(20), concurrency=2, timeout=0.000_001)
    assert names(results) == names(expected(20))
    for result in results:
        assert result.chunks or isinstance(result.error, ChunkingTimeoutError)


def test_stopped_worker(stuck: Stuck) -> None:
    """A worker that does not even listen to signals is ended."""
    with meanwhile(lambda: stuck.kill_reader(signal.SIGSTOP)):
        results = chunk_batch(around(stuck.path, 200), concurrency=2, timeout=1)
    assert_others_are_chunked(results)
    assert isinstance(results[100].error, ChunkingTimeoutError)


def test_waiting_files_are_not_overdue() -> None:
    """The time of a file runs from its own start, however long it waits for a worker."""
    files = [("large.py", functions(8000)) for _ in range(4)]
    began = time.monotonic()
    list(chunk_batch_stream(files[:1], concurrency=1, timeout=FORCED))
    each = time.monotonic() - began
    results = chunk_batch(files, concurrency=1, timeout=3 * each)
    assert not any(result.error for result in results)


# --- crashes in a worker ---

CRASH = """
import os, signal, sys
import tree_sitter_python

def language():
    if os.getpid() != {parent}:
        {crash}
    return tree_sitter_python.language()
"""


def crashing_language(folder: Path, monkeypatch: pytest.MonkeyPatch, crash: str) -> None:
    """Register a language whose grammar crashes every process but this one."""
    module = f"crash_{folder.name}".replace("-", "_")
    (folder / f"{module}.py").write_text(CRASH.format(parent=os.getpid(), crash=crash))
    monkeypatch.syspath_prepend(folder)
    with language(folder / "starlark", f"{module}:language") as made:
        register_language(made)


@pytest.mark.parametrize(
    ("crash", "said"),
    [
        ("os.abort()", "SIGABRT"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("os._exit(3)", "exit code 3"),
        ("os._exit(0)", "exit code 0"),
    ],
)
def test_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash: str, said: str) -> None:
    """Files whose grammar takes the process down fail, and say how; the others are chunked."""
    crashing_language(tmp_path, monkeypatch, crash)
    files = small_files(30)
    files[3], files[20] = ("a.star", "x = 1"), ("b.star", "y = 1")
    results = chunk_batch(files, concurrency=2, timeout=FORCED)
    assert [place for place, result in enumerate(results) if result.error] == [3, 20]
    for place in (3, 20):
        assert said in str(results[place].error)


@pytest.mark.parametrize(
    ("crash", "said"),
    [
        ("raise RuntimeError('no')", "RuntimeError: no"),
        ("raise ImportError('no')", "the grammar of starlark is not installed (no)"),
        ("raise MemoryError", "there is not enough memory to chunk the file"),
        ("raise RecursionError('deep')", "RecursionError: deep"),
        ("sys.exit(2)", "SystemExit: 2"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_exception(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash: str, said: str) -> None:
    """Any exception in a worker is the file's error."""
    crashing_language(tmp_path, monkeypatch, crash)
    results = chunk_batch([("a.star", "x = 1"), *small_files(5)], concurrency=1, timeout=FORCED)
    assert said in str(failure(results[:1]))
    assert results[1:] == expected(6)[:5]


def test_language_folder_that_is_gone(tmp_path: Path) -> None:
    """A folder that was removed after it was registered costs the files of its language at most."""
    with language(tmp_path / "starlark") as folder:
        register_language(folder)
        (folder / "tags.scm").unlink()
        results = chunk_batch([("a.star", "x = 1"), *small_files(5)], concurrency=1, timeout=FORCED)
    assert results[1:] == expected(6)[:5]
    assert results[0].error is None or isinstance(results[0].error, CodeChunkError)


# --- exceptions of the caller ---


class CallersError(Exception):
    """Raised by the caller."""


@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.parametrize("at", [1, 150, 300])
def test_progress_raises(at: int, concurrency: int) -> None:
    """An exception of `on_progress` ends the batch, at the first, a middle or the last file."""

    def tell(completed: int, *_: object) -> None:
        if completed == at:
            raise CallersError

    with pytest.raises(CallersError):
        chunk_batch(small_files(300), concurrency=concurrency, on_progress=tell)
    assert not children()


def test_progress_raises_in_an_event_loop() -> None:
    """So it does for a batch that is awaited."""

    def tell(completed: int, *_: object) -> None:
        if completed == 150:
            raise CallersError

    with pytest.raises(CallersError):
        asyncio.run(achunk_batch(small_files(300), concurrency=2, on_progress=tell))
    assert not children()


@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.parametrize("at", [0, 1, 500])
def test_files_raise(at: int, concurrency: int) -> None:
    """An exception of the iterable of files ends the batch."""

    def files() -> Iterator[tuple[str, str]]:
        yield from small_files(at)
        raise CallersError

    with pytest.raises(CallersError):
        chunk_batch(files(), concurrency=concurrency)
    assert not children()


def test_stream_after_an_exception() -> None:
    """After an exception a stream can not go on."""

    def tell(completed: int, *_: object) -> None:
        if completed == 5:
            raise CallersError

    stream = chunk_batch_stream(small_files(300), concurrency=2, on_progress=tell)
    with pytest.raises(CallersError):
        list(stream)
    with pytest.raises(ValueError, match="left before its end"):
        next(stream)
    assert not children()


def test_stream_after_its_end() -> None:
    """A stream that came to its end stays there, closed or not."""
    stream = chunk_batch_stream(small_files(200), concurrency=2)
    assert len(list(stream)) == 200
    stream.close()
    assert list(stream) == []
    assert next(stream, None) is None


# --- leaving early ---


def test_break() -> None:
    """Leaving the loop stops the workers at once."""
    for _ in chunk_batch_stream(small_files(5000), concurrency=2):
        assert children()
        break
    assert not children()


def test_break_with_the_stream_kept() -> None:
    """It does so where the stream has a name."""
    stream = chunk_batch_stream(small_files(5000), concurrency=2)
    for _ in stream:
        break
    assert not children()
    with pytest.raises(ValueError, match="left before its end"):
        list(stream)


def test_break_while_a_worker_is_stuck(stuck: Stuck) -> None:
    """A worker in the middle of a file is not waited for."""
    began = time.monotonic()
    for result in chunk_batch_stream([stuck.path, *small_files(200)], concurrency=2):
        assert result.chunks
        stuck.open()
        break
    assert not children()
    assert time.monotonic() - began < PATIENCE / 4


def test_close() -> None:
    """`close` stops the workers, and may be called again."""
    stream = chunk_batch_stream(small_files(5000), concurrency=2)
    next(stream)
    stream.close()
    assert not children()
    stream.close()


def test_close_before_the_start() -> None:
    """A stream that was never asked for anything has nothing to stop."""
    stream = chunk_batch_stream(small_files(5000), concurrency=2)
    stream.close()
    with pytest.raises(ValueError, match="left before its end"):
        next(stream)


def test_dropped() -> None:
    """A stream that is forgotten stops its workers, without a warning."""
    stream = chunk_batch_stream(small_files(5000), concurrency=2)
    next(stream)
    del stream
    gc.collect()
    assert eventually(lambda: not children())


def test_dropped_iterator() -> None:
    """So does an iterator of it."""
    iterator = iter(chunk_batch_stream(small_files(5000), concurrency=2))
    next(iterator)
    del iterator
    gc.collect()
    assert eventually(lambda: not children())


def test_async_break() -> None:
    """Leaving `async for` stops the workers before the loop is idle again."""

    async def work() -> bool:
        stream = chunk_batch_stream(small_files(5000), concurrency=2)
        async for _ in stream:
            break
        end = time.monotonic() + PATIENCE
        while children() and time.monotonic() < end:
            await asyncio.sleep(0.01)
        return not children()

    assert asyncio.run(work())


def test_async_break_at_the_end_of_the_program() -> None:
    """The end of `asyncio.run` stops them, too."""

    async def work() -> None:
        async for _ in chunk_batch_stream(small_files(5000), concurrency=2):
            return

    asyncio.run(work())
    assert not children()


def test_aclose() -> None:
    """`aclose` stops the workers, and the event loop goes on meanwhile."""

    async def work() -> int:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0.001)

        stream = chunk_batch_stream(small_files(5000), concurrency=2)
        await anext(stream)
        counting = asyncio.create_task(count())
        await stream.aclose()
        assert not children()
        counting.cancel()
        return turns

    assert asyncio.run(work()) > 2


def test_async_with() -> None:
    """The end of an `async with` block stops them."""

    async def work() -> None:
        async with chunk_batch_stream(small_files(5000), concurrency=2) as stream:
            await anext(stream)
        assert not children()

    asyncio.run(work())


def test_cancelled_task() -> None:
    """A task that is cancelled ends with its workers."""

    async def work() -> None:
        task = asyncio.create_task(achunk_batch(itertools.cycle(small_files(10)), concurrency=2))
        while not children():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not children()

    asyncio.run(work())


def test_wait_for() -> None:
    """`asyncio.wait_for` can limit the time of a batch."""

    async def work() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(achunk_batch(itertools.cycle(small_files(10)), concurrency=2), 0.5)
        assert not children()

    for _ in range(5):  # a cancellation that came together with a result was lost
        asyncio.run(work())


def test_cancelled_while_a_worker_is_stuck(stuck: Stuck) -> None:
    """A worker that does nothing does not hold up a task that is cancelled."""

    async def work() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(achunk_batch([stuck.path], timeout=FORCED), 0.5)
        assert not children()

    asyncio.run(work())
