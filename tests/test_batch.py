"""Batches: every file has its result, in order, from every kind of input, and nothing is read too early."""

from __future__ import annotations

import asyncio
import itertools
import os
import pickle
import sys
import threading
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from code_chunk import (
    BatchResult,
    Chunker,
    ChunkingError,
    ChunkingTimeoutError,
    ChunkOptions,
    CodeChunkError,
    FileInput,
    GrammarNotInstalledError,
    UnsupportedLanguageError,
    achunk_batch,
    chunk,
    chunk_batch,
    chunk_batch_stream,
    create_chunker,
    register_language,
)
from processes import PATIENCE, children

if TYPE_CHECKING:
    from collections.abc import Iterator


CODES = {
    "a{0}.go": "package p{0}\n\n// Add adds.\nfunc Add{0}(a int) int {{\n\treturn a + {0}\n}}\n",
    "A{0}.java": "class A{0} {{\n    int add(int a) {{ return a + {0}; }}\n}}\n",
    "a{0}.js": "import b from 'b'\n\nexport const add{0} = (a) => a + b + {0}\n",
    "a{0}.py": 'def add{0}(a):\n    """Add."""\n    return a + {0}\n\n\nx = )\n',
    "a{0}.rs": "/// Adds.\nfn add{0}(a: u64) -> u64 {{\n    a + {0}\n}}\n",
    "a{0}.ts": "interface A{0} {{\n  add(a: number): string\n}}\n",
}
FORCED = 3 * PATIENCE
"""A timeout that no file reaches: with one, the smallest batch goes to workers."""
GROUP = 64
"""Small files that a worker gets at a time."""
as_root = hasattr(os, "geteuid") and os.geteuid() == 0


def small_files(count: int) -> list[tuple[str, str]]:
    """Files of a hundred bytes, all different, in six languages."""
    names = itertools.cycle(CODES)
    return [
        (name.format(number), CODES[name].format(number))
        for number, name in zip(range(count), names, strict=False)
    ]


@cache
def expected(count: int) -> list[BatchResult]:
    """What the small files give one by one."""
    return [BatchResult(name, chunk(name, code)) for name, code in small_files(count)]


def functions(count: int) -> str:
    """Some 40 bytes of Python for each."""
    return "".join(f"def f{number}(a, b):\n    return a + b * {number}\n\n\n" for number in range(count))


def in_worker(*files: Any, **options: Any) -> list[BatchResult]:
    """Chunk a batch in one worker, however small it is."""
    return chunk_batch(files, concurrency=1, timeout=FORCED, **options)


def here(*files: Any, **options: Any) -> list[BatchResult]:
    """Chunk a batch in this process."""
    return chunk_batch(files, concurrency=1, **options)


def texts(result: BatchResult) -> list[str]:
    assert result.error is None
    assert result.chunks is not None
    return [made.text for made in result.chunks]


def failure(results: list[BatchResult]) -> CodeChunkError:
    """The error of a batch's only file."""
    (result,) = results
    assert result.chunks is None
    assert result.error is not None
    return result.error


both = pytest.mark.parametrize("batch", [here, in_worker])


# --- equal to one call for each file ---


@pytest.mark.parametrize("concurrency", [1, 2, 8])
def test_many_files(concurrency: int) -> None:
    """5,000 files give what 5,000 calls give, in order."""
    assert chunk_batch(small_files(5000), concurrency=concurrency) == expected(5000)


def test_options_reach_the_workers() -> None:
    """Every option has its effect there."""
    options = ChunkOptions(max_chunk_size=30, context_mode="minimal", overlap_lines=2)
    batch = chunk_batch(small_files(300), concurrency=2, options=options, filter_imports=True)
    assert batch == [
        BatchResult(name, chunk(name, code, options, filter_imports=True)) for name, code in small_files(300)
    ]


def test_by_default() -> None:
    """Without a word on concurrency it is the same."""
    assert chunk_batch(small_files(500)) == expected(500)


def test_awaited() -> None:
    """`achunk_batch` gives the same list."""
    assert asyncio.run(achunk_batch(small_files(500), concurrency=2)) == expected(500)


