"""Finds a slice's entities with its language's queries."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from tree_sitter import Node, Query, QueryCursor

from ._docs import Lead, Leads, collect_leads, comment_doc, lead_of, literal_doc
from ._parse import blank_start, children_of
from ._signature import decoded, signature, text_of
from .languages import Language, Pattern, load_query

if TYPE_CHECKING:
    from ._types import EntityType

MAX_DEPTH = 1000  # the cursor is quadratic in depth, and drops matches in silence far down
_MAX_ERROR_CHILDREN = 2000  # the cursor is quadratic in the children of an ERROR root, but not of other nodes
_MAX_NAME = 1000
_SPACES = b" \t\n\r\v\f"
_BEHIND = frozenset((b";", b" ", b"\t"))
_QUOTES = ('""', "''", "``", "<>")

Captures = dict[str, list[Node]]
_Match = tuple[int, Pattern, Captures]


@dataclass(slots=True, eq=False)
class Entity:
    """A definition, an import or an export; positions are those of the file."""

    name: str
    type: EntityType
    start_byte: int
    end_byte: int
    start_row: int
    end_row: int
    signature: str
    docstring: str | None = None
    scope_name: str | None = None
    """A parent that is named and does not enclose: a Go receiver."""
    source: str | None = None
    is_default: bool = False
    is_namespace: bool = False
    max_depth: int | None = None
    """How many entities that are no modules may stand around it; None: any number."""
    is_inner: bool = False
    """True for what counts only at the outermost level, or in a module, and does not stand there."""
    parent: Entity | None = field(default=None, repr=False)
    """The next one around it that was kept; set when entities are nested."""
    passed: list[Entity] | None = field(default=None, repr=False)
    """The definitions whose parent it is, as far as they stand before the next chunk; None without any."""


@dataclass(slots=True)
class _Slice:
    """What the matches of a slice say, sorted by what they stand for; positions are those of the slice."""

    source: bytes
    language: Language
    column: int
    definitions: dict[tuple[int, int], _Match] = field(default_factory=dict)
    imports: dict[tuple[int, int], _Match] = field(default_factory=dict)
    statements: dict[int, Node] = field(default_factory=dict)
    """By their ends; of several with one end that of the first pattern."""
    prefixes: dict[tuple[int, int], str] = field(default_factory=dict)
    leads: Leads = field(default_factory=Leads)
    heads: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Of declarations of several names, by node: where the first stands, and the words in front of it."""
    signatures: dict[tuple[int, int], str] = field(default_factory=dict)
    """By node and end, where many names may share one."""
    statement_places: dict[int, _Place] = field(default_factory=dict)
    """Of import statements, by node: one may bind many names."""


_Place = tuple[int, int, int, int, str, list[Lead]]
"""What is the same for all the entities of a statement: its bytes and rows, its signature, its docs."""
_by_end, _by_start = attrgetter("end_byte"), attrgetter("start_byte")


def extract(
    root: Node, language: Language, source: bytes, offset: int, row: int, end: int, column: int = 0
) -> list[Entity]:
    """Find the entities of a slice that start before ``end``, by position, the outer before the inner.

    ``offset``, ``row`` and ``column`` say where in the file the slice starts; ``end`` counts from there.
    """
    if end <= 0:  # to the cursor this means: no limit
        return []
    piece = _Slice(source, language, column)
    _sort_matches(piece, root, end)
    entities = [
        _definition(piece, pattern, captures, name_start, name_end)
        for (name_start, name_end), (_, pattern, captures) in piece.definitions.items()
    ]
    entities += _imports(piece)
    entities = [entity for entity in entities if entity.name and entity.start_byte < end]
    entities.sort(key=_by_end, reverse=True)
    entities.sort(key=_by_start)
    if offset or row:
        for entity in entities:
            entity.start_byte += offset
            entity.end_byte += offset
            entity.start_row += row
            entity.end_row += row
    return entities


def _matches(query: Query, root: Node, end: int) -> list[tuple[int, Captures]]:
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(MAX_DEPTH)
    cursor.set_byte_range(0, end)
    if not root.is_error or root.child_count <= _MAX_ERROR_CHILDREN:
        return cursor.matches(root)
    nodes = [node for node in root.children if node.is_named and node.start_byte < end]
    return [match for node in nodes for match in cursor.matches(node)]


