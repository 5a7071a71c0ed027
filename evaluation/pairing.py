"""Whether the rows of two relations agree once it is settled which column is which.

Without tolerance that is equality of sets. With it, equality is not transitive, so that greedy answers depend on luck of
order: the rows are paired one to one by a maximum matching instead. Where one column is all that differs, both sides in
order decide it (stretches of an ascending list never nest); otherwise augmenting paths do.
"""

from collections import deque

import numpy as np
import numpy.typing as npt

from evaluation.coding import Codes, Coding, Flags

Places = npt.NDArray[np.int64]


class OutOfWork(Exception):
    """The work limit was reached before the question was settled."""


class Meter:
    """Counts the work done, in steps of about a microsecond, so that a limit is the same on every machine."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.done = 0

    def add(self, steps: int) -> None:
        """Count `steps`; raises OutOfWork beyond the limit."""
        self.done += steps
        if self.done > self.limit:
            raise OutOfWork


class Pairing:
    """Rows of `a` against the distinct rows of `b` reduced to the columns `chosen`, column by column."""

    def __init__(self, coding: Coding, chosen: list[int], meter: Meter) -> None:
        self._coding = coding
        self._meter = meter
        self._chosen = chosen
        self._a = coding.a
        rows = distinct_rows(coding.b[:, chosen])
        self.b_rows = rows
        self._b = coding.b[rows][:, chosen]
        self._a_whole = coding.a_whole
        self._b_whole = coding.b_whole[rows][:, chosen]

    def perfect(self) -> bool:
        """Whether every row of either side has a partner of its own on the other."""
        if len(self._a) != len(self._b):
            return False
        kinds = self._coding.kinds
        a_order, b_order = self._order(self._a), self._order(self._b)
        self._meter.add(len(self._a) * (1 + self._a.shape[1] // 4))
        if not np.array_equal(kinds[self._a[a_order]], kinds[self._b[b_order]]):
            return False
        if bool(self._fit(a_order, b_order).all()):
            return True
        return all(self._group(a_order[start:end], b_order[start:end]) for start, end in self._groups(a_order))

    def _order(self, rows: Codes) -> Places:
        """Rows by their classes first and their values second, so that groups of one class stand together."""
        keys = [rows[:, column] for column in reversed(range(rows.shape[1]))]
        keys += [self._coding.kinds[key] for key in keys]
        return np.lexsort(keys)

    def _groups(self, order: Places) -> list[tuple[int, int]]:
        kinds = self._coding.kinds[self._a[order]]
        cuts = np.flatnonzero((kinds[1:] != kinds[:-1]).any(axis=1)) + 1
        edges = [0, *cuts.tolist(), len(order)]
        return list(zip(edges[:-1], edges[1:], strict=True))

    def _fit(self, a_rows: Places, b_rows: Places) -> Flags:
        """Row by row (or one row against many), whether a tuple of `a` fits one of `b` in every column."""
        a, b = self._a[a_rows], self._b[b_rows]
        inside = (b >= self._coding.low[a]) & (b <= self._coding.high[a])
        found: Flags = (inside & ((a == b) | ~(self._a_whole[a_rows] & self._b_whole[b_rows]))).all(axis=-1)
        return found

    def _group(self, a_rows: Places, b_rows: Places) -> bool:
        """A perfect matching within one class: b rows that are free and fit first, then augmenting paths."""
        if bool(self._fit(a_rows, b_rows).all()):
            return True
        varying = (self._a[a_rows] != self._a[a_rows[0]]).any(axis=0) | (self._b[b_rows] != self._a[a_rows[0]]).any(axis=0)
        mixed = bool(self._a_whole[a_rows].any() and self._b_whole[b_rows].any())
        if int(varying.sum()) <= 1 and not mixed:
            return False
        return _Augmenting(self, a_rows, b_rows).run()

    def contained(self) -> bool:
        """Whether every row of `a` fits some row of `b`; several may fit the same one."""
        everything = np.arange(len(self._b))
        return all(len(self.fits_among(row, everything)) for row in range(len(self._a)))

    def fits_among(self, a_row: int, b_rows: Places) -> Places:
        """Which of `b_rows` the tuple `a_row` fits."""
        self._meter.add(10 + len(b_rows) * self._a.shape[1] // 100)
        alive = b_rows
        for column in range(self._a.shape[1]):
            code = self._a[a_row, column]
            there = self._b[alive, column]
            keep = (there >= self._coding.low[code]) & (there <= self._coding.high[code])
            if self._a_whole[a_row, column]:
                keep &= (there == code) | ~self._b_whole[alive, column]
            alive = alive[keep]
            if not len(alive):
                break
        return alive


class _Augmenting:
    """Kuhn's algorithm; stops at the first tuple that cannot be placed, which settles the question."""

    def __init__(self, pairing: Pairing, a_rows: Places, b_rows: Places) -> None:
        self._pairing = pairing
        self._a_rows = a_rows
        self._free = b_rows
        self._b_rows = b_rows
        self._partner: dict[int, int] = {}

    def run(self) -> bool:
        waiting = []
        for row in self._a_rows.tolist():
            there = self._pairing.fits_among(row, self._free)
            if len(there):
                self._take(row, int(there[0]))
            else:
                waiting.append(row)
        return all(self._augment(row) for row in waiting)

    def _take(self, a_row: int, b_row: int) -> None:
        self._partner[b_row] = a_row
        self._free = self._free[self._free != b_row]

    def _augment(self, start: int) -> bool:
        unseen = self._b_rows
        came_from: dict[int, int] = {}
        took: dict[int, int] = {}
        queue = deque([start])
        while queue:
            row = queue.popleft()
            reached = self._pairing.fits_among(row, unseen)
            for place in reached.tolist():
                came_from[place] = row
                if place not in self._partner:
                    self._flip(place, start, came_from, took)
                    return True
                took[self._partner[place]] = place
                queue.append(self._partner[place])
            unseen = unseen[~np.isin(unseen, reached)]
        return False

    def _flip(self, place: int, start: int, came_from: dict[int, int], took: dict[int, int]) -> None:
        self._free = self._free[self._free != place]
        while True:
            row = came_from[place]
            self._partner[place] = row
            if row == start:
                return
            place = took[row]


def distinct_rows(rows: Codes) -> Places:
    """Places of the first of every distinct row, ascending."""
    _, first = np.unique(pack(rows), return_index=True)
    return np.sort(first)


def pack(rows: Codes) -> Codes:
    """Every row as one number, equal where rows are equal; codes that do not fit are numbered anew on the way."""
    packed = np.zeros(len(rows), dtype=np.int64)
    size = 1
    for column in range(rows.shape[1]):
        width = int(rows[:, column].max(initial=0)) + 1
        if size * width >= 2**62:
            values, packed = np.unique(packed, return_inverse=True)
            size = len(values)
        packed = packed * width + rows[:, column]
        size *= width
    return packed
