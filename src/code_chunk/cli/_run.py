"""A run: files to chunks to bytes, in the order of the files."""

from __future__ import annotations

import os
import signal
import stat
import sys
import tempfile
import threading
from collections import deque
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from code_chunk import CodeChunkError, UnsupportedLanguageError, chunk_batch_stream

from . import FAILED, PROGRAM, REFUSED, WELL
from ._errors import ReaderGoneError, RefusedError, printable
from ._formats import JsonArray, JsonLines, Text, bold_on_a_terminal
from ._order import in_order
from ._output import STDOUT, open_output
from ._report import Report
from ._sources import check, find

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import FrameType

    from code_chunk import BatchResult, ChunkOptions, FileInput

    from ._formats import Format, View, Writer
    from ._output import Output
    from ._sources import Selection, Source
    from ._templates import ToRecord

_AHEAD = 1_000
"""Files that are looked for before the work begins: few of them are chunked without worker processes."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be done."""

    selection: Selection
    options: ChunkOptions
    view: View
    format: Format
    template: ToRecord | None
    """Makes the records, where they are not the chunks' own."""
    chunk_id: int | None
    """Which chunk of each file is wanted, from 1; None: all."""
    output: str
    encoding: str
    concurrency: int | None
    timeout: float | None
    is_quiet: bool
    is_verbose: bool


def run(request: Request) -> int:
    """Do what is asked for.

    Returns:
        The exit code.
    """
    report = Report(
        PROGRAM, has_bar=_has_bar(request), is_quiet=request.is_quiet, is_verbose=request.is_verbose
    )
    try:
        with _ending_signals():
            check(request.selection, request.output)
            with report, open_output(request.output) as output:
                writer = _writer(request, output)
                own = [path for path in (request.output, output.temporary) if path and path != STDOUT]
                _chunk_all(request, writer, report, own)
                writer.finish()
    except ReaderGoneError:
        return WELL
    except (RefusedError, CodeChunkError) as error:
        report.say(str(error))
        return REFUSED
    except OSError as error:  # a folder vanished, the disk for temporary files is full
        report.say(f"{printable(error.filename or tempfile.gettempdir())}: {error.strerror}")
        return REFUSED
    report.summary()
    return FAILED if report.errors else WELL


def _has_bar(request: Request) -> bool:
    """A bar is for a terminal that nothing else is written to, which what reads a pipe may do."""
    if sys.stderr is None or not sys.stderr.isatty():
        return False
    return request.output != STDOUT or (sys.stdout is not None and stat.S_ISREG(os.fstat(1).st_mode))


def _writer(request: Request, output: Output) -> Writer:
    to_terminal = request.output == STDOUT and sys.stdout is not None and sys.stdout.isatty()
    if request.format == "parquet":
        if to_terminal:
            raise RefusedError("parquet is not for a terminal: give -o FILE")
        from ._parquet import Parquet

        return Parquet(output, request.view)
    if request.format == "text":
        return Text(output, request.view, bold_on_a_terminal(to_terminal))
    kind = JsonArray if request.format == "json" else JsonLines
    return kind(output, request.template or request.view.record)


def _chunk_all(request: Request, writer: Writer, report: Report, own: Sequence[str]) -> None:
    pending: deque[Source] = deque()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="code-chunk-"))
        files = _taken(find(request.selection, own, report, folder), pending)
        stream = stack.enter_context(
            chunk_batch_stream(
                _begun(files, report),
                concurrency=request.concurrency,
                timeout=request.timeout,
                encoding=request.encoding,
                options=request.options,
            )
        )
        longest = 0
        for source, result in in_order(stream, pending):
            if result.chunks is None:
                report.failed(source.filepath, _reason(result.error))
                continue
            longest = max(longest, len(result.chunks))
            shown = [c for c in result.chunks if request.chunk_id in (None, c.index + 1)]
            writer.write(shown, source.within)
            size = result.chunks[-1].byte_range.end if result.chunks else 0
            report.chunks += len(shown)
            report.done(source.filepath, size, _worth_telling(request, result))
    _check_found(request, report, longest)


def _taken(sources: Iterable[Source], pending: deque[Source]) -> Iterator[FileInput]:
    for source in sources:
        pending.append(source)
        yield source.file


def _begun(files: Iterator[FileInput], report: Report) -> Iterable[FileInput]:
    """Look for some of the files, or for all where a bar is to tell how much is done."""
    first = list(files) if report.has_bar else list(islice(files, _AHEAD))
    report.expect(len(first))
    return first if len(first) < _AHEAD or report.has_bar else chain(first, files)


def _reason(error: CodeChunkError | None) -> str:
    if isinstance(error, UnsupportedLanguageError):
        return "its name tells no supported language; say it with --language"
    cause = error.__cause__ if error else None
    if isinstance(cause, OSError) and cause.filename:
        return cause.strerror or str(cause)  # the path is told already
    return str(error)


def _worth_telling(request: Request, result: BatchResult) -> str | None:
    is_utf8 = (result.encoding or "utf-8").replace("_", "-").startswith(("utf-8", "ascii"))
    return None if is_utf8 or request.encoding != "guess" else result.encoding


def _check_found(request: Request, report: Report, longest: int) -> None:
    if request.chunk_id is not None and report.files and not report.chunks:
        report.failed(f"--chunk-id {request.chunk_id}", f"no file has so many chunks; the most are {longest}")
    elif not report.files and not report.errors and not request.is_quiet:
        report.say(f"no supported files in {', '.join(request.selection.paths)}")


@contextmanager
def _ending_signals() -> Iterator[None]:
    """Let the signals that end a program end it as an exception does, so that nothing is left behind."""
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [signal.Signals[name] for name in names]
    if threading.current_thread() is not threading.main_thread():
        numbers = []

    is_ending = False

    def end(number: int, _frame: FrameType | None) -> None:
        for other in before:
            signal.signal(other, signal.SIG_IGN)  # once is enough: what follows is tidying up
        nonlocal is_ending
        is_ending = True
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    before = {n: signal.getsignal(n) for n in numbers if signal.getsignal(n) is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if not is_ending:
                signal.signal(number, handler)
