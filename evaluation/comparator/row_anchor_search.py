"""Search for columns by asking where a few rows go.

Where many columns of reals are alike, a search by columns learns nothing until it is deep. But once it is settled which
row of the answer is the partner of one row of the reference, each column can only go where that partner has a value that
fits: a row of which few values fit many leaves a third of the columns or less. Two or three such rows, the *anchors*, leave
a mapping or nothing. The partners that an anchor can still have are found without trying them: a row is one if for every
column it fits in some column that is still open, which is two instructions per 64 rows and column.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import PairCodes
from evaluation.comparator.work_limit import WorkMeter

CHUNK = 400
TRIED = 6
SAMPLE = 4
TOGETHER = 20_000
WORD = 64  # columns of `b` that a state can tell apart
MANY = 50
ONE = np.uint64(1)

Places = npt.NDArray[np.int64]
States = npt.NDArray[np.uint64]


class Anchor(Protocol):
    """A row of one side, and which rows of the other fit it in which columns."""

    key: tuple[bool, int]

    def bits(self, i: int, j: int) -> int:
        """The rows that fit it when column `i` of `a` is column `j` of `b`, a bit each."""


class Anchoring:
    """Mappings that keep partners for all anchors, tried in turn; `open_` is where each column may go.

    A state says where each column of `a` may still go, a bit for each column of `b`; states stand together in an array of
    shape (columns of `a`, states). An anchor's key says whether it is a row of `a` and which.
    """

    def __init__(
        self, coding: PairCodes, open_: Sequence[Sequence[int]], anchors: Sequence[Anchor], meter: WorkMeter
    ) -> None:
        self._coding = coding
        self._anchors = list(anchors)
        self._meter = meter
        self._narrow, self._wide = coding.a.shape[1], coding.b.shape[1]
        self._step = 1 + max(len(coding.a), len(coding.b)) // 2000
        self._open = open_
        self._every = np.uint64((1 << self._wide) - 1)
        self._ready: dict[tuple[bool, int], States] = {}
        self._tables: dict[tuple[bool, int], list[list[int]]] = {}
        self._lists: dict[int, list[int]] = {}

    def find(self, holds: Callable[[list[int]], bool]) -> list[int] | None:
        """The first mapping that holds, or None when there is none; raises OutOfWork."""
        first = np.array([[sum(1 << j for j in there)] for there in self._open], dtype=np.uint64)
        for places in self._descend(self._propagated(first), list(range(len(self._anchors)))):
            self._meter.add(100)
            if holds(places):
                return places
        return None

    def _descend(self, states: States, left: list[int]) -> Iterator[list[int]]:
        """Every mapping that the states allow."""
        settled = (states & (states - ONE) == 0).all(axis=0)
        for state in states[:, settled].T.tolist():
            yield [one.bit_length() - 1 for one in state]
        states = states[:, ~settled]
        for start in range(0, states.shape[1], CHUNK):
            some = states[:, start : start + CHUNK]
            if not left:
                yield from self._descend(self._split(some), left)
                continue
            anchor = self._choice(some, left)
            rest = [one for one in left if one != anchor]
            for fresh in self._anchored(some, self._anchors[anchor]):
                yield from self._descend(fresh, rest)

    def _choice(self, states: States, left: list[int]) -> int:
        """The anchor with the fewest partners in a few of the states."""
        if len(left) == 1 or len(left) == len(self._anchors):
            return left[0]
        some = states[:, :: 1 + states.shape[1] // SAMPLE].T.tolist()
        tried = left[:TRIED]
        counts = [sum(self._partners(self._anchors[anchor], state).bit_count() for state in some) for anchor in tried]
        return tried[int(np.argmin(counts))]

    def _partners(self, anchor: Anchor, state: list[int]) -> int:
        """The rows that fit the anchor in each column somewhere, a bit each."""
        table = self._table(anchor)
        lists = [self._listed(bits) for bits in state]
        found, done = -1, 0
        for i in sorted(range(len(lists)), key=lambda i: len(lists[i])):
            there, row = 0, table[i]
            for j in lists[i]:
                there |= row[j]
            found &= there
            done += len(lists[i])
            if not found:
                break
        if self._narrow == self._wide and found.bit_count() > MANY:
            reached = [0] * self._wide
            for row, open_ in zip(table, lists, strict=True):
                for j in open_:
                    reached[j] |= row[j]
            for rows in reached:
                found &= rows
            done *= 2
        self._meter.add(5 + done * self._step // 8)
        return found

    def _table(self, anchor: Anchor) -> list[list[int]]:
        """Column by column of `a` and of `b` the rows that fit the anchor."""
        found = self._tables.get(anchor.key)
        if found is None:
            found = [[0] * self._wide for _ in range(self._narrow)]
            for i, there in enumerate(self._open):
                for j in there:
                    found[i][j] = anchor.bits(i, j)
            self._tables[anchor.key] = found
        return found

    def _listed(self, bits: int) -> list[int]:
        found = self._lists.get(bits)
        if found is None:
            found = self._lists[bits] = [j for j in range(self._wide) if bits >> j & 1]
        return found

    def _anchored(self, states: States, anchor: Anchor) -> Iterator[States]:
        """Return what is left of the states with each partner that the anchor can have, some at a time."""
        masks = self._masks(anchor.key)
        parts: list[States] = []
        waiting = 0
        for state in states.T:
            rows = _places(self._partners(anchor, state.tolist()))
            if len(rows):
                parts.append(state[:, None] & masks[:, rows])
                waiting += len(rows)
            if waiting >= TOGETHER:
                yield self._propagated(np.concatenate(parts, axis=1))
                parts, waiting = [], 0
        if waiting:
            yield self._propagated(np.concatenate(parts, axis=1))

    def _masks(self, key: tuple[bool, int]) -> States:
        """For each column of `a` and each row of the other side, the columns of `b` in which row and anchor fit."""
        found = self._ready.get(key)
        if found is None:
            coding, (forward, row) = self._coding, key
            rows = coding.b if forward else coding.a
            found = np.zeros((self._narrow, len(rows)), dtype=np.uint64)
            self._meter.add(self._narrow * self._wide * (5 + len(rows) // 200))
            for i in range(self._narrow):
                for j in self._open[i]:
                    if forward:
                        fits = coding.fits(int(coding.a[row, i]), bool(coding.a_whole[row, i]), j)
                    else:
                        fits = coding.fitted_by(int(coding.b[row, j]), bool(coding.b_whole[row, j]), i)
                    found[i] |= fits.astype(np.uint64) << np.uint64(j)
            self._ready[key] = found
        return found

    def _propagated(self, states: States) -> States:
        """Return the states that can still hold a mapping, without the columns that states of one choice take."""
        while True:
            self._meter.add(30 + states.size // 40)
            if self._narrow == self._wide:
                states = states[:, np.bitwise_or.reduce(states, axis=0) == self._every]
            once, twice, taken = (np.zeros(states.shape[1], dtype=np.uint64) for _ in range(3))
            good = np.ones(states.shape[1], dtype=np.bool_)
            single = states & (states - ONE) == 0
            for choices, alone in zip(states, single, strict=True):
                good &= choices != 0
                settled = np.where(alone, choices, 0)
                good &= taken & settled == 0
                taken |= settled
                twice |= once & choices
                once |= choices
            states, single, taken = states[:, good], single[:, good], taken[good]
            narrowed = np.where(single, states, states & ~taken)
            if self._narrow == self._wide:
                needed = narrowed & (once & ~twice)[good]
                narrowed = np.where(needed != 0, needed, narrowed)
            if np.array_equal(narrowed, states):
                return states
            states = narrowed

    def _split(self, states: States) -> States:
        """Each state once for every place of the column that has the fewest of several; no anchor is left to ask."""
        parts = []
        for state in states.T.tolist():
            lists = [self._listed(bits) for bits in state]
            i = min((i for i in range(len(state)) if len(lists[i]) > 1), key=lambda i: len(lists[i]))
            parts += [[*state[:i], 1 << j, *state[i + 1 :]] for j in lists[i]]
        self._meter.add(20 * len(parts))
        return self._propagated(np.array(parts, dtype=np.uint64).T)


def _places(bits: int) -> Places:
    """The places of the bits that are set."""
    packed = np.frombuffer(bits.to_bytes((bits.bit_length() + 7) // 8, "little"), dtype=np.uint8)
    return np.flatnonzero(np.unpackbits(packed, bitorder="little"))
