"""Chunks of the samples, as they are and as they were; the guarantees hold on the same runs.

A snapshot shows where the cuts are and what the context says. ``pytest --update-snapshots`` rewrites them: a
changed line there is a changed boundary or header, which invalidates what users have stored.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Literal

import pytest

from code_chunk import Chunk, ChunkOptions, chunk
from guarantees import check, check_structure
from strategies import SAMPLES, sample_paths, sample_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

SIZES = (64, 512, 1500, 8192)
MODES: tuple[Literal["full", "minimal", "none"], ...] = ("full", "minimal", "none")
SNAPSHOTS = SAMPLES.parent / "snapshots"
_WIDTH = 60


def snapshot_of(runs: Collection[list[Chunk]]) -> str:
    """Render one file's chunks, one run for each context mode."""
    return "\n".join(line for made in zip(*runs, strict=True) for line in _lines(*made))


def _lines(full: Chunk, minimal: Chunk, none: Chunk) -> Iterator[str]:
    spans = (
        f"bytes {full.byte_range.start}-{full.byte_range.end} "
        f"chars {full.char_range.start}-{full.char_range.end} "
        f"lines {full.line_range.start}-{full.line_range.end}"
    )
    digests = " ".join(_digest(made.contextualized_text) for made in (full, minimal, none))
    yield f"[{full.index}] {spans} size {full.size} text {digests}"
    context = full.context
    if context.scope:
        yield "  in " + " < ".join(f"{entity.type} {entity.name}" for entity in context.scope)
    if context.entities:
        yield "  has " + ", ".join(
            f"{entity.type} {entity.name}{'…' if entity.is_partial else ''}" for entity in context.entities
        )
    if context.parse_error:
        yield f"  error {context.parse_error.message}"
    yield from (f"  {line}" for line in _header(full))
    lines = [line for line in full.text.split("\n") if line.strip()]
    yield from (f"  > {_shortened(line.rstrip())}" for line in dict.fromkeys((lines[0], lines[-1])))


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=4).hexdigest()


def _header(made: Chunk) -> list[str]:
    """The header's lines but for path and scope."""
    header = made.contextualized_text.split("\n\n", 1)[0].split("\n")
    return [_shortened(line) for line in header[1:] if not line.startswith("# Scope:")]


def _shortened(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", sample_paths(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_sample(path: Path, size: int, request: pytest.FixtureRequest) -> None:
    """A sample's chunks are those of its snapshot, and the guarantees hold."""
    code = sample_text(path)
    runs = {}
    for mode in MODES:
        options = ChunkOptions(max_chunk_size=size, context_mode=mode)
        runs[mode] = chunk(path.name, code, options)
        check(path.name, code, runs[mode], options)
    check_structure(path.name, code, runs["full"], ChunkOptions(max_chunk_size=size))
    snapshot = SNAPSHOTS / path.parent.name / f"{path.name}.{size}.txt"
    if request.config.getoption("--update-snapshots"):
        snapshot.parent.mkdir(parents=True, exist_ok=True)
        snapshot.write_text(snapshot_of(runs.values()) + "\n", encoding="utf-8", newline="\n")
    assert snapshot_of(runs.values()) + "\n" == snapshot.read_text(encoding="utf-8")


def test_no_snapshot_is_left_over() -> None:
    """Every snapshot has its sample."""
    expected = {f"{path.parent.name}/{path.name}.{size}.txt" for path in sample_paths() for size in SIZES}
    found = {path.relative_to(SNAPSHOTS).as_posix() for path in SNAPSHOTS.rglob("*.txt")}
    assert found == expected
