"""A hub goes on saying that it lives, whatever else it is at."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from session.hub.lease_keeper import BEAT_S, LeaseKeeper
from session.store.event_store import Store
from session.store.leases import Leases
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
