"""The public names, the calls for one file, and the registry of languages."""

from __future__ import annotations

import asyncio
import dataclasses
import inspect
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

import code_chunk
from code_chunk import (
    LANGUAGE_EXTENSIONS,
    ChunkingError,
    GrammarNotInstalledError,
    LanguageSpecError,
    LineRange,
    UnsupportedLanguageError,
    achunk,
    chunk,
    chunk_stream,
    detect_language,
    register_language,
    supported_languages,
)

CODE = "import os\n\n\ndef f():\n    return os.sep\n\n\nclass A:\n    def m(self):\n        return 'é🎉'\n"


# --- names ---


def test_all() -> None:
    """The package exports what it promises, and nothing else."""
    assert sorted(code_chunk.__all__) == sorted(
        [
            "chunk",
            "achunk",
            "chunk_stream",
            "chunk_batch",
            "achunk_batch",
            "chunk_batch_stream",
            "FileInput",
            "BatchResult",
            "walk_repository",
            "SkippedFile",
            "read_source",
            "create_chunker",
            "Chunker",
            "ChunkOptions",
            "format_chunk_with_context",
            "detect_language",
            "LANGUAGE_EXTENSIONS",
            "supported_languages",
            "register_language",
            "Chunk",
            "ChunkContext",
            "EntityInfo",
            "ChunkEntityInfo",
            "SiblingInfo",
            "ImportInfo",
            "ParseError",
            "ByteRange",
            "LineRange",
            "CodeChunkError",
            "ChunkingError",
            "ChunkingTimeoutError",
            "UnsupportedLanguageError",
            "GrammarNotInstalledError",
            "LanguageSpecError",
        ]
    )


def test_all_else_has_an_underscore() -> None:
    """What is not exported is a module, or private."""
    others = {name for name in vars(code_chunk) if not name.startswith("_")} - set(code_chunk.__all__)
    assert [name for name in others if not inspect.ismodule(getattr(code_chunk, name))] == []


def _documented() -> list[str]:
    return [name for name in code_chunk.__all__ if name != "LANGUAGE_EXTENSIONS"]


@pytest.mark.parametrize("name", _documented())
def test_docstring(name: str) -> None:
    """Every public name says what it is."""
    assert (inspect.getdoc(getattr(code_chunk, name)) or "").strip()


@pytest.mark.parametrize(
    "name", [name for name in _documented() if inspect.isfunction(getattr(code_chunk, name))]
)
def test_docstring_has_an_example(name: str) -> None:
    """Every public function shows how it is called."""
    doc = inspect.getdoc(getattr(code_chunk, name)) or ""
    assert ("Example:" in doc, ">>>" in doc) == (True, True)


@pytest.mark.parametrize(
    "name", [n for n in _documented() if dataclasses.is_dataclass(getattr(code_chunk, n))]
)
def test_fields_have_docstrings(name: str) -> None:
    """Every field of a value has a docstring line below it."""
    value = getattr(code_chunk, name)
    source = inspect.getsource(value)
    bare = [f.name for f in dataclasses.fields(value) if not _has_docstring(source, f.name)]
    assert bare == []


def _has_docstring(source: str, field: str) -> bool:
    lines = source.split("\n")
    [index] = [number for number, line in enumerate(lines) if line.startswith(f"    {field}: ")]
    return lines[index + 1].strip().startswith('"""')


# --- importing ---


