"""Where the cuts fall: what is kept whole, what stays together, and what is merged."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from code_chunk import chunk


def size(text: str) -> int:
    """Count the characters that are no white space."""
    return sum(character > " " for character in text)


def cut(filepath: str, code: str, limit: int) -> list[str]:
    """Give the texts of the chunks, which must be the code and within the limit."""
    texts = [c.text for c in chunk(filepath, code, max_chunk_size=limit, context_mode="none")]
    assert "".join(texts) == code
    assert max(map(size, texts)) <= limit
    return texts


# --- a unit that fits is whole (G4) ---

UNITS = {
    "py comments and decorators": (
        "a.py",
        "# About f.\n# More about it.\n@cache\n@other(1)\n",
        "def f():\n    one(1)\n    two(2)\n    return three(3)\n",
    ),
    "py comment and class": ("a.py", "# About A.\n", "class A:\n    x = 1\n    def m(self): return 2\n"),
    "ts doc and decorators": (
        "a.ts",
        "/** Doc. */\n@D()\n@E\n",
        "export class F {\n  m(): U { return 1 }\n}\n",
    ),
    "ts comment and arrow": ("a.ts", "// Plain.\n", "export const f = (a: A) => {\n  return a\n}\n"),
    "js doc": (
        "a.js",
        "/**\n * Doc.\n * @returns x\n */\n",
        "export default function f() {\n  return 1\n}\n",
    ),
    "js comments and class": ("a.js", "/* One. */\n// Two.\n", "class F {\n  m() { return 1 }\n}\n"),
    "rs docs and attributes": (
        "a.rs",
        "/// Doc.\n// note\n#[inline]\n/// More.\n#[must_use]\n",
        "pub fn f() -> u8 {\n    one(1);\n    2\n}\n",
    ),
    "rs attribute and enum": ("a.rs", "#[derive(Debug)]\n", "pub enum E {\n    A,\n    B { x: u8 },\n}\n"),
    "go docs": ("a.go", "// F does.\n//\n//go:noinline\n", "func F() int {\n\tone()\n\treturn 1\n}\n"),
    "go block comment": ("a.go", "/*\nT is.\n*/\n", "type T struct {\n\tone int\n\ttwo int\n}\n"),
    "java doc and annotations": (
        "A.java",
        "/** Doc. */\n@A\n@B(1)\n",
        "class F {\n  int m() { return 1; }\n}\n",
    ),
}
FIRST = {
    "a.py": "def first_one():\n    return call(1)\n\n",
    "a.ts": "function firstOne() {\n  return call(1)\n}\n\n",
    "a.js": "function firstOne() {\n  return call(1)\n}\n\n",
    "a.rs": "fn first_one() -> u8 {\n    call(1)\n}\n\n",
    "a.go": "func firstOne() int {\n\treturn call(1)\n}\n\n",
    "A.java": "class FirstOne {\n  int x = call(1);\n}\n\n",
}


@pytest.mark.parametrize("unit", UNITS)
def test_unit_that_fits_is_whole(unit: str) -> None:
    """A definition and all that leads it are one chunk, where the limit is just that."""
    filepath, lead, definition = UNITS[unit]
    code = FIRST[filepath] + lead + definition
    assert cut(filepath, code, size(lead + definition)) == [FIRST[filepath], lead + definition]


@pytest.mark.parametrize("unit", UNITS)
def test_unit_that_does_not_fit_while_its_definition_does(unit: str) -> None:
    """The cut falls in front of the definition, or of the decorators that it begins with."""
    filepath, lead, definition = UNITS[unit]
    code = FIRST[filepath] + lead + definition + "\n" + FIRST[filepath].replace("irst", "ast")
    before, parted, whole, after = cut(filepath, code, size(lead + definition) - 1)
    assert (before, after) == (FIRST[filepath], FIRST[filepath].replace("irst", "ast"))
    assert (lead.startswith(parted), whole.endswith(f"{definition}\n")) == (True, True)


MEMBERS = {
    "a.py": ("class A:\n", "    # About {0}.\n    @cache\n    def {0}(self):\n        return a({0})\n", ""),
    "a.ts": ("class A {\n", "  /** About {0}. */\n  @D()\n  {0}(): T {{\n    return a({0})\n  }}\n", "}\n"),
    "a.js": ("class A {\n", "  // About {0}.\n  static {0}() {{\n    return a({0})\n  }}\n", "}\n"),
    "a.rs": (
        "impl A {\n",
        "    /// On {0}.\n    #[inline]\n    fn {0}() -> u8 {{\n        a({0})\n    }}\n",
        "}\n",
    ),
    "a.go": (
        "type A interface {\n",
        "\t// About {0} and what it does.\n\t{0}(n int, text string) error\n",
        "}\n",
    ),
    "A.java": ("class A {\n", "  /** About {0}. */\n  @B\n  int {0}() {{\n    return a({0});\n  }}\n", "}\n"),
}


@pytest.mark.parametrize("filepath", MEMBERS)
def test_member_that_fits_is_whole(filepath: str) -> None:
    """Members of a type that does not fit are whole, each with what leads it."""
    header, member, end = MEMBERS[filepath]
    members = [member.format(name) for name in ("one", "two", "tri")]
    limit = size(members[0]) + max(size(header), size(end))
    code = header + "".join(members) + end
    assert cut(filepath, code, limit) == [header + members[0], members[1], members[2] + end]


def test_lead_and_definition_that_both_do_not_fit() -> None:
    """Comment and definition are cut at line starts, each by itself."""
    lead = "".join(f"# line number {n} of it\n" for n in range(4))
    code = lead + "def f():\n" + "".join(f"    call_number({n})\n" for n in range(6))
    texts = cut("a.py", code, 40)
    assert [text.endswith("\n") for text in texts] == [True] * len(texts)
    assert [text.count("def f():\n    call_number(0)\n") for text in texts].count(1) == 1


STATEMENTS = {
    "a.py": ("def f():\n", "    call_number(\n        {0},\n        [{0}, {0}],\n    )\n", ""),
    "a.ts": ("function f() {\n", "  callNumber<T>(\n    {0},\n    [{0}, {0}],\n  );\n", "}\n"),
    "a.js": ("const f = () => {\n", "  callNumber(\n    {0},\n    [{0}, {0}],\n  )\n", "}\n"),
    "a.rs": ("fn f() {\n", "    call_number(\n        {0},\n        &[{0}, {0}],\n    );\n", "}\n"),
    "a.go": ("func f() {\n", "\tcallNumber(\n\t\t{0},\n\t\t[]int{{{0}, {0}}},\n\t)\n", "}\n"),
    "A.java": ("void f() {\n", "  callNumber(\n    {0},\n    of({0}, {0}));\n", "}\n"),
}


@pytest.mark.parametrize("filepath", STATEMENTS)
def test_statement_that_fits_is_whole(filepath: str) -> None:
    """Statements of several lines are never cut, where the limit is just one of them with its header."""
    header, statement, end = STATEMENTS[filepath]
    statements = [statement.format(n) for n in (1001, 2002, 3003)]
    limit = size(header + statements[0])
    assert cut(filepath, header + "".join(statements) + end, limit) == [
        header + statements[0],
        statements[1],
        statements[2] + end,
    ]


@pytest.mark.parametrize("filepath", STATEMENTS)
def test_statement_that_fits_is_not_cut_for_its_header_or_closer(filepath: str) -> None:
    """Where the limit is just one statement, header and closer stand alone."""
    header, statement, end = STATEMENTS[filepath]
    statements = [statement.format(n) for n in (1001, 2002, 3003)]
    expected = [header, *statements, end] if end else [header, *statements]
    assert cut(filepath, header + "".join(statements) + end, size(statements[0])) == expected


# --- which cut is preferred (G4) ---


PREFERRED = {
    "between definitions, not members": (
        "a.py",
        60,
        [
            "class A:\n    def a(self): return 1\n    def b(self): return 2\n",
            "class B:\n    def c(self): return 3\n",
        ],
    ),
    "between members, not statements": (
        "a.js",
        32,
        ["class A {\n  a() {\n    one()\n    two()\n  }\n", "  b() {\n    three()\n    four()\n  }\n}\n"],
    ),
    "between statements, not their parts": (
        "a.js",
        24,
        ["function f() {\n  one(\n    1)\n", "  two(\n    2,\n    3)\n}\n"],
    ),
    "between parts, at a line": ("a.js", 22, ["call(\n  'one two',\n", "  'three four',\n)\n"]),
    "at a line end in a token": ("a.js", 20, ["x = `one two\nthree four\n", "five six`\n"]),
    "at a blank in a line": ("a.py", 20, ["# one two three four five ", "six seven\n"]),
    "nowhere": ("a.js", 40, ["'" + "x" * 38 + "'\n"]),
}


@pytest.mark.parametrize("kind", PREFERRED)
def test_preferred_cut(kind: str) -> None:
    """A cut falls at the best place that there is."""
    filepath, limit, expected = PREFERRED[kind]
    assert cut(filepath, "".join(expected), limit) == expected


def test_cut_at_a_line_start_though_more_would_fit() -> None:
    """Where a line end is in reach a cut in mid-line is not taken."""
    code = "call(alpha, beta,\n     gamma, delta, epsilon, zeta)\n"
    assert cut("a.py", code, 30) == ["call(alpha, beta,\n", "     gamma, delta, epsilon, zeta)\n"]


@pytest.mark.parametrize("filepath", ["a.py", "a.js", "a.ts", "a.rs", "a.go", "A.java"])
def test_cut_between_characters_inside_one_word_only(filepath: str) -> None:
    """A word that fits is not cut; one that does not is."""
    lead = "#" if filepath == "a.py" else "//"
    code = f"{lead} short words and one{'x' * 50} that is long\n"
    words = re.findall(r"\S+", "\n".join(cut(filepath, code, 20)))
    assert [word for word in words if "x" not in word] == [
        lead,
        "short",
        "words",
        "and",
        "that",
        "is",
        "long",
    ]


# --- no orphans (G5) ---

BLOCKS = {
    "a.py": ("def f(\n    a,\n):\n", "    call_one({0})\n", ""),
    "a.ts": ("function f(a: A) {\n", "  call_one({0})\n", "}\n"),
    "a.js": ("const f = function () {\n", "  call_one({0})\n", "}\n"),
    "a.rs": ("fn f(a: A) -> B {\n", "    call_one({0});\n", "}\n"),
    "a.go": ("func f(a A) {\n", "\tcall_one({0})\n", "}\n"),
    "A.java": ("void f(A a) {\n", "  call_one({0});\n", "}\n"),
}


@pytest.mark.parametrize("filepath", [name for name in BLOCKS if BLOCKS[name][2]])
@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_last_statement_takes_its_closer_along(filepath: str, count: int) -> None:
    """Where all but the closer fits into a chunk, the last statement goes over to it."""
    header, statement, end = BLOCKS[filepath]
    statements = [statement.format(n) for n in range(count)]
    limit = size(header + "".join(statements))
    assert cut(filepath, header + "".join(statements) + end, limit) == [
        header + "".join(statements[:-1]),
        statements[-1] + end,
    ]


@pytest.mark.parametrize("filepath", BLOCKS)
def test_header_takes_its_first_statement_along(filepath: str) -> None:
    """Where a header still fits behind what stands before, it goes over to its first statement."""
    header, statement, end = BLOCKS[filepath]
    rest = "".join(statement.format(n) for n in range(6))
    code = FIRST[filepath] + header + rest + end
    first = cut(filepath, code, size(FIRST[filepath] + header))[0]
    assert first == FIRST[filepath]


@pytest.mark.parametrize("filepath", BLOCKS)
@pytest.mark.parametrize("extra", range(12))
def test_header_is_never_alone(filepath: str, extra: int) -> None:
    """A header and its first statement are in one chunk if they fit, whatever else does."""
    header, statement, end = BLOCKS[filepath]
    statements = [statement.format(n) for n in range(6)]
    limit = size(header + statements[0]) + extra * 3
    texts = cut(filepath, header + "".join(statements) + end, limit)
    assert texts[0].startswith(header + statements[0])


@pytest.mark.parametrize("filepath", BLOCKS)
@pytest.mark.parametrize("extra", [0, 1, 2, 5])
def test_header_is_not_alone_where_the_body_by_itself_fits(filepath: str, extra: int) -> None:
    """A body that would fit without its header is cut, so that the header has a statement."""
    header, statement, end = BLOCKS[filepath]
    statements = [statement.format(n) for n in range(6)]
    texts = cut(filepath, header + "".join(statements) + end, size("".join(statements) + end) + extra)
    assert texts[0].startswith(header + statements[0])


def test_header_takes_its_docstring_and_first_statement_along() -> None:
    """A docstring is part of the header."""
    header = 'def f():\n    """What f does."""\n'
    statements = [f"    call_one({n})\n" for n in range(5)]
    limit = size(header + statements[0])
    assert cut("a.py", FIRST["a.py"] + header + "".join(statements), limit)[1] == header + statements[0]


@pytest.mark.parametrize(
    ("filepath", "lead"),
    [
        ("a.py", "# What f does.\n@cache\n"),
        ("a.ts", "/** What f does. */\n"),
        ("a.js", "// What f does.\n"),
        ("a.rs", "/// What f does.\n#[inline]\n"),
        ("a.go", "// f does.\n"),
        ("A.java", "/** What f does. */\n@A\n"),
    ],
)
def test_doc_takes_header_and_first_statement_along(filepath: str, lead: str) -> None:
    """What leads a definition that must be cut stays with its header and first statement, if they fit."""
    header, statement, end = BLOCKS[filepath]
    statements = [statement.format(n) for n in range(9)]
    limit = size(lead + header + statements[0])
    assert cut(filepath, lead + header + "".join(statements) + end, limit)[0] == lead + header + statements[0]


def test_closers_of_several_levels_stay_with_the_last_statement() -> None:
    """All closers at the end go with the last statement."""
    end = "    }\n  }\n}\n"
    code = f"class A {{\n  m() {{\n    if (x) {{\n      call(1)\n      call(2)\n      call(3)\n{end}"
    for limit in range(10, size("if (x) { call(1) call(2) call(3) }")):
        assert cut("a.js", code, limit)[-1].endswith(f"call(3)\n{end}")


NESTED = {
    "a.py": "x = call(\n    [\n        one(1),\n        two(2),\n        three(3),\n    ],\n)\ny = 1\n",
    "a.ts": "const x = call<T>([\n  [\n    one(1),\n    two(2),\n    three(3),\n  ],\n])\nlet y = 1\n",
    "a.js": "x(\n  [\n    one(1),\n    two(2),\n    three(3),\n  ],\n)\n",
    "a.rs": "const X: T = call(&[\n  &[\n    one(1),\n    two(2),\n    three(3),\n  ],\n]);\n",
    "a.go": "var x = T{\n\t[]int{\n\t\tone(1),\n\t\ttwo(2),\n\t\tthree(3),\n\t},\n}\n",
    "A.java": "int[][] x = {\n  {\n    one(1),\n    two(2),\n    three(3),\n  },\n};\n",
}


@pytest.mark.parametrize("limit", range(16, 50))
@pytest.mark.parametrize("filepath", NESTED)
def test_no_chunk_of_closers_only(filepath: str, limit: int) -> None:
    """Brackets that close a value stay with its last part."""
    texts = cut(filepath, NESTED[filepath], limit)
    assert [text for text in texts if not re.search(r"\w", text)] == []


# --- merging (G6) ---

SMALL = {
    "a.py": ("", "def f{0}():\n    return {0}\n", ""),
    "a.ts": ("class A {\n", "  f{0}(): number {{ return {0} }}\n", "}\n"),
    "a.js": ("", "const f{0} = () => {0}\n", ""),
    "a.rs": ("impl A {\n", "    fn f{0}() -> u8 {{ {0} }}\n", "}\n"),
    "a.go": ("", "func f{0}() {{ g({0}) }}\n\n", ""),
    "A.java": ("class A {\n", "  int f{0}() {{ return {0}; }}\n\n", "}\n"),
}


@pytest.mark.parametrize("limit", [30, 50, 75, 100, 200])
@pytest.mark.parametrize("filepath", SMALL)
def test_small_neighbours_are_merged(filepath: str, limit: int) -> None:
    """Two adjacent chunks of whole definitions never fit together."""
    header, member, end = SMALL[filepath]
    code = header + "".join(member.format(n) for n in range(10, 40)) + end
    sizes = [size(text) for text in cut(filepath, code, limit)]
    inner = sizes[bool(header) : len(sizes) - bool(end)]
    assert [pair for pair in pairwise(inner) if sum(pair) <= limit] == []


def test_small_statements_are_merged_with_definitions() -> None:
    """Whole siblings are merged whatever they are."""
    code = "import os\n\nLIMIT = 5\n\ndef f():\n    return LIMIT\n\nprint(f())\n"
    assert cut("a.py", code, size(code)) == [code]


CUT_UNIT = "class A {\n" + "".join(f"  method{n}() {{ return call({n}) }}\n" for n in range(4)) + "}\n"


def test_pieces_of_a_cut_unit_are_merged_with_each_other_only() -> None:
    """The end of a class and the function behind it are apart, though they would fit together."""
    code = CUT_UNIT + "function after() { return 1 }\n"
    assert cut("a.js", code, 80) == [
        "".join(CUT_UNIT.splitlines(keepends=True)[:4]),
        "".join(CUT_UNIT.splitlines(keepends=True)[4:]),
        "function after() { return 1 }\n",
    ]


def test_a_function_and_the_start_of_a_cut_unit_are_apart() -> None:
    """What stands before a class that is cut is not merged with its first piece."""
    code = "function before() { return 1 }\n" + CUT_UNIT
    assert cut("a.js", code, 80)[0] == "function before() { return 1 }\n"


def test_a_crumb_behind_a_cut_unit_is_merged() -> None:
    """A chunk smaller than a tenth of the limit is merged across scopes."""
    assert cut("a.js", CUT_UNIT + "after()\n", 81)[-1].endswith("}\n}\nafter()\n")


def test_what_is_no_crumb_behind_a_cut_unit_is_not_merged() -> None:
    """A chunk of a tenth of the limit stays apart."""
    assert cut("a.js", CUT_UNIT + "after(1)\n", 80)[-1] == "after(1)\n"


def test_a_crumb_before_a_cut_unit_is_merged() -> None:
    """A small statement in front of a class that is cut is merged with its first piece."""
    assert cut("a.js", "before()\n" + CUT_UNIT, 90)[0].startswith("before()\nclass A {\n  method0")


# --- blank space between chunks (G1) ---


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("f(1);", "g(2);"),
        ("f(1);   ", "g(2);"),
        ("f(1);\t", "g(2);"),
        ("f(1);\n", "g(2);"),
        ("f(1);\n", "    g(2);"),
        ("f(1);\n", "\t g(2);"),
        ("f(1);\n\n \t\n\f\n", "  g(2);"),
        ("f(1);  \n", "g(2);"),
        ("f(1);\r\n", "  g(2);"),
        ("f(1);\r\n\r\n", "g(2);"),
        ("f(1);\r  ", "g(2);"),
        ("\n\n  f(1);\n", "  g(2);  \n\n"),
    ],
)
def test_blank_between_chunks(first: str, second: str) -> None:
    """Blank up to a line end and all within a line goes to the first chunk, an indentation to the second."""
    assert cut("a.js", first + second, 5) == [first, second]


def test_blank_between_members() -> None:
    """Members keep their indentation, and empty lines stay behind the member before."""
    code = "class A:\n    def f(self): return 1\n\n\n    def g(self): return 2\n"
    assert cut("a.py", code, 27) == [code[: code.index("    def g")], code[code.index("    def g") :]]


# --- lines without structure to cut at ---


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("limit", range(10, 40, 3))
def test_minified_line_is_cut_behind_separators(separator: str, limit: int) -> None:
    """A line of many statements or items is cut behind separators only."""
    parts = separator.join(f"f({n})" for n in range(100, 130))
    texts = cut("a.js", f"x=[{parts}]" if separator == "," else f"{parts};", limit)
    assert [text[-1] for text in texts[:-1]] == [separator] * (len(texts) - 1)


def test_minified_functions_are_whole() -> None:
    """In a line of functions those that fit are whole."""
    code = "".join(f"function f{n}(a){{return a+{n}}}" for n in range(100, 110))
    assert [text.count("function") for text in cut("a.js", code, 50)] == [1] * 10


CHAINS = {
    "a.py": (
        "try:\n    one(1)\nexcept A:\n    two(2)\nexcept B:\n    three(3)\n"
        "else:\n    four(4)\nfinally:\n    five(5)\n"
    ),
    "a.ts": "try {\n  one(1)\n}\ncatch (a) {\n  two(2)\n}\nfinally {\n  three(3)\n}\n",
    "a.js": "if (a) {\n  one(1)\n}\nelse {\n  two(2)\n}\n",
    "a.rs": "fn f() {\n  if a {\n    one(1);\n  }\n  else {\n    two(2);\n  }\n  three(3);\n}\n",
    "a.go": (
        "func f() {\n\tswitch a {\n\tcase 1:\n\t\tone(1)\n\tcase 2, 3:\n\t\ttwo(2)\n"
        "\tdefault:\n\t\tthree(3)\n\t}\n}\n"
    ),
    "A.java": (
        "void f() {\n  try {\n    one(1);\n  }\n  catch (A a) {\n    two(2);\n  }\n"
        "  finally {\n    three(3);\n  }\n}\n"
    ),
}


@pytest.mark.parametrize("limit", range(30, 60))
@pytest.mark.parametrize("filepath", CHAINS)
def test_parts_of_a_chain_keep_their_keyword(filepath: str, limit: int) -> None:
    """A keyword that goes on with a statement stands with what it introduces, at the start of a line."""
    for text in cut(filepath, CHAINS[filepath], limit):
        assert not re.search(r"\b(else|catch|except|finally|if|try|case|default|switch)\b[^\n]*\n?\Z", text)
        assert text.endswith("\n")


def test_branches_of_a_chain_are_whole() -> None:
    """A branch that fits is one chunk, with its keyword and its closer."""
    assert cut("a.js", CHAINS["a.js"], 20) == [
        "if (a) {\n  one(1)\n}\n",
        "else {\n  two(2)\n}\n",
    ]


@pytest.mark.parametrize("limit", range(20, 70, 5))
@pytest.mark.parametrize(
    ("filepath", "start", "end"),
    [
        ("a.py", "x = (\n  build_it()", "\n)\n"),
        ("a.ts", "const x = buildIt<T>()", ";\n"),
        ("a.js", "const x = buildIt()", "\n"),
        ("a.rs", "fn f() {\n  build_it()", "\n}\n"),
        ("A.java", "void f() {\n  buildIt()", ";\n}\n"),
    ],
    ids=["py", "ts", "js", "rs", "java"],
)
def test_method_chain_is_cut_at_its_lines(filepath: str, start: str, end: str, limit: int) -> None:
    """A long chain of calls is cut in front of the dots that begin a line, never within one."""
    code = start + "".join(f"\n  .method_{n}({n})" for n in range(10)) + end
    assert [text for text in cut(filepath, code, limit) if not text.endswith("\n")] == []


LITERALS = {
    "a.py": 'x = """{}"""\n',
    "a.ts": "const x = `{}`\n",
    "a.js": "const x = `{}`\n",
    "a.rs": 'const X: &str = "{}";\n',
    "a.go": "var x = `{}`\n",
    "A.java": 'String x = """\n{}""";\n',
}


@pytest.mark.parametrize("filepath", LITERALS)
def test_long_literal_is_cut_at_its_lines(filepath: str) -> None:
    """A literal of many lines is cut at line ends."""
    code = LITERALS[filepath].format("".join(f"line number {n} of the text\n" for n in range(10)))
    texts = cut(filepath, code, 60)
    assert [text[-1] for text in texts] == ["\n"] * len(texts)


@pytest.mark.parametrize("filepath", [name for name in LITERALS if name != "A.java"])
def test_long_literal_of_one_line_is_cut_at_blanks(filepath: str) -> None:
    """A literal of one line is cut between its words."""
    code = LITERALS[filepath].format(" ".join(["word"] * 40))
    texts = cut(filepath, code, 41)
    assert [text[-1] for text in texts[:-1]] == [" "] * (len(texts) - 1)


# --- comments ---


@pytest.mark.parametrize("filepath", FIRST)
def test_comment_group_is_cut_at_its_lines(filepath: str) -> None:
    """A long group of comments is cut at line ends."""
    mark = "#" if filepath == "a.py" else "//"
    code = "".join(f"{mark} line number {n} of it\n" for n in range(10))
    texts = cut(filepath, code, 45)
    assert [text[-1] for text in texts] == ["\n"] * len(texts)


@pytest.mark.parametrize("filepath", FIRST)
def test_comment_group_that_touches_is_part_of_the_unit(filepath: str) -> None:
    """A comment that touches a definition goes with it, the one behind an empty line does not."""
    mark = "#" if filepath == "a.py" else "//"
    apart, touching = f"{mark} Licence of the file.\n\n", f"{mark} About it.\n"
    code = apart + touching + FIRST[filepath]
    assert cut(filepath, code, size(touching + FIRST[filepath])) == [apart, touching + FIRST[filepath]]


TRAILING = {
    "a.py": "call({0})  # about {0}\n",
    "a.ts": "call({0}) // about {0}\n",
    "a.js": "call({0}); /* about {0} */\n",
    "a.rs": "const A{0}: u8 = 1; // about {0}\n",
    "a.go": "var a{0} = 1 // about {0}\n",
    "A.java": "int a{0} = 1; // about {0}\n",
}


@pytest.mark.parametrize("filepath", TRAILING)
def test_trailing_comment_stays_on_its_line(filepath: str) -> None:
    """A comment behind a statement goes with it."""
    lines = [TRAILING[filepath].format(n) for n in (101, 102, 103)]
    assert cut(filepath, "".join(lines), size(lines[0])) == lines


@pytest.mark.parametrize("filepath", TRAILING)
def test_trailing_comment_does_not_lead_the_next_definition(filepath: str) -> None:
    """A comment behind a statement is no part of the unit that follows."""
    line = TRAILING[filepath].format(101)
    code = line + FIRST[filepath]
    assert cut(filepath, code, size(FIRST[filepath])) == [line, FIRST[filepath]]
