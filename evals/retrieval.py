"""Chunks -> rankings, by BM25 or by embeddings. A search is made in one package, without the hidden file."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import bm25s
import numpy as np

from .dense import Dense

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

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
