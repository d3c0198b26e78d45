"""The registry: detection, checks of language folders, registration."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import tree_sitter
from tree_sitter import Parser

from code_chunk import languages
from code_chunk._errors import GrammarNotInstalledError, LanguageSpecError, UnsupportedLanguageError
from code_chunk._extract import extract
from code_chunk.languages import (
    LANGUAGE_EXTENSIONS,
    Language,
    detect_language,
    load_grammar,
    load_query,
    register_language,
    registered_languages,
    resolve,
    supported_languages,
)

TOML = """
name = "toy"
aliases = ["toys"]
extensions = [".toy", ".d.toy"]
filenames = ["Toyfile"]
interpreters = ["toyrun"]
grammar = "tree_sitter_python:language"
annotations = ["decorator"]

[doc]
line = '##'
"""
TAGS = "(function_definition\n  name: (identifier) @name\n  body: (block) @body) @definition.function\n"


def write(folder: Path, toml: str = TOML, tags: str | None = TAGS, imports: str | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "language.toml").write_text(toml, encoding="utf-8")
    for name, text in (("tags.scm", tags), ("imports.scm", imports)):
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(LanguageSpecError) as caught:
        register_language(folder)
    return str(caught.value)


# Detection


@pytest.mark.parametrize(
    ("filepath", "name"),
    [
        ("a.py", "python"),
        ("a.PY", "python"),
        ("dir.rs/a.pyi", "python"),
        ("dir\\sub.go\\a.pyw", "python"),
        ("/x/y/lib.rs", "rust"),
        ("types.d.ts", "typescript"),
        ("App.TSX", "typescript"),
        ("a.mts", "typescript"),
        ("a.cts", "typescript"),
        ("a.js", "javascript"),
        ("a.jsx", "javascript"),
        ("a.mjs", "javascript"),
        ("a.cjs", "javascript"),
        ("min.js.go", "go"),
        ("Main.java", "java"),
        ("a.py.unknown", None),
        ("py", None),
        ("a.", None),
        ("", None),
        ("dir.py/README", None),
    ],
)
def test_detection_by_name(filepath: str, name: str | None) -> None:
    """The last part of the path counts, in either case."""
    assert detect_language(filepath) == name


def test_detection_of_a_path_object() -> None:
    """Paths need not be strings."""
    assert detect_language(Path("src") / "a.py") == "python"


@pytest.mark.parametrize(
    "line",
    [
        "#!/usr/bin/python",
        "#!/usr/bin/python3.12",
        "#! /usr/local/bin/python3 -u",
        "#!/usr/bin/env python",
        "#!/usr/bin/env -S python3.12 -u",
        "#!/usr/bin/env -S uv run --script",
        "#!/usr/bin/env -vS python3",
        "#!/usr/bin/env -Spython3 -u",
        "#!/usr/bin/env --split-string=python3",
        "#!/usr/bin/env -i -u HOME A=b python3",
        "#!C:\\Python312\\python.exe",
        "\ufeff#!/usr/bin/env python3",
        "#!/usr/bin/python3\r",
    ],
)
def test_detection_by_shebang(line: str) -> None:
    """The program counts, without its folder, version and options, and also behind env."""
    for content in (f"{line}\nx = 1\n", line, f"{line}\n".encode()):
        assert detect_language("script", content) == "python"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "x = 1",
        " #!/usr/bin/python",
        "#!",
        "#!/usr/bin/env",
        "#!/usr/bin/env -S",
        "#!/bin/unknown",
        b"\xff\xfe#!",
    ],
)
def test_no_shebang(content: str | bytes) -> None:
    """Anything else tells nothing."""
    assert detect_language("script", content) is None


def test_name_goes_before_shebang() -> None:
    """A known extension is not overruled."""
    assert detect_language("a.rs", "#!/usr/bin/python\n") == "rust"


def test_extensions_are_read_only() -> None:
    """The mapping can not be changed."""
    with pytest.raises(TypeError):
        LANGUAGE_EXTENSIONS[".x"] = "y"  # type: ignore[index]


def test_supported_languages() -> None:
    """The six, sorted."""
    assert supported_languages() == ("go", "java", "javascript", "python", "rust", "typescript")


# The language that is asked for


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("python", "python"),
        ("PY", "python"),
        ("rs", "rust"),
        ("golang", "go"),
        ("js", "javascript"),
        ("ts", "typescript"),
    ],
)
def test_aliases(asked: str, name: str) -> None:
    """A language has other names too, in either case."""
    assert resolve("a.txt", asked, "").name == name


def test_grammar_by_extension() -> None:
    """Of a language with two grammars the file's extension picks one."""
    plain, tsx = resolve("a.ts", "typescript", ""), resolve("a.tsx", "typescript", "")
    assert plain.name == tsx.name == "typescript"
    assert plain.grammar != tsx.grammar
    assert resolve("a.tsx", None, "") is tsx
    assert resolve("a.txt", "tsx", "") is tsx
    assert resolve("a.txt", "typescript", "") is plain


