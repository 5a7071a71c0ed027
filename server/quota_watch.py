"""Limit on the sound of sessions that have ended, once a study's recordings are as many as it allows.

What goes on is never cut short, and a desk that was cut off may bring what was said before the end; but a session that is over
gets no disk of its own. The desk keeps its takes, and the consoles are told.
"""

import contextlib
from collections.abc import Collection

from session.collection.open_session import fullness
from session.collection.recordings import Recordings
from session.hub.hub import Hub
from session.store.event_store import Store
from session.store.types import StoreUnavailable
from session.study.folder import Study
from session.values.clock import Clock

LOOK_EVERY_S = 5.0


class QuotaWatch:
    """Looks every few seconds, while subjects' desks are at sessions that have ended, how much a study holds."""

    def __init__(self, study: Study, hub: Hub, store: Store, recordings: Recordings, clock: Clock) -> None:
        self._study, self._hub, self._store, self._recordings, self._clock = study, hub, store, recordings, clock

    async def run(self) -> None:
        """Look until cancelled; a store or a disk out of reach only delays that."""
        while True:
            with contextlib.suppress(StoreUnavailable, OSError):
                await self.look()
            await self._clock.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Shut the recordings to sessions that have ended, or let them in again."""
        ended = self._ended()
        full = bool(ended) and await self._hub.threads.storing(self._full)
        self._recordings.shut = frozenset(ended) if full else frozenset()

    def _ended(self) -> Collection[str]:
        there = self._hub.sessions.items()
        return [
            name
            for name, session in there
            if session.state.ended and any(desk.access.records for desk in session.desks)
        ]

    def _full(self) -> bool:
        found = fullness(self._study, self._store.usage)
        return found is not None and found[0] >= found[1]
