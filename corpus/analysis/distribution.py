"""Distributions in a few figures, and times of which some are only known to be longer."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

import msgspec


class Distribution(msgspec.Struct, frozen=True):
    """A distribution: count, smallest, quantiles 0.1, 0.5, 0.9, largest, mean; in the unit of its values."""

    count: int
    smallest: float
    low: float
    median: float
    high: float
    largest: float
    mean: float


def spread(values: Iterable[float | None]) -> Distribution | None:
    """The spread of the values that are known; None for none."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    low, median, high = (quantile(known, share) for share in (0.1, 0.5, 0.9))
    return Distribution(len(known), known[0], low, median, high, known[-1], sum(known) / len(known))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values, interpolated between neighbours (Hyndman and Fan 1996, definition 7)."""
    place = (len(ordered) - 1) * share
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def half_width(rate: float, trials: int) -> float:
    """95 % half-width of a rate, 1.96·√(e(1−e)/n), as a share (Boisen & Bates 1992, note 3: e .45, n 145 give .081)."""
    if trials < 1 or not 0 <= rate <= 1:
        raise ValueError(f"a rate between 0 and 1 over at least one trial, not {rate} over {trials}")
    return 1.96 * sqrt(rate * (1 - rate) / trials)


_Z95 = 1.959963984540054


def wilson(share: float, trials: int) -> tuple[float, float]:
    """95 % score interval of a share (Wilson 1927); unlike 1.96·√(e(1−e)/n) it has a width at 0 and at 1 too.

    >>> [round(end, 3) for end in wilson(1.0, 10)]
    [0.722, 1.0]
    """
    square = _Z95 * _Z95 / trials
    middle = (share + square / 2) / (1 + square)
    width = _Z95 / (1 + square) * sqrt(share * (1 - share) / trials + square / (4 * trials))
    return max(0.0, middle - width), min(1.0, middle + width)


def survival_median(times: Iterable[tuple[float, bool]]) -> float | None:
    """The median of times of which some are censored (True), by Kaplan and Meier (1958); None while half have not ended.

    Where exactly half survive for a while, the middle of that while: without censoring it is the ordinary median.

    >>> survival_median([(1.0, False), (2.0, True), (3.0, False)])
    3.0
    """
    known = list(times)
    every = sorted(time for time, _ in known)
    endings = Counter(time for time, censored in known if not censored)
    ended = sorted(endings)
    surviving = 1.0
    for place, time in enumerate(ended):
        surviving *= 1 - endings[time] / (len(every) - bisect_left(every, time))
        if abs(surviving - 0.5) < 1e-12 and place + 1 < len(ended):
            return (time + ended[place + 1]) / 2
        if surviving <= 0.5 + 1e-12:
            return time
    return None
