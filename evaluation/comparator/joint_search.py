"""Which column is which and which row is which, narrowed down together.

Where many columns hold the same few values, neither columns nor rows alone tell anything: a cut of yes/no columns out of a
larger table (an answer within its maximum), or the incidence of points and blocks of a design. Asked together they do. A state
says where each column of `a` may go and which rows of the other side each *tracked* row may be. Both are narrowed in turn:

* columns that may go to the same places form a group, and a row keeps a partner only if, group by group, the partner has every
  value at least as often; so a few rows that are settled split the columns into ever smaller groups;
* a column may go only where every tracked row has some partner with the same value;
* places that one column has for itself are taken from the others.

What is left is settled by trying the row or the column with the fewest choices. Values are compared by a few bins of their
classes, which is coarser than they are; a complete mapping is therefore checked by the caller, exactly.
"""

from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import Codes, Flags
from evaluation.comparator.work_limit import Meter

BINS = 8
TRACKED = 96
"""Rows of each side that are followed: more narrow a state further and make each step dearer; 96 was best of 24 to 256 over
the designs and maxima of `benchmarks/adversarial.py`."""

Bins = npt.NDArray[np.int8]


class State(msgspec.Struct):
    """Where each column of `a` may go, and for each tracked row of `a` and of `b` the rows that it may be."""

    places: Flags
    forward: Flags
    backward: Flags | None


