"""Counts of right, wrong, no answer and undecided that add up, with the rates computed from them.

Rates are never averaged: tallies are added and the rate is taken once. The weighted error counts a wrong answer as `weight`
errors and a missing one as one (MADCOW 1993, section 2; the weight 2 is a choice, its note 4 measured 1.25). An answer that
the Comparator left undecided counts as wrong, the worst that it can be; what that costs at most is told beside it.
"""

from math import sqrt

import msgspec

from corpus.analysis.distribution import half_width, wilson


class Tally(msgspec.Struct, frozen=True):
    """Counts of one group of requests."""

    right: int = 0
    wrong: int = 0
    none: int = 0
    undecided: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.right + other.right,
            self.wrong + other.wrong,
            self.none + other.none,
            self.undecided + other.undecided,
        )

    @property
    def total(self) -> int:
        """Return all requests; a missing answer is one of them."""
        return self.right + self.wrong + self.none + self.undecided

    def weighted_error(self, weight: float = 2.0) -> float | None:
        """#no answer + weight · (#wrong + #undecided), in per cent of the requests; None for none."""
        return 100 * (self.none + weight * (self.wrong + self.undecided)) / self.total if self.total else None

    def score(self, weight: float = 2.0) -> float | None:
        """100 − weighted error; −100 when all is wrong at weight 2."""
        error = self.weighted_error(weight)
        return None if error is None else 100 - error

    def share(self, count: int) -> float | None:
        """A count in per cent of the requests."""
        return 100 * count / self.total if self.total else None

    def right_interval(self) -> tuple[float, float] | None:
        """95 % interval of the share that is right, in per cent (Wilson 1927)."""
        return _percent(wilson(self.right / self.total, self.total)) if self.total else None

    def weighted_interval(self, weight: float = 2.0) -> tuple[float, float] | None:
        """95 % interval of the weighted error, in per cent.

        It is not a share: its values are 0, 1 and `weight`. Divided by the largest of them it is the mean of values between 0
        and 1, whose variance is at most that of a share, so that Wilson's interval is at least as wide as it has to be.
        """
        error, most = self.weighted_error(weight), max(weight, 1.0)
        if error is None:
            return None
        low, high = wilson(error / 100 / most, self.total)
        return _percent((low * most, high * most))


def _percent(interval: tuple[float, float]) -> tuple[float, float]:
    return 100 * interval[0], 100 * interval[1]


def difference_half_width(rate: float, trials: int) -> float:
    """95 % half-width of the difference of two independent such rates: √2 times that of one."""
    return sqrt(2) * half_width(rate, trials)
