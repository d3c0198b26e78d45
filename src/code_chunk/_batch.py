"""Many files: tasks are grouped, and worker processes chunk them; a batch of few is chunked right here."""

from __future__ import annotations

import _thread
import math
import threading
from collections.abc import Iterable, Iterator, Mapping, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from ._files import check_encoding
from ._pipeline import pause
from ._source import STRICT
from ._tasks import FILE_COST, BatchResult, Done, make_task, work
from ._types import make_options

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncGenerator, Callable, Generator
    from typing import Unpack

    from ._crew import Crew
    from ._tasks import FileInput, Task
    from ._types import ChunkOptions, OptionOverrides

    BatchItem = (
        str | os.PathLike[str] | tuple[str | os.PathLike[str], str | bytes | os.PathLike[str]] | FileInput
    )
    OnProgress = Callable[[int, int, str, bool], object]

_AFTERWARDS = 0.05
"""Seconds until Ctrl-C is given again."""
_SMALL = 512 * 1024
"""A batch of fewer bytes is done before a worker would be ready for it."""


def chunk_batch(
    files: Iterable[BatchItem],
    *,
    concurrency: int | None = None,
    on_progress: OnProgress | None = None,
    timeout: float | None = None,
    encoding: str = STRICT,
    options: ChunkOptions | None = None,
    **overrides: Unpack[OptionOverrides],
) -> list[BatchResult]:
    """Chunk many files in worker processes.

    Whatever happens to a file is told in its own result; nothing else of the batch is touched.

    Args:
        files: Paths to read, ``(filepath, code)`` pairs, or `FileInput`s. A path is read by a worker.
        concurrency: Number of worker processes, by default that of the usable CPUs. With 1, and where the
            batch is too small to pay for the start of a process, the work is done in this process, unless
            a ``timeout`` asks for a worker.
        on_progress: Called after each file with the number of files done, the number of all (-1 where
            ``files`` has no length), the file's path, and whether it was chunked. What it raises ends the
            batch.
        timeout: Seconds that a file may take; then it is stopped.
        encoding: Encoding of the files that are read: the name of a codec, or ``guess``, see `read_source`.
        options: How to chunk.
        **overrides: Single options by name, laid over ``options``.

    Returns:
        The results, in the order of the files.

    Raises:
        TypeError: An argument or one of the files has the wrong type, or an option is unknown.
        ValueError: An argument or an option is out of range.
        CodeChunkError: No worker process can be started.

    Example:
        >>> batch = chunk_batch([("ok.py", "x = 1"), ("bad.xyz", "?")])
        >>> [result.chunks[0].text if result.chunks else str(result.error) for result in batch]
        ['x = 1', 'Unsupported file type: bad.xyz']
    """
    with _open(files, concurrency, on_progress, timeout, encoding, options, overrides) as stream:
        return _in_order(iter(stream.next_done, None))


async def achunk_batch(
    files: Iterable[BatchItem],
    *,
    concurrency: int | None = None,
    on_progress: OnProgress | None = None,
    timeout: float | None = None,
    encoding: str = STRICT,
    options: ChunkOptions | None = None,
    **overrides: Unpack[OptionOverrides],
) -> list[BatchResult]:
    """Chunk many files as `chunk_batch` does, and let the event loop run meanwhile.

    ``files`` is read and ``on_progress`` is called in the event loop. If the task is cancelled, the workers
    are stopped.

    Example:
        >>> import asyncio
        >>> len(asyncio.run(achunk_batch([("a.py", "x = 1"), ("b.py", "y = 2")])))
        2
    """
    async with _open(files, concurrency, on_progress, timeout, encoding, options, overrides) as stream:
        done: list[Done] = []
        while (item := await stream.anext_done()) is not None:
            done.append(item)
        return _in_order(done)


def chunk_batch_stream(
    files: Iterable[BatchItem],
    *,
    concurrency: int | None = None,
    on_progress: OnProgress | None = None,
    timeout: float | None = None,
    encoding: str = STRICT,
    options: ChunkOptions | None = None,
    **overrides: Unpack[OptionOverrides],
) -> BatchStream:
    """Give the results of many files as they complete, for ``for`` and for ``async for``.

    ``files`` may be endless: it is read lazily, for each worker at most three groups of 64 files or 256 KiB
    ahead, and what is not asked for is not worked on. Leaving the loop stops the workers and ends the
    stream.

    Args and errors are those of `chunk_batch`.

    Example:
        >>> for result in chunk_batch_stream([("a.py", "x = 1"), ("b.py", "y = 2")]):
        ...     print(result.filepath, len(result.chunks))
        a.py 1
        b.py 1
    """
    return _open(files, concurrency, on_progress, timeout, encoding, options, overrides)


