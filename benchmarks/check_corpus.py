"""Judges the chunks of real source code: lossless, within the limit, and cut where they should be?

Every file of a supported language below the given paths is chunked with ``code_chunk.chunk`` and judged
with a tree-sitter parse of the whole file; the judge shares no code with the chunker. One table is printed
for each limit. Kinds of violation, with the guarantee they break:

  G1      joined chunks are not the file; ranges do not ascend, touch and cover; a blank chunk; blank space on
          the wrong side of a cut; wrong index or total
  G2      a byte, character or line range that is not true; a cut between CR and LF
  G3      a chunk over the limit, or whose size is not its number of non-whitespace characters
  cut     G4: a definition (function, class, type, module constant, ...) that fits is cut
  parted  G4: a definition with its touching comments, attributes and decorators fits, and is parted from them
  beside  G4: that whole does not fit, each of the two alone does, and no cut stands between them
  stmt    G4: a cut inside a statement or member that fits
  closer  G5: a chunk of only closers or punctuation that fits together with what it belongs to
  header  G5: a chunk of only a definition's header (with its docs), that fits with the first statement
  doc     G5: a chunk of only the docs of a definition that is cut, that fit with header and first statement
  merge   G6: two adjacent chunks that hold only whole siblings of one parent fit together
  mixed   G6: a chunk with a piece of a definition that was cut and with something that is no part of it, both
          of a tenth of the limit and more
  failed  an exception; bytes that are not UTF-8 and no ChunkingError

All of these must be zero, or the program exits with 1; and, at limits of 1,000 and more, at most 3 % of the
cuts may stand in mid-line, and files above the limit must fill their chunks to 0.60 on average. For
information: ``lead`` counts statements and members that fit with their touching comments and are parted from
them; ``astray`` the definitions that are cut and whose lead (if it fits), header and first statement fit
together, but are parted; ``defs`` the definitions that fit; ``led`` those of them that fit with a lead.

Files with syntax errors (``broken``) are judged for G1 to G3 only.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
import time
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tree_sitter import Language, Node, Parser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

BLANK = bytes(range(0x21))
BOM = b"\xef\xbb\xbf"
IS_NWS = bytes(1 if byte > 0x20 and not 0x80 <= byte < 0xC0 else 0 for byte in range(256))
NO_CHARACTER = re.compile(rb"[^\w\"'`\x80-\xff]*")  # punctuation alone
CLOSERS = re.compile(rb"(?:[\s)\]}>;,]|</[\w.:-]*>)+")

KINDS = (
    "G1", "G2", "G3", "cut", "parted", "beside", "stmt", "closer", "header", "doc", "merge", "mixed",
    "failed", "lead", "astray",
)  # fmt: skip
MUST_BE_ZERO = KINDS[:-2]
MOST_MID_LINE = 3.0
LEAST_FILL = 0.60
LEAST_LIMIT_WITH_SHARES = 1000


# --- what each grammar calls things ---


def words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


@dataclass(frozen=True, slots=True)
class Syntax:
    """The node types of a grammar that the judge has to know."""

    grammar: str
    """``module:function``."""
    extensions: tuple[str, ...]
    comments: frozenset[str]
    """Node types of comments."""
    inner_docs: tuple[bytes, ...] = ()
    """Beginnings of comments that document what is around them, not what follows."""
    attributes: frozenset[str] = frozenset()
    """Nodes that lead the definition after them: siblings, or its first children."""
    definitions: frozenset[str] = frozenset()
    """Definitions, wherever they stand."""
    top_definitions: frozenset[str] = frozenset()
    """Definitions if they stand at the top of the file, or in a declaration that does."""
    holders: frozenset[str] = frozenset()
    """Definitions if they hold a definition, a function or a class (an export, ``const f = () => ...``)."""
    functions: frozenset[str] = frozenset()
    """Expressions that make a holder a definition."""
    between: frozenset[str] = frozenset()
    """Nodes between a holder and what it holds."""
    statements: frozenset[str] = frozenset()
    """Statements, wherever they stand."""
    blocks: frozenset[str] = frozenset()
    """Nodes whose named children are statements or members."""
    wrappers: frozenset[str] = frozenset()
    """Children of blocks that are no statement themselves."""
    docstrings: frozenset[str] = frozenset()
    """The only child of a statement that documents the block it begins."""
    closers: frozenset[str] = frozenset()
    """Nodes that close something."""
    opaque: frozenset[str] = frozenset()
    """Strings and the like: punctuation in them is text."""
    same_column: bool = False
    """A comment leads only what stands in its own column (indentation decides to what it belongs)."""


ECMA_STATEMENTS = """break_statement continue_statement debugger_statement do_statement expression_statement
    for_in_statement for_statement if_statement import_statement labeled_statement return_statement
    switch_statement throw_statement try_statement while_statement with_statement variable_declaration
    lexical_declaration using_declaration export_statement switch_case switch_default"""
ECMA_DEFINITIONS = "function_declaration generator_function_declaration class_declaration method_definition"
ECMA_HOLDERS = """export_statement lexical_declaration variable_declaration expression_statement
    field_definition public_field_definition"""
ECMA_BLOCKS = "program statement_block class_body switch_body class_static_block"
TYPESCRIPT: dict[str, Any] = {
    "comments": words("comment html_comment"),
    "attributes": words("decorator"),
    "definitions": words(
        ECMA_DEFINITIONS,
        "abstract_class_declaration interface_declaration enum_declaration type_alias_declaration",
        "internal_module module function_signature abstract_method_signature method_signature",
        "ambient_declaration",
    ),
    "top_definitions": words("lexical_declaration"),
    "holders": words(ECMA_HOLDERS),
    "functions": words("arrow_function function_expression generator_function class"),
    "between": words("variable_declarator assignment_expression lexical_declaration variable_declaration"),
    "statements": words(ECMA_STATEMENTS, "import_alias"),
    "blocks": words(ECMA_BLOCKS, "interface_body enum_body object_type"),
    "closers": words("jsx_closing_element"),
    "opaque": words("string template_string regex comment html_comment jsx_text"),
}
SYNTAXES: dict[str, tuple[Syntax, ...]] = {
    "typescript": (
        Syntax("tree_sitter_typescript:language_typescript", (".ts", ".mts", ".cts"), **TYPESCRIPT),
        Syntax("tree_sitter_typescript:language_tsx", (".tsx",), **TYPESCRIPT),
    ),
    "javascript": (
        Syntax(
            "tree_sitter_javascript:language",
            (".js", ".jsx", ".mjs", ".cjs"),
            comments=words("comment html_comment"),
            attributes=words("decorator"),
            definitions=words(ECMA_DEFINITIONS),
            top_definitions=words("lexical_declaration"),
            holders=words(ECMA_HOLDERS),
            functions=TYPESCRIPT["functions"],
            between=TYPESCRIPT["between"],
            statements=words(ECMA_STATEMENTS),
            blocks=words(ECMA_BLOCKS),
            closers=TYPESCRIPT["closers"],
            opaque=TYPESCRIPT["opaque"],
        ),
    ),
    "python": (
        Syntax(
            "tree_sitter_python:language",
            (".py", ".pyi", ".pyw"),
            comments=words("comment"),
            attributes=words("decorator"),
            definitions=words("function_definition class_definition type_alias_statement"),
            statements=words(
                "assert_statement break_statement continue_statement delete_statement exec_statement",
                "expression_statement for_statement future_import_statement global_statement if_statement",
                "import_from_statement import_statement match_statement nonlocal_statement pass_statement",
                "print_statement raise_statement return_statement try_statement while_statement",
                "with_statement",
            ),
            blocks=words("module block"),
            wrappers=words("decorated_definition"),
            docstrings=words("string concatenated_string"),
            opaque=words("string comment"),
            same_column=True,
        ),
    ),
    "rust": (
        Syntax(
            "tree_sitter_rust:language",
            (".rs",),
            comments=words("line_comment block_comment"),
            inner_docs=(b"//!", b"/*!"),
            attributes=words("attribute_item"),
            definitions=words(
                "function_item function_signature_item struct_item union_item enum_item trait_item impl_item",
                "mod_item type_item associated_type macro_definition",
            ),
            top_definitions=words("const_item static_item"),
            statements=words(
                "let_declaration expression_statement use_declaration extern_crate_declaration const_item",
                "static_item foreign_mod_item",
            ),
            blocks=words(
                "source_file block declaration_list enum_variant_list field_declaration_list match_block"
            ),
            opaque=words("string_literal raw_string_literal char_literal line_comment block_comment"),
        ),
    ),
    "go": (
        Syntax(
            "tree_sitter_go:language",
            (".go",),
            comments=words("comment"),
            definitions=words(
                "function_declaration method_declaration type_declaration type_spec type_alias method_elem"
            ),
            top_definitions=words("const_declaration var_declaration const_spec var_spec"),
            statements=words(
                "assignment_statement dec_statement expression_statement inc_statement send_statement",
                "short_var_declaration break_statement const_declaration continue_statement",
                "defer_statement expression_switch_statement fallthrough_statement for_statement",
                "go_statement goto_statement if_statement labeled_statement return_statement",
                "select_statement type_switch_statement var_declaration expression_case type_case",
                "default_case communication_case import_declaration package_clause",
            ),
            blocks=words(
                "source_file block statement_list field_declaration_list interface_type import_spec_list",
                "var_spec_list const_declaration var_declaration type_declaration",
            ),
            wrappers=words("statement_list import_spec_list var_spec_list"),
            opaque=words("interpreted_string_literal raw_string_literal rune_literal comment"),
        ),
    ),
    "java": (
        Syntax(
            "tree_sitter_java:language",
            (".java",),
            comments=words("line_comment block_comment"),
            definitions=words(
                "class_declaration record_declaration interface_declaration enum_declaration",
                "annotation_type_declaration method_declaration constructor_declaration",
                "compact_constructor_declaration annotation_type_element_declaration",
            ),
            statements=words(
                "assert_statement break_statement continue_statement do_statement enhanced_for_statement",
                "expression_statement for_statement if_statement labeled_statement",
                "local_variable_declaration return_statement synchronized_statement throw_statement",
                "try_statement try_with_resources_statement while_statement yield_statement",
                "import_declaration package_declaration",
            ),
            blocks=words(
                "program block class_body interface_body enum_body enum_body_declarations",
                "annotation_type_body constructor_body switch_block switch_block_statement_group module_body",
            ),
            wrappers=words("enum_body_declarations"),
            opaque=words("string_literal character_literal line_comment block_comment"),
        ),
    ),
}
BY_EXTENSION = {
    extension: (language, syntax)
    for language, syntaxes in SYNTAXES.items()
    for syntax in syntaxes
    for extension in syntax.extensions
}


@cache
def parser_of(grammar: str) -> Parser:
    module, function = grammar.split(":")
    return Parser(Language(getattr(importlib.import_module(module), function)()))


# --- positions ---


class Source:
    """Bytes, and how many non-whitespace characters stand before each of them.

    The judge works in that count: a node is an interval (lo, hi), a cut is a number, and blanks do not exist.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        seen = b"\0\0\0" + data[3:] if data.startswith(BOM) else data
        self.nws = array("I", accumulate(seen.translate(IS_NWS), initial=0))

    def line(self, position: int) -> int:
        """Return the 1-based line of a byte."""
        return self.data.count(b"\n", 0, position) + 1

    def first(self, count: int) -> int:
        """Return the byte at which the character number ``count`` (from 0) starts."""
        return bisect_right(self.nws, count) - 1

    def begins_line(self, position: int) -> bool:
        """Tell whether only blanks stand before a byte in its line."""
        return not self.data[self.data.rfind(b"\n", 0, position) + 1 : position].strip(BLANK)

    def column(self, position: int) -> int:
        return position - self.data.rfind(b"\n", 0, position) - 1

    def touches(self, end: int, start: int) -> bool:
        """Tell whether only blanks, and no empty line, stand between two bytes."""
        gap = self.data[end:start]
        return not gap.strip(BLANK) and gap.count(b"\n") <= 1


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation at a byte of a file."""

    kind: str
    position: int
    note: str


# --- G1 to G3: from the text alone ---


def expected_cut(data: bytes, cut: int) -> tuple[int, ...]:
    """Return where a cut may stand, given the blank space around it (G1)."""
    left = len(data[:cut].rstrip(BLANK)) if data[cut - 1] <= 0x20 else cut
    after = data[cut : cut + 1]
    right = cut + len(data[cut:]) - len(data[cut:].lstrip(BLANK)) if after and after[0] <= 0x20 else cut
    line_end = data.rfind(b"\n", left, right)
    if line_end >= 0:
        return (line_end + 1,)
    lone = data.rfind(b"\r", left, right)  # a line end for some, none for others
    return (right, lone + 1) if lone >= 0 else (right,)


def judge_tiling(code: str, chunks: Sequence[Any]) -> Iterator[Finding]:
    """G1: contiguous slices that cover the file, none blank, blanks on the right side."""
    data = code.encode("utf-8", "surrogatepass")
    is_blank = not data.removeprefix(BOM).strip(BLANK)
    if is_blank:
        if chunks:
            yield Finding("G1", 0, "a blank file has chunks")
        return
    if "".join(chunk.text for chunk in chunks) != code:
        yield Finding("G1", 0, "the chunks joined are not the file")
    position = 0
    for index, chunk in enumerate(chunks):
        start, end = chunk.byte_range.start, chunk.byte_range.end
        if start != position or end <= start:
            yield Finding("G1", start, f"range {start}..{end} after {position}")
        elif index and start not in expected_cut(data, start):
            yield Finding("G1", start, f"blank space is cut at {start}, not {expected_cut(data, start)[0]}")
        if not chunk.text.removeprefix("\ufeff" if index == 0 else "").strip("".join(map(chr, BLANK))):
            yield Finding("G1", start, "a blank chunk")
        if (chunk.index, chunk.total_chunks) != (index, len(chunks)):
            yield Finding("G1", start, f"chunk {index} says {chunk.index} of {chunk.total_chunks}")
        position = end
    if position != len(data):
        yield Finding("G1", position, f"the chunks end at {position}, the file at {len(data)}")


def judge_ranges(code: str, chunks: Sequence[Any]) -> Iterator[Finding]:
    """G2: each range says where the text stands."""
    data = code.encode("utf-8", "surrogatepass")
    line = at = 0
    for chunk in chunks:
        text, start, end = chunk.text, chunk.byte_range.start, chunk.byte_range.end
        if data[start:end] != text.encode("utf-8", "surrogatepass"):
            yield Finding("G2", start, f"bytes {start}..{end} are not the text")
        if code[chunk.char_range.start : chunk.char_range.end] != text:
            yield Finding("G2", start, f"characters {chunk.char_range} are not the text")
        if data[start - 1 : start + 1] == b"\r\n" and start:
            yield Finding("G2", start, "a cut between CR and LF")
        line += data.count(b"\n", at, start)
        at = start
        raw = data[start:end]
        head = raw[3:].lstrip(BLANK) if start == 0 and raw.startswith(BOM) else raw.lstrip(BLANK)
        first = line + raw.count(b"\n", 0, len(raw) - len(head))
        last = line + raw.rstrip(BLANK).count(b"\n")
        if (chunk.line_range.start, chunk.line_range.end) != (first, last):
            yield Finding("G2", start, f"lines {chunk.line_range}, not {first}..{last}")


def judge_sizes(source: Source, chunks: Sequence[Any], limit: int) -> Iterator[Finding]:
    """G3: no chunk is over the limit, but for a single character; sizes are true."""
    for chunk in chunks:
        size = source.nws[chunk.byte_range.end] - source.nws[chunk.byte_range.start]
        if size > limit and size > 1:
            yield Finding("G3", chunk.byte_range.start, f"size {size}, limit {limit}")
        if chunk.size != size:
            yield Finding("G3", chunk.byte_range.start, f"size {chunk.size}, but {size} characters")


# --- the tree: what must stay whole ---


@dataclass(slots=True)
class Item:
    """A definition, statement or member."""

    node: Node
    start: int
    """First byte, without leading decorators."""
    lo: int
    hi: int
    is_definition: bool
    lead: list[Lead] = field(default_factory=list)
    """Comments, attributes and decorators that touch it, in source order."""

    tail_hi: int = 0
    """Where comments behind it on its last line end."""

    @property
    def unit_lo(self) -> int:
        return self.lead[0].lo if self.lead else self.lo


@dataclass(frozen=True, slots=True)
class Lead:
    """A comment, attribute or decorator."""

    start: int
    end: int
    lo: int
    hi: int
    is_comment: bool


class Outline:
    """All items of a tree in source order, outer ones first, with their leads."""

    def __init__(self, root: Node, syntax: Syntax, source: Source) -> None:
        self.syntax = syntax
        self.source = source
        self.items: list[Item] = []
        self.leads: list[Lead] = []
        self._walk(root)
        self.leads.sort(key=lambda lead: lead.start)
        self._lead_ends = [lead.end for lead in self.leads]
        self.items.sort(key=lambda item: (item.lo, -item.hi))
        self._attach()
        self.by_node = {item.node.id: item for item in self.items}

    def _walk(self, root: Node) -> None:
        # (node, is it a definition, is it the file or a declaration directly in it)
        stack = [(root, False, True)]
        while stack:
            parent, in_definition, is_top = stack.pop()
            children = parent.children
            parent_type = parent.type
            in_definition = in_definition or (parent_type in self.syntax.blocks and is_single(parent))
            for index, node in enumerate(children):
                kind = node.type
                if kind in self.syntax.comments or kind in self.syntax.attributes:
                    self._add_lead(node, kind)
                    continue
                if not node.is_named:
                    continue
                item = self._item(node, kind, parent_type, is_top)
                # What a declaration consists of (``export`` + class, ``type`` + spec) is judged once.
                if item and in_definition and node.end_byte == parent.end_byte:
                    item = None
                if item:
                    after = children[index + 1] if index + 1 < len(children) else None
                    if after is not None and after.type in (";", ","):
                        item.hi = self.source.nws[after.end_byte]
                    self.items.append(item)
                if node.child_count:
                    stack.append((node, bool(item and item.is_definition), is_top and self._is_thin(kind)))

    def _is_thin(self, kind: str) -> bool:
        """Tell whether what stands in this node still stands at the top of the file."""
        return kind in self.syntax.top_definitions or kind in ("export_statement", "var_spec_list")

    def _add_lead(self, node: Node, kind: str) -> None:
        start, data = node.start_byte, self.source.data
        if not data.startswith(self.syntax.inner_docs, start):
            end = start + len(data[start : node.end_byte].rstrip(BLANK))
            nws = self.source.nws
            self.leads.append(Lead(start, end, nws[start], nws[end], kind in self.syntax.comments))

    def _item(self, node: Node, kind: str, parent_type: str, is_top: bool) -> Item | None:
        syntax = self.syntax
        is_definition = (
            kind in syntax.definitions
            or (is_top and kind in syntax.top_definitions)
            or (kind in syntax.holders and self._holds_definition(node, depth=3))
        )
        is_statement = kind in syntax.statements or (
            parent_type in syntax.blocks and kind not in syntax.wrappers
        )
        if not is_definition and not is_statement:
            return None
        start = node.start_byte
        first = node.child(0) if is_definition and syntax.attributes and node.child_count else None
        if first is not None and first.type in syntax.attributes:
            # Decorators inside the node lead it like those outside.
            leading = syntax.attributes | syntax.comments
            start = next((child.start_byte for child in node.children if child.type not in leading), start)
        nws = self.source.nws
        lo, hi = nws[start], nws[node.end_byte]
        return Item(node, start, lo, hi, is_definition) if lo < hi else None

    def _holds_definition(self, node: Node, depth: int) -> bool:
        syntax = self.syntax
        for child in node.named_children:
            kind = child.type
            if kind in syntax.definitions or kind in syntax.functions:
                return True
            if kind in ("lexical_declaration", "variable_declaration"):
                return True  # an exported constant
            if depth and kind in syntax.between and self._holds_definition(child, depth - 1):
                return True
        return False

    def _attach(self) -> None:
        taken = -1
        for item in self.items:
            if item.start != taken:  # the outermost of those that start here has the lead
                item.lead = self._lead_of(item.start)
                taken = item.start
            item.tail_hi = self._tail_of(item)

    def _tail_of(self, item: Item) -> int:
        """Return where the comments end that stand behind an item on its last line."""
        source, hi = self.source, item.hi
        number = bisect_left(self.leads, hi, key=lambda lead: lead.lo)
        while number < len(self.leads) and self.leads[number].lo == hi:
            lead = self.leads[number]
            end = source.first(hi - 1) + 1  # the last character of what is in front
            if not lead.is_comment or b"\n" in source.data[end : lead.start]:
                break
            hi = lead.hi
            number += 1
        return hi

    def _lead_of(self, start: int) -> list[Lead]:
        """Return the comments, attributes and decorators that touch a byte, going up."""
        source, found, position = self.source, list[Lead](), start
        index = bisect_right(self._lead_ends, start) - 1
        while index >= 0:
            lead = self.leads[index]
            if not source.touches(lead.end, position):
                break
            if lead.is_comment and not self._is_own(index, position):
                break
            found.append(lead)
            position = lead.start
            index -= 1
        return found[::-1]

    def _is_own(self, index: int, position: int) -> bool:
        """Tell whether a comment leads what follows, and is not the end of another line of code."""
        source, comment = self.source, self.leads[index]
        if not source.begins_line(comment.start):
            # Behind an attribute it is a part of the lead like that.
            before = self.leads[index - 1] if index else None
            gap = source.data[before.end : comment.start] if before else b"x"
            return before is not None and not before.is_comment and not gap.strip(b" \t")
        return not self.syntax.same_column or source.column(comment.start) == source.column(position)


# --- G4 ---


class Cuts:
    """The cuts of a file, as counts of non-whitespace characters."""

    def __init__(self, source: Source, ranges: Sequence[tuple[int, int]]) -> None:
        self.source = source
        self.positions = [start for start, _ in ranges[1:]]
        self.counts = [source.nws[position] for position in self.positions]
        self.edges = [0, *self.counts, source.nws[-1]]

    def inside(self, lo: int, hi: int) -> range:
        """Return the numbers of the cuts strictly inside an interval."""
        return range(bisect_right(self.counts, lo), bisect_left(self.counts, hi))


def judge_wholes(outline: Outline, cuts: Cuts, limit: int) -> Iterator[Finding]:
    """G4: definitions, units and statements that fit are not cut."""
    blamed: set[int] = set()
    done_until = {True: 0, False: 0}
    for item in sorted(outline.items, key=lambda item: not item.is_definition):
        inside = cuts.inside(item.lo, item.hi)
        if item.hi - item.lo <= limit and inside and item.hi > done_until[item.is_definition]:
            done_until[item.is_definition] = item.hi  # what is inside of it is not judged again
            kind = "cut" if item.is_definition else "stmt"
            new = [number for number in inside if number not in blamed]
            blamed.update(inside)
            note = f"{item.node.type} of {item.hi - item.lo}"
            yield from (Finding(kind, cuts.positions[number], note) for number in new)
        elif item.lead:
            yield from judge_unit(item, cuts, limit)


def judge_unit(item: Item, cuts: Cuts, limit: int) -> Iterator[Finding]:
    """G4: a definition and its lead stay together; if they do not fit, they are cut between the two."""
    inside = cuts.inside(item.unit_lo, item.lo + 1)
    size = item.hi - item.unit_lo
    note = f"{item.node.type} of {item.hi - item.lo} with a lead of {item.lo - item.unit_lo}"
    if size <= limit:
        if inside:
            yield Finding("parted" if item.is_definition else "lead", cuts.positions[inside[-1]], note)
    elif item.is_definition and item.hi - item.lo <= limit and item.lo - item.unit_lo <= limit:
        places = {item.lo} | {lead.lo for lead in item.lead[1:] if not lead.is_comment}
        if inside and not any(cuts.counts[number] in places for number in inside):
            line = cuts.source.line(item.start)
            yield Finding("beside", cuts.positions[inside[-1]], f"{note} at line {line}")


# --- G5 ---


def body_of(node: Node, syntax: Syntax) -> Node | None:
    """Return the node that holds a definition's statements or members."""
    inner: Node | None = node
    for _ in range(8):
        if inner is None or (inner.type in syntax.blocks and not is_single(inner)):
            return inner
        holding = syntax.definitions | syntax.holders | syntax.functions | syntax.between
        through = holding | syntax.blocks | {"struct_type", "interface_type"}
        inner = inner.child_by_field_name("body") or next(
            (child for child in inner.named_children if child.type in through), None
        )
    return None


