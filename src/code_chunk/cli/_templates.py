"""Records that the retrieval part of CodeRAG-Bench reads; docs/command-line.md has their schema.

Lines are counted as there: from 0, the end excluded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from code_chunk import Chunk

Record = dict[str, Any]
ToRecord = Callable[[Chunk, str], Record]
"""Makes the record of a chunk, from it and its path in the folder that was named."""


def repo_eval(repository: str, text_of: Callable[[Chunk], str]) -> ToRecord:
    """Make the records of one repository's corpus, from a chunk and its path in the repository."""
    unique = _Unique()

    def record(chunk: Chunk, path: str) -> Record:
        start, end = _lines(chunk)
        parts = [repository, *path.split("/")]
        title = "-".join(parts)
        window = {
            "fpath_tuple": parts,
            "repo": repository,
            "start_line_no": start,
            "end_line_no": end,
            "line_count": end - start,
            "chunk_size": chunk.size,
        }
        identifier = unique(f"{repository}_{title}_{start}-{end}")
        return {"_id": identifier, "title": title, "text": text_of(chunk), "metadata": [window]}

    return record


def swebench_lite(instance: str, text_of: Callable[[Chunk], str]) -> ToRecord:
    """Make the records of one instance's corpus, from a chunk and its path in the repository."""
    unique = _Unique()

    def record(chunk: Chunk, path: str) -> Record:
        start, end = _lines(chunk)
        window = {
            "start_line_no": start,
            "end_line_no": end,
            "line_count": end - start,
            "chunk_size": chunk.size,
        }
        identifier = unique(f"{instance}_{path}_{start}-{end}")
        return {"_id": identifier, "title": path, "text": text_of(chunk), "metadata": window}

    return record


def _lines(chunk: Chunk) -> tuple[int, int]:
    return chunk.line_range.start, chunk.line_range.end + 1


class _Unique:
    """Tells identifiers apart that would be equal: the benchmark keeps one record of each."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __call__(self, identifier: str) -> str:
        self._counts[identifier] += 1
        count = self._counts[identifier]
        return identifier if count == 1 else f"{identifier}.{count}"
