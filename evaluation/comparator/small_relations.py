"""The comparison of small answers that need no tolerance, in a few set operations.

Nine answers of ten are a handful of rows; coding them for the full search would cost more than deciding them. What
is not plainly small and exact is left to the search, so that both must agree wherever both apply.
"""

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from corpus.formats.cas import Row, Value
from evaluation.comparator.options import Integers, Options

CELLS = 4_000  # of both sides: 200 rows of 10 columns; beyond, coding them costs less than hashing their tuples
TRIALS = 64

_Keys = tuple[object, ...]


class SettledComparison(msgspec.Struct, frozen=True):
    """A settled comparison: for every column of the reference its column in the answer, or None for no mapping."""

    mapping: tuple[int, ...] | None


def quickly(least: Sequence[Row], given: Sequence[Row], options: Options) -> SettledComparison | None:
    """Decide a small comparison; None when it has to be searched properly.

    Reals are compared exactly: tuples that are the same need no tolerance, and those that are not may be within it.
    """
    if len(least) * len(least[0]) + len(given) * len(given[0]) > CELLS or options.integers is Integers.TOLERANT:
        return None
    wanted = [_keys(column, options.trim) for column in zip(*least, strict=True)]
    there = [_keys(column, options.trim) for column in zip(*given, strict=True)]
    found = _Small(wanted, there).run()
    real = any(isinstance(value, Decimal) for rows in (least, given) for row in rows for value in row)
    return None if found is not None and found.mapping is None and real else found


def _keys(column: Sequence[Value], trim: bool) -> _Keys:
    """The values so that equality is that of answers."""
    return tuple((value.strip() if trim else value) if isinstance(value, str) else _apart(value) for value in column)


def _apart(value: Value) -> object:
    return (value,) if isinstance(value, bool) else value


class _Small:
    def __init__(self, wanted: list[_Keys], there: list[_Keys]) -> None:
        self._wanted = wanted
        self._there = there
        sets = [set(keys) for keys in there]
        self._open = [[j for j, values in enumerate(sets) if values == set(keys)] for keys in wanted]
        self._targets = [set(zip(*wanted[: depth + 1], strict=True)) for depth in range(len(wanted))]
        self._trials = TRIALS

    def run(self) -> SettledComparison | None:
        if not all(self._open):
            return SettledComparison(None)
        found = self._descend(())
        return None if self._trials < 0 else SettledComparison(found)

    def _descend(self, chosen: tuple[int, ...]) -> tuple[int, ...] | None:
        depth = len(chosen)
        if depth == len(self._wanted):
            return chosen
        for j in self._open[depth]:
            if j in chosen:
                continue
            self._trials -= 1
            if self._trials < 0:
                return None
            places = (*chosen, j)
            if set(zip(*(self._there[place] for place in places), strict=True)) == self._targets[depth]:
                found = self._descend(places)
                if found is not None or self._trials < 0:
                    return found
        return None