def is_single(node: Node) -> bool:
    """Tell whether a declaration that may be a group holds one name only: ``type T struct {}``."""
    first = node.child(1) if node.child_count > 1 and node.type.endswith("_declaration") else None
    return first is not None and first.type != "("


def first_statements(node: Node, outline: Outline) -> list[Item]:
    """Return the first two statements or members in a definition, behind its docstring."""
    syntax, found = outline.syntax, list[Item]()
    body = body_of(node, syntax)
    while body is not None:
        children, body = body.named_children, None
        for index, child in enumerate(children):
            if child.type in syntax.wrappers and child.type in syntax.blocks:
                body = child
                break
            is_wrapper = child.type in syntax.wrappers  # decorated: what it holds is the item
            item = outline.by_node.get(child.named_children[-1].id if is_wrapper else child.id)
            if item is not None and not (index == 0 and is_docstring(child, syntax)):
                found.append(item)
                if len(found) == 2:
                    return found
    return found


def is_docstring(node: Node, syntax: Syntax) -> bool:
    return node.named_child_count == 1 and node.named_children[0].type in syntax.docstrings


def judge_headers(outline: Outline, cuts: Cuts, limit: int) -> Iterator[Finding]:
    """G5: no chunk is only a definition's header or only its docs."""
    seen: set[int] = set()
    for item in outline.items:
        if not item.is_definition or not cuts.inside(item.lo, item.hi):
            continue
        firsts = first_statements(item.node, outline)
        if not firsts or firsts[0].lo <= item.lo:
            continue
        first = firsts[0]
        # The only statement has to take the closers along.
        end = first.tail_hi if len(firsts) > 1 else max(first.tail_hi, item.hi)
        body = body_of(item.node, outline.syntax)
        header_end = max(outline.source.nws[body.start_byte] if body else 0, item.lo + 1)
        # The chunks that lie wholly in front of the first statement, and have a part of lead or header.
        start = bisect_left(cuts.edges, item.unit_lo)
        for number in range(start, bisect_right(cuts.edges, first.unit_lo) - 1):
            lo, hi = cuts.edges[number], cuts.edges[number + 1]
            is_doc = hi <= item.lo
            if number in seen or lo >= header_end or end - lo > limit:
                continue
            if is_doc and item.lo - item.unit_lo > limit:
                continue  # the pieces of a lead that is over the limit by itself are excused
            seen.add(number)
            note = f"{hi - lo} before {end - hi} up to the end of the first statement"
            yield Finding("doc" if is_doc else "header", cuts.positions[number], note)
        lo = item.unit_lo if end - item.unit_lo <= limit else item.lo
        inside = cuts.inside(lo, first.unit_lo + 1)
        if inside and end - lo <= limit:
            note = f"{item.node.type} with a lead of {item.lo - item.unit_lo}"
            yield Finding("astray", cuts.positions[inside[0]], note)


