"""The benchmarks run, on little input, and the page is what they print.

Nothing is fetched: of the other chunkers only those whose environments are there are run.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "benchmarks"
SAMPLES = ROOT / "tests" / "samples"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("bench_*.py"))

posix = pytest.mark.skipif(sys.platform == "win32", reason="measures with the resource module")


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import a module of the folder as its programs do."""
    monkeypatch.syspath_prepend(FOLDER)

    def imported(name: str) -> ModuleType:
        return importlib.import_module(name)

    return imported


def write(page: Path, *options: str) -> str:
    command = [sys.executable, str(FOLDER / "write_docs.py"), str(SAMPLES), "--docs", str(page), *options]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return page.read_text()


@posix
@pytest.mark.parametrize("name", PROGRAMS)
def test_page(tmp_path: Path, name: str) -> None:
    """A benchmark's part of the page: what it says of itself, its command, versions and a table."""
    page = write(tmp_path / "page.md", "--quick", "--only", name)
    about = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text()))
    said = [about or "?", f"python benchmarks/{name}.py", "code-chunk ", "tree-sitter-python ", " cores, "]
    assert [part for part in said if part not in page] == []
    assert page.count("\n| ---") >= 1


def test_table(load: Any) -> None:
    """A table is Markdown, and legible without."""
    assert load("report").table(["", "MB"], [["python", "1"], ["go", "12.5"]]).splitlines() == [
        "|        |   MB |",
        "| ------ | ---: |",
        "| python |    1 |",
        "| go     | 12.5 |",
    ]


def test_sample_is_of_each_language(load: Any) -> None:
    """A sample has files of every language, always the same, and no more than is asked for and a file."""
    sources = load("sources")
    once = sources.sample([SAMPLES], 0.002)
    assert once == sources.sample([SAMPLES], 0.002)
    assert list(once) == list(sources.GRAMMARS)
    assert all(sources.size_of(files[:-1]) < 0.002 for files in once.values())


# --- the chunks of others ---

CODE = "# Adds.\ndef add(a, b):\n    return a + b\n\n\ndef twice(a):\n    return add(a, a)\n"


def judged(load: Any, pieces: list[str] | None, unit: str = "nws", limit: int = 30) -> Any:
    source = load("sources").Source(Path("a.py"), CODE, CODE.encode())
    quality = load("peer_judge").Quality()
    load("peer_judge").add(quality, source, pieces, unit, limit)
    return quality


def cut(*places: str) -> list[str]:
    """Cut the code in front of texts."""
    ends = [0, *(CODE.index(place) for place in places), len(CODE)]
    return [CODE[start:end] for start, end in pairwise(ends)]


def test_right_chunks(load: Any) -> None:
    """Nothing is found in chunks that are whole definitions."""
    quality = judged(load, cut("def twice"))
    assert (quality.exact, quality.whole, quality.judged) == (1, 1, 1)
    assert (quality.over, quality.mid_line, dict(quality.kinds)) == (0, 0, {})


def test_lost_blanks(load: Any) -> None:
    """Chunks without the blank space between them are not lossless, and are judged."""
    quality = judged(load, [text.strip() for text in cut("def twice", "a, a")])
    assert (quality.exact, quality.whole, quality.mid_line, quality.kinds["cut"]) == (0, 1, 1, 1)


def test_lost_text(load: Any) -> None:
    """Chunks that lack text, or have some twice, are not judged."""
    parts = cut("def add", "def twice")
    for pieces in (parts[1:], [parts[0], *parts]):
        quality = judged(load, pieces)
        assert (quality.files, quality.whole, quality.judged) == (1, 0, 0)


def test_failure(load: Any) -> None:
    """An error is a file without chunks."""
    quality = judged(load, None)
    assert (quality.files, quality.failed, quality.chunks) == (1, 1, 0)


def test_parted(load: Any) -> None:
    """A comment is parted from its definition if they fit together: in the unit of the chunker."""
    pieces = cut("def add", "def twice")
    assert judged(load, pieces, "nws", 30).share("parted") == 1
    assert judged(load, pieces, "characters", 38).share("parted") == 0
    assert judged(load, pieces, "characters", 39).share("parted") == 1


def test_over_the_limit(load: Any) -> None:
    """The limit is in the unit of the chunker."""
    assert [judged(load, cut("def twice"), unit, 31).over for unit in ("nws", "characters", "bytes")] == [
        0,
        2,
        2,
    ]
