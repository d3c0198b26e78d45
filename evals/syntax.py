"""Files -> functions with their doc comments, and calls, by queries of its own that favour no chunker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import tree_sitter_go
import tree_sitter_java
import tree_sitter_python
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Parser, Query, QueryCursor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from .recipe import SourceFile


@dataclass(frozen=True, slots=True)
class Syntax:
    """What is looked for in a language."""

    grammar: Callable[[], Any]
    functions: str
    """A query for @function with its @name."""
    others: str
    """A query for every other @name that is defined."""
    calls: str
    """A query for the names that are called: @function one of no method, @method a method's, @either."""
    methods: frozenset[str]
    """Nodes that make methods of the functions in them, or are methods."""
    wrappers: frozenset[str] = frozenset()
    """Nodes around a function that are part of it."""
    attached: frozenset[str] = frozenset()
    """Nodes in front of a function that are part of it."""
    comments: frozenset[str] = frozenset({"comment"})
    doc: str = r"/\*\*"
    """How a doc comment in front starts; empty where it is the body's first statement."""


SYNTAXES = {
    "python": Syntax(
        tree_sitter_python.language,
        functions="(function_definition name: (identifier) @name) @function",
        others="(class_definition name: (identifier) @name) (assignment left: (identifier) @name)",
        calls="(call function: [(identifier) @function (attribute attribute: (identifier) @either)])",
        methods=frozenset({"class_definition"}),
        wrappers=frozenset({"decorated_definition"}),
        doc="",
    ),
    "typescript": Syntax(
        tree_sitter_typescript.language_typescript,
        functions="""
            (function_declaration name: (identifier) @name) @function
            (method_definition name: (property_identifier) @name) @function
            (variable_declarator name: (identifier) @name
              value: [(arrow_function) (function_expression)]) @function
        """,
        others="""
            (class_declaration name: (type_identifier) @name)
            (function_signature name: (identifier) @name)
            (method_signature name: (property_identifier) @name)
            (abstract_method_signature name: (property_identifier) @name)
            (property_signature name: (property_identifier) @name)
            (public_field_definition name: (property_identifier) @name)
        """,
        calls="""
            (call_expression function: [(identifier) @function
              (member_expression property: (property_identifier) @method)])
        """,
        methods=frozenset({"method_definition"}),
        wrappers=frozenset({"export_statement", "lexical_declaration", "variable_declaration"}),
        attached=frozenset({"decorator"}),
    ),
    "go": Syntax(
        tree_sitter_go.language,
        functions="""
            (function_declaration name: (identifier) @name body: (_)) @function
            (method_declaration name: (field_identifier) @name body: (_)) @function
        """,
        others="""
            (type_spec name: (type_identifier) @name)
            (method_elem name: (field_identifier) @name)
            (field_declaration name: (field_identifier) @name)
        """,
        calls="""
            (call_expression function: [(identifier) @function
              (selector_expression field: (field_identifier) @either)])
        """,
        methods=frozenset({"method_declaration"}),
        doc=r"//(?!go:|export |line |nolint)",
    ),
    "java": Syntax(
        tree_sitter_java.language,
        functions="(method_declaration name: (identifier) @name body: (block)) @function",
        others="""
            (method_declaration name: (identifier) @name !body)
            (class_declaration name: (identifier) @name)
            (interface_declaration name: (identifier) @name)
            (enum_declaration name: (identifier) @name)
            (record_declaration name: (identifier) @name)
        """,
        calls="(method_invocation name: (identifier) @method)",  # an inherited one needs no object
        methods=frozenset({"method_declaration"}),
        comments=frozenset({"block_comment", "line_comment"}),
    ),
    "rust": Syntax(
        tree_sitter_rust.language,
        functions="(function_item name: (identifier) @name) @function",
        others="""
            (function_signature_item name: (identifier) @name)
            (struct_item name: (type_identifier) @name)
            (enum_variant name: (identifier) @name)
            (field_declaration name: (field_identifier) @name)
        """,
        calls="""
            (call_expression function: [(identifier) @function
              (field_expression field: (field_identifier) @method)
              (scoped_identifier name: (identifier) @either)])
        """,
        methods=frozenset({"impl_item", "trait_item"}),
        attached=frozenset({"attribute_item"}),
        comments=frozenset({"line_comment", "block_comment"}),
        doc=r"///(?!/)|/\*\*(?![*/])",
    ),
}


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method that stands in no other function. Lines count from 0, ends are inclusive."""

    name: str
    first_line: int
    """The first of its decorators, attributes or annotations, else its header."""
    header_line: int
    """The line with its name."""
    last_line: int
    doc_lines: tuple[int, int] | None
    """The lines of its doc comment, if that has them for itself."""
    doc: str
    """Its doc comment, markers included; empty without one."""
    is_method: bool


@dataclass(frozen=True, slots=True)
class Outline:
    """What a file defines and calls."""

    functions: tuple[Function, ...]
    defined: tuple[str, ...]
    """Every name that is defined, each time it is."""
    calls: tuple[tuple[int, str, str], ...]
    """(line, name, what may be called: function, method or either) of each call."""


@cache
def _tools(language: str, is_tsx: bool) -> tuple[Syntax, Parser, tuple[Query, Query, Query]]:
    syntax = SYNTAXES[language]
    grammar = Language(tree_sitter_typescript.language_tsx() if is_tsx else syntax.grammar())
    texts = (syntax.functions, syntax.others, syntax.calls)
    queries = tuple(Query(grammar, text) for text in texts)
    return syntax, Parser(grammar), (queries[0], queries[1], queries[2])


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _last_line(node: Node) -> int:
    """Return the line of a node's last character; some comments take their line end along."""
    return node.start_point.row + _text(node).rstrip().count("\n")


