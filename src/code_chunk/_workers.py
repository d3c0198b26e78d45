"""Worker processes.

A worker is a pebble pool of one process: pebble stops an overdue task, and tells which task a lost process
held. With a pool to itself a process that dies in the middle of a message leaves no lock and no pipe behind
that another one waits for.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
from contextlib import contextmanager
from multiprocessing import context, util
from types import ModuleType
from typing import TYPE_CHECKING, Any, ParamSpec

from pebble import ProcessExpired, ProcessPool

from . import languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

P = ParamSpec("P")

_starting = threading.Lock()
_ENDED = 256
"""Stands for exit code 0, which a worker never has as long as its pool is there."""


_LONGEST_LOAD = 60.0
"""Seconds that the load of a grammar may take."""

WorkerError = RuntimeError
"""What calls fail with when a worker is lost, or can not be started, for no reason that lies in the call."""


class Worker:
    """A process that does one call after the other; a lost process is not replaced."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="code-chunk-")
        arguments = (languages.registered_languages(), self._folder)
        self._pool = ProcessPool(1, initializer=_prepare, initargs=arguments, context=_Context())
        self._count = 0
        self._loaded: set[str] = set()
        self._end = threading.Thread(target=self._finish, name="code-chunk worker's end", daemon=True)

    @property
    def is_alive(self) -> bool:
        """False when calls given to it may never be done."""
        return self._pool.active

    @property
    def is_gone(self) -> bool:
        """True when it was stopped, and the process has ended."""
        return self._end.ident is not None and not self._end.is_alive()

    def new_path(self) -> str:
        """Name a file for results, which is there until the worker is gone.

        Messages stay small that way: a large one would take its time in the pipe, and its reader could not be
        stopped in the middle of it.
        """
        self._count += 1
        return os.path.join(self._folder, str(self._count))

    def submit(
        self, function: Callable[P, object], timeout: float | None, *arguments: P.args, **_: P.kwargs
    ) -> Future[object]:
        """Queue a call; its time runs from its start.

        Raises:
            WorkerError: The process is lost, or can not be started.
        """
        try:
            return self._pool.schedule(function, arguments, timeout=timeout)
        except OSError as error:
            raise WorkerError(str(error)) from error

    def warm_up(self, language: languages.Language) -> None:
        """Have a language loaded, so that the file that comes first does not pay for it with its time."""
        if language.grammar not in self._loaded:
            self._loaded.add(language.grammar)
            self.submit(_load, _LONGEST_LOAD, language)

    def stop(self) -> None:
        """Begin to end the process, whatever it does; `join` waits for its end."""
        try:
            self._end.start()
        except RuntimeError:  # no thread starts while the interpreter ends
            self._finish()

    def join(self) -> None:
        """Wait until the process is gone."""
        if self._end.ident is not None:
            self._end.join()

    def _finish(self) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()
        shutil.rmtree(self._folder, ignore_errors=True)


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
        with _starting, _main_hidden(), _interrupt_blocked():
            super().start()


class _Context(context.SpawnContext):
    Process = _Process


class _Hidden(ModuleType):
    """Stands for the main module, and has all of it but what tells where it comes from."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__("__main__")
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name == "__file__":
            raise AttributeError(name)
        return getattr(self._module, name)


@contextmanager
def _main_hidden() -> Iterator[None]:
    """Keep `multiprocessing` from finding the main module, which it would import in the new process."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = _Hidden(main)
    try:
        yield
    finally:
        sys.modules["__main__"] = main


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