def run_python(program: str) -> str:
    """Run a program in a fresh interpreter, and give what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


HEAVY = (
    "asyncio",
    "concurrent",
    "multiprocessing",
    "subprocess",
    "socket",
    "ssl",
    "http",
    "unittest",
    "pydoc",
    "numpy",
)


def test_import_loads_no_grammar_and_no_machinery() -> None:
    """Importing the package loads no grammar, no event loop, no processes and no network."""
    program = (
        "import sys\nbefore = set(sys.modules)\nimport code_chunk\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    loaded = set(run_python(program).split())
    assert [name for name in loaded if name in HEAVY or name.startswith("tree_sitter_")] == []


def test_chunk_loads_one_grammar() -> None:
    """Chunking a file loads the grammar of its language only."""
    program = (
        "import sys\nimport code_chunk\ncode_chunk.chunk('a.go', 'package p')\n"
        "print(*sorted(name for name in sys.modules if name.startswith('tree_sitter_') and '.' not in name))"
    )
    assert run_python(program) == "tree_sitter_go\n"


# --- one file ---


class _PathLike(os.PathLike[str]):
    def __fspath__(self) -> str:
        return "src/a.py"


@pytest.mark.parametrize("filepath", [PurePosixPath("src/a.py"), _PathLike()], ids=["Path", "PathLike"])
def test_path_objects(filepath: os.PathLike[str]) -> None:
    """A path may be an object that gives a str."""
    assert chunk(filepath, CODE) == chunk("src/a.py", CODE)


CODES: dict[str, Any] = {
    "str": lambda: CODE,
    "bytes": lambda: CODE.encode(),
    "bytearray": lambda: bytearray(CODE.encode()),
    "memoryview": lambda: memoryview(CODE.encode()),
    "file": lambda: io.BytesIO(CODE.encode()),
}


@pytest.mark.parametrize("form", CODES)
def test_forms_of_code(form: str) -> None:
    """Text, bytes and a binary file give equal chunks."""
    assert chunk("a.py", CODES[form](), max_chunk_size=20) == chunk("a.py", CODE, max_chunk_size=20)


@pytest.mark.parametrize("form", CODES)
def test_forms_of_code_in_a_stream(form: str) -> None:
    """A stream takes what a list does."""
    assert list(chunk_stream("a.py", CODES[form]())) == list(chunk_stream("a.py", CODE))


def test_achunk() -> None:
    """The coroutine gives what the function does."""
    assert asyncio.run(achunk("a.py", CODE, max_chunk_size=20)) == chunk("a.py", CODE, max_chunk_size=20)


def test_achunk_lets_other_tasks_run() -> None:
    """Other tasks go on while a large file is chunked."""
    code = CODE * 3000

    async def count_turns() -> int:
        turns = 0
        task = asyncio.create_task(achunk("a.py", code))
        while not task.done():
            await asyncio.sleep(0)
            turns += 1
        return turns

    assert asyncio.run(count_turns()) > 3


def test_chunk_stream_from_a_path(tmp_path: Path) -> None:
    """Without code the file is read."""
    path = tmp_path / "a.py"
    path.write_text(CODE, encoding="utf-8", newline="")
    assert list(chunk_stream(path)) == [dataclasses.replace(c, total_chunks=-1) for c in chunk(path, CODE)]


def test_chunk_stream_is_lazy(tmp_path: Path) -> None:
    """The file is opened when the first chunk is asked for."""
    stream = chunk_stream(tmp_path / "late.py")
    (tmp_path / "late.py").write_text("x = 1\n")
    assert [c.text for c in stream] == ["x = 1\n"]


def test_chunk_stream_of_a_missing_file(tmp_path: Path) -> None:
    """A file that is not there raises what opening it does."""
    with pytest.raises(FileNotFoundError):
        list(chunk_stream(tmp_path / "none.py"))


def test_chunk_stream_with_for() -> None:
    """The stream is an iterator; its chunks do not know how many they are."""
    chunks = list(chunk_stream("a.py", CODE, max_chunk_size=20))
    assert [c.total_chunks for c in chunks] == [-1] * len(chunks)
    assert [c.index for c in chunks] == list(range(len(chunks)))


def test_chunk_stream_with_async_for() -> None:
    """The stream is an asynchronous iterator as well."""

    async def collect() -> list[code_chunk.Chunk]:
        return [c async for c in chunk_stream("a.py", CODE, max_chunk_size=20)]

    assert asyncio.run(collect()) == list(chunk_stream("a.py", CODE, max_chunk_size=20))


def test_chunk_stream_ends_once() -> None:
    """A stream that came to its end stays there."""
    stream = chunk_stream("a.py", "x = 1\n")
    assert (len(list(stream)), list(stream)) == (1, [])


def test_chunk_stream_closed_early() -> None:
    """A closed stream gives nothing more."""
    with chunk_stream("a.py", CODE, max_chunk_size=5) as stream:
        next(stream)
    assert list(stream) == []


def test_total_chunks_and_index() -> None:
    """Chunks of a list are numbered, and know how many they are."""
    chunks = chunk("a.py", CODE, max_chunk_size=20)
    assert [(c.index, c.total_chunks) for c in chunks] == [(n, len(chunks)) for n in range(len(chunks))]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("x = 1", (0, 0)),
        ("x = 1\n", (0, 0)),
        ("\n\nx = 1\n\n", (2, 2)),
        ("\ufeff\nx = 1\ny = 2\n \n", (1, 2)),
        ("x = 1\r\ny = 2\r\n", (0, 1)),
        ("x = 1\ry = 2", (0, 0)),
    ],
)
def test_line_range(code: str, lines: tuple[int, int]) -> None:
    """Lines are those that have text, counted by line feeds from 0."""
    [made] = chunk("a.py", code)
    assert made.line_range == LineRange(*lines)


@pytest.mark.parametrize(
    "code", ["", " ", "\n\n", "\t \r\n\f", "\ufeff", "\ufeff \n", b"", b"\xef\xbb\xbf\n"]
)
def test_blank_file(code: str | bytes) -> None:
    """A blank file has no chunks."""
    assert (chunk("a.py", code), list(chunk_stream("a.py", code))) == ([], [])


@pytest.mark.parametrize(
    "code", [None, 5, ["x = 1"], object(), io.StringIO("x = 1")], ids=lambda c: type(c).__name__
)
def test_code_of_a_wrong_type(code: object) -> None:
    """What is neither text nor bytes nor a binary file is refused."""
    with pytest.raises(TypeError, match="code must be"):
        chunk("a.py", code)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", [chunk, chunk_stream, lambda *args: asyncio.run(achunk(*args))])
@pytest.mark.parametrize("filepath", [None, 5, b"a.py", Path], ids=str)
def test_filepath_of_a_wrong_type(call: Any, filepath: object) -> None:
    """A path that is no str and gives none is refused."""
    with pytest.raises(TypeError, match="filepath must be"):
        call(filepath, "x = 1")


@pytest.mark.parametrize("call", [lambda path: chunk(path, "?"), lambda path: list(chunk_stream(path, "?"))])
def test_unsupported_file(call: Any) -> None:
    """A file of no known language raises, and names the path."""
    with pytest.raises(UnsupportedLanguageError, match=r"^Unsupported file type: dir/a\.xyz$") as raised:
        call("dir/a.xyz")
    assert raised.value.filepath == "dir/a.xyz"


def test_not_utf_8_beyond_the_first_slice() -> None:
    """The position of a bad byte counts from the start of the file."""
    code = b"x = 1\n" * 30_000 + b"\xff"
    with pytest.raises(ChunkingError, match=f"0xff at position {len(code) - 1}"):
        chunk("a.py", code)


# --- languages ---

EXTENSIONS = {
    "typescript": [".ts", ".mts", ".cts", ".tsx"],
    "javascript": [".js", ".jsx", ".mjs", ".cjs"],
    "python": [".py", ".pyi", ".pyw"],
    "rust": [".rs"],
    "go": [".go"],
    "java": [".java"],
}


def test_supported_languages() -> None:
    """Six languages come with the package."""
    assert supported_languages() == ("go", "java", "javascript", "python", "rust", "typescript")


def test_language_extensions() -> None:
    """Each extension has its language's name; ``.tsx`` is TypeScript."""
    assert {
        extension: LANGUAGE_EXTENSIONS.get(extension) for name in EXTENSIONS for extension in EXTENSIONS[name]
    } == {extension: name for name, extensions in EXTENSIONS.items() for extension in extensions}


