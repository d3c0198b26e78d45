"""What is measured: the source files of a folder, parts of them, and the parsers of their languages.

It runs in the other chunkers' environments too, so it imports the standard library only until it parses.
"""

from __future__ import annotations

import hashlib
import importlib
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LEFT_OUT = {"test", "tests", "idlelib", "site-packages", "dist-packages"}


@dataclass(frozen=True, slots=True)
class Grammar:
    """Where a grammar is found, and for which files it is."""

    extensions: tuple[str, ...]
    module: str
    function: str = "language"

    @property
    def package(self) -> str:
        return self.module.replace("_", "-")

    def load(self) -> Any:
        return getattr(importlib.import_module(self.module), self.function)()


GRAMMARS = {
    "typescript": Grammar((".ts", ".mts", ".cts"), "tree_sitter_typescript", "language_typescript"),
    "typescript (tsx)": Grammar((".tsx",), "tree_sitter_typescript", "language_tsx"),
    "javascript": Grammar((".js", ".jsx", ".mjs", ".cjs"), "tree_sitter_javascript"),
    "python": Grammar((".py", ".pyi", ".pyw"), "tree_sitter_python"),
    "rust": Grammar((".rs",), "tree_sitter_rust"),
    "go": Grammar((".go",), "tree_sitter_go"),
    "java": Grammar((".java",), "tree_sitter_java"),
}
KINDS = {extension: kind for kind, grammar in GRAMMARS.items() for extension in grammar.extensions}


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is UTF-8."""

    path: Path
    text: str
    data: bytes


@cache
def parser_of(kind: str) -> Any:
    from tree_sitter import Language, Parser

    return Parser(Language(GRAMMARS[kind].load()))


def source_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the given files and, in sorted order, those of known languages in the given folders."""
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in found if file.suffix.lower() in KINDS and file.is_file())


def read(path: Path) -> Source | None:
    """Return a file, or None where it is not UTF-8."""
    data = path.read_bytes()
    try:
        return Source(path, data.decode(), data)
    except UnicodeDecodeError:
        return None


def sample(paths: Iterable[Path], megabytes: float | None) -> dict[str, list[Source]]:
    """Return files of each kind: all, or so many megabytes of each, always the same ones.

    Their order is that of the digests of their names, so that a small sample is of the kind of the whole.
    """
    found: dict[str, list[Path]] = {}
    for path in source_files(paths):
        found.setdefault(KINDS[path.suffix.lower()], []).append(path)
    chosen: dict[str, list[Source]] = {}
    for kind in (kind for kind in GRAMMARS if kind in found):
        room = float("inf") if megabytes is None else megabytes * 1e6
        files = found[kind] if megabytes is None else sorted(found[kind], key=_shuffled)
        for source in filter(None, map(read, files)):
            if room > 0 and source.text.strip():
                chosen.setdefault(kind, []).append(source)
                room -= len(source.data)
    return chosen


def _shuffled(path: Path) -> bytes:
    return hashlib.sha256("/".join(path.parts[-3:]).encode()).digest()


def size_of(sources: Iterable[Source]) -> float:
    """Return the megabytes of files."""
    return sum(len(source.data) for source in sources) / 1e6


def concatenated(paths: Iterable[Path], kind: str, megabytes: float) -> Iterator[bytes]:
    """Yield the files of a language that have no syntax error, over and over, until there are enough."""
    whole = [
        source.data.rstrip() + b"\n\n"
        for source in sample(paths, None).get(kind, [])
        if not source.data.startswith((b"\xef\xbb\xbf", b"#!"))
        and not parser_of(kind).parse(source.data).root_node.has_error
    ]
    if not whole:
        raise SystemExit(f"no files in {kind} there")
    room = megabytes * 1e6
    while room > 0:
        for data in whole:
            if room > 0:
                yield data
                room -= len(data)


def standard_library(megabytes: float) -> str:
    """Return that much of Python's standard library, whole files, repeated if it is less."""
    room = int(megabytes * 1_000_000)
    root = Path(sysconfig.get_path("stdlib"))
    texts: list[str] = []
    for path in sorted(root.rglob("*.py")):
        if LEFT_OUT.isdisjoint(path.relative_to(root).parts):
            source = read(path)
            texts.append(source.text + "\n" if source else "")
    whole = "".join(texts)
    if not whole:
        raise SystemExit(f"no standard library in {root}")
    while len(whole) < room:
        whole += whole
    return whole[: whole.rfind("\n", 0, room) + 1]
