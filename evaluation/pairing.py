"""Whether the rows of two relations agree once it is settled which column is which.

Without tolerance that is equality of sets. With it, equality is not transitive, so that greedy answers depend on luck of
order: the rows are paired one to one by a maximum matching instead. Where one column is all that differs, both sides in
order decide it (stretches of an ascending list never nest); otherwise augmenting paths do.
"""

from collections import deque
from itertools import pairwise

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
        return list(pairwise(edges))

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
        return _Augmenting(self.window(a_rows, b_rows), len(a_rows)).run()

    def contained(self) -> bool:
        """Whether every row of `a` fits some row of `b`; several may fit the same one."""
        window = self.window(np.arange(len(self._a)), np.arange(len(self._b)))
        return all(len(window.fitting(row, window.everything)) for row in range(len(self._a)))

    def window(self, a_rows: Places, b_rows: Places) -> "Window":
        """A look-up for what fits among some rows of both sides."""
        sides = (self._a[a_rows], self._a_whole[a_rows]), (self._b[b_rows], self._b_whole[b_rows])
        return Window(self._coding, *sides, self._meter)


Side = tuple[Codes, Flags]


class Window:
    """Rows of `b` in the order of the column that narrows most, so that what may fit a row of `a` is a short stretch."""

    def __init__(self, coding: Coding, a: Side, b: Side, meter: Meter) -> None:
        self._meter = meter
        self._low, self._high = coding.low[a[0]], coding.high[a[0]]
        self._a, self._a_whole = a
        spans = []
        for column in range(a[0].shape[1]):
            there = np.sort(b[0][:, column])
            first = np.searchsorted(there, self._low[:, column], side="left")
            after = np.searchsorted(there, self._high[:, column], side="right")
            spans.append((int((after - first).sum()), column, first, after))
        spans.sort(key=lambda span: span[:2])
        _, key, self._first, self._after = spans[0]
        self._columns = [column for _, column, _, _ in spans]
        order = np.argsort(b[0][:, key], kind="stable")
        self._b, self._b_whole = np.asfortranarray(b[0][order]), np.asfortranarray(b[1][order])
        self.everything = np.ones(len(order), dtype=np.bool_)

    def fitting(self, row: int, alive: Flags) -> Places:
        """Places among the `b` rows flagged `alive` that the tuple `row` of `a` fits."""
        start, end = int(self._first[row]), int(self._after[row])
        found = np.flatnonzero(alive[start:end]) + start
        self._meter.add(8 + (end - start) // 500)
        for column in self._columns:
            if not len(found):
                break
            self._meter.add(3 + len(found) // 100)
            there = self._b[found, column]
            keep = (there >= self._low[row, column]) & (there <= self._high[row, column])
            if self._a_whole[row, column]:
                keep &= (there == self._a[row, column]) | ~self._b_whole[found, column]
            found = found[keep]
        return found


class _Augmenting:
    """Kuhn's algorithm; stops at the first tuple that cannot be placed, which settles the question."""

    def __init__(self, window: Window, rows: int) -> None:
        self._window = window
        self._rows = rows
        self._free = window.everything.copy()
        self._partner: dict[int, int] = {}

    def run(self) -> bool:
        waiting = []
        for row in range(self._rows):
            there = self._window.fitting(row, self._free)
            if len(there):
                self._partner[int(there[0])] = row
                self._free[there[0]] = False
            else:
                waiting.append(row)
        return all(self._augment(row) for row in waiting)

    def _augment(self, start: int) -> bool:
        unseen = self._window.everything.copy()
        came_from: dict[int, int] = {}
        took: dict[int, int] = {}
        queue = deque([start])
        while queue:
            row = queue.popleft()
            reached = self._window.fitting(row, unseen)
            unseen[reached] = False
            for place in reached.tolist():
                came_from[place] = row
                if place not in self._partner:
                    self._flip(place, start, came_from, took)
                    return True
                took[self._partner[place]] = place
                queue.append(self._partner[place])
        return False

    def _flip(self, place: int, start: int, came_from: dict[int, int], took: dict[int, int]) -> None:
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
