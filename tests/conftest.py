"""What holds for all tests: the same cases on every machine, and no verdict by the clock."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import settings

from tests import THOROUGH
from tests.fake_server import fake_server
from tests.virtual_time import VirtualTimeLoop, lend_textual_the_time_of_the_loop

__all__ = ["fake_server"]

settings.register_profile(
    "curtain", deadline=None, derandomize=True, database=None, max_examples=100 if THOROUGH else 30
)
settings.load_profile("curtain")
lend_textual_the_time_of_the_loop()


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """In a module that runs an app, time is virtual: none of its timers fires early or late by a machine's load."""
    return {"loop": VirtualTimeLoop if runs_an_app(item.path) else asyncio.new_event_loop}


@cache
def runs_an_app(path: Path) -> bool:
    return ".run_test(" in path.read_text(encoding="utf-8")


@pytest.fixture
def connected() -> Iterator[list[object]]:
    """The connections to databases that were opened since and are not closed."""
    open_ones: list[object] = []

    def opened(connection: object, _: object) -> None:
        open_ones.append(connection)

    def closed(connection: object, _: object) -> None:
        open_ones[:] = [open_one for open_one in open_ones if open_one is not connection]

    sa.event.listen(sa.pool.Pool, "connect", opened)
    sa.event.listen(sa.pool.Pool, "close", closed)
    yield open_ones
    sa.event.remove(sa.pool.Pool, "connect", opened)
    sa.event.remove(sa.pool.Pool, "close", closed)