def judge_punctuation(outline: Outline, root: Node, cuts: Cuts, limit: int) -> Iterator[Finding]:
    """G5: no chunk is only closers or punctuation."""
    source, edges = outline.source, cuts.edges
    for number, (lo, hi) in enumerate(pairwise(edges)):
        start, end = source.first(lo), source.first(hi - 1) + 1
        text = source.data[start:end]
        is_closing = CLOSERS.fullmatch(text) is not None
        if not is_closing and not NO_CHARACTER.fullmatch(text):
            continue
        leaf = root.descendant_for_byte_range(start, start + 1)
        if leaf is None or is_text(leaf, outline.syntax):
            continue
        before = edges[number - 1] if number else lo
        after = edges[number + 2] if number + 2 < len(edges) and not is_closing else hi
        owner = owner_lo(leaf, outline, limit) if is_closing else None
        fits = (owner is not None and hi - owner <= limit) or (number and hi - before <= limit)
        if fits or (after > hi and after - lo <= limit):
            yield Finding("closer", start, f"only {text[:40].decode(errors='replace')!r}")


def is_text(leaf: Node, syntax: Syntax) -> bool:
    parent = leaf.parent
    return leaf.type in syntax.opaque or (parent is not None and parent.type in syntax.opaque)


def owner_lo(closer: Node, outline: Outline, limit: int) -> int | None:
    """Return where the last part in front of a closer starts (its lead included, if that fits)."""
    nws, parent = outline.source.nws, closer.parent
    if parent is not None and parent.type in outline.syntax.closers:
        closer, parent = parent, parent.parent
    if parent is None:
        return None
    before = [child for child in parent.named_children if child.end_byte <= closer.start_byte]
    before = [child for child in before if nws[child.start_byte] < nws[child.end_byte]]
    while before and before[-1].type in outline.syntax.wrappers and before[-1].named_child_count:
        before = before[-1].named_children
    if not before:
        return None
    item = outline.by_node.get(before[-1].id)
    if item is None:
        return nws[before[-1].start_byte]
    return item.unit_lo if item.hi - item.unit_lo <= limit else item.lo


