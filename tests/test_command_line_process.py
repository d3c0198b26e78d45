"""The command line as a process: pipes, terminals, signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from code_chunk import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator

PYTHON = "import os\n\n\ndef f():\n    return 'é🎉' + os.sep\n"
COMMAND = [sys.executable, "-W", "error", "-m", "code_chunk"]
POSIX_ONLY = pytest.mark.skipif(os.name != "posix", reason="other signals, pipes and terminals there")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source file."""
    path = tmp_path / "a.py"
    path.write_text(PYTHON, encoding="utf-8")
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder of files that take some seconds."""
    folder = tmp_path / "many"
    folder.mkdir()
    text = "".join(f"def f{i}(a, b):\n    return [a + {i}, b]\n\n\n" for i in range(1500))
    for number in range(80):
        (folder / f"{number}.py").write_text(text)
    return folder


def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command; what it writes is UTF-8 in every locale."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        encoding="utf-8",
        timeout=60,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


@contextmanager
def running(*arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command in a process group of its own, as a shell does, and let nothing of it be left."""
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def group_is_gone(process: subprocess.Popen[bytes]) -> bool:
    """Wait until no process of the group is left, but not for long."""
    for _ in range(100):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def wait_for_output(folder: Path) -> None:
    """Wait until something has been written to the file that becomes the output."""
    deadline = time.monotonic() + 30
    while not any(path.stat().st_size for path in folder.glob(".out*")):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_module_and_script(source: Path) -> None:
    """The script does what the module does."""
    script = Path(sys.executable).with_name("code-chunk")
    done = subprocess.run([script, source], capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout == run(source).stdout


def test_exit_codes(source: Path) -> None:
    """The exit code reaches the shell."""
    (source.parent / "b.xyz").touch()
    arguments = [source], [source.parent / "b.xyz"], ["none"]
    assert [run(*given).returncode for given in arguments] == [0, 1, 2]


def test_version_loads_little() -> None:
    """What is not needed is not loaded."""
    program = "import sys; from code_chunk.cli import main; main(['--version']); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    assert not {"pyarrow", "rich", "tree_sitter_python"} & set(done.stdout.split())


def test_output_in_another_encoding(source: Path) -> None:
    """The lines are ASCII, whatever the terminal's encoding."""
    done = run(source, env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert [Chunk.from_dict(json.loads(line)).text for line in done.stdout.splitlines()] == [PYTHON]


def test_text_in_another_encoding(source: Path) -> None:
    """Text for people is UTF-8."""
    done = run(source, "-f", "text", env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert PYTHON in done.stdout


def test_stdin() -> None:
    """Standard input is read to its end."""
    done = run("-", "--stdin-path", "x.py", input=PYTHON)
    assert [json.loads(line)["text"] for line in done.stdout.splitlines()] == [PYTHON]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that can not be read")
def test_unreadable_file(source: Path) -> None:
    """A file that can not be read is named, and the others are written."""
    (source.parent / "b.py").symlink_to("/proc/self/mem")
    done = run(source.parent / "b.py", source)
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 1)
    assert done.stderr.startswith(f"code-chunk: {source.parent / 'b.py'}: ")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_link_that_leads_nowhere(source: Path) -> None:
    """A broken link in a folder is skipped."""
    (source.parent / "gone.py").symlink_to("none.py")
    done = run(source.parent, "-v")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    assert "gone.py: skipped: link" in done.stderr


# --- pipes ---


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipe_in_a_folder(source: Path) -> None:
    """A pipe in a folder is not waited for."""
    os.mkfifo(source.parent / "pipe.py")
    assert len(run(source.parent).stdout.splitlines()) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipe_as_a_source(source: Path) -> None:
    """A pipe that is named is read, and once."""
    os.mkfifo(source.parent / "pipe.py")
    with running(source.parent / "pipe.py") as process:
        (source.parent / "pipe.py").write_text(PYTHON, encoding="utf-8")
        output, _ = process.communicate(timeout=60)
    assert json.loads(output)["text"] == PYTHON


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipe_as_the_output(source: Path) -> None:
    """A pipe is written to, and stays one."""
    pipe = source.parent / "pipe"
    os.mkfifo(pipe)
    with running(source, "-o", pipe) as process:
        output = pipe.read_text()
        process.communicate(timeout=60)
    assert (json.loads(output)["text"], pipe.is_fifo()) == (PYTHON, True)


@POSIX_ONLY
def test_output_to_the_device_of_stdout(source: Path) -> None:
    """``-o /dev/stdout`` is what stands there already: a file that is appended to keeps what it has."""
    log = source.parent / "log"
    log.write_text("old\n")
    with log.open("a") as stream:
        assert run(source, "-o", "/dev/stdout", stdout=stream).returncode == 0
    assert [line[:10] for line in log.read_text().splitlines()] == ["old", '{"text": "']


@pytest.mark.parametrize("count", [1, 50_000])
def test_closed_pipe(source: Path, count: int) -> None:
    """A reader that has enough ends the command: well, and without a word about it."""
    source.write_text("x = 1\n" * count)
    with running(source) as process:
        assert process.stdout
        assert process.stderr
        line = process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read().decode()
        assert (json.loads(line)["index"], process.wait(60)) == (0, 0)
    assert [word for word in ("Traceback", "ignored", "Broken") if word in errors] == []


@POSIX_ONLY
@pytest.mark.parametrize("form", ["jsonl", "json", "text", "parquet"])
def test_closed_pipe_stops_the_workers(many: Path, form: str) -> None:
    """When the reader has gone, nothing is left running."""
    with running(many, "-f", form, "-j", 2) as process:
        assert process.stdout
        assert process.stdout.read(1)
        process.stdout.close()
        assert process.wait(60) == 0
    assert group_is_gone(process)


@POSIX_ONLY
def test_closed_standard_output(source: Path) -> None:
    """A standard output that is closed is told."""
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, str(source)],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, "code-chunk: standard output is closed\n")


