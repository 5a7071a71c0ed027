"""Group commit: all that waits to be recorded, whichever session it is of, goes to the disk in one transaction.

While one commit is under way the next one gathers, so a busy hub writes to the disk no more often than a quiet one, and
nobody is told anything before it is durable. What need not be recorded at once (comparisons of clocks) travels with the next
commit that others need, or with all of its kind after a while.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Protocol

from session.events import Recorded
from session.store.event_store import Store
from session.store.types import Entry, SecondWriter, StoreUnavailable, Write
from session.values.clock import SECOND, Clock

LOG = logging.getLogger(__name__)
MOST_AT_ONCE = 500
"""Facts of so many writers go into one transaction; with more, the first would wait for the last."""
SEVERAL, GATHER, GATHER_MOST_S = 3, 2.0, 0.008
"""Behind a commit of several writers the next one gathers for so many times as long as it took: a hub of many people spends a
third of its time with commits. A desk that catches up alone would gather nothing and waits for nothing."""
WITHIN_S = 5.0
"""What travels with others goes alone after so many seconds."""

Result = list[Recorded] | Exception


class Passenger(Protocol):
    """A writer that is in no hurry."""

    def board(self) -> Write | None:
        """Give what waits to be recorded; None for nothing, or while the last that was given is under way."""

    def landed(self, result: Result) -> None:
        """Hear what came of it."""


class GroupCommit:
    """The way of a hub's facts into its store; `commits`, `facts` and `commit_s` count what was done.

    `on_lost` hears of every session that the store has other facts of than this hub: another hub has taken it over, or the
    outcome of a commit was lost with the connection to the database.
    """

    def __init__(self, store: Store, writer: Executor, clock: Clock) -> None:
        self._store, self._writer, self._clock = store, writer, clock
        self._waiting: list[tuple[Write, Callable[[Result], None]]] = []
        self._passengers: dict[Passenger, None] = {}
        self._hurry = False
        self._running: asyncio.Task[None] | None = None
        self._later: asyncio.Task[None] | None = None
        self.on_lost: Callable[[str], None] = lambda session: None
        self.commits = self.facts = 0
        self.commit_s = self._took_s = 0.0

    @property
    def waiting(self) -> int:
        """The number of writers that wait."""
        return len(self._waiting)

    async def append(self, stream: str, after: int, facts: Sequence[Entry]) -> list[Recorded]:
        """Record `facts` as events `after`+1 … of `stream`, on disk when this returns; raises what `Store.append` raises."""
        done: asyncio.Future[list[Recorded]] = asyncio.get_running_loop().create_future()

        def landed(result: Result) -> None:
            if done.cancelled():
                return
            if isinstance(result, Exception):
                done.set_exception(result)
            else:
                done.set_result(result)

        self._waiting.append((Write(stream, after, facts), landed))
        self._begin()
        return await done

    def take_along(self, passenger: Passenger, *, now: bool = False) -> None:
        """Record what `passenger` has with the next commit, which is `now` or when somebody needs one."""
        self._passengers[passenger] = None
        if now:
            self._hurry = True
            self._begin()
        elif self._running is None:
            self._wait_for_others()

    async def settled(self) -> None:
        """Return when nothing waits."""
        while self._running is not None:
            await asyncio.shield(self._running)

    async def close(self) -> None:
        """Record what still travels."""
        if self._later is not None:
            self._later.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._later
        if self._passengers:
            self._hurry = True
            self._begin()
        await self.settled()

    def _wait_for_others(self) -> None:
        if self._later is None:
            self._later = asyncio.get_running_loop().create_task(self._wait())

    async def _wait(self) -> None:
        try:
            await self._clock.sleep(WITHIN_S)
        finally:
            self._later = None
        self._hurry = True
        self._begin()

    def _begin(self) -> None:
        if self._running is None:
            self._running = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting or self._hurry:
                batch = self._gathered()
                await self._commit(batch)
                if len(batch) >= SEVERAL and (pause := min(GATHER * self._took_s, GATHER_MOST_S)) > 0:
                    await asyncio.sleep(pause)
        finally:
            self._running = None
        if self._passengers:
            self._wait_for_others()

    def _gathered(self) -> list[tuple[Write, Callable[[Result], None]]]:
        batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        passengers, self._passengers, self._hurry = self._passengers, {}, False
        for passenger in passengers:
            if (write := passenger.board()) is not None:
                batch.append((write, passenger.landed))
        return batch

    async def _commit(self, batch: list[tuple[Write, Callable[[Result], None]]]) -> None:
        if not batch:
            return
        writes, began = [write for write, _ in batch], self._clock.monotonic_ns()
        try:
            loop = asyncio.get_running_loop()
            results = await loop.run_in_executor(self._writer, self._store.append_together, writes)
        except Exception as error:  # noqa: BLE001 (whoever waits has to hear of it)
            results = [error] * len(batch)
        self.commits += 1
        self.facts += sum(len(write.facts) for write in writes)
        self._took_s = (self._clock.monotonic_ns() - began) / SECOND
        self.commit_s += self._took_s
        for (write, landed), result in zip(batch, results, strict=True):
            landed(result)
            if isinstance(result, SecondWriter):
                self.on_lost(write.stream.partition("/")[0])


class LinkLog:
    """The facts about a session's connections, on their way into the stream that is kept of them."""

    def __init__(self, stream: str, count: int, group: GroupCommit, trouble: Callable[[str], None]) -> None:
        self._stream, self._count, self._group, self._trouble = stream, count, group, trouble
        self._waiting: list[tuple[Entry, asyncio.Future[None] | None]] = []
        self._boarded = 0

    def note(self, entry: Entry) -> None:
        """Record `entry` when there is a commit anyway."""
        self._waiting.append((entry, None))
        self._group.take_along(self)

    async def write(self, entry: Entry) -> None:
        """Record `entry`, and what was noted before it; on disk when this returns, or the trouble is told."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, done))
        self._group.take_along(self, now=True)
        await done

    def board(self) -> Write | None:
        if self._boarded or not self._waiting:
            return None
        self._boarded = len(self._waiting)
        return Write(self._stream, self._count, [entry for entry, _ in self._waiting])

    def landed(self, result: Result) -> None:
        gone, self._waiting = self._waiting[: self._boarded], self._waiting[self._boarded :]
        self._boarded = 0
        if not isinstance(result, Exception):
            self._count += len(gone)
        elif isinstance(result, StoreUnavailable | SecondWriter):
            self._trouble(str(result))
        else:
            LOG.error("%s: %d facts about connections were not recorded", self._stream, len(gone), exc_info=result)
        for _, done in gone:
            if done is not None and not done.done():
                done.set_result(None)
        if self._waiting:
            self._group.take_along(self, now=any(done is not None for _, done in self._waiting))
