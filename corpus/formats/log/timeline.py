"""One time line for a session whose desks each keep a clock of their own.

Every stamp names its clock. The hub's monotonic clock, anchored once at the wall clock of its first stamp, is the time
line; a desk's stamp is moved by what the `ClockCompared` around it leave possible, given that no two clocks part faster than
`FASTEST_PPM`, and half the width of that is stated with the result. So a step of anybody's wall clock moves nothing, drift
between two comparisons is in the bound, and nobody can take a guess for a measurement. A hub that takes over from another is
placed by its own wall clock, unless that was set back meanwhile: then by a desk that both were compared with.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Self

import msgspec

from session.events import ClockCompared, Recorded, RecordingStarted
from session.values.clock import SECOND, Stamp

FASTEST_PPM = 500
"""Parts in a million by which two machines' monotonic clocks may part: what a kernel slews a clock by at most when it is
disciplined in the usual way (adjtimex: 500 ppm), which is ten times what quartz does."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_YEAR = 1000  # of those that are written with four digits
PARTS = (
    r"([1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-2][0-9]:[0-9]{2}):([0-5][0-9])\.([0-9]{6})Z"
    r"(?: ±(\?|(?:0|[1-9][0-9]{0,11})\.[0-9]{6}))?"
)
"""A moment as `str` writes it: the minute, the second, its fraction, the uncertainty if there is one."""
_PARTS = re.compile(PARTS)


