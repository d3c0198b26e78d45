"""Batches in programs of every kind: how they are started, how they end, and what their workers may have."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import code_chunk
from processes import PATIENCE, await_children, children, eventually, finish, is_running, run, start
from test_batch import small_files

if TYPE_CHECKING:
    import subprocess

    import psutil

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="limits the address space, watches processes")
posix = pytest.mark.skipif(sys.platform == "win32", reason="made with signals")
FILES = "[(f'a{n}.py', f'x = {n}') for n in range(300)]"
SCRIPT = f"""
from code_chunk import chunk_batch
files = {FILES}
results = chunk_batch(files, concurrency=2)
print(sum(result.chunks[0].text == code for result, (_, code) in zip(results, files, strict=True)))
"""
ENDLESS = f"""
import itertools
from code_chunk import chunk_batch, chunk_batch_stream, achunk_batch
files = itertools.cycle({FILES})
def tell(completed, *_):
    if completed == 300:
        print("going", flush=True)
"""


def write(folder: Path, text: str, name: str = "program.py") -> Path:
    path = folder / name
    path.write_text(text)
    return path


# --- how a program is started ---


def test_script_without_main_guard(tmp_path: Path) -> None:
    """A script of a few lines works, and runs once."""
    assert run(write(tmp_path, SCRIPT)) == "300\n"


def test_script_with_main_guard(tmp_path: Path) -> None:
    """So does one that does it by the book."""
    body = SCRIPT.strip().replace("\n", "\n    ")
    assert run(write(tmp_path, f"if __name__ == '__main__':\n    {body}\n")) == "300\n"


def test_command() -> None:
    """So does `python -c`."""
    assert run("-c", SCRIPT) == "300\n"


def test_standard_input() -> None:
    """So does a script on standard input."""
    assert run("-", text=SCRIPT) == "300\n"


def test_package(tmp_path: Path) -> None:
    """So does `python -m` with a package, of which the workers run no part."""
    (tmp_path / "program").mkdir()
    write(tmp_path / "program", "print('imported')\n", "__init__.py")
    write(tmp_path / "program", SCRIPT, "__main__.py")
    assert run("-m", "program", cwd=tmp_path) == "imported\n300\n"


def test_interactive() -> None:
    """So does an interactive session."""
    process = start(["-i", "-q"], env={**os.environ, "PYTHON_COLORS": "0"})
    out, err = finish(process, SCRIPT)
    assert (out, process.returncode) == ("300\n", 0)
    assert set(err.replace("\n", " ").split()) <= {">>>", "..."}


def test_from_another_folder(tmp_path: Path) -> None:
    """A script that was started by a relative path may change the folder."""
    write(tmp_path, f"import os\nos.chdir('/')\n{SCRIPT}")
    assert run("program.py", cwd=tmp_path) == "300\n"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@posix
def test_start_methods(tmp_path: Path, method: str) -> None:
    """The start method of the program makes no difference, and stays as it is."""
    text = (
        f"import multiprocessing as m\nm.set_start_method('{method}')\n{SCRIPT}\nprint(m.get_start_method())"
    )
    assert run(write(tmp_path, text)) == f"300\n{method}\n"


def test_thread(tmp_path: Path) -> None:
    """A batch may run in a thread."""
    text = f"""
import threading
thread = threading.Thread(target=exec, args=({SCRIPT!r}, {{}}))
thread.start()
thread.join()
"""
    assert run(write(tmp_path, text)) == "300\n"


def test_event_loop(tmp_path: Path) -> None:
    """`chunk_batch` works inside a coroutine, `achunk_batch` without a main guard."""
    text = f"""
import asyncio
from code_chunk import achunk_batch, chunk_batch
async def main():
    files = {FILES}
    print(len(await achunk_batch(files, concurrency=2)), len(chunk_batch(files, concurrency=2)))
asyncio.run(main())
"""
    assert run(write(tmp_path, text)) == "300 300\n"


def test_debugging_event_loop(tmp_path: Path) -> None:
    """An event loop in debug mode finds nothing to say."""
    text = f"""
import asyncio
from code_chunk import achunk_batch
async def main():
    asyncio.get_running_loop().slow_callback_duration = {PATIENCE}
    print(len(await achunk_batch({FILES}, concurrency=2)))
asyncio.run(main(), debug=True)
"""
    assert run("-X", "dev", write(tmp_path, text)) == "300\n"


@posix
def test_forked_child(tmp_path: Path) -> None:
    """A child that was forked after a batch, or in the middle of one, has batches of its own."""
    text = f"""