def test_language_extensions_is_read_only() -> None:
    """The mapping can not be changed."""
    assert isinstance(LANGUAGE_EXTENSIONS, Mapping)
    with pytest.raises(TypeError):
        LANGUAGE_EXTENSIONS[".x"] = "python"  # type: ignore[index]


def test_language_extensions_and_detection_agree() -> None:
    """Every extension is detected as what it is listed for."""
    assert {e: detect_language(f"a{e}") for e in LANGUAGE_EXTENSIONS} == dict(LANGUAGE_EXTENSIONS)


@pytest.mark.parametrize(
    ("filepath", "name"),
    [
        ("a.py", "python"),
        ("A.JAVA", "java"),
        ("src/App.TSX", "typescript"),
        ("C:\\src\\a.rs", "rust"),
        ("a.py\\b.go", "go"),
        ("a.min.js", "javascript"),
        ("a.py.txt", None),
        ("a.txt", None),
        ("py", None),
        ("a.", None),
        ("dir.py/a", None),
        ("dir.py\\a", None),
        ("", None),
    ],
)
def test_detect_language(filepath: str, name: str | None) -> None:
    """The extension of the last part of the path tells the language."""
    assert detect_language(filepath) == name


def test_detect_language_of_a_path_object() -> None:
    """A path object will do, and the file need not be there."""
    assert detect_language(Path("no/such/a.go")) == "go"


def test_detect_language_prefers_the_extension() -> None:
    """The content is looked at only where the name does not tell."""
    content = "#!/usr/bin/env python3\n"
    assert [detect_language(path, content) for path in ("a.js", "tool", "tool.txt")] == [
        "javascript",
        "python",
        "python",
    ]


@pytest.mark.parametrize(
    "content", [None, "", b"", "x = 1\n", "\n#!/usr/bin/python\n", b"\xff\xfe\n", "#!\n", "#!/\n"]
)
def test_detect_language_without_a_shebang(content: str | bytes | None) -> None:
    """Content that names no interpreter tells nothing."""
    assert detect_language("tool", content) is None


# --- languages of one's own ---

TOML = 'name = "own"\naliases = ["mine"]\nextensions = [".own"]\ngrammar = "tree_sitter_python:language"\n'
TAGS = "(function_definition name: (identifier) @name body: (_) @body) @definition.function\n"


