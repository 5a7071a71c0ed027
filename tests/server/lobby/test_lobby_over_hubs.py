"""One lobby over several hubs: one queue wherever somebody waits and a session is free, and a hub that dies costs no place."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from session import commands as c
from session.hub.session_actor import LINGER_S
from session.protocol.messages import Rejected
from session.study.settings import Operators
from session.values.vocabulary import Operator
from tests.server.lobby_world import World, alive, hub_of, world_of
from tests.together.pipe import SESSION, PipedDesk, opened


@pytest.fixture
async def worlds(tmp_path: Path) -> AsyncIterator[tuple[World, World]]:
    one = world_of(tmp_path, minutes=20)
    two = hub_of(one.study, "other")
    alive(one, "hub", "other")
    yield one, two
    await one.bench.close()
    await two.bench.close()


async def led(world: World) -> PipedDesk:
    """A session with its wizard, free at this hub."""
    await world.bench.hub.open(SESSION, opened())
    return await PipedDesk(world.bench, "t-wizard", "wiz").connect()


async def test_who_came_first_goes_first_wherever_she_waits_and_the_session_is(worlds: tuple[World, World]) -> None:
    one, two = worlds
    first, second = one.invite(count=2)
    before = await one.come(first)
    behind = await two.come(second, "two")
    assert behind.told[-1]["place"] == "1 ahead of you. About 20 minutes to go."
    await led(two)
    await two.lobby.advance()
    assert behind.told[-1]["m"] == "wait"  # the session is free where she waits, but another was first
    await one.lobby.advance()
    assert before.told[-1]["address"].startswith(f"/visit/{SESSION}#")
    await two.lobby.advance()
    assert behind.told[-1]["place"] == "You are next."
    again = await two.come(first)
    assert again.told[-1] == before.told[-1]  # whichever hub her browser comes back to
    assert SESSION in two.bench.hub.sessions, "the session stays where it is"
    assert SESSION not in one.bench.hub.sessions
    with pytest.raises(Rejected, match="used already"):
        await two.come(first, "a stranger's")


async def test_a_hub_that_dies_costs_nobody_her_place_and_a_promise_is_kept(worlds: tuple[World, World]) -> None:
    one, two = worlds
    first, second = one.invite(count=2)
    await one.come(first)
    behind = await two.come(second, "two")
    alive(two, "other")
    await two.lobby.advance()
    assert behind.told[-1]["place"] == "You are next."
    before = await two.come(first)
    await two.lobby.advance()
    assert before.told[-1]["place"] == "You are next."
    assert behind.told[-1]["place"].startswith("1 ahead")
    await led(two)
    with two.bench.store.writing("nothing") as connection:  # the hub died between the promise and her going on
        connection.exec_driver_sql(
            f"UPDATE lobby SET hub = 'dead', until = {2**52}, session = '{SESSION}' WHERE place = 1"
        )
    await two.lobby.advance()
    assert behind.told[-1]["m"] == "wait"  # the session is promised
    back = await two.come(first)
    assert back.told[-1]["address"].startswith(f"/visit/{SESSION}#")


async def test_a_page_opened_at_another_hub_takes_the_place_and_the_first_is_told(worlds: tuple[World, World]) -> None:
    one, two = worlds
    (address,) = one.invite()
    first = await one.come(address)
    with pytest.raises(Rejected, match="used already"):
        await two.come(address, "a stranger's")
    await two.come(address)
    await one.lobby.advance()
    assert "open" in first.left
    await first.connection.closed("")
    await two.lobby.advance()
    assert two.lobby.waiting == 1
    assert one.lobby.waiting == 0


async def test_the_length_of_the_wait_counts_the_wizards_of_all_hubs(worlds: tuple[World, World]) -> None:
    one, two = worlds
    addresses = one.invite(count=4)
    waiting = [await one.come(address, f"t{number}") for number, address in enumerate(addresses)]
    assert waiting[2].told[-1]["place"] == "2 ahead of you. About 40 minutes to go."
    wizard = await led(two)
    subject = await PipedDesk(two.bench, "t-subject", "sub").connect()
    await two.lobby.advance()
    await two.bench.hub.open("bbn-20261121-2", opened(operators=Operators(response=Operator.MACHINE)))
    await two.lobby.advance()
    await one.lobby.advance()
    assert waiting[0].told[-1]["m"] == "go"
    assert waiting[3].told[-1]["place"] == "2 ahead of you. About 20 minutes to go."
    await wizard.cut()
    await subject.cut()


async def test_a_person_who_was_invited_gets_one_session_however_many_hubs_she_comes_to(
    worlds: tuple[World, World],
) -> None:
    one, two = worlds
    (address,) = one.invite(person="007")
    await one.come(address)
    alive(two, "other")
    await two.come(address)
    await two.lobby.advance()
    assert (one.opened, two.opened) == (["007"], [])


async def test_a_visit_that_has_ended_at_another_hub_is_over(worlds: tuple[World, World]) -> None:
    one, two = worlds
    (address,) = one.invite()
    wizard = await led(two)
    waiting = await two.come(address)
    assert waiting.told[-1]["m"] == "go"
    await wizard.give(c.EndSession(id="e", reason="done"))
    for number in range(9):
        await wizard.give(c.EndSession(id=f"e{number}", reason="done"))
    assert two.bench.hub.sessions[SESSION].state.ended
    again = await one.come(address)
    assert again.told[-1] == waiting.told[-1]  # the visit's page says good-bye for a while
    for world in worlds:
        world.bench.clock.advance(LINGER_S)
    with pytest.raises(Rejected, match="over"):
        await one.come(address)
