"""Candidates for each column of one relation in the other, judged by the column alone.

This first cut decides most comparisons: in real answers a column of flight numbers and one of prices share no values. It
also drops columns of the answer that fit nowhere, and with them the rows that only they kept apart.
"""

from copy import copy

import numpy as np

from evaluation.comparator.row_pairing import distinct_rows
from evaluation.comparator.value_codes import Codes, Flags, PairCodes, distinct


def candidates(coding: PairCodes, *, both: bool) -> tuple[PairCodes, list[list[int]]]:
    """For every column of `a` the columns of `b` that it may be, in a coding without those that fit nowhere.

    With `both`, every value of the column of `b` must have a counterpart too.
    """
    while True:
        found = _fitting(coding, both)
        used = sorted({j for row in found for j in row})
        if not all(found) or len(used) == coding.b.shape[1]:
            return coding, found
        coding = reduced(coding, used)


def reduced(coding: PairCodes, used: list[int]) -> PairCodes:
    """Return the coding with only some columns of `b`, and with the rows that these still tell apart."""
    fresh = copy(coding)
    rows = distinct_rows(coding.b[:, used])
    fresh.b = np.asfortranarray(coding.b[rows][:, used])
    fresh.b_whole = np.asfortranarray(coding.b_whole[rows][:, used])
    fresh.b_columns = [coding.b_columns[j] for j in used]
    fresh.b_rows = [coding.b_rows[row] for row in rows.tolist()]
    return fresh


def _fitting(coding: PairCodes, both: bool) -> list[list[int]]:
    a = [_Column(coding, coding.a[:, i]) for i in range(coding.a.shape[1])]
    b = [_Column(coding, coding.b[:, j]) for j in range(coding.b.shape[1])]
    excess = len(coding.b) - len(coding.a) if both else None
    if excess is not None and excess < 0:
        return [[] for _ in a]
    return [[j for j, there in enumerate(b) if here.may_be(there, both, excess)] for here in a]


class _Column:
    """Facts asked of a column again and again: its values in order, and how many rows hold each."""

    def __init__(self, coding: PairCodes, codes: Codes) -> None:
        self._coding = coding
        self._rows = len(codes)
        self._kinds, self._kind_counts = np.unique(coding.kinds[codes], return_counts=True)
        self._values = distinct(codes) if coding.fuzzy else self._kinds
        self._sorted = np.sort(codes) if coding.fuzzy else self._kinds

    def may_be(self, there: "_Column", both: bool, excess: int | None) -> bool:
        if not both:
            return self._inside(there)
        if not np.array_equal(self._kinds, there._kinds):
            return False
        if len(there._values) > self._rows and not self._coding.merging:
            return False
        if not self._coding.fuzzy:
            lost = there._kind_counts - self._kind_counts
            return excess is None or bool(lost.min() >= 0 and lost.max() <= excess)
        if excess == 0:
            return bool(self._fits(self._sorted, there._sorted).all())
        return self._inside(there) and self._around(there)

    def _fits(self, a: Codes, b: Codes) -> Flags:
        found: Flags = (b >= self._coding.low[a]) & (b <= self._coding.high[a])
        return found

    def _inside(self, there: "_Column") -> bool:
        """Every value here fits one there."""
        first = np.searchsorted(there._values, self._coding.low[self._values], side="left")
        after = np.searchsorted(there._values, self._coding.high[self._values], side="right")
        return bool((after > first).all())

    def _around(self, there: "_Column") -> bool:
        """Every value there is fitted by one here."""
        first = np.searchsorted(self._values, self._coding.back_low[there._values], side="left")
        after = np.searchsorted(self._values, self._coding.back_high[there._values], side="right")
        return bool((after > first).all())
