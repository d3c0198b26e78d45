"""Every option does something, and wrong ones are refused before any work."""

from __future__ import annotations

import asyncio
import dataclasses
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from code_chunk import (
    Chunk,
    Chunker,
    ChunkOptions,
    UnsupportedLanguageError,
    achunk,
    chunk,
    chunk_stream,
    create_chunker,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CODE = """\
import os
import re


class A:
    def one(self, a: int) -> str:
        return os.sep

    def two(self):
        return 2

    def three(self):
        return 3
"""
NOT_UTF_8 = b"\xff"
"""Any work on it raises `ChunkingError`."""


def chunks_with(**options: Any) -> list[Chunk]:
    return chunk("src/a.py", CODE, **{"max_chunk_size": 35, **options})


# --- two values of an option give different output ---


def test_max_chunk_size() -> None:
    """A smaller limit makes more chunks."""
    counts = [len(chunks_with(max_chunk_size=size)) for size in (10, 35, 60, 1500)]
    assert counts == sorted(set(counts), reverse=True)


def test_packing_greedy_is_the_default() -> None:
    """Naming the default changes nothing."""
    assert chunks_with(packing="greedy") == chunks_with()


def test_context_mode_none() -> None:
    """Without a context its lists are empty; path and language are kept."""
    assert [c.context.to_dict() for c in chunks_with(context_mode="none")] == [
        {
            "filepath": "src/a.py",
            "language": "python",
            "scope": [],
            "entities": [],
            "siblings": [],
            "imports": [],
            "uses": [],
            "parseError": None,
        }
    ] * len(chunks_with())


def test_context_mode_minimal() -> None:
    """A minimal context has scope and entities, and no siblings, imports and uses."""
    assert [c.context for c in chunks_with(context_mode="minimal")] == [
        dataclasses.replace(c.context, siblings=(), imports=(), uses=()) for c in chunks_with()
    ]


def test_context_mode_full() -> None:
    """A full context, the default, has siblings, imports and uses."""
    chunks = chunks_with(context_mode="full")
    assert chunks == chunks_with()
    for name in ("siblings", "imports", "uses"):
        assert any(getattr(c.context, name) for c in chunks), name


def test_context_mode_does_not_move_the_cuts() -> None:
    """The mode changes no text."""
    texts = [[c.text for c in chunks_with(context_mode=mode)] for mode in ("none", "minimal", "full")]
    assert texts[0] == texts[1] == texts[2]


def siblings_with(**options: Any) -> list[tuple[str, str | None]]:
    """Give name and signature of the siblings of the chunk with the second method."""
    [made] = [c for c in chunks_with(**options) if "def two" in c.text]
    return [(s.name, s.signature) for s in made.context.siblings]


def test_sibling_detail() -> None:
    """Siblings have signatures, or names, or are not there."""
    assert [siblings_with(sibling_detail=detail) for detail in ("signatures", "names", "none")] == [
        [("one", "def one(self, a: int) -> str"), ("three", "def three(self)")],
        [("one", None), ("three", None)],
        [],
    ]


def test_sibling_detail_is_signatures_by_default() -> None:
    """Signatures are the default."""
    assert siblings_with() == siblings_with(sibling_detail="signatures")


@pytest.mark.parametrize(("value", "names"), [(False, ["os", "re"]), (True, ["os"])])
def test_filter_imports(value: bool, names: list[str]) -> None:
    """All imports so far, or only those that the chunk uses."""
    [made] = [c for c in chunks_with(filter_imports=value) if "os.sep" in c.text]
    assert [i.name for i in made.context.imports] == names


@pytest.mark.parametrize("language", ["go", "python", None])
def test_language(language: str | None) -> None:
    """A language by name goes before the one that the path tells."""
    [made] = chunk("a.py", "package p\n", language=language)
    assert made.context.language == (language or "python")


def test_language_of_a_variant() -> None:
    """A language's name with a path of one of its variants means the variant."""
    code = "export const X = () => <div>hi</div>;\n"
    assert chunk("a.tsx", code, language="typescript")[0].context.parse_error is None


def test_language_by_a_variant_s_alias() -> None:
    """A variant has a name of its own, for text whose path does not tell."""
    code = "export const X = () => <div>hi</div>;\n"
    assert [bool(chunk("a", code, language=name)[0].context.parse_error) for name in ("tsx", "ts")] == [
        False,
        True,
    ]


def overlap_of(**options: Any) -> int:
    """Count the lines between the marks in the last of two chunks."""
    code = "".join(f"x = {n}\n" for n in range(100, 140))
    lines = chunk("a.py", code, max_chunk_size=100, **options)[1].contextualized_text.split("\n")
    return lines.index("# ---") - lines.index("# ...") - 1 if "# ..." in lines else 0


@pytest.mark.parametrize("count", [0, 1, 3, 20, 1000])
def test_overlap_lines(count: int) -> None:
    """So many lines of the previous chunk are repeated."""
    assert overlap_of(overlap_lines=count) == min(count, 20)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 10),
        ({"overlap_lines": None}, 10),
        ({"context_mode": "full"}, 10),
        ({"context_mode": "minimal"}, 0),
        ({"context_mode": "none"}, 0),
        ({"overlap_nodes": 0}, 10),
        ({"context_mode": "minimal", "overlap_lines": 2}, 2),
        ({"context_format": "ancestry"}, 10),
    ],
)
def test_overlap_lines_by_default(options: dict[str, Any], count: int) -> None:
    """Ten in full mode, none in the others."""
    assert overlap_of(**options) == count


