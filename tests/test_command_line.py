"""The command line: what is written, and what is said."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from code_chunk import BatchResult, Chunk, FileInput, chunk, supported_languages
from code_chunk.cli import _order, main
from code_chunk.cli._errors import printable
from code_chunk.cli._sources import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PYTHON = "import os\n\n\ndef f():\n    return 'é🎉' + os.sep\n"
GO = "package p\n\nfunc F() {}\n"
TOTAL = len(PYTHON.encode()) + len(GO)


class Done(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def chunks(self) -> list[Chunk]:
        """The chunks of JSON Lines."""
        return [Chunk.from_dict(json.loads(line)) for line in self.out.splitlines()]

    @property
    def paths(self) -> list[str]:
        """The path of each chunk."""
        return [c.context.filepath for c in self.chunks]

    @property
    def names(self) -> list[str]:
        """The name of each chunk's file."""
        return [Path(path).name for path in self.paths]

    @property
    def refusal(self) -> str:
        """What a refused command says: one line, and nothing else anywhere."""
        assert (self.code, self.out, len(self.err.splitlines())) == (2, "", 1)
        return self.err.strip()


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Give what runs the command in this process."""

    def call(*arguments: object) -> Done:
        code = main([str(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Done(code, captured.out, captured.err)

    return call


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two source files, and others that are none; the current folder is the one above."""
    root = tmp_path / "repository"
    for name, text in (
        ("a.py", PYTHON),
        ("deep/er/b.go", GO),
        ("README.txt", "Text.\n"),
        ("deep/data.bin", "\x00\x01"),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    monkeypatch.chdir(tmp_path)
    return root


@pytest.fixture
def long_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of several chunks, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "long.py"
    path.write_text("".join(f"def f{i}():\n    return {'x' * 400!r}\n\n\n" for i in range(9)))
    return path


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Let standard input be these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


# --- which files ---


def test_folder(run: Callable[..., Done], repository: Path) -> None:
    """A folder is walked, in a stable order."""
    done = run(repository)
    assert (done.code, done.names) == (0, ["a.py", "b.go"])


def test_verb(run: Callable[..., Done], repository: Path) -> None:
    """The verb ``chunk`` may be written out."""
    assert run("chunk", repository).out == run(repository).out


def test_option_before_the_path(run: Callable[..., Done], repository: Path) -> None:
    """Without the verb, an option may stand first."""
    assert run("-o", "x.jsonl", repository).code == run("chunk", "-o", "y.jsonl", repository).code == 0
    assert Path("x.jsonl").read_bytes() == Path("y.jsonl").read_bytes()


def test_path_named_like_a_verb(run: Callable[..., Done], repository: Path) -> None:
    """A folder named like a verb is reached by a path."""
    repository.rename("languages")
    assert run("./languages").paths == ["languages/a.py", "languages/deep/er/b.go"]


def test_file(run: Callable[..., Done], repository: Path) -> None:
    """A file is chunked by itself."""
    done = run(repository / "a.py")
    assert (done.code, [c.text for c in done.chunks]) == (0, [PYTHON])


def test_several_paths(run: Callable[..., Done], repository: Path) -> None:
    """Paths are taken in the order in which they stand."""
    assert run(repository / "deep", repository / "a.py").names == ["b.go", "a.py"]


def test_same_file_twice(run: Callable[..., Done], repository: Path) -> None:
    """A file that is reached by several paths is chunked once, under the first."""
    assert run("repository/a.py", repository, "./repository/deep/../a.py").names == ["a.py", "b.go"]


@pytest.mark.usefixtures("repository")
def test_paths_are_those_given(run: Callable[..., Done]) -> None:
    """A path in the output is the one given, with the path below it."""
    assert run("repository").paths == ["repository/a.py", "repository/deep/er/b.go"]


def test_paths_of_the_current_folder(
    run: Callable[..., Done], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the current folder paths are relative to it."""
    monkeypatch.chdir(repository)
    assert run(".").paths == ["a.py", "deep/er/b.go"]


def test_ignored_file(run: Callable[..., Done], repository: Path) -> None:
    """What ignore files name is left out of a folder."""
    (repository / ".gitignore").write_text("a.py\n")
    assert run(repository).names == ["b.go"]


def test_ignored_file_that_is_named(run: Callable[..., Done], repository: Path) -> None:
    """A file that is named is taken, whatever ignore files and patterns say."""
    (repository / ".gitignore").write_text("a.py\n")
    assert run(repository / "a.py", "--include", "*.go", "--exclude", "*.py").names == ["a.py"]


def test_include(run: Callable[..., Done], repository: Path) -> None:
    """Patterns tell what is taken of a folder."""
    assert run(repository, "--include", "*.go", "--include", "*.rs").names == ["b.go"]


def test_exclude(run: Callable[..., Done], repository: Path) -> None:
    """Patterns tell what is left out of a folder."""
    assert run(repository, "--exclude", "deep/").names == ["a.py"]


def test_max_file_bytes(run: Callable[..., Done], repository: Path) -> None:
    """Larger files are left out of a folder."""
    assert run(repository, "--max-file-bytes", len(GO)).names == ["b.go"]


def test_no_limit_of_bytes(run: Callable[..., Done], repository: Path) -> None:
    """With 0, no file is too large."""
    (repository / "a.py").write_text("x = 1\n" * 200_000)
    assert run(repository).names == ["b.go"]
    assert run(repository, "--max-file-bytes", 0).names[-1] == "b.go"
    assert run(repository, "--max-file-bytes", 0).names[0] == "a.py"


def test_generated(run: Callable[..., Done], repository: Path) -> None:
    """Generated files are left out of a folder, and taken on request."""
    (repository / "a.py").write_text("# @generated\nx = 1\n")
    assert run(repository).names == ["b.go"]
    assert run(repository, "--no-skip-generated").names == ["a.py", "b.go"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links(run: Callable[..., Done], repository: Path) -> None:
    """Links in a folder are followed on request, and name no file twice."""
    (repository / "outer").mkdir()
    (repository / "a.py").rename(repository / "outer" / "a.py")
    (repository / "link.py").symlink_to("outer/a.py")
    (repository / "loop").symlink_to(repository, target_is_directory=True)
    assert run(repository).names == ["b.go", "a.py"]
    assert run(repository, "--follow-symlinks").names == ["b.go", "a.py"]


def test_script_without_an_extension(run: Callable[..., Done], repository: Path) -> None:
    """A file is known by its shebang."""
    (repository / "tool").write_text("#!/usr/bin/env python3\nx = 1\n")
    assert run(repository / "tool").names == ["tool"]


def test_language_of_a_file(run: Callable[..., Done], repository: Path) -> None:
    """A file whose name tells nothing is what it is said to be."""
    (repository / "README.txt").write_text("x = 1\n")
    assert [c.context.language for c in run(repository / "README.txt", "-l", "py").chunks] == ["python"]


def test_language_of_a_folder(run: Callable[..., Done], repository: Path) -> None:
    """Of a folder, the files of the language are taken, and no others."""
    assert run(repository, "--language", "golang").names == ["b.go"]


def test_file_of_no_language(run: Callable[..., Done], repository: Path) -> None:
    """A file that is named and can not be chunked is an error."""
    done = run(repository / "README.txt", repository / "a.py")
    assert (done.code, done.names) == (1, ["a.py"])
    assert "README.txt: its name tells no supported language" in done.err


def test_folder_without_sources(run: Callable[..., Done], repository: Path) -> None:
    """A folder in which there is nothing to do is no error, but it is told."""
    (repository / "empty").mkdir()
    done = run(repository / "empty")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"code-chunk: no supported files in {repository / 'empty'}\n")


def test_empty_file(run: Callable[..., Done], repository: Path) -> None:
    """A file without text has no chunks, and is no error."""
    (repository / "a.py").write_text("")
    done = run(repository / "a.py")
    assert (done.code, done.out) == (0, "")


def test_many_files_keep_their_order(run: Callable[..., Done], tmp_path: Path) -> None:
    """The order is that of the files, whichever is done first."""
    names = [f"{number:03}.py" for number in range(60)]
    for number, name in enumerate(names):
        (tmp_path / name).write_text("x = 1\n" * (40_000 if number == 0 else 4_000))
    done = run(tmp_path, "-j", 3)
    assert list(dict.fromkeys(done.names)) == names


@pytest.mark.parametrize("limit", [0, 10, 1000])
def test_order_with_results_on_disk(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    """Results that wait for their turn come back as they were, from memory or from disk."""
    monkeypatch.setattr(_order, "_HELD_CHUNKS", limit)
    from collections import deque

    results = [BatchResult(f"{i}.py", chunk(f"{i}.py", "x = 1\n" * 500)) for i in range(20)]
    pending = deque(Source(r.filepath, r.filepath, FileInput(r.filepath)) for r in results)
    ordered = list(_order.in_order(reversed(results), pending))
    assert [result for _, result in ordered] == results


# --- standard input ---


def test_stdin_with_a_language(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input is chunked in the language that is given."""
    stdin(monkeypatch, GO.encode())
    done = run("-", "--language", "go")
    assert (done.code, done.paths, [c.text for c in done.chunks]) == (0, ["<stdin>"], [GO])


def test_stdin_with_a_path(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input stands for a file, which gives path and language."""
    stdin(monkeypatch, GO.encode())
    assert run("-", "--stdin-path", "src/x.go").chunks == chunk("src/x.go", GO)


def test_stdin_stands_for_a_file(
    run: Callable[..., Done], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file that standard input stands for is not read as well."""
    stdin(monkeypatch, b"y = 2\n")
    done = run(repository, "-", "--stdin-path", repository / "a.py")
    assert [c.text for c in done.chunks] == [GO, "y = 2\n"]


def test_stdin_in_another_encoding(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input is decoded as files are."""
    stdin(monkeypatch, "x = 'é'\n".encode("utf-16"))
    done = run("-", "-l", "python")
    assert [c.text for c in done.chunks] == ["x = 'é'\n"]
    assert "not in UTF-8: <stdin> (utf-16)" in done.err


def test_stdin_without_a_name(run: Callable[..., Done]) -> None:
    """Standard input needs to be told what it is."""
    assert "give --language or --stdin-path" in run("-").refusal


def test_stdin_path_without_stdin(run: Callable[..., Done], repository: Path) -> None:
    """A path for standard input is refused where it is not read."""
    assert "--stdin-path" in run(repository, "--stdin-path", "x.py").refusal


# --- formats ---


def test_lines_are_chunks(run: Callable[..., Done], repository: Path) -> None:
    """Each line is a chunk as the library makes it."""
    path = repository / "a.py"
    assert run(path).chunks == chunk(path, path.read_bytes())


@pytest.mark.usefixtures("repository")
def test_lines_have_the_json_names(run: Callable[..., Done]) -> None:
    """A line has the original library's names."""
    [line] = run("repository/a.py").out.splitlines()
    assert json.loads(line) == chunk("repository/a.py", PYTHON)[0].to_dict()
    assert {"contextualizedText", "byteRange", "lineRange", "totalChunks"} <= set(json.loads(line))


def test_lines_are_ascii(run: Callable[..., Done], repository: Path) -> None:
    """JSON is ASCII, so that no terminal and no locale can harm it."""
    assert run(repository).out.isascii()


@pytest.mark.parametrize("arguments", [["--json"], ["--format", "json"], ["-f", "json", "--json"]])
def test_json(run: Callable[..., Done], repository: Path, arguments: list[str]) -> None:
    """JSON is one array of what the lines hold."""
    expected = [json.loads(line) for line in run(repository).out.splitlines()]
    assert json.loads(run(repository, *arguments).out) == expected


def test_json_of_nothing(run: Callable[..., Done], tmp_path: Path) -> None:
    """Without a chunk the array is empty."""
    assert run(tmp_path, "--json").out == "[]\n"


@pytest.mark.usefixtures("repository")
def test_text(run: Callable[..., Done]) -> None:
    """Text has a line about each chunk, and the chunk."""
    done = run("repository", "--format", "text", "--exclude", "*.py")
    assert done.out == f"repository/deep/er/b.go:1-3  chunk 1/1  size 17\n{GO}\n"


def test_text_counts_lines_from_one(run: Callable[..., Done], long_file: Path) -> None:
    """The lines in a heading are those of an editor."""
    headings = re.findall(r":(\d+)-(\d+)  chunk", run(long_file, "-f", "text").out)
    assert [(int(a) - 1, int(b) - 1) for a, b in headings] == [
        (c.line_range.start, c.line_range.end) for c in chunk(long_file, long_file.read_text())
    ]


@pytest.mark.usefixtures("repository")
def test_parquet(run: Callable[..., Done]) -> None:
    """Parquet has a row for each chunk."""
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run("repository", "-o", "x.parquet").out == ""
    rows = parquet.read_table("x.parquet").to_pylist()
    chunks = run("repository").chunks
    assert [row["id"] for row in rows] == [c.id for c in chunks]
    assert [row["text"] for row in rows] == [c.text for c in chunks]
    assert [row["contextualized_text"] for row in rows] == [c.contextualized_text for c in chunks]
    assert [(row["start_byte"], row["end_byte"]) for row in rows] == [
        (c.byte_range.start, c.byte_range.end) for c in chunks
    ]
    assert rows[0]["entities"] == ["os", "f"]
    assert rows[0]["uses"] == ["os"]


def test_parquet_in_groups(
    run: Callable[..., Done], long_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are written in groups, as they come."""
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("code_chunk.cli._parquet._GROUP_ROWS", 2)
    assert run(long_file, "-f", "parquet", "-o", "x").code == 0
    count = len(chunk(long_file, long_file.read_text()))
    assert count > 2
    assert parquet.ParquetFile("x").num_row_groups == -(-count // 2)


def test_parquet_of_nothing(
    run: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a chunk there is a table without rows."""
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    assert run(".", "-o", "x.parquet").code == 0
    assert parquet.read_table("x.parquet").num_rows == 0


def test_parquet_without_the_extra(
    run: Callable[..., Done], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is missing is named, and nothing is written."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "code-chunk[parquet]" in run(repository, "-o", "x.parquet").refusal
    assert not Path("x.parquet").exists()


def test_without_the_extra(
    run: Callable[..., Done], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without typer one line says what to install."""
    for name in [name for name in sys.modules if name.startswith("code_chunk.cli._")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "typer", None)
    assert "pip install 'code-chunk[cli]'" in run(repository).refusal


def test_brief_lines(run: Callable[..., Done], repository: Path) -> None:
    """In brief there is all but the text."""
    brief = [json.loads(line) for line in run(repository, "--brief").out.splitlines()]
    whole = [json.loads(line) for line in run(repository).out.splitlines()]
    assert [set(b) for b in brief] == [set(w) - {"text", "contextualizedText"} for w in whole]


@pytest.mark.usefixtures("repository")
def test_brief_text(run: Callable[..., Done]) -> None:
    """In brief there are headings only."""
    done = run("repository", "-f", "text", "--brief")
    assert done.out == (
        f"repository/a.py:1-5  chunk 1/1  size {chunk('a.py', PYTHON)[0].size}\n"
        "repository/deep/er/b.go:1-3  chunk 1/1  size 17\n"
    )


@pytest.mark.usefixtures("repository")
def test_brief_parquet(run: Callable[..., Done]) -> None:
    """In brief the columns of text are left out."""
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run("repository", "--brief", "-o", "x.parquet").code == 0
    assert not {"text", "contextualized_text"} & set(parquet.read_table("x.parquet").column_names)


def test_expansion(run: Callable[..., Done], repository: Path) -> None:
    """The contextualized text takes the place of the text."""
    [record] = [json.loads(line) for line in run(repository / "a.py", "--expansion").out.splitlines()]
    assert record["text"] == record["contextualizedText"] != PYTHON


def test_expansion_of_text(run: Callable[..., Done], repository: Path) -> None:
    """Text for people may have its context in front."""
    assert "\n# Defines: def f()\n" in run(repository / "a.py", "-f", "text", "--expansion").out


def test_chunk_id(run: Callable[..., Done], long_file: Path) -> None:
    """One chunk of a file is asked for by its number, from 1."""
    assert run(long_file, "--chunk-id", 2).chunks == run(long_file).chunks[1:2]


def test_chunk_id_of_several_files(run: Callable[..., Done], repository: Path, long_file: Path) -> None:
    """Files that have no such chunk give none."""
    assert run(repository, long_file, "--chunk-id", 2).names == ["long.py"]


def test_chunk_id_that_no_file_has(run: Callable[..., Done], repository: Path) -> None:
    """A number that is too high for every file is an error."""
    done = run(repository, "--chunk-id", 2)
    assert (done.code, done.out) == (1, "")
    assert "--chunk-id 2: no file has so many chunks; the most are 1" in done.err


# --- options of the library ---


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["--max-chunk-size", "600"], {"max_chunk_size": 600}),
        (["-s", "600"], {"max_chunk_size": 600}),
        (["--context-mode", "minimal"], {"context_mode": "minimal"}),
        (["--context-format", "ancestry"], {"context_format": "ancestry"}),
        (["--overlap-lines", "2"], {"overlap_lines": 2}),
        (["--overlap", "1"], {"overlap_nodes": 1}),
        (["--overlap-nodes", "1"], {"overlap_nodes": 1}),
        (["--sibling-detail", "names"], {"sibling_detail": "names"}),
        (["--filter-imports"], {"filter_imports": True}),
        (["--packing", "greedy"], {"packing": "greedy"}),
    ],
)
def test_library_options(
    run: Callable[..., Done], long_file: Path, arguments: list[str], options: dict[str, Any]
) -> None:
    """An option does what the library's option does."""
    long_file.write_text("import os\nimport re\n\n" + long_file.read_text())
    assert run(long_file, *arguments).chunks == chunk(long_file, long_file.read_text(), **options)


def test_concurrency(run: Callable[..., Done], repository: Path) -> None:
    """The number of processes changes nothing of the output."""
    assert run(repository, "-j", 2, "--timeout", 60).out == run(repository, "--concurrency", 1).out


def test_timeout(run: Callable[..., Done], repository: Path) -> None:
    """A file that takes too long is an error of its own."""
    (repository / "a.py").write_text("x = [" + "1, " * 900_000 + "]\n")
    done = run(repository / "a.py", repository / "deep", "--timeout", 0.5)
    assert (done.code, done.names) == (1, ["b.go"])
    assert "a.py: the file took longer than 0.5 s" in done.err


# --- encodings ---


def test_encoding_is_guessed(run: Callable[..., Done], repository: Path) -> None:
    """A file in UTF-16 is read, and the summary names it."""
    (repository / "a.py").write_bytes("x = 'é'\n".encode("utf-16"))
    done = run("repository")
    assert (done.code, done.chunks[0].text) == (0, "x = 'é'\n")
    assert done.err.splitlines()[-1] == "code-chunk: not in UTF-8: repository/a.py (utf-16)"


def test_files_in_utf_8_are_not_named(run: Callable[..., Done], repository: Path) -> None:
    """What is in UTF-8 is not worth telling."""
    assert "UTF-8" not in run(repository).err


def test_encoding_is_given(run: Callable[..., Done], repository: Path) -> None:
    """An encoding that is given is used, and not told."""
    (repository / "a.py").write_bytes("x = 'é'\n".encode("cp1252"))
    done = run(repository, "--encoding", "cp1252")
    assert (done.code, done.chunks[0].text, "UTF-8" in done.err) == (0, "x = 'é'\n", False)


def test_undecodable_file(run: Callable[..., Done], repository: Path) -> None:
    """A file that is not UTF-8 is named, the others are written, and the exit code tells."""
    (repository / "a.py").write_bytes(b"x = 1\n" * 50_000 + b"\xff")
    done = run("repository", "--encoding", "utf-8")
    assert (done.code, done.names) == (1, ["b.go"])
    assert "code-chunk: repository/a.py: not UTF-8: byte 0xff at position 300000\n" in done.err


def test_encoding_without_the_extra(
    run: Callable[..., Done], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that would need a guess says what to install."""
    monkeypatch.setitem(sys.modules, "charset_normalizer", None)
    (repository / "a.py").write_bytes(b"# \xcf\xf0\xe8\xe2\xe5\xf2\n")
    done = run(repository)
    assert (done.code, done.names) == (1, ["b.go"])
    assert "code-chunk[encodings]" in done.err


# --- records for benchmarks ---


def test_repo_eval(run: Callable[..., Done], repository: Path) -> None:
    """Records are those that the benchmark makes of its windows."""
    done = run(repository, "--template", "repo-eval", "--repo", "org_name")
    records = [json.loads(line) for line in done.out.splitlines()]
    assert records[1] == {
        "_id": "org_name_org_name-deep-er-b.go_0-3",
        "title": "org_name-deep-er-b.go",
        "text": GO,
        "metadata": [
            {
                "fpath_tuple": ["org_name", "deep", "er", "b.go"],
                "repo": "org_name",
                "start_line_no": 0,
                "end_line_no": 3,
                "line_count": 3,
                "chunk_size": 17,
            }
        ],
    }


def test_swebench_lite(run: Callable[..., Done], repository: Path) -> None:
    """Records are those that the benchmark makes of its files, with the lines of the chunk."""
    done = run(repository, "-t", "swebench-lite", "--instance-id", "a__b-1")
    records = [json.loads(line) for line in done.out.splitlines()]
    assert records[1] == {
        "_id": "a__b-1_deep/er/b.go_0-3",
        "title": "deep/er/b.go",
        "text": GO,
        "metadata": {"start_line_no": 0, "end_line_no": 3, "line_count": 3, "chunk_size": 17},
    }


def test_records_in_an_array(run: Callable[..., Done], repository: Path) -> None:
    """Records may be asked for as one array."""
    done = run(repository, "-t", "repo-eval", "--repo", "r", "--json")
    assert [record["title"] for record in json.loads(done.out)] == ["r-a.py", "r-deep-er-b.go"]


@pytest.mark.usefixtures("repository")
def test_records_with_context(run: Callable[..., Done]) -> None:
    """The text of a record may be the contextualized one."""
    done = run("repository/a.py", "-t", "repo-eval", "--repo", "r", "--expansion")
    assert json.loads(done.out)["text"] == chunk("repository/a.py", PYTHON)[0].contextualized_text


@pytest.mark.parametrize(
    "template", [["repo-eval", "--repo", "r"], ["swebench-lite", "--instance-id", "i"]], ids=lambda t: t[0]
)
def test_records_have_unique_names(run: Callable[..., Done], tmp_path: Path, template: list[str]) -> None:
    """No two records have one name, even of chunks in one line: the benchmark would drop one."""
    (tmp_path / "a.py").write_text("x = [" + "1, " * 4000 + "]\n")
    records = [json.loads(line) for line in run(tmp_path / "a.py", "-t", *template).out.splitlines()]
    assert len({record["_id"] for record in records}) == len(records) > 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--template", "repo-eval"], "--repo"),
        (["--template", "swebench-lite"], "--instance-id"),
        (["--repo", "r"], "--template repo-eval"),
        (["--instance-id", "i"], "--template swebench-lite"),
        (["-t", "repo-eval", "--repo", "r", "-f", "text"], "JSON"),
        (["-t", "repo-eval", "--repo", "r", "--brief"], "exclude each other"),
        (["-t", "none"], "--template"),
    ],
)
def test_wrong_templates(run: Callable[..., Done], repository: Path, arguments: list[str], said: str) -> None:
    """A template that lacks something, or does not fit, is refused."""
    assert said in run(repository, *arguments).refusal


# --- what is said ---


def test_summary(run: Callable[..., Done], repository: Path) -> None:
    """Files, chunks, bytes, skipped, errors and speed are told on stderr."""
    first, second = run(repository).err.splitlines()
    begin = f"code-chunk: 2 files, 2 chunks, {TOTAL} bytes, 2 skipped, 0 errors in "
    assert re.fullmatch(re.escape(begin) + r"\d+\.\d s \(\d+\.\d MB/s\)", first)
    assert second == "code-chunk: skipped: 2 no supported language; -v names them"


def test_summary_names_few_encodings(run: Callable[..., Done], tmp_path: Path) -> None:
    """Of many files that are not in UTF-8 the summary names some, and all on request."""
    for number in range(25):
        (tmp_path / f"{number:02}.py").write_bytes("x = 1\n".encode("utf-16"))
    assert "19.py (utf-16) and 5 more; -v names them" in run(tmp_path).err
    assert "24.py (utf-16)\n" in run(tmp_path, "-v").err


def test_quiet(run: Callable[..., Done], repository: Path) -> None:
    """With ``-q`` nothing is told."""
    assert run(repository, "-q").err == ""


@pytest.mark.usefixtures("repository")
def test_quiet_tells_errors(run: Callable[..., Done]) -> None:
    """With ``-q`` errors are told, and nothing else."""
    done = run("repository/README.txt", "-q")
    assert (done.code, len(done.err.splitlines())) == (1, 1)


def test_skipped_are_named_on_request(run: Callable[..., Done], repository: Path) -> None:
    """With ``-v`` each skipped file is named with its reason."""
    (repository / ".gitignore").write_text("*.py\n")
    lines = run("repository", "-v").err.splitlines()
    assert "code-chunk: repository/README.txt: skipped: no supported language" in lines
    assert "code-chunk: repository/a.py: skipped: ignored (.gitignore:1: *.py)" in lines


def test_skipped_of_another_language(run: Callable[..., Done], repository: Path) -> None:
    """What is not of the language asked for is skipped for that."""
    assert "a.py: skipped: not go (python)\n" in run(repository, "-v", "-l", "go").err


def test_help(run: Callable[..., Done]) -> None:
    """The usage is told, with examples."""
    done = run("--help")
    assert (done.code, done.err) == (0, "")
    for word in ("PATH", "--output", "--max-chunk-size", "Examples", "code-chunk languages"):
        assert word in done.out


def test_help_names_the_values(run: Callable[..., Done]) -> None:
    """Every choice is told."""
    assert "jsonl|json|parquet|text" in run("chunk", "-h").out


def test_help_of_languages(run: Callable[..., Done]) -> None:
    """The other verb has a help of its own."""
    assert "code-chunk languages" in run("languages", "--help").out


def test_version(run: Callable[..., Done]) -> None:
    """The version is told."""
    assert re.fullmatch(r"code-chunk \d+\.\d+\.\d+\S*\n", run("--version").out)


def test_languages(run: Callable[..., Done]) -> None:
    """Each language is told in a line, with its extensions."""
    done = run("languages")
    assert done.code == 0
    assert [line.split("\t")[0] for line in done.out.splitlines()] == list(supported_languages())
    assert "python\t.py .pyi .pyw\tinstalled\n" in done.out


def test_languages_as_json(run: Callable[..., Done]) -> None:
    """Languages are told as data."""
    [rust] = [item for item in json.loads(run("languages", "--json").out) if item["name"] == "rust"]
    assert rust == {"name": "rust", "extensions": [".rs"], "installed": True, "error": None}


def test_language_without_its_grammar(run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> None:
    """A grammar that is missing is told."""
    from code_chunk import GrammarNotInstalledError
    from code_chunk.cli import _languages

    def missing(*_: object, **__: object) -> None:
        raise GrammarNotInstalledError("pip install it")

    monkeypatch.setattr(_languages, "chunk", missing)
    assert run("languages").out.splitlines()[0].endswith("\tpip install it")
    assert json.loads(run("languages", "--json").out)[0]["installed"] is False


# --- wrong usage ---


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "PATH"),
        (["--colour"], "--colour"),
        (["--format", "xml"], "xml"),
        (["--max-chunk-size", "0"], "--max-chunk-size"),
        (["--max-chunk-size", "many"], "--max-chunk-size"),
        (["--chunk-id", "0"], "--chunk-id"),
        (["--concurrency", "0"], "--concurrency"),
        (["--timeout", "0"], "--timeout"),
        (["--timeout", "inf"], "--timeout"),
        (["--encoding", "klingon"], "klingon"),
        (["--language", "klingon"], "klingon"),
        (["--language", "klingon", "repository/a.py"], "klingon"),
        (["--overlap", "1", "--overlap-lines", "1"], "exclude each other"),
        (["--json", "--format", "text"], "exclude each other"),
        (["--brief", "--expansion"], "exclude each other"),
        (["--format", "text", "--overlap", "1"], "--expansion"),
        (["--format", "text", "--context-mode", "full"], "--expansion"),
    ],
    ids=" ".join,
)
def test_wrong_usage(run: Callable[..., Done], repository: Path, arguments: list[str], said: str) -> None:
    """Wrong usage is told in one line, before anything is written."""
    assert said in run(*([repository] if arguments else []), *arguments).refusal


def test_missing_path(run: Callable[..., Done], repository: Path) -> None:
    """A path that is not there is named before anything is written."""
    assert run(repository, "none", "-o", "x").refusal == "code-chunk: none: no such file or folder"
    assert not Path("x").exists()


def test_empty_path(run: Callable[..., Done], repository: Path) -> None:
    """A path of no characters is told."""
    assert run(repository, "").refusal == "code-chunk: '': no such file or folder"


def test_wrong_usage_of_languages(run: Callable[..., Done]) -> None:
    """The other verb takes no path."""
    assert "extra" in run("languages", "src").refusal


# --- the output file ---


def test_output_file(run: Callable[..., Done], repository: Path) -> None:
    """With ``-o`` the chunks go to a file, and nothing to stdout."""
    expected = run(repository).out
    done = run(repository, "-o", "x.jsonl")
    assert (done.code, done.out, Path("x.jsonl").read_text()) == (0, "", expected)


def test_output_to_a_dash(run: Callable[..., Done], repository: Path) -> None:
    """``-o -`` is standard output."""
    assert run(repository, "-o", "-").names == ["a.py", "b.go"]


def test_output_file_is_replaced(run: Callable[..., Done], repository: Path) -> None:
    """What stood in the file is gone, and nothing is left beside it."""
    Path("x.jsonl").write_text("old\n" * 1000)
    run(repository, "-o", "x.jsonl")
    assert Path("x.jsonl").read_text() == run(repository).out
    assert sorted(os.listdir()) == ["repository", "x.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are other ones there")
def test_permissions_of_a_new_file(run: Callable[..., Done], repository: Path) -> None:
    """A new file has the permissions that any new file has."""
    before = os.umask(0o027)
    try:
        run(repository, "-o", "x.jsonl")
    finally:
        os.umask(before)
    assert Path("x.jsonl").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are other ones there")
def test_permissions_of_a_replaced_file(run: Callable[..., Done], repository: Path) -> None:
    """A file that is replaced keeps its permissions."""
    Path("x.jsonl").touch()
    Path("x.jsonl").chmod(0o604)
    run(repository, "-o", "x.jsonl")
    assert Path("x.jsonl").stat().st_mode & 0o777 == 0o604


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_output_through_a_link(run: Callable[..., Done], repository: Path) -> None:
    """A link to the output stays one."""
    Path("link").symlink_to("x.jsonl")
    run(repository, "-o", "link")
    assert (Path("link").is_symlink(), Path("x.jsonl").read_text()) == (True, run(repository).out)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs /dev/null")
def test_output_to_a_device(run: Callable[..., Done], repository: Path) -> None:
    """What is no regular file is written to, not replaced."""
    assert run(repository, "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_output_in_the_folder_that_is_walked(run: Callable[..., Done], repository: Path) -> None:
    """The output may stand in the folder: it is no source, and not told."""
    output = repository / "x.py"
    output.write_text("x = 1\n")
    done = run(repository, "-v", "-o", output)
    assert (done.code, "x.py" in done.err, ".tmp" in done.err) == (0, False, False)
    assert output.read_text() == run(repository, "--exclude", "x.py").out


def test_output_that_is_a_source(run: Callable[..., Done], repository: Path) -> None:
    """A file can not be both."""
    path = repository / "a.py"
    assert "is the output as well" in run(path, "-o", path).refusal
    assert path.read_text(encoding="utf-8") == PYTHON


def test_output_with_failed_files(run: Callable[..., Done], repository: Path) -> None:
    """What could be chunked is written, though some could not."""
    done = run(repository, repository / "README.txt", "-o", "x.jsonl")
    assert (done.code, Path("x.jsonl").read_text()) == (1, run(repository).out)


@pytest.mark.parametrize(
    ("output", "said"),
    [("none/x.jsonl", "No such file"), (".", "is a folder"), ("repository", "is a folder")],
)
def test_output_that_can_not_be(run: Callable[..., Done], repository: Path, output: str, said: str) -> None:
    """An output that can not be written is told in one line."""
    refusal = run(repository, "-o", output).refusal
    assert refusal.startswith(f"code-chunk: {output}: ")
    assert said in refusal


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Take all rights to a path away, for a while."""
    mode = path.stat().st_mode
    path.chmod(0)
    try:
        if os.access(path, os.R_OK | os.W_OK):
            pytest.skip("this user may read and write anything")
        yield
    finally:
        path.chmod(mode)


def test_output_without_permission(run: Callable[..., Done], repository: Path) -> None:
    """A folder that may not be written to is told."""
    Path("closed").mkdir()
    with locked(Path("closed")):
        assert run(repository, "-o", "closed/x").refusal.startswith("code-chunk: closed/x: ")


def test_output_without_permission_to_the_file(run: Callable[..., Done], repository: Path) -> None:
    """A file that may not be written to is not replaced."""
    Path("x").write_text("old\n")
    with locked(Path("x")):
        assert "no permission" in run(repository, "-o", "x").refusal
    assert Path("x").read_text() == "old\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", ["jsonl", "json", "text", "parquet"])
def test_output_on_a_full_disk(run: Callable[..., Done], repository: Path, form: str) -> None:
    """A disk that is full is told in one line."""
    assert "No space left" in run(repository, "-f", form, "-o", "/dev/full").refusal


def test_failure_leaves_the_old_file(
    run: Callable[..., Done], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If writing fails, the old file stands, and nothing is left beside it."""
    Path("x.jsonl").write_text("old\n")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("code_chunk.cli._output.os.replace", fail)
    assert "No space left" in run(repository, "-o", "x.jsonl").refusal
    assert (Path("x.jsonl").read_text(), sorted(os.listdir())) == ("old\n", ["repository", "x.jsonl"])


# --- names that are no text ---


@pytest.fixture
def strange(repository: Path) -> Path:
    """A source file whose name is not UTF-8."""
    path = repository / os.fsdecode(b"caf\xe9.py")
    try:
        path.write_text("x = 1\n")
    except OSError:
        pytest.skip("the file system takes text only")
    return path


def test_surrogates_in_a_path(run: Callable[..., Done], strange: Path) -> None:
    """A path that is no text is written so that it can be read back."""
    assert run(strange).paths == [str(strange)]


@pytest.mark.parametrize("form", ["jsonl", "json", "text", "parquet"])
def test_surrogates_in_a_format(run: Callable[..., Done], strange: Path, form: str) -> None:
    """Every format takes such a path."""
    assert run(strange, "-f", form, "-o", "x").code == 0
    assert b"caf\\udce9.py" in Path("x").read_bytes()


def test_surrogates_in_an_error(run: Callable[..., Done], strange: Path) -> None:
    """An error about such a path is told."""
    strange.write_bytes(b"\xff")
    done = run(strange, "--encoding", "utf-8")
    assert (done.code, "caf\\udce9.py: not UTF-8" in done.err) == (1, True)


def test_control_characters_are_not_told() -> None:
    """A name can not write to the terminal what it likes."""
    assert printable("a\x1b[31m\n\udce9é") == "a\\x1b[31m\\n\\udce9é"


# --- broken code ---


def test_chunks_of_a_syntax_error(run: Callable[..., Done], repository: Path) -> None:
    """Broken code is chunked like any other."""
    (repository / "a.py").write_text("def f(:\n")
    [made] = run(repository / "a.py").chunks
    assert (made.context.parse_error is not None, made.text) == (True, "def f(:\n")


def test_unreadable_folder(run: Callable[..., Done], repository: Path) -> None:
    """A folder without permission is an error, and the others are written."""
    with locked(repository / "deep"):
        done = run(repository)
    assert (done.code, done.names) == (1, ["a.py"])
    assert f"code-chunk: {repository / 'deep'}: " in done.err


# --- imports ---


def test_imports_of_the_command_line() -> None:
    """The command line uses what any user may use."""
    files = Path(main.__code__.co_filename).parent.glob("*.py")
    imports = [
        line for path in files for line in re.findall(r"(?m)^\s*(?:from|import) \S+", path.read_text())
    ]
    assert [line for line in imports if re.search(r"code_chunk\.|\.\.", line)] == []
