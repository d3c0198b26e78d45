"""A range, the scope tree and the imports -> where a chunk stands."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, Literal, TypeVar

from ._extract import Entity
from ._scope import NO_DEFINITIONS
from ._types import EntityInfo, new_chunk_entity, new_context, new_import, new_line_range, new_sibling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._types import ChunkContext, ChunkEntityInfo, ChunkOptions, ImportInfo, SiblingInfo

_T = TypeVar("_T")

LOOKAHEAD = 16 * 1024
"""How far behind a chunk's end a sibling may begin, in bytes: a stream need not read further."""
_SIBLINGS = 3
_SCOPES = 32
_IMPORTS = 1000
_REMEMBERED = 1000
"""How many top-level entities are remembered as siblings and owners of methods."""
_FEW = 16
"""Up to so many names it is faster to look for each than to split the text into words."""
_TYPES = ("class", "interface", "type", "enum")
_WORD = re.compile(r"[\w$]+")
_BLANK_BETWEEN_WORDS = bytes([c if chr(c).isalnum() or chr(c) in "_$" else 0x20 for c in range(0x80)]).ljust(
    0x100
)
"""Turns what is no part of a word into a blank, in ASCII."""
_PATH = re.compile(r"[\w$]+(?:(?:\.|::)[\w$]+)+")
"""What can be used as a word can: no ``*``, no ``.``, and no path of an import for its effects."""


class ContextBuilder:
    """Follows the chunks of one file in order, and tells of each where it stands."""

    def __init__(self, filepath: str, language: str, options: ChunkOptions) -> None:
        self._filepath = filepath
        self._language = language
        self._options = options
        self._is_full = options.context_mode == "full"
        self._is_minimal = options.context_mode == "minimal"
        self._has_siblings = self._is_full and options.sibling_detail != "none"
        self._has_signatures = options.sibling_detail == "signatures"
        self._ahead: deque[Entity] = deque()
        """In source order, what begins at or behind the next chunk's start."""
        self._enclosing: list[Entity] = []
        """Outermost first, what began before it and may go on in it."""
        self._passed: deque[Entity] = deque(maxlen=_REMEMBERED)
        """The top-level ones that began before it."""
        self._owners: dict[str, Entity] = {}
        """The same by name, as owners of methods that stand outside of them."""
        self._docs: dict[str, str] = {}
        """What documents the types among them, by name."""
        self._imports = _Imports()

    def add(self, entities: list[Entity]) -> None:
        """Learn of the entities of the next slice."""
        self._ahead.extend(entities)

    def context(self, start: int, end: int, last: int, raw: bytes, text: str) -> tuple[ChunkContext, str]:
        """Tell where the next chunk stands, whose bytes are ``raw`` and whose characters ``text``.

        ``last`` is the position behind its last character that is neither blank nor a closer. Beside the
        context stands the documentation of its scope: the innermost there is.
        """
        enclosing, ahead = self._enclosing, self._ahead
        while enclosing and enclosing[-1].end_byte <= start:
            enclosing.pop()
        around = [entity for entity in reversed(enclosing) if entity.end_byte >= last]
        parent = around[0] if around else None
        here = []
        while ahead and ahead[0].start_byte < end:
            here.append(ahead.popleft())
        owner = _common_owner(here, parent)
        siblings: tuple[SiblingInfo, ...] = ()
        imports: tuple[ImportInfo, ...] = ()
        uses: tuple[str, ...] = ()
        if self._is_full:
            self._imports.add(here)
            uses = self._imports.used(start, raw, text)
            imports = self._imports.known
            if self._options.filter_imports:
                imports = tuple([info for info in imports if info.name in uses])
        if self._has_siblings:
            siblings = self._siblings(end, parent, owner)
        scope = self._scope(around, owner)
        context = new_context(
            self._filepath,
            self._language,
            tuple([EntityInfo(entity.name, entity.type, entity.signature) for entity in scope]),
            _chunk_entities(here, end),
            siblings,
            imports,
            uses,
        )
        self._pass(here, end)
        about = next(filter(None, map(self._doc, scope)), "") if self._is_minimal else ""
        return context, about

    def _scope(self, around: list[Entity], owner: str | None) -> list[Entity]:
        scope = [self._owner(owner)] if owner else []
        for entity in around:
            scope.append(entity)
            if entity.scope_name:
                scope.append(self._owner(entity.scope_name))
        return scope[:_SCOPES]

    def _owner(self, name: str) -> Entity:
        return self._owners.get(name) or Entity(name, "type", 0, 0, 0, 0, "")

    def _doc(self, entity: Entity) -> str:
        """An entity's documentation; without any, that of the type it adds to, as a Rust ``impl`` does."""
        return entity.docstring or (entity.type in _TYPES and self._docs.get(entity.name)) or ""

    def _siblings(self, end: int, scope: Entity | None, owner: str | None) -> tuple[SiblingInfo, ...]:
        passed: Sequence[Entity] = self._passed
        until = end + LOOKAHEAD
        if scope and not owner:
            passed, owner, until = scope.passed or (), None, min(until, scope.end_byte)
        else:
            scope = None
        return (
            *self._nearest(reversed(passed), "before", scope, owner, until),
            *self._nearest(self._ahead, "after", scope, owner, until),
        )

    def _nearest(
        self,
        entities: Iterable[Entity],
        position: Literal["before", "after"],
        parent: Entity | None,
        owner: str | None,
        until: int,
    ) -> list[SiblingInfo]:
        """The first few of these entities that have this parent and owner."""
        found: list[SiblingInfo] = []
        for entity in entities:
            if entity.start_byte >= until:
                break
            if entity.parent is not parent or entity.type in NO_DEFINITIONS:
                continue
            if owner is not None and entity.scope_name != owner:
                continue
            signature = entity.signature if self._has_signatures else None
            found.append(new_sibling(entity.name, entity.type, position, len(found) + 1, signature))
            if len(found) == _SIBLINGS:
                break
        return found

    def _pass(self, entities: list[Entity], end: int) -> None:
        """Let the chunk's entities be what stands before the next chunk."""
        for entity in entities:
            if entity.type in NO_DEFINITIONS:
                continue
            parent = entity.parent
            if parent is not None:
                parent.passed = parent.passed or []
                parent.passed.append(entity)
            else:
                self._passed.append(entity)
                if not entity.scope_name:
                    _remember(self._owners, entity.name, entity)
                    if entity.type in _TYPES and entity.docstring:
                        _remember(self._docs, entity.name, entity.docstring)
            if entity.end_byte > end:
                self._enclosing.append(entity)