def test_streamed() -> None:
    """A stream gives the same results, each once."""
    results = list(chunk_batch_stream(small_files(500), concurrency=2))
    assert sorted(results, key=lambda result: int("".join(filter(str.isdigit, result.filepath)))) == expected(
        500
    )


def test_streamed_asynchronously() -> None:
    """`async for` gives the same results, each once."""

    async def read() -> list[BatchResult]:
        return [result async for result in chunk_batch_stream(small_files(500), concurrency=2)]

    results = asyncio.run(read())
    assert sorted(result.filepath for result in results) == sorted(name for name, _ in small_files(500))


def test_large_file() -> None:
    """A large file comes back whole."""
    code = functions(10_000)
    assert in_worker(("a.py", code)) == [BatchResult("a.py", chunk("a.py", code))]


def test_results_are_numbered() -> None:
    """Chunks from a worker know how many they are."""
    (result,) = in_worker(("a.py", "a = 1\nb = 2\n"), max_chunk_size=3)
    assert result.chunks is not None
    assert [(made.index, made.total_chunks) for made in result.chunks] == [(0, 2), (1, 2)]


def test_small_batch_starts_no_process() -> None:
    """A few files are done before a worker would be ready."""
    with chunk_batch_stream(small_files(10), concurrency=8) as stream:
        next(stream)
        assert not children()


def test_concurrency_is_the_number_of_workers() -> None:
    """With 3 there are three processes, and none at the end."""
    with chunk_batch_stream(small_files(5000), concurrency=3) as stream:
        next(stream)
        assert len(children()) == 3
    assert not children()


def test_no_more_workers_than_work() -> None:
    """A batch of one file starts one worker."""
    with chunk_batch_stream(small_files(1), concurrency=8, timeout=FORCED) as stream:
        next(stream)
        assert len(children()) == 1


def test_empty_batch() -> None:
    """No files, no results, no progress."""
    calls: list[Any] = []
    assert chunk_batch([], on_progress=lambda *call: calls.append(call), timeout=FORCED) == []
    assert list(chunk_batch_stream(iter(()), concurrency=2)) == []
    assert asyncio.run(achunk_batch([])) == []
    assert calls == []
    assert not children()


def test_several_batches_at_once() -> None:
    """Batches in threads do not know each other."""
    results: dict[int, list[BatchResult]] = {}

    def work(number: int) -> None:
        results[number] = chunk_batch(small_files(200 + number), concurrency=1, timeout=FORCED)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert results == {number: expected(200 + number) for number in range(3)}


def test_batches_at_once_in_an_event_loop() -> None:
    """`asyncio.gather` over batches gives each its own results."""

    async def work() -> list[list[BatchResult]]:
        return await asyncio.gather(
            *(achunk_batch(small_files(150 + n), concurrency=1, timeout=FORCED) for n in range(2))
        )

    assert asyncio.run(work()) == [expected(150), expected(151)]


# --- lazy and bounded ---


class Counted:
    """An endless iterable of small files, which counts how many were taken."""

    def __init__(self, delay: float = 0) -> None:
        self.taken = 0
        self._delay = delay

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for number in itertools.count():
            time.sleep(self._delay)
            self.taken += 1
            yield f"a{number}.py", f"x = {number}\n"


@pytest.mark.parametrize("concurrency", [1, 2])
def test_endless_files(concurrency: int) -> None:
    """A stream takes files as they are needed: at most three groups for each worker ahead of the results.

    Two groups are with the worker, and one file may be at hand; the third stands for the results that are
    ready but not yet asked for, on whose account the worker has been given more.
    """
    files = Counted()
    with chunk_batch_stream(files, concurrency=concurrency, timeout=FORCED) as stream:
        for done in range(1, 301):
            next(stream)
            assert files.taken <= done + 3 * GROUP * concurrency
    assert not children()


def test_endless_files_here() -> None:
    """In this process a file is taken when its result is asked for."""
    files = Counted()
    with chunk_batch_stream(files, concurrency=1) as stream:
        for done in range(1, 50):
            next(stream)
            assert files.taken == done