@pytest.mark.parametrize("count", [1, 2, 5])
def test_overlap_nodes(count: int) -> None:
    """So many tiles of the previous chunk are repeated, and no lines besides."""
    assert overlap_of(overlap_nodes=count) == count


@pytest.mark.parametrize("lines", [0, None])
def test_overlap_nodes_without_lines(lines: int | None) -> None:
    """Tiles of both neighbours may be asked for where lines are not."""
    assert overlap_of(overlap_nodes=2, overlap_lines=lines) == 2


@pytest.mark.parametrize(
    "options", [{"overlap_lines": 1, "overlap_nodes": 1}, {"overlap_lines": 10, "overlap_nodes": 3}]
)
def test_overlap_lines_and_nodes_exclude_each_other(options: dict[str, Any]) -> None:
    """Both kinds of overlap together are refused."""
    with pytest.raises(ValueError, match=r"overlap_lines.*overlap_nodes"):
        chunk("a.py", NOT_UTF_8, **options)


def test_context_format() -> None:
    """Labels name what they list; ancestry lists the signatures around the chunk."""
    texts = [
        chunks_with(context_format=f)[-1].contextualized_text.split("\n")[1] for f in ("labels", "ancestry")
    ]
    assert texts == ["# Scope: A", "# class A"]


def test_context_format_changes_the_contextualized_text_only() -> None:
    """The format is not in the values."""
    as_labels, as_ancestry = chunks_with(context_format="labels"), chunks_with(context_format="ancestry")
    assert [dataclasses.replace(c, contextualized_text="") for c in as_labels] == [
        dataclasses.replace(c, contextualized_text="") for c in as_ancestry
    ]


# --- misuse ---

WRONG: list[tuple[str, object, type[Exception]]] = [
    *(("max_chunk_size", value, ValueError) for value in (0, -1)),
    *(("max_chunk_size", value, TypeError) for value in (None, True, 1.5, "100")),
    ("packing", "loose", ValueError),
    ("packing", None, TypeError),
    ("context_mode", "all", ValueError),
    ("context_mode", "FULL", ValueError),
    ("context_mode", "", ValueError),
    ("context_mode", None, TypeError),
    ("context_mode", 1, TypeError),
    ("sibling_detail", "signature", ValueError),
    ("sibling_detail", False, TypeError),
    ("filter_imports", 1, TypeError),
    ("filter_imports", None, TypeError),
    ("filter_imports", "yes", TypeError),
    ("language", 5, TypeError),
    ("language", b"python", TypeError),
    ("overlap_lines", -1, ValueError),
    ("overlap_lines", 1.0, TypeError),
    ("overlap_lines", True, TypeError),
    ("overlap_nodes", -1, ValueError),
    ("overlap_nodes", None, TypeError),
    ("overlap_nodes", "1", TypeError),
    ("context_format", "xml", ValueError),
    ("context_format", None, TypeError),
    ("context_format", [], TypeError),
    ("max_size", 1, TypeError),
    ("maxChunkSize", 1, TypeError),
    ("concurrency", 1, TypeError),
]
WAYS: dict[str, Callable[..., object]] = {
    "chunk": lambda **options: chunk("a.py", NOT_UTF_8, **options),
    "achunk": lambda **options: asyncio.run(achunk("a.py", NOT_UTF_8, **options)),
    "chunk_stream": lambda **options: chunk_stream("no such file.py", **options),
    "create_chunker": lambda **options: create_chunker(**options),
    "Chunker": lambda **options: Chunker(**options),
    "ChunkOptions": lambda **options: ChunkOptions(**options),
    "Chunker.chunk": lambda **options: Chunker().chunk("a.py", NOT_UTF_8, **options),
    "Chunker.achunk": lambda **options: asyncio.run(Chunker().achunk("a.py", NOT_UTF_8, **options)),
    "Chunker.stream": lambda **options: Chunker().stream("no such file.py", **options),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "value", "error"), WRONG)
def test_wrong_option(way: str, name: str, value: object, error: type[Exception]) -> None:
    """An unknown name or a wrong value raises before any work, and the message has its name."""
    with pytest.raises(error, match=name):
        WAYS[way](**{name: value})


