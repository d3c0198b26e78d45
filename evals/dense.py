"""Texts -> embeddings, computed in an environment with the model, and kept by text and model."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .embedder import TOKENS
from .environments import MODEL_PACKAGE, python_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

PORTION = 2_000
"""Texts that are embedded at a time; those before are kept when a run is stopped."""


class Dense:
    """The cosine of embeddings, which are kept by text and model."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        cache.mkdir(parents=True, exist_ok=True)
        self._kept = sqlite3.connect(cache / "embeddings.sqlite")
        self._kept.execute("create table if not exists vectors (key blob primary key, vector blob)")

    def scores(self, texts: Sequence[str], queries: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        vectors = self.vectors(texts)
        for query in self.vectors(queries):
            yield (vectors @ query).astype(np.float64)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the embeddings of texts, one row each; what is not kept yet is computed."""
        keys = [self._key(text) for text in texts]
        found = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        ordered = sorted(missing.items(), key=lambda item: (len(item[1]), item[0]))  # little padding
        for start in range(0, len(ordered), PORTION):
            part = dict(ordered[start : start + PORTION])
            made = self._embed(list(part.values()))
            rows = [
                (key, vector.astype(np.float16).tobytes()) for key, vector in zip(part, made, strict=True)
            ]
            with self._kept:
                self._kept.executemany("insert or replace into vectors values (?, ?)", rows)
            found.update(rows)
        return np.stack([np.frombuffer(found[key], np.float16).astype(np.float32) for key in keys])

    def _key(self, text: str) -> bytes:
        bare = text.strip()  # its tokenizer drops whitespace
        return hashlib.sha256(f"{MODEL_PACKAGE} {TOKENS} {bare}".encode()).digest()

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            found.update(self._kept.execute(f"select key, vector from vectors where key in ({marks})", part))
        return found

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        python = python_of("model", self._cache)
        program = Path(__file__).with_name("embedder.py")
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "texts.json").write_text(json.dumps(texts))
            subprocess.run([python, "-P", str(program), folder], check=True)
            vectors: NDArray[np.float32] = np.load(Path(folder) / "vectors.npy")
        return vectors
