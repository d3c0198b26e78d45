"""What a chunk knows about where it stands."""

from __future__ import annotations

import pytest

from code_chunk import Chunk, ChunkEntityInfo, EntityInfo, ImportInfo, LineRange, SiblingInfo, chunk


def with_text(chunks: list[Chunk], text: str) -> Chunk:
    """Give the one chunk that holds the text."""
    [found] = [c for c in chunks if text in c.text]
    return found


def scope_names(made: Chunk) -> list[str]:
    return [entity.name for entity in made.context.scope]


def entity_names(made: Chunk) -> list[str]:
    return [entity.name for entity in made.context.entities]


def siblings(made: Chunk) -> list[tuple[str, str, int]]:
    return [(s.name, s.position, s.distance) for s in made.context.siblings]


def signatures(filepath: str, code: str) -> list[str]:
    """Give the signatures of what a file of one chunk defines."""
    [made] = chunk(filepath, code)
    return [entity.signature for entity in made.context.entities]


BIG = """\
class A:
    def small(self):
        return 1

    def big(self, x):
        first = x + 1000001
        second = first + 2000002
        third = second + 3000003
        return third


def after():
    return 2
"""


# --- scope ---


def test_scope_of_a_continuation() -> None:
    """A chunk that goes on with a method has the method and its class as scope, innermost first."""
    made = with_text(chunk("a.py", BIG, max_chunk_size=40), "third = ")
    assert made.context.scope == (
        EntityInfo("big", "method", "def big(self, x)"),
        EntityInfo("A", "class", "class A"),
    )


INNER = {
    "a.py": """\
class Out:
    def m0(self):
        return 1
    class In:
        def m1(self): pass
        def m2(self): pass
""",
    "a.ts": """\
namespace Out {
  function m0() { return 1 }
  class In {
    m1() { return 11 }
    m2() { return 22 }
  }
}
""",
    "a.js": """\
function Out() {
  function m0() { return 1 }
  class In {
    m1() { return 11 }
    m2() { return 22 }
  }
}
""",
    "a.rs": """\
mod Out {
  fn m0() -> u8 { 1 }
  trait In {
    fn m1() -> u8 { 1 }
    fn m2() -> u8 { 2 }
  }
}
""",
    "A.java": """\
class Out {
  int m0() { return 1; }
  class In {
    int m1() { return 1; }
    int m2() { return 2; }
  }
}
""",
}


@pytest.mark.parametrize(("filepath", "code"), INNER.items(), ids=INNER)
def test_scope_of_a_chunk_that_starts_at_a_class_header(filepath: str, code: str) -> None:
    """A chunk that starts at a class's header has the class's own parents as scope, not the class."""
    made = with_text(chunk(filepath, code, max_chunk_size=32), " In")
    assert (entity_names(made), scope_names(made)) == (["In", "m1"], ["Out"])


@pytest.mark.parametrize(("filepath", "code"), INNER.items(), ids=INNER)
def test_scope_of_a_later_member(filepath: str, code: str) -> None:
    """A chunk that starts in a class has the class and its parents as scope, innermost first."""
    made = with_text(chunk(filepath, code, max_chunk_size=32), "m2")
    assert (entity_names(made), scope_names(made)) == (["m2"], ["In", "Out"])


def test_scope_without_an_enclosing_entity() -> None:
    """At the top level there is no scope."""
    assert scope_names(with_text(chunk("a.py", BIG, max_chunk_size=40), "def after")) == []


@pytest.mark.parametrize(
    ("filepath", "code"),
    [
        ("a.ts", "class A {{\n  big() {{\n{}  }}\n}}\n"),
        ("a.js", "class A {{\n  big() {{\n{}  }}\n}}\n"),
        ("A.java", "class A {{\n  void big() {{\n{}  }}\n}}\n"),
        ("a.rs", "impl A {{\n  fn big() {{\n{}  }}\n}}\n"),
    ],
    ids=["ts", "js", "java", "rs"],
)
def test_scope_looks_through_closers_at_the_end(filepath: str, code: str) -> None:
    """The last statement of a method is in its scope, though the chunk goes on to the class's end."""
    code = code.format("".join(f"    call_number_{n}();\n" for n in range(6)))
    last = chunk(filepath, code, max_chunk_size=50)[-1]
    assert (last.text.endswith("  }\n}\n"), scope_names(last)) == (True, ["big", "A"])