def test_nothing_is_taken_before_it_is_asked_for() -> None:
    """Making a stream takes nothing and starts nothing."""
    files = Counted()
    with chunk_batch_stream(files, concurrency=2):
        assert files.taken == 0
        assert not children()


def test_slow_consumer() -> None:
    """While nobody asks for results, no more files are taken."""
    files = Counted()
    with chunk_batch_stream(files, concurrency=2) as stream:
        next(stream)
        time.sleep(0.3)
        taken = files.taken
        time.sleep(0.3)
        assert files.taken == taken <= 1 + 3 * GROUP * 2


def test_slow_files_are_not_waited_for() -> None:
    """Where files come slowly, the first results do not wait for a full group."""
    files = Counted(delay=0.02)
    with chunk_batch_stream(files, concurrency=1, timeout=FORCED) as stream:
        next(stream)
        assert files.taken < GROUP / 2


def test_results_as_they_complete() -> None:
    """A large file does not hold back the small ones behind it."""
    files = [("large.py", functions(20_000)), *small_files(300)]
    order = [result.filepath for result in chunk_batch_stream(files, concurrency=2)]
    assert order.index("large.py") > 100


# --- progress ---


def progress_of(files: Any, **options: Any) -> list[tuple[int, int, str, bool]]:
    calls: list[tuple[int, int, str, bool]] = []
    chunk_batch(files, on_progress=lambda *call: calls.append(call), **options)
    return calls


@pytest.mark.parametrize("concurrency", [1, 2])
def test_progress(concurrency: int) -> None:
    """It is told after each file how many are done, of how many, which one, and whether it was chunked."""
    files = [*small_files(300), ("a.xyz", "?")]
    calls = progress_of(files, concurrency=concurrency)
    assert [(completed, total) for completed, total, _, _ in calls] == [
        (number, 301) for number in range(1, 302)
    ]
    assert {(name, success) for _, _, name, success in calls} == {
        *((name, True) for name, _ in small_files(300)),
        ("a.xyz", False),
    }


@pytest.mark.parametrize("concurrency", [1, 2])
def test_progress_without_a_length(concurrency: int) -> None:
    """The total of a generator is -1."""
    calls = progress_of(iter(small_files(300)), concurrency=concurrency)
    assert {total for _, total, _, _ in calls} == {-1}


def test_progress_is_told_in_the_callers_thread() -> None:
    """`on_progress` needs no lock."""
    seen: set[int] = set()
    chunk_batch(small_files(300), concurrency=2, on_progress=lambda *_: seen.add(threading.get_ident()))
    assert seen == {threading.get_ident()}


def test_progress_is_told_in_the_event_loop() -> None:
    """`on_progress` of an awaited batch may use the loop."""
    loops: set[asyncio.AbstractEventLoop] = set()

    async def work() -> asyncio.AbstractEventLoop:
        await achunk_batch(
            small_files(300), concurrency=2, on_progress=lambda *_: loops.add(asyncio.get_running_loop())
        )
        return asyncio.get_running_loop()

    assert {asyncio.run(work())} == loops


def test_progress_of_a_stream() -> None:
    """It is told before the result is given."""
    calls: list[int] = []
    for number, _ in enumerate(
        chunk_batch_stream(small_files(200), concurrency=2, on_progress=lambda done, *_: calls.append(done)),
        1,
    ):
        assert calls[-1] == number


# --- kinds of input ---


