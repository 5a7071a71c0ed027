"""Which columns an answer has too many, found by counting, when single columns and rows say nothing.

A reference of thirteen yes/no columns against an answer of twenty: every few columns hold all combinations, so that a
search by columns learns nothing until it is ten columns deep. But the columns to leave out are few sets, not many orders:
of each set it is asked whether what remains has as many distinct tuples as the reference, and columns with the same
counts. The tuples are a map of all combinations, halved with every column left out, so that a set costs microseconds.
"""

from collections.abc import Iterator
from math import prod

import numpy as np
import numpy.typing as npt

from evaluation.coding import Codes
from evaluation.pairing import Meter

CELLS = 1 << 22

Map = npt.NDArray[np.bool_]

class Dropping:
    """Sets of columns of `b` that, alone, have the distinct tuples and the counts that `a` has."""

    def __init__(self, a: Codes, b: Codes, meter: Meter) -> None:
        self._meter = meter
        self._wanted = len(a)
        self._narrow = a.shape[1]
        self._values, dense = zip(*(np.unique(b[:, j], return_inverse=True) for j in range(b.shape[1])), strict=True)
        self._sizes = [len(values) for values in self._values]
        self.possible = prod(self._sizes) <= CELLS
        self._dense: tuple[Codes, ...] = dense
        columns = (np.unique(a[:, i], return_counts=True) for i in range(a.shape[1]))
        self._profile = sorted((tuple(values.tolist()), tuple(counts.tolist())) for values, counts in columns)

    def sets(self) -> Iterator[list[int]]:
        """The columns to keep, set by set; raises OutOfWork."""
        whole = np.zeros(prod(self._sizes), dtype=np.bool_)
        whole[np.ravel_multi_index(self._dense, self._sizes)] = True
        yield from self._drop(whole, 0, list(range(len(self._sizes))))

    def _drop(self, there: Map, first: int, kept: list[int]) -> Iterator[list[int]]:
        """`there` maps the tuples of the columns `kept`, of which those before `first` are settled to stay."""
        last = len(kept) == self._narrow + 1
        after = prod(self._sizes[j] for j in kept[first:])
        self._meter.add((self._narrow + 1 - first) * (3 + len(there) // 4000))
        for place in range(first, self._narrow + 1):
            size = self._sizes[kept[place]]
            after //= size
            planes = there.reshape(-1, size, after)
            less = (planes[:, 0] | planes[:, 1] if size == 2 else planes.any(axis=1)).reshape(-1)
            distinct = np.count_nonzero(less)
            if distinct < self._wanted:
                continue
            remaining = kept[:place] + kept[place + 1 :]
            if not last:
                yield from self._drop(less, place, remaining)
            elif distinct == self._wanted and self._profile_of(less, remaining) == self._profile:
                yield remaining

    def _profile_of(self, there: Map, kept: list[int]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        places = np.unravel_index(np.flatnonzero(there), [self._sizes[j] for j in kept])
        profile = []
        for j, column in zip(kept, places, strict=True):
            counts = np.bincount(column, minlength=self._sizes[j])
            used = np.flatnonzero(counts)
            profile.append((tuple(self._values[j][used].tolist()), tuple(counts[used].tolist())))
        return sorted(profile)
