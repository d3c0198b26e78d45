"""Finds a slice's entities with its language's queries."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tree_sitter import Node, Query, QueryCursor

from ._docs import Lead, comment_doc, literal_doc
from ._measure import BOM
from ._parse import blank_start
from ._signature import signature, text_of
from .languages import Language, Pattern, load_query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._types import EntityType

MAX_DEPTH = 1000  # the cursor is quadratic in depth, and drops matches in silence far down
_MAX_ERROR_CHILDREN = 2000  # the cursor is quadratic in the children of an ERROR root, but not of other nodes
_MAX_NAME = 1000
_QUOTES = ('""', "''", "``", "<>")

Captures = dict[str, list[Node]]
_Match = tuple[int, Pattern, Captures]


@dataclass(slots=True)
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


@dataclass(slots=True)
class _Slice:
    """What the matches of a slice say, sorted by what they stand for; positions are those of the slice."""

    source: bytes
    language: Language
    column: int
    definitions: dict[tuple[int, int], _Match] = field(default_factory=dict)
    imports: dict[tuple[int, int], _Match] = field(default_factory=dict)
    statements: dict[int, list[Node]] = field(default_factory=dict)
    """By their ends; of several with one end that of the first pattern."""
    prefixes: dict[tuple[int, int], str] = field(default_factory=dict)
    leads: list[Lead] = field(default_factory=list)
    lead_ends: list[int] = field(default_factory=list)
    statement_places: dict[int, _Place] = field(default_factory=dict)
    """Of import statements, by node: one may bind many names."""


@dataclass(slots=True)
class _Place:
    """What is the same for all the entities of a statement."""

    start: int
    end: int
    start_row: int
    end_row: int
    signature: str
    leads: list[Lead]


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
    entities = [_definition(piece, pattern, found) for _, pattern, found in piece.definitions.values()]
    entities += _imports(piece)
    entities = [entity for entity in entities if entity.name and entity.start_byte < end]
    entities.sort(key=lambda entity: (entity.start_byte, -entity.end_byte))
    if offset or row:
        for entity in entities:
            entity.start_byte += offset
            entity.end_byte += offset
            entity.start_row += row
            entity.end_row += row
    return entities


def _matches(query: Query, root: Node, end: int) -> Iterator[tuple[int, Captures]]:
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(MAX_DEPTH)
    cursor.set_byte_range(0, end)
    if root.is_error and root.child_count > _MAX_ERROR_CHILDREN:
        for node in root.children:
            if node.is_named and node.start_byte < end:
                yield from cursor.matches(node)
    else:
        yield from cursor.matches(root)


def _sort_matches(piece: _Slice, root: Node, end: int) -> None:
    compiled = load_query(piece.language)
    docs: list[Node] = []
    attached: list[Node] = []
    for index, captures in _matches(compiled.query, root, end):
        pattern = compiled.patterns[index]
        role = pattern.role
        if role == "doc":
            docs += captures.get("doc", ())
        elif role == "attach":
            attached += captures["attach"]
        elif role == "definition" and pattern.type != "export":
            _keep_first(piece.definitions, captures.get("name"), (index, pattern, captures))
        elif role in ("import", "definition"):
            names = captures.get("import.name") or captures.get("name") or captures.get("import.source")
            _keep_first(piece.imports, names, (index, pattern, captures))
        else:
            _add_statement(piece, captures)
    piece.leads = _leads(docs, attached, piece.source)
    piece.lead_ends = [lead[0] for lead in piece.leads]
    for key in piece.definitions.keys() & piece.imports.keys():
        del (piece.definitions if piece.definitions[key][0] > piece.imports[key][0] else piece.imports)[key]
    _drop_second_names(piece.definitions)


def _add_statement(piece: _Slice, captures: Captures) -> None:
    """Take in a statement whose names are found by themselves, and what stands in front of its sources."""
    if "import" in captures:
        piece.statements.setdefault(captures["import"][-1].end_byte, captures["import"])
    if "import.prefix" in captures:
        body = captures["body"][0]
        prefix = _unquoted(text_of(piece.source, captures["import.prefix"][0]))
        piece.prefixes.setdefault((body.start_byte, body.end_byte), prefix)


def _drop_second_names(definitions: dict[tuple[int, int], _Match]) -> None:
    """Of definitions with one body, `const A = class B {}`, only those of the first pattern count."""
    bodies = [captures["body"][0].id for _, _, captures in definitions.values() if "body" in captures]
    if len(set(bodies)) == len(bodies):
        return
    firsts: dict[int, int] = {}
    for index, _, captures in definitions.values():
        for body in captures.get("body", ()):
            firsts[body.id] = min(index, firsts.get(body.id, index))
    for key, (index, _, captures) in list(definitions.items()):
        if any(firsts[body.id] < index for body in captures.get("body", ())):
            del definitions[key]


def _keep_first(table: dict[tuple[int, int], _Match], names: list[Node] | None, match: _Match) -> None:
    """Of several matches with one name the first pattern counts; of one pattern's the one with a doc."""
    if not names:
        return
    key = (names[0].start_byte, names[0].end_byte)
    other = table.get(key)
    if other is None or match[0] < other[0] or (match[0] == other[0] and "doc" in match[2]):
        table[key] = match