# --- G6 ---


def judge_merging(outline: Outline, root: Node, cuts: Cuts, limit: int) -> Iterator[Finding]:
    """G6: adjacent chunks of whole siblings of one parent are merged if they fit."""
    edges = cuts.edges
    units = [item for item in outline.items if cuts.inside(item.unit_lo, item.hi)]
    for number in range(1, len(edges) - 1):
        lo, middle, hi = edges[number - 1 : number + 2]
        if hi - lo > limit or any(is_foreign(item, lo, middle, hi) for item in units):
            continue
        if any(is_trailing_comment(outline, start) for start in (lo, middle)):
            continue  # it belongs to what is in front of it
        parent = siblings_parent(root, outline.source, lo, middle, hi)
        if parent is not None:
            note = f"{middle - lo} + {hi - middle} in {parent.type}"
            yield Finding("merge", cuts.positions[number - 1], note)


def is_foreign(item: Item, lo: int, middle: int, hi: int) -> bool:
    """Tell whether one of two chunks holds a piece of a cut unit that the other is no part of."""
    start, end = item.unit_lo, item.hi
    if start <= lo and hi <= end:
        return False
    has_piece = any(
        start < chunk_hi and chunk_lo < end for chunk_lo, chunk_hi in ((lo, middle), (middle, hi))
    )
    return has_piece and not (lo <= start and end <= middle) and not (middle <= start and end <= hi)


