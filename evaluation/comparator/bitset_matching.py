"""Matching of the rows of one side with those of the other, as one bit set a row, and whether all can be paired.

A number fits a contiguous stretch of the other side's values, so that the bits of a column come from running unions over
its values in order: two look-ups and one exclusive or per row, whatever the tolerance. Rows are looked at only as far as
the matching needs them.
"""

from bisect import bisect_left, bisect_right
from collections import deque
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import Codes, PairCodes
from evaluation.comparator.work_limit import WorkMeter

MOST = 40_000
LOOK = 30
FEW = 12
WORTH = 40_000
SAMPLE = 100


Pairs = npt.NDArray[np.int64]


class Bipartite:
    """Rows of `a` and what fits each among the rows of `b`, columns standing in the same order.

    `pairs` are row numbers of both sides that are known to fit, with which a matching begins.
    """

    def __init__(
        self, coding: PairCodes, pairs: tuple[Pairs, Pairs], meter: WorkMeter, known: "PreparedColumns"
    ) -> None:
        self._coding = coding
        self._meter = meter
        self._ready = known
        self._everything = (1 << len(coding.b)) - 1
        self._known: dict[int, int] = {}
        self._stretches: list[_Stretches] = []
        self._partner = dict(zip(pairs[1].tolist(), pairs[0].tolist(), strict=True))
        paired = set(self._partner.values())
        self._waiting = [row for row in range(len(coding.a)) if row not in paired]
        self._free = self._everything
        for place in self._partner:
            self._free ^= 1 << place

    def fitting(self, row: int) -> int:
        """The rows of `b` that fit this one of `a`, a bit each."""
        bits = self._known.get(row)
        if bits is None:
            bits = self._everything
            for number in range(len(self._order)):
                bits &= self._stretch(number).fitting(row)
                left = len(self._order) - 1 - number
                if not bits or (left * len(self._coding.b) > WORTH and bits.bit_count() <= FEW):
                    bits = self._checked(row, bits)
                    break
            self._meter.add(5 + number)
            self._known[row] = bits
        return bits

    def _checked(self, row: int, bits: int) -> int:
        """Return which of a few rows fit this one in all columns, each compared by itself."""
        places = []
        while bits:
            low = bits & -bits
            bits ^= low
            places.append(low.bit_length() - 1)
        if not places:
            return 0
        low_codes, high_codes = self._bounds
        there, whole = self._coding.b[places], self._coding.a_whole[row]
        fits = (there >= low_codes[row]) & (there <= high_codes[row])
        if whole.any():
            fits &= (there == self._coding.a[row]) | ~(whole & self._coding.b_whole[places])
        return sum(1 << place for place, good in zip(places, fits.all(axis=1).tolist(), strict=True) if good)

    @cached_property
    def _bounds(self) -> tuple[Codes, Codes]:
        codes = np.ascontiguousarray(self._coding.a)
        self._meter.add(codes.size // 100)
        return self._coding.low[codes], self._coding.high[codes]

    @cached_property
    def _order(self) -> list[int]:
        """The columns, those first of whose values the fewest fit: then few rows are left after a few columns."""
        codes = self._coding.a[:: 1 + len(self._coding.a) // SAMPLE]
        there = self._coding.b[:: 1 + len(self._coding.b) // SAMPLE]
        fits = (there[:, None] >= self._coding.low[codes]) & (there[:, None] <= self._coding.high[codes])
        return np.argsort(fits.mean(axis=(0, 1)), kind="stable").tolist()  # type: ignore[no-any-return]

    def _stretch(self, number: int) -> "_Stretches":
        """The column that is the `number`th to look at, made ready when it is first asked."""
        if number == len(self._stretches):
            column = self._order[number]
            self._stretches.append(_Stretches(self._coding, column, self._ready.places(self._coding, column)))
        return self._stretches[number]

    def alone(self) -> int | None:
        """A row of `a` that nothing fits; the first are looked up without making the bits of whole columns."""
        first = self._waiting
        if len(first) > LOOK:
            first = sorted(first, key=self._ready.hardness(self._coding).__getitem__)[:LOOK]
        for row in first:
            if not self._fits_any(row):
                return row
        return next((row for row in self._waiting if not self.fitting(row)), None)

    def _fits_any(self, row: int) -> bool:
        coding = self._coding
        fits = np.ones(len(coding.b), dtype=np.bool_)
        self._meter.add(2 + coding.b.size // 1000)
        for column, (code, whole) in enumerate(zip(coding.a[row].tolist(), coding.a_whole[row].tolist(), strict=True)):
            fits &= coding.fits(code, whole, column)
        return bool(fits.any())

    def untouched(self, look: int = LOOK) -> int | None:
        """A row of `b` that fits nothing, among the first `look` of those not paired yet."""
        left = self._free
        for _ in range(look):
            if not left:
                break
            row = (left & -left).bit_length() - 1
            left &= left - 1
            fits = np.ones(len(self._coding.a), dtype=np.bool_)
            self._meter.add(2 + self._coding.a.size // 1000)
            for column in range(self._coding.a.shape[1]):
                code, whole = int(self._coding.b[row, column]), bool(self._coding.b_whole[row, column])
                fits &= self._coding.fitted_by(code, whole, column)
            if not fits.any():
                return row
        return None

    def perfect(self) -> bool:
        """Return whether every row of `a` has a partner of its own: Kuhn's algorithm, stopped by the first that finds none.

        Rows of `b` may be left over only where they may count as one with others.
        """
        if len(self._coding.a) != len(self._coding.b) and not self._coding.merging:
            return False
        hard = []
        for row in self._waiting:
            there = self.fitting(row) & self._free
            if there:
                place = (there & -there).bit_length() - 1
                self._partner[place] = row
                self._free ^= 1 << place
            else:
                hard.append(row)
        for row in hard:
            end = self._augment(row)
            if end is None:
                return False
            self._free ^= 1 << end
        return True

    def _augment(self, start: int) -> int | None:
        """Re-pair along an augmenting path from `start`; the free row of `b` that it ends in, or None."""
        unseen, free, partner = self._everything, self._free, self._partner
        came_from: dict[int, int] = {}
        took: dict[int, int] = {}
        queue = deque([start])
        while queue:
            row = queue.popleft()
            reached = self.fitting(row) & unseen
            if reached & free:
                end = ((reached & free) & -(reached & free)).bit_length() - 1
                place = end
                partner[place] = row
                while row != start:
                    place = took[row]
                    row = came_from[place]
                    partner[place] = row
                return end
            unseen &= ~reached
            self._meter.add(reached.bit_count())
            while reached:
                low = reached & -reached
                place = low.bit_length() - 1
                reached ^= low
                came_from[place] = row
                took[partner[place]] = place
                queue.append(partner[place])
        return None


class PreparedColumns:
    """Columns of `b` made ready once for a whole search, as long as no mapping makes rows of `b` equal."""

    def __init__(self, rows: int, meter: WorkMeter) -> None:
        self._rows = rows
        self._meter = meter
        self._ready: dict[int, _CodePlaces] = {}
        self._hardness: list[float] | None = None

    def hardness(self, coding: PairCodes) -> list[float]:
        """For every row of `a` how few values fit its own, whichever column is which; the least is the hardest."""
        if self._hardness is None:
            self._meter.add(1 + coding.a.size // 10)
            there = np.sort(coding.b.ravel())
            first = np.searchsorted(there, coding.low[coding.a], side="left")
            after = np.searchsorted(there, coding.high[coding.a], side="right")
            self._hardness = np.log(np.maximum(after - first, 1)).sum(axis=1).tolist()
        return self._hardness

    @cached_property
    def _single(self) -> list[int]:
        return [1 << row for row in range(self._rows)]

    def places(self, coding: PairCodes, column: int) -> "_CodePlaces":
        """The column made ready."""
        origin = coding.b_columns[column]
        found = self._ready.get(origin) if len(coding.b) == self._rows else None
        if found is None:
            self._meter.add(len(coding.b))
            found = _CodePlaces(coding, column, self._single)
            if len(coding.b) == self._rows:
                self._ready[origin] = found
        return found


class _CodePlaces:
    """A column of `b`: its codes in order, and the rows that hold one of the first so many; `single` are the rows' bits."""

    def __init__(self, coding: PairCodes, j: int, single: list[int]) -> None:
        codes = coding.b[:, j]
        order = np.argsort(codes, kind="stable")
        distinct, starts = np.unique(codes[order], return_index=True)
        self.codes: list[int] = distinct.tolist()
        ends = [*starts[1:].tolist(), len(codes)]
        rows = order.tolist()
        self.unions: list[int] = [0]
        union = start = 0
        for end in ends:
            for row in rows[start:end]:
                union |= single[row]
            self.unions.append(union)
            start = end
        packed = np.packbits(~coding.b_whole[:, j], bitorder="little")
        self._broken = int.from_bytes(packed.tobytes(), "little")

    def holding(self, code: int) -> int:
        """The rows that hold this code, or that are no integers."""
        first, after = bisect_left(self.codes, code), bisect_right(self.codes, code)
        return self._broken | (self.unions[after] ^ self.unions[first])


class _Stretches:
    """The rows of `b` that fit each row of `a` in one column."""

    def __init__(self, coding: PairCodes, column: int, places: _CodePlaces) -> None:
        self._codes = coding.a[:, column]
        self._whole = coding.a_whole[:, column]
        self._places = places
        self._unions: list[int] = places.unions
        self._first = np.searchsorted(places.codes, coding.low[self._codes], side="left").tolist()
        self._after = np.searchsorted(places.codes, coding.high[self._codes], side="right").tolist()

    def fitting(self, row: int) -> int:
        """The rows of `b` that fit; an integer fits no other integer but itself."""
        bits: int = self._unions[self._after[row]] ^ self._unions[self._first[row]]
        if self._whole[row]:
            bits &= self._places.holding(int(self._codes[row]))
        return bits