def _sort_matches(piece: _Slice, root: Node, end: int) -> None:
    compiled = load_query(piece.language)
    patterns = compiled.patterns
    docs: list[Node] = []
    attached: list[Node] = []
    for index, captures in _matches(compiled.query, root, end):
        pattern = patterns[index]
        role = pattern.role
        if role == "doc":
            docs += captures.get("doc", ())
            continue
        if role == "definition":
            table, names = piece.definitions, captures.get("name")
        elif role == "import":
            table = piece.imports
            names = captures.get("import.name") or captures.get("name") or captures.get("import.source")
        else:
            if role == "attach":
                attached += captures["attach"]
            else:
                _add_statement(piece, captures)
            continue
        if names:
            match = index, pattern, captures
            first = table.setdefault(names[0].byte_range, match)
            # Of several matches with one name the first pattern counts; of one pattern's the one with a doc.
            if first is not match and (index < first[0] or (index == first[0] and "doc" in captures)):
                table[names[0].byte_range] = match
    piece.leads = collect_leads(docs, attached, piece.source, piece.column)
    for key in piece.definitions.keys() & piece.imports.keys():
        del (piece.definitions if piece.definitions[key][0] > piece.imports[key][0] else piece.imports)[key]
    _drop_second_names(piece.definitions)


def _add_statement(piece: _Slice, captures: Captures) -> None:
    """Take in a statement whose names are found by themselves, and what stands in front of its sources."""
    if "import" in captures:
        statement = captures["import"][0]
        piece.statements.setdefault(statement.end_byte, statement)
    if "import.prefix" in captures:
        body = captures["body"][0]
        prefix = _unquoted(text_of(piece.source, captures["import.prefix"][0]))
        piece.prefixes.setdefault((body.start_byte, body.end_byte), prefix)


def _drop_second_names(definitions: dict[tuple[int, int], _Match]) -> None:
    """Of definitions with one body, `const A = class B {}`, only those of the first pattern count."""
    bodies = [found[2]["body"][0].id for found in definitions.values() if "body" in found[2]]
    if len(set(bodies)) == len(bodies):
        return
    firsts: dict[int, int] = {}
    for index, _, captures in definitions.values():
        for body in captures.get("body", ()):
            firsts[body.id] = min(index, firsts.get(body.id, index))
    for key, (index, _, captures) in list(definitions.items()):
        if any(firsts[body.id] < index for body in captures.get("body", ())):
            del definitions[key]


def _definition(
    piece: _Slice, pattern: Pattern, captures: Captures, name_start: int, name_end: int
) -> Entity:
    source, scope, node = piece.source, captures.get("scope"), captures[pattern.capture][0]
    start, end, start_row, end_row, header, leads = _place(
        piece, pattern, node, name_start, captures.get("body")
    )
    docs = None
    if "doc" in captures:
        doc = captures["doc"][0]
        if not source.startswith(b",", doc.end_byte):  # else a tuple
            docs = literal_doc(text_of(source, doc))
    elif leads:
        docs = comment_doc(leads, source, piece.language.doc)
    # All by position: names cost as much as making the entity.
    return Entity(
        _name(source, name_start, name_end),
        "method" if scope and pattern.type == "function" else pattern.type,
        start,
        end,
        start_row,
        end_row,
        header,
        docs,
        _name(source, *scope[0].byte_range) if scope else None,
        None,
        False,
        False,
        pattern.max_depth,
        pattern.max_level is not None and _is_below(node, pattern.max_level),
    )


def _is_below(node: Node, level: int) -> bool:
    """Whether more nodes stand around a node."""
    around: Node | None = node
    for _ in range(level + 1):
        around = around.parent if around else None
    return around is not None


def _place(piece: _Slice, pattern: Pattern, node: Node, inner: int, body: list[Node] | None) -> _Place:
    """Where the node of an entity stands, with what wraps it, attached nodes in front and a `;` behind."""
    source, last, words = piece.source, node, pattern.signature_prefix
    if piece.language.wrappers or piece.language.declarations:
        node, last, words = _wrapped(piece, node, words)
    start_row = node.start_point[0]
    start, docs = lead_of(piece.leads, node, piece.language, inner)
    if start != node.start_byte:
        start_row -= source.count(b"\n", start, node.start_byte)
    end, end_row = last.end_byte, last.end_point[0]
    if source[end - 1] in _SPACES or source[end : end + 1] in _BEHIND:
        end, end_row = _end(last, source)
    header_end = body[0].start_byte if body else end
    if pattern.signature_end:
        found = source.find(pattern.signature_end, inner, end)
        header_end = found if found >= 0 else end
        key = node.id, header_end  # many names may share all that is in front of it
        if key not in piece.signatures:
            piece.signatures[key] = signature(node, header_end, source, piece.language, words)
        return start, end, start_row, end_row, piece.signatures[key], docs
    header = signature(node, header_end, source, piece.language, words)
    return start, end, start_row, end_row, header, docs


