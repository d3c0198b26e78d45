"""The values that users give and get: frozen, slotted, and picklable."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Self, TypedDict, TypeVar, get_args, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

EntityType = Literal[
    "function", "method", "class", "interface", "type", "enum", "constant", "module", "import", "export"
]
ENTITY_TYPES: tuple[str, ...] = get_args(EntityType)
Packing = Literal["greedy", "definitions"]
ContextMode = Literal["none", "minimal", "full"]
SiblingDetail = Literal["none", "names", "signatures"]
ContextFormat = Literal["labels", "ancestry"]

DEFAULT_OVERLAP_LINES = 10
_P = ParamSpec("_P")
_T = TypeVar("_T")


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.title() for part in tail)


def _dumped(value: Any) -> Any:
    if isinstance(value, _Value):
        return value.to_dict()
    return [_dumped(item) for item in value] if isinstance(value, tuple) else value


def _loaded(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    arguments = get_args(hint)
    if isinstance(value, list):
        return tuple(_loaded(arguments[0], item) for item in value)
    candidates = [kind for kind in (hint, *arguments) if isinstance(kind, type) and issubclass(kind, _Value)]
    return candidates[0].from_dict(value) if candidates else value


@cache
def _json_fields(kind: type[Any]) -> tuple[tuple[str, str, Any], ...]:
    """(field, JSON name, type) of each field of a value class."""
    hints = get_type_hints(kind)
    return tuple((field.name, _camel(field.name), hints[field.name]) for field in dataclasses.fields(kind))


@cache
def _field_getter(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in dataclasses.fields(kind)))


class _Value:
    """Conversion to and from the JSON form of the original library."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data with the original library's names (``byteRange``, ``isPartial``, ...)."""
        kind: Any = type(self)
        return {name: _dumped(getattr(self, field)) for field, name, _ in _json_fields(kind)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make the value from what `to_dict` returned; unknown keys are ignored."""
        kind: Any = cls
        fields = _json_fields(kind)
        values = {field: _loaded(hint, data[name]) for field, name, hint in fields if name in data}
        return cls(**values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a call, at a third of the cost of a dataclass's own way."""
        kind: Any = type(self)
        return kind, _field_getter(kind)(self)


@dataclass(frozen=True, slots=True)
class ByteRange(_Value):
    """A half-open range of UTF-8 bytes."""

    start: int
    """First byte."""
    end: int
    """The byte after the last."""


@dataclass(frozen=True, slots=True)
class CharRange(_Value):
    """A half-open range of code points, for slicing a ``str``."""

    start: int
    """First code point."""
    end: int
    """The code point after the last."""


@dataclass(frozen=True, slots=True)
class LineRange(_Value):
    """An inclusive range of lines, counted from 0."""

    start: int
    """First line."""
    end: int
    """Last line."""


@dataclass(frozen=True, slots=True)
class EntityInfo(_Value):
    """A definition that encloses a chunk."""

    name: str
    """Its name as written; never empty."""
    type: EntityType
    """Its category."""
    signature: str = ""
    """Its header up to the body, folded to one line."""


@dataclass(frozen=True, slots=True)
class ChunkEntityInfo(_Value):
    """A definition, an import or an export that begins in a chunk."""

    name: str
    """Its name as written; the bound name of an import, ``*`` for a wildcard."""
    type: EntityType
    """Its category."""
    signature: str = ""
    """Its header up to the body, folded to one line; the statement of an import or export."""
    docstring: str | None = None
    """Its documentation without markers and margins."""
    line_range: LineRange | None = None
    """All its lines, those in later chunks included."""
    is_partial: bool = False
    """True when it ends in a later chunk."""
    parent: str | None = None
    """The name of the entity around it."""
    source: str | None = None
    """Where an import or a re-export comes from."""


@dataclass(frozen=True, slots=True)
class SiblingInfo(_Value):
    """A neighbour of a chunk: another definition in the same scope."""

    name: str
    """Its name."""
    type: EntityType
    """Its category."""
    position: Literal["before", "after"]
    """On which side of the chunk it begins."""
    distance: int
    """1 for the nearest on its side."""
    signature: str | None = None
    """Its header, with ``sibling_detail="signatures"``."""


@dataclass(frozen=True, slots=True)
class ImportInfo(_Value):
    """One name that an import binds."""

    name: str
    """The bound name, ``*`` for a wildcard."""
    source: str
    """The module that it comes from, as written."""
    is_default: bool = False
    """True for the default export of a module."""
    is_namespace: bool = False
    """True when the name stands for the whole module."""


@dataclass(frozen=True, slots=True)
class ParseError(_Value):
    """Syntax errors that begin in a chunk."""

    message: str
    """What was found where, 1-based, the first three errors."""
    recoverable: bool
    """True when the parser found its way back to the language's structure around the errors."""


@dataclass(frozen=True, slots=True)
class ChunkContext(_Value):
    """Where a chunk stands in its file."""

    filepath: str
    """The path as given."""
    language: str
    """The language's name."""
    scope: tuple[EntityInfo, ...] = ()
    """The definitions around the chunk, innermost first."""
    entities: tuple[ChunkEntityInfo, ...] = ()
    """What begins in the chunk, in source order."""
    siblings: tuple[SiblingInfo, ...] = ()
    """The nearest neighbours in the chunk's scope, at most three on each side."""
    imports: tuple[ImportInfo, ...] = ()
    """The imports at or before the chunk, or those it uses with ``filter_imports=True``."""
    uses: tuple[str, ...] = ()
    """The imported names that the chunk uses."""
    parse_error: ParseError | None = None
    """The syntax errors that begin in the chunk."""


@dataclass(frozen=True, slots=True)
class Chunk(_Value):
    """A contiguous slice of a file, and where it stands."""

    text: str
    """The slice itself, unchanged."""
    contextualized_text: str
    """The text with its context in front: what to embed."""
    byte_range: ByteRange
    """Where the text stands in the file's UTF-8 bytes."""
    char_range: CharRange
    """Where the text stands in the decoded file."""
    line_range: LineRange
    """The first and the last line that have text."""
    context: ChunkContext
    """Scope, entities, siblings, imports."""
    index: int
    """Position among the file's chunks, from 0."""
    total_chunks: int
    """Number of the file's chunks; -1 from a stream."""
    size: int
    """Size of the text in non-whitespace characters."""
    id: str
    """The same for the same path, scope and text on every machine; unique in a file."""


def _maker(kind: Callable[_P, _T]) -> Callable[_P, _T]:
    """A faster way to make values of a frozen class, which sets each field by a call.

    It makes them of a class with the same fields that is not frozen, and then changes their class.
    """
    value: Any = kind

    def become(made: Any) -> None:
        made.__class__ = kind

    return dataclasses.make_dataclass(
        value.__name__,
        [(field.name, Any, dataclasses.field(default=field.default)) for field in dataclasses.fields(value)],
        bases=value.__bases__,
        namespace={"__doc__": value.__doc__, "__module__": __name__, "__post_init__": become},
        slots=True,
        eq=False,
        repr=False,
    )


new_byte_range = _maker(ByteRange)
new_char_range = _maker(CharRange)
new_line_range = _maker(LineRange)
new_chunk_entity = _maker(ChunkEntityInfo)
new_sibling = _maker(SiblingInfo)
new_import = _maker(ImportInfo)
new_context = _maker(ChunkContext)
new_chunk = _maker(Chunk)


@dataclass(frozen=True, slots=True)
class ChunkOptions:
    """How to chunk. Immutable; wrong values raise ``TypeError`` or ``ValueError`` at once.

    Example:
        >>> ChunkOptions(max_chunk_size=500).max_chunk_size
        500
    """

    max_chunk_size: int = 1500
    """Hard limit of a chunk's text in non-whitespace characters, at least 1."""
    packing: Packing = "greedy"
    """``greedy``: as many whole tiles as fit; ``definitions``: a chunk for each definition of some size."""
    context_mode: ContextMode = "full"
    """``full``: all that can be said; ``minimal``: what helps a search; ``none``: the text alone."""
    sibling_detail: SiblingDetail = "signatures"
    """What ``context.siblings`` holds: nothing, names, or names and signatures."""
    filter_imports: bool = False
    """Keep in ``context.imports`` only what the chunk uses."""
    language: str | None = None
    """A language's name or alias, instead of detection."""
    overlap_lines: int | None = None
    """Last lines of the previous chunk in ``contextualized_text``; None: 10 in full mode, else 0."""
    overlap_nodes: int = 0
    """Tiles of the previous and the next chunk in ``contextualized_text``, instead of lines."""
    context_format: ContextFormat = "labels"
    """``labels``: a header of labelled lines; ``ancestry``: the path and the enclosing signatures."""

    def __post_init__(self) -> None:
        _check_int("max_chunk_size", self.max_chunk_size, 1)
        _check_choice("packing", self.packing, Packing)
        _check_choice("context_mode", self.context_mode, ContextMode)
        _check_choice("sibling_detail", self.sibling_detail, SiblingDetail)
        _check_choice("context_format", self.context_format, ContextFormat)
        if not isinstance(self.filter_imports, bool):
            raise TypeError(f"filter_imports must be True or False, not {self.filter_imports!r}")
        if self.language is not None and not isinstance(self.language, str):
            raise TypeError(f"language must be a str or None, not {type(self.language).__name__}")
        if self.overlap_lines is not None:
            _check_int("overlap_lines", self.overlap_lines, 0)
        _check_int("overlap_nodes", self.overlap_nodes, 0)
        if self.overlap_lines and self.overlap_nodes:
            raise ValueError("overlap_lines and overlap_nodes exclude each other: leave one of them at 0")

    @property
    def effective_overlap_lines(self) -> int:
        """The number of lines that ``overlap_lines`` stands for in this mode."""
        if self.overlap_lines is not None:
            return self.overlap_lines
        return DEFAULT_OVERLAP_LINES if self.context_mode == "full" and not self.overlap_nodes else 0


class OptionOverrides(TypedDict, total=False):
    """The options as keywords; see `ChunkOptions`."""

    max_chunk_size: int
    packing: Packing
    context_mode: ContextMode
    sibling_detail: SiblingDetail
    filter_imports: bool
    language: str | None
    overlap_lines: int | None
    overlap_nodes: int
    context_format: ContextFormat


def _check_int(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")


def _check_choice(name: str, value: object, choices: Any) -> None:
    allowed = get_args(choices)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r}")


_DEFAULTS = ChunkOptions()


def make_options(options: ChunkOptions | None, overrides: Mapping[str, Any]) -> ChunkOptions:
    """Lay keyword overrides over options; refuse what is not an option."""
    if options is not None and not isinstance(options, ChunkOptions):
        raise TypeError(f"options must be a ChunkOptions or None, not {type(options).__name__}")
    options = options or _DEFAULTS
    if not overrides:
        return options
    names = [field.name for field in dataclasses.fields(ChunkOptions)]
    for name in overrides:
        if name not in names:
            raise TypeError(f"unknown option {name!r}; the options are {', '.join(names)}")
    return dataclasses.replace(options, **overrides)
