"""The workers of a batch: what each of them holds, and what becomes of that when one is lost."""

from __future__ import annotations

import asyncio
import math
import os
import pickle
import time
from collections import Counter, deque
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Literal, NamedTuple

from . import languages
from ._errors import ChunkingError, ChunkingTimeoutError, CodeChunkError, UnsupportedLanguageError
from ._tasks import FILE_COST, OUT_OF_MEMORY, failed, packed, results, run
from ._workers import Worker, WorkerError, can_start, describe_loss, is_lost

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from concurrent.futures import Future

    from ._tasks import Done, Task

    Group = list[Task]
    Step = Done | Literal["wait"] | None

_GROUP_SIZE = 256 * 1024
"""Bytes of a group, so that its round trip costs next to nothing."""
_PATIENCE = 0.05
"""Seconds until a group goes off without being full, where files come slowly."""
_SLOWEST = 500_000
"""Bytes a second that ordinary files are chunked at least: a group should not take as long as a file may."""
_GRACE = 30.0
"""Seconds beyond a time-out after which a worker that was not stopped for it is given up."""
_LONGEST_MESSAGE = 16 * 1024
"""Bytes of a message that goes through a worker's pipe at once; more goes through a file."""
_HEALTH = 1.0
"""Seconds without a result after which the workers are looked at."""
_MOST_SUSPICIONS = 3
"""Workers lost before they could say what they did, until the group that they had is taken for the cause."""
_MOST_FAILURES = 20
"""Workers lost in a row, with nothing done in between and no file to blame, until the batch gives up."""


class _Held(NamedTuple):
    """What a worker was given."""

    group: Group
    path: str
    """Where its results will be."""