class BatchStream:
    """The results of a batch as they complete; see `chunk_batch_stream`."""

    def __init__(
        self,
        steps: Generator[Done | Literal["wait"] | None, None, None],
        crew: Crew | None,
        total: int,
        on_progress: OnProgress | None,
    ) -> None:
        self._steps = steps
        self._crew = crew
        self._total = total
        self._on_progress = on_progress
        self._completed = 0
        self._has_ended = False
        self._was_left = False

    def next_done(self) -> Done | None:
        """Return the next result with its place, None at the end."""
        self._require_open()
        try:
            for step in self._steps:
                if isinstance(step, Done):
                    return self._told(step)
                if step == "wait" and self._crew:
                    self._crew.wait()
        except BaseException:
            self.close()
            raise
        self._has_ended = True
        self.close()
        return None

    async def anext_done(self) -> Done | None:
        """Return the next result with its place, None at the end."""
        self._require_open()
        try:
            for step in self._steps:
                if isinstance(step, Done):
                    return self._told(step)
                if step == "wait" and self._crew:
                    await self._crew.wait_in_loop()
                else:
                    await pause()
        except BaseException:
            await self.aclose()
            raise
        self._has_ended = True
        await self.aclose()
        return None

    def _require_open(self) -> None:
        if self._was_left:
            raise ValueError("the batch was left before its end, which stops it: start another one")

    def _told(self, done: Done) -> Done:
        self._completed += 1
        if self._on_progress:
            result = done.result
            self._on_progress(self._completed, self._total, result.filepath, result.error is None)
        return done

    def __iter__(self) -> Iterator[BatchResult]:
        try:
            while (done := self.next_done()) is not None:
                yield done.result
        except GeneratorExit:
            self._close_in_peace()

    def _close_in_peace(self) -> None:
        """Close when the loop is left; Ctrl-C meanwhile would be dropped, and is given again afterwards."""
        try:
            self.close()
        except KeyboardInterrupt:
            self.close()
            threading.Timer(_AFTERWARDS, _thread.interrupt_main).start()

    def __next__(self) -> BatchResult:
        done = self.next_done()
        if done is None:
            raise StopIteration
        return done.result

    async def __aiter__(self) -> AsyncGenerator[BatchResult, None]:
        try:
            while (done := await self.anext_done()) is not None:
                yield done.result
        finally:
            await self.aclose()

    async def __anext__(self) -> BatchResult:
        done = await self.anext_done()
        if done is None:
            raise StopAsyncIteration
        return done.result

    def close(self) -> None:
        """End the batch, stop the workers, and wait until they are gone."""
        self._leave()
        if self._crew:
            self._crew.join()

    async def aclose(self) -> None:
        """Do the same as `close`, and let the event loop run meanwhile."""
        import asyncio

        self._leave()
        if self._crew:
            await asyncio.to_thread(self._crew.join)

    def _leave(self) -> None:
        self._was_left = not self._has_ended
        self._steps.close()
        if self._crew:
            self._crew.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _in_order(done: Iterable[Done]) -> list[BatchResult]:
    return [item.result for item in sorted(done, key=lambda item: item.position)]


def _open(
    files: Iterable[BatchItem],
    concurrency: int | None,
    on_progress: OnProgress | None,
    timeout: float | None,
    encoding: str,
    options: ChunkOptions | None,
    overrides: OptionOverrides,
) -> BatchStream:
    """Check the arguments, and decide where the work is done."""
    _check_arguments(files, concurrency, on_progress, timeout)
    made, encoding = make_options(options, overrides), check_encoding(encoding)
    tasks: Iterator[Task] = (make_task(place, item, made, encoding) for place, item in enumerate(files))
    total = len(files) if isinstance(files, Sized) else -1
    is_small = False
    if total >= 0:
        known = list(tasks)  # so that a wrong one is refused before any work
        tasks, total = iter(known), len(known)
        is_small = sum(task.size + FILE_COST for task in known) < _SMALL
    if timeout is None and (is_small or concurrency == 1):
        return BatchStream(_work_here(tasks), None, total, on_progress)
    from ._crew import Crew, default_concurrency

    count = concurrency or default_concurrency()
    if timeout is None and count == 1:
        return BatchStream(_work_here(tasks), None, total, on_progress)
    crew = Crew(count, timeout)
    return BatchStream(crew.steps(tasks), crew, total, on_progress)


def _work_here(tasks: Iterable[Task]) -> Generator[Done | None, None, None]:
    for task in tasks:
        yield from work(task)


def _check_arguments(files: object, concurrency: object, on_progress: object, timeout: object) -> None:
    if isinstance(files, str | bytes | Path | Mapping) or not isinstance(files, Iterable):
        hint = "; give its items()" if isinstance(files, Mapping) else ""
        raise TypeError(f"files must be an iterable of files, not {type(files).__name__}{hint}")
    if concurrency is not None:
        if not isinstance(concurrency, int) or isinstance(concurrency, bool):
            raise TypeError(f"concurrency must be an int or None, not {type(concurrency).__name__}")
        if concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, not {concurrency}")
    if timeout is not None:
        if not isinstance(timeout, int | float) or isinstance(timeout, bool):
            raise TypeError(f"timeout must be a number of seconds or None, not {type(timeout).__name__}")
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout must be above 0 and finite, not {timeout}")
    if on_progress is not None and not callable(on_progress):
        raise TypeError(f"on_progress must be callable, not {type(on_progress).__name__}")
