"""Worker processes.

A worker is a pebble pool of one process: pebble stops an overdue task, and tells which task a lost process
held. With a pool to itself a process that dies in the middle of a message leaves no lock and no pipe behind
that another one waits for.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from contextlib import contextmanager
from multiprocessing import context
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from pebble import ProcessExpired, ProcessPool

from . import languages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

T = TypeVar("T")

_starting = threading.Lock()


WorkerError = RuntimeError
"""What calls fail with when a worker is lost, or can not be started, for no reason that lies in the call."""


class Worker:
    """A process that does one call after the other; a lost process is not replaced."""

    def __init__(self) -> None:
        known = languages.registered_languages()
        self._pool = ProcessPool(1, initializer=_prepare, initargs=(known,), context=_Context())
        self._end = threading.Thread(target=self._finish, name="code-chunk worker's end", daemon=True)

    @property
    def is_alive(self) -> bool:
        """False when calls given to it may never be done."""
        return self._pool.active

    @property
    def is_gone(self) -> bool:
        """True when it was stopped, and the process has ended."""
        return self._end.ident is not None and not self._end.is_alive()

    def submit(self, function: Callable[[T], bytes], argument: T, timeout: float | None) -> Future[bytes]:
        """Queue a call; its time runs from its start.

        Raises:
            WorkerError: The process is lost, or can not be started.
        """
        try:
            return self._pool.schedule(function, (argument,), timeout=timeout)
        except OSError as error:
            raise WorkerError(str(error)) from error

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
        return f"ended with exit code {code}"


def _prepare(known: Iterable[tuple[languages.Language, ...]]) -> None:
    """Make a new process ready: it ends at once when told to, and knows the caller's languages."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    languages.adopt_languages(known)


class _Process(context.SpawnProcess):
    """A fresh interpreter, whatever the start method of the program is, that does not import its main module.

    A fork of a program with threads can stop for ever; a spawned process would run a script that has no
    ``if __name__ == "__main__"`` a second time.
    """

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