def is_trailing_comment(outline: Outline, count: int) -> bool:
    """Tell whether a comment behind code on its line starts with a character."""
    position = outline.source.first(count)
    number = bisect_left(outline.leads, position, key=lambda lead: lead.start)
    is_comment = number < len(outline.leads) and outline.leads[number].start == position
    return is_comment and not outline.source.begins_line(position)


def siblings_parent(root: Node, source: Source, lo: int, middle: int, hi: int) -> Node | None:
    """Return the node of which two adjacent chunks hold whole children, if there is one."""
    parent = root.descendant_for_byte_range(source.first(lo), source.first(hi - 1) + 1)
    if parent is None:
        return None
    children = [child for child in parent.children if child.end_byte > child.start_byte]
    starts = {source.nws[child.start_byte] for child in children}
    ends = {source.nws[child.end_byte] for child in children}
    return parent if {lo, middle} <= starts and {middle, hi} <= ends else None


def judge_mixing(outline: Outline, cuts: Cuts, limit: int) -> Iterator[Finding]:
    """G6: the pieces of a definition that was cut share a chunk with nothing else, unless it is small.

    Headers and closers of what is around it are not something else, nor is a comment on its last line.
    """
    seen: set[int] = set()
    ends = sorted(item.hi for item in outline.items if not is_docstring(item.node, outline.syntax))
    starts = [item.lo for item in outline.items]
    for item in outline.items:
        if not item.is_definition or not cuts.inside(item.unit_lo, item.hi):
            continue
        for edge in (item.unit_lo, item.hi - 1):  # the chunks of the first and the last character
            number = bisect_right(cuts.edges, edge) - 1
            lo, hi = cuts.edges[number], cuts.edges[number + 1]
            last_end = bisect_right(ends, item.unit_lo) - 1
            before = max(0, ends[last_end] - lo) if last_end >= 0 else 0
            first_start = bisect_left(starts, item.tail_hi)
            after = max(0, hi - starts[first_start]) if first_start < len(starts) else 0
            part = min(hi, item.hi) - max(lo, item.unit_lo)
            if number not in seen and 10 * min(part, max(before, after)) >= limit:
                seen.add(number)
                note = f"{part} of a cut {item.node.type}, {max(before, after)} of something else"
                yield Finding("mixed", outline.source.first(edge), note)


