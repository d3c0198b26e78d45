"""The contextualized text: header, overlap, text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from code_chunk import (
    Chunk,
    ChunkContext,
    ChunkEntityInfo,
    EntityInfo,
    ImportInfo,
    ParseError,
    SiblingInfo,
    chunk,
    format_chunk_with_context,
)

SAMPLES = Path(__file__).parent / "samples"
USER_SERVICE = """\
import { Database } from './db'

export class UserService {
  private db: Database

  constructor(db: Database) {
    this.db = db
  }

  async getUser(id: string): Promise<User> {
    return this.db.query('SELECT * FROM users WHERE id = ?', [id])
  }

  deleteUser(id: string) {
    this.db.query('DELETE FROM users WHERE id = ? AND active = 1', [id])
  }
}
"""


def lines_of(made: Chunk) -> list[str]:
    return made.contextualized_text.split("\n")


def get_user(**options: Any) -> Chunk:
    """Give the chunk of the method in the middle of the class."""
    chunks = chunk("repo/src/services/user.ts", USER_SERVICE, max_chunk_size=100, **options)
    return next(c for c in chunks if "getUser" in c.text)


# --- whole examples ---


def test_example_of_every_line() -> None:
    """All lines in their order, the empty line, and the text without its trailing blank lines."""
    context = ChunkContext(
        "repo/src/services/user.ts",
        "typescript",
        scope=(EntityInfo("UserService", "class", "class UserService"),),
        entities=(ChunkEntityInfo("getUser", "method", "async getUser(id: string): Promise<User>"),),
        siblings=(
            SiblingInfo("constructor", "method", "before", 1),
            SiblingInfo("deleteUser", "method", "after", 1),
        ),
        imports=(ImportInfo("Database", "./db"),),
        uses=("Database",),
    )
    text = """\
  async getUser(id: string): Promise<User> {
    return this.db.query('SELECT * FROM users WHERE id = ?', [id])
  }
"""
    assert (
        format_chunk_with_context(f"{text}\n", context)
        == f"""\
# src/services/user.ts
# Scope: UserService
# Defines: async getUser(id: string): Promise<User>
# Uses: Database
# After: constructor
# Before: deleteUser

{text.rstrip()}"""
    )


def test_example_of_a_method() -> None:
    """A method has the path, its class, its signature and its neighbours in front of it."""
    made = get_user(overlap_lines=0)
    assert (
        made.contextualized_text
        == """\
# src/services/user.ts
# Scope: UserService
# Defines: async getUser(id: string): Promise<User>
# After: constructor
# Before: deleteUser

  async getUser(id: string): Promise<User> {
    return this.db.query('SELECT * FROM users WHERE id = ?', [id])
  }"""
    )


def test_example_with_overlap() -> None:
    """The last lines of the previous chunk stand between the header and the text."""
    made = get_user(overlap_lines=2)
    assert (
        made.contextualized_text.split("\n\n", 1)[1]
        == """\
# ...
    this.db = db
  }
# ---
  async getUser(id: string): Promise<User> {
    return this.db.query('SELECT * FROM users WHERE id = ?', [id])
  }"""
    )


def test_example_of_a_whole_file() -> None:
    """A file of one chunk has its path, and the signatures and imports in it."""
    path = SAMPLES / "typescript" / "readme_example.ts"
    code = path.read_text(encoding="utf-8")
    [made] = chunk("src/services/user.ts", code)
    assert (
        made.contextualized_text
        == f"""\
# src/services/user.ts
# Defines: export class UserService, constructor(db: Database), async getUser(id: string): Promise<User>, \
async listUsers(limit: number): Promise<User[]>
# Uses: Database, User

