"""What ends a run early."""

from __future__ import annotations


class RefusedError(Exception):
    """The command can not be done: told in one line, exit code 2."""


class ReaderGoneError(Exception):
    """Whoever read the output has enough."""


def printable(text: object) -> str:
    """Return text that does no harm on a terminal: control characters and surrogates are escaped."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in str(text)
    )