def test_asking_goes_before_the_name() -> None:
    """The option overrules the extension."""
    assert resolve("a.py", "rust", "").name == "rust"


def test_unknown_language() -> None:
    """The message names what was asked for."""
    with pytest.raises(UnsupportedLanguageError, match=r"^Unknown language: cobol$") as caught:
        resolve("a.py", "cobol", "")
    assert caught.value.filepath == "a.py"


def test_unknown_file_type() -> None:
    """The message names the file."""
    with pytest.raises(UnsupportedLanguageError, match=r"^Unsupported file type: a\.xyz$") as caught:
        resolve("a.xyz", None, "")
    assert caught.value.filepath == "a.xyz"


# What is built in


def all_languages() -> list[Language]:
    return [language for variants in languages._by_name.values() for language in variants]


@pytest.mark.parametrize("language", all_languages(), ids=lambda language: language.grammar)
def test_built_in_languages_pass_the_checks(language: Language) -> None:
    """Queries compile, and all node types are known."""
    assert load_query(language).query.pattern_count == len(load_query(language).patterns)


def test_importing_loads_no_grammar() -> None:
    """Grammars are loaded when they are needed."""
    code = "import sys, code_chunk.languages; print([m for m in sys.modules if m.startswith('tree_sitter_')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# Registration


def test_registered_language(tmp_path: Path) -> None:
    """It is known under all its names, and finds entities."""
    register_language(write(tmp_path / "toy"))
    assert "toy" in supported_languages()
    assert LANGUAGE_EXTENSIONS[".toy"] == "toy"
    assert [languages[0].folder for languages in registered_languages()] == [tmp_path / "toy"]
    for filepath in ("a.toy", "a.d.toy", "x/TOYFILE"):
        assert detect_language(filepath) == "toy"
    assert detect_language("x", "#!/bin/toyrun") == "toy"
    language = resolve("a.toy", "Toys", "")
    source = b"def f(a): pass\n"
    root = Parser(load_grammar(language)).parse(source).root_node
    assert [found.signature for found in extract(root, language, source, 0, 0, 99)] == ["def f(a)"]


def test_what_wraps_a_definition(tmp_path: Path) -> None:
    """A definition ranges over its wrappers; of a declaration all but the first share its words."""
    toml = TOML.replace("tree_sitter_python:language", "tree_sitter_javascript:language")
    toml = toml.replace(
        '["decorator"]',
        """[]
wrappers = ["export_statement", "labeled_statement"]
declarations = ["lexical_declaration"]""",
    )
    tags = """
(class_declaration name: (_) @name body: (_) @body) @definition.class
(variable_declarator name: (_) @name value: (_) @body) @definition.function
"""
    register_language(write(tmp_path / "toy", toml, tags))
    language = resolve("a.toy", None, "")
    source = b"export class B {}\na: class C {}\nexport let /* c */ d = 1, /* e */ f = 2;\n"
    root = Parser(load_grammar(language)).parse(source).root_node
    found = [
        (entity.name, source[entity.start_byte : entity.end_byte].decode(), entity.signature)
        for entity in extract(root, language, source, 0, 0, len(source))
    ]
    assert found == [
        ("B", "export class B {}", "export class B"),
        ("C", "a: class C {}", "a: class C"),
        ("d", "export let /* c */ d = 1", "export let d"),
        ("f", "f = 2;", "export let f"),
    ]


def test_registering_again_replaces(tmp_path: Path) -> None:
    """The last one counts, and nothing of the first is left."""
    register_language(write(tmp_path / "toy"))
    register_language(write(tmp_path / "other", TOML.replace('".toy", ', "").replace("toyrun", "run")))
    assert detect_language("a.toy") is None
    assert ".toy" not in LANGUAGE_EXTENSIONS
    assert detect_language("a.d.toy") == "toy"
    assert detect_language("x", "#!/bin/toyrun") is None


def test_a_later_language_takes_an_extension_over(tmp_path: Path) -> None:
    """So a built-in language can be replaced in part."""
    register_language(write(tmp_path / "toy", TOML.replace(".d.toy", ".pyi")))
    assert detect_language("a.pyi") == "toy"
    assert detect_language("a.py") == "python"


def test_inherited_queries(tmp_path: Path) -> None:
    """A language's own patterns stand before those it inherits."""
    shared = write(tmp_path / "shared", tags="(class_definition name: (_) @name) @definition.class")
    (shared / "language.toml").unlink()
    register_language(write(tmp_path / "toy", 'inherits = ["shared"]' + TOML))
    patterns = load_query(resolve("a.toy", None, "")).patterns
    assert [pattern.type for pattern in patterns] == ["function", "class"]