{code.rstrip()}"""
    )


def test_example_with_uses() -> None:
    """The line of what is used stands behind that of what is defined."""
    code = "import os\n\ndef before(): pass\n\ndef f():\n    return os.sep\n\ndef after(): pass\n"
    made = next(c for c in chunk("a.py", code, max_chunk_size=20) if "os.sep" in c.text)
    assert lines_of(made)[:5] == [
        "# a.py",
        "# Defines: def f()",
        "# Uses: os",
        "# After: before",
        "# Before: after",
    ]


# --- the header, line by line ---


@pytest.mark.parametrize(
    ("filepath", "shown"),
    [
        ("a.py", "a.py"),
        ("src/a.py", "src/a.py"),
        ("/a.py", "a.py"),
        ("x/y/src/a.py", "y/src/a.py"),
        ("/x/y/src/a.py", "y/src/a.py"),
        ("C:\\x\\y\\src\\a.py", "y/src/a.py"),
        ("x\\y/src\\a.py", "y/src/a.py"),
    ],
)
def test_path_is_its_last_three_parts(filepath: str, shown: str) -> None:
    """The last three parts of the path are shown, whatever their separators."""
    assert format_chunk_with_context("x", ChunkContext(filepath, "python")) == f"# {shown}\n\nx"


def test_scope_is_outermost_first() -> None:
    """The scope is printed from the outside to the inside."""
    context = ChunkContext("a.py", "python", scope=(EntityInfo("big", "method"), EntityInfo("A", "class")))
    assert format_chunk_with_context("x", context) == "# a.py\n# Scope: A > big\n\nx"


def test_defines_has_signatures() -> None:
    """Signatures are listed, those of imports, exports and constants not."""
    kinds = (
        "function",
        "method",
        "class",
        "interface",
        "type",
        "enum",
        "module",
        "constant",
        "import",
        "export",
    )
    entities = tuple(ChunkEntityInfo(kind, kind, f"the {kind}") for kind in kinds)  # type: ignore[arg-type]
    context = ChunkContext("a.py", "python", entities=entities)
    defines = ", ".join(f"the {kind}" for kind in kinds[:7])
    assert format_chunk_with_context("x", context) == f"# a.py\n# Defines: {defines}\n\nx"


def test_uses_are_the_first_ten() -> None:
    """Of the names that are used ten are listed."""
    context = ChunkContext("a.py", "python", uses=tuple("abcdefghijkl"))
    assert format_chunk_with_context("x", context) == "# a.py\n# Uses: a, b, c, d, e, f, g, h, i, j\n\nx"


def test_after_and_before_are_names() -> None:
    """Siblings are printed by name, nearest first, though their signatures are known."""
    siblings = (
        SiblingInfo("b", "function", "before", 1, "def b()"),
        SiblingInfo("a", "function", "before", 2, "def a()"),
        SiblingInfo("y", "function", "after", 1, "def y()"),
        SiblingInfo("z", "function", "after", 2, "def z()"),
    )
    context = ChunkContext("a.py", "python", siblings=siblings)
    assert format_chunk_with_context("x", context) == "# a.py\n# After: b, a\n# Before: y, z\n\nx"


def test_lines_with_nothing_to_say_are_left_out() -> None:
    """Imports and errors have no line, and what is empty has none."""
    context = ChunkContext(
        "a.py", "python", imports=(ImportInfo("os", "os"),), parse_error=ParseError("ERROR", recoverable=True)
    )
    assert format_chunk_with_context("x", context) == "# a.py\n\nx"


def test_only_the_context_is_printed() -> None:
    """Nothing is looked up: the text and the context need not fit together."""
    context = ChunkContext("no/such/file", "no language", uses=("nothing",))
    assert format_chunk_with_context("x", context) == "# no/such/file\n# Uses: nothing\n\nx"


def test_overlap_text() -> None:
    """Overlap stands between marks, behind the empty line."""
    context = ChunkContext("a.py", "python")
    assert format_chunk_with_context("y", context, "x\n") == "# a.py\n\n# ...\nx\n# ---\ny"


@pytest.mark.parametrize("overlap", [None, ""])
def test_no_overlap_text(overlap: str | None) -> None:
    """Without overlap there are no marks."""
    assert format_chunk_with_context("y", ChunkContext("a.py", "python"), overlap) == "# a.py\n\ny"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x = 1", "x = 1"),
        ("x = 1\n", "x = 1"),
        ("x = 1\r\n", "x = 1"),
        ("x = 1\n\n \t\n\f\n", "x = 1"),
        ("x = 1\r\n\r\n", "x = 1"),
        ("x = 1  ", "x = 1  "),
        ("\n\nx = 1\n", "\n\nx = 1"),
        ("    x = 1\n\n    y = 2\n", "    x = 1\n\n    y = 2"),
        ("x = 1\r\ny = 2\r\n", "x = 1\r\ny = 2"),
    ],
)
def test_trailing_blank_lines_are_left_out(text: str, shown: str) -> None:
    """Blank lines at the text's end are not printed; all else is unchanged."""
    assert format_chunk_with_context(text, ChunkContext("a.py", "python")) == f"# a.py\n\n{shown}"