def _leads(docs: list[Node], attached: list[Node], source: bytes) -> list[Lead]:
    """Comments and attached nodes by position; one node may be both."""
    places = {(_text_end(node, source), node.start_byte) for node in attached}
    leads: list[Lead] = []
    for node in docs:
        place = (_text_end(node, source), node.start_byte)
        leads.append((*place, place in places, True, node.is_extra))
        places.discard(place)
    leads += [(end, start, True, False, False) for end, start in places]
    leads.sort()
    return leads


def _text_end(node: Node, source: bytes) -> int:
    start, end = node.start_byte, node.end_byte
    if end > start and source[end - 1] in b"\r\n":  # Rust's line docs hold their line end
        end = start + len(source[start:end].rstrip())
    return end


def _definition(piece: _Slice, pattern: Pattern, captures: Captures) -> Entity:
    name, body, scope = captures["name"][0], captures.get("body"), captures.get("scope")
    place = _place(piece, pattern, captures[pattern.capture], name.start_byte, body)
    docs = None
    if "doc" in captures:
        docs = literal_doc(text_of(piece.source, captures["doc"][0]))
        if piece.source.startswith(b",", captures["doc"][0].end_byte):  # a tuple
            docs = None
    elif place.leads:
        docs = comment_doc(place.leads, piece.source, piece.language.doc)
    return Entity(
        _name(piece.source, name),
        "method" if scope and pattern.type == "function" else pattern.type,
        place.start,
        place.end,
        place.start_row,
        place.end_row,
        place.signature,
        docs,
        scope_name=_name(piece.source, scope[0]) if scope else None,
        max_depth=0 if pattern.max_depth is None and pattern.type == "constant" else pattern.max_depth,
        is_inner=pattern.max_level is not None
        and _is_below(captures[pattern.capture][-1], pattern.max_level),
    )


def _is_below(node: Node, level: int) -> bool:
    """Whether more nodes stand around a node."""
    around: Node | None = node
    for _ in range(level + 1):
        around = around.parent if around else None
    return around is not None


def _place(piece: _Slice, pattern: Pattern, nodes: list[Node], inner: int, body: list[Node] | None) -> _Place:
    """Where the nodes of an entity stand, attached nodes in front and a `;` behind included."""
    source = piece.source
    node_start = nodes[0].start_byte
    start, leads = _lead(piece, node_start, inner) if piece.leads else (node_start, [])
    start_row = nodes[0].start_point[0]
    if start != node_start:
        start_row -= source.count(b"\n", start, node_start)
    end, end_row = _end(nodes[-1], source)
    header_end = body[0].start_byte if body else end
    if pattern.signature_end:
        found = source.find(pattern.signature_end, inner, end)
        header_end = found if found >= 0 else end
    header = signature(nodes, header_end, source, piece.language, pattern.signature_prefix)
    return _Place(start, end, start_row, end_row, header, leads)


def _name(source: bytes, node: Node) -> str:
    name = text_of(source, node)
    if not name.isidentifier():
        name = " ".join(name.split())
    return name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 1] + "…"


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] + text[-1] in _QUOTES else text