def _whole(node: Node, syntax: Syntax) -> Node:
    while node.parent is not None and node.parent.type in syntax.wrappers:
        node = node.parent
    return node


def _lead(node: Node, syntax: Syntax) -> tuple[int, list[Node]]:
    """Return the first line of a function with what is attached to it, and the doc comment's nodes."""
    first = edge = node.start_point.row
    doc: list[Node] = []
    before = node.prev_sibling
    while before is not None and _last_line(before) >= edge - 1:
        is_doc = before.type in syntax.comments and re.match(syntax.doc, _text(before))
        if before.type in syntax.attached:
            first = before.start_point.row
        elif not is_doc:
            break
        else:
            doc.insert(0, before)
            if _text(before).startswith("/*"):
                break
        edge = before.start_point.row
        before = before.prev_sibling
    return first, doc


def _is_method(node: Node | None, syntax: Syntax) -> bool:
    while node is not None and node.type not in syntax.methods:
        node = node.parent
    return node is not None


def _docstring(function: Node) -> list[Node]:
    body = function.child_by_field_name("body")
    statements = body.named_children if body is not None else []
    if len(statements) < 2 or statements[0].type != "expression_statement":
        return []
    strings = statements[0].named_children
    return strings if len(strings) == 1 and strings[0].type == "string" else []


def _own_lines(doc: list[Node], lines: list[bytes], whole: Node) -> tuple[int, int] | None:
    """Return the lines of a doc comment, if nothing else stands on them and nothing between its parts."""
    if not doc:
        return None
    first, last = doc[0].start_point.row, _last_line(doc[-1])
    alone = lines[first : last + 1]
    rest = b"".join(alone).translate(None, b" \t\r\n\f")
    held = "".join(map(_text, doc)).encode().translate(None, b" \t\r\n\f")
    return (first, last) if rest == held and last < _last_line(whole) else None


def _functions(root: Node, syntax: Syntax, query: Query, lines: list[bytes]) -> Iterator[Function]:
    end = -1
    matches = QueryCursor(query).matches(root)
    found = sorted(
        ((m["function"][0], m["name"][0]) for _, m in matches), key=lambda pair: pair[0].start_byte
    )
    for function, name in found:
        if function.end_byte <= end:
            continue  # inside another one
        end = function.end_byte
        whole = _whole(function, syntax)
        first, doc = _lead(whole, syntax) if syntax.doc else (whole.start_point.row, _docstring(function))
        yield Function(
            _text(name),
            first,
            name.start_point.row,
            _last_line(whole),
            _own_lines(doc, lines, whole),
            "\n".join(_text(node).rstrip() for node in doc),
            _is_method(function, syntax),
        )


def outline(file: SourceFile) -> Outline:
    """Read what a file defines and calls."""
    syntax, parser, queries = _tools(file.language, file.path.endswith(".tsx"))
    source = file.text.encode()
    root = parser.parse(source).root_node
    functions = tuple(_functions(root, syntax, queries[0], source.split(b"\n")))
    names = [QueryCursor(query).captures(root).get("name", []) for query in queries[:2]]
    calls = [
        (node.start_point.row, _text(node), capture)
        for capture, nodes in QueryCursor(queries[2]).captures(root).items()
        for node in nodes
    ]
    defined = tuple(_text(node) for nodes in names for node in nodes)
    return Outline(functions, defined, tuple(sorted(calls)))
