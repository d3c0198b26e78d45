"""Checks of the guarantees, given code and its chunks; nothing here is shared with the chunker.

Positions in the tree checks are counts of non-whitespace characters (NWS): blanks do not exist there, so two
places with only blanks between them are one, and the size of a range is the difference of its ends.
"""

from __future__ import annotations

import importlib
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from tree_sitter import Language, Node, Parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from code_chunk import Chunk, ChunkOptions

BLANK = "".join(map(chr, range(0x21)))
BLANK_BYTES = BLANK.encode()
BOM = "\ufeff"
_NO_BLANKS = dict.fromkeys(range(0x21))
_CLOSERS = re.compile(rb"[\x00-\x20)\]};,]*(?<!\n)[^\n]*")  # and what stands behind them on their line


# --- from the text alone: G1, G2, G3 ---


def to_bytes(code: str) -> bytes:
    return code.encode("utf-8", "surrogatepass")


def nws(text: str) -> int:
    return len(text.translate(_NO_BLANKS))


def is_blank(code: str) -> bool:
    return not code.removeprefix(BOM).strip(BLANK)


def check_tiling(code: str, chunks: Sequence[Chunk]) -> None:
    """G1: contiguous slices that cover the file, none blank; blank space on the right side of each cut."""
    if is_blank(code):
        assert chunks == []
        return
    assert "".join(made.text for made in chunks) == code
    assert chunks[0].byte_range.start == chunks[0].char_range.start == 0
    assert chunks[-1].byte_range.end == len(to_bytes(code))
    assert chunks[-1].char_range.end == len(code)
    for index, made in enumerate(chunks):
        assert made.index == index
        assert made.text.removeprefix("" if index else BOM).strip(BLANK), f"chunk {index} is blank"
    for before, after in pairwise(chunks):
        assert before.byte_range.end == after.byte_range.start
        assert before.char_range.end == after.char_range.start
        assert before.char_range.end == _blank_cut(code, before.char_range.end)


def _blank_cut(code: str, cut: int) -> int:
    """Where the cut in this blank space must be: behind its last line end, else in front of the next text."""
    start, end = cut, cut
    while start and code[start - 1] in BLANK:
        start -= 1
    while end < len(code) and code[end] in BLANK:
        end += 1
    return code.rfind("\n", start, end) + 1 or end


def check_ranges(code: str, chunks: Sequence[Chunk]) -> None:
    """G2: every range says where the text stands; no CR LF is cut."""
    raw = to_bytes(code)
    line = 0
    for made in chunks:
        start, end = made.char_range.start, made.char_range.end
        assert code[start:end] == made.text
        part = raw[made.byte_range.start : made.byte_range.end]
        assert part.decode("utf-8", "surrogatepass") == made.text
        assert code[max(0, end - 1) : end + 1] != "\r\n"
        text = made.text if start else made.text.removeprefix(BOM)
        first = line + text.count("\n", 0, len(text) - len(text.lstrip(BLANK)))
        last = line + text.rstrip(BLANK).count("\n")
        assert (made.line_range.start, made.line_range.end) == (first, last)
        line += text.count("\n")


def check_sizes(code: str, chunks: Sequence[Chunk], limit: int) -> None:
    """G3: sizes are true and within the limit."""
    for made in chunks:
        is_first = code.startswith(BOM) and not made.index
        assert made.size == nws(made.text) - is_first
        assert made.size <= limit, f"chunk {made.index} has {made.size}, over {limit}"


# --- from the values: context, header, identity ---


def check_values(filepath: str, chunks: Sequence[Chunk], options: ChunkOptions) -> None:
    """What must be true of the chunks' context whatever the code is."""
    assert len({made.id for made in chunks}) == len(chunks)
    for made in chunks:
        assert made.total_chunks == len(chunks)
        assert made.context.filepath == filepath
        _check_context(made, options)
        _check_contextualized(made, options)