# --- one file ---


@dataclass(slots=True)
class Verdict:
    """What was found in one file, and what it adds to the shares."""

    findings: list[Finding] = field(default_factory=list)
    is_broken: bool = False
    cuts: int = 0
    mid_line_cuts: int = 0
    fills: list[float] = field(default_factory=list)
    definitions: int = 0
    led: int = 0


def judge_tree(
    data: bytes,
    syntax: Syntax,
    ranges: Sequence[tuple[int, int]],
    limit: int,
    measure: Callable[[bytes], Source] = Source,
) -> Verdict:
    """G4 to G6 for the byte ranges of a file's chunks; ``measure`` may count sizes in another unit."""
    verdict = Verdict()
    source = measure(data)
    root = parser_of(syntax.grammar).parse(data).root_node
    if root.has_error:
        verdict.is_broken = True
        return verdict
    cuts = Cuts(source, ranges)
    if any(low >= high for low, high in pairwise(cuts.edges)):
        return verdict  # a G1 violation: there is nothing to measure by
    outline = Outline(root, syntax, source)
    definitions = [item for item in outline.items if item.is_definition]
    verdict.definitions = sum(item.hi - item.lo <= limit for item in definitions)
    verdict.led = sum(bool(item.lead) and item.hi - item.unit_lo <= limit for item in definitions)
    verdict.findings += judge_wholes(outline, cuts, limit)
    verdict.findings += judge_headers(outline, cuts, limit)
    verdict.findings += judge_punctuation(outline, root, cuts, limit)
    verdict.findings += judge_merging(outline, root, cuts, limit)
    verdict.findings += judge_mixing(outline, cuts, limit)
    return verdict


