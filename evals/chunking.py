"""A row and a mean size -> chunks. A chunker's knob is set for each language, and the chunks are kept."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .environments import python_of
from .peers import nws
from .rows import PEERS, Ours, Peer, Row
from .store import digest, read_json, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from code_chunk import Chunk

    from .recipe import SourceFile
    from .tasks import Bench

CLOSE_ENOUGH = 0.005
"""How far the mean size may be from what is asked for."""
MOST_RUNS = 9


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk as the evaluation sees it. Lines count from 0, ends are inclusive."""

    language: str
    package: str
    path: str
    first: int
    last: int
    size: int
    """Non-whitespace characters of the source; header and overlap are not counted."""
    text: str
    """What is indexed."""


@dataclass(frozen=True, slots=True)
class Chunked:
    """The chunks of a row."""

    pieces: tuple[Piece, ...]
    knobs: dict[str, int]
    errors: tuple[str, ...]
    """Files that the chunker failed on; they have no chunks."""
    key: str
    """A digest of all that the chunks depend on."""

    @property
    def sizes(self) -> list[int]:
        return [piece.size for piece in self.pieces]


def mean_of_chunks(sizes: Sequence[int]) -> float:
    """Return the mean size of a chunk."""
    return sum(sizes) / len(sizes)


def mean_of_characters(sizes: Sequence[int]) -> float:
    """Return the mean size of the chunk that a character is in: crumbs count for little."""
    return sum(size * size for size in sizes) / sum(sizes)


MEANS = {"chunk": mean_of_chunks, "character": mean_of_characters}
Output = dict[str, Any]
"""``pieces``: [file number, first, last, size, text]; ``errors``."""


class Chunking:
    """Chunks a corpus by any row, and keeps what it made."""

    def __init__(self, bench: Bench, cache: Path, mean: str = "chunk") -> None:
        self.bench = bench
        self.mean = mean
        self.cache = cache
        self.languages = sorted({file.language for file in bench.files})
        self.files = {
            language: [file for file in bench.files if file.language == language]
            for language in self.languages
        }
        self._ours: dict[str, list[list[Chunk]]] = {}

    def chunks(self, name: str, row: Row, size: int) -> Chunked:
        """Chunk all files so that the mean size is as asked for, in each language.

        The name tells apart what functions made by one function do to the text.
        """
        pieces: list[Piece] = []
        errors: list[str] = []
        knobs: dict[str, int] = {}
        for language in self.languages:
            knobs[language] = self.knob(row, language, size)
            made = self._kept(name, row, language, knobs[language])
            files = self.files[language]
            for number, first, last, nws_size, text in made["pieces"]:
                file = files[number]
                pieces.append(Piece(language, file.package, file.path, first, last, nws_size, text))
            errors += made["errors"]
        key = digest([self.bench.corpus, name, row.identity, knobs])
        return Chunked(tuple(pieces), knobs, tuple(errors), key)

    def knob(self, row: Row, language: str, size: int) -> int:
        """Find the knob with which the chunks of a language have a mean size."""
        asked = [language, size] if self.mean == "chunk" else [language, size, self.mean]
        kept = self.cache / "knobs" / f"{digest([self.bench.corpus, row.knob_identity, *asked])}.json"
        known = read_json(kept)
        if known is not None:
            return int(known)
        measured = _measured(row)
        tried: dict[int, float] = {}
        knob = size
        while knob not in tried and len(tried) < MOST_RUNS:
            made = self._run(measured, language, knob)["pieces"]
            tried[knob] = MEANS[self.mean]([piece[3] for piece in made])
            if abs(tried[knob] / size - 1) <= CLOSE_ENOUGH:
                break
            knob = next_knob(tried, size)
        best = min(tried, key=lambda one: (abs(tried[one] - size), one))
        write_json(kept, best)
        return best

    def _kept(self, name: str, row: Row, language: str, knob: int) -> Output:
        key = digest([self.bench.corpus, name, row.identity, language, knob])
        path = self.cache / "chunks" / f"{key}.json.gz"
        output: Output | None = read_json(path)
        if output is None:
            output = self._run(row, language, knob)
            write_json(path, output)
        return output

    def _run(self, row: Row, language: str, knob: int) -> Output:
        if isinstance(row, Ours):
            return self._run_ours(row, language, knob)
        return self._run_peer(row, language, knob)

    def _run_ours(self, row: Ours, language: str, knob: int) -> Output:
        """Chunk in this process; rows that differ only in the text share one run."""
        files = self.files[language]
        key = digest([row.knob_identity, sorted(row.options.items()), language, knob])
        if key not in self._ours:
            options = {**row.options, "max_chunk_size": knob}
            self._ours[key] = [row.chunk(file.path, file.text, **options) for file in files]
        pieces = [
            [number, chunk.line_range.start, chunk.line_range.end, nws(chunk.text), row.text(chunk)]
            for number, chunks in enumerate(self._ours[key])
            for chunk in chunks
        ]
        return {"pieces": pieces, "errors": []}

    def _run_peer(self, row: Peer, language: str, knob: int) -> Output:
        files = self.files[language]
        given = [
            json.dumps(
                {"key": key, "file": str(self._written(file)), "path": file.path, "language": language}
            )
            for key, file in enumerate(files)
        ]
        python = python_of(row.environment, self.cache)
        command = [python, "-P", str(PEERS), row.chunker, str(knob)]
        done = subprocess.run(
            command, input="\n".join(given), capture_output=True, text=True, encoding="utf-8", check=False
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr.strip()[-2000:]}")
        pieces: list[list[Any]] = []
        errors: list[str] = []
        for line in done.stdout.splitlines():
            told = json.loads(line)
            if "error" in told:
                file = files[told["key"]]
                errors.append(f"{file.package} {file.path}: {told['error']}")
            else:
                pieces.append([told["key"], *(told[key] for key in ("first", "last", "size", "text"))])
        return {"pieces": pieces, "errors": errors}

    def _written(self, file: SourceFile) -> Path:
        """Return where a file of the corpus lies; the others read it from disk."""
        path = self.cache / "corpora" / self.bench.corpus / file.language / file.package / file.path
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.text.encode())
        return path


def _measured(row: Row) -> Row:
    """Return the plainest row of the same boundaries."""
    if isinstance(row, Ours):
        return Ours({**row.windows, "context_mode": "none"}, chunk=row.chunk)
    return Peer(row.knob_of or row.chunker, row.environment)


def next_knob(tried: dict[int, float], size: int) -> int:
    """Choose the knob to try next: on the line between the nearest below and above, else in proportion."""
    below = [knob for knob, mean in tried.items() if mean <= size]
    above = [knob for knob, mean in tried.items() if mean > size]
    if below and above:
        low = max(below, key=lambda knob: tried[knob])
        high = min(above, key=lambda knob: tried[knob])
        share = (size - tried[low]) / (tried[high] - tried[low])
        return round(low + share * (high - low))
    nearest = min(tried, key=lambda knob: abs(tried[knob] - size))
    return max(1, round(nearest * size / tried[nearest]))