def _check_context(made: Chunk, options: ChunkOptions) -> None:
    context, mode = made.context, options.context_mode
    if mode == "none":
        assert (context.scope, context.entities) == ((), ())
    if mode != "full":
        assert (context.siblings, context.imports, context.uses) == ((), (), ())
    assert len(context.scope) <= 32
    for entity in context.entities:
        assert entity.name not in ("", "<anonymous>")
        assert "\n" not in entity.signature
        assert len(entity.signature) <= 1000
        lines = entity.line_range
        assert lines is not None
        assert made.line_range.start <= lines.start <= made.line_range.end
        assert entity.is_partial or lines.end <= made.line_range.end
    names = [info.name for info in context.imports]
    assert set(context.uses) <= set(names)
    assert all(name in made.text for name in context.uses)
    assert not options.filter_imports or set(names) <= set(context.uses)
    for position in ("before", "after"):
        distances = [info.distance for info in context.siblings if info.position == position]
        assert distances == list(range(1, len(distances) + 1))
        assert len(distances) <= 3
    if options.sibling_detail == "none":
        assert context.siblings == ()
    if options.sibling_detail == "names":
        assert all(info.signature is None for info in context.siblings)


def _check_contextualized(made: Chunk, options: ChunkOptions) -> None:
    if options.context_mode == "none":
        assert made.contextualized_text == made.text
    elif options.overlap_nodes:
        assert made.text.rstrip(BLANK) in made.contextualized_text
    else:
        blank = len(made.text) - len(made.text.rstrip(BLANK))
        end = made.text.find("\n", len(made.text) - blank)
        kept = made.text if end < 0 else made.text[:end].removesuffix("\r")
        assert made.contextualized_text.endswith(kept)


def check(filepath: str, code: str, chunks: Sequence[Chunk], options: ChunkOptions) -> None:
    """Everything that holds for any text."""
    check_tiling(code, chunks)
    check_ranges(code, chunks)
    check_sizes(code, chunks, options.max_chunk_size)
    check_values(filepath, chunks, options)


# --- from a parse of the whole file: G4, G5 ---


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


@dataclass(frozen=True)
class Syntax:
    """What a grammar calls the nodes that the guarantees speak of."""

    grammar: str
    definitions: frozenset[str]
    wrappers: frozenset[str] = frozenset()
    """Nodes that are a definition together with the one that they hold."""
    attributes: frozenset[str] = frozenset()
    """Siblings that belong to the definition behind them."""
    docstrings: frozenset[str] = frozenset()
    """What documents a block when it is all of the first statement."""


_ECMA = _words("function_declaration generator_function_declaration class_declaration method_definition")
_TYPESCRIPT = _ECMA | _words(
    "abstract_class_declaration interface_declaration enum_declaration type_alias_declaration module",
    "internal_module function_signature abstract_method_signature method_signature",
)
_EXPORTS = _words("export_statement ambient_declaration")

SYNTAX_OF = {
    "typescript": Syntax("tree_sitter_typescript:language_typescript", _TYPESCRIPT, _EXPORTS),
    "tsx": Syntax("tree_sitter_typescript:language_tsx", _TYPESCRIPT, _EXPORTS),
    "javascript": Syntax("tree_sitter_javascript:language", _ECMA, _EXPORTS),
    "python": Syntax(
        "tree_sitter_python:language",
        _words("function_definition class_definition"),
        wrappers=_words("decorated_definition"),
        docstrings=_words("string concatenated_string"),
    ),
    "rust": Syntax(
        "tree_sitter_rust:language",
        _words(
            "function_item function_signature_item struct_item union_item enum_item trait_item impl_item",
            "mod_item type_item macro_definition",
        ),
        attributes=_words("attribute_item"),
    ),
    "go": Syntax(
        "tree_sitter_go:language",
        _words("function_declaration method_declaration type_spec type_alias method_elem"),
        wrappers=_words("type_declaration"),
    ),
    "java": Syntax(
        "tree_sitter_java:language",
        _words(
            "class_declaration record_declaration interface_declaration enum_declaration",
            "annotation_type_declaration method_declaration constructor_declaration",
            "compact_constructor_declaration annotation_type_element_declaration",
        ),
    ),
}