# --- overlap of the chunks of a file ---

THREE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n"


def bodies(code: str, **options: Any) -> list[str]:
    """Give what stands behind the header of each chunk of a file."""
    chunks = chunk("a.py", code, max_chunk_size=16, **options)
    return [c.contextualized_text.split("\n\n", 1)[1] for c in chunks]


def test_overlap_lines() -> None:
    """The last lines of the previous chunk that has any text stand in front."""
    assert bodies(THREE, overlap_lines=1) == [
        "def a():\n    return 1",
        "# ...\n    return 1\n# ---\ndef b():\n    return 2",
        "# ...\n    return 2\n# ---\ndef c():\n    return 3",
    ]


def test_overlap_lines_are_ten_by_default() -> None:
    """Ten lines are repeated when nothing is said."""
    rows = [f"x = {n}" for n in range(10, 42)]
    second = chunk("a.py", "\n".join(rows), max_chunk_size=64)[1]
    assert second.contextualized_text.split("\n")[:14] == ["# a.py", "", "# ...", *rows[6:16], "# ---"]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 100])
def test_overlap_lines_are_counted(count: int) -> None:
    """As many lines are repeated as there are, at most."""
    rows = [f"x = {n}" for n in range(1, 7)]
    second = chunk("a.py", "\n".join(rows), max_chunk_size=9, overlap_lines=count)[1]
    overlap = second.contextualized_text.count("\n") - (2 + 2 if count else 2) - 2
    assert overlap == min(count, 3)


def test_overlap_lines_reach_into_one_chunk_only() -> None:
    """Of the chunk before the previous one nothing is repeated."""
    assert "return 1" not in bodies(THREE, overlap_lines=100)[2]


def test_overlap_nodes() -> None:
    """The last tile of the previous chunk stands before the text, the first of the next behind it."""
    code = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n"
    chunks = chunk("a.py", code, max_chunk_size=6, overlap_nodes=1)
    assert [c.contextualized_text for c in chunks] == [
        "# a.py\n\na = 1\nb = 2\n# ---\nc = 3\n# ...",
        "# a.py\n\n# ...\nb = 2\n# ---\nc = 3\nd = 4\n# ---\ne = 5\n# ...",
        "# a.py\n\n# ...\nd = 4\n# ---\ne = 5\nf = 6",
    ]


def test_overlap_nodes_are_whole_tiles() -> None:
    """A tile is repeated with all its lines."""
    assert bodies(THREE, overlap_nodes=1) == [
        "def a():\n    return 1\n# ---\ndef b():\n    return 2\n# ...",
        "# ...\ndef a():\n    return 1\n# ---\ndef b():\n    return 2\n# ---\ndef c():\n    return 3\n# ...",
        "# ...\ndef b():\n    return 2\n# ---\ndef c():\n    return 3",
    ]


@pytest.mark.parametrize("count", [2, 3, 50])
def test_overlap_nodes_are_counted(count: int) -> None:
    """As many tiles are repeated on each side as the neighbour has, at most."""
    code = "a = 1\nb = 2\nc = 3\nd = 4\n"
    first, second = chunk("a.py", code, max_chunk_size=6, overlap_nodes=count)
    assert (first.contextualized_text, second.contextualized_text) == (
        "# a.py\n\na = 1\nb = 2\n# ---\nc = 3\nd = 4\n# ...",
        "# a.py\n\n# ...\na = 1\nb = 2\n# ---\nc = 3\nd = 4",
    )


def test_overlap_is_not_in_the_text() -> None:
    """Overlap changes no chunk's text, ranges, size or id."""
    plain = chunk("a.py", THREE, max_chunk_size=16, overlap_lines=0)
    cases: list[dict[str, Any]] = [{"overlap_lines": 5}, {"overlap_nodes": 2}]
    for options in cases:
        overlapped = chunk("a.py", THREE, max_chunk_size=16, **options)
        assert [c.to_dict() | {"contextualizedText": ""} for c in overlapped] == [
            c.to_dict() | {"contextualizedText": ""} for c in plain
        ]