def _end(node: Node, source: bytes) -> tuple[int, int]:
    """A node's end and the line of its last character, a `;` behind it included, blanks left out."""
    end, row = node.end_byte, node.end_point[0]
    if source[end - 1 : end].isspace():
        text_end = max(blank_start(source, end), node.start_byte)
        return text_end, row - source.count(b"\n", text_end, end)
    if source[end : end + 1] in (b";", b" ", b"\t"):
        rest = source[end : end + 80].lstrip(b" \t")
        if rest.startswith(b";"):
            end = source.index(b";", end) + 1
    return end, row


def _lead(piece: _Slice, node_start: int, inner: int) -> tuple[int, list[Lead]]:
    """Where a definition starts, attached nodes in front included, and its doc comments, nearest first.

    Comments from the start of the definition to `inner` stand between annotations and the name.
    """
    leads, source = piece.leads, piece.source
    index = bisect_right(piece.lead_ends, inner) - 1
    docs: list[Lead] = []
    has_annotations = bool(piece.language.annotations or piece.language.attach)
    while index >= 0 and leads[index][0] > node_start:
        end, lead_start, _, is_doc, _ = leads[index]
        if has_annotations and node_start <= lead_start and end <= inner:
            inner = lead_start  # what stands inside an attached node is none of its docs
            if is_doc:
                docs.append(leads[index])
        index -= 1
    start = below = node_start
    touches = True
    while index >= 0:
        end, lead_start, is_attached, is_doc, _ = leads[index]
        if lead_start < below:  # else inside the attached node that came before
            if source[max(end, below - 64) : below].strip():  # the near end first, to be fast
                break
            line_ends = source.count(b"\n", end, below)
            is_parted = below - end > 64 and source[end:below].strip()
            if is_parted or (line_ends and not is_attached and _trails(piece, index)):
                break
            if is_attached:
                start, touches = lead_start, True
            elif line_ends > 1:
                touches = False
            if touches and is_doc:
                docs.append(leads[index])
            below = lead_start
        index -= 1
    return start, docs


def _trails(piece: _Slice, index: int) -> bool:
    """Whether a comment follows something on its line that is neither a comment nor an attached node."""
    source, start = piece.source, piece.leads[index][1]
    line = source.rfind(b"\n", 0, start) + 1
    if source.startswith(BOM, line):  # at the start of the file
        line += len(BOM)
    while source[line:start].strip() or (line <= len(BOM) and piece.column):
        index -= 1
        end, lead_start = piece.leads[index][:2] if index >= 0 else (0, 0)
        if end <= line or source[end:start].strip():
            return True
        start = lead_start
    return False


def _imports(piece: _Slice) -> list[Entity]:
    """The imports, and the exports, which have a source too."""
    entities = []
    prefixes = _Prefixes(piece.prefixes, piece.language)
    statements = sorted(piece.statements.values(), key=lambda nodes: nodes[0].start_byte)
    starts = [nodes[0].start_byte for nodes in statements]
    for (start, _), (_, pattern, captures) in sorted(piece.imports.items()):
        nodes = captures.get(pattern.capture or "import")
        if nodes is None:
            index = bisect_right(starts, start) - 1
            nodes = statements[index] if index >= 0 and statements[index][-1].end_byte > start else None
        if nodes:
            entities.append(_import(piece, nodes, pattern, captures, prefixes.path(start)))
    return entities


def _import(piece: _Slice, nodes: list[Node], pattern: Pattern, captures: Captures, prefix: str) -> Entity:
    source = pattern.source
    if source is None and "import.source" in captures:
        source = _unquoted(_name(piece.source, captures["import.source"][0]))
    if prefix:
        source = prefix + piece.language.separator + source if source else prefix
    key = nodes[-1].id
    place = piece.statement_places.get(key)
    if place is None:
        place = _place(piece, pattern, nodes, nodes[0].start_byte, None)
        piece.statement_places[key] = place
    return Entity(
        _bound_name(piece, pattern, captures, source or ""),
        pattern.type,
        place.start,
        place.end,
        place.start_row,
        place.end_row,
        place.signature,
        source=source or None,
        is_default=pattern.is_default,
        is_namespace=pattern.is_namespace,
    )


def _bound_name(piece: _Slice, pattern: Pattern, captures: Captures, source: str) -> str:
    names = captures.get("import.name") or captures.get("name")
    if names:
        return _name(piece.source, names[0])
    found = pattern.name_pattern.search(source) if pattern.name_pattern else None
    return (found[1] if found else None) or source


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
