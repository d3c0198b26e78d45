"""The values and errors: frozen, slotted, picklable, and with the JSON names of the original library."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from typing import Any

import pytest

import code_chunk
from code_chunk import (
    ByteRange,
    Chunk,
    ChunkContext,
    ChunkEntityInfo,
    ChunkingError,
    ChunkingTimeoutError,
    ChunkOptions,
    CodeChunkError,
    EntityInfo,
    GrammarNotInstalledError,
    ImportInfo,
    LanguageSpecError,
    LineRange,
    ParseError,
    SiblingInfo,
    UnsupportedLanguageError,
    chunk,
)

ENTITY = EntityInfo("big", "method", "def big(self)")
DEFINED = ChunkEntityInfo("A", "class", "class A", "Doc.", LineRange(0, 9), True, "Out", None)
IMPORTED = ChunkEntityInfo("os", "import", "import os", line_range=LineRange(0, 0), source="os")
SIBLING = SiblingInfo("f", "function", "before", 1, "def f()")
IMPORT = ImportInfo("n", "s", is_default=False, is_namespace=True)
ERROR = ParseError("ERROR at line 1, column 1", recoverable=True)
CONTEXT = ChunkContext(
    filepath="src/a.py",
    language="python",
    scope=(ENTITY,),
    entities=(DEFINED, IMPORTED),
    siblings=(SIBLING,),
    imports=(IMPORT,),
    uses=("n",),
    parse_error=ERROR,
)
[MADE] = chunk("src/a.py", "x = 'é🎉'\n")
CHUNK = dataclasses.replace(MADE, context=CONTEXT)
VALUES = [
    ByteRange(0, 5),
    MADE.char_range,
    LineRange(0, 1),
    ENTITY,
    DEFINED,
    IMPORTED,
    SIBLING,
    dataclasses.replace(SIBLING, signature=None, position="after"),
    IMPORT,
    ERROR,
    ChunkContext("a.py", "python"),
    CONTEXT,
    CHUNK,
    MADE,
]
EVERY_VALUE = pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)


def json_names(value: Any) -> list[str]:
    return list(value.to_dict())


# --- JSON ---


def test_names_of_a_chunk() -> None:
    """A chunk has the names that the original library gives it."""
    assert json_names(CHUNK) == [
        "text",
        "contextualizedText",
        "byteRange",
        "charRange",
        "lineRange",
        "context",
        "index",
        "totalChunks",
        "size",
        "id",
    ]


def test_names_of_a_context() -> None:
    """A context has the original's names."""
    assert json_names(CONTEXT) == [
        "filepath",
        "language",
        "scope",
        "entities",
        "siblings",
        "imports",
        "uses",
        "parseError",
    ]


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (ByteRange(0, 1), ["start", "end"]),
        (LineRange(0, 1), ["start", "end"]),
        (ENTITY, ["name", "type", "signature"]),
        (DEFINED, ["name", "type", "signature", "docstring", "lineRange", "isPartial", "parent", "source"]),
        (SIBLING, ["name", "type", "position", "distance", "signature"]),
        (IMPORT, ["name", "source", "isDefault", "isNamespace"]),
        (ERROR, ["message", "recoverable"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_names(value: Any, names: list[str]) -> None:
    """Each value has the original's names."""
    assert json_names(value) == names


def test_to_dict_is_plain_data() -> None:
    """Nested values become mappings, tuples become lists, and None stays."""
    assert CONTEXT.to_dict() == {
        "filepath": "src/a.py",
        "language": "python",
        "scope": [{"name": "big", "type": "method", "signature": "def big(self)"}],
        "entities": [
            {
                "name": "A",
                "type": "class",
                "signature": "class A",
                "docstring": "Doc.",
                "lineRange": {"start": 0, "end": 9},
                "isPartial": True,
                "parent": "Out",
                "source": None,
            },
            {
                "name": "os",
                "type": "import",
                "signature": "import os",
                "docstring": None,
                "lineRange": {"start": 0, "end": 0},
                "isPartial": False,
                "parent": None,
                "source": "os",
            },
        ],
        "siblings": [
            {"name": "f", "type": "function", "position": "before", "distance": 1, "signature": "def f()"}
        ],
        "imports": [{"name": "n", "source": "s", "isDefault": False, "isNamespace": True}],
        "uses": ["n"],
        "parseError": {"message": "ERROR at line 1, column 1", "recoverable": True},
    }


@EVERY_VALUE
def test_from_dict_of_to_dict(value: Any) -> None:
    """A value comes back from its JSON text as it was."""
    assert type(value).from_dict(json.loads(json.dumps(value.to_dict()))) == value


def test_from_dict_of_real_chunks() -> None:
    """Chunks of a real file come back as they were."""
    code = "import os\n\nclass A:\n    def f(self):\n        return os.sep\n\n    def g(self): return )\n"
    chunks = chunk("a.py", code, max_chunk_size=25)
    assert [Chunk.from_dict(c.to_dict()) for c in chunks] == chunks


def test_from_dict_ignores_unknown_keys() -> None:
    """Keys of a later version do no harm."""
    assert ByteRange.from_dict({"start": 0, "end": 1, "unit": "byte"}) == ByteRange(0, 1)


def test_from_dict_without_optional_keys() -> None:
    """What has a default need not be there."""
    assert ChunkContext.from_dict({"filepath": "a.py", "language": "python"}) == ChunkContext(
        "a.py", "python"
    )


def test_from_dict_without_a_required_key() -> None:
    """What has no default must be there."""
    with pytest.raises(TypeError, match="end"):
        ByteRange.from_dict({"start": 0})


def test_from_dict_leaves_its_argument_alone() -> None:
    """The mapping is read only."""
    data = CHUNK.to_dict()
    before = copy.deepcopy(data)
    Chunk.from_dict(data)
    assert data == before


# --- values ---


@EVERY_VALUE
def test_pickle(value: Any) -> None:
    """A value survives pickle."""
    assert pickle.loads(pickle.dumps(value)) == value


@EVERY_VALUE
def test_copy(value: Any) -> None:
    """A value survives a deep copy."""
    assert copy.deepcopy(value) == value


@EVERY_VALUE
def test_hash(value: Any) -> None:
    """Equal values have equal hashes."""
    assert hash(value) == hash(copy.deepcopy(value))


@EVERY_VALUE
def test_frozen(value: Any) -> None:
    """No field can be set."""
    for field in dataclasses.fields(value):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field.name, None)


@EVERY_VALUE
def test_slotted(value: Any) -> None:
    """A value has no place for other attributes."""
    assert not hasattr(value, "__dict__")


def test_options_are_slotted_and_picklable() -> None:
    """Options are a value like the others."""
    options = ChunkOptions(max_chunk_size=5, overlap_nodes=2)
    assert (pickle.loads(pickle.dumps(options)), hasattr(options, "__dict__")) == (options, False)


def test_chunks_hold_no_node() -> None:
    """All that a chunk holds is plain data."""
    kinds = {type(value) for value in _leaves(CHUNK)}
    assert kinds == {str, int, bool, type(None)}


def _leaves(value: Any) -> list[Any]:
    if dataclasses.is_dataclass(value):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    elif isinstance(value, tuple):
        parts = list(value)
    else:
        return [value]
    return [leaf for part in parts for leaf in _leaves(part)]


# --- errors ---

ERRORS = [
    CodeChunkError("message"),
    ChunkingError("message"),
    ChunkingTimeoutError("message"),
    UnsupportedLanguageError("message", "a.xyz"),
    GrammarNotInstalledError("message"),
    LanguageSpecError("message"),
]
EVERY_ERROR = pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)


