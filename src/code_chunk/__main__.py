"""The command line: files and folders to chunks, as JSON Lines."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

from code_chunk import CodeChunkError, chunk_stream, detect_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEAD = 256
"""Bytes that are read to find the interpreter of a file without an extension."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Chunk what the arguments name; 0 all well, 1 some files failed, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    for root in options.paths:
        if not root.exists():
            print(f"code-chunk: {root}: no such file or folder", file=sys.stderr)
            return 2
    counts: Counter[str] = Counter()
    try:
        with _output(options.output) as output:
            for path in _files(options.paths):
                _write(path, output, counts, verbose=options.verbose)
    except BrokenPipeError:
        # the reader has enough; what is left in the buffer of stdout must not raise again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    print(
        f"{counts['files']} files, {counts['chunks']} chunks, {counts['bytes']:,} bytes, "
        f"{counts['skipped']} skipped, {counts['errors']} errors",
        file=sys.stderr,
    )
    return 1 if counts["errors"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="code-chunk", description="Cut source files into chunks; one JSON object a line."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder to walk")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to write (default: stdout)")
    parser.add_argument("-v", "--verbose", action="store_true", help="name each file that is skipped, and why")
    return parser


def _output(path: Path | None) -> IO[str] | nullcontext[IO[str]]:
    if path is None:
        return nullcontext(sys.stdout)
    return path.open("w", encoding="utf-8")


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files named, and those in the folders named, without hidden folders, in a stable order."""
    for root in paths:
        if not root.is_dir():
            yield root
            continue
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            yield from (Path(folder, name) for name in sorted(names))


def _write(path: Path, output: IO[str], counts: Counter[str], *, verbose: bool) -> None:
    """Write the chunks of one file, or count why there are none."""
    try:
        if not path.is_file():
            raise _Skipped("no regular file")
        if detect_language(path) is None:
            with path.open("rb") as file:
                if detect_language(path, file.read(_HEAD)) is None:
                    raise _Skipped("no supported language")
        for chunk in chunk_stream(path):
            output.write(json.dumps(chunk.to_dict(), ensure_ascii=False) + "\n")
            counts["chunks"] += 1
            counts["bytes"] += chunk.byte_range.end - chunk.byte_range.start
        counts["files"] += 1
    except _Skipped as reason:
        counts["skipped"] += 1
        if verbose:
            print(f"code-chunk: {path}: skipped: {reason}", file=sys.stderr)
    except (CodeChunkError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        counts["errors"] += 1
        print(f"code-chunk: {path}: {error}", file=sys.stderr)


class _Skipped(Exception):
    """Why a file has no chunks."""


if __name__ == "__main__":
    sys.exit(main())