def test_scope_looks_through_semicolons_and_commas_at_the_end() -> None:
    """Separators behind a construct do not end the scope of what stands in it."""
    rows = "".join(f"      call_number_{n}();\n" for n in range(6))
    code = f"const api = {{\n  big() {{\n{rows}  }},\n}};\n"
    last = chunk("a.js", code, max_chunk_size=50)[-1]
    assert scope_names(last) == ["big", "api"]


def test_scope_ends_with_its_entity() -> None:
    """A chunk that goes beyond a class's end is not in the class."""
    code = "class A {\n  big() {\n    call_number_1()\n    call_number_2()\n  }\n}\ncall()\n"
    last = chunk("a.js", code, max_chunk_size=50)[-1]
    assert (last.text.endswith("call()\n"), scope_names(last)) == (True, [])


def test_scope_holds_the_32_innermost() -> None:
    """Of forty classes around a chunk the 32 nearest are its scope."""
    lines = [f"{' ' * depth}class C{depth}:\n" for depth in range(40)]
    code = "".join(lines) + f"{' ' * 40}x = 1\n{' ' * 40}y = 2\n"
    last = chunk("a.py", code, max_chunk_size=10)[-1]
    assert scope_names(last) == [f"C{depth}" for depth in range(39, 7, -1)]


GO_STACK = """\
package p

// Stack is one.
type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }

func (s *Stack[T]) Pop() { s.items = s.items[1:] }

func Free() int { return 1000000 + 2000000 + 3000000 }
"""


def test_scope_of_a_go_method() -> None:
    """A receiver's type is the scope of its methods, with the signature of its definition."""
    made = with_text(chunk("a.go", GO_STACK, max_chunk_size=50), "Pop()")
    assert made.context.scope == (EntityInfo("Stack", "type", "type Stack[T any] struct"),)


def test_scope_of_a_go_method_before_its_type() -> None:
    """A receiver's type that did not come yet has an empty signature."""
    code = "package p\n\nfunc (q *Queue) Push() {}\n\ntype Queue struct{ first, second, third int }\n"
    first = with_text(chunk("a.go", code, max_chunk_size=35), "Push")
    assert [(entity.name, entity.signature) for entity in first.context.scope] == [("Queue", "")]


def test_scope_of_go_methods_of_one_type() -> None:
    """A chunk of several methods of one type has the type as scope."""
    code = "package p\n\ntype A struct{ first, second int }\n\nfunc (A) One() {}\n\nfunc (*A) Two() {}\n"
    last = chunk("a.go", code, max_chunk_size=40)[-1]
    assert (entity_names(last), scope_names(last)) == (["One", "Two"], ["A"])


@pytest.mark.parametrize("other", ["func (B) Two() {}", "func Two() {}", "var Two = 1", "type Two int"])
def test_scope_of_a_go_method_and_something_else(other: str) -> None:
    """A chunk whose definitions do not all name one receiver has no such scope."""
    code = f"package p\n\ntype A struct{{ first, second int }}\n\nfunc (A) One() {{}}\n\n{other}\n"
    last = chunk("a.go", code, max_chunk_size=40)[-1]
    assert (entity_names(last), scope_names(last)) == (["One", "Two"], [])


def test_scope_of_a_continued_go_method() -> None:
    """A chunk that goes on with a method has the method and the receiver's type as scope."""
    rows = "".join(f"\tcallNumber{n}()\n" for n in range(6))
    code = f"package p\n\ntype A struct{{}}\n\nfunc (a A) Big() {{\n{rows}}}\n"
    last = chunk("a.go", code, max_chunk_size=40)[-1]
    assert last.context.scope == (
        EntityInfo("Big", "method", "func (a A) Big()"),
        EntityInfo("A", "type", "type A struct"),
    )


def test_scope_of_a_prototype_method() -> None:
    """``X`` is the scope of a function that is put into ``X.prototype``, with its signature."""
    code = (
        "function Jar(size) {\n  this.size = size\n}\n\n"
        "Jar.prototype.full = function () {\n  return !this.size\n}\n"
    )
    last = chunk("a.js", code, max_chunk_size=60)[-1]
    assert last.context.scope == (EntityInfo("Jar", "function", "function Jar(size)"),)