def _remember(table: dict[str, _T], name: str, value: _T) -> None:
    """Keep a value; the one that was kept first is forgotten when there are too many."""
    table[name] = value
    if len(table) > _REMEMBERED:
        del table[next(iter(table))]


class _Imports:
    """The imports of a file so far, and which of them a chunk uses."""

    def __init__(self) -> None:
        self.known: tuple[ImportInfo, ...] = ()
        self._count = 0
        self._words: dict[str, list[int]] = {}
        """The bound names that are one word, and which of the file's imports bind them."""
        self._paths: dict[str, list[int]] = {}
        """The same of names that are more than one word: ``os.path``."""
        self._ranges: list[tuple[int, int]] = []
        """Where the statements stand that may reach into the next chunk."""

    def add(self, entities: Iterable[Entity]) -> None:
        """Learn of the imports among a chunk's entities; what is too long ago is forgotten."""
        imports = [entity for entity in entities if entity.type == "import"]
        if not imports:
            return
        infos = [new_import(e.name, e.source or "", e.is_default, e.is_namespace) for e in imports]
        known = (*self.known, *infos)
        for info in known[:-_IMPORTS]:
            table = self._table(info.name)
            if info.name in table:
                del table[info.name][0]
                if not table[info.name]:
                    del table[info.name]
        for number, info in enumerate(infos[-_IMPORTS:], self._count + len(infos[:-_IMPORTS])):
            table = self._table(info.name)
            if table is self._words or _PATH.fullmatch(info.name):
                table.setdefault(info.name, []).append(number)
        self._count += len(infos)
        self.known = known[-_IMPORTS:]
        self._ranges += dict.fromkeys([(entity.start_byte, entity.end_byte) for entity in imports])

    def _table(self, name: str) -> dict[str, list[int]]:
        return self._words if name != "_" and _WORD.fullmatch(name) else self._paths

    def used(self, start: int, raw: bytes, text: str) -> tuple[str, ...]:
        """Give the names that occur in a chunk outside of import statements, in the imports' order."""
        if self._ranges:
            text = self._without_statements(start, raw)
        if len(self._words) > _FEW:
            names = list(self._words.keys() & _words(text))
        else:
            names = [name for name in self._words if name in text and _occurs(name, text)]
        found = [(self._words[name][0], name) for name in names]
        if self._paths:
            found += [(self._paths[name][0], name) for name in self._paths if _occurs(name, text)]
        found.sort()
        return tuple([name for _, name in found])

    def _without_statements(self, start: int, raw: bytes) -> str:
        parts = []
        position = start
        for first, behind in self._ranges:
            if behind > position:
                parts.append(raw[position - start : max(first, position) - start])
                position = behind
        parts.append(raw[position - start :])
        self._ranges = [span for span in self._ranges if span[1] > start + len(raw)]
        return b" ".join(parts).decode("utf-8", "surrogatepass")


def _words(text: str) -> list[str]:
    if text.isascii():  # which is five times as fast
        return text.encode().translate(_BLANK_BETWEEN_WORDS).decode().split()
    return _WORD.findall(text)


def _occurs(name: str, text: str) -> bool:
    """Whether a name occurs as a whole word."""
    position = text.find(name)
    while position >= 0:
        behind = position + len(name)
        if not _WORD.match(text[position - 1 : position]) and not _WORD.match(text, behind, behind + 1):
            return True
        position = text.find(name, behind)
    return False


def _chunk_entities(entities: list[Entity], end: int) -> tuple[ChunkEntityInfo, ...]:
    return tuple(
        [
            new_chunk_entity(
                entity.name,
                entity.type,
                entity.signature,
                entity.docstring,
                new_line_range(entity.start_row, entity.end_row),
                entity.end_byte > end,
                entity.scope_name or (entity.parent.name if entity.parent else None),
                entity.source,
            )
            for entity in entities
        ]
    )


def _common_owner(entities: list[Entity], scope: Entity | None) -> str | None:
    """The one name that all definitions of a chunk give as their owner, if they do."""
    owner = None
    for entity in entities:
        if entity.type in NO_DEFINITIONS or (entity.parent is not None and entity.parent is not scope):
            continue
        if entity.scope_name is None or owner not in (None, entity.scope_name):
            return None
        owner = entity.scope_name
    return owner
