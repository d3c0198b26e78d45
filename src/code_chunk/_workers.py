"""Worker processes.

A worker is a pebble pool of one process: pebble stops an overdue task, and tells which task a lost process
held. With a pool to itself a process that dies in the middle of a message leaves no lock and no pipe behind
that another one waits for.
"""

from __future__ import annotations

import _thread
import multiprocessing
import os
import secrets
import shutil
import signal
import sys
import tempfile
import threading
import weakref
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from functools import partial
from multiprocessing import context, spawn, util
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

from pebble import ProcessExpired, ProcessPool

from . import languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

P = ParamSpec("P")

_starting = threading.local()
_ENDED = 256
"""Stands for exit code 0, which a worker never has as long as its pool is there."""


_LONGEST_LOAD = 60.0
"""Seconds that the load of a grammar may take."""


class WorkerError(Exception):
    """A worker is lost, or can not be started, for no reason that is known to lie in a call."""


class Worker:
    """A process that does one call after the other; once it is lost, the worker is given up."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._folder = os.path.join(_temporary(), f"code-chunk-{secrets.token_hex(16)}")
        self._context = _Context()
        arguments = (languages.registered_languages(), self._folder)
        self._pool = ProcessPool(1, initializer=_prepare, initargs=arguments, context=self._context)
        self._clean_up = weakref.finalize(self, _remove, self._folder, self._owner)
        self._count = 0
        self._loaded: set[str] = set()
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._has_thread = False
        self._has_process = False
        self._ended = threading.Event()

    @property
    def is_alive(self) -> bool:
        """False when calls given to it may never be done."""
        return self._pool.active if self._has_process else True

    @property
    def is_gone(self) -> bool:
        """True when the process has ended, or never begun."""
        return self._ended.is_set() or not self._has_thread

    def new_path(self) -> str:
        """Name a file for results, which is there until the worker is gone.

        Messages stay small that way: a large one would take its time in the pipe, and its reader could not be
        stopped in the middle of it.
        """
        self._count += 1
        return os.path.join(self._folder, str(self._count))

    def submit(
        self,
        done: Callable[[Future[Any]], object],
        timeout: float | None,
        function: Callable[P, object],
        *arguments: P.args,
        **_: P.kwargs,
    ) -> Future[Any]:
        """Queue a call; its time runs from its start. ``done`` gets its future when it is over, in a thread.

        Raises:
            WorkerError: There are no threads left.
        """
        future: Future[Any] = Future()
        future.add_done_callback(done)  # before any other thread knows it, see `_serve`
        self._calls.put(_Call(function, arguments, timeout, future))
        if not self._has_thread:
            # a `Thread` could be left half started by Ctrl-C
            try:
                _thread.start_new_thread(self._serve, ())
            except RuntimeError as error:
                raise WorkerError(str(error)) from error
            self._has_thread = True
        return future

    def warm_up(self, language: languages.Language) -> None:
        """Have a language loaded, so that the file that comes first does not pay for it with its time."""
        if language.grammar not in self._loaded:
            self._loaded.add(language.grammar)
            self.submit(_forget, _LONGEST_LOAD, _load, language)

    def stop(self) -> None:
        """Begin to end the process, whatever it does; `join` waits for its end."""
        self._calls.put(None)

    def join(self) -> None:
        """Wait until the process is gone."""
        is_forked = os.getpid() != self._owner
        if self._has_thread and not is_forked and not sys.is_finalizing():  # then no thread runs any more
            self._ended.wait()

    def _serve(self) -> None:
        """Make all calls of the pool.

        Ctrl-C comes to the main thread. Were it to come between two lines of a queue that the pool's threads
        wait for, one of them could wait for ever.
        """
        for call in iter(self._calls.get, None):
            try:
                made = self._pool.schedule(call.function, call.arguments, timeout=call.timeout)
            except Exception as error:  # where no process starts: warnings of the interpreter are among them
                cause = error.__cause__ or error
                failure = WorkerError(f"{type(cause).__name__}: {cause}")
                failure.__cause__ = cause
                call.future.set_exception(failure)
            else:
                self._has_process = True
                made.add_done_callback(partial(_hand_on, call.future))
        try:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._context.kill()  # before the pool takes away what a process that starts looks for
            self._pool.join()
        finally:
            self._clean_up()
            self._ended.set()


class _Call(NamedTuple):
    function: Callable[..., object]
    arguments: tuple[object, ...]
    timeout: float | None
    future: Future[Any]


def _temporary() -> str:
    try:
        return tempfile.gettempdir()
    except FileNotFoundError:
        return os.devnull  # no folder can be made in it: results come in messages, then


def _remove(folder: str, owner: int) -> None:
    """Remove a folder, but not in a fork of the process that it belongs to."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _forget(_: Future[Any]) -> None:
    """What becomes of a call that only makes others faster is told by them."""


