"""Options as a type checker sees them: keywords with names and types of their own."""

# pyright: reportUnusedCallResult=false, reportExplicitAny=false

from __future__ import annotations

from typing import assert_type

from code_chunk import Chunk, Chunker, ChunkOptions, achunk, chunk, chunk_stream, create_chunker

# every option is a keyword
assert_type(
    chunk(
        "a.py",
        "x = 1",
        max_chunk_size=500,
        packing="greedy",
        context_mode="minimal",
        sibling_detail="names",
        filter_imports=True,
        language="python",
        overlap_lines=5,
        overlap_nodes=0,
        context_format="ancestry",
    ),
    list[Chunk],
)
options = ChunkOptions(max_chunk_size=500, language=None, overlap_lines=None)
assert_type(chunk("a.py", "x = 1", options, max_chunk_size=5), list[Chunk])
assert_type(chunk("a.py", "x = 1", None), list[Chunk])
assert_type(create_chunker(options), Chunker)
assert_type(create_chunker(options, overlap_nodes=2), Chunker)
assert_type(create_chunker(context_mode="none"), Chunker)
assert_type(Chunker(options, overlap_lines=2).options, ChunkOptions)
assert_type(options.max_chunk_size, int)
assert_type(options.overlap_lines, int | None)

# a wrong name is an error
chunk("a.py", "x = 1", max_size=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
chunk_stream("a.py", max_size=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
create_chunker(max_size=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
ChunkOptions(max_size=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]

# a wrong value is an error
chunk("a.py", "x = 1", max_chunk_size="5")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
chunk("a.py", "x = 1", context_mode="all")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
chunk("a.py", "x = 1", {"language": "go"})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
create_chunker(context_format="xml")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
ChunkOptions(sibling_detail="all")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# options can not be set
options.max_chunk_size = 5  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


async def chunker_in_a_service(chunker: Chunker) -> None:
    """The methods of a chunker take what the functions do."""
    assert_type(chunker.chunk("a.py", b"x = 1", max_chunk_size=5), list[Chunk])
    assert_type(await chunker.achunk("a.py", "x = 1", language="py"), list[Chunk])
    assert_type(await achunk("a.py", "x = 1", options, filter_imports=True), list[Chunk])
    assert_type(next(chunker.stream("a.py", overlap_lines=1)), Chunk)
    chunker.chunk("a.py", "x = 1", max_size=5)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
