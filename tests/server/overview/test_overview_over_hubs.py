"""The experimenter's page over several hubs: it shows the sessions of all, whichever hub it is open at."""

import asyncio
import datetime
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from server.overview.overview_page import Overview
from session import events as e
from session.commands import EndSession, Report
from session.store import database
from session.store.database import hubs as hub_rows
from session.store.leases import SILENT_MS, Leases
from session.store.shared_board import SharedBoard
from tests.server.lobby_world import World, alive, hub_of, world_of
from tests.server.overview_pages import PLACE, TOKEN, Looked
from tests.together.pipe import SESSION, PipedDesk, at, opened

OTHER = "bbn-20261121-2"


class ShownHub:
    """A hub of a study with its part of the experimenter's page."""

    def __init__(self, world: World, name: str) -> None:
        self.bench, store = world.bench, world.bench.store
        store.holder = name
        self.overview = Overview(
            world.study, world.bench.hub, store, PLACE, TOKEN, world.bench.clock, SharedBoard(store)
        )
        self._running = asyncio.ensure_future(self.overview.run())

    async def pass_by(self, seconds: float = 1) -> None:
        self.bench.clock.advance(seconds)
        await self.bench.settle()

    async def close(self) -> None:
        self._running.cancel()
        with suppress(asyncio.CancelledError):
            await self._running
        await self.bench.close()


@pytest.fixture
async def hubs(tmp_path: Path) -> AsyncIterator[tuple[World, ShownHub, ShownHub]]:
    one = world_of(tmp_path)
    two = hub_of(one.study, "other")
    alive(one, "hub", "other")
    shown = ShownHub(one, "hub"), ShownHub(two, "other")
    yield one, *shown
    for hub in shown:
        await hub.close()


async def test_the_page_at_one_hub_has_the_sessions_of_all_and_answers_their_calls(
    hubs: tuple[World, ShownHub, ShownHub],
) -> None:
    _, one, two = hubs
    await one.bench.hub.open(OTHER, opened())
    await two.bench.hub.open(SESSION, opened())
    subject = await PipedDesk(two.bench, "t-subject", "sub").connect()
    looked = Looked(one.overview)
    await looked.say(m="hello", token=TOKEN)
    await pass_by(one, two)
    rows = {row["session"]: row for row in looked.last("sessions")["rows"]}
    assert {name: row["link"] for name, row in rows.items()} == {OTHER: "not connected", SESSION: "connected"}
    assert rows[SESSION]["speaker"] == "b01"

    await subject.give(Report(id="c", event=e.ExperimenterCalled(at=at(1))))
    await pass_by(one, two)
    first = looked.last("sessions")["rows"][0]
    assert (first["session"], first["called"], first["waits"]) == (SESSION, True, "the subject called")
    await looked.say(m="answer", session=SESSION)
    await pass_by(one, two)
    assert not two.bench.hub.sessions[SESSION].state.called
    assert not any(row["called"] for row in looked.last("sessions")["rows"])
    await looked.connection.closed("gone")


async def test_an_answer_that_the_hub_of_the_session_refuses_is_told_where_it_was_given_and_once(
    hubs: tuple[World, ShownHub, ShownHub],
) -> None:
    _, one, two = hubs
    await two.bench.hub.open(SESSION, opened())
    subject = await PipedDesk(two.bench, "t-subject", "sub").connect()
    answering, looking, faster = Looked(one.overview), Looked(one.overview), Looked(two.overview)
    for page in (answering, looking, faster):
        await page.say(m="hello", token=TOKEN)
    await subject.give(Report(id="c", event=e.ExperimenterCalled(at=at(1))))
    await pass_by(one, two)
    await answering.say(m="answer", session=SESSION)
    await faster.say(m="answer", session=SESSION)  # before the other hub has looked for calls
    await pass_by(one, two)
    await pass_by(one, two)
    told = [message["reason"] for message in answering.told if message["m"] == "refused"]
    assert len(told) == 1
    assert told[0].startswith(f"{SESSION}: ")
    assert "refused" not in {message["m"] for message in (*looking.told, *faster.told)}
    for page in (answering, looking, faster):
        await page.connection.closed("gone")