# --- entities ---


def test_entities_in_source_order() -> None:
    """Imports, exports, constants and definitions are listed as they stand, the outer before the inner."""
    code = (
        'import { db } from "./db"\nconst LIMIT = 5\n'
        "export class A {\n  m() {}\n}\nfunction f() {}\nexport { f as g }\n"
    )
    [made] = chunk("a.ts", code)
    assert [(e.type, e.name) for e in made.context.entities] == [
        ("import", "db"),
        ("constant", "LIMIT"),
        ("class", "A"),
        ("method", "m"),
        ("function", "f"),
        ("export", "g"),
    ]


@pytest.mark.parametrize("limit", [10, 20, 40, 80, 1500])
def test_entities_are_listed_once_in_a_file(limit: int) -> None:
    """Each entity stands in the chunk where it starts and in no other."""
    names = [name for c in chunk("a.py", BIG, max_chunk_size=limit) for name in entity_names(c)]
    assert names == ["A", "small", "big", "after"]


def test_entities_that_end_in_another_chunk_are_partial() -> None:
    """An entity is partial when its end lies in another chunk."""
    chunks = chunk("a.py", BIG, max_chunk_size=60)
    found = {e.name: e.is_partial for c in chunks for e in c.context.entities}
    assert found == {"A": True, "small": False, "big": True, "after": False}


def test_entities_that_end_with_their_chunk_are_whole() -> None:
    """An entity that ends where its chunk ends is not partial."""
    code = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
    chunks = chunk("a.py", code, max_chunk_size=16)
    assert [(e.name, e.is_partial) for c in chunks for e in c.context.entities] == [
        ("a", False),
        ("b", False),
    ]


def test_entities_of_a_unit_whose_lead_is_parted() -> None:
    """A definition is listed in its own chunk, not in that of its comment."""
    code = f"// {'w' * 40}\nfunction f() {{\n  return call()\n}}\n"
    first, second = chunk("a.ts", code, max_chunk_size=42)
    assert (entity_names(first), entity_names(second)) == ([], ["f"])


def test_entity_fields() -> None:
    """A definition has signature, docstring, lines and parent."""
    code = (
        "class A:\n    @property\n    def p(self) -> int:\n"
        '        """Doc.\n\n        More.\n        """\n        return 1\n'
    )
    [made] = chunk("a.py", code)
    assert made.context.entities[1] == ChunkEntityInfo(
        name="p",
        type="method",
        signature="def p(self) -> int",
        docstring="Doc.\n\nMore.",
        line_range=LineRange(1, 7),
        is_partial=False,
        parent="A",
        source=None,
    )


def test_entity_fields_of_an_import() -> None:
    """An import has its statement as signature, and its source."""
    [made] = chunk("a.py", "from m import (y,\n               z as w)\n")
    assert made.context.entities[1] == ChunkEntityInfo(
        "w", "import", "from m import (y, z as w)", line_range=LineRange(0, 1), source="m"
    )


def test_entity_fields_of_an_export() -> None:
    """A re-export has its source."""
    [made] = chunk("a.ts", 'export * as n from "./n";\n')
    [export] = made.context.entities
    assert (export.type, export.name, export.source) == ("export", "n", "./n")


def test_entity_line_range_reaches_into_later_chunks() -> None:
    """The lines of a partial entity are all its lines."""
    big = with_text(chunk("a.py", BIG, max_chunk_size=40), "def big").context.entities[-1]
    assert (big.name, big.line_range) == ("big", LineRange(4, 8))


# --- siblings ---

FUNCTIONS = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(1, 10))


def test_siblings_three_on_each_side() -> None:
    """The three nearest on each side are listed, nearest first."""
    made = with_text(chunk("a.py", FUNCTIONS, max_chunk_size=16), "def f5")
    assert made.context.siblings == (
        SiblingInfo("f4", "function", "before", 1, "def f4()"),
        SiblingInfo("f3", "function", "before", 2, "def f3()"),
        SiblingInfo("f2", "function", "before", 3, "def f2()"),
        SiblingInfo("f6", "function", "after", 1, "def f6()"),
        SiblingInfo("f7", "function", "after", 2, "def f7()"),
        SiblingInfo("f8", "function", "after", 3, "def f8()"),
    )


