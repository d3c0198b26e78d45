"""Which files are chunked, in which order, and under which path."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from code_chunk import CodeChunkError, FileInput, chunk, walk_repository

from ._errors import RefusedError, printable
from ._output import STDOUT

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from typing import IO

    from code_chunk import SkippedFile

    from ._report import Report

STDIN = "-"
_STDIN_NAME = "<stdin>"


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user asked for."""

    paths: tuple[str, ...]
    """Files, folders, ``-``."""
    language: str | None = None
    """What named files are written in, and what is taken of folders."""
    stdin_path: str | None = None
    """The path that standard input stands for."""
    include: tuple[str, ...] = ()
    """Patterns of what is taken of folders; empty: everything."""
    exclude: tuple[str, ...] = ()
    """Patterns of what is left out of folders."""
    max_file_bytes: int | None = None
    """Larger files of folders are left out; 0: none, None: those that the walk leaves out by itself."""
    has_generated: bool = False
    """Take generated files of folders too."""
    follows_links: bool = False
    """Follow symbolic links in folders."""


class Source(NamedTuple):
    """A file to chunk."""

    filepath: str
    """The path in the output."""
    within: str
    """The path in the folder that was named."""
    file: FileInput
    """What the batch is given."""


def check(selection: Selection, output: str) -> None:
    """Refuse, before any work, what can not be meant.

    Raises:
        RefusedError: A path is not there, or is the output as well; a language is unknown or is missing.
    """
    paths = selection.paths
    for path in paths:
        if path == STDIN:
            continue
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            reason = "no such file or folder" if isinstance(error, FileNotFoundError) else error.strerror
            raise RefusedError(f"{printable(path) or repr(path)}: {reason}") from error
        if output != STDOUT and stat.S_ISREG(mode) and _identity(path) == _identity(output):
            raise RefusedError(f"{printable(path)}: is the output as well")
    if STDIN in paths and sys.stdin is None:
        raise RefusedError("standard input is closed")
    if STDIN in paths and selection.language is None and selection.stdin_path is None:
        raise RefusedError(
            "standard input has no name that tells its language: give --language or --stdin-path"
        )
    if STDIN not in paths and selection.stdin_path is not None:
        raise RefusedError("--stdin-path needs the path -, which stands for standard input")
    if selection.language is not None:
        try:
            chunk("-", "", language=selection.language)
        except CodeChunkError as error:
            raise RefusedError(str(error)) from error


def find(selection: Selection, own: Sequence[str], report: Report, folder: str) -> Iterator[Source]:
    """Give each file once: those named, and those in the folders named.

    Args:
        selection: What the user asked for.
        own: Files that are written meanwhile: they are no sources.
        report: Is told what is skipped.
        folder: Where input that can be read only once is kept.
    """
    hidden = {_identity(path) for path in own}
    seen = set(hidden)
    if selection.stdin_path is not None:
        seen.add(_identity(selection.stdin_path))
    for path in dict.fromkeys(selection.paths):
        if path == STDIN:
            yield _kept(Path(selection.stdin_path or _STDIN_NAME), sys.stdin.buffer, selection, folder)
            continue
        for source in _below(Path(path), selection, report, folder, hidden):
            identity = _identity(source.filepath)
            if identity not in seen:
                seen.add(identity)
                yield source


def _below(
    root: Path, selection: Selection, report: Report, folder: str, hidden: Container[str]
) -> Iterator[Source]:
    if root.is_dir():
        yield from _walked(root, selection, report, hidden)
    elif root.is_file() or not root.exists():
        yield Source(root.as_posix(), _within(root), FileInput(root.as_posix(), None, _language(selection)))
    else:
        try:
            with root.open("rb") as stream:
                yield _kept(root, stream, selection, folder)
        except OSError as error:
            report.failed(root, error.strerror or error)


def _walked(root: Path, selection: Selection, report: Report, hidden: Container[str]) -> Iterator[Source]:
    names = None if selection.language is None else [selection.language]
    options: dict[str, int | None] = {}
    if selection.max_file_bytes is not None:
        options["max_file_bytes"] = selection.max_file_bytes or None
    try:
        walk = walk_repository(
            root,
            include=selection.include,
            exclude=selection.exclude,
            languages=names,
            follow_symlinks=selection.follows_links,
            skip_generated=not selection.has_generated,
            **options,
        )
    except ValueError as error:  # a pattern that can match nothing
        raise RefusedError(str(error)) from error
    other = "no supported language" if selection.language is None else f"not {selection.language}"

    def tell(skipped: list[SkippedFile]) -> None:
        for file in skipped:
            if file.reason == "unreadable":
                report.failed(file.path, file.detail or file.reason)
            elif _identity(str(file.path)) not in hidden:
                report.skipped(file.path, other if file.reason == "language" else file.reason, file.detail)

    told = 0
    for path in walk:
        yield Source(path.as_posix(), path.relative_to(root).as_posix(), FileInput(path.as_posix()))
        tell(walk.skipped[told:])
        told = len(walk.skipped)
    tell(walk.skipped[told:])


def _kept(path: Path, stream: IO[bytes], selection: Selection, folder: str) -> Source:
    """Keep what can be read only once, and by this process only: standard input, a pipe."""
    handle, copy = tempfile.mkstemp(dir=folder)
    with open(handle, "wb") as target:
        shutil.copyfileobj(stream, target)
    file = FileInput(path.as_posix(), Path(copy), _language(selection))
    return Source(path.as_posix(), _within(path), file)


def _language(selection: Selection) -> dict[str, str]:
    return {} if selection.language is None else {"language": selection.language}


def _within(path: Path) -> str:
    """Return the path of a file named by itself as one in a repository: without the root and ``..``."""
    return "/".join(part for part in path.parts if part not in (path.anchor, ".."))


def _identity(path: str) -> str:
    """Return what is equal for all paths of a file."""
    if os.path.islink(path):
        return os.path.realpath(path)
    folder, name = os.path.split(path)
    return os.path.join(_real_folder(os.path.abspath(folder)), name)


@lru_cache(4096)
def _real_folder(folder: str) -> str:
    return os.path.realpath(folder)
