"""Positions, signatures and documentation of entities."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Parser

from code_chunk._docs import literal_doc
from code_chunk._extract import Entity, extract
from code_chunk._scope import nest
from code_chunk.languages import LANGUAGE_EXTENSIONS, load_grammar, resolve


def entities(
    source: str | bytes, filename: str = "a.py", offset: int = 0, row: int = 0, column: int = 0
) -> list[Entity]:
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    language = resolve(filename, None, "")
    root = Parser(load_grammar(language)).parse(data).root_node
    return extract(root, language, data, offset, row, len(data), column)


def only(source: str | bytes, filename: str = "a.py") -> Entity:
    (found,) = entities(source, filename)
    return found


def test_range_of_a_definition() -> None:
    """Bytes are half-open, lines inclusive and counted from 0."""
    found = only("\n\ndef f():\n    return 1\n\n")
    assert (found.start_byte, found.end_byte, found.start_row, found.end_row) == (2, 23, 2, 3)


def test_range_starts_at_the_first_decorator() -> None:
    """Decorators belong to the definition, comments in front do not."""
    found = only("# c\n@a\n@b\ndef f(): pass\n")
    assert (found.start_byte, found.start_row) == (4, 1)


def test_range_starts_at_the_first_attribute() -> None:
    """So do attributes that are siblings, also over blank lines and comments."""
    source = "// c\n#[a]\n\n// d\n#[b]\nfn f() {}\n"
    found = only(source, "a.rs")
    assert source[found.start_byte :].startswith("#[a]")
    assert found.start_row == 1


def test_attributes_of_something_else_are_left_out() -> None:
    """An attribute with something between it and the definition is not its own."""
    source = "#[a]\nfoo!{}\nfn f() {}\n"
    assert source[only(source, "a.rs").start_byte :].startswith("fn")


@pytest.mark.parametrize("tail", [";", " ;", "\t ;"])
def test_range_ends_with_the_semicolon(tail: str) -> None:
    """A semicolon on the same line belongs to the construct."""
    assert only(f"X = 1{tail}\n").end_byte == 5 + len(tail)


def test_semicolon_on_another_line() -> None:
    """It belongs to nobody."""
    assert only("fn f() {}\n;", "a.rs").end_byte == 9


def test_range_ends_without_blanks() -> None:
    """Blank lines behind a definition are not in it."""
    found = only("class A:\n    x = 1\n\n\n    \n")
    assert (found.end_byte, found.end_row) == (18, 1)


def test_positions_are_those_of_the_file() -> None:
    """A slice's place is added."""
    found = entities("def f(): pass\ndef g(): pass\n", offset=100, row=10)[1]
    assert (found.start_byte, found.end_byte, found.start_row, found.end_row) == (114, 127, 11, 11)


def test_only_what_starts_before_the_end() -> None:
    """The rest of a slice is for the next one."""
    source = b"def f(): pass\ndef g(): pass\n"
    language = resolve("a.py", None, "")
    root = Parser(load_grammar(language)).parse(source).root_node
    assert [found.name for found in extract(root, language, source, 0, 0, 14)] == ["f"]
    assert extract(root, language, source, 0, 0, 0) == []


def test_carriage_returns() -> None:
    """Lines are those of the same file with line feeds; signature and documentation have none."""
    text = 'class A:\n    def f(\n        self,\n        x):\n        """One\n\n        two.\n        """\n'
    expected, actual = entities(text), entities(text.replace("\n", "\r\n"))
    for one, other in zip(expected, actual, strict=True):
        assert (one.start_row, one.end_row) == (other.start_row, other.end_row)
        assert (one.signature, one.docstring) == (other.signature, other.docstring)


def test_byte_order_mark() -> None:
    """It hides nothing."""
    assert [found.name for found in entities("\ufeffimport os\ndef f(): return os")] == ["os", "f"]


@pytest.mark.parametrize("sign", ["é", "設", "🎉", "e\u0301"])
def test_names_are_cut_from_bytes(sign: str) -> None:
    """Wide characters in front do not shift a name."""
    found = entities(f"# {sign * 9}\nimport os\ndef second(x='{sign}'): return os.sep")
    assert [(one.name, one.signature) for one in found] == [
        ("os", "import os"),
        ("second", f"def second(x='{sign}')"),
    ]


