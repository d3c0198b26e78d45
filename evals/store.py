"""Files in the cache: JSON, written whole or not at all."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def digest(value: Any) -> str:
    """Return a short digest of JSON data."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_json(path: Path, missing: Any = None) -> Any:
    """Return what a file holds; ``missing`` when there is none. A name with .gz is compressed."""
    if not path.exists():
        return missing
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def write_json(path: Path, value: Any) -> None:
    """Write a file; a run that is stopped leaves no half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(value, ensure_ascii=True).encode()
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_bytes(gzip.compress(data, 4, mtime=0) if path.suffix == ".gz" else data)
    partial.replace(path)