def test_siblings_at_the_ends_of_a_file() -> None:
    """The first and the last chunk have siblings on one side only."""
    chunks = chunk("a.py", FUNCTIONS, max_chunk_size=16)
    assert (siblings(chunks[0]), siblings(chunks[-1])) == (
        [("f2", "after", 1), ("f3", "after", 2), ("f4", "after", 3)],
        [("f8", "before", 1), ("f7", "before", 2), ("f6", "before", 3)],
    )


def test_siblings_are_children_of_the_scope() -> None:
    """A method's siblings are the other methods of its class, not what stands outside or deeper."""
    code = (
        "def outside():\n    return 0\n"
        "class A:\n    def one(self):\n        def deeper():\n            return 1\n"
        "    def two(self):\n        return 2222222222222222222222222\n"
        "    def three(self):\n        return 3\n"
    )
    made = with_text(chunk("a.py", code, max_chunk_size=50), "def two")
    assert siblings(made) == [("one", "before", 1), ("three", "after", 1)]


def test_siblings_are_no_imports_and_no_exports() -> None:
    """Imports and exports are no siblings; constants are."""
    code = (
        'import a from "a"\nconst LIMIT = 5\nfunction f() {\n  return 1\n}\n'
        'export { f as g }\nfunction h() {\n  return 22222\n}\nexport * from "b"\n'
    )
    made = with_text(chunk("a.js", code, max_chunk_size=23), "function f")
    assert siblings(made) == [("LIMIT", "before", 1), ("h", "after", 1)]


def test_siblings_of_a_continuation() -> None:
    """Siblings of a chunk inside a method are what else is defined in the method."""
    rows = "".join(f"    call_number_{n}()\n" for n in range(4))
    code = f"def other(): pass\ndef big():\n    def one(): pass\n{rows}    def two(): pass\n"
    made = with_text(chunk("a.py", code, max_chunk_size=36), "call_number_1")
    assert (scope_names(made), siblings(made)) == (["big"], [("one", "before", 1), ("two", "after", 1)])


def test_siblings_of_methods_with_a_named_owner() -> None:
    """Methods of one receiver are siblings."""
    made = with_text(chunk("a.go", GO_STACK, max_chunk_size=50), "Pop()")
    assert siblings(made) == [("Push", "before", 1)]


