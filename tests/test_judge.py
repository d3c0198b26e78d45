"""The judge of `benchmarks/check_corpus.py` finds each kind of violation, and none in a right chunking.

In the sources below ``¦`` marks a cut.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "check_corpus.py"


def load_judge() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_corpus", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


judge = load_judge()


def span(start: int, end: int) -> SimpleNamespace:
    return SimpleNamespace(start=start, end=end)


def chunks_of(marked: str) -> tuple[str, list[SimpleNamespace]]:
    """Return a source and its chunks, made by hand from the marks."""
    code, pieces, chunks = marked.replace("¦", ""), marked.split("¦"), list[SimpleNamespace]()
    start = 0
    for index, text in enumerate(pieces):
        end = start + len(text)
        blanks = "".join(map(chr, range(0x21))) + "\ufeff"
        first = code.count("\n", 0, end - len(text.lstrip(blanks)))
        last = code.count("\n", 0, start + len(text.rstrip(blanks)))
        chunks.append(
            SimpleNamespace(
                text=text,
                byte_range=span(len(code[:start].encode()), len(code[:end].encode())),
                char_range=span(start, end),
                line_range=span(first, last),
                index=index,
                total_chunks=len(pieces),
                size=sum(character > " " for character in text.removeprefix("\ufeff")),
            )
        )
        start = end
    return code, chunks


def found(extension: str, marked: str, limit: int) -> list[str]:
    """Return the kinds of violation that the judge finds."""
    code, chunks = chunks_of(marked)
    syntax = judge.BY_EXTENSION[extension][1]
    kinds = [finding.kind for finding in judge.judge(code, chunks, syntax, limit).findings]
    return sorted(kind for kind in kinds if kind in judge.KINDS)


RIGHT = [
    (".py", "import os\n¦\nclass A:\n    x = 1\n\n", 12),
    (".py", "a = 1\n\n\n¦    # indented\n¦b = 2", 9),
    (".py", "# 設定 🎉\n¦import os\n", 8),
    (".py", "\ufeffimport os\n¦def f(): return os\n", 15),
    (".ts", "const a = 1;\r\n\r\n¦const b = 2;\r\n", 9),
    (".ts", "/** doc */\n@d()\n¦export class A {\n  a() {}\n¦  b() {}\n}\n", 18),
    (".py", "", 10),
    (".py", "def f():\n    a = 1\n¦    b = 2\n", 11),
    (".js", "var t = [1, 2, ¦3, 4];\n", 10),
    (".go", "package p\n\n¦// F is.\nfunc F() {}\n\n¦// G is.\nfunc G() {}\n", 18),
    (".rs", "/// A.\n#[x]\nfn a() {}\n\n¦/// B.\nfn b() {}\n", 16),
    (".java", "class A {\n  int x;\n¦  /** B. */\n  void b() {}\n}\n", 17),
    (".tsx", "const a = <p>\n  <b>one</b>\n¦  <b>two</b>\n</p>;\n", 22),
]


@pytest.mark.parametrize(("extension", "marked", "limit"), RIGHT[1:])
def test_right_chunks_have_no_findings(extension: str, marked: str, limit: int) -> None:
    """Chunks cut where the guarantees want it."""
    if not marked:
        assert not judge.judge("", [], judge.BY_EXTENSION[extension][1], limit).findings
        return
    assert found(extension, marked, limit) == []


WRONG = {
    "an indentation left behind": (".py", "if a:\n    b = 1\n    ¦c = 2\n", 9, "G1"),
    "an empty line moved on": (".py", "a = 1\n¦\nb = 2\n", 4, "G1"),
    "blanks of one line moved on": (".py", "a = 1;¦ b = 2\n", 4, "G1"),
    "a blank chunk": (".py", "a = 1\n¦\n¦b = 2\n", 4, "G1"),
    "a cut between CR and LF": (".py", "a = 1\r¦\nb = 2\r\n", 4, "G2"),
    "over the limit": (".py", "a = 1\nb = 2\n", 5, "G3"),
    "a function that fits": (".py", "def f():\n    a = 1\n¦    b = 2\n", 20, "cut"),
    "an exported function": (".ts", "export const f = () => {\n  a();\n¦  b();\n}\n", 40, "cut"),
    "a method of a class that does not fit": (
        ".js",
        "class A {\n  a() {\n    x();\n¦    y();\n  }\n  b() { zzzzzz(); }\n}\n",
        30,
        "cut",
    ),
    "a decorator": (".py", "@cache\n¦def f():\n    pass\n", 30, "parted"),
    "a decorator before export": (".ts", "@d()\n¦export class A {}\n", 30, "parted"),
    "a decorator of a method": (".ts", "class A {\n  x = 1\n  @d()\n¦  m() {}\n}\n", 16, "parted"),
    "a comment": (".py", "x = 1\n# why\n¦def f():\n    pass\n", 20, "parted"),
    "the first comment of a class": (
        ".py",
        "class A:\n    # why\n¦    def f(): pass\n    b = 1\n",
        20,
        "parted",
    ),
    "an attribute": (".rs", "/// Doc.\n#[x]\n¦fn a() {}\n", 30, "parted"),
    "a doc and attributes": (".rs", "/// Doc.\n¦#[x]\nfn a() {}\n", 30, "parted"),
    "a Go constant": (".go", "package p\n\n// C.\n¦const C = 1\n", 14, "parted"),
    "a documented name of a group": (".go", "package p\n\nconst (\n\t// C.\n¦\tC = 1\n)\n", 16, "parted"),
    "Javadoc": (".java", "class A {\n  /** B. */\n¦  void b() {}\n}\n", 20, "parted"),
    "a cut inside of the docs": (".ts", "// long comment\n¦// more\nfunction f() {}\n", 19, "beside"),
    "a cut behind a header": (".ts", "// long comment\nfunction f() {¦}\n", 20, "cut"),
    "a statement": (".py", "a = f(1,\n¦  2)\n", 20, "stmt"),
    "a brace-less body": (".js", "if (aaaaaaaaaaaaaaaa)\n  return f(1,\n¦    2);\n", 30, "stmt"),
    "a member": (".java", "class A {\n  int x =\n¦    1;\n  int yyyyyyyyyyyyyyyy;\n}\n", 25, "stmt"),
    "an arm": (".rs", "fn f() {\n  match x {\n    1 => a(\n¦      b),\n    2 => c,\n  }\n}\n", 26, "stmt"),
    "a brace alone": (".js", "function f() {\n  a();\n  bb();\n¦}\n", 20, "closer"),
    "closing tags": (".tsx", "const a = <p>\n  <b>one</b>\n  <i>two</i>\n¦</p>;\n", 34, "closer"),
    "an opener alone": (".js", "(\n¦[1, 2, 3, 4])\n", 12, "closer"),
    "a header alone": (".js", "function f() {\n¦  a();\n¦  bbbbbbbbbbbbbbbb();\n}\n", 23, "header"),
    "a header with its docstring": (
        ".py",
        'def f():\n    "Doc."\n¦    a = 1\n¦    b = 22222222222\n',
        17,
        "header",
    ),
    "a type keyword": (
        ".go",
        "package p\n\n¦// T\ntype ¦T struct {\n\ta int\n\tbbbbbb int\n}\n",
        22,
        "header",
    ),
    "docs of what is cut": (
        ".go",
        "package p\n\n¦// F is.\n¦func F() {\n\ta()\n¦\tbbbbbbbbbbbbbb()\n}\n",
        22,
        "doc",
    ),
    "neighbours that fit": (".py", "a = 1\n¦b = 2\n", 10, "merge"),
    "statements of a block": (".py", "def f():\n    a = 1\n¦    b = 2\n¦    c = 3\n", 12, "merge"),
    "arguments": (".js", "f(1111111, 22, ¦33, ¦44, ¦555555555555);\n", 15, "merge"),
    "a piece with something else": (
        ".py",
        "a = 1\ndef f():\n    b = 2\n¦    c = 33333333\n",
        15,
        "mixed",
    ),
    "docs of what is cut in another chunk": (
        ".py",
        "a = 1\n# f\n¦def f():\n    b = 2\n¦    c = 3333333333\n",
        14,
        "astray",
    ),
    "a comment and its statement": (".py", "a = 1\n# why\n¦b = 222\n", 9, "lead"),
}


@pytest.mark.parametrize("case", WRONG)
def test_each_kind_is_found(case: str) -> None:
    """A violation is found, under its name."""
    extension, marked, limit, kind = WRONG[case]
    assert kind in found(extension, marked, limit)


EXCUSED = {
    "a trailing comment leads nothing": (".py", "a = 1 # one\n¦def f(): pass\n", 17),
    "an empty line parts": (".py", "# licence\n\n¦def f(): pass\n", 15),
    "a comment of the block before": (".py", "def g():\n    pass\n    # gone\n¦def f(): pass\n", 19),
    "a comment behind an attribute leads like that": (".rs", "x!();\n¦#[x] // why\n#[y]\n¦fn a() {}\n", 15),
    "a trailing comment is not merged with what follows": (".rs", "aaaaaaaaaa!(); ¦// why\n¦b!();\n", 14),
    "a header in front of a first member that is cut": (
        ".py",
        "class A:\n    def f(self):\n        b = 2\n¦        c = 3333333333\n",
        23,
    ),
    "a comment on the last line of what is cut": (
        ".go",
        "package p\n\n¦const c = aaaaaaaaaaaaaaaa + ¦bbbbbbbbbb // why\n",
        24,
    ),
    "an arm that does not fit with its attribute": (
        ".rs",
        "fn f() {\n  match x {\n    #[aaaaaaaaaa]\n    1 => ¦{\n      bbbbbbb(ccccc)\n    }\n  }\n}\n",
        29,
    ),
    "a declaration that does not fit with what it stands in": (
        ".ts",
        "declare ¦const bbbbbbbbbbbbb: C<D>;\n",
        26,
    ),
    "inner docs lead nothing": (".rs", "//! Crate.\n¦fn a() {}\n", 10),
    "a lead that does not fit is parted": (".ts", "x();\n¦// long comment\n¦function f() {}\n", 17),
    "a header whose first statement does not fit with it": (
        ".js",
        "function ffffffff() {\n¦  a(1111111111);\n¦  b(1111111111);\n}\n",
        19,
    ),
    "a closer that does not fit": (".js", "function f() {\n¦  a(111111111111);\n¦}\n", 16),
    "punctuation in a string": (".js", "a = `xxxxxxxxxxx¦)))`;\n", 14),
    "a syntax error: where to cut is not judged": (".py", "def f(:\n    a = 1\n¦    b = 2\n", 20),
}


@pytest.mark.parametrize("case", EXCUSED)
def test_what_can_not_be_helped_is_not_found(case: str) -> None:
    """The judge is fair."""
    extension, marked, limit = EXCUSED[case]
    assert found(extension, marked, limit) == []


def changed(**fields: object) -> list[str]:
    """Return what is found when the first of two right chunks is changed."""
    code, chunks = chunks_of("a = 1\n¦b = 2\n")
    vars(chunks[0]).update(fields)
    return [finding.kind for finding in judge.judge(code, chunks, judge.BY_EXTENSION[".py"][1], 4).findings]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"text": "a = 2\n"}, "G1"),
        ({"byte_range": span(0, 5)}, "G1"),
        ({"index": 1}, "G1"),
        ({"total_chunks": 1}, "G1"),
        ({"char_range": span(0, 5)}, "G2"),
        ({"line_range": span(1, 1)}, "G2"),
        ({"size": 4}, "G3"),
    ],
)
def test_untrue_fields_are_found(fields: dict[str, object], kind: str) -> None:
    """Each field of a chunk is checked."""
    assert kind in changed(**fields)


def test_shares() -> None:
    """Cuts in mid-line and the fill of files above the limit are counted."""
    code, chunks = chunks_of("a = 1\n¦b = 2; ¦c = 3\n")
    verdict = judge.judge(code, chunks, judge.BY_EXTENSION[".py"][1], 4)
    assert (verdict.cuts, verdict.mid_line_cuts, verdict.fills) == (2, 1, [0.75, 1.0, 0.75])


def test_text_that_is_not_blank_has_chunks() -> None:
    """An empty list of chunks is right for a blank file only."""
    syntax = judge.BY_EXTENSION[".py"][1]
    assert [finding.kind for finding in judge.judge("a", [], syntax, 4).findings] == ["G1", "G1"]
