"""The commands: arguments to a request."""

import io
import math
import sys
from typing import Annotated, Any

import typer

from code_chunk import ChunkOptions

from . import PROGRAM, REFUSED, WELL
from . import _options as option
from ._errors import RefusedError, printable
from ._formats import Format, View
from ._output import STDOUT
from ._run import Request
from ._run import run as run_request
from ._sources import Selection
from ._templates import ToRecord, repo_eval, swebench_lite

_EXAMPLES = """
Examples:

code-chunk src -o chunks.jsonl

code-chunk . --exclude 'tests/**' --format parquet -o chunks.parquet

code-chunk src/app.py --format text --brief

git show HEAD:app.py | code-chunk - --stdin-path app.py

code-chunk languages
"""


def run(arguments: list[str]) -> int:
    """Run a command, and tell wrong usage in one line."""
    verb = arguments[0] if arguments[:1] in (["chunk"], ["languages"]) else None
    app = _languages_app if verb == "languages" else _chunk_app
    try:
        code = app(
            arguments[1:] if verb else arguments,
            prog_name=f"{PROGRAM} languages" if verb == "languages" else PROGRAM,
            standalone_mode=False,
        )
    except typer.TyperException as error:
        message = " ".join(error.format_message().split())
    except RefusedError as error:
        message = str(error)
    else:
        return code or WELL
    print(f"{PROGRAM}: {printable(message)} (see {PROGRAM} --help)", file=sys.stderr)
    return REFUSED


_settings: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False}
_context = {"help_option_names": ["--help", "-h"]}
_chunk_app = typer.Typer(rich_markup_mode="rich", context_settings=_context, **_settings)
_languages_app = typer.Typer(rich_markup_mode="rich", context_settings=_context, **_settings)


@_chunk_app.command(epilog=_EXAMPLES, options_metavar="[OPTIONS]")
def _chunk(
    context: typer.Context,
    paths: option.Paths,
    format_: option.Format = None,
    as_json: option.Json = False,
    output: option.Target = STDOUT,
    brief: option.Brief = False,
    expansion: option.Expansion = False,
    chunk_id: option.ChunkId = None,
    max_chunk_size: option.MaxChunkSize = None,
    packing: option.Packing = None,
    context_mode: option.ContextMode = None,
    context_format: option.ContextFormat = None,
    overlap_lines: option.OverlapLines = None,
    overlap: option.Overlap = None,
    overlap_nodes: option.OverlapNodes = None,
    sibling_detail: option.SiblingDetail = None,
    filter_imports: option.FilterImports = False,
    language: option.Language = None,
    stdin_path: option.StdinPath = None,
    include: option.Include = None,
    exclude: option.Exclude = None,
    max_file_bytes: option.MaxFileBytes = None,
    no_skip_generated: option.NoSkipGenerated = False,
    follow_symlinks: option.FollowSymlinks = False,
    encoding: option.Encoding = "guess",
    template: option.Template = None,
    repo: option.Repo = None,
    instance_id: option.InstanceId = None,
    concurrency: option.Concurrency = None,
    timeout: option.Timeout = None,
    verbose: option.Verbose = False,
    quiet: option.Quiet = False,
    version: option.Version = False,
) -> int:
    """Cut source code into chunks along its syntax tree, and tell each chunk where it stands."""
    return run_request(_request(context.params))


@_languages_app.command()
def _languages(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> int:
    """Tell what languages are supported, and whether their grammars are installed."""
    from ._languages import tell_languages

    tell_languages(as_json=as_json)
    return WELL


def _request(given: dict[str, Any]) -> Request:
    """Turn the arguments into a request, or say what is wrong with them."""
    return Request(
        selection=Selection(
            paths=tuple(given["paths"]),
            language=given["language"],
            stdin_path=given["stdin_path"],
            include=tuple(given["include"] or ()),
            exclude=tuple(given["exclude"] or ()),
            max_file_bytes=given["max_file_bytes"],
            has_generated=given["no_skip_generated"],
            follows_links=given["follow_symlinks"],
        ),
        options=_chunk_options(given),
        view=View(given["brief"], given["expansion"]),
        format=_format(given),
        template=_template(given),
        chunk_id=given["chunk_id"],
        output=given["output"],
        encoding=_encoding(given["encoding"]),
        concurrency=given["concurrency"],
        timeout=_timeout(given["timeout"]),
        is_quiet=given["quiet"],
        is_verbose=given["verbose"],
    )


_CHUNK_OPTIONS = (
    "max_chunk_size",
    "packing",
    "context_mode",
    "context_format",
    "overlap_lines",
    "sibling_detail",
)
"""Options that have the library's name."""


def _chunk_options(given: dict[str, Any]) -> ChunkOptions:
    values = {name: given[name] for name in _CHUNK_OPTIONS if given[name] is not None}
    nodes = given["overlap_nodes"] if given["overlap"] is None else given["overlap"]
    if nodes is not None:
        values["overlap_nodes"] = nodes
    try:
        return ChunkOptions(filter_imports=given["filter_imports"], **values)
    except ValueError as error:
        raise RefusedError(str(error)) from error


def _format(given: dict[str, Any]) -> Format:
    asked: Format | None = given["format_"]
    if given["as_json"] and asked not in (None, "json"):
        raise RefusedError(f"--json and --format {asked} exclude each other")
    if given["as_json"]:
        asked = "json"
    chosen = asked or ("parquet" if given["output"].endswith(".parquet") else "jsonl")
    if given["brief"] and given["expansion"]:
        raise RefusedError("--brief and --expansion exclude each other")
    if given["template"] and chosen not in ("json", "jsonl"):
        raise RefusedError(f"--template writes JSON, not {chosen}")
    if (given["template"] or chosen == "text") and not given["expansion"]:
        for name in ("context_mode", "context_format", "overlap_lines", "overlap", "overlap_nodes"):
            if given[name] is not None:
                flag = name.replace("_", "-")
                raise RefusedError(f"--{flag} shows in the contextualized text only: add --expansion")
    return chosen


def _template(given: dict[str, Any]) -> ToRecord | None:
    name, repository, instance = given["template"], given["repo"], given["instance_id"]
    if repository is not None and name != "repo-eval":
        raise RefusedError("--repo is for --template repo-eval")
    if instance is not None and name != "swebench-lite":
        raise RefusedError("--instance-id is for --template swebench-lite")
    if name is None:
        return None
    if given["brief"]:
        raise RefusedError("--brief and --template exclude each other")
    text_of = View(is_expanded=given["expansion"]).text_of
    if name == "repo-eval":
        if not repository:
            raise RefusedError("--template repo-eval needs --repo NAME")
        return repo_eval(repository, text_of)
    if not instance:
        raise RefusedError("--template swebench-lite needs --instance-id ID")
    return swebench_lite(instance, text_of)


def _encoding(name: str) -> str:
    if name != "guess":
        try:
            io.TextIOWrapper(io.BytesIO(), encoding=name)  # refuses the likes of "hex", which give no text
        except LookupError as error:
            raise RefusedError(f"unknown encoding {name!r}; name a text codec, or guess") from error
    return name


def _timeout(seconds: float | None) -> float | None:
    if seconds is not None and not 0 < seconds < math.inf:
        raise RefusedError(f"--timeout must be above 0, not {seconds:g}")
    return seconds