def _hand_on(future: Future[Any], made: Future[Any]) -> None:
    error = made.exception()
    if error is None:
        future.set_result(made.result())
    elif isinstance(error, BrokenExecutor):
        future.set_exception(WorkerError(str(error)))
    else:
        future.set_exception(error)


def can_start() -> bool:
    """False in a daemonic process, such as a worker of `multiprocessing.Pool`: it can have no children."""
    return not multiprocessing.current_process().daemon


def is_lost(error: BaseException) -> bool:
    """Tell whether a call failed because its process ended in the middle of it."""
    return isinstance(error, ProcessExpired)


def describe_loss(error: BaseException) -> str:
    """Say how a process went."""
    code = getattr(error, "exitcode", 0)
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended with exit code {code % _ENDED}"


def _prepare(known: Iterable[tuple[languages.Language, ...]], folder: str) -> None:
    """Make a new process ready: it ends at once when told to, and knows the caller's languages."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # where the caller is killed, the worker cleans up
    util.Finalize(None, shutil.rmtree, (folder,), {"ignore_errors": True}, exitpriority=0)
    languages.adopt_languages(known)


def _load(language: languages.Language) -> None:
    languages.load_query(language)


class _Process(context.SpawnProcess):
    """A fresh interpreter, whatever the start method of the program is, that does not import its main module.

    A fork of a program with threads can stop for ever; a spawned process would run a script that has no
    ``if __name__ == "__main__"`` a second time.
    """

    @property
    def exitcode(self) -> int | None:
        """The exit code, of which pebble takes 0 for an end that was asked for, and waits for ever."""
        code = super().exitcode
        return _ENDED if code == 0 else code

    def start(self) -> None:
        _starting.is_worker = True  # in this thread
        try:
            with _interrupt_blocked():
                super().start()
        finally:
            _starting.is_worker = False


class _Context(context.SpawnContext):
    """Makes the processes of one worker: the first, and what the pool puts in the place of a lost one."""

    def __init__(self) -> None:
        super().__init__()
        self._made: list[_Process] = []

    def Process(self, *arguments: Any, **named: Any) -> _Process:  # type: ignore[override]  # noqa: N802
        process = _Process(*arguments, **named)
        self._made.append(process)
        return process

    def kill(self) -> None:
        """End the processes at once."""
        for process in self._made:
            if process.ident is not None:
                process.kill()


def _without_main(name: str) -> dict[str, Any]:
    """Tell a new process what `multiprocessing` would, but of a worker not what the main module is."""
    data: dict[str, Any] = _preparation_data(name)
    if getattr(_starting, "is_worker", False):
        data.pop("init_main_from_name", None)
        data.pop("init_main_from_path", None)
    return data


_preparation_data = spawn.get_preparation_data
spawn.get_preparation_data = _without_main


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Let a new process begin with Ctrl-C blocked: ending the batch is its parent's task."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