class Moment(msgspec.Struct, frozen=True, gc=False):
    """A point of the time line in microseconds since 1970 (UTC), true within ± `within` microseconds.

    `within` is 0 for the hub's own clock and None if only a desk's wall clock is known, whose error is unknown.
    """

    at: int
    within: int | None = 0

    def __str__(self) -> str:
        time = self.wall.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        if self.within == 0:
            return time
        return f"{time} ±?" if self.within is None else f"{time} ±{self.within // 10**6}.{self.within % 10**6:06d}"

    @property
    def wall(self) -> datetime:
        """Return the moment as a datetime, UTC; raises ValueError for a moment that no calendar holds."""
        try:
            found = _EPOCH + timedelta(microseconds=self.at)
        except OverflowError:
            found = _EPOCH.replace(year=1)
        if found.year < _FIRST_YEAR:
            raise ValueError(f"a stamp lies {self.at} microseconds from 1970, which no calendar holds")
        return found

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises ValueError for anything but what `str` writes."""
        match = _PARTS.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is not a time; one reads 2026-11-21T09:30:00.000000Z ±0.000450")
        return cls.of_parts(*match.groups())

    @classmethod
    def of_parts(cls, minute: str, second: str, fraction: str, within: str | None) -> Self:
        """Of the groups of `PARTS`; raises ValueError if they are no time of a calendar, or the uncertainty is 0."""
        at = _minute(minute) + int(second + fraction)
        if within is None:
            return cls(at)
        if within == "?":
            return cls(at, None)
        bound = int(within.replace(".", ""))
        if bound == 0:
            raise ValueError("an uncertainty of 0 is not written")
        return cls(at, bound)


@lru_cache(maxsize=4096)
def _minute(text: str) -> int:
    """Microseconds from 1970 to the beginning of a minute, of which a log has many stamps."""
    since = datetime.fromisoformat(f"{text}Z") - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000


def seconds(earlier: Moment, later: Moment) -> float:
    """Seconds from one moment to the other."""
    return (later.at - earlier.at) / 1_000_000


def certainly_before(first: Moment, second: Moment) -> bool:
    """Return whether `first` came before `second` whatever the true times within their uncertainties; False if unknown."""
    if first.within is None or second.within is None:
        return False
    return first.at + first.within < second.at - second.within


class Timeline:
    """Places the stamps of one session; made from all of its facts."""

    def __init__(self, recorded: Sequence[Recorded]) -> None:
        self._shifts = _shifts(recorded)
        comparisons: dict[str, list[_Comparison]] = {}
        for record in recorded:
            if isinstance(record.event, ClockCompared):
                event = record.event
                # Hubs one after the other have clocks of their own; the offset to the first one's wall clock is what counts.
                ahead = event.offset + self._shifts[record.at.clock]
                entry = _Comparison(event.mono, ahead, event.uncertainty, record.at.clock)
                comparisons.setdefault(event.clock, []).append(entry)
        self._compared = {clock: _Offsets(entries) for clock, entries in comparisons.items()}

    def place(self, stamp: Stamp) -> Moment:
        """Return where `stamp` is on the hub's time line."""
        if (shift := self._shifts.get(stamp.clock)) is not None:
            return Moment((stamp.mono + shift) // 1000)
        if offsets := self._compared.get(stamp.clock):
            least, most = offsets.at(stamp.mono)
            middle, within = (least + most) // 2, (most - least + 1) // 2
            return Moment((stamp.mono + middle) // 1000, max(1, -(-within // 1000)))
        return Moment(stamp.wall // 1000, None)

    def sample(self, began: RecordingStarted, stamp: Stamp, rate: int) -> "Sample":
        """Return where on a take's waveform of `rate` Hz the moment of any stamp lies; before sample 0 it is negative."""
        if began.at.clock == stamp.clock:
            apart, within = stamp.mono - began.at.mono, began.uncertainty
        else:
            first, then = self.place(began.at), self.place(stamp)
            apart = (then.at - first.at) * 1000
            if first.within is None or then.within is None:
                return Sample(apart * rate // SECOND, None)
            within = began.uncertainty + (first.within + then.within) * 1000
        return Sample(apart * rate // SECOND, -(-within * rate // SECOND) + 1)


class _Hub:
    """The clock of one run of a hub, from its facts: first stamp, last stamp, comparisons."""

    def __init__(self, first: Stamp) -> None:
        self.first = first
        self.last = first.mono
        self.earliest: dict[str, ClockCompared] = {}
        self.latest: dict[str, ClockCompared] = {}

    def bridged(self, before: "_Hub", shift: int) -> int | None:
        """By how much the time line is ahead of this clock, by a desk that stayed while the hub before, of whose clock it was
        `shift` ahead, gave way; None if no desk did, or where the wall clock, which then tells, was not set back."""
        for desk, now in self.earliest.items():
            if (then := before.latest.get(desk)) is not None:
                found = shift + then.offset - now.offset
                apart = abs(now.mono - then.mono) * 2 * FASTEST_PPM // 1_000_000  # desk and wall clock, each as fast
                if found - then.uncertainty - now.uncertainty - apart > self.first.wall - self.first.mono:
                    return found
        return None


def _shifts(recorded: Sequence[Recorded]) -> dict[str, int]:
    """By how much the time line is ahead of the clock of each run of a hub; none begins before the one before it ended."""
    hubs: dict[str, _Hub] = {}
    for record in recorded:
        hub = hubs.setdefault(record.at.clock, _Hub(record.at))
        hub.last = max(hub.last, record.at.mono)
        if isinstance(record.event, ClockCompared):
            hub.earliest.setdefault(record.event.clock, record.event)
            hub.latest[record.event.clock] = record.event
    shifts: dict[str, int] = {}
    before: _Hub | None = None
    for clock, hub in hubs.items():
        shift = hub.first.wall - hub.first.mono
        if before is not None:
            line = shifts[before.first.clock]
            bridged = hub.bridged(before, line)
            shift = max(shift if bridged is None else bridged, line + before.last - hub.first.mono)
        shifts[clock], before = shift, hub
    return shifts


class Sample(msgspec.Struct, frozen=True):
    """A place on a waveform in samples, true within ± `within` of them; None if the clocks were never compared."""

    at: int
    within: int | None


class _Comparison(msgspec.Struct, frozen=True, order=True):
    """At `mono` of a desk's clock the time line was `offset` ahead of it, give or take `within` nanoseconds."""

    mono: int
    offset: int
    within: int
    hub: str


class _Offsets:
    """Bounds on a clock's offset at any time, from all its comparisons, in nanoseconds.

    A bound holds wherever it was measured, and loosens by `FASTEST_PPM` with the distance from there; comparisons that
    contradict each other, because a hub came back with another wall clock, do not bind each other.
    """

    def __init__(self, comparisons: list[_Comparison]) -> None:
        entries = sorted(comparisons)
        self._monos = [entry.mono for entry in entries]
        self._hubs = [entry.hub for entry in entries]
        own = [(entry.offset - entry.within, entry.offset + entry.within) for entry in entries]
        self._after = self._carried(own, range(len(entries)))
        self._before = self._carried(own, range(len(entries) - 1, -1, -1))

    def _carried(self, own: list[tuple[int, int]], order: range) -> list[tuple[int, int]]:
        """Each comparison's bounds narrowed by those before it in this order."""
        found = list(own)
        last: int | None = None
        for place in order:
            if last is not None and self._hubs[last] == self._hubs[place]:
                found[place] = _both(own[place], self._loosened(found[last], last, self._monos[place]))
            last = place
        return found

    def _loosened(self, bounds: tuple[int, int], place: int, mono: int) -> tuple[int, int]:
        slack = abs(mono - self._monos[place]) * FASTEST_PPM // 1_000_000
        return bounds[0] - slack, bounds[1] + slack

    def at(self, mono: int) -> tuple[int, int]:
        """The least and the most by which the time line may be ahead of the clock when it shows `mono`."""
        index = bisect_left(self._monos, mono)
        if index == 0:
            return self._loosened(self._before[0], 0, mono)
        before = self._loosened(self._after[index - 1], index - 1, mono)
        if index == len(self._monos):
            return before
        after = self._loosened(self._before[index], index, mono)
        if self._hubs[index - 1] != self._hubs[index]:
            return before if mono - self._monos[index - 1] <= self._monos[index] - mono else after
        return _both(before, after)


def _both(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Return what both leave possible; the first where they contradict each other."""
    least, most = max(one[0], other[0]), min(one[1], other[1])
    return (least, most) if least <= most else one
