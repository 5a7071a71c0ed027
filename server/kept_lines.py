"""Cache of each finished session's line in `curtain sessions`, so that listing thousands waits for none of them.

A line is made of all facts of its session, which takes about as long as opening one. Made while the session is still in
the hub's hands, by a thread that nothing waits for, it costs nobody anything later. What hubs left that were killed, or that
kept no lines yet, is made up for when a hub begins: one session a second, so that no desk feels it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from session.hub.hub import Hub
from session.store.event_store import Store
from session.store.types import StoreUnavailable
from session.study.folder import Study
from session.values.clock import Clock

LOG = logging.getLogger(__name__)
LOOK_EVERY_S = 30.0
ONE_EVERY_S = 1.0
"""Between two sessions that are made up for: each takes a hundredth of a second of a processor."""


class LineKeeper:
    """Looks regularly for sessions that have ended and that all desks have left; `keep` makes and keeps a line, `lacking`
    returns the sessions without one."""

    def __init__(
        self, hub: Hub, keep: Callable[[str], None], clock: Clock, lacking: Callable[[], list[str]] = list
    ) -> None:
        self._hub, self._keep, self._clock, self._lacking = hub, keep, clock, lacking
        self._kept: set[str] = set()

    async def run(self) -> None:
        """Look until cancelled; a store out of reach only delays that."""
        while True:
            await self._clock.sleep(LOOK_EVERY_S)
            try:
                await self.look()
            except StoreUnavailable as error:
                LOG.warning("%s", error)

    async def catch_up(self) -> None:
        """Keep the lines of sessions that no hub has, one after the other, until cancelled or done."""
        with contextlib.suppress(StoreUnavailable):  # they are made when somebody lists the sessions
            for name in await self._hub.threads.answering(self._lacking):
                await self._clock.sleep(ONE_EVERY_S)
                if name not in self._hub.sessions:
                    await self._in_thread(name)

    async def look(self) -> None:
        """Keep the lines that are missing. A desk that comes back makes its session's line stale."""
        there = self._hub.sessions
        self._kept &= {name for name, session in there.items() if not session.desks}
        for name, session in there.items():
            if session.state.ended and not session.desks and name not in self._kept:
                await self._in_thread(name)
                self._kept.add(name)

    async def _in_thread(self, name: str) -> None:
        """Keep a line; if the hub closes meanwhile, wait, because the database must not be closed under it."""
        keeping = asyncio.ensure_future(self._hub.threads.answering(self._keep, name))
        try:
            await asyncio.shield(keeping)
        except asyncio.CancelledError:
            with contextlib.suppress(StoreUnavailable):
                await keeping
            raise


def line_keeper(study: Study, store: Store) -> Callable[[str], None]:
    """Return a function that stores the line of a session of `study`."""

    def keep(name: str) -> None:
        from corpus.commands.session_lines import keep_line  # a hub whose sessions go on does not need it

        keep_line(study, store, name)

    return keep


def lines_lacking(store: Store) -> Callable[[], list[str]]:
    """Return a function that lists the sessions of a store without a kept line."""

    def found() -> list[str]:
        from corpus.commands.session_lines import lacking  # as above

        return lacking(store)

    return found
