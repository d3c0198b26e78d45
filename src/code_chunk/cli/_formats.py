"""The formats of the output: chunks to bytes, as they come."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from ._errors import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from code_chunk import Chunk

    from ._output import Output
    from ._templates import Record, ToRecord

Format = Literal["jsonl", "json", "parquet", "text"]


class Writer(Protocol):
    """Writes chunks in one format."""

    def write(self, chunks: Iterable[Chunk], path: str) -> None:
        """Write chunks of one file, which stands at ``path`` in the folder that was named."""

    def finish(self) -> None:
        """Write what stands behind the last chunk."""


@dataclass(frozen=True, slots=True)
class View:
    """What of a chunk is shown."""

    is_brief: bool = False
    """No text."""
    is_expanded: bool = False
    """The contextualized text in the place of the text."""

    def text_of(self, chunk: Chunk) -> str:
        """Return the text to show."""
        return chunk.contextualized_text if self.is_expanded else chunk.text

    def record(self, chunk: Chunk, path: str) -> Record:  # noqa: ARG002, the same call as a template's
        """Return the chunk's JSON data."""
        data = chunk.to_dict()
        if self.is_brief:
            del data["text"], data["contextualizedText"]
        elif self.is_expanded:
            data["text"] = data["contextualizedText"]
        return data


class JsonLines:
    """One object a line, in ASCII: so that every reader, and text that is no text, gets through."""

    def __init__(self, output: Output, record: ToRecord) -> None:
        self._output = output
        self._record = record

    def write(self, chunks: Iterable[Chunk], path: str) -> None:
        """Write a line for each chunk."""
        for line in self._lines(chunks, path):
            self._output.write(line + b"\n")
        self._output.flush()

    def _lines(self, chunks: Iterable[Chunk], path: str) -> Iterator[bytes]:
        for chunk in chunks:
            yield json.dumps(self._record(chunk, path)).encode("ascii")

    def finish(self) -> None:
        """Do nothing: the lines are all there is."""


class JsonArray(JsonLines):
    """One array of objects, one object a line."""

    _before = b"[\n"

    def write(self, chunks: Iterable[Chunk], path: str) -> None:
        """Write an element for each chunk."""
        for line in self._lines(chunks, path):
            self._output.write(self._before + line)
            self._before = b",\n"
        self._output.flush()

    def finish(self) -> None:
        """Close the array."""
        self._output.write(b"[]\n" if self._before == b"[\n" else b"\n]\n")


class Text:
    """For people: a line about each chunk, and its text."""

    def __init__(self, output: Output, view: View, style: Callable[[str], str]) -> None:
        self._output = output
        self._view = view
        self._style = style

    def write(self, chunks: Iterable[Chunk], path: str) -> None:  # noqa: ARG002, the same call as the others'
        """Write the chunks of a file."""
        for chunk in chunks:
            lines = self._style(_headline(chunk))
            if not self._view.is_brief:
                text = self._view.text_of(chunk)
                lines += "\n" + text + ("" if text.endswith("\n") else "\n")
            self._output.write((lines + "\n").encode("utf-8", "backslashreplace"))
        self._output.flush()

    def finish(self) -> None:
        """Do nothing: the chunks are all there is."""


def _headline(chunk: Chunk) -> str:
    lines = chunk.line_range
    return (
        f"{printable(chunk.context.filepath)}:{lines.start + 1}-{lines.end + 1}  "
        f"chunk {chunk.index + 1}/{chunk.total_chunks}  size {chunk.size}"
    )


def bold_on_a_terminal(is_terminal: bool) -> Callable[[str], str]:
    """Return what makes a line stand out on a terminal that can."""
    if not is_terminal:
        return str
    from rich.console import Console
    from rich.style import Style

    system = Console().color_system
    if system is None:
        return str
    return lambda line: Style(bold=True, color="cyan").render(line)
