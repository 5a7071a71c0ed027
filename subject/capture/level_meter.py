"""Level meter, and stretches of clipping and of silence: how loud it is, and where it is too loud or dead."""

from collections.abc import Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from subject.capture.level import CLIPPED, Level

Samples = npt.NDArray[np.int16]

DEAD = 3
"""A muted or broken microphone stays within so many units of the last bit; the quietest room does not."""


class LevelStretch(msgspec.Struct, frozen=True):
    """`samples` samples from `start` on."""

    start: int
    samples: int


class StretchFinder:
    """Finds stretches of marked samples over blocks: at least `shortest` samples from first to last, at least `marked` of
    them marked, interruptions of up to `bridge` samples included."""

    def __init__(self, shortest: int, bridge: int = 0, marked: int = 1) -> None:
        self._shortest, self._bridge, self._marked = shortest, bridge, marked
        self._open: tuple[int, int, int] | None = None

    def feed(self, first: int, mask: npt.NDArray[np.bool_]) -> Iterator[LevelStretch]:
        """Look through the samples from number `first` on; gives the stretches that ended."""
        places = np.flatnonzero(mask)
        if len(places):
            cuts = np.flatnonzero(np.diff(places) > self._bridge + 1) + 1
            for run in np.split(places, cuts):
                yield from self._run(first + int(run[0]), first + int(run[-1]) + 1, len(run))
        if self._open is not None and first + len(mask) - self._open[1] > self._bridge:
            yield from self.finish()

    def _run(self, start: int, end: int, count: int) -> Iterator[LevelStretch]:
        if self._open is not None and start - self._open[1] <= self._bridge:
            self._open = (self._open[0], end, self._open[2] + count)
            return
        yield from self.finish()
        self._open = (start, end, count)

    def finish(self) -> Iterator[LevelStretch]:
        """End an open stretch."""
        found, self._open = self._open, None
        if found is not None and found[1] - found[0] >= self._shortest and found[2] >= self._marked:
            yield LevelStretch(found[0], found[1] - found[0])


def clipping(rate: int) -> StretchFinder:
    """Three or more samples at full scale, with less than 50 ms between neighbours, are one stretch."""
    return StretchFinder(shortest=3, bridge=rate // 20, marked=3)


def silence(rate: int, shortest_ms: int) -> StretchFinder:
    """`shortest_ms` without a single sample above the `DEAD` level."""
    return StretchFinder(shortest=rate * shortest_ms // 1000)


def is_clipped(samples: Samples) -> npt.NDArray[np.bool_]:
    """Marks the samples at either end of the scale."""
    return (samples >= CLIPPED) | (samples <= -CLIPPED)


def is_dead(samples: Samples) -> npt.NDArray[np.bool_]:
    """Marks the samples that a muted microphone could have given."""
    return (samples <= DEAD) & (samples >= -DEAD)


class SampleMeter:
    """Gathers samples of one channel and gives a `Level` for every 100 ms."""

    def __init__(self, letter: str, rate: int) -> None:
        self._letter, self._window = letter, rate // 10
        self._gathered: list[Samples] = []
        self._count = 0

    def feed(self, end: int, samples: Samples) -> Level | None:
        """Take in the samples before number `end` of the stream; gives the level when 100 ms are full."""
        self._gathered.append(samples)
        self._count += len(samples)
        if self._count < self._window:
            return None
        window = np.concatenate(self._gathered).astype(np.float32) / 32_768
        self._gathered.clear()
        self._count = 0
        return Level(self._letter, end, float(np.abs(window).max()), float(np.sqrt(np.mean(window * window))))
