"""Tables in Markdown, and the line that says what they were measured with and on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

from sources import GRAMMARS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PACKAGES = ("code-chunk", "tree-sitter", *sorted({grammar.package for grammar in GRAMMARS.values()}))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table that is also legible as it is; all columns but the first are numbers."""
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(3, *(len(line[place]) for line in lines)) for place in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    padded = [
        [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        for line in (lines[0], rule, *lines[1:])
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in padded)


def describe_machine() -> str:
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line
        ]
        processor = names[0] if names else processor
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def describe_versions() -> str:
    versions = []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} (not installed)")
    return ", ".join(versions)


def describe_run(**settings: object) -> str:
    """Return what the figures below it depend on."""
    told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in settings.items())
    return f"{describe_versions()}; {describe_machine()}; {told}.\n"
