"""Columns of a dense table of two values that hold another table, by a table of all patterns.

Of twelve columns of yes and no there are 4,096 rows, and a maximum that has most of them refutes no mapping before it is
nearly complete: every part of a row is there. What is not there are whole rows, and of these the corners are known early:
that a row has yes in some columns and in no other can be asked as soon as those columns are settled. So for every *pattern*
(yes, no or open, column by column; 3 to the power of the columns of them) it is kept which counts of yes the rows of that
pattern have in its open columns. All partial mappings of one length are then compared with the patterns at once.
"""

import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import Codes
from evaluation.comparator.work_limit import WorkMeter

WIDEST = 13
"""Columns of the table: 3 to the power of 13 patterns of two bytes are 3 MB, and take 30 ms to fill."""
BLOCK = 48
CHUNK = 20_000

Patterns = npt.NDArray[np.uint32]


class DenseSearch:
    """Mappings of the columns of `a` to those of `b` so that every row of `a` is among the rows of `b`.

    `possible` says whether `b` is narrow enough and both hold two values at most.
    """

    def __init__(self, a: Codes, b: Codes, open_: list[list[int]], meter: WorkMeter) -> None:
        values = np.union1d(a, b)
        self._narrow, self._wide = a.shape[1], b.shape[1]
        self.possible = self._wide <= WIDEST and len(values) <= 2
        self._a = (a == values[-1]).astype(np.int64)
        self._b = (b == values[-1]).astype(np.int64)
        self._open = open_
        self._meter = meter
        self._powers = 3 ** np.arange(self._wide, dtype=np.int64)
        self._order = self._telling_order()

    def find(self) -> list[int] | None:
        """A mapping, or None when there is none; raises OutOfWork."""
        self._meter.add(3**self._wide // 20 + 1000)
        self._patterns = self._counts_by_pattern()
        found = self._extended(np.zeros((1, 0), dtype=np.int64))
        if found is None:
            return None
        places = dict(zip(self._order, found, strict=True))
        return [places[i] for i in range(self._narrow)]

    def _telling_order(self) -> list[int]:
        """The columns, those first with which the rows of few yes, or of few no, are complete."""
        ones = self._a.sum(axis=1)
        corner = np.minimum(ones, self._narrow - ones)
        rare = np.where(ones * 2 <= self._narrow, 1, 0)[:, None] == self._a
        weight = (rare * np.exp2(-2.0 * corner)[:, None]).sum(axis=0)
        return np.argsort(-weight, kind="stable").tolist()  # type: ignore[no-any-return]

    def _counts_by_pattern(self) -> Patterns:
        """For every pattern, as bits, the counts of yes that rows of the pattern have in its open columns."""
        full = np.zeros(1 << self._wide, dtype=np.uint32)
        full[self._b @ (1 << np.arange(self._wide, dtype=np.int64))] = 1
        found = full.reshape((2,) * self._wide)
        for axis in range(self._wide):
            no, yes = np.take(found, [0], axis=axis), np.take(found, [1], axis=axis)
            found = np.concatenate([no, yes, no | yes << np.uint32(1)], axis=axis)
        return found.ravel()

    def _extended(self, states: Codes) -> list[int] | None:
        """Complete partial mappings (one per line, the places of the first columns in order), some at a time."""
        depth = states.shape[1]
        if depth == self._narrow:
            return states[0].tolist() if len(states) else None
        tests = self._tests(depth + 1)
        for start in range(0, len(states), CHUNK):
            some = states[start : start + CHUNK]
            fresh = [
                np.column_stack([some[(some != place).all(axis=1)], np.full((some != place).all(axis=1).sum(), place)])
                for place in self._open[self._order[depth]]
            ]
            found = self._extended(self._kept(np.concatenate(fresh), tests)) if fresh else None
            if found is not None:
                return found
        return None

    def _tests(self, depth: int) -> tuple[Codes, Patterns]:
        """Return what rows of `a` have in the columns settled, each once, and which counts of yes they allow in the others."""
        settled, rest = self._a[:, self._order[:depth]], self._a[:, self._order[depth:]].sum(axis=1)
        tests = np.unique(np.column_stack([settled, rest]), axis=0)
        count = self._narrow - depth
        tests = tests[np.argsort(-np.abs(tests[:, -1] - count / 2), kind="stable")]
        spare = self._wide - self._narrow
        allowed = np.array([sum(1 << yes for yes in range(ones, ones + spare + 1)) for ones in range(count + 1)])
        return tests[:, :-1], allowed[tests[:, -1]].astype(np.uint32)

    def _kept(self, states: Codes, tests: tuple[Codes, Patterns]) -> Codes:
        """The partial mappings that no row refutes."""
        rows, allowed = tests
        nothing = int(2 * self._powers.sum())
        for start in range(0, len(rows), BLOCK):
            if not len(states):
                break
            some = rows[start : start + BLOCK] - 2
            self._meter.add(10 + states.shape[0] * len(some) // 60)
            index = nothing + self._powers[states] @ some.T
            states = states[((self._patterns[index] & allowed[start : start + BLOCK]) != 0).all(axis=1)]
        return states