class PathLike:
    """A path object that is no `Path`."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    def __fspath__(self) -> str:
        return self._path


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_text("x = 1\ny = 2\n")
    return path


@both
def test_paths(batch: Any, source: Path) -> None:
    """A path is read, whatever its type."""
    results = batch(str(source), source, PathLike(source), FileInput(source))
    assert [texts(result) for result in results] == 4 * [["x = 1\ny = 2\n"]]
    assert [result.filepath for result in results] == 4 * [str(source)]


@both
def test_pairs(batch: Any, source: Path) -> None:
    """A pair is a path and its code, which may be text, bytes, or a path to read."""
    pairs = [
        ("b.py", "x = 1"),
        ["b.py", b"x = 1"],
        (Path("b.py"), bytearray(b"x = 1")),
        ("b.py", memoryview(b"x = 1")),
    ]
    results = batch(*pairs, ("b.py", source))
    assert [texts(result) for result in results] == [*(4 * [["x = 1"]]), ["x = 1\ny = 2\n"]]
    assert {result.filepath for result in results} == {"b.py"}


@both
def test_code_is_no_path(batch: Any, source: Path) -> None:
    """A `str` as code is code, even where it names a file."""
    (result,) = batch(("b.py", str(source)))
    assert texts(result) == [str(source)]


@both
def test_options_of_a_file(batch: Any) -> None:
    """A mapping is laid over the options of the batch; a whole set of options stands in their place."""
    code = "x = 1\ny = 2\n"
    results = batch(
        FileInput("a.py", code),
        FileInput("a.py", code, {"max_chunk_size": 3}),
        FileInput("a.py", code, ChunkOptions(max_chunk_size=3)),
        FileInput("a.py", code, {}),
        context_mode="none",
    )
    headers = [result.chunks[0].contextualized_text.startswith("# a.py") for result in results]
    assert [len(result.chunks) for result in results] == [1, 2, 2, 1]
    assert headers == [False, False, True, False]


@both
def test_file_under_another_name(batch: Any, source: Path) -> None:
    """A path as code is read, and chunked under the file's own path."""
    (result,) = batch(FileInput("lib/b.js", source))
    assert result.filepath == "lib/b.js"
    assert result.chunks[0].context.language == "javascript"


@both
def test_language_is_asked_for(batch: Any) -> None:
    """The options of a file tell its language."""
    (result,) = batch(FileInput("BUILD", "x = 1", {"language": "python"}))
    assert texts(result) == ["x = 1"]


@both
def test_one_path_many_times(batch: Any, source: Path) -> None:
    """The same path gives a result each time."""
    assert [texts(result) for result in batch(*(5 * [source]))] == 5 * [["x = 1\ny = 2\n"]]


@both
def test_empty_files(batch: Any, tmp_path: Path) -> None:
    """A file without text has no chunks, and that is no error."""
    empty = tmp_path / "a.py"
    empty.touch()
    results = batch(empty, ("b.py", ""), ("c.py", b""), ("d.py", " \n"))
    assert [(result.chunks, result.error) for result in results] == 4 * [([], None)]


def test_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path is meant where the batch is called, and stays as it is in the result."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(f"x = '{name}'")
    monkeypatch.chdir(tmp_path / "one")
    with chunk_batch_stream(["a.py"], concurrency=1, timeout=FORCED) as stream:
        monkeypatch.chdir(tmp_path / "two")
        result = next(stream)
    assert (result.filepath, texts(result)) == ("a.py", ["x = 'one'"])


def test_relative_paths_of_a_generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that runs already follows the caller to another folder."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text(f"x = '{name}'")

    def files() -> Iterator[str]:
        for name in ("one", "two"):
            monkeypatch.chdir(tmp_path / name)
            yield "a.py"
            time.sleep(0.1)  # so that the second file goes to the worker by itself

    results = list(chunk_batch_stream(files(), concurrency=1, timeout=FORCED))
    assert [texts(result) for result in results] == [["x = 'one'"], ["x = 'two'"]]


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="file names are text there")
@both
def test_file_name_that_is_no_utf8(batch: Any, tmp_path: Path) -> None:
    """A name of any bytes comes back as Python spells it."""
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.py")
    Path(path).write_text("x = 1")
    (result,) = batch(path)
    assert (result.filepath, texts(result)) == (path, ["x = 1"])


@both
def test_lone_surrogates(batch: Any) -> None:
    """Text that has no UTF-8 survives the way to a worker and back."""
    (result,) = batch(("a\udc80.py", "x = '\ud800'\n"))
    assert texts(result) == ["x = '\ud800'\n"]
    assert result.chunks[0].context.filepath == "a\udc80.py"


@both
def test_encoding(batch: Any, tmp_path: Path) -> None:
    """Files are read with the encoding that is given, under its usual name in the result."""
    path = tmp_path / "a.py"
    path.write_bytes("x = 'é'".encode("latin-1"))
    (result,) = batch(path, encoding="latin-1")
    assert (texts(result), result.encoding) == (["x = 'é'"], "iso8859-1")


