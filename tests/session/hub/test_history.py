"""A long session is taken up and told without holding anybody up; a history grows as its folds do."""

import asyncio
import threading

import pytest

from session import events as e
from session.hub.attached_desk import Desk
from session.hub.history import History
from session.protocol.messages import AudioChunk, FactMessage, HubMessage
from session.state.fold import fold
from session.store.event_store import Entry, Store
from session.values.vocabulary import Role
from tests.together.pipe import SESSION, Bench, at, opened

LONG = 1_000


def long_story() -> Bench:
    bench = Bench()
    facts: list[e.Fact] = [opened(), *(e.NoteWritten(text=str(number)) for number in range(LONG))]
    bench.store.append(SESSION, 0, [Entry(at(), "hub", "", fact) for fact in facts])
    return bench


async def test_a_session_is_read_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    bench, read, readers = long_story(), Store.read, []

    def noting(store: Store, stream: str, after: int = 0) -> list[e.Recorded]:
        readers.append(threading.current_thread())
        return read(store, stream, after)

    monkeypatch.setattr(Store, "read", noting)
    first, second = await asyncio.gather(bench.hub.resume(SESSION), bench.hub.resume(SESSION))
    assert first is second
    assert len(readers) == 2, "its facts and those of its connections, once"
    assert threading.main_thread() not in readers
    await bench.close()


async def test_others_have_their_turn_while_a_desk_is_told_a_long_story() -> None:
    bench = long_story()
    session, turns, lengths = await bench.hub.resume(SESSION), 0, list[tuple[int, int]]()

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.ensure_future(others())

    def outlet(message: HubMessage | AudioChunk) -> None:
        if isinstance(message, FactMessage):
            lengths.append((message.recorded.seq, turns))

    await session.attach(Desk(Role.OBSERVER, "d", "d", 0, outlet, lambda why: None), "1")  # type: ignore[arg-type]
    waiting.cancel()
    assert [seq for seq, _ in lengths] == list(range(1, LONG + 2))
    assert len({turn for _, turn in lengths}) >= LONG // 100
    await bench.close()


def test_a_history_is_the_same_read_at_once_or_fact_by_fact() -> None:
    facts: list[e.Fact] = [opened(), e.NoteWritten(text="hidden"), e.UtteranceTyped(at=at(), take="t", text="x")]
    recorded = [e.Recorded(SESSION, seq, at(), "hub", f"c{seq}", fact) for seq, fact in enumerate(facts, start=1)]
    history, grown = History(recorded), History()
    shown = [grown.add(fact)[Role.SUBJECT] for fact in recorded]
    assert history.state == grown.state == fold(recorded)
    assert [fact for fact in shown if fact] == grown.seen_by(Role.SUBJECT) == history.seen_by(Role.SUBJECT)
    assert [type(fact.event) for fact in grown.seen_by(Role.SUBJECT)] == [e.SessionOpened, e.UtteranceTyped]
    assert list(grown.seen_by(Role.OBSERVER)) == recorded
    assert grown.followed_from("c2")
    assert not grown.followed_from("c4")
