"""A hub goes on saying that it lives, whatever else it is at."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from session.hub.lease_keeper import BEAT_S, LeaseKeeper
from session.store.event_store import Store
from session.store.leases import Leases
from session.store.types import StoreUnavailable
from session.values.clock import ManualClock


class Heard(Leases):
    """Leases that tell when the hub said that it lives."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, "one")
        self.again = threading.Event()

    def beat(self) -> list[str]:
        self.again.set()
        return super().beat()


async def test_a_hub_whose_threads_are_all_at_work_is_not_taken_for_dead() -> None:
    loop, clock, store = asyncio.get_running_loop(), ManualClock("hub"), Store("sqlite://")
    loop.set_default_executor(ThreadPoolExecutor(1))
    leases, done, waiting = Heard(store), threading.Event(), ThreadPoolExecutor(1)
    keeper = LeaseKeeper(leases, clock)

    async def give_up(session: str) -> None:
        raise AssertionError(session)

    await keeper.start(give_up)
    leases.again.clear()
    at_work = asyncio.create_task(asyncio.to_thread(done.wait, 120))
    for _ in range(5):
        await asyncio.sleep(0)
    clock.advance(BEAT_S)
    try:
        assert await loop.run_in_executor(waiting, leases.again.wait, 5)
    finally:
        done.set()
        await at_work
        await keeper.close()
        waiting.shutdown()
        store.close()


class Running(ManualClock):
    """A clock that each sleeper moves on."""

    async def sleep(self, seconds: float) -> None:
        self.advance(seconds)
        await asyncio.sleep(0)


class Scripted(Leases):
    """Leases whose heartbeats go as scripted, and well when the script is over."""

    def __init__(self, store: Store, *script: Exception | list[str]) -> None:
        super().__init__(store, "one")
        self._script, self._loop, self.over = list(script), asyncio.get_running_loop(), asyncio.Event()

    def beat(self) -> list[str]:
        if not self._script:
            self._loop.call_soon_threadsafe(self.over.set)
            return super().beat()
        if isinstance(next_one := self._script.pop(0), Exception):
            raise next_one
        return next_one


async def test_an_outage_of_the_store_is_logged_as_it_begins_and_as_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    store, away = Store("sqlite://"), StoreUnavailable("The store does not answer.")
    leases = Scripted(store, [], *[away] * 20, [], [], away)
    keeper = LeaseKeeper(leases, Running("hub"))

    async def give_up(session: str) -> None:
        raise AssertionError(session)

    await keeper.start(give_up)
    await leases.over.wait()
    for _ in range(5):
        await asyncio.sleep(0)
    await keeper.close()
    store.close()
    begins = "The store does not answer. It is tried twice a second."
    assert caplog.messages[:3] == [begins, "The store answers again, after 10 s.", begins]


async def test_a_session_that_cannot_be_given_up_costs_the_hub_no_other(caplog: pytest.LogCaptureFixture) -> None:
    store = Store("sqlite://")
    leases = Scripted(store, [], ["lab-20261126-1"])
    keeper = LeaseKeeper(leases, Running("hub"))

    async def give_up(session: str) -> None:
        raise RuntimeError(session)

    await keeper.start(give_up)
    await asyncio.wait_for(leases.over.wait(), 10)
    await keeper.close()
    store.close()
    assert caplog.messages == ["a fault of this program beside a heartbeat; the next one follows"]