@both
def test_encoding_of_given_code(batch: Any, source: Path) -> None:
    """Given code has no encoding; a file is read as UTF-8."""
    assert [result.encoding for result in batch(("a.py", "x"), source)] == [None, "utf-8"]


# --- files that fail ---


@both
def test_unknown_language(batch: Any) -> None:
    """The error of the one call stands in the result."""
    error = failure(batch(("notes.xyz", "?")))
    assert isinstance(error, UnsupportedLanguageError)
    assert (str(error), error.filepath) == ("Unsupported file type: notes.xyz", "notes.xyz")


@both
def test_unknown_language_by_name(batch: Any) -> None:
    """A name that does not exist is the file's error."""
    error = failure(batch(("a.py", "x"), language="klingon"))
    assert isinstance(error, UnsupportedLanguageError)
    assert str(error) == "Unknown language: klingon"


@both
def test_missing_file(batch: Any, tmp_path: Path) -> None:
    """The error names the file, and has the original as its cause."""
    path = tmp_path / "gone.py"
    error = failure(batch(path))
    assert str(error) == f"{path} can not be read: No such file or directory"
    assert isinstance(error.__cause__, FileNotFoundError)
    assert error.__cause__.filename == str(path)


@both
def test_folder_as_a_file(batch: Any, tmp_path: Path) -> None:
    """A folder can not be read."""
    error = failure(batch(tmp_path))
    assert isinstance(error, ChunkingError)
    assert "can not be read" in str(error)


@pytest.mark.skipif(as_root, reason="root may read everything")
@both
def test_forbidden_file(batch: Any, source: Path) -> None:
    """So does a file without permission."""
    source.chmod(0)
    assert "Permission denied" in str(failure(batch(source)))


@both
def test_null_in_a_path(batch: Any) -> None:
    """A path that no system takes is the file's own error."""
    assert isinstance(failure(batch("a\0b.py")), ChunkingError)


@both
def test_bytes_that_are_no_utf8(batch: Any, tmp_path: Path) -> None:
    """The error names the byte, for code as for a file."""
    path = tmp_path / "a.py"
    path.write_bytes(b"x = '\xff'")
    results = batch(path, ("b.py", b"x = '\xff'"))
    assert [type(result.error) for result in results] == 2 * [ChunkingError]
    assert ["5" in str(result.error) for result in results] == [True, True]
    assert isinstance(results[0].error.__cause__, UnicodeDecodeError)


@both
def test_one_bad_file_spoils_nothing(batch: Any) -> None:
    """The others of its group are chunked."""
    files = small_files(30)
    files[10] = ("a.xyz", "?")
    results = batch(*files)
    assert [position for position, result in enumerate(results) if result.error] == [10]


# --- values ---


def test_results_can_be_pickled(source: Path) -> None:
    """Chunks, errors and their causes survive."""
    results = in_worker(source, source.with_name("gone.py"), ("a.xyz", "?"))
    copies = pickle.loads(pickle.dumps(results))
    assert copies[0] == results[0]
    for copy, result in zip(copies[1:], results[1:], strict=True):
        assert (type(copy.error), str(copy.error)) == (type(result.error), str(result.error))
    assert isinstance(copies[1].error.__cause__, FileNotFoundError)
    assert copies[2].error.filepath == "a.xyz"


@pytest.mark.parametrize(
    "error",
    [
        CodeChunkError("a"),
        ChunkingError("b"),
        ChunkingTimeoutError("c"),
        UnsupportedLanguageError("Unsupported file type: a.xyz", "a.xyz"),
        GrammarNotInstalledError("d"),
    ],
)
def test_results_as_json(error: CodeChunkError) -> None:
    """An error comes back from its tag and message."""
    copy = BatchResult.from_dict(BatchResult("a.py", None, error).to_dict())
    assert (type(copy.error), str(copy.error)) == (type(error), str(error))


