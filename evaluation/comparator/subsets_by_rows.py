"""Columns of an answer that can together be the reference's, by how many distinct rows they tell apart.

Taking a column more never tells fewer rows apart: a set that tells more than the reference has is given up with all that
contain it, and a full set must tell exactly as many. Sets are far fewer than orders; this serves where the map of all
combinations (`evaluation.comparator.subsets_by_count`) would be too large, and under a tolerance, where only the number of
rows can be compared with the reference.
"""

from collections.abc import Iterator
from math import comb

import numpy as np

from evaluation.comparator.value_codes import Codes
from evaluation.comparator.work_limit import WorkMeter

TABLE = 1 << 20


class SubsetsByRows:
    """Sets of columns of `b` with as many distinct rows as `a` has, and, if `exact`, columns with the same counts."""

    def __init__(self, a: Codes, b: Codes, meter: WorkMeter, *, exact: bool) -> None:
        self._meter = meter
        self._wanted = len(a)
        self._narrow = a.shape[1]
        self._exact = exact
        self._values = b
        parts = [np.unique(column, return_inverse=True) for column in b.T]
        self._dense = [places.astype(np.int64) for _, places in parts]
        self._sizes = [len(values) for values, _ in parts]
        self._profile = profile(a)
        self._seen = np.zeros(TABLE, dtype=np.bool_)
        step = 10 + len(b) // 150
        self.possible = comb(b.shape[1], self._narrow) * step < meter.limit - meter.done

    def sets(self) -> Iterator[list[int]]:
        """The columns to keep, set by set; raises OutOfWork."""
        yield from self._grow([], np.zeros(len(self._values), dtype=np.int64), 1)

    def _grow(self, kept: list[int], groups: Codes, size: int) -> Iterator[list[int]]:
        last = len(self._sizes) - (self._narrow - len(kept)) + 1
        for column in range(kept[-1] + 1 if kept else 0, last):
            joined, wide, distinct = self._joined(groups, size, column)
            if distinct > self._wanted:
                continue
            chosen = [*kept, column]
            if len(chosen) < self._narrow:
                yield from self._grow(chosen, joined, wide)
            elif distinct == self._wanted and (not self._exact or self._alike(chosen, joined)):
                yield chosen

    def _joined(self, groups: Codes, size: int, column: int) -> tuple[Codes, int, int]:
        """Rows numbered by the columns so far, the bound of these numbers, and how many there are."""
        joined = groups * self._sizes[column] + self._dense[column]
        wide = size * self._sizes[column]
        if wide <= TABLE:
            self._meter.add(5 + len(joined) // 200 + wide // 50_000)
            seen = self._seen[:wide]
            seen.fill(False)
            seen[joined] = True
            return joined, wide, int(np.count_nonzero(seen))
        self._meter.add(20 + len(joined) // 12)
        values, joined = np.unique(joined, return_inverse=True)
        return joined, len(values), len(values)

    def _alike(self, chosen: list[int], groups: Codes) -> bool:
        _, first = np.unique(groups, return_index=True)
        self._meter.add(len(groups) // 12)
        return profile(self._values[first][:, chosen]) == self._profile


def profile(rows: Codes) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Values and their counts, column by column, in an order that does not depend on that of the columns."""
    columns = (np.unique(column, return_counts=True) for column in rows.T)
    return sorted((tuple(values.tolist()), tuple(counts.tolist())) for values, counts in columns)
