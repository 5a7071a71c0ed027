"""What waits is recorded together, durable before anybody is told, and nobody pays for another's fault."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from session import events as e
from session.hub import group_commit
from session.hub.group_commit import WITHIN_S, GroupCommit, LinkLog
from session.store.event_store import Store
from session.store.types import Entry, SecondWriter, StoreUnavailable, Write
from session.values.clock import ManualClock
from tests.session.examples import at, entries, opening
from tests.session.stores import SPOKEN

COMPARED = e.ClockCompared(clock="c", mono=1, offset=2, uncertainty=3)


class Slow(Store):
    """A store whose commits wait until they are let go; `seen` are the streams of each."""

    def __init__(self) -> None:
        super().__init__("sqlite://")
        self.going, self.go = threading.Event(), threading.Event()
        self.seen: list[list[str]] = []
        self.full = False

    def append_together(self, writes: Sequence[Write]) -> Any:
        self.seen.append([write.stream for write in writes])
        self.going.set()
        self.go.wait(120)
        if self.full:
            return [StoreUnavailable("no space left") for _ in writes]
        return super().append_together(writes)


class Rig:
    def __init__(self) -> None:
        self.store, self.writer, self.clock = Slow(), ThreadPoolExecutor(1), ManualClock("hub")
        self.group = GroupCommit(self.store, self.writer, self.clock)
        self.trouble: list[str] = []

    def links(self, name: str) -> LinkLog:
        return LinkLog(f"{name}/links", 0, self.group, self.trouble.append)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    rig = Rig()
    yield rig
    rig.store.go.set()
    await rig.group.close()
    rig.writer.shutdown()
    rig.store.close()


async def tasks(*made: Any) -> list[asyncio.Task[Any]]:
    """Begun, each as far as it goes by itself."""
    begun = [asyncio.ensure_future(coroutine) for coroutine in made]
    for _ in range(5):
        await asyncio.sleep(0)
    return begun


def session(number: int) -> str:
    return f"bbn-20261121-{number}"


async def test_while_one_commit_is_under_way_the_next_gathers(rig: Rig) -> None:
    (first,) = await tasks(rig.group.append(session(1), 0, entries(opening())))
    await asyncio.to_thread(rig.store.going.wait, 120)
    others = await tasks(*(rig.group.append(session(n), 0, entries(opening(), SPOKEN)) for n in range(2, 40)))
    assert (first.done(), rig.group.waiting) == (False, 38), "nobody is told before it is durable"
    rig.store.go.set()
    await first
    assert all(len(done) == 2 for done in await asyncio.gather(*others))
    assert rig.store.seen == [[session(1)], [session(n) for n in range(2, 40)]]
    assert (rig.group.commits, rig.group.facts) == (2, 77)


@pytest.mark.parametrize(("writers", "commits"), [(3, 2), (2, 3)])
async def test_behind_a_commit_of_several_the_next_gathers_and_behind_a_lone_desk_s_it_does_not(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, writers: int, commits: int
) -> None:
    several = writers >= group_commit.SEVERAL
    monkeypatch.setattr(group_commit, "GATHER", 3600.0)
    monkeypatch.setattr(group_commit, "GATHER_MOST_S", 0.3 if several else 3600.0)
    first = await tasks(*(rig.group.append(session(n), 0, entries(opening())) for n in range(writers)))
    await asyncio.to_thread(rig.store.going.wait, 120)
    rig.clock.advance(1)  # so long the commit takes
    rig.store.go.set()
    await asyncio.gather(*first)
    assert rig.group.commits == 1
    (one,) = await tasks(rig.group.append(session(7), 0, entries(opening())))
    if not several:
        await asyncio.wait_for(one, 60)
    (other,) = await tasks(rig.group.append(session(8), 0, entries(opening())))
    await asyncio.gather(one, other)
    assert rig.group.commits == commits


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ((session(2), 0, entries(SPOKEN)), SecondWriter),
        ((session(9), 3, entries(SPOKEN)), ValueError),
        ((session(9), 0, entries(e.NoteWritten(text="\ud800"))), Exception),
    ],
)
async def test_a_writers_fault_is_its_own(rig: Rig, bad: tuple[str, int, list[Entry]], fault: type[Exception]) -> None:
    rig.store.go.set()
    await rig.group.append(session(2), 0, entries(opening()))
    rig.store.go.clear()
    rig.store.going.clear()
    (first,) = await tasks(rig.group.append(session(1), 0, entries(opening())))
    await asyncio.to_thread(rig.store.going.wait, 120)
    wrong, right = await tasks(rig.group.append(*bad), rig.group.append(session(3), 0, entries(opening())))
    rig.store.go.set()
    done = await asyncio.gather(first, wrong, right, return_exceptions=True)
    assert isinstance(done[1], fault), done[1]
    assert [len(done[0]), len(done[2])] == [1, 1]  # type: ignore[arg-type]
    assert set(rig.store.lengths()) == {session(1), session(2), session(3)}


async def test_a_writer_that_went_away_holds_up_nobody(rig: Rig) -> None:
    (first,) = await tasks(rig.group.append(session(1), 0, entries(opening())))
    await asyncio.to_thread(rig.store.going.wait, 120)
    gone, stays = await tasks(*(rig.group.append(session(n), 0, entries(opening())) for n in (2, 3)))
    gone.cancel()
    rig.store.go.set()
    await asyncio.gather(first, stays)
    assert session(3) in rig.store.lengths()


async def test_comparisons_of_clocks_travel_with_what_others_need(rig: Rig) -> None:
    rig.store.go.set()
    logs = [rig.links(session(n)) for n in range(3)]
    for log in logs:
        log.note(Entry(at(1), "hub", "", COMPARED))
        log.note(Entry(at(2), "hub", "", COMPARED))
    await tasks()
    assert rig.group.commits == 0
    await rig.group.append(session(7), 0, entries(opening()))
    assert rig.group.commits == 1
    assert {name: count for name, count in rig.store.lengths().items() if "/" in name} == {
        f"{session(n)}/links": 2 for n in range(3)
    }


async def test_on_a_quiet_hub_they_go_alone_all_in_one_commit_and_none_is_left_at_the_end(rig: Rig) -> None:
    rig.store.go.set()
    logs = [rig.links(session(n)) for n in range(3)]
    for log in logs:
        log.note(Entry(at(1), "hub", "", COMPARED))
    await tasks()
    rig.clock.advance(WITHIN_S)
    await tasks()
    await rig.group.settled()
    assert (rig.group.commits, len(rig.store.lengths())) == (1, 3)
    rig.store.go.clear()
    (first,) = await tasks(rig.group.append(session(7), 0, entries(opening())))
    logs[1].note(Entry(at(2), "hub", "", COMPARED))
    rig.store.go.set()
    await first
    await tasks()
    rig.clock.advance(WITHIN_S)
    await tasks()
    await rig.group.settled()
    assert rig.store.lengths()[f"{session(1)}/links"] == 2, "noted while a commit was under way"
    logs[0].note(Entry(at(3), "hub", "", COMPARED))
    await rig.group.close()
    assert rig.store.lengths()[f"{session(0)}/links"] == 2


async def test_links_keep_their_order_and_go_on_after_a_store_that_was_full(rig: Rig) -> None:
    log, attached = rig.links(session(1)), e.DeskDetached(role="subject", desk="d", why="gone")
    log.note(Entry(at(1), "hub", "", COMPARED))
    (writing,) = await tasks(log.write(Entry(at(2), "hub", "", attached)))
    await asyncio.to_thread(rig.store.going.wait, 120)
    (behind,) = await tasks(log.write(Entry(at(3), "hub", "", attached)))
    rig.store.go.set()
    await asyncio.gather(writing, behind)
    kinds = [type(fact.event) for fact in rig.store.read(f"{session(1)}/links")]
    assert kinds == [e.ClockCompared, e.DeskDetached, e.DeskDetached]
    rig.store.full = True
    await log.write(Entry(at(4), "hub", "", attached))
    assert rig.trouble == ["no space left"]
    rig.store.full = False
    await log.write(Entry(at(5), "hub", "", attached))
    assert rig.store.lengths() == {f"{session(1)}/links": 4}
