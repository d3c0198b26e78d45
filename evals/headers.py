"""What each line of the header does: rows of one chunking, with one line or several in front of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rows import Ours, with_header_thrice

if TYPE_CHECKING:
    from collections.abc import Callable

    from code_chunk import Chunk

    from .rows import Row

_LABELS = ("Scope", "Defines", "Names", "About", "Uses", "After", "Before")
_MINIMAL = {"context_mode": "minimal", "packing": "definitions"}
_FULL = {"context_mode": "full", "packing": "definitions", "overlap_lines": 0}


def with_lines(*wanted: str) -> Callable[[Chunk], str]:
    """Return a function that puts these lines of the header, ``path`` or a label, in front of a chunk."""

    def text(chunk: Chunk) -> str:
        header, _, own = chunk.contextualized_text.partition("\n\n")
        lines = [line for line in header.split("\n") if _kind(line) in wanted]
        return "\n".join([*lines, "", own]) if lines else own

    return text


def _kind(line: str) -> str:
    label = line.removeprefix("# ").partition(": ")[0]
    return label if label in _LABELS else "path"


BASE = "no header"
HEADERS: dict[str, Row] = {
    BASE: Ours(_MINIMAL, text=with_lines()),
    "path": Ours(_MINIMAL, text=with_lines("path")),
    "Scope": Ours(_MINIMAL, text=with_lines("Scope")),
    "Defines": Ours(_MINIMAL, text=with_lines("Defines")),
    "Names": Ours(_MINIMAL, text=with_lines("Names")),
    "About": Ours(_MINIMAL, text=with_lines("About")),
    "Uses": Ours(_FULL, text=with_lines("Uses")),
    "After, Before": Ours(_FULL, text=with_lines("After", "Before")),
    "path, Scope, Defines": Ours(_MINIMAL, text=with_lines("path", "Scope", "Defines")),
    "those and Names": Ours(_MINIMAL, text=with_lines("path", "Scope", "Defines", "Names")),
    "those and About (minimal)": Ours(_MINIMAL),
    "minimal, thrice": Ours(_MINIMAL, text=with_header_thrice),
    "all lines of full": Ours(_FULL),
    "full, with ten lines of overlap": Ours({**_FULL, "overlap_lines": None}),
    "path and enclosing signatures (ancestry)": Ours({**_FULL, "context_format": "ancestry"}),
}
