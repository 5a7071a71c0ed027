"""Colours of columns and rows that any mapping must keep, for two relations with equally many distinct rows.

When no row can be lost by dropping columns, a mapping of the columns carries the rows one to one. Then a column can only
go where one with the same values in rows of the same colours stands, and a row only where one with the same values in
columns of the same colours stands; refining both in turn (as in tests of graph isomorphism) separates nearly everything
that the values alone do not. Colours are sums of mixed 64-bit numbers: equal structures always get equal colours, so
that a collision could only prune too little.
"""

import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import Codes, distinct

Colours = npt.NDArray[np.uint64]
ROUNDS = 4


def _mixed(values: npt.NDArray[np.uint64]) -> Colours:
    """The finaliser of splitmix64, value by value."""
    x = values + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Colours = x ^ (x >> np.uint64(31))
    return found


class Refinement:
    """The two relations, coded by class; both have the same number of rows and of columns."""

    def __init__(self, a: Codes, b: Codes) -> None:
        self._a = a.astype(np.uint64)
        self._b = b.astype(np.uint64)
        self.cost = 200 + a.size // 10

    def columns(self, chosen: dict[int, int]) -> list[list[int]] | None:
        """Columns of `b` for every column of `a` given those chosen already; None when nothing is left."""
        a_marks = np.zeros(self._a.shape[1], dtype=np.uint64)
        b_marks = np.zeros(self._b.shape[1], dtype=np.uint64)
        for number, (i, j) in enumerate(chosen.items(), start=1):
            a_marks[i] = b_marks[j] = number
        a_colours, b_colours = _mixed(a_marks), _mixed(b_marks)
        classes = 0
        for _ in range(ROUNDS):
            a_colours, a_rows = _round(self._a, a_colours)
            b_colours, b_rows = _round(self._b, b_colours)
            if a_rows != b_rows or not np.array_equal(np.sort(a_colours), np.sort(b_colours)):
                return None
            found = len(distinct(a_colours))
            if found == classes:
                break
            classes = found
        return [np.flatnonzero(b_colours == colour).tolist() for colour in a_colours]


def _round(codes: Colours, colours: Colours) -> tuple[Colours, int]:
    """New colours of the columns, by way of the rows', and the sum of the rows' colours."""
    rows = _mixed(_mixed(codes ^ colours).sum(axis=1))
    fresh = _mixed(rows[:, None] + codes * np.uint64(0xD1B54A32D192ED03)).sum(axis=0)
    return _mixed(fresh + colours), int(rows.sum())
