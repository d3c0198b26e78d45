"""What is supported, and what is installed."""

from __future__ import annotations

import json
import sys
from typing import Any

from code_chunk import LANGUAGE_EXTENSIONS, CodeChunkError, chunk, supported_languages


def tell_languages(*, as_json: bool) -> None:
    """Print the languages: a table on a terminal, else a line for each."""
    languages = [_language(name) for name in supported_languages()]
    if as_json:
        print(json.dumps(languages, indent=2))
    elif sys.stdout.isatty():
        _print_table(languages)
    else:
        for language in languages:
            print(language["name"], " ".join(language["extensions"]), _state(language), sep="\t")


def _language(name: str) -> dict[str, Any]:
    try:
        chunk("-", "x", language=name)  # loads the grammar
    except CodeChunkError as error:
        problem: str | None = str(error)
    else:
        problem = None
    extensions = [extension for extension, other in LANGUAGE_EXTENSIONS.items() if other == name]
    return {"name": name, "extensions": extensions, "installed": problem is None, "error": problem}


def _state(language: dict[str, Any]) -> str:
    return language["error"] or "installed"


def _print_table(languages: list[dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("language", "extensions", "grammar")
    for language in languages:
        table.add_row(language["name"], " ".join(language["extensions"]), _state(language))
    Console().print(table)