@pytest.mark.parametrize("options", [{}, {"max_chunk_size": 5}, 5, "minimal", ChunkOptions])
@pytest.mark.parametrize("call", [chunk, chunk_stream])
def test_options_of_another_type(call: Callable[..., object], options: object) -> None:
    """Options must be a `ChunkOptions`; a mapping is not one."""
    with pytest.raises(TypeError, match="ChunkOptions"):
        call("a.py", NOT_UTF_8, options)


def test_unknown_language() -> None:
    """A name that no language has is refused, though the path tells one."""
    with pytest.raises(UnsupportedLanguageError, match=r"^Unknown language: klingon$"):
        create_chunker(language="klingon").chunk("a.py", "x = 1")


# --- options together ---


def test_overrides_are_laid_over_options() -> None:
    """A keyword goes before the same option in the object; the others stay."""
    options = ChunkOptions(max_chunk_size=35, overlap_lines=0)
    assert chunk("src/a.py", CODE, options, max_chunk_size=50) == chunks_with(
        max_chunk_size=50, overlap_lines=0
    )


def test_options_object_is_what_keywords_are() -> None:
    """Options in an object and as keywords are the same."""
    options = ChunkOptions(max_chunk_size=35, context_format="ancestry", filter_imports=True)
    assert chunk("src/a.py", CODE, options) == chunks_with(context_format="ancestry", filter_imports=True)


def test_override_that_takes_back_an_option() -> None:
    """An override can set an option to its default again."""
    options = ChunkOptions(max_chunk_size=35, overlap_nodes=1)
    assert chunk("src/a.py", CODE, options, overlap_nodes=0) == chunks_with()


def test_override_that_conflicts_with_an_option() -> None:
    """Options that exclude each other do so wherever they stand."""
    with pytest.raises(ValueError, match="overlap_nodes"):
        chunk("a.py", NOT_UTF_8, ChunkOptions(overlap_lines=1), overlap_nodes=1)


def test_options_are_immutable() -> None:
    """An option can not be changed later."""
    options = ChunkOptions()
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.max_chunk_size = 5  # type: ignore[misc]


def test_options_are_values() -> None:
    """Equal options are equal and have equal hashes."""
    assert len({ChunkOptions(max_chunk_size=5), ChunkOptions(max_chunk_size=5), ChunkOptions()}) == 2


def test_options_have_defaults() -> None:
    """All options have the contract's defaults."""
    defaults = {field.name: field.default for field in dataclasses.fields(ChunkOptions)}
    assert defaults == {
        "max_chunk_size": 1500,
        "packing": "greedy",
        "context_mode": "full",
        "sibling_detail": "signatures",
        "filter_imports": False,
        "language": None,
        "overlap_lines": None,
        "overlap_nodes": 0,
        "context_format": "labels",
    }


# --- chunkers ---


def test_chunker_has_options_of_its_own() -> None:
    """A chunker chunks as the function does with its options."""
    assert create_chunker(max_chunk_size=35).chunk("src/a.py", CODE) == chunks_with()


def test_chunker_takes_an_object_and_overrides() -> None:
    """A chunker is made of options and overrides, as a call is."""
    chunker = create_chunker(ChunkOptions(max_chunk_size=50), max_chunk_size=35)
    assert chunker.chunk("src/a.py", CODE) == chunks_with()


def test_chunker_takes_overrides_in_each_call() -> None:
    """An override counts for its call only."""
    chunker = create_chunker(max_chunk_size=50)
    assert chunker.chunk("src/a.py", CODE, max_chunk_size=35) == chunks_with()
    assert chunker.chunk("src/a.py", CODE) == chunks_with(max_chunk_size=50)


def test_chunker_streams() -> None:
    """A chunker's stream gives the chunks that its list does, but for their number."""
    chunker = create_chunker(max_chunk_size=50)
    assert list(chunker.stream("src/a.py", CODE, max_chunk_size=35)) == [
        dataclasses.replace(c, total_chunks=-1) for c in chunks_with()
    ]


def test_chunker_in_an_event_loop() -> None:
    """A chunker's coroutine gives what its list does."""
    chunker = create_chunker(max_chunk_size=50)
    assert asyncio.run(chunker.achunk("src/a.py", CODE, max_chunk_size=35)) == chunks_with()


def test_chunker_survives_pickle() -> None:
    """A chunker that was pickled has its options and works."""
    chunker: Chunker = pickle.loads(
        pickle.dumps(create_chunker(max_chunk_size=35, context_format="ancestry"))
    )
    assert chunker.chunk("src/a.py", CODE) == chunks_with(context_format="ancestry")


def test_chunker_is_made_by_either_name() -> None:
    """``create_chunker`` makes a `Chunker`."""
    assert isinstance(create_chunker(), Chunker)