def judge(code: str, chunks: Sequence[Any], syntax: Syntax, limit: int) -> Verdict:
    """Judge the chunks of one file."""
    data = code.encode("utf-8", "surrogatepass")
    source = Source(data)
    ranges = [(chunk.byte_range.start, chunk.byte_range.end) for chunk in chunks]
    textual = [*judge_tiling(code, chunks), *judge_ranges(code, chunks), *judge_sizes(source, chunks, limit)]
    if any(finding.kind == "G1" for finding in textual) or not chunks:
        return Verdict(textual)
    verdict = judge_tree(data, syntax, ranges, limit)
    verdict.findings += textual
    verdict.cuts = len(ranges) - 1
    mid_line = [start for start, _ in ranges[1:] if data[start - 1] not in b"\r\n"]
    verdict.mid_line_cuts = len(mid_line)
    verdict.findings += [
        Finding("mid-line", start, "a cut that is not at a line's start") for start in mid_line
    ]
    if source.nws[-1] > limit:
        verdict.fills = [(source.nws[end] - source.nws[start]) / limit for start, end in ranges]
    return verdict


# --- many files ---


@dataclass(slots=True)
class Row:
    """The sums of one language."""

    files: int = 0
    bytes: int = 0
    chunks: int = 0
    broken: int = 0
    not_utf8: int = 0
    cuts: int = 0
    mid_line_cuts: int = 0
    definitions: int = 0
    led: int = 0
    fills: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def mid_line(self) -> float:
        return 100 * self.mid_line_cuts / max(self.cuts, 1)

    @property
    def fill(self) -> float:
        return sum(self.fills) / len(self.fills) if self.fills else 1.0

    def is_right(self, limit: int) -> bool:
        """Tell whether all is as it must be."""
        shares = self.mid_line <= MOST_MID_LINE and self.fill >= LEAST_FILL
        zeros = not any(self.kinds[kind] for kind in MUST_BE_ZERO)
        return zeros and (shares or limit < LEAST_LIMIT_WITH_SHARES)