# --- signals ---


@POSIX_ONLY
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signals(many: Path, number: signal.Signals, code: int) -> None:
    """Ctrl-C and its like end all processes, and leave no half of a file and no traceback."""
    (many.parent / "out").write_text("old\n")
    with running(many, "-o", many.parent / "out", "-j", 2) as process:
        wait_for_output(many.parent)
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (code, b"")
    assert group_is_gone(process)
    assert sorted(path.name for path in many.parent.iterdir()) == ["many", "out"]
    assert (many.parent / "out").read_text() == "old\n"


@POSIX_ONLY
def test_signal_twice(many: Path) -> None:
    """An impatient second Ctrl-C changes nothing."""
    with running(many, "-o", many.parent / "out") as process:
        wait_for_output(many.parent)
        for _ in range(5):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.01)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")
    assert [path.name for path in many.parent.iterdir()] == ["many"]


@POSIX_ONLY
def test_output_appears_in_the_end(many: Path) -> None:
    """As long as the command runs there is no output file."""
    with running(many, "-o", many.parent / "out", "-q") as process:
        wait_for_output(many.parent)
        assert not (many.parent / "out").exists()
        assert process.wait(60) == 0
    assert sorted(path.name for path in many.parent.iterdir()) == ["many", "out"]


# --- terminals ---


def run_on_terminal(arguments: list[object], streams: set[str]) -> tuple[int, str]:
    """Run the command with some of its streams on a terminal; give what is written there."""
    import pty

    above, below = pty.openpty()
    try:
        given = dict.fromkeys(streams, below)
        others = {name: subprocess.DEVNULL for name in ("stdout", "stderr") if name not in streams}
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
        with subprocess.Popen(
            [*COMMAND, *map(str, arguments)], stdin=subprocess.DEVNULL, env=environment, **given, **others
        ) as process:
            os.close(below)
            written = b""
            while True:
                try:
                    data = os.read(above, 65536)
                except OSError:  # that is how Linux tells the end
                    data = b""
                if not data:
                    break
                written += data
            return process.wait(60), written.decode()
    finally:
        os.close(above)


@POSIX_ONLY
def test_progress_bar(many: Path) -> None:
    """On a terminal a bar tells how much is done, and is gone in the end."""
    code, written = run_on_terminal([many, "-o", many.parent / "out"], {"stderr"})
    assert (code, "/80" in written, "MB/s" in written) == (0, True, True)
    assert "code-chunk: 80 files" in written.splitlines()[-1]


@POSIX_ONLY
def test_no_progress_bar_when_quiet(source: Path) -> None:
    """With ``-q`` there is no bar."""
    assert run_on_terminal([source, "-q", "-o", source.parent / "out"], {"stderr"}) == (0, "")


@POSIX_ONLY
def test_no_progress_bar_among_the_chunks(source: Path) -> None:
    """Where the chunks go to the terminal there is no bar."""
    code, written = run_on_terminal([source], {"stdout", "stderr"})
    assert (code, "\x1b" in written, '{"text"' in written) == (0, False, True)


@POSIX_ONLY
def test_headings_stand_out_on_a_terminal(source: Path) -> None:
    """On a terminal, headings have a colour; in a pipe they have none."""
    code, written = run_on_terminal([source, "-f", "text"], {"stdout"})
    assert (code, "\x1b[" in written) == (0, True)
    assert "\x1b" not in run(source, "-f", "text").stdout


@POSIX_ONLY
def test_languages_on_a_terminal() -> None:
    """On a terminal the languages are a table."""
    code, written = run_on_terminal(["languages"], {"stdout"})
    assert (code, "│ python" in written) == (0, True)


@POSIX_ONLY
def test_parquet_on_a_terminal(source: Path) -> None:
    """A terminal is spared what is not text."""
    code, written = run_on_terminal([source, "-f", "parquet"], {"stdout", "stderr"})
    assert (code, "give -o FILE" in written) == (2, True)
