"""Columns of an answer that can together be the reference's, by the corners of the cube of values are taken.

Columns of two or three values that hold every combination of a few of them say nothing until a search is ten columns
deep. But whether a set of columns has a row of one value alone, and how many of its columns have a row with another value
there and that one everywhere else, does not depend on the order of the columns, nor on rows that fall together: each set
must agree with the reference in all of it. What a set has is looked up for all sets at once: a bit per set of columns says
whether a row's places of one value contain it, and is handed down from sets to their subsets, 64 sets an instruction.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from evaluation.comparator.row_pairing import distinct_rows
from evaluation.comparator.subsets_by_rows import profile
from evaluation.comparator.value_codes import Codes, Flags
from evaluation.comparator.work_limit import WorkMeter

WIDEST = 20
VALUES = 3
AFFORDED = 300_000
CELLS = 1 << 19

Sets = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


class Corners:
    """Sets of as many columns of `b` as `a` has, with the distinct rows, counts and corners that `a` has.

    For relations without tolerance. `possible` says whether the columns are few enough and their values are.
    """

    def __init__(self, a: Codes, b: Codes, meter: WorkMeter) -> None:
        self._a, self._b = a, b
        self._meter = meter
        self._values = np.union1d(a, b).tolist()
        self._wide = b.shape[1]
        self._step = 0.5 + len(b) / 30
        self.possible = self._wide <= WIDEST and 2 <= len(self._values) <= VALUES

    def sets(self) -> Iterator[list[int]] | None:
        """The sets of columns to keep; None when so many remain that other means are better."""
        left = _sized(self._wide, self._a.shape[1])
        for value in self._values:
            left = left[_holds(self._below(value, None), left) == bool((self._a == value).all(axis=1).any())]
        for value in self._values:
            for other in self._values:
                if other != value and len(left):
                    left = left[self._neighbours(value, other, left) == _neighbours(self._a, value, other)]
        return self._fitting(left) if len(left) * self._step <= AFFORDED else None

    def _below(self, value: int, at: tuple[int, int] | None) -> Words:
        """A bit per set of columns: whether some row (with this value at this column) has `value` in all of the set."""
        rows = self._b if at is None else self._b[self._b[:, at[0]] == at[1]]
        self._meter.add(300 + rows.size // 500 + (1 << self._wide) // 1000)
        taken = np.zeros(1 << max(self._wide, 6), dtype=np.bool_)
        taken[(rows == value) @ (1 << np.arange(self._wide, dtype=np.int64))] = True
        return _handed_down(np.packbits(taken, bitorder="little").view(np.uint64), self._wide)

    def _neighbours(self, value: int, other: int, left: Sets) -> npt.NDArray[np.int64]:
        """For every set how many of its columns have a row with `other` there and `value` in the rest of the set."""
        found = np.zeros(len(left), dtype=np.int64)
        for column in range(self._wide):
            inside = np.flatnonzero(left >> column & 1)
            self._meter.add(len(left) // 100)
            found[inside] += _holds(self._below(value, (column, other)), left[inside] ^ (1 << column))
        return found

    def _fitting(self, left: Sets) -> Iterator[list[int]]:
        """Yield the choices with as many distinct rows and with the same counts in their columns."""
        wanted = profile(self._a)
        places = 2 * np.arange(self._wide, dtype=np.int64)
        rows = np.searchsorted(np.array(self._values), self._b) @ (1 << places)
        size = 1 + CELLS // len(rows)
        for start in range(0, len(left), size):
            some = left[start : start + size]
            self._meter.add(int(len(some) * self._step))
            spread = (some[:, None] >> np.arange(self._wide) & 1) @ (3 << places)
            coded = rows[None, :] & spread[:, None]
            coded.sort(axis=1)
            distinct = 1 + np.count_nonzero(coded[:, 1:] != coded[:, :-1], axis=1)
            for bits in some[distinct == len(self._a)].tolist():
                kept = [column for column in range(self._wide) if bits >> column & 1]
                if profile(self._b[distinct_rows(self._b[:, kept])][:, kept]) == wanted:
                    yield kept


def _sized(wide: int, size: int) -> Sets:
    """Return all sets of `size` columns of `wide`, as bits."""
    counts = np.zeros(1, dtype=np.int8)
    for _ in range(wide):
        counts = np.concatenate([counts, counts + np.int8(1)])
    return np.flatnonzero(counts == size)


def _handed_down(words: Words, wide: int) -> Words:
    """Every set's bit, also set for all its subsets."""
    for axis in range(min(wide, 6)):
        words |= words >> np.uint64(1 << axis) & np.uint64(sum(1 << bit for bit in range(64) if not bit >> axis & 1))
    for axis in range(6, wide):
        halves = words.reshape(-1, 2, 1 << (axis - 6))
        halves[:, 0] |= halves[:, 1]
    return words


def _holds(words: Words, sets: Sets) -> Flags:
    found: Flags = (words[sets >> 6] >> (sets & 63).astype(np.uint64) & np.uint64(1)).astype(np.bool_)
    return found


def _neighbours(rows: Codes, value: int, other: int) -> int:
    rest = (rows == value).sum(axis=1) == rows.shape[1] - 1
    return int((rows[rest] == other).any(axis=0).sum())
