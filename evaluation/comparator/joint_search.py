"""Joint search for columns and rows, narrowed down together.

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

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import Codes, Flags
from evaluation.comparator.work_limit import WorkMeter

BINS = 8
MANY = 2**62
TRACKED = 96
"""Rows of each side that are followed: more narrow a state further and make each step dearer. Not tuned beyond one choice, with
which all of a design of up to 19 points is followed."""

AT_ONCE = 100_000

Cells = npt.NDArray[np.float32]


class SearchState(msgspec.Struct):
    """Places where each column of `a` may go, and for each tracked row of `a` and of `b` the rows that it may be."""

    places: Flags
    forward: Flags
    backward: Flags | None


class JointSearch:
    """A search over classes of values; `both` asks that every row of `b` have a partner too."""

    def __init__(self, a: Codes, b: Codes, open_: Sequence[Sequence[int]], meter: WorkMeter, *, both: bool) -> None:
        values = np.union1d(a, b)
        self._a, self._b = (np.searchsorted(values, codes).astype(np.int64) % BINS for codes in (a, b))
        self._count = min(BINS, len(values))
        self._meter = meter
        self._open = open_
        self._both = both
        self._square = a.shape[1] == b.shape[1]
        a_rows = self._a[_telling(self._a, self._b, self._count, least=True)]
        b_rows = self._b[_telling(self._b, self._a, self._count, least=False)] if both else self._b[:0]
        self._a_are, self._b_are = self._by_value(self._a), self._by_value(self._b)
        self._a_rows_are, self._b_rows_are = self._by_value(a_rows), self._by_value(b_rows)
        self._weights = np.random.default_rng(1).integers(1, 1 << 30, (self._count, a.shape[1])).astype(np.float64)
        self._powers = 2.0 ** np.arange(b.shape[1])

    def _by_value(self, rows: Codes) -> list[Cells]:
        return [(rows == value).astype(np.float32) for value in range(self._count)]

    def find(self, holds: Callable[[list[int]], bool]) -> list[int] | None:
        """The first mapping that holds, or None when there is none; raises OutOfWork."""
        places = np.zeros((self._a.shape[1], self._b.shape[1]), dtype=np.bool_)
        for i, there in enumerate(self._open):
            places[i, list(there)] = True
        forward = np.ones((len(self._a_rows_are[0]), len(self._b)), dtype=np.bool_)
        backward = np.ones((len(self._b_rows_are[0]), len(self._a)), dtype=np.bool_) if self._both else None
        return self._descend(SearchState(places, forward, backward), holds)

    def _descend(self, state: SearchState, holds: Callable[[list[int]], bool]) -> list[int] | None:
        if not self._narrowed(state):
            return None
        sizes = state.places.sum(axis=1)
        if (sizes == 1).all():
            mapping: list[int] = state.places.argmax(axis=1).tolist()
            self._meter.add(100)
            return mapping if holds(mapping) else None
        for choice in _choices(state, sizes):
            found = self._descend(choice, holds)
            if found is not None:
                return found
        return None

    def _narrowed(self, state: SearchState) -> bool:
        """Narrow a state until nothing changes; False if nothing is left of a row or a column."""
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

    def _rows(self, state: SearchState) -> bool:
        """Leave each tracked row only partners that have, group by group, every value often enough."""
        _, first, which = np.unique(state.places @ self._powers, return_index=True, return_inverse=True)
        there = state.places[first].T.astype(np.float32)
        members = (which.ravel()[:, None] == np.arange(len(first))).astype(np.float32)
        if (members.sum(axis=0) == there.sum(axis=0)).all():
            self._alike(state, members, there)
        else:
            for value in range(self._count):
                _often_enough(state.forward, self._a_rows_are[value] @ members, self._b_are[value] @ there)
                if state.backward is not None:
                    # the transpose is a view, so that what is taken from it is taken from `backward`
                    _often_enough(state.backward.T, self._a_are[value] @ members, self._b_rows_are[value] @ there)
        size = state.forward.size + (0 if state.backward is None else state.backward.size)
        self._meter.add(100 + len(first) * self._count * size // 1000)
        good = bool(state.forward.any(axis=1).all())
        return good and (state.backward is None or bool(state.backward.any(axis=1).all()))

    def _alike(self, state: SearchState, members: Cells, there: Cells) -> None:
        """The same where groups have as many columns as places: partners then have every value equally often.

        The counts of a row are added up with weights drawn at random, so that two sums are equal where all counts are; where
        they are not, a chance equality would only prune too little.
        """
        weights = self._weights[:, : members.shape[1]]
        a, a_rows, b, b_rows = (
            sum(cells @ (group @ weight) for cells, weight in zip(side, weights, strict=True))
            for side, group in (
                (self._a_are, members),
                (self._a_rows_are, members),
                (self._b_are, there),
                (self._b_rows_are, there),
            )
        )
        state.forward &= np.equal.outer(a_rows, b)
        if state.backward is not None:
            state.backward &= np.equal.outer(b_rows, a)

    def _columns(self, state: SearchState) -> None:
        """Leave each column only places where every tracked row has a partner with its value."""
        _narrow(state.places, state.forward, self._a_rows_are, self._b_are)
        size = state.forward.size
        if state.backward is not None:
            _narrow(state.places.T, state.backward, self._b_rows_are, self._a_are)
            size += state.backward.size
        self._meter.add(100 + self._count * size * self._b.shape[1] // 5_000)


def _choices(state: SearchState, sizes: Codes) -> Iterator[SearchState]:
    """The states that follow from each choice of the row or the column that has the fewest."""
    counts = state.forward.sum(axis=1)
    row = int(np.where(counts > 1, counts, MANY).argmin())
    column = int(np.where(sizes > 1, sizes, MANY).argmin())
    by_row = 1 < counts[row] <= 2 * sizes[column]
    for choice in np.flatnonzero(state.forward[row] if by_row else state.places[column]):
        fresh = SearchState(
            state.places.copy(), state.forward.copy(), None if state.backward is None else state.backward.copy()
        )
        settled, chosen = (fresh.forward, row) if by_row else (fresh.places, column)
        settled[chosen] = False
        settled[chosen, choice] = True
        yield fresh


def _often_enough(partners: Flags, wanted: Cells, there: Cells) -> None:
    """Keep the partners that have something at least as often as it is wanted, group by group."""
    if partners.size * wanted.shape[1] <= AT_ONCE:
        partners &= (wanted.T[:, :, None] <= there.T[:, None, :]).all(axis=0)
        return
    for here, most in zip(wanted.T, there.T, strict=True):
        if here.any():
            partners &= here[:, None] <= most[None, :]


def _narrow(places: Flags, partners: Flags, rows: Sequence[Cells], others: Sequence[Cells]) -> None:
    """`places[i, j]` stays only where every row has a partner whose value in `j` is the row's in `i`."""
    chances = partners.astype(np.float32)
    for here, there in zip(rows, others, strict=True):
        places &= here.T @ (chances @ there < 0.5).astype(np.float32) < 0.5


def _telling(rows: Codes, others: Codes, values: int, *, least: bool) -> Codes:
    """The rows to follow: those that the fewest rows of the other side can be, by how often each value is in them.

    `least` when a partner has every value at least as often, otherwise at most as often.
    """
    own, kinds = np.unique(_counted(rows, values), axis=0, return_inverse=True)
    there, often = np.unique(_counted(others, values), axis=0, return_counts=True)
    fits = (own[:, None, :] <= there[None]).all(axis=2) if least else (own[:, None, :] >= there[None]).all(axis=2)
    partners: Codes = fits @ often
    return np.argsort(partners[kinds.ravel()], kind="stable")[:TRACKED]


def _counted(rows: Codes, values: int) -> Codes:
    """Count how often each value is in each row."""
    return np.stack([(rows == value).sum(axis=1) for value in range(values)], axis=1)