def test_overlap_with_crlf() -> None:
    """Lines of a file with CRLF keep it, but for the last, whose end is left out."""
    code = THREE.replace("\n", "\r\n")
    second = chunk("a.py", code, max_chunk_size=16, overlap_lines=2)[1]
    assert second.contextualized_text.split("\n\n", 1)[1] == (
        "# ...\ndef a():\r\n    return 1\n# ---\ndef b():\r\n    return 2"
    )


# --- modes and formats ---


def test_mode_none_is_the_text() -> None:
    """Without a context the contextualized text is the text itself, blank lines included."""
    chunks = chunk("a.py", THREE, max_chunk_size=16, context_mode="none")
    assert [c.contextualized_text for c in chunks] == [c.text for c in chunks]


def test_mode_none_is_the_text_whatever_the_overlap() -> None:
    """Without a context there is no overlap either: the contextualized text equals the text."""
    chunks = chunk("a.py", THREE, max_chunk_size=16, context_mode="none", overlap_lines=3)
    assert [c.contextualized_text for c in chunks] == [c.text for c in chunks]


def test_mode_minimal_has_what_is_searched_by() -> None:
    """The minimal header has path, scope, definitions and the parts of names, and there is no overlap."""
    made = get_user(context_mode="minimal")
    assert lines_of(made)[:6] == [
        "# src/services/user.ts",
        "# Scope: UserService",
        "# Defines: async getUser(id: string): Promise<User>",
        "# Names: user service get",
        "",
        "  async getUser(id: string): Promise<User> {",
    ]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("parse_HTTPHeader", "parse http header"),
        ("HTTP2Server", "http 2 server"),
        ("XMLToJSON", "xml to json"),
        ("__init__", "init"),
        ("MAX_SIZE_2", "max size 2"),
        ("getGrößeÜber", "get größeüber"),
        ("getget_Get", "getget get"),
        ("x", "x"),
        ("名前", "名前"),
        ("to_URLsAndIDs", "to urls and ids"),
        ("नमस्ते_दुनिया", "नमस्ते दुनिया"),
        ("_", None),
    ],
)
def test_names_are_split_where_people_see_words(name: str, parts: str | None) -> None:
    """Names fall apart at case changes, digits and underscores; each part stands once, in small letters."""
    (made,) = chunk("a.py", f"def {name}(): pass\n", context_mode="minimal")
    found = [line for line in lines_of(made) if line.startswith("# Names")]
    assert found == ([f"# Names: {parts}"] if parts else [])


def test_names_are_those_of_scope_and_definitions() -> None:
    """Imports, exports and constants give no names, a word in several stands once, the outermost first."""
    code = "import some_module\nLOW_BOUND = 1\nclass BigJar:\n    def fill_jar(self): ...\n"
    (made,) = chunk("a.py", code, context_mode="minimal")
    assert "# Names: big jar fill" in lines_of(made)


def about(doc: str) -> list[str]:
    """The lines of the header that say what a class with this documentation is about."""
    code = f'class Jar:\n    """{doc}"""\n' + "".join(f"    def m{i}(self): return 1000\n" for i in range(9))
    made = chunk("a.py", code, max_chunk_size=24, context_mode="minimal")
    assert "".join(one.text for one in made) == code
    found = [line for line in lines_of(made[-1]) if line.startswith("# About")]
    assert made[-1].context.scope, "the last chunk must stand in the class"
    return found


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        ("Holds jam. And more.", "Holds jam."),
        ("Holds\n    jam", "Holds jam"),
        ("Holds jam\n\n    Much.", "Holds jam"),
        ("Holds 3.5 l! All.", "Holds 3.5 l!"),
        ("\n    Holds jam.\n    ", "Holds jam."),
        ("Holds jam, e.g. plum. More.", "Holds jam, e.g. plum."),
        ('Says "jam." Then more.', 'Says "jam."'),
        ("... Holds jam. More.", "... Holds jam."),
        ("Holds jam\n    @param x: of it", "Holds jam"),
        ("\u9700\u8981\u3002\u5bb9\u5668\u3002", "\u9700\u8981\u3002"),
        ("x" * 250, "x" * 199 + "\u2026"),
        ("x" * 200 + ". y", "x" * 199 + "\u2026"),
        ("x " * 9000, ("x " * 100).rstrip()[:199].rstrip() + "\u2026"),
    ],
)
def test_about_is_the_first_sentence_of_the_scopes_doc(doc: str, sentence: str) -> None:
    """What encloses a chunk is described by the first sentence of its documentation, on one line."""
    assert about(doc) == [f"# About: {sentence}"]


