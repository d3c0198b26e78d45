"""The options of ``code-chunk chunk``: names, types, help."""

import importlib.metadata
from functools import partial
from typing import Annotated, Literal

import typer

from . import PROGRAM

_FLAG = " "
"""Stands where other options tell what they take."""

_output = partial(typer.Option, show_default=False, rich_help_panel="Output")
_chunks = partial(typer.Option, show_default=False, rich_help_panel="Chunks")
_files = partial(typer.Option, show_default=False, rich_help_panel="Files")
_folders = partial(typer.Option, show_default=False, rich_help_panel="In folders")
_records = partial(typer.Option, show_default=False, rich_help_panel="Benchmark records")
_run = partial(typer.Option, show_default=False, rich_help_panel="Run")


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        print(PROGRAM, importlib.metadata.version("code-chunk"))
        raise typer.Exit


Paths = Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, - for standard input.")]

Format = Annotated[
    Literal["jsonl", "json", "parquet", "text"] | None,
    _output("--format", "-f", help="jsonl if not given, parquet for -o *.parquet."),
]
Json = Annotated[bool, _output("--json", metavar=_FLAG, help="The same as --format json.")]
Target = Annotated[
    str,
    _output("--output", "-o", metavar="FILE", help="Instead of standard output; appears when complete."),
]
Brief = Annotated[bool, _output("--brief", metavar=_FLAG, help="Leave the text out.")]
Expansion = Annotated[
    bool, _output("--expansion", metavar=_FLAG, help="Contextualized text in the place of text.")
]
ChunkId = Annotated[
    int | None, _output("--chunk-id", min=1, metavar="N", help="Only the N-th chunk of each file.")
]

MaxChunkSize = Annotated[
    int | None,
    _chunks("--max-chunk-size", "-s", min=1, metavar="N", help="In non-whitespace characters (1500)."),
]
Packing = Annotated[
    Literal["greedy", "definitions"] | None,
    _chunks("--packing", help="As much as fits, or each definition by itself (greedy)."),
]
ContextMode = Annotated[
    Literal["none", "minimal", "full"] | None,
    _chunks("--context-mode", help="How much context (full)."),
]
ContextFormat = Annotated[
    Literal["labels", "ancestry"] | None,
    _chunks("--context-format", help="Labelled lines, or path and enclosing signatures (labels)."),
]
OverlapLines = Annotated[
    int | None,
    _chunks("--overlap-lines", min=0, metavar="N", help="Lines of the chunk before (10 in full mode)."),
]
Overlap = Annotated[
    int | None,
    _chunks("--overlap", min=0, metavar="N", help="Nodes of the chunks before and after (0)."),
]
OverlapNodes = Annotated[int | None, _chunks("--overlap-nodes", min=0, hidden=True)]
SiblingDetail = Annotated[
    Literal["none", "names", "signatures"] | None,
    _chunks("--sibling-detail", help="What is told of neighbours (signatures)."),
]
FilterImports = Annotated[
    bool, _chunks("--filter-imports", metavar=_FLAG, help="Only the imports that a chunk uses.")
]

Language = Annotated[
    str | None,
    _files("--language", "-l", metavar="NAME", help="Of named files; of folders, take only its files."),
]
StdinPath = Annotated[
    str | None, _files("--stdin-path", metavar="PATH", help="What standard input stands for.")
]
Encoding = Annotated[
    str, _files("--encoding", metavar="NAME", help="A codec, or guess what is not UTF-8 (guess).")
]

Include = Annotated[
    list[str] | None, _folders("--include", metavar="GLOB", help="Take only what matches; repeatable.")
]
Exclude = Annotated[
    list[str] | None, _folders("--exclude", metavar="GLOB", help="Leave out what matches; repeatable.")
]
MaxFileBytes = Annotated[
    int | None,
    _folders("--max-file-bytes", min=0, metavar="N", help="Leave out what is larger (1000000); 0: nothing."),
]
NoSkipGenerated = Annotated[
    bool, _folders("--no-skip-generated", metavar=_FLAG, help="Take what is generated, too.")
]
FollowSymlinks = Annotated[
    bool, _folders("--follow-symlinks", metavar=_FLAG, help="Follow links to what lies in the folder.")
]

Template = Annotated[
    Literal["repo-eval", "swebench-lite"] | None,
    _records("--template", "-t", help="Write what CodeRAG-Bench reads."),
]
Repo = Annotated[str | None, _records("--repo", metavar="NAME", help="The repository, for repo-eval.")]
InstanceId = Annotated[
    str | None, _records("--instance-id", metavar="ID", help="The instance, for swebench-lite.")
]

Concurrency = Annotated[
    int | None,
    _run("--concurrency", "-j", min=1, metavar="N", help="Worker processes (one for each CPU)."),
]
Timeout = Annotated[float | None, _run("--timeout", metavar="SECONDS", help="How long a file may take.")]
Verbose = Annotated[bool, _run("--verbose", "-v", metavar=_FLAG, help="Name what is skipped, and say why.")]
Quiet = Annotated[bool, _run("--quiet", "-q", metavar=_FLAG, help="Tell errors only.")]
Version = Annotated[
    bool,
    _run("--version", metavar=_FLAG, is_eager=True, callback=_tell_version, help="Tell the version."),
]
