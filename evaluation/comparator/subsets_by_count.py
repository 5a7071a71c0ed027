"""Columns that an answer has too many, found by counting, when single columns and rows say nothing.

A reference of thirteen yes/no columns against an answer of twenty: every few columns hold all combinations, so that a
search by columns learns nothing until it is ten columns deep. But the columns to leave out are few sets, not many orders:
of each set it is asked whether what remains has as many distinct tuples as the reference, and columns with the same
counts. The tuples are a map of all combinations, halved with every column left out, so that a set costs microseconds.
"""

from collections.abc import Iterator
from math import prod

import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import Codes
from evaluation.comparator.work_limit import WorkMeter

CELLS = 1 << 22

Map = npt.NDArray[np.bool_] | npt.NDArray[np.uint64]
Profile = list[tuple[tuple[int, ...], tuple[int, ...]]]


class SubsetsByCount:
    """Sets of columns of `b` that, alone, have the distinct tuples and the counts that `a` has."""

    def __init__(self, a: Codes, b: Codes, meter: WorkMeter) -> None:
        self._meter = meter
        self._wanted = len(a)
        self._narrow = a.shape[1]
        a_parts = [np.unique(column, return_inverse=True, return_counts=True) for column in a.T]
        b_parts = [np.unique(column, return_inverse=True) for column in b.T]
        self._values = [values for values, _ in b_parts]
        self._dense = [places for _, places in b_parts]
        self._sizes = [len(values) for values in self._values]
        self.possible = prod(self._sizes) <= CELLS
        self._profile = sorted((tuple(values.tolist()), tuple(counts.tolist())) for values, _, counts in a_parts)
        self._even = int(np.count_nonzero(sum(places for _, places, _ in a_parts) % 2 == 0))

    def sets(self) -> Iterator[list[int]]:
        """The columns to keep, set by set; raises OutOfWork."""
        whole = np.zeros(prod(self._sizes), dtype=np.bool_)
        whole[np.ravel_multi_index(tuple(self._dense), self._sizes)] = True
        binary = len(self._sizes) > WORD_AXES and set(self._sizes) == {2}
        combinations: _Cells = _Bits(len(self._sizes)) if binary else _Cells(self._sizes)
        yield from self._drop(combinations, combinations.made(whole), 0, list(range(len(self._sizes))))

    def _drop(self, cells: "_Cells", there: Map, first: int, kept: list[int]) -> Iterator[list[int]]:
        """`there` maps the tuples of the columns `kept`, of which those before `first` are settled to stay."""
        last = len(kept) == self._narrow + 1
        self._meter.add((self._narrow + 1 - first) * (2 + there.nbytes // 2000))
        for place, distinct in cells.counts(there, kept, range(first, self._narrow + 1)):
            if distinct < self._wanted or (last and distinct > self._wanted):
                continue
            less = cells.without(there, kept, place)
            remaining = kept[:place] + kept[place + 1 :]
            if not last:
                yield from self._drop(cells, less, place, remaining)
            elif cells.even(less) in (None, self._even) and self._fits(cells, less, remaining):
                yield remaining

    def _fits(self, cells: "_Cells", there: Map, kept: list[int]) -> bool:
        profile: Profile = []
        for j, column in zip(kept, cells.columns(there, kept), strict=True):
            counts = np.bincount(column, minlength=self._sizes[j])
            used = np.flatnonzero(counts)
            profile.append((tuple(self._values[j][used].tolist()), tuple(counts[used].tolist())))
        return sorted(profile) == self._profile


class _Cells:
    """A map with a cell for every combination of values, for columns of any size."""

    def __init__(self, sizes: list[int]) -> None:
        self._sizes = sizes

    def made(self, whole: npt.NDArray[np.bool_]) -> Map:
        """The map of all columns."""
        return whole

    def without(self, there: Map, kept: list[int], place: int) -> Map:
        """The map of all columns in `kept` but the one at `place`."""
        after = prod(self._sizes[j] for j in kept[place + 1 :])
        found: Map = there.reshape(-1, self._sizes[kept[place]], after).any(axis=1).reshape(-1)
        return found

    def counts(self, there: Map, kept: list[int], places: range) -> Iterator[tuple[int, int]]:
        """For every place that may be left out, how many combinations would remain."""
        for place in places:
            yield place, int(np.count_nonzero(self.without(there, kept, place)))

    def even(self, there: Map) -> int | None:
        """Return how many combinations have values that sum to an even number, where that is known."""
        return None

    def columns(self, there: Map, kept: list[int]) -> tuple[npt.NDArray[np.intp], ...]:
        """Column by column, the places of the values of all combinations."""
        return np.unravel_index(np.flatnonzero(there), [self._sizes[j] for j in kept])


WORD_AXES = 6


class _Bits(_Cells):
    """The same for columns of two values, a bit per combination; the last six columns are within a 64-bit word.

    A column within the word is left out by folding its half onto the other, which keeps the word's layout.
    """

    def __init__(self, axes: int) -> None:
        super().__init__([2] * axes)
        self._outer = axes - WORD_AXES
        everything = np.arange(64, dtype=np.uint64)
        self._shifts = [np.uint64(1 << (WORD_AXES - 1 - axis)) for axis in range(WORD_AXES)]
        self._masks = [
            np.uint64(sum(1 << int(bit) for bit in everything if not int(bit) & int(shift))) for shift in self._shifts
        ]
        self._lowers: dict[tuple[int, int], int] = {}
        self._even = {1 << power: _even_bits(1 << power) for power in range(self._outer + 1)}

    def made(self, whole: npt.NDArray[np.bool_]) -> Map:
        return np.packbits(whole, bitorder="little").view(np.uint64)

    def without(self, there: Map, kept: list[int], place: int) -> Map:
        column = kept[place]
        if column >= self._outer:
            axis = column - self._outer
            folded: Map = (there | (there >> self._shifts[axis])) & self._masks[axis]
            return folded
        after = 1 << sum(1 for j in kept[place + 1 :] if j < self._outer)
        planes = there.reshape(-1, 2, after)
        found: Map = (planes[:, 0] | planes[:, 1]).reshape(-1)
        return found

    def counts(self, there: Map, kept: list[int], places: range) -> Iterator[tuple[int, int]]:
        bits = int.from_bytes(there.tobytes(), "little")
        words = len(there)
        outer = words.bit_length() - 1
        for place in places:
            column = kept[place]
            power = self._outer + WORD_AXES - 1 - column if column >= self._outer else WORD_AXES + outer - 1 - place
            lower = self._lowers.get((power, words)) or self._lower(power, words)
            yield place, ((bits | (bits >> (1 << power))) & lower).bit_count()

    def _lower(self, power: int, words: int) -> int:
        """The bits whose place has no 2^power in it."""
        found = (1 << (1 << power)) - 1
        for doubling in range(power + 1, (words * 64).bit_length() - 1):
            found |= found << (1 << doubling)
        self._lowers[power, words] = found
        return found

    def even(self, there: Map) -> int | None:
        return (int.from_bytes(there.tobytes(), "little") & self._even[len(there)]).bit_count()

    def columns(self, there: Map, kept: list[int]) -> tuple[npt.NDArray[np.intp], ...]:
        places = np.flatnonzero(np.unpackbits(there.view(np.uint8), bitorder="little"))
        outer = [j for j in kept if j < self._outer]
        found = [places >> (WORD_AXES + len(outer) - 1 - number) & 1 for number in range(len(outer))]
        found += [places >> (WORD_AXES - 1 - (j - self._outer)) & 1 for j in kept if j >= self._outer]
        return tuple(found)


def _even_bits(words: int) -> int:
    """A number whose bit n is set where n has an even number of ones."""
    parity = np.zeros(words * 64, dtype=np.bool_)
    places = np.arange(words * 64)
    while places.any():
        parity ^= (places & 1).astype(np.bool_)
        places >>= 1
    return int.from_bytes(np.packbits(~parity, bitorder="little").tobytes(), "little")
