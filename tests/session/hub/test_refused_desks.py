"""Desks that are not let in: kept as facts, told to the consoles and to nobody else, and no flood of them is."""

from session import commands as c
from session import events as e
from session.hub.history import links_stream
from session.protocol.messages import DeskTurnedAway
from session.values.vocabulary import DeskRefusal
from tests.together.pipe import SESSION, Bench, PipedDesk, both


def kept(bench: Bench) -> list[tuple[str, DeskRefusal]]:
    facts = (stored.event for stored in bench.store.read(links_stream(SESSION)))
    return [(fact.role, fact.reason) for fact in facts if isinstance(fact, e.DeskRefused)]


async def test_who_is_not_let_in_is_kept_and_told_to_the_consoles_alone() -> None:
    bench = Bench()
    subject, wizard = await both(bench)
    await PipedDesk(bench, "guessed", "stranger").connect()
    await PipedDesk(bench, "t-subject", "other").connect()
    await bench.settle()
    expected = [("", DeskRefusal.TOKEN), ("subject", DeskRefusal.TAKEN)]
    assert kept(bench) == expected
    told = [(happened.role, happened.reason) for happened in wizard.happened if isinstance(happened, DeskTurnedAway)]
    assert told == expected
    assert not any(isinstance(happened, DeskTurnedAway) for happened in subject.happened)
    await bench.close()


async def test_a_flood_of_wrong_addresses_is_kept_once_in_ten_seconds() -> None:
    bench = Bench()
    await both(bench)
    for number in range(20):
        await PipedDesk(bench, "guessed", f"stranger{number}").connect()
    bench.clock.advance(10)
    await PipedDesk(bench, "guessed", "later").connect()
    await bench.settle()
    assert kept(bench) == [("", DeskRefusal.TOKEN)] * 2
    await bench.close()


async def test_a_session_that_nobody_has_open_keeps_nothing() -> None:
    bench = Bench()
    stranger = await PipedDesk(bench, "guessed").connect()
    assert "token" in stranger.closed
    assert bench.store.streams() == []
    await bench.close()


async def test_a_page_left_open_over_night_is_told_of_as_long_as_it_knocks_and_kept_once_an_hour() -> None:
    bench = Bench()
    _, wizard = await both(bench)
    await wizard.give(c.EndSession(id="over", reason="done"))
    bench.clock.advance(3 * 3600)
    for _ in range(5):
        late = await PipedDesk(bench, "t-subject", "late").connect()
        assert "over" in late.closed
        await PipedDesk(bench, "guessed", "stranger").connect()
        bench.clock.advance(60)
    assert kept(bench) == [("subject", DeskRefusal.OVER)]
    told = [happened for happened in wizard.happened if isinstance(happened, DeskTurnedAway)]
    assert told == [DeskTurnedAway("subject", DeskRefusal.OVER)] * 5
    bench.clock.advance(3600)
    await PipedDesk(bench, "t-subject", "late").connect()
    assert kept(bench) == [("subject", DeskRefusal.OVER)] * 2
    await bench.close()
