"""One time line for a session whose desks each keep a clock of their own.

Every stamp names its clock. The hub's monotonic clock, anchored once at the wall clock of its first stamp, is the time
line; a desk's stamp is moved by the nearest `ClockCompared`, and the uncertainty of that comparison is stated with the
result. So a step of anybody's wall clock moves nothing, and nobody can take a guess for a measurement.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Self

import msgspec

from session.clock import Stamp
from session.events import ClockCompared, Recorded

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_YEAR = 1000  # of those that are written with four digits
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)(?: ±(\?|\d+\.\d{6}))?")


class Moment(msgspec.Struct, frozen=True):
    """A point of the time line in microseconds since 1970 (UTC), true within ± `within` microseconds.

    `within` is 0 for the hub's own clock and None where only a desk's wall clock is known, whose error is unknown.
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
        """The same in the datetime type, UTC; raises ValueError for a moment that no calendar holds."""
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
        match = _TIME.fullmatch(text)
        if not match:
            raise ValueError(f"{text!r} is no time; one reads 2026-11-21T09:30:00.000000Z ±0.000450")
        since = datetime.fromisoformat(match[1]) - _EPOCH
        at = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
        if match[2] is None:
            return cls(at)
        within = None if match[2] == "?" else int(match[2].replace(".", ""))
        if within == 0:
            raise ValueError("an uncertainty of 0 is not written")
        return cls(at, within)


def seconds(earlier: Moment, later: Moment) -> float:
    """Seconds from one moment to the other."""
    return (later.at - earlier.at) / 1_000_000


def certainly_before(first: Moment, second: Moment) -> bool:
    """Whether `first` came before `second` whatever the true times within their uncertainties; False where unknown."""
    if first.within is None or second.within is None:
        return False
    return first.at + first.within < second.at - second.within


class Timeline:
    """Places the stamps of one session; made from all of its facts."""

    def __init__(self, recorded: Sequence[Recorded]) -> None:
        self._anchors: dict[str, Stamp] = {}
        self._compared: dict[str, list[tuple[int, int, int, str]]] = {}
        for each in recorded:
            self._anchors.setdefault(each.at.clock, each.at)
            if isinstance(each.event, ClockCompared):
                event = each.event
                entry = (event.mono, event.offset, event.uncertainty, each.at.clock)
                self._compared.setdefault(event.clock, []).append(entry)
        for entries in self._compared.values():
            entries.sort()

    def place(self, stamp: Stamp) -> Moment:
        """Where `stamp` lies on the hub's time line."""
        if anchor := self._anchors.get(stamp.clock):
            return Moment((anchor.wall + stamp.mono - anchor.mono) // 1000)
        if entries := self._compared.get(stamp.clock):
            _, offset, uncertainty, hub = _nearest(entries, stamp.mono)
            anchor = self._anchors[hub]
            return Moment((anchor.wall + stamp.mono + offset - anchor.mono) // 1000, max(1, -(-uncertainty // 1000)))
        return Moment(stamp.wall // 1000, None)


def _nearest(entries: list[tuple[int, int, int, str]], mono: int) -> tuple[int, int, int, str]:
    index = bisect_left(entries, (mono,))
    around = entries[max(0, index - 1) : index + 1]
    return min(around, key=lambda entry: abs(entry[0] - mono))
