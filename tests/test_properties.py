"""G1 to G5, G7 and G8 as properties, for each language."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_chunk import Chunk, ChunkOptions, achunk, chunk, chunk_stream, create_chunker
from guarantees import check, check_structure, parse
from strategies import (
    LANGUAGES,
    any_code,
    arbitrary_text,
    clean_files,
    damaged_samples,
    limits,
    option_sets,
    patch_slices,
    sample_paths,
    sample_text,
    streamed,
    trickle,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SLICES = st.sampled_from(((4, 8), (16, 64), (100, 100), (200, 4000), (1000, 100_000)))
"""How much is parsed at a time, and from where on an error is the file's own."""

languages = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@languages
@given(data=st.data(), options=option_sets())
def test_arbitrary_text(language: str, data: st.DataObject, options: ChunkOptions) -> None:
    """G1, G2, G3, G7: whatever the text is."""
    code = data.draw(arbitrary_text(language))
    name = data.draw(st.sampled_from(sample_paths(language))).name
    check(name, code, chunk(name, code, options), options)


@languages
@given(data=st.data(), options=option_sets())
def test_damaged_samples(language: str, data: st.DataObject, options: ChunkOptions) -> None:
    """G1, G2, G3, G7: spliced, truncated, duplicated and mutated code; where it has no errors, G4 and G5."""
    code = data.draw(damaged_samples(language))
    name = data.draw(st.sampled_from(sample_paths(language))).name
    chunks = chunk(name, code, options)
    check(name, code, chunks, options)
    check_structure(name, code, chunks, options)


@languages
@given(data=st.data(), limit=limits())
def test_clean_code(language: str, data: st.DataObject, limit: int) -> None:
    """G4 and G5, by a parse of the whole file that owes nothing to the chunker."""
    name, code = data.draw(clean_files(language))
    packing = data.draw(st.sampled_from(("greedy", "definitions")))
    options = ChunkOptions(max_chunk_size=limit, context_mode="none", packing=packing)
    chunks = chunk(name, code, options)
    check(name, code, chunks, options)
    check_structure(name, code, chunks, options)


@languages
@given(data=st.data(), options=option_sets())
def test_options_move_no_boundary(language: str, data: st.DataObject, options: ChunkOptions) -> None:
    """Only limit and packing decide where the cuts are, and they do not decide what the entities are."""
    name, code = data.draw(any_code(language))
    chunks = chunk(name, code, options)
    bare = chunk(
        name, code, max_chunk_size=options.max_chunk_size, packing=options.packing, context_mode="none"
    )
    assert [made.byte_range for made in chunks] == [made.byte_range for made in bare]
    if options.context_mode != "none":
        whole = chunk(name, code, max_chunk_size=10**9)
        assert list(entities(chunks)) == list(entities(whole))


def entities(chunks: list[Chunk]) -> Iterator[tuple[object, ...]]:
    for made in chunks:
        for entity in made.context.entities:
            yield dataclasses.astuple(dataclasses.replace(entity, is_partial=False))


@languages
@given(data=st.data(), options=option_sets(), sizes=SLICES)
def test_slices_of_any_text(
    language: str, data: st.DataObject, options: ChunkOptions, sizes: tuple[int, int]
) -> None:
    """G1, G2, G3 hold however a file is sliced, and a stream of it is equal to the list."""
    name, code = data.draw(any_code(language))
    with patch_slices(*sizes):
        chunks = chunk(name, code, options)
        assert list(chunk_stream(name, code, options)) == streamed(chunks)
    check(name, code, chunks, options)


@languages
@given(data=st.data(), options=option_sets(), size=st.sampled_from((4, 20, 100, 500, 2000)))
def test_slices_move_no_boundary(
    language: str, data: st.DataObject, options: ChunkOptions, size: int
) -> None:
    """Slices of code without errors give the chunks that one slice gives."""
    name, code = data.draw(clean_files(language))
    whole = chunk(name, code, options)
    if not parse(name, code).has_error:
        with patch_slices(size, 10**9):
            is_same = chunk(name, code, options) == whole  # a diff of chunks would take minutes
        assert is_same


@languages
@given(data=st.data(), options=option_sets(), sizes=st.one_of(SLICES, st.just((10**6, 10**6))))
def test_one_truth(
    language: str,
    data: st.DataObject,
    options: ChunkOptions,
    sizes: tuple[int, int],
    loop: asyncio.Runner,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """G8: every way to chunk gives the same chunks, however the code comes in."""
    name, code = data.draw(any_code(language))
    read_size = data.draw(st.sampled_from((1, 2, 7, 64, 1000)))
    with patch_slices(*sizes):
        chunks = chunk(name, code, options)
        chunker = create_chunker(options)
        assert chunker.chunk(name, code) == chunks
        assert list(chunk_stream(name, code, options)) == streamed(chunks)
        assert list(chunker.stream(name, code)) == streamed(chunks)
        assert loop.run(achunk(name, code, options)) == chunks
        assert loop.run(collected(name, code, options)) == streamed(chunks)
        if any("\ud800" <= character <= "\udfff" for character in code):
            return
        raw = code.encode()
        assert chunk(name, raw, options) == chunks
        assert chunk(name, trickle(raw, read_size), options) == chunks
        assert loop.run(achunk(name, trickle(raw, read_size), options)) == chunks
        path = tmp_path_factory.getbasetemp() / name
        path.write_bytes(raw)
        assert list(chunk_stream(path, None, options)) == streamed(chunk(path, code, options))


async def collected(name: str, code: str, options: ChunkOptions) -> list[Chunk]:
    return [made async for made in chunk_stream(name, code, options)]


def test_threads() -> None:
    """G8: 16 threads at once give what one gives."""
    jobs = [(path.name, sample_text(path), size) for path in sample_paths() for size in (50, 400, 1500)]
    jobs = [job for job in jobs if len(job[1]) < 3000]
    serial = [chunk(name, code, max_chunk_size=size) for name, code, size in jobs]
    chosen = random.Random(0).choices(range(len(jobs)), k=3200)

    def run(number: int) -> bool:
        name, code, size = jobs[number]
        return chunk(name, code, max_chunk_size=size) == serial[number]

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(run, chosen))


_DIGEST = """
import hashlib, json, sys
from pathlib import Path
from code_chunk import chunk
digest = hashlib.sha256()
for path in sys.argv[1:]:
    for made in chunk(Path(path).name, Path(path).read_bytes(), max_chunk_size=300):
        digest.update(json.dumps(made.to_dict()).encode())
print(digest.hexdigest())
"""


def test_processes() -> None:
    """G8: each process gives the same, whatever its hash seed and its encoding."""
    paths = list(map(str, sample_paths()))
    seen = set()
    for seed in ("1", "2"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "PYTHONUTF8": seed[:1].replace("2", "0"),
            "LC_ALL": "C",
        }
        command = [sys.executable, "-W", "error", "-c", _DIGEST, *paths]
        seen.add(subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout)
    assert len(seen) == 1


@pytest.mark.parametrize("path", sample_paths(), ids=lambda path: path.name)
def test_values_survive_json_and_pickle(path: Path) -> None:
    """Chunks equal those that were written and read again."""
    chunks = chunk(path.name, sample_text(path), max_chunk_size=200)
    assert [Chunk.from_dict(json.loads(json.dumps(made.to_dict()))) for made in chunks] == chunks
    assert pickle.loads(pickle.dumps(chunks)) == chunks