def write_language(folder: Path, toml: str = TOML, tags: str = TAGS, imports: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in (("language.toml", toml), ("tags.scm", tags), ("imports.scm", imports)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_register_language(tmp_path: Path) -> None:
    """A folder becomes a language: by extension, alias and name."""
    folder = write_language(tmp_path / "own")
    program = f"""
import code_chunk
code_chunk.register_language({str(folder)!r})
print("own" in code_chunk.supported_languages(), code_chunk.LANGUAGE_EXTENSIONS[".own"])
for path, options in (("a.own", {{}}), ("a", {{"language": "mine"}}), ("a", {{"language": "OWN"}})):
    [made] = code_chunk.chunk(path, "def f(): pass", **options)
    print(made.context.language, [e.name for e in made.context.entities])
"""
    assert run_python(program) == "True own\n" + "own ['f']\n" * 3


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"toml": "name = 1\n"}, r"language\.toml:1:\d+: "),
        ({"toml": "name = \n"}, r"language\.toml:1:\d+: "),
        ({"toml": TOML + "colour = 1\n"}, r"language\.toml:5:1: .*'colour'.*extensions"),
        ({"toml": TOML.replace('"own"', '""')}, r"language\.toml:1:\d+: .*name"),
        ({"toml": TOML.replace("name", "title")}, r"language\.toml:1:\d+: "),
        ({"toml": TOML + 'blocks = ["nothing"]\n'}, r"language\.toml:5:\d+: .*'nothing'"),
        ({"toml": TOML + "[doc]\nline = '('\n"}, r"language\.toml:6:\d+: "),
        ({"tags": TAGS + "(module) @definition.color\n"}, r"tags\.scm:2:\d+: .*definition\.function"),
        ({"tags": "(module) @x\n"}, r"tags\.scm:1:\d+: .*@?x\b"),
        ({"tags": "\n(nothing) @name\n"}, r"tags\.scm:2:\d+: "),
        ({"tags": "(module\n"}, r"tags\.scm:\d+:\d+: "),
        (
            {"tags": TAGS.replace("\n", ' (#lua-match? @name "x"))\n').replace("(f", "((f", 1)},
            r"tags\.scm:1:.*lua-match",
        ),
        (
            {"tags": TAGS.replace("\n", ' (#set! color "x"))\n').replace("(f", "((f", 1)},
            r"tags\.scm:1:.*color",
        ),
        ({"imports": "(import_statement) @imported\n"}, r"imports\.scm:1:\d+: "),
    ],
    ids=lambda value: (
        value if isinstance(value, str) else str(next(iter(value.values())).split("\n")[-2])[:30]
    ),
)
def test_register_language_refuses(tmp_path: Path, files: dict[str, str], message: str) -> None:
    """What is wrong in a folder raises at once, with file, line, column and what is allowed."""
    before = (supported_languages(), dict(LANGUAGE_EXTENSIONS))
    with pytest.raises(LanguageSpecError, match=message):
        register_language(write_language(tmp_path / "own", **files))
    assert (supported_languages(), dict(LANGUAGE_EXTENSIONS)) == before


def test_register_language_without_a_folder(tmp_path: Path) -> None:
    """A folder that is not there is an error of the language, not of the system."""
    with pytest.raises(LanguageSpecError, match=r"language\.toml"):
        register_language(tmp_path / "none")


def test_register_language_without_its_grammar(tmp_path: Path) -> None:
    """A grammar that is not installed is named, with how to install it."""
    toml = TOML.replace("tree_sitter_python", "tree_sitter_klingon")
    with pytest.raises(GrammarNotInstalledError, match=r"own.*pip install .*tree-sitter-klingon"):
        register_language(write_language(tmp_path / "own", toml=toml))


def test_register_language_with_a_wrong_function(tmp_path: Path) -> None:
    """A grammar module without the function is told so."""
    toml = TOML.replace(":language", ":klingon")
    with pytest.raises(GrammarNotInstalledError, match=r"tree_sitter_python.*klingon"):
        register_language(write_language(tmp_path / "own", toml=toml))


def test_what_batches_need_is_loaded_later() -> None:
    """Chunking a file imports no module of batches and repositories; asking for their names does."""
    program = """
import sys, code_chunk
code_chunk.chunk("a.py", "x = 1")
code_chunk.create_chunker()
assert not {"code_chunk._batch", "code_chunk._tasks", "code_chunk._walk"} & sys.modules.keys()
assert {*code_chunk.__all__} <= {*dir(code_chunk)}
from code_chunk import *
assert {"code_chunk._batch", "code_chunk._tasks", "code_chunk._walk"} <= sys.modules.keys()
assert walk_repository is code_chunk.walk_repository
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        code_chunk.nothing  # noqa: B018