def test_chunks_as_json() -> None:
    """A result with chunks comes back as it was."""
    for result in here(("a.py", "x = 1"), ("b.py", "")):
        assert BatchResult.from_dict(result.to_dict()) == result


def test_unknown_json_keys() -> None:
    """Keys that are not known are ignored, and missing ones are None."""
    assert BatchResult.from_dict({"filepath": "a.py", "more": 1}) == BatchResult("a.py")


# --- registered languages ---

TOML = """
name = "starlark"
extensions = [".star"]
grammar = "{}"
definitions = ["function_definition"]
blocks = ["module", "block"]
"""
TAGS = "(function_definition name: (identifier) @name body: (block) @body) @definition.function\n"


@contextmanager
def language(folder: Path, grammar: str = "tree_sitter_python:language") -> Iterator[Path]:
    folder.mkdir()
    (folder / "language.toml").write_text(TOML.format(grammar))
    (folder / "tags.scm").write_text(TAGS)
    (folder / "imports.scm").write_text("")
    yield folder


def test_registered_language(tmp_path: Path) -> None:
    """Workers know the languages that the caller has registered."""
    with language(tmp_path / "starlark") as folder:
        register_language(folder)
        code = "def f():\n    pass\n"
        assert in_worker(("a.star", code)) == [BatchResult("a.star", chunk("a.star", code))]


def test_language_registered_after_the_start(tmp_path: Path) -> None:
    """A language counts from the next batch on."""
    with language(tmp_path / "starlark") as folder:
        assert isinstance(failure(in_worker(("a.star", "x = 1"))), UnsupportedLanguageError)
        register_language(folder)
        assert texts(in_worker(("a.star", "x = 1"))[0]) == ["x = 1"]


# --- misuse ---

WRONG_FILES: list[tuple[Any, str]] = [
    ("a.py", "files must be an iterable of files, not str"),
    (b"a.py", "files must be an iterable of files, not bytes"),
    (Path("a.py"), "files must be an iterable of files, not PosixPath"),
    ({"a.py": "x"}, "files must be an iterable of files, not dict; give its items()"),
    (None, "files must be an iterable of files, not NoneType"),
    (FileInput("a.py", "x"), "files must be an iterable of files, not FileInput"),
    ([("ok.py", "x"), 1], "a file must be a path, a (filepath, code) pair or a FileInput, not int"),
    ([("a.py", "x", {})], "a file must be a path, a (filepath, code) pair or a FileInput, not tuple"),
    ([None], "a file must be a path, a (filepath, code) pair or a FileInput, not NoneType"),
    ([b"a.py"], "a file must be a path, a (filepath, code) pair or a FileInput, not bytes"),
    ([("a.py", None)], "the code of 'a.py' is None; give the path alone to have it read"),
    ([("a.py", 1)], "code must be str, bytes, a path object or None, not int; give a path to read"),
    ([(1, "x")], "filepath must be str or a path of str, not int"),
]


@pytest.mark.parametrize(("files", "message"), WRONG_FILES, ids=[repr(files) for files, _ in WRONG_FILES])
def test_wrong_files(files: Any, message: str) -> None:
    """What is no file is refused before any work."""
    calls: list[Any] = []
    with pytest.raises(TypeError) as caught:
        chunk_batch(files, on_progress=lambda *call: calls.append(call))
    assert str(caught.value).replace("WindowsPath", "PosixPath") == message
    assert calls == []


def test_wrong_files_of_a_stream() -> None:
    """A stream of a list refuses it when it is made."""
    with pytest.raises(TypeError, match="a file must be"):
        chunk_batch_stream([("ok.py", "x"), 1])  # type: ignore[list-item]


def test_wrong_files_of_an_awaited_batch() -> None:
    """So does a batch that is awaited."""
    with pytest.raises(TypeError, match="a file must be"):
        asyncio.run(achunk_batch([1]))  # type: ignore[list-item]


@pytest.mark.parametrize("concurrency", [1, 2])
def test_wrong_file_of_a_generator(concurrency: int) -> None:
    """In a generator it is found when it is reached, and ends the batch."""
    with pytest.raises(TypeError, match="a file must be"):
        chunk_batch((item for item in [("ok.py", "x"), 1]), concurrency=concurrency)  # type: ignore[misc]
    assert not children()


