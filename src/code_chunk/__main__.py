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

from code_chunk import CodeChunkError, chunk, detect_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEAD = 256
"""Bytes that are read to find the interpreter of a file without an extension."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Chunk what the arguments name; 0 all well, 1 some files failed, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    for root in options.paths:
        if not root.exists():
            return _fail(f"{root}: no such file or folder")
        if options.output and _is_same(root, options.output):
            return _fail(f"{root}: is the output as well")
    run = _Run(verbose=options.verbose)
    try:
        with _output(options.output) as output:
            for path in run.files(options.paths):
                if not (options.output and _is_same(path, options.output)):
                    output.writelines(run.lines(path))
            output.flush()
    except BrokenPipeError:
        # the reader has enough; what is left in the buffer of stdout must not raise again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _fail(f"{options.output or 'standard output'}: {error.strerror}")
    counts = run.counts
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
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="name each file that is skipped, and say why"
    )
    return parser


def _fail(message: str) -> int:
    print(f"code-chunk: {message}", file=sys.stderr)
    return 2


def _is_same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _output(path: Path | None) -> IO[str] | nullcontext[IO[str]]:
    return path.open("w", encoding="ascii") if path else nullcontext(sys.stdout)


class _Run:
    """Counts what becomes of the files."""

    def __init__(self, *, verbose: bool) -> None:
        self.counts: Counter[str] = Counter()
        self._verbose = verbose

    def files(self, paths: Sequence[Path]) -> Iterator[Path]:
        """The files named, and those in the folders named, hidden folders left out, in a stable order."""
        for root in paths:
            if not root.is_dir():
                yield root
                continue
            for folder, folders, names in os.walk(root, onerror=self._error):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                yield from (Path(folder, name) for name in sorted(names))

    def lines(self, path: Path) -> Iterator[str]:
        """The chunks of a file as JSON, or none and the reason."""
        if not path.is_file():
            self._skip(path, "no regular file")
            return
        try:
            if detect_language(path) is None:
                with path.open("rb") as file:
                    if detect_language(path, file.read(_HEAD)) is None:
                        self._skip(path, "no supported language")
                        return
            chunks = chunk(path, path.read_bytes())
        except (CodeChunkError, OSError) as error:
            self._error(error, path)
            return
        self.counts["files"] += 1
        for made in chunks:
            self.counts["chunks"] += 1
            self.counts["bytes"] += made.byte_range.end - made.byte_range.start
            yield json.dumps(made.to_dict()) + "\n"

    def _skip(self, path: Path, reason: str) -> None:
        self.counts["skipped"] += 1
        if self._verbose:
            print(f"code-chunk: {path}: skipped: {reason}", file=sys.stderr)

    def _error(self, error: Exception, path: Path | None = None) -> None:
        self.counts["errors"] += 1
        reason = error.strerror if isinstance(error, OSError) else error
        print(f"code-chunk: {path or getattr(error, 'filename', '')}: {reason}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