import json
import os
{SCRIPT}
from code_chunk import chunk_batch_stream
with chunk_batch_stream(files * 5, concurrency=2) as stream:
    next(stream)
    child = os.fork()
    if not child:
        print(len(chunk_batch(files, concurrency=2)), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    print(len(list(stream)))
"""
    assert run(write(tmp_path, text)) == "300\n300\n1499\n"


@pytest.mark.parametrize("method", ["fork", "spawn"])
@posix
def test_daemonic_process(tmp_path: Path, method: str) -> None:
    """A process that may have no children does the work itself; workers that are asked for are refused."""
    text = f"""
import multiprocessing
from code_chunk import CodeChunkError, chunk_batch
files = {FILES}
def work(concurrency):
    try:
        return len(chunk_batch(files, concurrency=concurrency))
    except CodeChunkError as error:
        return str(error)
if __name__ == "__main__":
    with multiprocessing.get_context("{method}").Pool(1) as pool:
        print(*pool.map(work, [None, 1, 2]), sep="\\n")
"""
    told = "a daemonic process can not have workers: give concurrency=1 and no timeout"
    assert run(write(tmp_path, text)) == f"300\n300\n{told}\n"


def test_process_pool_executor(tmp_path: Path) -> None:
    """A batch may run in a worker of `concurrent.futures`."""
    text = f"""
from concurrent.futures import ProcessPoolExecutor
from code_chunk import chunk_batch
def work(count):
    return len(chunk_batch({FILES}[:count], concurrency=2))
if __name__ == "__main__":
    with ProcessPoolExecutor(1) as executor:
        print(executor.submit(work, 250).result())
"""
    assert run(write(tmp_path, text)) == "250\n"


def test_frozen_environment(tmp_path: Path) -> None:
    """Workers find the package where the program found it, on a path of its own making."""
    source = Path(code_chunk.__file__).parents[1]
    text = f"import sys\nsys.path.insert(0, {str(source)!r})\n{SCRIPT}"
    assert run("-s", write(tmp_path, text)) == "300\n"


# --- how a program ends ---


def test_exit_with_a_stream_left_open(tmp_path: Path) -> None:
    """A program may end in the middle of a batch."""
    text = f"{ENDLESS}\nstream = chunk_batch_stream(files, concurrency=2)\nprint(next(stream).filepath)\n"
    began = time.monotonic()
    assert run(write(tmp_path, text)).startswith("a")
    assert time.monotonic() - began < PATIENCE / 4


def test_exit_from_within(tmp_path: Path) -> None:
    """`sys.exit` in the middle of a batch ends it."""
    text = f"import sys\n{ENDLESS}\nfor _ in chunk_batch_stream(files, concurrency=2):\n    sys.exit(0)\n"
    assert run(write(tmp_path, text)) == ""


LOOPS = {
    "list": "chunk_batch(files, concurrency=2, on_progress=tell)",
    "stream": "for _ in chunk_batch_stream(files, concurrency=2, on_progress=tell): pass",
    "awaited": "import asyncio\nasyncio.run(achunk_batch(files, concurrency=2, on_progress=tell))",
    "async for": """
import asyncio
async def main():
    async for _ in chunk_batch_stream(files, concurrency=2, on_progress=tell): pass
asyncio.run(main())
""",
}


def endless(folder: Path, loop: str) -> tuple[subprocess.Popen[str], list[psutil.Process]]:
    """Start a program, and wait until it is in the middle of its batch."""
    process = start([write(folder, f"{ENDLESS}\n{loop}\n")])
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"
    return process, await_children(2, process.pid)


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
@posix
def test_interrupt(tmp_path: Path, loop: str) -> None:
    """Ctrl-C ends a program at once, with the one traceback that is its own."""
    process, workers = endless(tmp_path, loop)
    began = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = finish(process)
    assert time.monotonic() - began < 2
    assert process.returncode == -signal.SIGINT
    assert err.count("KeyboardInterrupt\n") == 1
    # with warnings as errors, a file that Ctrl-C met between `open` and `with` is told of
    lines = [line for line in err.splitlines() if "_io.FileIO" not in line]
    assert not [line for line in lines if "Exception ignored" in line or "Process" in line]
    assert not any(map(is_running, workers))


@pytest.mark.parametrize("delay", [0, 0.02, 0.05, 0.1])
@posix
def test_interrupt_while_starting(tmp_path: Path, delay: float) -> None:
    """Ctrl-C while the workers start says nothing from them."""
    process = start([write(tmp_path, f"{ENDLESS}\n{LOOPS['list']}\n")])
    assert eventually(lambda: bool(children(process.pid)))
    workers = children(process.pid)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    _, err = finish(process)
    assert err.count("KeyboardInterrupt") == 1, err
    # so early the resource tracker can not be told from a worker; it sees the end of the program, and ends
    assert eventually(lambda: not any(map(is_running, workers)), 2)


@posix
def test_interrupt_of_a_stuck_worker(tmp_path: Path) -> None:
    """Ctrl-C ends a program whose worker waits for a file that never comes."""
    os.mkfifo(tmp_path / "stuck.py")
    text = f"""
from code_chunk import chunk_batch
chunk_batch([{str(tmp_path / "stuck.py")!r}], concurrency=1, timeout=1000)
"""
    process = start([write(tmp_path, text)])
    workers = await_children(1, process.pid)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    _, err = finish(process)
    assert err.count("KeyboardInterrupt") == 1
    assert not any(map(is_running, workers))


@posix
def test_interrupt_that_is_caught(tmp_path: Path) -> None:
    """A program may catch Ctrl-C, and do another batch."""
    text = f"""{ENDLESS}
try:
    chunk_batch(files, concurrency=2, on_progress=tell)
except KeyboardInterrupt:
    print(len(chunk_batch({FILES}, concurrency=2)))
"""
    process = start([write(tmp_path, text)])
    assert process.stdout is not None
    assert process.stdout.readline() == "going\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = finish(process)
    assert (out, err, process.returncode) == ("300\n", "", 0)


@posix
def test_terminated(tmp_path: Path) -> None:
    """SIGTERM ends the program; its workers end by themselves."""
    process, workers = endless(tmp_path, LOOPS["list"])
    process.terminate()
    finish(process)
    assert eventually(lambda: not any(map(is_running, workers)))


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
@posix
def test_killed(tmp_path: Path, loop: str) -> None:
    """Workers whose program was killed end by themselves, and say nothing."""
    process, workers = endless(tmp_path, loop)
    process.kill()
    _, err = finish(process)
    assert eventually(lambda: not any(map(is_running, workers)))
    assert "Traceback" not in err


# --- what workers may have ---

LIMITED = """
import resource
from code_chunk import chunk_batch
resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
files = [f'{folder}/a{{n}}.py' for n in range(50)]
files[25] = '{folder}/hog.py'
results = chunk_batch(files, concurrency=2, timeout=1000, encoding='{encoding}')
print([place for place, result in enumerate(results) if result.error], results[25].error)
"""


def hungry(folder: Path, hog: str, size: int, encoding: str) -> str:
    """What becomes of a batch with a file that needs more memory than there is."""
    for number in range(50):
        write(folder, f"x = {number}\n", f"a{number}.py")
    write(folder, hog, "hog.py")
    if size:
        os.truncate(folder / "hog.py", size)
    program = write(folder, LIMITED.format(folder=folder, encoding=encoding))
    return run(program, env={**os.environ, "MALLOC_ARENA_MAX": "1"})  # else each thread reserves much


@on_linux
def test_limited_memory(tmp_path: Path) -> None:
    """A file for which Python runs out of memory fails, and says so; the others do not."""
    out = hungry(tmp_path, "", 1 << 30, "latin-1")
    assert out == "[25] there is not enough memory to chunk the file\n"


@on_linux
def test_limited_memory_of_the_parser(tmp_path: Path) -> None:
    """One for which the parser runs out of memory takes its process along, and nothing else."""
    out = hungry(tmp_path, f"x = [{'f(1), ' * 3_000_000}]\n", 0, "utf-8")
    assert out.startswith("[25] ")
    assert "memory" in out or "killed by" in out


UNABLE = """
import multiprocessing, os, resource
from code_chunk import CodeChunkError, chunk_batch
{}
try:
    chunk_batch([(f'a{{n}}.py', f'x = {{n}}') for n in range(300)], concurrency=2)
except CodeChunkError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    "cause",
    [
        pytest.param("multiprocessing.set_executable('/nowhere/python')", id="no interpreter"),
        pytest.param("multiprocessing.set_executable('/bin/false')", id="an interpreter that fails"),
        pytest.param("multiprocessing.set_executable('/bin/true')", id="an interpreter that does nothing"),
        pytest.param("resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))", id="no file descriptors"),
        pytest.param("os.environ['PYTHONHOME'] = '/nowhere'", id="no library"),
    ],
)
@posix
def test_workers_that_can_not_start(tmp_path: Path, cause: str) -> None:
    """Where no worker can be started the batch says so."""
    process = start(["-W", "ignore", write(tmp_path, UNABLE.format(cause))])  # the resource tracker's
    out, err = finish(process)
    assert out.startswith("CodeChunkError worker processes can not be started"), err
    assert process.returncode == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may have any number")
def test_no_more_processes(tmp_path: Path) -> None:
    """So it does where the user may have no more processes."""
    out = run(write(tmp_path, UNABLE.format("resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))")))
    assert out.startswith("CodeChunkError worker processes can not be started")


# --- the example ---


@pytest.mark.skipif(not hasattr(code_chunk, "walk_repository"), reason="walks a repository")
def test_index_repository(tmp_path: Path) -> None:
    """The example writes a record for each chunk of a repository."""
    pytest.importorskip("rich")
    for name, code in small_files(20):
        write(tmp_path, code, name)
    example = Path(__file__).parents[1] / "examples" / "index_repository.py"
    index = tmp_path / "index.jsonl"
    out = run(example, tmp_path, "--index", index, "--concurrency", "2")
    records = [json.loads(line) for line in index.read_text().splitlines()]
    assert {record["path"] for record in records} == {name for name, _ in small_files(20)}
    assert f"{len(records)} chunks of 20 files" in out
