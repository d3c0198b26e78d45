"""Options of the test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-corpus", action="store_true", help="rewrite the expected outlines in tests/corpus"
    )
