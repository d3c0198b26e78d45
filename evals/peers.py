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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Chunks = "Iterator[tuple[int, int, str]]"
"""(first character, end, what is indexed) of each chunk."""


def nws(text: str) -> int:
    return len("".join(text.split()))


def fixed(knob: int) -> Callable[..., Any]:
    """Whole lines, as many as fit the size."""

    def chunk(code: str, path: str, language: str) -> Chunks:
        start = position = held = 0
        for line in code.splitlines(keepends=True):
            size = nws(line)
            if held and held + size > knob:
                yield start, position, code[start:position]
                start, held = position, 0
            position += len(line)
            held += size
        yield start, position, code[start:position]

    return chunk


def chonkie(knob: int) -> Callable[..., Any]:
    from chonkie import CodeChunker

    made = {language: CodeChunker(chunk_size=knob, language=language) for language in GRAMMARS}

    def chunk(code: str, path: str, language: str) -> Chunks:
        for piece in made[language].chunk(code):
            yield piece.start_index, piece.end_index, piece.text

    return chunk


def omnichunk(knob: int, mode: str) -> Callable[..., Any]:
    from omnichunk import Chunker

    chunker = Chunker(max_chunk_size=knob, size_unit="nws", context_mode=mode)

    def chunk(code: str, path: str, language: str) -> Chunks:
        raw = code.encode()
        for piece in chunker.chunk(path, code):
            start = len(raw[: piece.byte_range.start].decode(errors="ignore"))
            yield start, start + len(piece.text), piece.text if mode == "none" else piece.contextualized_text

    return chunk


def semantic(knob: int) -> Callable[..., Any]:
    from semantic_text_splitter import CodeSplitter

    made = {language: CodeSplitter(load(), knob) for language, load in _grammars().items()}

    def chunk(code: str, path: str, language: str) -> Chunks:
        for start, text in made[language].chunk_indices(code):
            yield start, start + len(text), text

    return chunk


def langchain(knob: int) -> Callable[..., Any]:
    from langchain_text_splitters import Language, RecursiveCharacterTextSplitter

    names = {**{language: language for language in GRAMMARS}, "typescript": "ts"}
    made = {
        language: RecursiveCharacterTextSplitter.from_language(
            Language(name), chunk_size=knob, chunk_overlap=0, add_start_index=True
        )
        for language, name in names.items()
    }

    def chunk(code: str, path: str, language: str) -> Chunks:
        for piece in made[language].create_documents([code]):
            start = piece.metadata["start_index"]
            yield start, start + len(piece.page_content), piece.page_content

    return chunk


def astchunk(knob: int, expansion: bool) -> Callable[..., Any]:
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

    def chunk(code: str, path: str, language: str) -> Iterator[tuple[int, int, str]]:
        starts = _line_starts(code)
        metadata = {"filepath": path}
        for piece in made[language].chunkify(code, repo_level_metadata=metadata, chunk_expansion=expansion):
            lines = piece["metadata"]
            first, last = lines["start_line_no"], lines["end_line_no"]
            end = starts[last + 1] if last + 1 < len(starts) else len(code)
            # it tells lines, not columns: its own count is the size
            yield starts[first], end, piece["content"], lines["chunk_size"]

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


CHUNKERS: dict[str, Callable[[int], Callable[..., Any]]] = {
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


def spans(code: str, chunks: Any) -> Iterator[dict[str, Any]]:
    """Turn characters into lines with text; a chunk without any is none."""
    starts = _line_starts(code)
    for start, end, text, *size in chunks:
        own = code[start:end]
        if not own.strip():
            continue
        first = start + len(own) - len(own.lstrip())
        last = end - (len(own) - len(own.rstrip())) - 1
        yield {
            "first": bisect_right(starts, first) - 1,
            "last": bisect_right(starts, last) - 1,
            "size": size[0] if size else nws(own),
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
            made = list(spans(code, chunk(code, file["path"], file["language"])))
        except Exception as error:  # whatever it is: the file has no chunks, and the run says so
            made = [{"error": f"{type(error).__name__}: {error}"[:300]}]
        for piece in made:
            print(json.dumps({"key": file["key"], **piece}), file=out)


if __name__ == "__main__":
    main()
