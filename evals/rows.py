"""The rows of the tables: which chunker, and which of its texts is indexed.

A candidate is tried in a file of one's own, ``python -m evals --candidates FILE``: it holds a dictionary
``ROWS`` of the form of `OURS`. An example:

    from evals.rows import Ours

    def twice(chunk):
        header, _, text = chunk.contextualized_text.partition("\\n\\n")
        return f"{header}\\n{header}\\n\\n{text}"

    ROWS = {
        "header twice": Ours({"context_mode": "minimal"}, text=twice),
        "definitions": Ours({"context_mode": "minimal", "packing": "definitions"}),
    }
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import code_chunk

from .environments import ENVIRONMENTS
from .store import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from code_chunk import Chunk

_NO_WINDOWS = ("context_mode", "sibling_detail", "filter_imports", "overlap_lines", "context_format")
"""Options that move no boundary: rows that differ only in these share their knob."""


def indexed(chunk: Chunk) -> str:
    """Return what a user would index."""
    return chunk.contextualized_text


def with_header_thrice(chunk: Chunk) -> str:
    """Return what we recommend for a lexical index: there, a term that stands often counts for more."""
    header = chunk.contextualized_text.partition("\n\n")[0]
    return f"{header}\n" * 2 + chunk.contextualized_text


@dataclass(frozen=True, slots=True)
class Ours:
    """A row of code_chunk."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of ``code_chunk.chunk``; ``max_chunk_size`` is the knob."""
    text: Callable[[Chunk], str] = indexed
    """What is indexed of a chunk."""
    chunk: Callable[..., list[Chunk]] = code_chunk.chunk
    """Called with path, code and options; another one than the library's can be tried."""

    @property
    def windows(self) -> dict[str, Any]:
        """The options that move boundaries."""
        return {key: value for key, value in self.options.items() if key not in _NO_WINDOWS}

    @property
    def identity(self) -> list[Any]:
        """What the chunks depend on besides the files, the knob and the row's name."""
        return [*self.knob_identity, sorted(self.options.items()), _source(self.text)]

    @property
    def knob_identity(self) -> list[Any]:
        """What the sizes of the chunks depend on."""
        return ["ours", library_digest(), sorted(self.windows.items()), _source(self.chunk)]


@dataclass(frozen=True, slots=True)
class Peer:
    """A row of another chunker."""

    chunker: str
    """Its name in `peers.CHUNKERS`."""
    environment: str | None
    """Its virtual environment; None where the standard library will do."""
    knob_of: str = ""
    """The chunker with the same boundaries by which the knob is set."""

    @property
    def identity(self) -> list[Any]:
        """What the chunks depend on besides the files, the knob and the row's name."""
        return ["peer", self.chunker, self._made_of]

    @property
    def knob_identity(self) -> list[Any]:
        """What the sizes of the chunks depend on."""
        return ["peer", self.knob_of or self.chunker, self._made_of]

    @property
    def _made_of(self) -> list[Any]:
        packages = ENVIRONMENTS[self.environment] if self.environment else ()
        return [list(packages), code_digest(PEERS)]


Row = Ours | Peer
PEERS = Path(__file__).with_name("peers.py")
_LIBRARY = Path(code_chunk.__file__).parent

_SEARCH = {"context_mode": "minimal", "packing": "definitions"}
_THRICE = "code-chunk definitions, header thrice"
RECOMMENDED = {"bm25": _THRICE, "bm25-words": _THRICE, "dense": "code-chunk definitions"}
"""The row of ours that we recommend for a retriever; what others are compared with."""
OURS: dict[str, Row] = {
    "code-chunk definitions": Ours(_SEARCH),
    _THRICE: Ours(_SEARCH, text=with_header_thrice),
    "code-chunk raw": Ours({"context_mode": "none"}),
    "code-chunk minimal": Ours({"context_mode": "minimal"}),
    "code-chunk minimal, header thrice": Ours({"context_mode": "minimal"}, text=with_header_thrice),
    "code-chunk full": Ours({"context_mode": "full"}),
    "code-chunk ancestry": Ours({"context_mode": "full", "context_format": "ancestry", "overlap_lines": 0}),
}
OTHERS: dict[str, Row] = {
    "chonkie": Peer("chonkie", "chonkie"),
    "astchunk": Peer("astchunk", "astchunk"),
    "astchunk expansion": Peer("astchunk-expansion", "astchunk", knob_of="astchunk"),
    "omnichunk": Peer("omnichunk", "omnichunk"),
    "omnichunk context": Peer("omnichunk-context", "omnichunk", knob_of="omnichunk"),
    "semantic-text-splitter": Peer("semantic", "semantic"),
    "LangChain": Peer("langchain", "langchain"),
    "fixed lines": Peer("fixed", None),
}


def rows_for(retriever: str) -> dict[str, Row]:
    """Return the rows of the tables; what is meant for a lexical index is left out where there is none."""
    rows = {**OURS, **OTHERS}
    if retriever == "dense":
        return {name: row for name, row in rows.items() if not name.endswith("header thrice")}
    return rows


@cache
def code_digest(path: Path) -> str:
    """Return a digest of a program that layout and comments do not change."""
    return digest(ast.unparse(ast.parse(path.read_text())))


@cache
def library_digest() -> str:
    """Return a digest of the library as it is imported: its code and its languages."""
    files = sorted(path for path in _LIBRARY.rglob("*") if path.suffix in (".py", ".toml", ".scm"))
    return digest([[str(path.relative_to(_LIBRARY)), path.read_text()] for path in files])


def _source(function: Callable[..., Any]) -> str:
    """Return what a function depends on: itself, or if it is a candidate, the file it stands in."""
    file = Path(inspect.getsourcefile(function) or "")
    if file.is_relative_to(_LIBRARY):
        return function.__qualname__
    known = digest(inspect.getsource(function)) if file == Path(__file__) else code_digest(file)
    return f"{function.__qualname__} {known}"


def read_candidates(path: Path) -> dict[str, Row]:
    """Return the ``ROWS`` of a file.

    Raises:
        ValueError: The file is not there, is no Python, or holds no rows.
    """
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ValueError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    rows = getattr(module, "ROWS", None)
    if not isinstance(rows, dict) or not all(isinstance(row, Ours | Peer) for row in rows.values()):
        raise ValueError(f"{path} must have a dictionary ROWS of names and rows; see evals/rows.py")
    return rows
