"""Keeps a hub's leases: says that it lives, takes sessions over when desks come for them, hands them on when others ask.

Desks decide where a session is: a proxy in front of several hubs sends all desks of a session to one of them, and that one
takes the session. When a hub dies, its desks come to another, which has their sessions as soon as the silence is long enough.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from session.hub.thread_groups import ThreadGroups
from session.store.leases import Leases
from session.store.types import StoreUnavailable
from session.values.clock import SECOND, Clock

LOG = logging.getLogger(__name__)
BEAT_S = 0.5
AGAIN_S = 0.25
PATIENCE_S = 8.0


class LeaseKeeper:
    """The leases of one hub."""

    def __init__(self, leases: Leases, clock: Clock, groups: ThreadGroups | None = None) -> None:
        self._leases, self._clock, self._groups = leases, clock, groups or ThreadGroups()
        # Its own, since a hub whose other threads are all at work must not be taken for dead.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="beat")
        self._beating: asyncio.Task[None] | None = None

    async def start(self, give_up: Callable[[str], Awaitable[None]]) -> None:
        """Begin to live; `give_up` stops the work on a session that another hub asks for. Raises StoreUnavailable."""
        await self._said()
        self._beating = asyncio.get_running_loop().create_task(self._beat(give_up))

    async def taken(self, session: str) -> bool:
        """Take a session, waiting until the hub that has it lets go or is dead; false where it does neither."""
        until = self._clock.monotonic_ns() + PATIENCE_S * SECOND
        while not await self._groups.entering(self._leases.take, session):
            if self._clock.monotonic_ns() > until:
                return False
            await self._clock.sleep(AGAIN_S)
        return True

    async def free(self, session: str) -> bool:
        """Take a session that no living hub has; one that is at work on it is not asked."""

        def take() -> bool:
            return self._leases.take(session, asking=False)

        return await self._groups.entering(take)

    async def close(self) -> None:
        """Give up all sessions; a database that is out of reach finds out by the silence."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
            await self._fallen_silent()
        with contextlib.suppress(StoreUnavailable):
            await self._groups.entering(self._leases.end)
        self._thread.shutdown(wait=False)

    async def _fallen_silent(self) -> None:
        """Wait for a heartbeat that is being written, so that the database is not closed under it."""
        last = asyncio.wrap_future(self._thread.submit(lambda: None))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(last, PATIENCE_S)

    async def _said(self) -> list[str]:
        """Say that this hub lives; return the sessions that others ask for."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._leases.beat)

    async def _beat(self, give_up: Callable[[str], Awaitable[None]]) -> None:
        """Say that this hub lives, twice a second; a store out of reach is logged when it begins and when it ends."""
        unheard_since = 0
        while True:
            await self._clock.sleep(BEAT_S)
            try:
                for session in await self._said():
                    await give_up(session)
                    await self._groups.entering(self._leases.give_up, [session])
            except StoreUnavailable as error:
                if not unheard_since:
                    unheard_since = self._clock.monotonic_ns()
                    LOG.warning("%s It is tried twice a second.", error)
            except Exception:  # without this task, all sessions of the hub would be lost three seconds later
                LOG.exception("a fault of this program beside a heartbeat; the next one follows")
            else:
                if unheard_since:
                    LOG.warning("The store answers again, after %.0f s.", self._since(unheard_since))
                unheard_since = 0

    def _since(self, moment: int) -> float:
        return (self._clock.monotonic_ns() - moment) / SECOND
