"""Clocks, passed in through constructors, and stamps, each naming the clock that it was read from.

Every desk keeps its own clock; nothing compares two machines' clocks except through `ClockCompared` events. A rehearsal runs
all of them through one `ScaledClock`, tests through a `ManualClock`, so that no code ever waits for real time to pass.
"""

import heapq
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

import msgspec

from session.values.limits import ClockName, Nanoseconds, WallTime

if TYPE_CHECKING:
    import asyncio

SECOND = 1_000_000_000
MILLISECOND = 1_000_000


class Stamp(msgspec.Struct, frozen=True):
    """A moment at one desk: `clock` names the clock, `mono` and `wall` are nanoseconds (wall since 1970, UTC)."""

    clock: ClockName
    mono: Nanoseconds
    wall: WallTime


class Clock(Protocol):
    """The clock that every component receives instead of reading the time itself."""

    @property
    def name(self) -> str:
        """Identifies the clock among those of other desks and earlier runs."""

    def monotonic_ns(self) -> int: ...

    def wall_ns(self) -> int: ...

    async def sleep(self, seconds: float) -> None:
        """Return when `seconds` of this clock have passed."""


def elapsed(since: Stamp, now: Stamp) -> int:
    """Return the nanoseconds between two stamps of the hub; wall clocks are used across a restart of its machine."""
    return now.mono - since.mono if since.clock == now.clock else max(0, now.wall - since.wall)


def stamp(clock: Clock) -> Stamp:
    """Return the present moment by this clock."""
    return Stamp(clock.name, clock.monotonic_ns(), clock.wall_ns())


class SystemClock:
    """The machine's own clocks."""

    def __init__(self, name: str) -> None:
        self.name = name

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()

    def wall_ns(self) -> int:
        return time.time_ns()

    async def sleep(self, seconds: float) -> None:
        import asyncio  # who only reads the time need not load it

        await asyncio.sleep(seconds)


class ScaledClock:
    """Runs `pace` times as fast as the machine's clock, from the moment it is made; durations agree between all its users."""

    def __init__(self, name: str, pace: float) -> None:
        if not pace > 0:
            raise ValueError(f"a pace is above 0, not {pace}")
        self.name = name
        self.pace = pace
        self._mono = time.monotonic_ns()
        self._wall = time.time_ns()

    def named(self, name: str) -> "ScaledClock":
        """Return a clock of the same time under another desk's name."""
        twin = ScaledClock(name, self.pace)
        twin._mono, twin._wall = self._mono, self._wall
        return twin

    def _elapsed(self) -> int:
        return int((time.monotonic_ns() - self._mono) * self.pace)

    def monotonic_ns(self) -> int:
        return self._mono + self._elapsed()

    def wall_ns(self) -> int:
        return self._wall + self._elapsed()

    async def sleep(self, seconds: float) -> None:
        import asyncio

        await asyncio.sleep(seconds / self.pace)


class ManualClock:
    """Moves only when told to; sleepers wake in the order of their deadlines."""

    def __init__(self, name: str = "manual", mono: int = 0, wall: int = 1_700_000_000 * SECOND) -> None:
        self.name = name
        self._mono = mono
        self._wall = wall
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = 0

    def monotonic_ns(self) -> int:
        return self._mono

    def wall_ns(self) -> int:
        return self._wall

    def advance(self, seconds: float) -> None:
        """Advance the time and wake the sleepers that are due."""
        self._mono += round(seconds * SECOND)
        self._wall += round(seconds * SECOND)
        while self._sleepers and self._sleepers[0][0] <= self._mono:
            sleeper = heapq.heappop(self._sleepers)[2]
            if not sleeper.done():
                sleeper.set_result(None)

    def step_wall(self, seconds: float) -> None:
        """Set the wall clock forward or back, as an administrator or NTP would."""
        self._wall += round(seconds * SECOND)

    async def sleep(self, seconds: float) -> None:
        import asyncio

        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._order += 1
        heapq.heappush(self._sleepers, (self._mono + round(seconds * SECOND), self._order, future))
        await future


def iso(wall_ns: int) -> str:
    """ISO 8601 in UTC with milliseconds, the form in which people read a stamp."""
    whole, rest = divmod(wall_ns, SECOND)
    moment = datetime.fromtimestamp(whole, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest // MILLISECOND:03d}Z"
