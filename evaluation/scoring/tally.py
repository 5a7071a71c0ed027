"""Right, wrong and no answer as values that add, and what is computed from them.

Rates are never averaged: tallies are added and the rate is taken once. The weighted error counts a wrong answer as `weight`
errors and a missing one as one (MADCOW 1993, section 2; the weight 2 is a choice, its note 4 measured 1.25).
"""

from math import sqrt

import msgspec

from corpus.analysis.distribution import half_width

Z95 = 1.959963984540054


class Tally(msgspec.Struct, frozen=True):
    """Counts of one group of requests."""

    right: int = 0
    wrong: int = 0
    none: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.right + other.right, self.wrong + other.wrong, self.none + other.none)

    @property
    def total(self) -> int:
        """All requests; a missing answer is one of them."""
        return self.right + self.wrong + self.none

    def weighted_error(self, weight: float = 2.0) -> float | None:
        """#no answer + weight · #wrong, in per cent of the requests; None for none."""
        return 100 * (self.none + weight * self.wrong) / self.total if self.total else None

    def score(self, weight: float = 2.0) -> float | None:
        """100 − weighted error; −100 when all is wrong at weight 2."""
        error = self.weighted_error(weight)
        return None if error is None else 100 - error

    def share(self, count: int) -> float | None:
        """A count in per cent of the requests."""
        return 100 * count / self.total if self.total else None

    def weighted_half_width(self, weight: float = 2.0) -> float | None:
        """95 % half-width of the weighted error from its own variance, in per cent; it is not binomial."""
        if not self.total:
            return None
        mean = (self.none + weight * self.wrong) / self.total
        square = (self.none + weight * weight * self.wrong) / self.total
        return 100 * Z95 * sqrt(max(0.0, square - mean * mean) / self.total)


def difference_half_width(rate: float, trials: int) -> float:
    """95 % half-width of the difference of two independent such rates: √2 times that of one."""
    return sqrt(2) * half_width(rate, trials)
