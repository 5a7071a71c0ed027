"""Waiting by scripted people for something on their screen, with a limit and an error that names it."""

import asyncio
from collections.abc import Callable

from session.values.clock import Clock

LONGEST_WAIT_S = 600.0


class StuckError(Exception):
    """The play cannot go on; the message says what was being waited for."""


class Waiting:
    """Sleeps until a desk's state satisfies a condition; every change of the desk wakes it."""

    def __init__(self, who: str, clock: Clock, trouble: Callable[[], str] = str) -> None:
        self._who = who
        self._clock = clock
        self._trouble = trouble
        self._changed = asyncio.Event()

    def changed(self) -> None:
        """The desk's state is another one."""
        self._changed.set()

    async def until(self, what: str, condition: Callable[[], bool]) -> None:
        """Return when `condition` holds; raises StuckError after ten minutes of the rehearsal's clock."""
        limit = self._clock.monotonic_ns() + round(LONGEST_WAIT_S * 1e9)
        while not condition():
            if self._clock.monotonic_ns() > limit:
                known = self._trouble()
                raise StuckError(f"{self._who} waited in vain for {what}{f': {known}' if known else ''}")
            self._changed.clear()
            nap = asyncio.ensure_future(self._clock.sleep(5.0))
            wake = asyncio.ensure_future(self._changed.wait())
            _, pending = await asyncio.wait((nap, wake), return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                task.cancel()