WRONG_ARGUMENTS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"concurrency": 0}, ValueError, "concurrency must be at least 1, not 0"),
    ({"concurrency": -1}, ValueError, "concurrency must be at least 1, not -1"),
    ({"concurrency": 2.0}, TypeError, "concurrency must be an int or None, not float"),
    ({"concurrency": True}, TypeError, "concurrency must be an int or None, not bool"),
    ({"timeout": 0}, ValueError, "timeout must be above 0 and finite, not 0"),
    ({"timeout": -1.5}, ValueError, "timeout must be above 0 and finite, not -1.5"),
    ({"timeout": float("inf")}, ValueError, "timeout must be above 0 and finite, not inf"),
    ({"timeout": float("nan")}, ValueError, "timeout must be above 0 and finite, not nan"),
    ({"timeout": "1"}, TypeError, "timeout must be a number of seconds or None, not str"),
    ({"timeout": True}, TypeError, "timeout must be a number of seconds or None, not bool"),
    ({"on_progress": 1}, TypeError, "on_progress must be callable, not int"),
    (
        {"encoding": "utf-88"},
        ValueError,
        "encoding must be \"guess\" or the name of a text codec, not 'utf-88'",
    ),
    ({"encoding": None}, TypeError, "encoding must be a str, not NoneType"),
    ({"max_chunk_size": 0}, ValueError, "max_chunk_size"),
    ({"max_size": 1}, TypeError, "max_size"),
    ({"options": {"max_chunk_size": 1}}, TypeError, "options"),
]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"), WRONG_ARGUMENTS, ids=[str(each[0]) for each in WRONG_ARGUMENTS]
)
def test_wrong_arguments(arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    """A wrong argument is refused at once, by each of the three functions."""
    calls: list[Any] = []
    arguments = {"on_progress": lambda *call: calls.append(call), **arguments}
    for function in (chunk_batch, chunk_batch_stream):
        with pytest.raises(kind) as caught:
            function([("a.py", "x")], **arguments)
        assert message in str(caught.value)
    with pytest.raises(kind) as caught:
        asyncio.run(achunk_batch([("a.py", "x")], **arguments))
    assert message in str(caught.value)
    assert calls == []


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: FileInput(1), TypeError),  # type: ignore[arg-type]
        (lambda: FileInput("a.py", 1), TypeError),  # type: ignore[arg-type]
        (lambda: FileInput("a.py", None, 1), TypeError),  # type: ignore[arg-type]
        (lambda: FileInput("a.py", None, {"max_size": 1}), TypeError),
        (lambda: FileInput("a.py", None, {"max_chunk_size": 0}), ValueError),
    ],
)
def test_wrong_file_input(make: Any, kind: type[Exception]) -> None:
    """A `FileInput` refuses wrong fields when it is made."""
    with pytest.raises(kind):
        make()


# --- a chunker ---


def test_chunker() -> None:
    """The methods of a chunker are the functions with its options."""
    chunker = create_chunker(max_chunk_size=3)
    files = [("a.py", "a = 1\nb = 2\n")]

    async def work() -> list[BatchResult]:
        return await chunker.achunk_batch(files)

    batches = [chunker.chunk_batch(files), list(chunker.chunk_batch_stream(files)), asyncio.run(work())]
    assert batches == 3 * [chunk_batch(files, max_chunk_size=3)]


def test_chunker_takes_overrides() -> None:
    """Single options are laid over those of the chunker."""
    made = Chunker(max_chunk_size=3).chunk_batch([("a.py", "a = 1\nb = 2\n")], max_chunk_size=1500)
    assert texts(made[0]) == ["a = 1\nb = 2\n"]


def test_chunker_passes_everything_on() -> None:
    """Workers, progress and timeout are there, too."""
    calls: list[Any] = []
    results = pickle.loads(pickle.dumps(Chunker())).chunk_batch(
        small_files(3), concurrency=2, timeout=FORCED, on_progress=lambda *call: calls.append(call)
    )
    assert (results, len(calls)) == (expected(3), 3)
