"""Finds a slice's entities with its language's queries."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tree_sitter import Node, Query, QueryCursor

from ._docs import Lead, comment_doc, literal_doc
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
    signatures: dict[tuple[int, int], str] = field(default_factory=dict)
    """By node and end, for a statement that binds many names."""
    starts: dict[int, int] = field(default_factory=dict)
    """Those of import statements by node, attached nodes in front included."""


def extract(
    root: Node, language: Language, source: bytes, offset: int, row: int, end: int, column: int = 0
) -> list[Entity]:
    """Find the entities of a slice.

    Args:
        root: The slice's tree.
        language: The slice's language.
        source: The slice's bytes.
        offset: Where the slice begins in the file, in bytes.
        row: The line in which it begins.
        end: Entities that start at or after this byte of the slice are left out.
        column: What of that line stands in front of it.

    Returns:
        The entities by position, the outer before the inner.
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
    leads: dict[tuple[int, int], Lead] = {}
    for index, captures in _matches(compiled.query, root, end):
        pattern = compiled.patterns[index]
        role = pattern.role
        if role == "definition" and pattern.type != "export":
            _keep_first(piece.definitions, captures.get("name"), (index, pattern, captures))
        elif role in ("import", "definition"):
            names = captures.get("import.name") or captures.get("name") or captures.get("import.source")
            _keep_first(piece.imports, names, (index, pattern, captures))
        elif role == "statement":
            piece.statements.setdefault(captures["import"][-1].end_byte, captures["import"])
        elif role == "prefix":
            if "import" in captures:
                piece.statements.setdefault(captures["import"][-1].end_byte, captures["import"])
            body = captures["body"][0]
            prefix = _unquoted(text_of(piece.source, captures["import.prefix"][0]))
            piece.prefixes.setdefault((body.start_byte, body.end_byte), prefix)
        else:
            for node in captures.get(role, ()):
                _add_lead(leads, node, role == "attach", piece.source)
    piece.leads = sorted(leads.values(), key=lambda lead: (lead.end, lead.start))
    piece.lead_ends = [lead.end for lead in piece.leads]
    for key in piece.definitions.keys() & piece.imports.keys():
        del (piece.definitions if piece.definitions[key][0] > piece.imports[key][0] else piece.imports)[key]
    _drop_second_names(piece.definitions)


def _drop_second_names(definitions: dict[tuple[int, int], _Match]) -> None:
    """Of definitions with one body, `const A = class B {}`, only those of the first pattern count."""
    firsts: dict[tuple[int, int], int] = {}
    seconds = False
    for index, _, captures in definitions.values():
        for body in captures.get("body", ()):
            first = firsts.setdefault((body.start_byte, body.end_byte), index)
            seconds |= first != index
            firsts[body.start_byte, body.end_byte] = min(first, index)
    if not seconds:
        return
    for key, (index, _, captures) in list(definitions.items()):
        if any(firsts[body.start_byte, body.end_byte] < index for body in captures.get("body", ())):
            del definitions[key]


def _keep_first(table: dict[tuple[int, int], _Match], names: list[Node] | None, match: _Match) -> None:
    """Of several matches with one name the first pattern counts; of one pattern's the one with a doc."""
    if not names:
        return
    key = (names[0].start_byte, names[0].end_byte)
    other = table.get(key)
    if other is None or match[0] < other[0] or (match[0] == other[0] and "doc" in match[2]):
        table[key] = match


def _add_lead(leads: dict[tuple[int, int], Lead], node: Node, is_attached: bool, source: bytes) -> None:
    start, end = node.start_byte, node.end_byte
    if end > start and source[end - 1] in b"\r\n":  # Rust's line docs hold their line end
        end = start + len(source[start:end].rstrip())
    lead = leads.setdefault((start, end), Lead(start, end))
    if is_attached:
        lead.is_attached = True
    else:
        lead.is_doc = True
        lead.is_comment = node.is_extra