@EVERY_ERROR
def test_error_pickle(error: CodeChunkError) -> None:
    """An error survives pickle with its class, message and attributes."""
    loaded = pickle.loads(pickle.dumps(error))
    assert (type(loaded), str(loaded), vars(loaded)) == (type(error), str(error), vars(error))


@EVERY_ERROR
def test_error_tag(error: CodeChunkError) -> None:
    """An error has its class name as tag, as the original's do."""
    assert error._tag == type(error).__name__


@pytest.mark.parametrize(
    ("error", "bases"),
    [
        (CodeChunkError, (Exception,)),
        (ChunkingError, (CodeChunkError,)),
        (ChunkingTimeoutError, (ChunkingError,)),
        (UnsupportedLanguageError, (CodeChunkError, ValueError)),
        (GrammarNotInstalledError, (CodeChunkError, ImportError)),
        (LanguageSpecError, (CodeChunkError,)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_error_bases(error: type[Exception], bases: tuple[type[Exception], ...]) -> None:
    """The errors form a tree below one base; two of them are errors of the standard library as well."""
    assert error.__bases__ == bases


def test_errors_are_all_below_one() -> None:
    """Every public error is a `CodeChunkError`."""
    errors = [
        value for name, value in vars(code_chunk).items() if name.endswith("Error") and name != "ParseError"
    ]
    assert [error.__name__ for error in errors if not issubclass(error, CodeChunkError)] == []


def test_raised_errors_survive_pickle() -> None:
    """An error that was raised for a path still names it after pickle."""
    with pytest.raises(UnsupportedLanguageError) as raised:
        chunk("dir/a.xyz", "?")
    loaded = pickle.loads(pickle.dumps(raised.value))
    assert (loaded.filepath, str(loaded)) == ("dir/a.xyz", "Unsupported file type: dir/a.xyz")


def test_cause_of_a_chunking_error() -> None:
    """The original cause is kept."""
    with pytest.raises(ChunkingError) as raised:
        chunk("a.py", b"\xff")
    assert isinstance(raised.value.__cause__, UnicodeDecodeError)