@pytest.mark.parametrize("filename", ["a.py", "a.rs", "a.go", "a.java"])
def test_lone_surrogates(filename: str) -> None:
    """They do not raise, wherever the lexer stops in them."""
    for text in (
        "\udcff",
        "def f\ud800(a='\udcff'): pass",
        'fn f\udcff() { "\udcff" }',
        "/// \udcff\nfn f() {}",
    ):
        entities(text, filename)


@pytest.mark.parametrize(
    ("source", "signature"),
    [
        ("def f(a,  b): pass", "def f(a, b)"),
        ("def f(a,\n\n      b) -> int : pass", "def f(a, b) -> int"),
        ("def f(a='x  y',\n b=\"p\tq\"): pass", "def f(a='x  y', b=\"p\tq\")"),
        ("def f(a='''x\n  y'''): pass", "def f(a='''x y''')"),
        ("def f(a, # one\n      b): pass", "def f(a, b)"),
        ("def f(a# one\n      , b): pass", "def f(a, b)"),
        ("def f(a='#', b='\\'  #'): pass", "def f(a='#', b='\\'  #')"),
        ("@d('  ')\n@e\nasync  def f(): pass", "async def f()"),
        ("def f(a={1: 2}): pass", "def f(a={1: 2})"),
        ("class A(B, c=D): pass", "class A(B, c=D)"),
        ("X: dict[str,\n  int]  =  {}", "X: dict[str, int]"),
        ("f = lambda a, b=':': 1", "f = lambda a, b=':'"),
        ("type A [T] = int", "type A [T]"),
        ("import  os ;", "import os"),
    ],
)
def test_signature(source: str, signature: str) -> None:
    """One line up to the body, without comments and decorators; blanks in a literal's lines stay."""
    assert only(source).signature == signature


@pytest.mark.parametrize(
    ("source", "signature"),
    [
        ("fn f(a: u8 /* b */, c: u8) {}", "fn f(a: u8, c: u8)"),
        ("fn/* b */f() {}", "fn f()"),
        ("fn f(#[x] a: u8) {}", "fn f(a: u8)"),
        ('const A: &str = "x";', "const A: &str"),
        ("fn f<'a>(a: &'a  str, b: &'a str) {}", "fn f<'a>(a: &'a str, b: &'a str)"),
        ("const fn f(c: [u8; 'a' as usize],\n d: u8) {}", "const fn f(c: [u8; 'a' as usize], d: u8)"),
    ],
)
def test_signature_of_rust(source: str, signature: str) -> None:
    """Comments and attributes inside of a header are cut out of it."""
    assert only(source, "a.rs").signature == signature


@pytest.mark.parametrize(
    "header",
    [
        "@A\n  public  void f(int a,\n    int b)",
        '@A("x  y")\n  @B // c\n  public void f(int a, int b)',
        "@A public void f(@B int a,\n    /* c */ int b)",
        "public @A void f(int a,\n    int b)",
        "@A\n  // c\n  public void f(int a, int b)",
    ],
)
def test_signature_of_java(header: str) -> None:
    """Annotations are left out wherever they stand, and lines are folded."""
    method = entities(f"class C {{\n  {header} {{}}\n}}\n", "a.java")[1]
    assert method.signature == "public void f(int a, int b)"


def test_long_signature_is_cut() -> None:
    """At 1,000 characters, the last of which says so."""
    signature = only(f"def f({', '.join(f'argument_{i}' for i in range(500))}): pass").signature
    assert (len(signature), signature[-1]) == (1000, "…")


def test_long_decorator_hides_no_signature() -> None:
    """What is cut out does not count."""
    assert only(f"@d({'x, ' * 9000})\ndef f(\n  a): pass").signature == "def f( a)"


def test_comments_that_fill_a_header() -> None:
    """They do not count either."""
    comments = "    # some words\n" * 5000
    assert only(f"def f(a,\n{comments}    b): pass").signature == "def f(a, b)"


