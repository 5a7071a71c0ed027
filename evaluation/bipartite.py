"""Which rows of one side fit which of the other, as one bit set a row, and whether all can be paired.

A number fits a contiguous stretch of the other side's values, so that the bits of a column come from running unions over
its values in order: two look-ups and one exclusive or per row, whatever the tolerance. A table of 10,000 rows on
either side is narrowed by a column in milliseconds.
"""

from bisect import bisect_left, bisect_right
from collections import deque

from evaluation.coding import Coding

MOST = 40_000


class Bipartite:
    """Rows of `a` and what fits each among the rows of `b`, as far as the columns given so far tell."""

    def __init__(self, fitting: list[int], columns: int) -> None:
        self._fitting = fitting
        self._columns = columns

    @classmethod
    def complete(cls, a_rows: int, b_rows: int) -> "Bipartite":
        """Everything fits everything: no column has been looked at."""
        return cls([(1 << b_rows) - 1] * a_rows, b_rows)

    def narrowed(self, coding: Coding, i: int, j: int) -> "Bipartite":
        """The same when column `i` of `a` is column `j` of `b`."""
        places = _Places(coding, j)
        codes, whole = coding.a[:, i].tolist(), coding.a_whole[:, i].tolist()
        known = {key: places.fitting(*key) for key in set(zip(codes, whole, strict=True))}
        keys = zip(codes, whole, strict=True)
        return Bipartite([bits & known[key] for bits, key in zip(self._fitting, keys, strict=True)], self._columns)

    def alone(self) -> int | None:
        """A row of `a` that nothing fits."""
        return next((row for row, bits in enumerate(self._fitting) if not bits), None)

    def untouched(self) -> int | None:
        """A row of `b` that fits nothing."""
        union = 0
        for bits in self._fitting:
            union |= bits
        left = ((1 << self._columns) - 1) & ~union
        return (left & -left).bit_length() - 1 if left else None

    def perfect(self) -> bool:
        """Whether every row has a partner of its own: Kuhn's algorithm, stopped by the first row that finds none."""
        if len(self._fitting) != self._columns:
            return False
        free = (1 << self._columns) - 1
        partner: dict[int, int] = {}
        waiting = []
        for row in sorted(range(len(self._fitting)), key=lambda row: self._fitting[row].bit_count()):
            there = self._fitting[row] & free
            if there:
                place = (there & -there).bit_length() - 1
                partner[place] = row
                free ^= 1 << place
            else:
                waiting.append(row)
        for row in waiting:
            end = self._augment(row, free, partner)
            if end is None:
                return False
            free ^= 1 << end
        return True

    def _augment(self, start: int, free: int, partner: dict[int, int]) -> int | None:
        """Re-pair along an augmenting path from `start`; the free row of `b` that it ends in, or None."""
        unseen = (1 << self._columns) - 1
        came_from: dict[int, int] = {}
        took: dict[int, int] = {}
        queue = deque([start])
        while queue:
            row = queue.popleft()
            reached = self._fitting[row] & unseen
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
            while reached:
                low = reached & -reached
                place = low.bit_length() - 1
                reached ^= low
                came_from[place] = row
                took[partner[place]] = place
                queue.append(partner[place])
        return None


class _Places:
    """A column of `b`: for every stretch of codes the rows that hold one of them."""

    def __init__(self, coding: Coding, j: int) -> None:
        self._coding = coding
        rows: dict[int, int] = {}
        self._broken = 0
        for row, (code, whole) in enumerate(zip(coding.b[:, j].tolist(), coding.b_whole[:, j].tolist(), strict=True)):
            rows[code] = rows.get(code, 0) | 1 << row
            if not whole:
                self._broken |= 1 << row
        self._codes = sorted(rows)
        self._unions = [0]
        for code in self._codes:
            self._unions.append(self._unions[-1] | rows[code])

    def fitting(self, code: int, whole: bool) -> int:
        """The rows that fit a value of `a`; an integer fits no other integer but itself."""
        bits = self._between(int(self._coding.low[code]), int(self._coding.high[code]))
        return bits & (self._broken | self._between(code, code)) if whole else bits

    def _between(self, low: int, high: int) -> int:
        first, after = bisect_left(self._codes, low), bisect_right(self._codes, high)
        return self._unions[after] ^ self._unions[first] if after > first else 0
