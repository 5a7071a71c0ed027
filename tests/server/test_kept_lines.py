"""The lines of `curtain sessions` that a hub keeps: whoever lists the sessions reads no fact of those that are over."""

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from corpus.commands import session_lines
from corpus.commands.session_lines import SessionLine
from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.export.source import Collected
from server.kept_lines import LOOK_EVERY_S, ONE_EVERY_S, LineKeeper, line_keeper, lines_lacking
from session import commands as c
from session.store.event_store import Store
from tests.server.lobby_world import World, agreed, hub_of, world_of
from tests.together.pipe import SESSION, PipedDesk


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    made = world_of(tmp_path)
    keeper = LineKeeper(made.bench.hub, line_keeper(made.study, made.bench.store), made.bench.clock)
    running = asyncio.ensure_future(keeper.run())
    yield made
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await made.bench.close()


async def looked(world: World) -> None:
    await world.bench.settle()
    world.bench.clock.advance(LOOK_EVERY_S)
    await world.bench.settle()


def listed(world: World) -> tuple[str, int]:
    """What `curtain sessions` prints of the session, and how many lines it made of facts for it."""
    made, line_of, out = list[str](), session_lines.line_of, io.StringIO()

    def noted(collected: Collected) -> SessionLine:
        made.append(collected.session)
        return line_of(collected)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session_lines, "line_of", noted)
        assert sessions_command(SessionsOptions(str(world.study.folder)), out, io.StringIO()) == 0
    return next(line for line in out.getvalue().splitlines() if line.startswith(SESSION)), len(made)


async def test_the_line_of_a_session_is_there_when_it_is_over_and_all_have_left(world: World) -> None:
    await agreed(world)
    wizard = await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    await wizard.give(c.EndSession(id="e", reason="done"))
    await looked(world)
    assert world.bench.store.kept(session_lines.KIND) == {}, (
        "a desk is still there, and its link goes on being recorded"
    )
    session = world.bench.hub.sessions[SESSION]
    for desk in session.desks:
        await session.detach(desk, "gone")
    await looked(world)
    line, made = listed(world)
    assert ("  ended" in line, made) == (True, 0)

    again = await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    await looked(world)
    await again.cut()
    await looked(world)
    assert listed(world) == (line, 0), "somebody came back and left"


async def test_no_line_is_kept_of_a_session_that_goes_on(world: World) -> None:
    await agreed(world)
    await looked(world)
    assert world.bench.store.kept(session_lines.KIND) == {}


async def test_what_a_hub_left_that_was_killed_the_next_one_makes_up_for(tmp_path: Path) -> None:
    killed = world_of(tmp_path)
    await agreed(killed)
    await killed.bench.close()
    world = hub_of(killed.study, "next")
    store, clock = world.bench.store, world.bench.clock
    keeper = LineKeeper(world.bench.hub, line_keeper(world.study, store), clock, lines_lacking(store))
    assert listed_lines(store) == []
    catching_up = asyncio.ensure_future(keeper.catch_up())
    await world.bench.settle()
    clock.advance(ONE_EVERY_S)
    await catching_up
    assert listed_lines(store) == [SESSION]
    assert lines_lacking(store)() == []
    assert listed(world)[1] == 0
    await world.bench.close()


def listed_lines(store: Store) -> list[str]:
    return [*store.kept(session_lines.KIND)]
