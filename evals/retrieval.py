"""Chunks -> rankings, by BM25 or by embeddings. A search is made in one package, without the hidden file."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import subprocess
import tempfile
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import bm25s
import numpy as np

from .embedder import TOKENS
from .environments import MODEL_PACKAGE, python_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from .chunking import Piece
    from .tasks import Task

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


@lru_cache(maxsize=1_000_000)
def _terms(word: str) -> tuple[str, ...]:
    parts = [part.lower() for part in _PART.findall(word)]
    return (word.lower(), *parts) if len(parts) > 1 else (word.lower(),)


def split_names(text: str) -> list[str]:
    """Return the words of a text; of a compound name, in camelCase or with underscores, its parts as well."""
    return [term for word in _WORD.findall(text) for term in _terms(word)]


def whole_names(text: str) -> list[str]:
    """Return the words of a text, names as they are."""
    return [word.lower() for word in _WORD.findall(text)]


TOKENIZERS = {"bm25": split_names, "bm25-words": whole_names}
RETRIEVERS = (*TOKENIZERS, "dense")
PORTION = 4_000
"""Texts that are embedded at a time; those before are kept when a run is stopped."""


class Retriever(Protocol):
    """Scores chunks for questions."""

    def scores(self, texts: Sequence[str], queries: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        """Yield the scores of all texts for each question."""


class Lexical:
    """BM25 with the settings of bm25s: Lucene's form, k1 1.5, b 0.75."""

    def __init__(self, name: str) -> None:
        self._tokens = TOKENIZERS[name]

    def scores(self, texts: Sequence[str], queries: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        index = bm25s.BM25(dtype="float64")
        index.index([self._tokens(text) for text in texts], show_progress=False)
        for query in queries:
            tokens = [token for token in self._tokens(query) if token in index.vocab_dict]
            found = index.get_scores(tokens) if tokens else np.zeros(len(texts))
            yield np.round(found, 6)  # so that no machine's last bit decides


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


def make_retriever(name: str, cache: Path) -> Retriever:
    """Return a retriever by its name in `RETRIEVERS`."""
    return Dense(cache) if name == "dense" else Lexical(name)


def rankings(
    pieces: Sequence[Piece], tasks: Iterable[Task], retriever: Retriever
) -> Iterator[tuple[int, list[Piece]]]:
    """Yield (number of the task, all chunks that may answer it, best first); equal scores in source order."""
    by_package: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        by_package[piece.package].append(piece)
    asked: dict[str, list[tuple[int, Task]]] = defaultdict(list)
    for number, task in enumerate(tasks):
        asked[task.package].append((number, task))
    if isinstance(retriever, Dense):  # all at once: starting the model takes longer than a package
        retriever.vectors([piece.text for piece in pieces])
        retriever.vectors([task.query for own in asked.values() for _, task in own])
    for package, own in asked.items():
        searched = by_package[package]
        queries = [task.query for _, task in own]
        found = retriever.scores([piece.text for piece in searched], queries)
        for (number, task), scores in zip(own, found, strict=True):
            order = np.argsort(-scores, kind="stable")
            ranked = (searched[place] for place in order)
            yield number, [piece for piece in ranked if piece.path != task.hidden]
