"""The command line: files and folders to chunks. It uses what the package exports, and nothing else of it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "code-chunk"
WELL, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit codes: all well; some files failed; wrong usage, or no output; Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the first argument may be a verb, ``chunk`` if it is none.

    Returns:
        The exit code.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        from ._app import run

        code = run(given)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        print(f"{PROGRAM}: the command line needs an extra: pip install 'code-chunk[cli]'", file=sys.stderr)
        return REFUSED
    except OSError as error:  # standard output is full, or closed: what is left in its buffer is given up
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return WELL
        print(f"{PROGRAM}: standard output: {error.strerror}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        return INTERRUPTED
