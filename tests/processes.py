"""Processes that tests start, and those that are left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

PATIENCE = 60.0
"""Seconds after which a program hangs, on a machine however busy."""


def children(of: int | None = None) -> list[psutil.Process]:
    """The processes that this one, or another, has started, and theirs.

    The resource tracker of `multiprocessing` is none of them: the interpreter has one for everybody that uses
    a semaphore in it, and keeps it until its own end.
    """
    try:
        found = psutil.Process(of).children(recursive=True)
    except psutil.Error:
        return []
    return [process for process in found if not _is_tracker(process)]


def _is_tracker(process: psutil.Process) -> bool:
    try:
        return any("multiprocessing.resource_tracker" in part for part in process.cmdline())
    except psutil.Error:  # it has just ended
        return False


def eventually(is_so: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait until something is so; False if it does not come."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def await_children(count: int, of: int | None = None) -> list[psutil.Process]:
    """Wait until so many processes are there."""
    assert eventually(lambda: len(children(of)) == count), children(of)
    return children(of)


def is_running(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def start(command: Sequence[str | Path], **options: Any) -> subprocess.Popen[str]:
    """Start Python in a process group of its own, as a terminal does, with warnings as errors."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", *map(str, command)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def finish(
    process: subprocess.Popen[str], text: str | None = None, seconds: float = PATIENCE
) -> tuple[str, str]:
    """Wait for a program's end, and return what it wrote; one that hangs is killed, its workers with it."""
    try:
        return process.communicate(text, timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(f"hangs after {seconds} s: {out}{err}") from None


def run(*command: str | Path, text: str | None = None, **options: Any) -> str:
    """Run a Python program that must end well and without a word on stderr; return what it printed."""
    process = start(command, **options)
    out, err = finish(process, text)
    assert (process.returncode, err) == (0, ""), err
    return out