class Crew:
    """Workers that share the tasks of a batch."""

    def __init__(self, count: int, timeout: float | None) -> None:
        if not can_start():
            raise CodeChunkError("a daemonic process can not have workers: give concurrency=1 and no timeout")
        self._count = count
        self._timeout = timeout
        self._group_size = min(_GROUP_SIZE, timeout * _SLOWEST) if timeout else _GROUP_SIZE
        self._workers: dict[Worker, dict[Future[bytes | None], _Held]] = {}
        self._leaving: list[Worker] = []
        self._again: deque[Group] = deque()
        self._since: dict[Worker, float] = {}
        """When a worker began to have something to do, or last told something."""
        self._losses: Counter[int] = Counter()
        self._suspicions: Counter[int] = Counter()
        self._failures = 0
        self._is_slow = False
        self._finished: SimpleQueue[tuple[Worker, Future[bytes | None]]] = SimpleQueue()
        self._wake: Callable[[], object] | None = None

    def steps(self, tasks: Iterator[Task]) -> Generator[Step, None, None]:
        """Do the tasks: results as they come, None after a bounded piece of work, "wait" if none is ready."""
        try:
            while True:
                yield from self._hand_out(tasks)
                if not any(self._workers.values()):
                    return
                try:
                    worker, future = self._finished.get_nowait()
                except Empty:
                    yield "wait"
                else:
                    yield from self._take(worker, future)
        finally:
            self.stop()

    def wait(self) -> None:
        """Block until a worker has something to tell."""
        try:
            item = self._finished.get(timeout=_HEALTH)
        except Empty:
            self._check_workers()
        else:
            self._finished.put(item)

    async def wait_in_loop(self) -> None:
        """Wait until a worker has something to tell, and let the event loop run meanwhile."""
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        self._wake = lambda: loop.call_soon_threadsafe(woken.set)
        alarm = loop.call_later(_HEALTH, woken.set)  # `wait_for` of Python 3.11 may lose a cancellation
        try:
            if self._finished.empty():
                await woken.wait()
        finally:
            alarm.cancel()
            self._wake = None
        if self._finished.empty():
            self._check_workers()

    def join(self) -> None:
        """Wait until all processes are gone."""
        for worker in self._leaving:
            worker.join()

    def stop(self) -> None:
        """Begin to end all processes; may be called again where Ctrl-C has interrupted it."""
        for worker in list(self._workers):
            self._give_up(worker)

    def _hand_out(self, tasks: Iterator[Task]) -> Generator[Done | None, None, None]:
        """Give groups to the workers until each has enough; the files are read no further than that."""
        while (worker := self._free_worker()) is not None:
            group = self._next_group(tasks)
            if group is None:
                return
            yield from self._submit(worker, group)
            if self._is_slow and not self._finished.empty():
                return  # the next file may take long to come: first give what there is

    def _free_worker(self) -> Worker | None:
        """The worker that should get the next group: idle, new, or soon idle."""
        worker = min(self._workers, key=self._load, default=None)
        if worker is None or (self._workers[worker] and len(self._workers) < self._count):
            worker = Worker()
            self._workers[worker] = {}
        held = self._workers[worker]
        is_busy = len(held) > 1 or self._load(worker) > 2 * self._group_size
        return None if held and is_busy else worker

    def _load(self, worker: Worker) -> int:
        return sum(_size(task) for held in self._workers[worker].values() for task in held.group)

    def _next_group(self, tasks: Iterator[Task]) -> Group | None:
        if self._again:
            return self._again.popleft()
        group: Group = []
        size, began = 0, time.monotonic()
        for task in tasks:
            if group and task.size >= self._group_size:
                self._again.append([task])  # a large file goes alone
                break
            group.append(task)
            size += _size(task)
            self._is_slow = time.monotonic() - began > _PATIENCE
            if size >= self._group_size or self._is_slow:
                break
        return group or None

    def _submit(self, worker: Worker, group: Group) -> Generator[Done | None, None, None]:
        try:
            tasks = packed(group)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            yield from self._parted(group, error)
            return
        path = worker.new_path()
        message = None if len(tasks) > _LONGEST_MESSAGE and _is_written(tasks, path) else tasks
        try:
            if self._timeout:
                for language in filter(None, {_language(task) for task in group}):
                    worker.warm_up(language)
            future = worker.submit(partial(self._note, worker), self._timeout, run, message, path)
        except WorkerError as error:
            self._lose(worker, error)
            self._again.appendleft(group)
        else:
            if not self._workers[worker]:
                self._since[worker] = time.monotonic()
            self._workers[worker][future] = _Held(group, path)
        yield None

    def _note(self, worker: Worker, future: Future[bytes | None]) -> None:
        """Take notice of a result, in one of the worker's threads."""
        self._finished.put((worker, future))
        wake = self._wake
        if wake is not None:
            try:
                wake()
            except RuntimeError:
                return  # the event loop is closed: nobody waits

    def _take(self, worker: Worker, future: Future[bytes | None]) -> Generator[Done | None, None, None]:
        """Give the results of a group, or have its files done again one by one."""
        held = self._workers.get(worker, {}).pop(future, None)
        if held is None:
            return  # the worker has been given up
        group = held.group
        self._since[worker] = time.monotonic()
        error = future.exception()
        if error is None:
            self._failures = 0
            yield from self._read(held, future.result())
            return
        if is_lost(error):
            self._give_up(worker)
        elif isinstance(error, WorkerError):
            # it may have been this group, before it could be told that it had begun
            self._suspicions[group[0].position] += 1
            if self._suspicions[group[0].position] < _MOST_SUSPICIONS:
                self._again.appendleft(group)
                self._lose(worker, error)
                return
            self._lose(worker, error)
        yield from self._parted(group, error)

    def _read(self, held: _Held, unwritten: bytes | None) -> Generator[Done | None, None, None]:
        missing = {task.position: task for task in held.group}
        try:
            for step in results(held.group, held.path, unwritten):
                if step is not None:
                    del missing[step.position]
                yield step
        except (OSError, EOFError, pickle.UnpicklingError) as error:  # somebody has removed the file
            for task in missing.values():
                yield from self._parted([task], error)

    def _parted(self, group: Group, error: BaseException) -> Generator[Done, None, None]:
        """Have the files of a failed group done again one by one, and tell of one that failed alone."""
        if len(group) > 1:
            self._again.extend([task] for task in group)
            return
        (task,) = group
        self._losses[task.position] += 1
        is_unproven = is_lost(error) or isinstance(error, OSError | EOFError | pickle.UnpicklingError)
        if is_unproven and self._losses[task.position] == 1:
            self._again.append(group)  # it may be the victim of another one, or of the system
        else:
            yield failed(task, self._explained(error))

    def _explained(self, error: BaseException) -> CodeChunkError:
        if isinstance(error, TimeoutError):
            explained: CodeChunkError = ChunkingTimeoutError(f"the file took longer than {self._timeout:g} s")
        elif is_lost(error):
            explained = ChunkingError(
                f"the worker process {describe_loss(error)}, twice, with this file alone"
            )
        elif isinstance(error, MemoryError):
            explained = ChunkingError(OUT_OF_MEMORY)
        elif isinstance(error, WorkerError):
            explained = ChunkingError(f"the worker process is lost when it gets this file: {error}")
        else:
            explained = ChunkingError(f"{type(error).__name__}: {error}")
        explained.__cause__ = error
        return explained

    def _check_workers(self) -> None:
        """Find the workers that will never tell anything."""
        latest = time.monotonic() - self._timeout - _GRACE if self._timeout else -math.inf
        for worker in [worker for worker, held in self._workers.items() if held]:
            if not worker.is_alive or self._since[worker] < latest:
                self._lose(worker, WorkerError("a worker does not answer"))

    def _lose(self, worker: Worker, error: WorkerError) -> None:
        """Go on without a worker that was lost for no reason that can be laid to a file."""
        self._give_up(worker)
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            raise CodeChunkError(f"worker processes can not be started or kept alive: {error}") from error

    def _give_up(self, worker: Worker) -> None:
        """Stop a worker; what it still holds is done again."""
        self._leaving = [*(other for other in self._leaving if not other.is_gone), worker]
        worker.stop()
        self._again.extendleft(held.group for held in reversed(self._workers.pop(worker).values()))
        self._since.pop(worker, None)


def _is_written(data: bytes, path: str) -> bool:
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    except OSError:  # the disk for temporary files is full, or no such file can be made
        return False
    return True


def _language(task: Task) -> languages.Language | None:
    """The language of a file, as far as its name tells."""
    try:
        return languages.resolve(task.filepath, task.options.language, b"")
    except UnsupportedLanguageError:
        return None


def _size(task: Task) -> int:
    return task.size + FILE_COST


def default_concurrency() -> int:
    """The number of CPUs that this process may use, the quota of a container included; 1 without workers."""
    if not can_start():
        return 1
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        count = min(count, -(-int(quota) // int(period)))
    except (OSError, ValueError):
        return count  # no cgroups, or no quota ("max")
    return max(1, count)
