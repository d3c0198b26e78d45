"""Options of the test run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from code_chunk import languages

if TYPE_CHECKING:
    from collections.abc import Iterator

for _profile, _examples in (("normal", 300), ("thorough", 5000), ("quick", 30)):
    settings.register_profile(
        _profile,
        max_examples=_examples,
        deadline=None,  # a shared machine is slow at times
        derandomize="CI" in os.environ,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("normal")  # another one: pytest --hypothesis-profile=thorough


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-corpus", action="store_true", help="rewrite the expected outlines in tests/corpus"
    )
    parser.addoption(
        "--update-snapshots", action="store_true", help="rewrite the expected chunks in tests/snapshots"
    )


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """Forget what a test registered."""
    tables = [value for name, value in vars(languages).items() if isinstance(value, dict) and name[0] == "_"]
    tables = [table for table in tables if table is not vars(languages)["__builtins__"]]
    before = [dict(table) for table in tables]
    yield
    for table, content in zip(tables, before, strict=True):
        table.clear()
        table.update(content)
