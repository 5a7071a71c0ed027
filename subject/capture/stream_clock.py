"""Clock of a stream: when a sample was captured, told from the count of samples and the monotonic clock alone.

Arrival times jitter by tens of milliseconds and PortAudio's own stamps are wrong on some hosts, but no block can arrive
before its last frame was captured. So the earliest arrival, relative to the count, within the last seconds ties the stream to
the clock; when even the earliest one falls behind and stays there, that much sound is missing from the stream although
nobody flagged it: the one way to notice a recording that is silently too short.
"""

from collections import deque

import msgspec

from session.values.clock import MILLISECOND, SECOND

_BUCKET = SECOND
_KEPT = 5
_TIGHT, _SMALL, _LARGE = 5 * MILLISECOND, 15 * MILLISECOND, 60 * MILLISECOND
_SOON, _LATER = 2 * SECOND, 10 * SECOND


class MissingSound(msgspec.Struct, frozen=True):
    """About `samples` samples before `at_sample` never came, by the clock."""

    at_sample: int
    samples: int


class StreamClock:
    """Ties the samples of one stream to the monotonic clock.

    `rate` in Hz; `latency_ns` as the device reports it: a sample was captured at its earliest arrival less that, and the
    stated uncertainty is never below it. Sound is missing when every block of two seconds is more than 60 ms behind, or of
    ten seconds more than 15 ms; after a loss that the device flagged (`suspect`), of two seconds more than 5 ms.
    """

    def __init__(self, rate: int, latency_ns: int = 0) -> None:
        self.rate, self.latency_ns = rate, latency_ns
        self._suspected = False
        self._minima: deque[tuple[int, int]] = deque(maxlen=_KEPT)
        self._behind: tuple[int, int, int] | None = None
        self._first: tuple[int, int] | None = None
        self._last_arrival = 0

    @property
    def running(self) -> bool:
        """Return whether any block has come."""
        return bool(self._minima)

    @property
    def behind(self) -> bool:
        """Return whether the stream is late by more than jitter explains, or has lost sound: nobody knows yet which."""
        return self._behind is not None and self._behind[2] - self._earliest() > _LARGE

    @property
    def last_arrival_ns(self) -> int:
        """The clock at the last block."""
        return self._last_arrival

    @property
    def start_ns(self) -> int:
        """Return the moment at which the stream began, by what arrives now and the count: it moves on by whatever goes missing,
        before that is beyond doubt."""
        return self._behind[2] if self._behind is not None else self._minima[-1][1]

    @property
    def uncertainty_ns(self) -> int:
        """Half the width within which a sample's moment lies: the device's latency, the spread of the earliest arrivals, and
        how far a stream is behind of which nobody knows yet whether it is late or has lost sound."""
        minima = [minimum for _, minimum in self._minima]
        doubt = self._behind[2] - min(minima) if self._behind else 0
        if len(minima) < 2:
            return self.latency_ns + doubt
        # A drifting stream has gone on by as much again since the earliest arrival of its newest second.
        return self.latency_ns + (max(minima) - min(minima)) * len(minima) // (len(minima) - 1) + doubt

    def feed(self, total: int, arrival_ns: int) -> MissingSound | None:
        """A block came whose last frame is frame `total` of the stream; gives a gap once it is beyond doubt."""
        offset = arrival_ns - total * SECOND // self.rate
        self._last_arrival = arrival_ns
        if self._minima and offset - self._earliest() > (_TIGHT if self._suspected else _SMALL):
            return self._falls_behind(total, arrival_ns, offset)
        self._behind, self._suspected = None, False
        self._keep(arrival_ns, offset)
        return None

    def _earliest(self) -> int:
        return min(minimum for _, minimum in self._minima)

    def _keep(self, arrival_ns: int, offset: int) -> None:
        if not self._minima or arrival_ns - self._minima[-1][0] >= _BUCKET:
            self._minima.append((arrival_ns, offset))
        else:
            self._minima[-1] = (self._minima[-1][0], min(self._minima[-1][1], offset))
        if self._first is None:
            self._first = (arrival_ns, offset)
        elif arrival_ns - self._first[0] < _BUCKET:
            self._first = (self._first[0], min(self._first[1], offset))

    def suspect(self) -> None:
        """The device says that it lost something just now; how much, the next seconds will tell."""
        self._suspected = True

    def _falls_behind(self, total: int, arrival_ns: int, offset: int) -> MissingSound | None:
        since, began, least = self._behind or (total, arrival_ns, offset)
        self._behind = (since, began, min(least, offset))
        surely = self._suspected or least - self._earliest() > _LARGE
        return self.settle(_SOON if surely else _LATER)

    def settle(self, lasting_ns: int = SECOND // 5) -> MissingSound | None:
        """The gap of a stream that has been behind for that long, after which the stream counts as being on time again."""
        if self._behind is None or self._last_arrival - self._behind[1] < lasting_ns:
            return None
        since, began, least = self._behind
        missing = MissingSound(since, (least - self._earliest()) * self.rate // SECOND)
        self._minima.clear()
        self._minima.append((began, least))
        self._first = (began, least)
        self._behind, self._suspected = None, False
        return missing

    def skip(self, samples: int) -> None:
        """So many samples are known to have been lost: the stream is not behind because of them."""
        shift = samples * SECOND // self.rate
        self._minima = deque(((moment, minimum + shift) for moment, minimum in self._minima), maxlen=_KEPT)
        if self._first is not None:
            self._first = (self._first[0], self._first[1] + shift)

    def time_of(self, sample: int) -> int:
        """Return the moment at which sample number `sample` of the stream was captured, in nanoseconds of the monotonic clock."""
        return self._earliest() + sample * SECOND // self.rate - self.latency_ns

    def sample_at(self, moment_ns: int) -> int:
        """The number of the sample captured at that moment, on the stream's own count."""
        return (moment_ns - self._earliest() + self.latency_ns) * self.rate // SECOND

    def drift_ppm(self) -> float | None:
        """Return how much slower than nominal the device's clock runs, in parts in a million; None before ten seconds."""
        if self._first is None or self._last_arrival - self._first[0] < 10 * SECOND:
            return None
        moment, minimum = self._minima[-1]
        return (minimum - self._first[1]) * 1e6 / (moment - self._first[0])
