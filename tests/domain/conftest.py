"""The air-travel database, built once for all tests of the domain, and a sandbox over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import scenarios
from domain.database.build import BuiltDatabase, open_database
from domain.sandbox.sandbox import Limits, Sandbox

AIR_TRAVEL = Path(scenarios.__file__).parent / "air_travel"


@pytest.fixture(scope="session")
def air_travel(tmp_path_factory: pytest.TempPathFactory) -> BuiltDatabase:
    """The database as `curtain` would build it."""
    return open_database(AIR_TRAVEL, tmp_path_factory.mktemp("air_travel"))


@pytest.fixture(scope="session")
def sandbox(air_travel: BuiltDatabase) -> Iterator[Sandbox]:
    """A sandbox that gives every row, for tests that count."""
    opened = Sandbox(air_travel.url, Limits(rows=200_000, bytes=200_000_000, seconds=60))
    yield opened
    opened.close()