class JointSearch:
    """A search over classes of values; `both` asks that every row of `b` have a partner too."""

    def __init__(self, a: Codes, b: Codes, open_: Sequence[Sequence[int]], meter: Meter, *, both: bool) -> None:
        values = np.union1d(a, b)
        self._a, self._b = (np.searchsorted(values, codes).astype(np.int64) % BINS for codes in (a, b))
        self._count = min(BINS, len(values))
        self._meter = meter
        self._open = open_
        self._both = both
        self._square = a.shape[1] == b.shape[1]
        self._a_rows = self._a[_telling(self._a)]
        self._b_rows = self._b[_telling(self._b)] if both else None
        self._a_is = [(self._a == value) for value in range(self._count)]
        self._b_is = [(self._b == value) for value in range(self._count)]

    def find(self, holds: Callable[[list[int]], bool]) -> list[int] | None:
        """The first mapping that holds, or None when there is none; raises OutOfWork."""
        places = np.zeros((self._a.shape[1], self._b.shape[1]), dtype=np.bool_)
        for i, there in enumerate(self._open):
            places[i, list(there)] = True
        forward = np.ones((len(self._a_rows), len(self._b)), dtype=np.bool_)
        backward = None if self._b_rows is None else np.ones((len(self._b_rows), len(self._a)), dtype=np.bool_)
        return self._descend(State(places, forward, backward), holds)

    def _descend(self, state: State, holds: Callable[[list[int]], bool]) -> list[int] | None:
        if not self._narrowed(state):
            return None
        sizes = state.places.sum(axis=1)
        if (sizes == 1).all():
            mapping: list[int] = state.places.argmax(axis=1).tolist()
            self._meter.add(100)
            return mapping if holds(mapping) else None
        for choice in self._choices(state, sizes):
            found = self._descend(choice, holds)
            if found is not None:
                return found
        return None

    def _choices(self, state: State, sizes: Codes) -> "Sequence[State] | _Choices":
        return _Choices(self, state, sizes)

    def _narrowed(self, state: State) -> bool:
        """Narrow a state until nothing changes; False where nothing is left of a row or a column."""
        while True:
            before = int(state.places.sum())
            if not self._apart(state.places) or not self._rows(state):
                return False
            self._columns(state)
            if not state.places.any(axis=1).all():
                return False
            if int(state.places.sum()) == before:
                return True

    def _apart(self, places: Flags) -> bool:
        """Take from others what is one column's only place; with as many columns, what only one column can take is its own."""
        while True:
            before = int(places.sum())
            single = places.sum(axis=1) == 1
            taken = places[single].sum(axis=0)
            if (taken > 1).any():
                return False
            places[~single] &= taken == 0
            if self._square:
                wanted = places.sum(axis=0)
                if (wanted == 0).any():
                    return False
                own = places & (wanted == 1)
                rows = own.any(axis=1)
                if (own.sum(axis=1) > 1).any():
                    return False
                places[rows] = own[rows]
            if not places.any(axis=1).all():
                return False
            if int(places.sum()) == before:
                return True

    def _rows(self, state: State) -> bool:
        """Leave each tracked row only partners that have, group by group, every value often enough."""
        groups, which = np.unique(state.places, axis=0, return_inverse=True)
        which = which.ravel()
        for number, there in enumerate(groups):
            members = which == number
            for value in range(self._count):
                here = (self._a_rows[:, members] == value).sum(axis=1)
                if here.any():
                    state.forward &= here[:, None] <= self._b_is[value][:, there].sum(axis=1)[None, :]
                if state.backward is not None and self._b_rows is not None:
                    most = (self._b_rows[:, there] == value).sum(axis=1)
                    state.backward &= self._a_is[value][:, members].sum(axis=1)[None, :] <= most[:, None]
        size = state.forward.size + (0 if state.backward is None else state.backward.size)
        self._meter.add(50 + len(groups) * self._count * (20 + size // 4000))
        good = bool(state.forward.any(axis=1).all())
        return good and (state.backward is None or bool(state.backward.any(axis=1).all()))

    def _columns(self, state: State) -> None:
        """Leave each column only places where every tracked row has a partner with its value."""
        _narrow(state.places, state.forward, self._a_rows, self._b_is)
        size = state.forward.size
        if state.backward is not None and self._b_rows is not None:
            flipped = state.places.T
            _narrow(flipped, state.backward, self._b_rows, self._a_is)
            size += state.backward.size
        self._meter.add(50 + self._count * size * self._b.shape[1] // 20_000)


class _Choices:
    """The states that follow from each choice of the row or the column that has the fewest."""

    def __init__(self, search: JointSearch, state: State, sizes: Codes) -> None:
        self._state = state
        self._search = search
        counts = state.forward.sum(axis=1)
        self._row = int(np.where(counts > 1, counts, np.iinfo(np.int64).max).argmin())
        self._column = int(np.where(sizes > 1, sizes, np.iinfo(np.int64).max).argmin())
        self._by_row = bool(counts[self._row] > 1 and counts[self._row] <= 2 * sizes[self._column])

    def __iter__(self):  # type: ignore[no-untyped-def]
        state = self._state
        if self._by_row:
            for partner in np.flatnonzero(state.forward[self._row]):
                fresh = _copy(state)
                fresh.forward[self._row] = False
                fresh.forward[self._row, partner] = True
                yield fresh
        else:
            for place in np.flatnonzero(state.places[self._column]):
                fresh = _copy(state)
                fresh.places[self._column] = False
                fresh.places[self._column, place] = True
                yield fresh


def _copy(state: State) -> State:
    backward = None if state.backward is None else state.backward.copy()
    return State(state.places.copy(), state.forward.copy(), backward)


def _narrow(places: Flags, partners: Flags, rows: Codes, others: Sequence[Flags]) -> None:
    """`places[i, j]` stays only where every row has a partner whose value in `j` is the row's in `i`."""
    chances = partners.astype(np.float32)
    for value, there in enumerate(others):
        reached = chances @ there.astype(np.float32) > 0.5
        lost = ~reached
        held = (rows == value).T.astype(np.float32)
        places &= held @ lost.astype(np.float32) < 0.5


def _telling(rows: Codes) -> Codes:
    """Rows to follow, the rarest first: those whose values are the least common of their columns."""
    score = np.zeros(len(rows))
    for column in range(rows.shape[1]):
        score += np.log(np.bincount(rows[:, column])[rows[:, column]])
    return np.argsort(score, kind="stable")[:TRACKED]
