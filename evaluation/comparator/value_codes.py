"""Values of two relations as small integers, so that the search never looks at a value again.

Equal values get equal codes. Numbers are ranked, because under a tolerance a reference's number fits a contiguous
stretch of ranks; numbers that tolerance links, directly or by a chain, share a *class*. Two tuples can fit only when
their classes agree, which is what the search prunes by; whether they do fit is settled by the stretches.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from corpus.formats.cas import CasType, Row, Value, kind_of
from evaluation.comparator.exact_numbers import Number, ranked
from evaluation.comparator.options import Integers, Near, Options

DOUBT = 1e-14
"""Share of a number within which doubles do not tell which side of a bound it lies on; each is off by about 1e-16."""
Codes = npt.NDArray[np.int64]
Whole = TypeVar("Whole", bound=np.integer[Any])
Flags = npt.NDArray[np.bool_]
_Table = dict[Value, int]


class PairCodes:
    """The codes of a pair of relations, `a` to be found in `b`; one of the two is the reference.

    `a` and `b` are arrays of shape (distinct rows, columns). A number's code is its rank; in `low` and `high`, by code
    of an `a` value, stands the stretch of `b` codes that fit it (`back_low`, `back_high` the other way round).
    `a_whole` and `b_whole` flag integers, for which there is no tolerance between each other; within a column, a value
    counts as an integer when it is written as one anywhere. `kinds` gives the class of a code. `a_rows` and `b_rows` say
    where a distinct row stood, `b_columns` which columns of the relation those of `b` are. With `merging`, rows of `b` that
    fit one row of `a` may count as one.
    """

    def __init__(self, a: Sequence[Row], b: Sequence[Row], options: Options, *, a_is_reference: bool) -> None:
        strip = options.trim
        a_columns = [_trimmed(column) if strip else list(column) for column in zip(*a, strict=True)]
        b_columns = [_trimmed(column) if strip else list(column) for column in zip(*b, strict=True)]
        columns = [_CodedColumn(column) for column in a_columns + b_columns]
        numbers, size = _code(columns, options)
        self.fuzzy = False
        exact = options.integers is Integers.EXACT
        flags = [column.whole() if exact else None for column in columns]
        narrow = len(a_columns)
        self.a, self.a_whole, self.a_rows = _distinct(columns[:narrow], flags[:narrow])
        self.b, self.b_whole, self.b_rows = _distinct(columns[narrow:], flags[narrow:])
        self.b_columns = list(range(len(b_columns)))
        own = np.arange(size, dtype=np.int64)
        self.low, self.high, self.back_low, self.back_high = own, own, own, own
        self.kinds = own
        if any(Decimal in column.types for column in columns) or options.integers is Integers.TOLERANT:
            low, high = _stretches(numbers, options)
            self._tolerate(low, high, size, a_is_reference)
        self.merging = self.fuzzy and a_is_reference and options.near is Near.ONE

    def _tolerate(self, low: Codes, high: Codes, size: int, a_is_reference: bool) -> None:
        rest = np.arange(len(low), size, dtype=np.int64)
        ranks = np.arange(len(low), dtype=np.int64)
        back_low = np.searchsorted(high, ranks, side="left")
        back_high = np.searchsorted(low, ranks, side="right") - 1
        self.low, self.high = np.concatenate([low, rest]), np.concatenate([high, rest])
        self.back_low, self.back_high = np.concatenate([back_low, rest]), np.concatenate([back_high, rest])
        if not a_is_reference:
            self.low, self.high, self.back_low, self.back_high = self.back_low, self.back_high, self.low, self.high
        joined = np.zeros(size + 1, dtype=np.int64)
        _join(joined, self.a[~self.a_whole], self.low, self.high)
        _join(joined, self.b[~self.b_whole], self.back_low, self.back_high)
        linked = np.cumsum(joined)[:-1] > 0
        self.fuzzy = bool(linked.any())
        self.kinds = np.concatenate([[0], np.cumsum(~linked[:-1])]).astype(np.int64)

    def fits(self, code: int, whole: bool, column: int) -> Flags:
        """Return the rows of `b` that fit this `a` value in this column of `b`."""
        there = self.b[:, column]
        found: Flags = (there >= self.low[code]) & (there <= self.high[code])
        return found & ((there == code) | ~self.b_whole[:, column]) if whole else found

    def fitted_by(self, code: int, whole: bool, column: int) -> Flags:
        """Return the rows of `a` that this `b` value fits in this column of `a`."""
        there = self.a[:, column]
        found: Flags = (there >= self.back_low[code]) & (there <= self.back_high[code])
        return found & ((there == code) | ~self.a_whole[:, column]) if whole else found


class _CodedNumbers(msgspec.Struct, frozen=True):
    """The numbers of both sides in ascending order: scaled to integers or near doubles, and as written where that is needed."""

    scaled: npt.NDArray[Any]
    first: Codes
    all: Sequence[Number]

    def written(self, place: int) -> Number:
        """The number at a place of `scaled` as it was written."""
        return self.all[int(self.first[place])]


def _stretches(numbers: _CodedNumbers, options: Options) -> tuple[Codes, Codes]:
    """For every number taken as the reference's: first and last place of those that fit it."""
    if options.digits is not None:
        return _by_digits([numbers.written(place) for place in range(len(numbers.first))], options.digits)
    share, whole = options.epsilon.numerator, options.epsilon.denominator
    values = numbers.scaled
    if not len(values):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    if values.dtype == np.float64:
        return _near(values, numbers.written, options.epsilon)
    biggest = max(abs(int(values[0])), abs(int(values[-1]))) * (whole + share)
    if biggest >= 2**62:
        values = values.astype(np.object_)
    places, slack = values * whole, np.abs(values) * share
    low = np.searchsorted(places, places - slack, side="left")
    high = np.searchsorted(places, places + slack, side="right") - 1
    return low.astype(np.int64), high.astype(np.int64)


