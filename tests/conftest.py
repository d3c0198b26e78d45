"""Options of the test run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

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