def _wrapped(piece: _Slice, node: Node, words: str) -> tuple[Node, Node, str]:
    """The nodes with which an entity begins and ends, and the words to put in front of its signature.

    What wraps it belongs to it. Of a declaration of several names the first begins with it, and the others
    share its words; it ends none.
    """
    language = piece.language
    outer = item = node
    declaration: Node | None = None
    while parent := outer.parent:
        if parent.type in language.declarations:
            declaration, item = parent, outer
        elif parent.type not in language.wrappers:
            break
        outer = parent
    if declaration is None:
        return outer, outer, words
    start = item.start_byte
    child = declaration.named_child(0)
    if child and child.start_byte == start:  # as in most
        return outer, item, words
    head = piece.heads.get(declaration.id)
    if head is None:
        first = next(child.start_byte for child in children_of(declaration) if child.type == item.type)
        head = piece.heads[declaration.id] = first, signature(outer, first, piece.source, language)
    if head[0] == start:
        return outer, item, words
    return item, item, head[1] + " "


def _name(source: bytes, start: int, end: int) -> str:
    try:
        name = source[start:end].decode()
    except UnicodeDecodeError:
        name = decoded(source[start:end])
    if not name.isidentifier():
        name = " ".join(name.split())
    return name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 1] + "…"


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] + text[-1] in _QUOTES else text


def _end(node: Node, source: bytes) -> tuple[int, int]:
    """A node's end and the line of its last character, a `;` behind it included, blanks left out."""
    end, row = node.end_byte, node.end_point[0]
    if source[end - 1] in _SPACES:
        text_end = max(blank_start(source, end), node.start_byte)
        return text_end, row - source.count(b"\n", text_end, end)
    if source[end : end + 80].lstrip(b" \t").startswith(b";"):
        end = source.index(b";", end) + 1
    return end, row


def _imports(piece: _Slice) -> list[Entity]:
    """The imports, and the exports, which have a source too."""
    if not piece.imports:
        return []
    entities = []
    prefixes = _Prefixes(piece.prefixes, piece.language) if piece.prefixes else None
    statements = sorted(piece.statements.values(), key=_by_start)
    starts = [node.start_byte for node in statements]
    for place, (_, pattern, captures) in sorted(piece.imports.items()):
        start = place[0]
        nodes = captures.get(pattern.capture or "import")
        node = nodes[0] if nodes else None
        if node is None:
            index = bisect_right(starts, start) - 1
            node = statements[index] if index >= 0 and statements[index].end_byte > start else None
        if node:
            prefix = prefixes.path(start) if prefixes else ""
            entities.append(_import(piece, pattern, captures, node, prefix, place))
    return entities


def _import(
    piece: _Slice,
    pattern: Pattern,
    captures: Captures,
    node: Node,
    prefix: str,
    place: tuple[int, int],
) -> Entity:
    """An import or export; ``place`` is that of its name, or of its source if it binds none."""
    source = pattern.source
    if source is None and "import.source" in captures:
        source = _unquoted(_name(piece.source, *captures["import.source"][0].byte_range))
    if prefix:
        source = prefix + piece.language.separator + source if source else prefix
    if captures.get("import.name") or captures.get("name"):
        name = _name(piece.source, *place)
    else:
        found = pattern.name_pattern.search(source or "") if pattern.name_pattern else None
        name = (found[1] if found else None) or source or ""
    statement = piece.statement_places.get(node.id)
    if statement is None:
        statement = piece.statement_places[node.id] = _place(piece, pattern, node, node.start_byte, None)
    start, end, start_row, end_row, header, _ = statement
    return Entity(
        name,
        pattern.type,
        start,
        end,
        start_row,
        end_row,
        header,
        None,
        None,
        source or None,
        pattern.is_default,
        pattern.is_namespace,
    )


class _Prefixes:
    """The path in front of an import inside nested groups; to be asked in source order."""

    def __init__(self, prefixes: dict[tuple[int, int], str], language: Language) -> None:
        self._waiting = sorted(prefixes.items(), key=lambda prefix: (-prefix[0][0], prefix[0][1]))
        self._open: list[tuple[int, str]] = []
        self._separator = language.separator

    def path(self, place: int) -> str:
        while self._waiting and self._waiting[-1][0][0] <= place:
            (start, end), text = self._waiting.pop()
            self._close(start)
            around = self._open[-1][1] + self._separator if self._open else ""
            self._open.append((end, around + text))
        self._close(place)
        return self._open[-1][1] if self._open else ""

    def _close(self, place: int) -> None:
        while self._open and self._open[-1][0] <= place:
            self._open.pop()