@pytest.mark.parametrize("doc", ["", "  ", "...", "@deprecated use it not.", " \n" * 5000 + "x"])
def test_about_is_left_out_without_a_sentence(doc: str) -> None:
    """A doc that says nothing near its start gives no line."""
    assert about(doc) == []


def test_about_is_left_out_in_other_modes() -> None:
    """Only the minimal header has lines to search by."""
    code = 'class Jar:\n    """Holds jam."""\n' + "    def m(self): return 1000\n" * 9
    for mode in ("full", "none"):
        texts = [one.contextualized_text for one in chunk("a.py", code, max_chunk_size=24, context_mode=mode)]
        assert not any("# About" in text or "# Names" in text for text in texts)


def test_about_is_of_the_innermost_documented_scope() -> None:
    """An inner scope without documentation has that of the one around it; a Go receiver has its type's."""
    body = "".join(f"            x{i} = 1000\n" for i in range(30))
    code = f'class A:\n    """Outer."""\n    class B:\n        def m(self):\n{body}'
    assert "# About: Outer." in lines_of(chunk("a.py", code, max_chunk_size=60, context_mode="minimal")[-1])
    code = "package a\n\n// Jar holds jam.\ntype Jar struct{}\n\nfunc (j *Jar) Fill() {\n}\n"
    made = chunk("a.go", code, max_chunk_size=40, context_mode="minimal")[-1]
    assert "# Scope: Jar" in lines_of(made)
    assert "# About: Jar holds jam." in lines_of(made)
    code = "/// Jar holds jam.\nstruct Jar {}\n\nimpl Jar {\n    fn fill() {}\n    fn empty() {}\n}\n"
    made = chunk("a.rs", code, max_chunk_size=20, context_mode="minimal")[-1]
    assert "# Scope: Jar" in lines_of(made)
    assert "# About: Jar holds jam." in lines_of(made)


def test_a_path_stays_on_its_line() -> None:
    """A line end in a path does not break the header."""
    (made,) = chunk("a\nb/c\r.py", "x = 1\n", context_mode="minimal")
    assert lines_of(made)[:2] == ["# a b/c .py", ""]


ANCESTRY = """\
class A(B):
    class C:
        @cache
        def big(self, x: int) -> int:
            first = x + 1000001
            second = first + 2000002
            return second
"""


def test_format_ancestry() -> None:
    """The signatures of what encloses the chunk are indented by depth."""
    last = chunk("src/a.py", ANCESTRY, max_chunk_size=30, context_format="ancestry", overlap_lines=0)[-1]
    assert (
        last.contextualized_text
        == """\
# src/a.py
# class A(B)
#   class C
#     def big(self, x: int) -> int

            return second"""
    )


def test_format_ancestry_without_a_scope() -> None:
    """At the top level the path stands alone."""
    [made] = chunk("src/a.py", "def f(): pass\n", context_format="ancestry")
    assert made.contextualized_text == "# src/a.py\n\ndef f(): pass"


def test_format_ancestry_has_overlap() -> None:
    """Overlap is written as with labels."""
    made = chunk("a.py", THREE, max_chunk_size=16, context_format="ancestry", overlap_lines=1)[1]
    assert made.contextualized_text == "# a.py\n\n# ...\n    return 1\n# ---\ndef b():\n    return 2"


def test_format_chunk_with_context_is_what_chunk_does() -> None:
    """The public function gives what stands in a chunk without overlap."""
    chunks = chunk("src/services/user.ts", USER_SERVICE, max_chunk_size=100, overlap_lines=0)
    assert [format_chunk_with_context(c.text, c.context) for c in chunks] == [
        c.contextualized_text for c in chunks
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, ChunkContext("a.py", "python")), "text must be str, not int"),
        (("x", None), "context must be ChunkContext, not NoneType"),
        (("x", ChunkContext("a.py", "python"), 5), "overlap_text must be str, not int"),
    ],
)
def test_wrong_types(arguments: Any, message: str) -> None:
    """The message says which argument it is."""
    with pytest.raises(TypeError, match=re.escape(message)):
        format_chunk_with_context(*arguments)