def _near(values: npt.NDArray[np.float64], written: Callable[[int], Number], epsilon: Fraction) -> tuple[Codes, Codes]:
    """The stretches of numbers known by doubles: what lies too near to an end to tell is settled by the numbers themselves."""
    slack = np.abs(values) * float(epsilon)
    found = []
    for end, side in ((values - slack, -1), (values + slack, 1)):
        doubt = np.abs(values) * DOUBT
        under, over = (
            np.searchsorted(values, end - doubt, side="left"),
            np.searchsorted(values, end + doubt, side="right"),
        )
        places = under
        for at in np.flatnonzero(over > under).tolist():
            exact = Fraction(written(at))
            bound = exact + side * abs(exact) * epsilon
            inside = [Fraction(written(place)) for place in range(int(under[at]), int(over[at]))]
            places[at] += sum(value < bound if side < 0 else value <= bound for value in inside)
        found.append(places)
    low, high = found
    return low.astype(np.int64), (high - 1).astype(np.int64)


def _by_digits(numbers: Sequence[Number], digits: int) -> tuple[Codes, Codes]:
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    low: list[int] = []
    high: list[int] = []
    for _, group in groupby(context.create_decimal(number) for number in numbers):
        size = sum(1 for _ in group)
        low += [len(low)] * size
        high += [len(low) - 1] * size
    return np.array(low, dtype=np.int64), np.array(high, dtype=np.int64)


def distinct(values: npt.NDArray[Whole]) -> npt.NDArray[Whole]:
    """The different values of one column, ascending."""
    # np.unique hashes where nothing else is asked of it, at ten times the price of a sort.
    ordered = np.sort(values)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))]


def _join(joined: Codes, codes: Codes, low: Codes, high: Codes) -> None:
    """Mark in `joined`, as differences of a running sum, every code that must share a class with the next one."""
    used = distinct(codes)
    joined += np.bincount(np.minimum(low[used], used), minlength=len(joined))
    joined -= np.bincount(np.maximum(high[used], used), minlength=len(joined))


def _trimmed(column: Iterable[Value]) -> list[Value]:
    return [value.strip() if isinstance(value, str) else value for value in column]


class _CodedColumn:
    """One column while it is coded: its values, what they are, and, once known, the code of each."""

    def __init__(self, values: list[Value]) -> None:
        self.values = values
        self.types = set(map(type, values))
        first = next((value for value in values if value is not None), None)
        self.kind = None if first is None else kind_of(first)
        self.codes: Codes = np.zeros(0, dtype=np.int64)

    def whole(self) -> Flags | None:
        """Return the rows that hold an integer, written as one anywhere in the column; None if there is none."""
        if int not in self.types:
            return None
        if self.types == {int}:
            return np.ones(len(self.values), dtype=np.bool_)
        written = np.fromiter((type(value) is int for value in self.values), dtype=np.bool_, count=len(self.values))
        return np.isin(self.codes, np.unique(self.codes[written]))


def _code(columns: list[_CodedColumn], options: Options) -> tuple[_CodedNumbers, int]:
    """Give all columns their codes: numbers their ranks, then what is missing, then the other types; also how many codes."""
    numeric = [column for column in columns if column.kind is CasType.NUMBER]
    flat: list[Number] = [value for column in numeric for value in column.values if value is not None]  # type: ignore[misc]
    found = ranked(flat)
    missing, start = len(found.scaled), 0
    for column in numeric:
        column.codes = np.full(len(column.values), missing, dtype=np.int64)
        present = _present(column)
        count = int(present.sum())
        column.codes[present] = found.ranks[start : start + count]
        start += count
    size = missing + 1
    others: dict[CasType, set[Value]] = {}
    for column in columns:
        if column.kind not in (None, CasType.NUMBER):
            others.setdefault(column.kind, set()).update(column.values)
    tables: dict[CasType | None, _Table] = {None: {None: missing}}
    for kind, values in sorted(others.items(), key=lambda item: str(item[0])):
        values.discard(None)
        tables[kind] = {value: code for code, value in enumerate(sorted(values, key=str), start=size)}
        tables[kind][None] = missing
        size += len(values)
    for column in columns:
        if column.kind is not CasType.NUMBER:
            table = tables[column.kind]
            column.codes = np.array([table[value] for value in column.values], dtype=np.int64)
    return _CodedNumbers(found.scaled, found.first, flat), size


def _present(column: _CodedColumn) -> Flags:
    if type(None) not in column.types:
        return np.ones(len(column.values), dtype=np.bool_)
    return np.fromiter((value is not None for value in column.values), dtype=np.bool_, count=len(column.values))


def _distinct(columns: list[_CodedColumn], flags: list[Flags | None]) -> tuple[Codes, Flags, list[int]]:
    """Codes and flags of the distinct rows, and where each of them stood first."""
    codes = np.stack([column.codes for column in columns], axis=1)
    packed, width = codes.tobytes(), codes.itemsize * codes.shape[1]
    seen: dict[bytes, int] = {}
    for place in range(len(codes)):
        seen.setdefault(packed[place * width : (place + 1) * width], place)
    rows = list(seen.values())
    whole = np.zeros((len(rows), len(columns)), dtype=np.bool_, order="F")
    for place, flagged in enumerate(flags):
        if flagged is not None:
            whole[:, place] = flagged[rows]
    return np.asfortranarray(codes[rows]), whole, rows