def _definition(piece: _Slice, pattern: Pattern, captures: Captures) -> Entity:
    nodes, name = captures[pattern.capture], captures["name"][0]
    node, source = nodes[0], piece.source
    body = captures.get("body")
    scope = captures.get("scope")
    start, leads = _lead(piece, node, name)
    if "doc" in captures:
        docs = literal_doc(text_of(source, captures["doc"][0]))
    else:
        docs = comment_doc(leads, source, piece.language.doc) if leads else None
    end, end_row = _end(nodes[-1], source)
    header_end = body[0].start_byte if body else end
    return Entity(
        name=_name(source, name),
        type="method" if scope and pattern.type == "function" else pattern.type,
        start_byte=start,
        end_byte=end,
        start_row=node.start_point[0] - source.count(b"\n", start, node.start_byte),
        end_row=end_row,
        signature=_signature(piece, nodes, header_end, pattern),
        docstring=docs,
        scope_name=_name(source, scope[0]) if scope else None,
        max_depth=0 if pattern.max_depth is None and pattern.type == "constant" else pattern.max_depth,
    )


def _signature(piece: _Slice, nodes: list[Node], end: int, pattern: Pattern) -> str:
    key = (nodes[-1].id, end)
    found = piece.signatures.get(key)
    if found is None:
        found = signature(nodes, end, piece.source, piece.language, pattern.signature_prefix)
        piece.signatures[key] = found
    return found


def _name(source: bytes, node: Node) -> str:
    name = " ".join(text_of(source, node).split())
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


def _lead(piece: _Slice, node: Node, name: Node) -> tuple[int, list[Lead]]:
    """Where a definition starts, attached nodes in front included, and its doc comments, nearest first."""
    start = below = node.start_byte
    inner = name.start_byte
    if not piece.leads:
        return start, []
    index = bisect_right(piece.lead_ends, name.start_byte) - 1
    docs: list[Lead] = []
    touches = True
    has_annotations = bool(piece.language.annotations or piece.language.attach)
    while index >= 0:
        lead = piece.leads[index]
        index -= 1
        if lead.end > node.start_byte:  # between annotations and the name
            if has_annotations and node.start_byte <= lead.start and lead.end <= inner:
                inner = lead.start  # what stands inside an attached node is none of its docs
                if lead.is_doc:
                    docs.append(lead)
            continue
        if lead.start >= below:  # inside the attached node that came before
            continue
        gap = _gap(piece.source, lead.end, below)
        if gap is None or (b"\n" in gap and not lead.is_attached and _trails(piece, index + 1)):
            break
        if lead.is_attached:
            start, touches = lead.start, True
        elif gap.count(b"\n") > 1:
            touches = False
        if touches and lead.is_doc:
            docs.append(lead)
        below = lead.start
    return start, docs


def _gap(source: bytes, start: int, end: int) -> bytes | None:
    """The blanks between two places, None if there is more; looks at the near end first, to be fast."""
    if source[max(start, end - 64) : end].strip():
        return None
    gap = source[start:end]
    return gap if not gap.strip() else None


def _trails(piece: _Slice, index: int) -> bool:
    """Whether a comment follows something on its line that is neither a comment nor an attached node."""
    start = piece.leads[index].start
    line = piece.source.rfind(b"\n", 0, start) + 1
    while piece.source[line:start].strip() or (not line and piece.column):
        index -= 1
        lead = piece.leads[index] if index >= 0 else None
        if lead is None or lead.end <= line or piece.source[lead.end : start].strip():
            return True
        start = lead.start
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
    node, last = nodes[0], nodes[-1]
    source = pattern.source
    if source is None and "import.source" in captures:
        source = _unquoted(_name(piece.source, captures["import.source"][0]))
    source = piece.language.separator.join(filter(None, (prefix, source)))
    if node.id not in piece.starts:
        piece.starts[node.id], _ = _lead(piece, node, node)
    start = piece.starts[node.id]
    end, end_row = _end(last, piece.source)
    return Entity(
        name=_bound_name(piece, pattern, captures, source),
        type=pattern.type,
        start_byte=start,
        end_byte=end,
        start_row=node.start_point[0] - piece.source.count(b"\n", start, node.start_byte),
        end_row=end_row,
        signature=_signature(piece, nodes, last.end_byte, pattern),
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
