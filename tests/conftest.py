"""What holds for all tests: the same cases on every machine, and no verdict by the clock."""

import asyncio
import gc
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import settings

from domain.database import build
from session.gc_pauses import settle
from session.store import database
from tests import THOROUGH
from tests.built_databases import BuiltDatabases, shared_by_all_processes
from tests.fake_server import fake_server
from tests.headless import spare_the_terminal
from tests.unsynchronised import Careful, fsync, unsynchronised
from tests.virtual_time import VirtualTimeLoop, lend_textual_the_time_of_the_loop

__all__ = ["fake_server"]

settings.register_profile(
    "curtain", deadline=None, derandomize=True, database=None, max_examples=100 if THOROUGH else 20
)
settings.load_profile("curtain")
lend_textual_the_time_of_the_loop()
spare_the_terminal()


def pytest_configure(config: pytest.Config) -> None:
    """A run that is one of several leaves out, or writes for the others, what it has settled."""
    config.pluginmanager.import_plugin("tests.settled")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors: those that wait for other processes leave theirs idle."""
    return (os.cpu_count() or 1) + 1


YOUNG = 50_000
"""New objects after which garbage is looked for: a session of a desk's screen in a test makes as many."""


def pytest_collection_finish() -> None:
    """Look through what was imported and collected no more: a fifth of the tests' time went into looking for garbage."""
    settle()
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """In a module that runs an app, time is virtual: none of its timers fires early or late by a machine's load."""
    return {"loop": VirtualTimeLoop if runs_an_app(item.path) else asyncio.new_event_loop}


@cache
def runs_an_app(path: Path) -> bool:
    return ".run_test(" in path.read_text(encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def built_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The databases of shipped domains, each built once in a run: a study or a command that wants one gets its copy."""
    shared = BuiltDatabases(shared_by_all_processes(tmp_path_factory) / "databases", build._built)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_built", shared)
        yield


@pytest.fixture(scope="session", autouse=True)
def careful() -> Iterator[Careful]:
    """Nothing waits for a disk, but what a test itself puts in the place of `os.fsync`; this is what a store really asks."""
    really = database._careful
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(database, "_careful", unsynchronised(really))
        yield really


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
