"""What is told on stderr: a bar while it lasts, messages, and a summary."""

from __future__ import annotations

import sys
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from ._errors import printable

if TYPE_CHECKING:
    from rich.progress import Progress

_MOST_NAMED = 20
"""Files that the summary names."""


class Report:
    """Counts what becomes of the files, and tells it."""

    def __init__(self, program: str, *, has_bar: bool, is_quiet: bool, is_verbose: bool) -> None:
        self._program = program
        self._is_quiet = is_quiet
        self._is_verbose = is_verbose
        self._began = time.monotonic()
        self._bar = _bar() if has_bar and not is_quiet else None
        self._task = self._bar.add_task("looking for files", total=None, speed="") if self._bar else None
        self._skipped: Counter[str] = Counter()
        self._encodings: list[str] = []
        self.files = self.chunks = self.bytes = self.errors = 0

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    @property
    def has_bar(self) -> bool:
        """True when it is worth knowing how many files there are."""
        return self._bar is not None

    def say(self, message: str) -> None:
        """Tell something in a line of its own."""
        line = f"{self._program}: {message}"
        if self._bar:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
        elif sys.stderr is not None:
            with suppress(BrokenPipeError):  # nobody listens
                print(line, file=sys.stderr)

    def expect(self, files: int) -> None:
        """Take notice of how many files there are."""
        if self._bar and self._task is not None:
            self._bar.update(self._task, total=files, description="chunking")

    def done(self, path: str, size: int, encoding: str | None) -> None:
        """Count a file that was chunked; ``encoding`` is told where it is worth telling."""
        self.files += 1
        self.bytes += size
        if encoding:
            self._encodings.append(f"{printable(path)} ({encoding})")
        self._advance()

    def failed(self, path: object, reason: object) -> None:
        """Count and name a file that was not."""
        self.errors += 1
        self.say(f"{printable(path)}: {printable(reason)}")
        self._advance()

    def skipped(self, path: object, reason: str, detail: str) -> None:
        """Count a file that is not wanted."""
        self._skipped[reason] += 1
        if self._is_verbose:
            more = f" ({printable(detail)})" if detail else ""
            self.say(f"{printable(path)}: skipped: {reason}{more}")

    def summary(self) -> None:
        """Tell what was done."""
        if self._is_quiet:
            return
        skipped, took = self._skipped.total(), time.monotonic() - self._began
        self.say(
            f"{_counted(self.files, 'file')}, {_counted(self.chunks, 'chunk')}, "
            f"{_counted(self.bytes, 'byte')}, {skipped:,} skipped, "
            f"{_counted(self.errors, 'error')} in {took:.1f} s ({self._speed()})"
        )
        if skipped:
            hint = "" if self._is_verbose else "; -v names them"
            reasons = ", ".join(f"{count:,} {reason}" for reason, count in self._skipped.most_common())
            self.say(f"skipped: {reasons}{hint}")
        if self._encodings:
            count = len(self._encodings)
            most = count if self._is_verbose else _MOST_NAMED
            more = f" and {count - most:,} more; -v names them" if count > most else ""
            self.say(f"not in UTF-8: {', '.join(self._encodings[:most])}{more}")

    def _advance(self) -> None:
        if self._bar and self._task is not None:
            self._bar.update(self._task, advance=1, speed=self._speed())

    def _speed(self) -> str:
        return f"{self.bytes / 1e6 / max(time.monotonic() - self._began, 1e-3):.1f} MB/s"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
