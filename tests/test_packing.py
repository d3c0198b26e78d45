"""Packing by definitions: what stands alone, what is opened, and what joins."""

from __future__ import annotations

from pathlib import Path

import pytest

from code_chunk import ChunkOptions, chunk
from guarantees import check, check_structure
from strategies import sample_paths, sample_text

LIMIT = 200
BODY = "value = compute(one, two, three)"  # 29 NWS; two of them make a function of some size

FUNCTIONS = {
    "a.py": "import a\n\n\n{}def f(x):\n    {}\n    {}\n\n\ndef g(x):\n    {}\n    {}\n",
    "a.ts": "import a from 'a'\n\n{}function f(x) {{\n  {}\n  {}\n}}\n\nfunction g(x) {{\n  {}\n  {}\n}}\n",
    "a.js": "import a from 'a'\n\n{}function f(x) {{\n  {}\n  {}\n}}\n\nfunction g(x) {{\n  {}\n  {}\n}}\n",
    "a.rs": "use a;\n\n{}fn f(x: u8) {{\n    {};\n    {};\n}}\n\nfn g(x: u8) {{\n    {};\n    {};\n}}\n",
    "a.go": "package a\n\n{}func f(x int) {{\n\t{}\n\t{}\n}}\n\nfunc g(x int) {{\n\t{}\n\t{}\n}}\n",
}
BRACED = "{{\n  {}%sf() {{\n    {}%s\n    {}%s\n  }}\n\n  %sg() {{\n    {}%s\n    {}%s\n  }}\n}}\n"
MEMBERS = {
    "a.py": "class A:\n  {}def f(self):\n    {}\n    {}\n\n  def g(self):\n    {}\n    {}\n",
    "a.ts": "export class A " + BRACED % ("", "", "", "", "", ""),
    "a.js": "class A " + BRACED % ("", "", "", "", "", ""),
    "a.rs": "impl A " + BRACED % ("fn ", ";", ";", "fn ", ";", ";"),
    "A.java": "class A " + BRACED % ("void ", ";", ";", "void ", ";", ";"),
}
COMMENTS = {".py": "# About f.\n", ".rs": "/// About f.\n"}


def named(filepath: str, code: str, limit: int = LIMIT) -> list[list[str]]:
    """Give the names of what is defined in each chunk, after a check of all guarantees."""
    options = ChunkOptions(max_chunk_size=limit, packing="definitions")
    chunks = chunk(filepath, code, options)
    check(filepath, code, chunks, options)
    check_structure(filepath, code, chunks, options)
    return [[e.name for e in made.context.entities if e.type not in ("import", "module")] for made in chunks]


def filled(template: str, comment: str = "") -> str:
    return template.format(comment, *4 * [BODY])


@pytest.mark.parametrize(("filepath", "template"), FUNCTIONS.items(), ids=FUNCTIONS)
def test_functions_stand_alone(filepath: str, template: str) -> None:
    """Two functions are two chunks though they fit into one; the crumb in front joins the first."""
    code = filled(template)
    assert len(chunk(filepath, code, max_chunk_size=LIMIT)) == 1
    assert named(filepath, code) == [["f"], ["g"]]


@pytest.mark.parametrize(("filepath", "template"), MEMBERS.items(), ids=MEMBERS)
def test_members_stand_alone(filepath: str, template: str) -> None:
    """A class over the limit is opened; its header joins the first of its members."""
    assert named(filepath, filled(template), 120) == [["A", "f"], ["g"]]


@pytest.mark.parametrize(("filepath", "template"), MEMBERS.items(), ids=MEMBERS)
def test_small_class_is_whole(filepath: str, template: str) -> None:
    """A class that fits is whole, and stands alone."""
    names = [name for names in named(filepath, filled(template)) for name in names]
    assert named(filepath, filled(template)) == [names]


@pytest.mark.parametrize(("filepath", "template"), {**FUNCTIONS, **MEMBERS}.items())
def test_lead_goes_along(filepath: str, template: str) -> None:
    """A comment stays with what it leads, and the first definition with what is in front of it."""
    comment = COMMENTS.get(Path(filepath).suffix, "/** About f. */\n")
    limit = LIMIT if "class" not in template and "impl" not in template else 140
    options = ChunkOptions(max_chunk_size=limit, packing="definitions")
    first, second = chunk(filepath, filled(template, comment), options)
    assert ("About f" in first.text, "About f" in second.text) == (True, False)


def test_pieces_of_a_cut_function_keep_to_themselves() -> None:
    """The head of a function that must be cut is no part of the small function before it."""
    small = f"def f(x):\n    {BODY}\n    {BODY}\n\n\n"
    large = f"def g(x):\n    {BODY}\n    if x:\n" + f"        {BODY}\n" * 6
    assert named("a.py", small + large) == [["f"], ["g"], []]


def test_inner_functions_open_nothing() -> None:
    """A function that fits is whole, whatever it holds."""
    inner = "".join(f"    def inner{number}():\n        {BODY}\n" for number in range(3))
    assert named("a.py", f"def f():\n{inner}    return 1\n") == [["f", "inner0", "inner1", "inner2"]]


def test_crumbs_are_packed() -> None:
    """What is under a quarter of the limit is packed as with greedy packing."""
    code = "".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(9))
    options = ChunkOptions(max_chunk_size=LIMIT)
    assert named("a.py", code) == [[f"f{number}" for number in range(9)]]
    assert len(chunk("a.py", code, options)) == 1


def test_definition_over_the_limit_is_split() -> None:
    """A function over the limit is split, and its last piece joins no neighbour of some size."""
    code = f"def f():\n{12 * f'    {BODY}{chr(10)}'}\n\ndef g():\n{3 * f'    {BODY}{chr(10)}'}"
    assert named("a.py", code)[-1] == ["g"]


@pytest.mark.parametrize("size", [64, 512, 1500])
@pytest.mark.parametrize("path", sample_paths(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_samples(path: Path, size: int) -> None:
    """The guarantees hold for each sample."""
    named(path.name, sample_text(path), size)