def test_inheriting_from_a_built_in_language(tmp_path: Path) -> None:
    """Its folder is found by name."""
    register_language(write(tmp_path / "toy", 'inherits = ["python"]' + TOML, tags=None))
    assert load_query(resolve("a.toy", None, "")).patterns == load_query(resolve("a.py", None, "")).patterns


def test_a_copy_of_a_built_in_language_can_be_registered(tmp_path: Path) -> None:
    """Built-in languages have no way of their own."""
    folder = shutil.copytree(Path(languages.__file__).parent / "rust", tmp_path / "rust")
    register_language(folder)
    assert resolve("a.rs", None, "").folder == folder


def test_a_refused_folder_changes_nothing(tmp_path: Path) -> None:
    """The registry is as before."""
    refusal(write(tmp_path / "toy", tags="(oops) @name"))
    assert "toy" not in supported_languages()
    assert registered_languages() == ()


# Refusals of language.toml


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        (
            'name = "toy"',
            "nam = 1",
            "2:1",
            "unknown key 'nam'; the keys are name, grammar, separator, aliases",
        ),
        ('name = "toy"', "", "1:1", "the key 'name' is missing"),
        ('name = "toy"', 'name = ""', "2:1", "name must be a string that is not empty"),
        ('name = "toy"', "name = 3", "2:1", "name must be a string"),
        ('name = "toy"', "name = oops", "2:8", "not valid TOML"),
        ('aliases = ["toys"]', 'aliases = "toys"', "3:1", "aliases must be a list of strings"),
        ('aliases = ["toys"]', "aliases = [1]", "3:1", "aliases must be a list of strings"),
        ('".d.toy"', '"toy"', "4:23", "'toy' must begin with a dot and be in lower case"),
        ('".d.toy"', '".TOY"', "4:23", "'.TOY' must begin with a dot"),
        ("tree_sitter_python:language", "python", "7:1", "grammar must have the form module:function"),
        (
            '["decorator"]',
            '["decorator", "foo"]',
            "8:29",
            "no node 'foo' in the grammar tree_sitter_python:language",
        ),
        ("line = '##'", "line = '('", "11:1", "line is no regular expression: missing )"),
        ("line = '##'", r"margin = '\s*'", "11:1", "margin must not match line ends"),
        ("line = '##'", "lines = '##'", "11:1", "unknown key 'lines' in [doc]; the keys are line, block"),
        ("line = '##'", "line = 1", "11:1", "line must be a string"),
        ("[doc]", "[[doc]]", "10:3", "doc must be a table"),
        ("[doc]", "[variants]", "10:2", "variants must be an array of tables"),
        (
            "[doc]",
            "[[variants]]",
            "11:1",
            "unknown key 'line' in [[variants]]; the keys are extensions, aliases",
        ),
        (
            "annotations =",
            'inherits = ["nobody"]\nannotations =',
            "8:1",
            "no folder 'nobody' to inherit from",
        ),
    ],
)
def test_refused_toml(tmp_path: Path, old: str, new: str, place: str, words: str) -> None:
    """The message has the file, the row, the column, what is wrong and what is allowed."""
    message = refusal(write(tmp_path / "toy", TOML.replace(old, new)))
    assert message.startswith(f"{tmp_path / 'toy' / 'language.toml'}:")
    assert f"language.toml:{place}: " in message
    assert words in message


def test_missing_toml(tmp_path: Path) -> None:
    """A folder without it is no language."""
    assert refusal(tmp_path) == f"{tmp_path / 'language.toml'}: can not be read: No such file or directory"


def test_toml_that_is_no_text(tmp_path: Path) -> None:
    """The message names the byte."""
    (tmp_path / "language.toml").write_bytes(b"name = '\xff'")
    assert "not UTF-8 at byte 8" in refusal(tmp_path)


def test_no_queries(tmp_path: Path) -> None:
    """A language without any finds nothing."""
    assert "there is neither a tags.scm nor an imports.scm" in refusal(write(tmp_path / "toy", tags=None))


# Refusals of queries


