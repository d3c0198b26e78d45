"""What the documentation shows is true."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import code_chunk
from code_chunk import ChunkOptions, chunk

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def modules() -> list[ModuleType]:
    """Give the modules of the package."""
    names = [info.name for info in pkgutil.walk_packages(code_chunk.__path__, "code_chunk.")]
    return [code_chunk, *(importlib.import_module(name) for name in names)]


# --- docstrings ---


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_docstrings(module: ModuleType) -> None:
    """The examples in a module's docstrings do what they say."""
    public = {name: getattr(code_chunk, name) for name in code_chunk.__all__}
    assert doctest.testmod(module, extraglobs=public).failed == 0


def test_docstrings_have_examples() -> None:
    """There are examples: the test above does not pass for want of them."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert sum(bool(test.examples) for module in modules() for test in finder.find(module)) >= 10


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_modules_have_docstrings(module: ModuleType) -> None:
    """Each module says what it is for."""
    assert module.__doc__


# --- README ---


def test_readme() -> None:
    """The examples in the README do what they say."""
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted >= 5) == (0, True)


def options_in_readme() -> dict[str, str]:
    """Give the default of each option in the README's table."""
    rows = re.findall(
        r"^\| `(\w+)` \|[^|]*\| `?([^|`]*)`? \|", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {name: default.strip('"') for name, default in rows}


def test_readme_lists_every_option() -> None:
    """The table of options has each with its default."""
    assert options_in_readme() == {f.name: str(f.default) for f in dataclasses.fields(ChunkOptions)}


def test_readme_links_lead_somewhere() -> None:
    """Every link to a file of the repository leads to one."""
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


def test_readme_names_only_modules_that_are_there() -> None:
    """Every module that the README names is a module of the package."""
    names = re.findall(r"`(_\w+\.py)`", README.read_text(encoding="utf-8"))
    folder = Path(code_chunk.__file__).parent
    assert [name for name in names if not (folder / name).exists()] == []


# --- examples ---


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path) -> None:
    """An example ends well, prints something, and complains of nothing."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr, bool(done.stdout.strip())) == (0, "", True)


def test_examples_are_there() -> None:
    """There is a quickstart and an example of a stream."""
    assert len(EXAMPLES) >= 2


def test_examples_import_public_names_only() -> None:
    """An example uses what a user may use."""
    imported = [line for path in EXAMPLES for line in re.findall(r"code_chunk\S*", path.read_text("utf-8"))]
    assert [name for name in imported if name.startswith("code_chunk._")] == []


def test_quickstart_shows_a_scope() -> None:
    """The quickstart's output shows what chunks know."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "quickstart.py")],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert "# Scope: Store" in done.stdout
    assert "# Defines: " in done.stdout


def test_stream_example_takes_a_path(tmp_path: Path) -> None:
    """The example of a stream counts the characters of the file that it is given."""
    path = tmp_path / "a.py"
    path.write_text("x = 1\n" * 2000)
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "stream_large_file.py"), str(path)],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    characters = sum(len(c.contextualized_text) for c in chunk(path, path.read_text()))
    assert f"{characters:,} characters" in done.stdout
