"""Chunks as a table in Apache Parquet, written a group of rows at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from code_chunk import Chunk

    from ._formats import View
    from ._output import Output

_GROUP_ROWS = 8_192
_GROUP_CHARACTERS = 16 * 1024 * 1024
"""A group of rows is written when it has as many rows, or as much text."""

_TEXTS = ("text", "contextualized_text")
_COLUMNS = {
    "id": "utf8",
    "filepath": "utf8",
    "language": "utf8",
    "index": "int32",
    "total_chunks": "int32",
    "text": "utf8",
    "contextualized_text": "utf8",
    "size": "int64",
    "start_byte": "int64",
    "end_byte": "int64",
    "start_char": "int64",
    "end_char": "int64",
    "start_line": "int64",
    "end_line": "int64",
    "scope": "strings",
    "entities": "strings",
    "entity_types": "strings",
    "signatures": "strings",
    "imports": "strings",
    "uses": "strings",
    "parse_error": "utf8",
}


class Parquet:
    """Collects rows, and writes them in groups."""

    def __init__(self, output: Output, view: View) -> None:
        pa = _pyarrow()
        import pyarrow.parquet

        kinds = {"utf8": pa.string(), "strings": pa.list_(pa.string())}
        kinds |= {"int32": pa.int32(), "int64": pa.int64()}
        names = [name for name in _COLUMNS if not (view.is_brief and name in _TEXTS)]
        self._schema = pa.schema([(name, kinds[_COLUMNS[name]]) for name in names])
        self._make_batch = pa.RecordBatch.from_pylist
        self._output = output
        self._writer = pyarrow.parquet.ParquetWriter(output, self._schema, compression="zstd")
        self._view = view
        self._rows: list[dict[str, Any]] = []
        self._characters = 0

    def write(self, chunks: Iterable[Chunk], path: str) -> None:  # noqa: ARG002, the same call as the others'
        """Add a row for each chunk."""
        for chunk in chunks:
            self._rows.append(_row(chunk, self._view))
            self._characters += len(chunk.text) + len(chunk.contextualized_text)
            if len(self._rows) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
                self._write_group()

    def finish(self) -> None:
        """Write the last rows and the file's index."""
        if self._rows:
            self._write_group()
        self._writer.close()

    def _write_group(self) -> None:
        self._writer.write_batch(self._make_batch(self._rows, schema=self._schema))
        self._rows, self._characters = [], 0


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        raise RefusedError("parquet needs an extra: pip install 'code-chunk[parquet]'") from error
    return pyarrow


def _row(chunk: Chunk, view: View) -> dict[str, Any]:
    context = chunk.context
    row: dict[str, Any] = {
        "id": chunk.id,
        "filepath": context.filepath,
        "language": context.language,
        "index": chunk.index,
        "total_chunks": chunk.total_chunks,
        "text": view.text_of(chunk),
        "contextualized_text": chunk.contextualized_text,
        "size": chunk.size,
        "start_byte": chunk.byte_range.start,
        "end_byte": chunk.byte_range.end,
        "start_char": chunk.char_range.start,
        "end_char": chunk.char_range.end,
        "start_line": chunk.line_range.start,
        "end_line": chunk.line_range.end,
        "scope": [entity.name for entity in context.scope],
        "entities": [entity.name for entity in context.entities],
        "entity_types": [entity.type for entity in context.entities],
        "signatures": [entity.signature for entity in context.entities],
        "imports": [item.name for item in context.imports],
        "uses": list(context.uses),
        "parse_error": context.parse_error.message if context.parse_error else None,
    }
    return {name: _storable(value) for name, value in row.items()}


def _storable(value: Any) -> Any:
    """Parquet's strings are UTF-8: surrogates are escaped."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return [_storable(item) for item in value] if isinstance(value, list) else value