@pytest.mark.parametrize(
    ("tags", "place", "words"),
    [
        (
            "(identifier) @nam",
            "1:14",
            "unknown capture @nam; the captures are @definition.function, @definition.method",
        ),
        ("; é\n(identifier) @definition.thing", "2:14", "unknown capture @definition.thing"),
        (
            '((identifier) @_a (#lua-match? @_a "x"))',
            "1:20",
            "unknown predicate #lua-match?; the predicates are #eq?, #not-eq?",
        ),
        ("((identifier) @_a (#is? local))", "1:20", "unknown predicate #is?"),
        ("((identifier) @_a (#strip! @_a))", "1:20", "unknown predicate #strip!"),
        (
            "((identifier) @_a (#set! color red))",
            "1:26",
            "unknown key color of #set!; the keys are is_default",
        ),
        ('((identifier) @_a (#set! "color" "red"))', "1:26", 'unknown key "color" of #set!'),
        ("(identifier", "1:12", "Unexpected EOF"),
        ("(foo) @name", "1:2", "Invalid node type: foo"),
        ("\n\n  (identifier foo: (_)) @name", "3:15", "Invalid field name: foo"),
        ("(function_definition (class_definition (module))) @name", "1:22", "Impossible pattern"),
        ('((identifier) @_a (#match? @_a "("))', "1:1", "regular expression error"),
        ("(identifier) @definition.function", "1:1", "@definition.function needs a @name"),
        ("; a\n\n(identifier) @name", "3:1", "a pattern needs @definition.<type> and @name"),
        ("(identifier) @_private", "1:1", "this one has none of them"),
        ("(identifier) @import.name", "1:1", "this one has @import.name"),
        ("(identifier) @import.prefix", "1:1", "@import.prefix needs a @body"),
        (
            "(identifier) @name @definition.type @definition.enum",
            "1:1",
            "one pattern can not have two definitions: @definition.enum, @definition.type",
        ),
        (
            "(parameters (identifier)* @name) @definition.type",
            "1:1",
            "@name must capture one node, not several",
        ),
        (
            "(class_definition name: (_) @name body: (block (_)+ @definition.type))",
            "1:1",
            "@definition.type must capture one node, not several",
        ),
        (
            '((identifier) @import @import.source (#set! name.pattern "("))',
            "1:1",
            "name.pattern is no regular expression",
        ),
        (
            '((identifier) @import @import.source (#set! name.pattern "x"))',
            "1:1",
            "name.pattern needs a group",
        ),
        ('((identifier) @import @import.source (#set! is_default "no"))', "1:1", "is_default takes no value"),
        ('((identifier) @name @definition.type (#set! max_depth "x"))', "1:1", "max_depth must be a number"),
    ],
)
def test_refused_query(tmp_path: Path, tags: str, place: str, words: str) -> None:
    """The message has the file, the row, the column, what is wrong and what is allowed."""
    imports = "; é\n(import_statement name: (_) @import.source) @import\n"
    message = refusal(write(tmp_path / "toy", tags=tags, imports=imports))
    assert f"{tmp_path / 'toy' / 'tags.scm'}:{place}: " in message
    assert words in message


def test_refused_import_query(tmp_path: Path) -> None:
    """The file is the one where it stands, though both are compiled together."""
    message = refusal(write(tmp_path / "toy", imports="(foo) @import"))
    assert f"{tmp_path / 'toy' / 'imports.scm'}:1:2: " in message


def test_comments_and_strings_are_no_words(tmp_path: Path) -> None:
    """What stands in them is not checked."""
    tags = '; @foo (#bar? x)\n((identifier) @name @definition.type (#eq? @name "@foo #bar?"))'
    register_language(write(tmp_path / "toy", tags=tags))


# Grammars


def test_grammar_that_is_not_installed(tmp_path: Path) -> None:
    """The message says how to get it, and other languages keep working."""
    folder = write(tmp_path / "toy", TOML.replace("tree_sitter_python", "tree_sitter_no_such"))
    with pytest.raises(
        GrammarNotInstalledError, match=r"grammar of toy is not installed.*pip install .*tree-sitter-no-such"
    ):
        register_language(folder)
    assert detect_language("a.py") == "python"


def test_grammar_without_the_function(tmp_path: Path) -> None:
    """The message names it."""
    folder = write(tmp_path / "toy", TOML.replace(":language", ":languages"))
    with pytest.raises(GrammarNotInstalledError, match="tree_sitter_python has no function languages"):
        register_language(folder)


def test_grammar_of_another_abi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the language, both versions and the fix."""

    class Header(ctypes.Structure):
        _fields_ = (("abi_version", ctypes.c_uint32), ("rest", ctypes.c_uint8 * 4096))

    header = Header(99)
    capsule_of = ctypes.pythonapi.PyCapsule_New
    capsule_of.restype = ctypes.py_object
    capsule_of.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    module = ModuleType("tree_sitter_future")
    pointer = capsule_of(ctypes.addressof(header), b"tree_sitter.Language", None)
    vars(module)["language"] = lambda: pointer
    monkeypatch.setitem(sys.modules, "tree_sitter_future", module)
    folder = write(tmp_path / "toy", TOML.replace("tree_sitter_python", "tree_sitter_future"))
    with pytest.raises(GrammarNotInstalledError) as caught:
        register_language(folder)
    fix = "pip install --upgrade tree-sitter-future tree-sitter"
    for word in ("toy", "99", str(tree_sitter.LANGUAGE_VERSION), fix):
        assert word in str(caught.value)