def source_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the given files and, in sorted order, those in given folders, of supported languages."""
    for path in paths:
        found = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (file for file in found if file.suffix.lower() in BY_EXTENSION and file.is_file())


def show(path: Path, data: bytes, finding: Finding) -> None:
    """Print a finding with the lines around it."""
    print(f"{finding.kind}: {path}:{Source(data).line(finding.position)}: {finding.note}")
    before = data[: finding.position].decode(errors="replace").rstrip("\n").split("\n")[-3:]
    after = data[finding.position :].decode(errors="replace").split("\n", 4)[:4]
    print("\n".join(f"    | {line[-110:]}" for line in before))
    print("    |" + "-" * 60)
    print("\n".join(f"    | {line[:110]}" for line in after))


class Checker:
    """Chunks files, judges the chunks and sums up."""

    def __init__(self, chunk: Callable[..., Sequence[Any]], limit: int, shown: int) -> None:
        self.chunk = chunk
        self.limit = limit
        self.shown = shown
        self.rows: dict[str, Row] = {}
        self._shown: Counter[tuple[str, str]] = Counter()

    def check(self, path: Path) -> None:
        language, syntax = BY_EXTENSION[path.suffix.lower()]
        row = self.rows.setdefault(language, Row())
        data = path.read_bytes()
        row.files += 1
        row.bytes += len(data)
        try:
            code = data.decode()
        except UnicodeDecodeError:
            row.not_utf8 += 1
            self._report(path, data, language, self._refused(path, data))
            return
        try:
            chunks = self.chunk(str(path), code, max_chunk_size=self.limit)
        except Exception as error:  # whatever it is, it is a finding
            failure = Finding("failed", 0, f"{type(error).__name__}: {error}")
            self._report(path, data, language, [failure])
            return
        verdict = judge(code, chunks, syntax, self.limit)
        row.chunks += len(chunks)
        row.broken += verdict.is_broken
        row.cuts += verdict.cuts
        row.mid_line_cuts += verdict.mid_line_cuts
        row.definitions += verdict.definitions
        row.led += verdict.led
        row.fills += verdict.fills
        self._report(path, data, language, verdict.findings)

    def _refused(self, path: Path, data: bytes) -> list[Finding]:
        """Bytes that are not UTF-8 raise ChunkingError, whatever it is imported from."""
        try:
            self.chunk(str(path), data, max_chunk_size=self.limit)
        except Exception as error:
            if type(error).__name__ == "ChunkingError":
                return []
            return [Finding("failed", 0, f"{type(error).__name__}: {error}")]
        return [Finding("failed", 0, "bytes that are not UTF-8 were chunked")]

    def _report(self, path: Path, data: bytes, language: str, findings: list[Finding]) -> None:
        for finding in findings:
            self.rows[language].kinds[finding.kind] += 1
            self._shown[language, finding.kind] += 1
            if self._shown[language, finding.kind] <= self.shown:
                show(path, data, finding)


def print_table(rows: dict[str, Row], limit: int) -> None:
    print(f"\nlimit {limit}")
    head = "language    files     MB  chunks broken  not8    defs     led |"
    for kind in KINDS:
        head += f" {kind:>{max(5, len(kind))}}"
    print(head + " | mid-line   fill")
    for language, row in rows.items():
        line = f"{language:<11}{row.files:>6}{row.bytes / 1e6:>7.2f}{row.chunks:>8}{row.broken:>7}"
        line += f"{row.not_utf8:>6}{row.definitions:>8}{row.led:>8} |"
        for kind in KINDS:
            line += f" {row.kinds[kind]:>{max(5, len(kind))}}"
        mark = "" if row.is_right(limit) else "  WRONG"
        print(f"{line} | {row.mid_line:>6.2f} % {row.fill:>6.3f}{mark}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, help="files and folders")
    parser.add_argument("--max-chunk-size", nargs="+", type=int, default=[1500], help="default: 1500")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N of each kind")
    parser.add_argument(
        "--chunker", default="code_chunk:chunk", metavar="MODULE:FUNCTION", help="what to judge"
    )
    arguments = parser.parse_args()
    module, function = arguments.chunker.split(":")
    chunk = getattr(importlib.import_module(module), function)
    files = list(source_files(arguments.paths))
    if not files:
        parser.error("no files of a supported language there")
    is_right = True
    for limit in arguments.max_chunk_size:
        began = time.perf_counter()
        checker = Checker(chunk, limit, arguments.show)
        for path in files:
            checker.check(path)
        print_table(checker.rows, limit)
        print(f"{time.perf_counter() - began:.0f} s")
        is_right = is_right and all(row.is_right(limit) for row in checker.rows.values())
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