@pytest.mark.parametrize(
    ("literal", "doc"),
    [
        ('"""Doc."""', "Doc."),
        ("'Doc.'", "Doc."),
        ('R"a\\b"', "a\\b"),
        ('u"x"', "x"),
        ('"a" \'b\'\n  """c"""', "abc"),
        ('"a" # comment\n "b"', "ab"),
        (r'"say \"hi\""', r"say \"hi\""),
        ('f"x"', None),
        ('b"x"', None),
        ('rb"x"', None),
        ('"a" f"b"', None),
        ('"a" b"b"', None),
        ('""', None),
        ('"""  \n  """', None),
        ('"not ended', None),
        ("", None),
    ],
)
def test_literal_doc(literal: str, doc: str | None) -> None:
    """Quotes and prefixes are taken off; interpolated and byte strings are no documentation."""
    assert literal_doc(literal) == doc


@given(st.text("ab \t\n"))
def test_docs_are_cleaned_like_those_of_python(text: str) -> None:
    """The indentation all lines have in common is no part of them."""
    assert literal_doc(f'"""{text}"""') == (inspect.cleandoc(text) if text.strip() else None)


def test_trailing_comment_is_no_doc() -> None:
    """The comment behind the previous line's code belongs to that."""
    found = entities("static A: u8 = 1; /// of A\nfn f() {}\n", "a.rs")
    assert [one.docstring for one in found] == [None, None]


def test_trailing_comment_at_the_start_of_a_slice() -> None:
    """So does one whose line began in the slice before."""
    found = entities("/// of A\nfn f() {}\n", "a.rs", offset=17, column=17)
    assert found[0].docstring is None
    assert entities("/// of f\nfn f() {}\n", "a.rs", offset=17)[0].docstring == "of f"


def test_doc_on_the_definitions_line() -> None:
    """A comment on the same line as what follows is no trailing comment."""
    source = "impl A { /** Of m. */ fn m() {} }"
    assert [one.docstring for one in entities(source, "a.rs")] == [None, "Of m."]


def test_entities_are_sorted() -> None:
    """By position, the outer before the inner."""
    found = entities("class A:\n    import b, c\n    def f(): pass\nX = 1\n")
    assert [one.name for one in found] == ["A", "b", "c", "f", "X"]


def test_missing_names_give_no_entity() -> None:
    """A name is never empty, also where the parser made one up."""
    for source in ("def (): pass", "class : pass", "import\n", "from x import\n", "def", "class"):
        assert all(found.name for found in entities(source))


@pytest.mark.parametrize(
    ("filename", "source"),
    [
        ("a.py", "X = " + "(" * 100_000 + "1" + ")" * 100_000),
        ("a.py", "x = " + "(" * 100_000),
        ("a.py", "def f(a=" + "[\n" * 100_000),
        ("a.py", "X = " + "a+" * 100_000 + "a"),
        ("a.rs", "fn f() {" * 100_000 + "}" * 100_000),
        ("a.rs", "fn f() {" * 100_000),
        ("a.rs", "use " + "a::{" * 100_000 + "b" + "}" * 100_000 + ";"),
    ],
)
def test_deep_nesting(filename: str, source: str) -> None:
    """Any depth is handled in linear time; what is too far down is not reported."""
    assert len(nest(entities(source, filename))) <= 1000


def test_definitions_under_a_large_error() -> None:
    """What the parser understood is found, also where it has lost the structure of the file."""
    source = "import os\nclass A:\n    def f(self): pass\nx = " + "(" * 5000
    language = resolve("a.py", None, "")
    root = Parser(load_grammar(language)).parse(source.encode()).root_node
    assert root.is_error
    assert [found.name for found in entities(source)] == ["os", "A", "f"]


WORDS = (
    "def class fn impl use import from as type struct enum trait interface func function const let var "
    "export default static async @ # // /* */ /// ( ) [ ] { } < > : ; , . = => -> \" ' ` x Y LIMIT"
)


@given(st.sampled_from(sorted(LANGUAGE_EXTENSIONS)), st.lists(st.sampled_from([*WORDS.split(), "\n"])))
def test_broken_code_does_not_raise(extension: str, words: list[str]) -> None:
    """Whatever the parser makes of it: ranges are in the text, names are not empty."""
    text = " ".join(words)
    for found in entities(text, f"a{extension}"):
        assert 0 <= found.start_byte < found.end_byte <= len(text.encode())
        assert found.start_row == text.count("\n", 0, found.start_byte)
        assert found.end_row == text.count("\n", 0, found.end_byte)
        assert found.name
        assert "\n" not in found.name
