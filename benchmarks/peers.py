"""Runs one chunker in a process and an environment of its own: ``python peers.py NAME LIMIT LIST``.

LIST is a file with the paths of the files of each language, in JSON. Commands come on standard input, one a
line in JSON, and each is answered by a line:

  ["time", LANGUAGE]    chunk all files of a language: CPU seconds, and the errors
  ["texts", LANGUAGE]   the texts of the chunks of each of them; null for an error
  ["state"]             the peak of the process's memory in MB, and the chunker's version

It runs in environments without this project's packages, so it imports the standard library and its
neighbours.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resident import peak
from sources import GRAMMARS, Source, parser_of, read

if TYPE_CHECKING:
    from collections.abc import Callable

    Chunk = Callable[[Source], Any]
    """Chunks a file, in any form."""
    Texts = Callable[[Any], list[str]]
    """Gives the texts of the chunks in that form; no part of what is timed."""
    Make = Callable[[str, int], "tuple[Chunk, Texts]"]
    """Sets a chunker up for a language and a limit."""

LANGUAGES = ("typescript", "javascript", "python", "rust", "go", "java")


@dataclass(frozen=True, slots=True)
class Peer:
    """A chunker, and what one has to know of it."""

    package: str
    make: Make
    imports: str
    """The statement that imports it."""
    unit: str
    """What its limit counts: non-whitespace characters (``nws``), ``characters`` or ``bytes``."""
    languages: tuple[str, ...] = LANGUAGES
    environment: str | None = None
    """None: the interpreter that the benchmark runs in."""


def bare_parse(language: str, _: int) -> tuple[Chunk, Texts]:
    parser = parser_of(language)
    return lambda file: parser.parse(file.data), lambda _: []


def code_chunk(**options: Any) -> Make:
    def make(language: str, limit: int) -> tuple[Chunk, Texts]:
        from code_chunk import create_chunker

        chunker = create_chunker(max_chunk_size=limit, language=language, **options)
        return lambda file: chunker.chunk(str(file.path), file.text), lambda made: [one.text for one in made]

    return make


def semantic(language: str, limit: int) -> tuple[Chunk, Texts]:
    from semantic_text_splitter import CodeSplitter

    splitter = CodeSplitter(GRAMMARS[language].load(), limit, trim=False)
    return lambda file: splitter.chunks(file.text), list


def llama_index(language: str, limit: int) -> tuple[Chunk, Texts]:
    from llama_index.core.node_parser import CodeSplitter

    splitter = CodeSplitter(
        language=language, max_chars=limit, parser=parser_of(language), tokenizer=str.split
    )
    return lambda file: splitter.split_text(file.text), list


def astchunk(language: str, limit: int) -> tuple[Chunk, Texts]:
    from astchunk import ASTChunkBuilder

    builder = ASTChunkBuilder(max_chunk_size=limit, language=language, metadata_template="default")

    def chunk(file: Source) -> Any:
        return builder.chunkify(file.text, repo_level_metadata={"filepath": str(file.path)})

    return chunk, lambda made: [one["content"] for one in made]


def chonkie(language: str, limit: int) -> tuple[Chunk, Texts]:
    from chonkie import CodeChunker

    chunker = CodeChunker(chunk_size=limit, language=language)
    return lambda file: chunker.chunk(file.text), lambda made: [one.text for one in made]


def language_pack(language: str, limit: int) -> tuple[Chunk, Texts]:
    from tree_sitter_language_pack import ProcessConfig, process

    config = ProcessConfig(
        language=language, structure=False, imports=False, exports=False, chunk_max_size=limit
    )
    return lambda file: process(file.text, config), lambda made: [one.content for one in made.chunks]


def omnichunk(mode: str) -> Make:
    def make(_: str, limit: int) -> tuple[Chunk, Texts]:
        from omnichunk import Chunker
        from omnichunk.types import ContentType

        kind = ContentType("code")
        chunker = Chunker(max_chunk_size=limit, size_unit="nws", content_type=kind, context_mode=mode)
        return lambda file: chunker.chunk(str(file.path), file.text), lambda made: [one.text for one in made]

    return make


def langchain(language: str, limit: int) -> tuple[Chunk, Texts]:
    from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

    name = Language({"javascript": "js", "typescript": "ts"}.get(language, language))
    splitter = RecursiveCharacterTextSplitter.from_language(
        name, chunk_size=limit, chunk_overlap=0, strip_whitespace=False
    )
    return lambda file: splitter.split_text(file.text), list


OURS = ("code-chunk", "import code_chunk", "nws")
OMNICHUNK = ("from omnichunk import Chunker", "nws", LANGUAGES, "omnichunk")
BARE = Peer("tree-sitter", bare_parse, "import tree_sitter", "bytes")
PEERS = {
    "code-chunk": Peer("code-chunk", code_chunk(), *OURS[1:]),
    "code-chunk, no context": Peer("code-chunk", code_chunk(context_mode="none"), *OURS[1:]),
    "code-chunk, definitions": Peer("code-chunk", code_chunk(packing="definitions"), *OURS[1:]),
    "semantic-text-splitter": Peer(
        "semantic-text-splitter",
        semantic,
        "from semantic_text_splitter import CodeSplitter",
        "characters",
        environment="semantic-javascript",
    ),
    "llama-index CodeSplitter": Peer(
        "llama-index-core",
        llama_index,
        "from llama_index.core.node_parser import CodeSplitter",
        "characters",
        environment="llama-index",
    ),
    "astchunk": Peer(
        "astchunk",
        astchunk,
        "from astchunk import ASTChunkBuilder",
        "nws",
        ("typescript", "python", "java"),
        "astchunk",
    ),
    "chonkie": Peer(
        "chonkie", chonkie, "from chonkie import CodeChunker", "characters", environment="chonkie"
    ),
    "tree-sitter-language-pack": Peer(
        "tree-sitter-language-pack",
        language_pack,
        "from tree_sitter_language_pack import process",
        "bytes",
        environment="language-pack",
    ),
    "omnichunk": Peer("omnichunk", omnichunk("full"), *OMNICHUNK),
    "omnichunk, no context": Peer("omnichunk", omnichunk("none"), *OMNICHUNK),
    "langchain-text-splitters": Peer(
        "langchain-text-splitters",
        langchain,
        "from langchain_text_splitters import RecursiveCharacterTextSplitter",
        "characters",
        environment="langchain",
    ),
}


class Runner:
    """Chunks the files of one list with one chunker."""

    def __init__(self, peer: Peer, limit: int, paths: dict[str, list[str]]) -> None:
        self.peer = peer
        self.limit = limit
        self.paths = paths
        self._made: dict[str, tuple[Chunk, Texts]] = {}

    def _chunker(self, language: str) -> tuple[Chunk, Texts]:
        """Set up, and chunk a file, since the first one may load a grammar."""
        if language not in self._made:
            self._made[language] = self.peer.make(language, self.limit)
            self._run(language, self._read(self.paths[language][0]))
        return self._made[language]

    def _read(self, path: str) -> Source:
        source = read(Path(path))
        if source is None:
            raise ValueError(f"{path} is no longer UTF-8")
        return source

    def _run(self, language: str, source: Source) -> tuple[Any, str]:
        """Return what is made of a file, or None and the error."""
        try:
            return self._made[language][0](source), ""
        except Exception as error:  # whatever it is: the file has no chunks, and the table says so
            return None, f"{type(error).__name__}: {error}"[:300]

    def time(self, language: str) -> dict[str, Any]:
        self._chunker(language)
        seconds, errors = 0.0, list[str]()
        for path in self.paths[language]:
            source = self._read(path)
            start = time.process_time()
            _, error = self._run(language, source)
            seconds += time.process_time() - start
            errors += [error] if error else []
        return {"seconds": seconds, "errors": errors, "files": len(self.paths[language])}

    def texts(self, language: str) -> list[list[str] | None]:
        _, texts = self._chunker(language)
        found: list[list[str] | None] = []
        for path in self.paths[language]:
            made, error = self._run(language, self._read(path))
            found.append(None if error else texts(made))
        return found

    def state(self) -> dict[str, Any]:
        return {"peak": peak(), "version": importlib.metadata.version(self.peer.package)}


def main() -> None:
    name, limit, listed = sys.argv[1:]
    peer = {**PEERS, "bare": BARE}[name]
    runner = Runner(peer, int(limit), json.loads(Path(listed).read_text()))
    out, sys.stdout = sys.stdout, sys.stderr  # some print
    for line in sys.stdin:
        command, *arguments = json.loads(line)
        print(json.dumps(getattr(runner, command)(*arguments)), file=out, flush=True)


if __name__ == "__main__":
    main()