def syntax_of(filepath: str) -> Syntax:
    """Find the syntax for the name of a sample."""
    extension = filepath.rpartition(".")[2]
    names = {"py": "python", "pyi": "python", "rs": "rust", "go": "go", "java": "java", "tsx": "tsx"}
    return SYNTAX_OF[names.get(extension, "typescript" if extension.endswith("ts") else "javascript")]


@cache
def _parser(grammar: str) -> Parser:
    module, function = grammar.split(":")
    return Parser(Language(getattr(importlib.import_module(module), function)()))


def parse(filepath: str, code: str) -> Node:
    """Parse a whole file at once; give the root."""
    return _parser(syntax_of(filepath).grammar).parse(to_bytes(code)).root_node


@dataclass(frozen=True)
class _Definition:
    """A definition in NWS positions."""

    node: Node
    lo: int
    hi: int
    unit_lo: int
    """Where the comments and attributes begin that lead it."""


class Structure:
    """A file without syntax errors: its definitions, and where the chunks' cuts fall among them."""

    def __init__(self, filepath: str, code: str, root: Node, chunks: Sequence[Chunk], limit: int) -> None:
        self.raw = to_bytes(code)
        self.limit = limit
        self._syntax = syntax_of(filepath)
        self._root = root
        counted = self.raw.replace(to_bytes(BOM), b"   ", 1) if code.startswith(BOM) else self.raw
        self._nws = list(accumulate((byte > 0x20 and not 0x80 <= byte < 0xC0 for byte in counted), initial=0))
        self.edges = [0, *(self._nws[made.byte_range.end] for made in chunks)]

    def _cuts_in(self, lo: int, hi: int) -> list[int]:
        return self.edges[bisect_right(self.edges, lo) : bisect_left(self.edges, hi)]

    def _definitions(self) -> Iterator[_Definition]:
        stack = [self._root]
        while stack:
            parent = stack.pop()
            siblings = parent.children
            stack += siblings
            for index, node in enumerate(siblings):
                if self._is_definition(node, parent):
                    lo, hi = self._nws[node.start_byte], self._nws[node.end_byte]
                    yield _Definition(node, lo, hi, self._nws[self._lead_start(siblings[:index], node)])

    def _is_definition(self, node: Node, parent: Node) -> bool:
        """Whether a node is one, with all that belongs to it: ``export class A {}`` is a whole."""
        wrappers = self._syntax.wrappers
        inner = self._syntax.definitions | wrappers
        is_part = parent.type in wrappers and parent.end_byte == node.end_byte
        if node.type not in inner or (is_part and parent.type != "decorated_definition"):
            return False
        return node.type not in wrappers or any(child.type in inner for child in node.children)

    def _lead_start(self, before: list[Node], node: Node) -> int:
        """Where the attributes and the touching comments begin that belong to a definition."""
        start = node.start_byte
        for sibling in reversed(before):
            text = self.raw[sibling.start_byte : sibling.end_byte].rstrip(BLANK_BYTES)
            if sibling.type.endswith("comment"):
                gap = self.raw[sibling.start_byte + len(text) : start]
                if gap.count(b"\n") > 1 or not self._begins_line(sibling):
                    break
            elif sibling.type not in self._syntax.attributes:
                break
            start = sibling.start_byte
        return start

    def _begins_line(self, node: Node) -> bool:
        line_start = self.raw.rfind(b"\n", 0, node.start_byte) + 1
        return not self.raw[line_start : node.start_byte].removeprefix(to_bytes(BOM)).strip(BLANK_BYTES)

    def check_wholes(self) -> None:
        """G4: no definition that fits is cut, nor is one parted from what leads it if the whole fits."""
        for found in self._definitions():
            start = found.unit_lo if found.hi - found.unit_lo <= self.limit else found.lo
            if found.hi - start <= self.limit:
                cuts = self._cuts_in(start, found.hi)
                assert not cuts, self._say(f"{found.node.type} of {found.hi - start} is cut", cuts[0])

    def check_headers(self) -> None:
        """G5: no chunk is only a definition's header or docs, if its first statement fits in as well."""
        for found in self._definitions():
            first, is_only = self._first_statement(found.node)
            if first is None or not self._cuts_in(found.lo, found.hi):
                continue
            first_lo, needed = self._nws[first.start_byte], self._nws[first.end_byte] + 1  # and a separator
            if is_only:  # and all closers
                closers = _CLOSERS.match(self.raw, found.node.end_byte)
                needed = self._nws[closers.end() if closers else found.node.end_byte]
            for lo, hi in pairwise(self.edges):
                if found.lo <= lo and hi <= first_lo and needed - lo <= self.limit:
                    assert self._is_in_token(lo), self._say(f"only the header of a {found.node.type}", lo)

    def _is_in_token(self, position: int) -> bool:
        """Whether a comment or a literal had to be cut here."""
        byte = self._byte(position)
        leaf = self._root.descendant_for_byte_range(byte, byte + 1)
        return leaf is not None and leaf.start_byte < byte

    def _first_statement(self, node: Node) -> tuple[Node | None, bool]:
        """The first statement or member behind the docs, and whether it is the only one."""
        body = node.child_by_field_name("body")
        if body is None or body.type == "ordered_field_declaration_list":
            return None, False
        children = body.named_children
        if children and children[0].type == "statement_list":
            children = children[0].named_children
        leads = self._syntax.attributes
        children = [
            child for child in children if child.type not in leads and not child.type.endswith("comment")
        ]
        if children and children[0].named_child_count == 1:
            documents = children[0].named_children[0].type in self._syntax.docstrings
            children = children[documents:]
        return (children[0], len(children) == 1) if children else (None, False)

    def check_closers(self) -> None:
        """G5: no chunk is only closers, if it fits together with the last thing in what it closes."""
        for lo, hi in list(pairwise(self.edges))[1:]:
            start, end = self._byte(lo), self._byte(hi - 1) + 1
            if self.raw[start:end].translate(None, b")]};,>" + BLANK_BYTES):
                continue
            closer = self._root.descendant_for_byte_range(start, start + 1)
            if closer is None or closer.child_count or closer.is_named or closer.parent is None:
                continue
            inside = [child for child in closer.parent.named_children if child.end_byte <= start]
            while inside and inside[-1].type == "statement_list":
                inside = inside[-1].named_children
            if inside:
                owner = self._lead_start(inside[:-1], inside[-1])
                owner_lo = self._nws[owner]
                if self._nws[inside[-1].end_byte] - owner_lo > self.limit:
                    owner_lo = self._nws[inside[-1].start_byte]
                assert hi - owner_lo > self.limit, self._say("a chunk of only closers", lo)

    def _byte(self, position: int) -> int:
        """Where the character with this number starts."""
        return bisect_right(self._nws, position) - 1

    def _say(self, problem: str, position: int) -> str:
        byte = self._byte(position)
        before, after = self.raw[max(0, byte - 80) : byte], self.raw[byte : byte + 80]
        return f"{problem} (limit {self.limit}) at byte {byte}: {before!r} | {after!r}"


def error_nodes(root: Node) -> list[Node]:
    """The outermost ERROR and MISSING nodes in order; for a hidden token, what is around it."""
    found = []
    stack = [root]
    while stack:
        node = stack.pop()
        inner = [child for child in reversed(node.children) if child.has_error]
        if node.is_error or node.is_missing or (node.has_error and not inner and node is not root):
            found.append(node)
        else:
            stack += inner
    return found


def check_structure(filepath: str, code: str, chunks: Sequence[Chunk], options: ChunkOptions) -> None:
    """G4 and G5, of code without syntax errors; errors are told (G7)."""
    root = parse(filepath, code)
    is_told = any(made.context.parse_error for made in chunks)
    # what is missing between two statements, or at the file's end, may be no error
    assert bool(error_nodes(root)) <= is_told <= root.has_error or is_blank(code)
    if chunks and not root.has_error:
        structure = Structure(filepath, code, root, chunks, options.max_chunk_size)
        structure.check_wholes()
        structure.check_headers()
        structure.check_closers()