@pytest.mark.parametrize(("gap", "names"), [(16_000, ["near", "f1"]), (17_000, ["near"])])
def test_siblings_after_begin_within_16_kib(gap: int, names: list[str]) -> None:
    """What begins more than 16 KiB behind a chunk's end is no sibling of it."""
    filler = "# " + "x" * 77 + "\n"
    code = (
        "def here():\n    return 0\ndef near():\n    return 1\n" + filler * (gap // 80) + "def f1(): pass\n"
    )
    first = chunk("a.py", code, max_chunk_size=20)[0]
    assert [s.name for s in first.context.siblings] == names


def test_siblings_before_may_be_far_away() -> None:
    """What stands in front of a chunk is its sibling at any distance."""
    code = "def first(): pass\n" + "x = 1\n" * 10_000 + "def last(): pass\n"
    assert siblings(chunk("a.py", code)[-1]) == [("first", "before", 1)]


# --- imports and uses ---

IMPORTS = """\
import os
from m import load as read, save

def first():
    return read(os.sep)

import late

def second():
    return late.run()
"""


def test_imports_at_or_before_the_chunk() -> None:
    """A chunk lists the imports that stand in it or before it, those after it not."""
    chunks = chunk("a.py", IMPORTS, max_chunk_size=28)
    assert [i.name for i in with_text(chunks, "def first").context.imports] == ["os", "read", "save"]
    assert [i.name for i in chunks[-1].context.imports] == ["os", "read", "save", "late"]


def test_imports_filtered() -> None:
    """With ``filter_imports`` only those that the chunk uses are listed."""
    chunks = chunk("a.py", IMPORTS, max_chunk_size=40, filter_imports=True)
    assert with_text(chunks, "def first").context.imports == (ImportInfo("os", "os"), ImportInfo("read", "m"))


def test_imports_the_last_1000() -> None:
    """Of more than a thousand imports the last thousand are listed."""
    code = "".join(f"import m{n}\n" for n in range(1200))
    assert [i.name for i in chunk("a.py", code)[-1].context.imports] == [f"m{n}" for n in range(200, 1200)]


def test_imports_have_flags() -> None:
    """Default imports and namespaces are told apart."""
    [made] = chunk("a.ts", 'import d, * as n from "s"\n')
    assert made.context.imports == (
        ImportInfo("d", "s", is_default=True),
        ImportInfo("n", "s", is_namespace=True),
    )


def uses(filepath: str, code: str) -> set[str]:
    """Give the names that the last chunk of a file uses."""
    return set(chunk(filepath, code, max_chunk_size=30)[-1].context.uses)


FIRST = "import os, re\nfrom m import load\n"


def test_uses_are_bound_names_that_occur() -> None:
    """A bound name that occurs in the chunk is used."""
    assert uses("a.py", f"{FIRST}\ndef f():\n    return load(os.sep)\n") == {"os", "load"}


@pytest.mark.parametrize(
    "body", ["return cos(osx, os_, _os, os2)", "return 'ostrich'", "return ösos", "return osé"]
)
def test_uses_are_whole_words(body: str) -> None:
    """A name inside a longer word is not used."""
    assert uses("a.py", f"{FIRST}\ndef f():\n    {body}\n") == set()


def test_uses_of_an_alias() -> None:
    """The bound name counts, not the one in the module."""
    assert uses("a.py", "from module import load as read\n\ndef f():\n    load(), read()\n") == {"read"}


@pytest.mark.parametrize(
    ("filepath", "code"),
    [
        ("a.py", "import os\nfrom os import path\n"),
        ("a.ts", 'import fs from "fs"\nimport { path } from "fs"\n'),
        ("a.js", 'const fs = require("fs")\n'),
        ("a.rs", "use fs;\nuse fs::path;\n"),
        ("a.go", 'package p\n\nimport (\n\t"fs"\n\tx "fs"\n)\n'),
        ("A.java", "import fs;\nimport fs.path;\n"),
    ],
    ids=["py", "ts", "js", "rs", "go", "java"],
)
def test_uses_are_outside_of_import_statements(filepath: str, code: str) -> None:
    """A name in an import statement is not used there."""
    assert chunk(filepath, code)[0].context.uses == ()


@pytest.mark.parametrize(
    ("filepath", "code"),
    [
        ("a.py", "from m import *\nfrom m import x as _\n\n_ = 2 * 3 * 4 * a.b\n"),
        ("A.java", "import a.*;\n\nclass A { int x = 2 * 3 * a.b; }\n"),
        ("a.rs", "use a::*;\nuse b as _;\n\nfn f() { let _ = 2 * 3 * a.b; }\n"),
        ("a.go", 'package p\n\nimport . "a"\nimport _ "b"\n\nvar _ = 2 * 3 * a.b\n'),
    ],
    ids=["py", "java", "rs", "go"],
)
def test_uses_are_never_wildcards(filepath: str, code: str) -> None:
    """``*``, ``_`` and ``.`` bind nothing that can be used."""
    assert chunk(filepath, code)[0].context.uses == ()


def test_uses_of_a_dotted_name() -> None:
    """A dotted import is used where its whole name occurs."""
    code = "import a.b\n\ndef f():\n    return a.b.c\n\ndef g():\n    return a.bc + xa.b\n"
    chunks = chunk("a.py", code, max_chunk_size=20)
    assert [c.context.uses for c in chunks if "return" in c.text] == [("a.b",), ()]


def test_uses_of_a_name_with_a_dollar() -> None:
    """A dollar sign is part of a word."""
    code = 'import $ from "jquery"\nimport q from "q"\n\nfunction f() { return $(q$, $q) }\n'
    assert uses("a.js", code) == {"$"}


def test_uses_before_the_import_are_none() -> None:
    """A name is used only at or behind its import."""
    code = "def f():\n    return late.run()\n\nimport late\n"
    assert chunk("a.py", code, max_chunk_size=25)[0].context.uses == ()


# --- parse errors ---


def messages(filepath: str, code: str, limit: int = 1500) -> list[str | None]:
    """Give what is said of the syntax errors of each chunk."""
    found = [c.context.parse_error for c in chunk(filepath, code, max_chunk_size=limit)]
    return [error.message if error else None for error in found]


def test_parse_error_none() -> None:
    """A chunk without a syntax error has none."""
    assert messages("a.py", "x = 1\n") == [None]


def test_parse_error_at() -> None:
    """An error is named with its line and column, from 1, the column in characters."""
    assert messages("a.py", "x = 1\nprint('é🎉' $ 1)\n") == ["ERROR at line 2, column 12"]


def test_parse_error_missing() -> None:
    """What is missing is named."""
    assert messages("A.java", "class A { int x = 1 }\n") == ["MISSING ; at line 1, column 20"]


def test_parse_error_three_are_listed() -> None:
    """Three errors are named."""
    code = "class A { int x = 1 }\n" * 3
    assert messages("A.java", code) == [
        "; ".join(f"MISSING ; at line {line}, column 20" for line in (1, 2, 3))
    ]


def test_parse_error_more_than_three_are_counted() -> None:
    """Further errors are counted."""
    [message] = messages("A.java", "class A { int x = 1 }\n" * 5)
    assert message
    assert message.endswith("; MISSING ; at line 3, column 20; ... and 2 more")


def test_parse_error_in_the_chunk_where_it_begins() -> None:
    """A chunk tells of the errors that begin in it, with the line of the file."""
    code = "class A { int x; }\nclass B { int x = 1 }\nclass C { int x; }\n"
    assert messages("A.java", code, 16) == [None, "MISSING ; at line 2, column 20", None]


def test_parse_error_is_recoverable() -> None:
    """An error that leaves the structure around it standing is recoverable."""
    error = chunk("A.java", "class A { int x = 1 }\n")[0].context.parse_error
    assert error
    assert error.recoverable is True


def test_parse_error_in_no_context() -> None:
    """Errors are told without a context too."""
    [made] = chunk("A.java", "class A { int x = 1 }\n", context_mode="none")
    assert made.context.parse_error
    assert made.context.parse_error.message == "MISSING ; at line 1, column 20"


# --- signatures ---


SIGNATURES = {
    "async def f( a: int = 1, ) -> dict[str, int]": (
        "a.py",
        "@c\nasync  def f(  # why\n    a: int = 1,\n) -> dict[str, int]:\n    pass\n",
    ),
    "class A(B, metaclass=M)": ("a.py", "class A(B, metaclass=M): pass\n"),
    "LIMIT: Final[int]": ("a.py", "LIMIT: Final[int] = 5\n"),
    "export class A<T extends { a: 1 }> implements B": (
        "a.ts",
        "@D({ x: 1 })\nexport class A<T extends { a: 1 }> implements B {}\n",
    ),
    "export const f = async (a: A): Promise<B>": (
        "a.ts",
        "export const f = async (a: A): Promise<B> => {\n  return a\n}\n",
    ),
    "export const LIMIT": ("a.ts", "export const LIMIT = 5;\n"),
    "declare function f(a: { b: C }): void": ("a.ts", "declare function f(a: { b: C }): void;\n"),
    "const f = function* (a = {})": ("a.js", "const f = function* (a = {}) { yield a };\n"),
    "pub fn f<T>(a: [u8; 3]) -> T where T: Copy,": (
        "a.rs",
        "#[inline]\npub fn f<T>(a: [u8; 3]) -> T\nwhere\n    T: Copy,\n{\n    a\n}\n",
    ),
    "impl<T> fmt::Display for A<T>": ("a.rs", "impl<T> fmt::Display for A<T> {}\n"),
    "func Map[K comparable](m map[K]struct{}) (int, error)": (
        "a.go",
        "func Map[K comparable](m map[K]struct{}) (int, error) {\n}\n",
    ),
    "type A struct": ("a.go", "type (\n\tA struct{}\n)\n"),
    "public class K<T extends C> extends B": (
        "A.java",
        "@A(x = 1) public /* why */ class K<T extends C> extends B {}\n",
    ),
    "interface I": ("A.java", "interface I { int m(int[] a) throws E; }\n"),
}


@pytest.mark.parametrize("signature", SIGNATURES)
def test_signature(signature: str) -> None:
    """A signature is the header on one line, without decorators, annotations, comments and its end."""
    assert signatures(*SIGNATURES[signature])[0] == signature


def test_signature_keeps_the_blanks_of_a_literal() -> None:
    """White space inside of a string literal is left as it is."""
    assert signatures("a.py", "def f(sep='a  b',   end=1): pass\n") == ["def f(sep='a  b', end=1)"]


def test_signature_over_1000_characters() -> None:
    """A signature over a thousand characters is cut to a thousand, an ellipsis at their end."""
    [signature] = signatures("a.py", f"def f({', '.join(f'a{n}' for n in range(300))}): pass\n")
    assert (len(signature), signature[-1]) == (1000, "…")


def test_signature_of_exactly_1000_characters() -> None:
    """A signature of a thousand characters is left as it is."""
    header = "def f(" + "a" * 993 + ")"
    assert signatures("a.py", f"{header}: pass\n") == [header]


@pytest.mark.parametrize(
    ("filepath", "code"),
    [
        ("a.ts", "export default () => 1\n[1].map(x => x)\n(function () {})()\n"),
        ("a.js", "export default class {}\n!function () {}()\nsetTimeout(() => {})\n"),
        ("a.py", "x = map(lambda y: y, z)\n"),
        ("a.rs", "fn f() { let g = |x| x; g(1) }\n"),
        ("a.go", "package p\n\nfunc f() { go func() {}() }\n"),
        ("A.java", "class A { Object o = new B() { void m() {} }; Runnable r = () -> {}; }\n"),
    ],
    ids=["ts", "js", "py", "rs", "go", "java"],
)
def test_name_is_never_made_up(filepath: str, code: str) -> None:
    """What has no name is not called ``<anonymous>``, and no name is empty."""
    names = [name for c in chunk(filepath, code) for name in entity_names(c)]
    assert [name for name in names if not name or "anonymous" in name] == []


# --- ids ---


def test_id_depends_on_the_path() -> None:
    """Equal text in another file has another id."""
    assert chunk("a.py", "x = 1\n")[0].id != chunk("b.py", "x = 1\n")[0].id


def test_id_depends_on_the_scope() -> None:
    """Equal text in another scope has another id."""
    code = "class A:\n    def f(self):\n        return 1\nclass B:\n    def f(self):\n        return 1\n"
    found = [c for c in chunk("a.py", code, max_chunk_size=21) if c.text.startswith("    def f")]
    assert len({c.id for c in found}) == len(found)


def test_id_depends_on_the_text() -> None:
    """Other text has another id."""
    assert chunk("a.py", "x = 1\n")[0].id != chunk("a.py", "x = 2\n")[0].id


def test_id_does_not_depend_on_options_of_the_context() -> None:
    """The way in which the context is written leaves the id as it is."""
    assert (
        chunk("a.py", "x = 1\n", overlap_lines=2)[0].id
        == chunk("a.py", "x = 1\n", sibling_detail="none")[0].id
    )


def test_id_does_not_depend_on_how_the_code_comes() -> None:
    """Text and bytes give the same id."""
    assert chunk("a.py", "x = 'é'\n")[0].id == chunk("a.py", "x = 'é'\n".encode())[0].id


@pytest.mark.parametrize("size", [20, 200, 4000, 20_000])
def test_uses_of_many_imports(size: int) -> None:
    """The names used stand in the order of the imports that are known, of which there are 1,000 at most."""
    names = [f"n{number * number % 700}" for number in range(1500)]
    code = "".join(f"import {name}\n" for name in names) + "import a.b\n" + "print(n4, n1, n9, n2, a.b)\n" * 3
    made = chunk("a.py", code, max_chunk_size=size)[-1]
    known = [info.name for info in made.context.imports]
    assert known == [*names, "a.b"][-1000:]
    wanted = {"n4", "n1", "n9", "n2", "a.b"} & set(known)
    assert list(made.context.uses) == sorted(wanted, key=known.index)
    assert {"n4", "a.b"} <= wanted