async def test_a_hub_that_is_dead_shows_nothing_and_nobody_writes_for_nobody(
    hubs: tuple[World, ShownHub, ShownHub],
) -> None:
    world, one, two = hubs
    await two.bench.hub.open(SESSION, opened())
    await pass_by(one, two)
    assert written(world) == []  # nobody looks
    looked = Looked(one.overview)
    await looked.say(m="hello", token=TOKEN)
    await pass_by(one, two)
    assert [row["session"] for row in looked.last("sessions")["rows"]] == [SESSION]
    alive(world, "hub")
    await pass_by(one, two)
    assert looked.last("sessions")["rows"] == []
    await looked.connection.closed("gone")


async def test_a_session_whose_hub_died_stands_there_without_one_until_a_desk_brings_it_to_another(
    hubs: tuple[World, ShownHub, ShownHub],
) -> None:
    world, one, two = hubs
    await two.bench.hub.open(SESSION, opened())
    await one.bench.hub.open(OTHER, opened())
    looked = Looked(one.overview)
    await looked.say(m="hello", token=TOKEN)
    now, died = world.bench.store.rows(sa.select(database.now_ms("sqlite")))[0][0], 25 * 3600 * 1000
    with world.bench.store.writing("nothing") as connection:
        connection.execute(hub_rows.update().where(hub_rows.c.name == "other").values(until=now - 60_000))
    await pass_by(one)
    lines = {row["session"]: row for row in looked.last("sessions")["rows"]}
    since = datetime.datetime.fromtimestamp((now - 60_000 - SILENT_MS) / 1000).astimezone()
    assert lines[SESSION]["stage"].startswith(f"no hub since {since:%H:%M:%S};")
    assert (lines[SESSION]["speaker"], lines[SESSION]["link"]) == ("b01", "not connected")
    assert lines[OTHER]["stage"] == "between tasks"

    with world.bench.store.writing("nothing") as connection:
        connection.execute(hub_rows.update().where(hub_rows.c.name == "other").values(until=now - died))
    await pass_by(one)
    assert [row["session"] for row in looked.last("sessions")["rows"]] == [OTHER]
    with world.bench.store.writing("nothing") as connection:
        connection.execute(hub_rows.update().where(hub_rows.c.name == "other").values(until=now - 60_000))
        connection.exec_driver_sql("UPDATE leases SET hub = 'hub'")  # a desk has come to this one
    await one.bench.hub.resume(SESSION)
    await pass_by(one)
    lines = {row["session"]: row for row in looked.last("sessions")["rows"]}
    assert lines[SESSION]["stage"] == "between tasks"
    await looked.connection.closed("gone")


async def test_a_session_whose_hub_ended_in_order_stands_there_too_and_is_anybodys_at_once(
    hubs: tuple[World, ShownHub, ShownHub],
) -> None:
    _, one, two = hubs
    for name in (OTHER, SESSION):
        await two.bench.hub.open(name, opened())
    wizard = await PipedDesk(two.bench, "t-wizard", "wiz").connect()
    await wizard.give(EndSession(id="e", reason="done"))
    Leases(two.bench.store, "other").end()
    looked = Looked(one.overview)
    await looked.say(m="hello", token=TOKEN)
    await pass_by(one)
    assert [(row["session"], row["stage"][:12]) for row in looked.last("sessions")["rows"]] == [(OTHER, "no hub since")]
    assert Leases(one.bench.store, "hub").take(OTHER)
    await one.bench.hub.resume(OTHER)
    await pass_by(one)
    assert [(row["session"], row["stage"]) for row in looked.last("sessions")["rows"]] == [(OTHER, "between tasks")]
    await looked.connection.closed("gone")


async def test_a_session_that_two_hubs_show_while_it_moves_stands_there_once(
    hubs: tuple[World, ShownHub, ShownHub],
) -> None:
    world, one, two = hubs
    await two.bench.hub.open(SESSION, opened())
    looked = Looked(one.overview)
    await looked.say(m="hello", token=TOKEN)
    await pass_by(one, two)
    with world.bench.store.writing("nothing") as connection:
        connection.exec_driver_sql("UPDATE leases SET hub = 'hub'")  # the other has not noticed yet
    await one.bench.hub.resume(SESSION)
    await PipedDesk(one.bench, "t-subject", "sub").connect()
    await pass_by(one, two)
    assert [row["link"] for row in looked.last("sessions")["rows"]] == ["connected"]
    await looked.connection.closed("gone")


async def pass_by(*hubs: ShownHub) -> None:
    """Let three seconds pass at all hubs."""
    for _ in range(3):
        for hub in hubs:
            await hub.pass_by()


def written(world: World) -> list[str]:
    with world.bench.store.writing("nothing") as connection:
        return [row[0] for row in connection.exec_driver_sql("SELECT hub FROM boards")]
