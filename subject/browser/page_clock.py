"""A page's clock as its gateway has it: to the letter while something of the page's is acted on, an estimate otherwise."""

import contextlib
from collections.abc import Iterator

from session.values.clock import SECOND, Clock, Stamp

DRIFT_PPM = 100
"""How far two clocks may go apart: an old measurement is worth less by so much."""


class PageClock:
    """Gives the page's own stamps; between them the page's time as it follows from `hello` and the time here."""

    def __init__(self, here: Clock, hello: Stamp) -> None:
        self._here = here
        self._hello = hello
        self._exact: Stamp | None = None
        self._behind = here.monotonic_ns() - hello.mono
        self._wall_behind = here.wall_ns() - hello.wall
        self._uncertainty, self._measured_at = SECOND, here.monotonic_ns()

    @property
    def name(self) -> str:
        """The clock of the stamp that is being acted on: a page that was loaded again has a new one."""
        return self._exact.clock if self._exact else self._hello.clock

    def monotonic_ns(self) -> int:
        return self._exact.mono if self._exact else self._here.monotonic_ns() - self._behind

    def wall_ns(self) -> int:
        return self._exact.wall if self._exact else self._here.wall_ns() - self._wall_behind

    async def sleep(self, seconds: float) -> None:
        await self._here.sleep(seconds)

    def measured(self, offset: int, uncertainty: int) -> None:
        """The page has measured this machine's clock against its own; a busy moment does not undo a better measurement."""
        now = self._here.monotonic_ns()
        if uncertainty <= self._uncertainty + (now - self._measured_at) * DRIFT_PPM // 1_000_000:
            self._behind, self._uncertainty, self._measured_at = offset, uncertainty, now

    @contextlib.contextmanager
    def at(self, moment: Stamp) -> Iterator[None]:
        """Have it be that moment while the block lasts."""
        self._exact = moment
        try:
            yield
        finally:
            self._exact = None
