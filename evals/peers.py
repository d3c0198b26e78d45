"""Runs one chunker over files: ``python peers.py CHUNKER KNOB < files > chunks``, both JSON lines.

It runs in the chunker's own virtual environment, so it imports nothing of this package. A file is given with
``file`` (where it lies), ``path`` (what to call it), ``language`` and a ``key``; a chunk is told with

  key          as given
  first, last  the first and the last line that have text of the chunk, from 0
  size         its non-whitespace characters, header and overlap not counted
  text         what is indexed, header included
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Made = Iterator[tuple[int, int, str, int]]
    """Of each chunk its first character, its end, what is indexed, and its size if told, else 0."""
    Chunk = Callable[["File"], Made]


@dataclass(frozen=True, slots=True)
class File:
    """A file to chunk."""

    code: str
    path: str
    language: str


def nws(text: str) -> int:
    return len("".join(text.split()))


def fixed(knob: int) -> Chunk:
    """Whole lines, as many as fit the size."""

    def chunk(file: File) -> Made:
        code, start, position, held = file.code, 0, 0, 0
        for line in code.splitlines(keepends=True):
            size = nws(line)
            if held and held + size > knob:
                yield start, position, code[start:position], held
                start, held = position, 0
            position += len(line)
            held += size
        yield start, position, code[start:position], held

    return chunk


def chonkie(knob: int) -> Chunk:
    from chonkie import CodeChunker

    made = {language: CodeChunker(chunk_size=knob, language=language) for language in GRAMMARS}

    def chunk(file: File) -> Made:
        for piece in made[file.language].chunk(file.code):
            yield piece.start_index, piece.end_index, piece.text, 0

    return chunk


def omnichunk(knob: int, mode: str) -> Chunk:
    """It leaves its header out where that and the text are over the limit, of which we spare it."""
    from omnichunk import Chunker
    from omnichunk.context.format import format_contextualized_text

    chunker = Chunker(max_chunk_size=knob, size_unit="nws", context_mode=mode)

    def chunk(file: File) -> Made:
        raw = file.code.encode()
        for piece in chunker.chunk(file.path, file.code):
            start = len(raw[: piece.byte_range.start].decode())
            text = piece.text
            if mode != "none":
                text = format_contextualized_text(text, piece.context)
            yield start, start + len(piece.text), text, 0

    return chunk


def semantic(knob: int) -> Chunk:
    from semantic_text_splitter import CodeSplitter

    made = {language: CodeSplitter(load(), knob) for language, load in _grammars().items()}

    def chunk(file: File) -> Made:
        for start, text in made[file.language].chunk_indices(file.code):
            yield start, start + len(text), text, 0

    return chunk


def langchain(knob: int) -> Chunk:
    from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

    names = {**{language: language for language in GRAMMARS}, "typescript": "ts"}
    made = {
        language: RecursiveCharacterTextSplitter.from_language(
            Language(name), chunk_size=knob, chunk_overlap=0, add_start_index=True
        )
        for language, name in names.items()
    }

    def chunk(file: File) -> Made:
        for piece in made[file.language].create_documents([file.code]):
            start = piece.metadata["start_index"]
            yield start, start + len(piece.page_content), piece.page_content, 0

    return chunk


def astchunk(knob: int, expansion: bool) -> Chunk:
    """It knows Python, Java and TypeScript; for Go and Rust its algorithm is given their grammars."""
    import tree_sitter
    from astchunk import ASTChunkBuilder

    made = {}
    for language, load in _grammars().items():
        known = language if language in ("python", "java", "typescript") else "python"
        builder = ASTChunkBuilder(max_chunk_size=knob, language=known, metadata_template="default")
        if known != language:
            builder.parser = tree_sitter.Parser(tree_sitter.Language(load()))
        made[language] = builder

    def chunk(file: File) -> Made:
        starts = _line_starts(file.code)
        made_of = {"repo_level_metadata": {"filepath": file.path}, "chunk_expansion": expansion}
        for piece in made[file.language].chunkify(file.code, **made_of):
            told = piece["metadata"]  # it tells lines, not columns, so its own count is the size
            first, last = told["start_line_no"], told["end_line_no"]
            end = starts[last + 1] if last + 1 < len(starts) else len(file.code)
            yield starts[first], end, piece["content"], told["chunk_size"]

    return chunk


GRAMMARS = ("python", "typescript", "go", "java", "rust")


def _grammars() -> dict[str, Callable[[], Any]]:
    import tree_sitter_go
    import tree_sitter_java
    import tree_sitter_python
    import tree_sitter_rust
    import tree_sitter_typescript

    return {
        "python": tree_sitter_python.language,
        "typescript": tree_sitter_typescript.language_typescript,
        "go": tree_sitter_go.language,
        "java": tree_sitter_java.language,
        "rust": tree_sitter_rust.language,
    }


CHUNKERS: dict[str, Callable[[int], Chunk]] = {
    "fixed": fixed,
    "chonkie": chonkie,
    "omnichunk": lambda knob: omnichunk(knob, "none"),
    "omnichunk-context": lambda knob: omnichunk(knob, "full"),
    "semantic": semantic,
    "langchain": langchain,
    "astchunk": lambda knob: astchunk(knob, expansion=False),
    "astchunk-expansion": lambda knob: astchunk(knob, expansion=True),
}


def _line_starts(text: str) -> list[int]:
    return [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]


def spans(code: str, chunks: Made) -> Iterator[dict[str, Any]]:
    """Turn characters into lines with text; a chunk without any is none."""
    starts = _line_starts(code)
    for start, end, text, size in chunks:
        own = code[start:end]
        if not own.strip():
            continue
        first = start + len(own) - len(own.lstrip())
        last = end - (len(own) - len(own.rstrip())) - 1
        yield {
            "first": bisect_right(starts, first) - 1,
            "last": bisect_right(starts, last) - 1,
            "size": size or nws(own),
            "text": text,
        }


def main() -> None:
    chunk = CHUNKERS[sys.argv[1]](int(sys.argv[2]))
    out, sys.stdout = sys.stdout, sys.stderr  # some print
    for line in sys.stdin:
        file = json.loads(line)
        with open(file["file"], encoding="utf-8", newline="") as source:
            code = source.read()
        try:
            made = list(spans(code, chunk(File(code, file["path"], file["language"]))))
        except Exception as error:  # whatever it is: the file has no chunks, and the run says so
            made = [{"error": f"{type(error).__name__}: {error}"[:300]}]
        for piece in made:
            print(json.dumps({"key": file["key"], **piece}), file=out)


if __name__ == "__main__":
    main()
