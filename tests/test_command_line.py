"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from code_chunk import Chunk, chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PYTHON = "import os\n\n\ndef f():\n    return 'é🎉' + os.sep\n"
GO = "package p\n\nfunc F() {}\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder of two source files, and two that are none."""
    root = tmp_path / "repository"
    for name, text in (
        ("a.py", PYTHON),
        ("deep/er/b.go", GO),
        ("README.txt", "Text.\n"),
        ("deep/data.bin", "\x00\x01"),
        (".hidden/c.py", "x = 1\n"),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return root


def run(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command; what it writes is UTF-8 in every locale."""
    return subprocess.run(
        [sys.executable, "-m", "code_chunk", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        cwd=cwd,
        check=False,
    )


def chunks_of(output: str) -> list[Chunk]:
    return [Chunk.from_dict(json.loads(line)) for line in output.splitlines()]


def summary(done: subprocess.CompletedProcess[str]) -> str:
    """Give the last line on stderr."""
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def paths_of(output: str) -> list[str]:
    return [Path(c.context.filepath).name for c in chunks_of(output)]


# --- what is written ---


def test_folder(repository: Path) -> None:
    """A folder is walked, hidden folders left out, in a stable order."""
    done = run(repository)
    assert (done.returncode, paths_of(done.stdout)) == (0, ["a.py", "b.go"])


def test_file(repository: Path) -> None:
    """A file is chunked by itself."""
    done = run(repository / "a.py")
    assert (done.returncode, [c.text for c in chunks_of(done.stdout)]) == (0, [PYTHON])


def test_several_paths(repository: Path) -> None:
    """Paths are taken in the order in which they stand."""
    assert paths_of(run(repository / "deep", repository / "a.py").stdout) == ["b.go", "a.py"]


def test_lines_are_chunks(repository: Path) -> None:
    """Each line is a chunk as the library makes it."""
    path = repository / "a.py"
    assert chunks_of(run(path).stdout) == chunk(path, path.read_bytes())


def test_lines_have_the_json_names(repository: Path) -> None:
    """A line has the original library's names."""
    [line] = run(repository / "a.py").stdout.splitlines()
    assert json.loads(line) == chunk(repository / "a.py", (repository / "a.py").read_bytes())[0].to_dict()
    assert {"contextualizedText", "byteRange", "lineRange", "totalChunks"} <= set(json.loads(line))


def test_output_file(repository: Path, tmp_path: Path) -> None:
    """With ``-o`` the chunks go to a file, in UTF-8, and nothing to stdout."""
    done = run(repository, "-o", tmp_path / "chunks.jsonl")
    assert (done.returncode, done.stdout) == (0, "")
    assert chunks_of((tmp_path / "chunks.jsonl").read_text(encoding="utf-8")) == chunks_of(
        run(repository).stdout
    )


def test_output_file_is_replaced(repository: Path, tmp_path: Path) -> None:
    """What stood in the file is gone."""
    output = tmp_path / "chunks.jsonl"
    output.write_text("old\n")
    run(repository, "--output", output)
    assert paths_of(output.read_text(encoding="utf-8")) == ["a.py", "b.go"]


def test_relative_paths_are_kept(repository: Path) -> None:
    """The path of a chunk is the one that was given."""
    assert [c.context.filepath for c in chunks_of(run("a.py", cwd=repository).stdout)] == ["a.py"]


def test_script_without_an_extension(repository: Path) -> None:
    """A file is known by its shebang."""
    (repository / "tool").write_text("#!/usr/bin/env python3\nx = 1\n")
    assert paths_of(run(repository / "tool").stdout) == ["tool"]


def test_empty_file(repository: Path) -> None:
    """A file without text has no chunks, and is no error."""
    (repository / "a.py").write_text("")
    done = run(repository / "a.py")
    assert (done.returncode, done.stdout) == (0, "")


# --- what is said ---


def test_summary(repository: Path) -> None:
    """Files, chunks, bytes, skipped and errors are counted on stderr."""
    total = len(PYTHON.encode()) + len(GO)
    assert summary(run(repository)) == f"2 files, 2 chunks, {total} bytes, 2 skipped, 0 errors"


def test_skipped_are_not_named(repository: Path) -> None:
    """What is not supported is counted only."""
    assert len(run(repository).stderr.splitlines()) == 1


def test_skipped_are_named_on_request(repository: Path) -> None:
    """With ``-v`` each skipped file is named with its reason."""
    lines = run(repository, "-v").stderr.splitlines()[:-1]
    assert sorted(lines) == [
        f"code-chunk: {repository / 'README.txt'}: skipped: no supported language",
        f"code-chunk: {repository / 'deep/data.bin'}: skipped: no supported language",
    ]


def test_help() -> None:
    """The usage is told."""
    done = run("--help")
    assert (done.returncode, "PATH" in done.stdout, "--output" in done.stdout) == (0, True, True)


def test_no_arguments() -> None:
    """Without a path the usage is told."""
    done = run()
    assert (done.returncode, done.stderr.startswith("usage: ")) == (2, True)


def test_unknown_argument(repository: Path) -> None:
    """An argument that is not known is an error of usage."""
    assert run(repository, "--colour").returncode == 2


# --- what goes wrong ---


def test_missing_path(repository: Path) -> None:
    """A path that is not there is named before anything is written."""
    done = run(repository, repository / "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert summary(done) == f"code-chunk: {repository / 'none'}: no such file or folder"


def test_undecodable_file(repository: Path) -> None:
    """A file that is not UTF-8 is named, the others are written, and the exit code tells."""
    (repository / "a.py").write_bytes(b"caf\xe9 = 1\n")
    done = run(repository)
    assert (done.returncode, paths_of(done.stdout)) == (1, ["b.go"])
    assert done.stderr.splitlines() == [
        f"code-chunk: {repository / 'a.py'}: not UTF-8: byte 0xe9 at position 3",
        f"1 files, 1 chunks, {len(GO)} bytes, 2 skipped, 1 errors",
    ]


def test_file_that_is_undecodable_far_down(repository: Path) -> None:
    """A file that turns out to be undecodable is named, and the next one is written."""
    (repository / "a.py").write_bytes(b"x = 1\n" * 50_000 + b"\xff")
    done = run(repository)
    assert (done.returncode, paths_of(done.stdout)[-1]) == (1, "b.go")
    assert f"{repository / 'a.py'}: not UTF-8: byte 0xff at position 300000" in done.stderr


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Take all rights to a folder away, for a while."""
    folder.chmod(0)
    try:
        if os.access(folder, os.R_OK | os.W_OK):
            pytest.skip("this user may read and write anything")
        yield
    finally:
        folder.chmod(0o755)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that can not be read")
def test_unreadable_file(repository: Path) -> None:
    """A file that can not be read is named, and the others are written."""
    (repository / "a.py").unlink()
    (repository / "a.py").symlink_to("/proc/self/mem")
    done = run(repository)
    assert (done.returncode, paths_of(done.stdout)) == (1, ["b.go"])
    assert done.stderr.startswith(f"code-chunk: {repository / 'a.py'}: ")


def test_unreadable_folder(repository: Path) -> None:
    """A folder without permission is named, and the others are written."""
    with locked(repository / "deep"):
        done = run(repository)
    assert (done.returncode, paths_of(done.stdout)) == (1, ["a.py"])
    assert done.stderr.startswith(f"code-chunk: {repository / 'deep'}: ")


def test_output_in_a_missing_folder(repository: Path, tmp_path: Path) -> None:
    """An output that can not be opened is an error of usage, told in one line."""
    output = tmp_path / "none" / "chunks.jsonl"
    done = run(repository, "-o", output)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert summary(done).startswith(f"code-chunk: {output}: ")


def test_output_that_is_a_folder(repository: Path, tmp_path: Path) -> None:
    """A folder can not be written to."""
    done = run(repository, "-o", tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert summary(done).startswith(f"code-chunk: {tmp_path}: ")


def test_output_without_permission(repository: Path, tmp_path: Path) -> None:
    """A folder that may not be written to is told."""
    (tmp_path / "closed").mkdir()
    with locked(tmp_path / "closed"):
        done = run(repository, "-o", tmp_path / "closed" / "chunks.jsonl")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert summary(done).startswith(f"code-chunk: {tmp_path / 'closed' / 'chunks.jsonl'}: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_on_a_full_disk(repository: Path) -> None:
    """An output that can not be written to is told, and the exit code tells."""
    done = run(repository, "-o", "/dev/full")
    assert "Traceback" not in done.stderr
    assert done.returncode != 0
    assert "No space left" in done.stderr


def test_output_file_in_the_folder_that_is_walked(repository: Path) -> None:
    """The output may stand in the folder: it is no source."""
    output = repository / "chunks.jsonl"
    done = run(repository, "-o", output)
    assert (done.returncode, paths_of(output.read_text(encoding="utf-8"))) == (0, ["a.py", "b.go"])


def name_that_is_no_text(repository: Path) -> Path:
    """Make a source file whose name is not UTF-8."""
    path = repository / os.fsdecode(b"caf\xe9.py")
    try:
        path.write_text("x = 1\n")
    except OSError:
        pytest.skip("the file system takes text only")
    return path


def test_surrogates_in_a_path(repository: Path) -> None:
    """A path that is no text is written so that it can be read back."""
    path = name_that_is_no_text(repository)
    done = run(path)
    assert (done.returncode, [c.context.filepath for c in chunks_of(done.stdout)]) == (0, [str(path)])


def test_surrogates_in_an_output_file(repository: Path, tmp_path: Path) -> None:
    """The output file takes such a path too."""
    path = name_that_is_no_text(repository)
    done = run(path, "-o", tmp_path / "chunks.jsonl")
    written = (tmp_path / "chunks.jsonl").read_text(encoding="utf-8")
    assert (done.returncode, [c.context.filepath for c in chunks_of(written)]) == (0, [str(path)])


def test_surrogates_in_an_error(repository: Path) -> None:
    """An error about such a path is told."""
    path = name_that_is_no_text(repository)
    path.write_bytes(b"\xff")
    done = run(path)
    assert (done.returncode, summary(done)) == (1, "0 files, 0 chunks, 0 bytes, 0 skipped, 1 errors")


def test_output_in_another_encoding(repository: Path) -> None:
    """The lines are UTF-8 or ASCII, whatever the terminal's encoding."""
    done = subprocess.run(
        [sys.executable, "-m", "code_chunk", str(repository / "a.py")],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        timeout=60,
        check=False,
    )
    assert (done.returncode, [c.text for c in chunks_of(done.stdout.decode("utf-8"))]) == (0, [PYTHON])


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_link_that_goes_in_a_circle(repository: Path) -> None:
    """A link to a folder above is not followed for ever, and names no file twice."""
    (repository / "deep" / "loop").symlink_to(repository, target_is_directory=True)
    done = run(repository)
    assert (done.returncode, paths_of(done.stdout)) == (0, ["a.py", "b.go"])


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_link_that_leads_nowhere(repository: Path) -> None:
    """A broken link in a folder is skipped."""
    (repository / "gone.py").symlink_to(repository / "none.py")
    done = run(repository, "-v")
    assert (done.returncode, paths_of(done.stdout)) == (0, ["a.py", "b.go"])
    assert f"{repository / 'gone.py'}: skipped" in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipe(repository: Path) -> None:
    """A pipe in a folder is not waited for."""
    os.mkfifo(repository / "pipe.py")
    done = run(repository)
    assert (done.returncode, paths_of(done.stdout)) == (0, ["a.py", "b.go"])


def run_into_closed_pipe(arguments: Sequence[object]) -> tuple[str, str]:
    """Run the command, read one line of its output, and close it."""
    with subprocess.Popen(
        [sys.executable, "-m", "code_chunk", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout
        assert process.stderr
        line = process.stdout.readline()
        process.stdout.close()
        return line, process.stderr.read()


@pytest.mark.parametrize("count", [1, 50_000])
def test_closed_pipe(repository: Path, count: int) -> None:
    """A reader that has enough ends the command without a word about it."""
    (repository / "a.py").write_text("x = 1\n" * count)
    line, errors = run_into_closed_pipe([repository])
    assert (json.loads(line)["index"], "Traceback" in errors, "Exception ignored" in errors) == (
        0,
        False,
        False,
    )


def test_chunks_of_a_syntax_error(repository: Path) -> None:
    """Broken code is chunked like any other."""
    (repository / "a.py").write_text("def f(:\n")
    done = run(repository / "a.py")
    assert (done.returncode, chunks_of(done.stdout)[0].context.parse_error is not None) == (0, True)
    assert chunks_of(done.stdout)[0].text == chunk("a.py", "def f(:\n")[0].text
