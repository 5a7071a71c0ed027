"""Values of two relations as small integers, so that the search never looks at a value again.

Equal values get equal codes. Numbers are ranked, because under a tolerance a reference's number fits a contiguous
stretch of ranks; numbers that tolerance links, directly or by a chain, share a *class*. Two tuples can fit only when
their classes agree, which is what the search prunes by; whether they do fit is settled by the stretches.
"""

from collections.abc import Collection, Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from itertools import groupby
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from corpus.cas import Kind, Row, Value, kind_of
from evaluation.options import Integers, Options

Codes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Number = int | Decimal
_Table = dict[Value, int]


class Coding:
    """The codes of a pair of relations, `a` to be found in `b`; one of the two is the reference.

    `a` and `b` are arrays of shape (distinct rows, columns). A number's code is its rank; in `low` and `high`, by code
    of an `a` value, stands the stretch of `b` codes that fit it (`back_low`, `back_high` the other way round).
    `a_whole` and `b_whole` flag integers, for which there is no tolerance between each other; within a column, a value
    counts as an integer when it is written as one anywhere. `kinds` gives the class of a code. `a_rows` and `b_rows` say
    where a distinct row stood, `b_columns` which columns of the relation those of `b` are.
    """

    def __init__(self, a: Sequence[Row], b: Sequence[Row], options: Options, *, a_is_reference: bool) -> None:
        strip = options.trim
        a_columns = [_trimmed(column) if strip else list(column) for column in zip(*a, strict=True)]
        b_columns = [_trimmed(column) if strip else list(column) for column in zip(*b, strict=True)]
        numbers, scaled, tables = _codes(a_columns + b_columns)
        self.fuzzy = False
        exact = options.integers is Integers.EXACT
        a_coded = [_coded(column, tables, exact) for column in a_columns]
        b_coded = [_coded(column, tables, exact) for column in b_columns]
        self.a_rows = _first_rows(a_coded)
        self.b_rows = _first_rows(b_coded)
        self.a, self.a_whole = _arrays(a_coded, self.a_rows)
        self.b, self.b_whole = _arrays(b_coded, self.b_rows)
        self.b_columns = list(range(len(b_columns)))
        size = 1 + max(code for table in tables.values() for code in table.values())
        own = np.arange(size, dtype=np.int64)
        self.low, self.high, self.back_low, self.back_high = own, own, own, own
        self.kinds = own
        if any(isinstance(number, Decimal) for number in numbers) or options.integers is Integers.TOLERANT:
            low, high = _stretches(numbers, scaled, options)
            self._tolerate(low, high, size, a_is_reference)

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
        """Which rows of `b` fit this `a` value in this column of `b`."""
        there = self.b[:, column]
        found: Flags = (there >= self.low[code]) & (there <= self.high[code])
        return found & ((there == code) | ~self.b_whole[:, column]) if whole else found

    def fitted_by(self, code: int, whole: bool, column: int) -> Flags:
        """Which rows of `a` this `b` value fits in this column of `a`."""
        there = self.a[:, column]
        found: Flags = (there >= self.back_low[code]) & (there <= self.back_high[code])
        return found & ((there == code) | ~self.a_whole[:, column]) if whole else found


def _stretches(numbers: Sequence[Number], scaled: Sequence[int], options: Options) -> tuple[Codes, Codes]:
    """For every number of an ascending list taken as the reference's: first and last place of those that fit it."""
    if options.digits is not None:
        return _by_digits(numbers, options.digits)
    share, whole = options.epsilon.numerator, options.epsilon.denominator
    biggest = max((abs(value) for value in scaled), default=0) * (whole + share)
    values: npt.NDArray[Any] = np.array(scaled, dtype=np.int64 if biggest < 2**62 else np.object_)
    places, slack = values * whole, np.abs(values) * share
    low = np.searchsorted(places, places - slack, side="left")
    high = np.searchsorted(places, places + slack, side="right") - 1
    return low.astype(np.int64), high.astype(np.int64)


def _scaled(numbers: Iterable[Number]) -> list[int]:
    """All numbers times one power that makes integers of them."""
    ratios = [number.as_integer_ratio() for number in numbers]
    scale = lcm(*{divisor for _, divisor in ratios})
    return [top * (scale // divisor) for top, divisor in ratios]


def _ascending(numbers: Collection[Number]) -> tuple[list[Number], list[int]]:
    """The numbers in order, and scaled to integers; in order of these, because comparing decimals takes ten times as long."""
    unordered = list(numbers)
    scaled = _scaled(unordered)
    if any(not -(2**63) <= value < 2**63 for value in scaled):
        order = sorted(range(len(scaled)), key=scaled.__getitem__)
    else:
        order = np.argsort(np.array(scaled, dtype=np.int64), kind="stable").tolist()
    return [unordered[place] for place in order], [scaled[place] for place in order]


def _by_digits(numbers: Sequence[Number], digits: int) -> tuple[Codes, Codes]:
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    low: list[int] = []
    high: list[int] = []
    for _, group in groupby(context.create_decimal(number) for number in numbers):
        size = sum(1 for _ in group)
        low += [len(low)] * size
        high += [len(low) - 1] * size
    return np.array(low, dtype=np.int64), np.array(high, dtype=np.int64)


def _join(joined: Codes, codes: Codes, low: Codes, high: Codes) -> None:
    """Mark in `joined`, as differences of a running sum, every code that must share a class with the next one."""
    used = np.unique(codes)
    joined += np.bincount(np.minimum(low[used], used), minlength=len(joined))
    joined -= np.bincount(np.maximum(high[used], used), minlength=len(joined))


def _trimmed(column: Iterable[Value]) -> list[Value]:
    return [value.strip() if isinstance(value, str) else value for value in column]


def _kind(column: list[Value]) -> Kind | None:
    """The type of a column; None when all of it is missing."""
    first = next((value for value in column if value is not None), None)
    return None if first is None else kind_of(first)


def _codes(columns: list[list[Value]]) -> tuple[list[Number], list[int], dict[Kind | None, _Table]]:
    """All numbers in ascending order, which gives them their codes, also scaled, and the codes of the values by type."""
    found: dict[Kind | None, set[Value]] = {None: set(), Kind.NUMBER: set()}
    for column in columns:
        found.setdefault(_kind(column), set()).update(column)
    for values in found.values():
        values.discard(None)
    numbers, scaled = _ascending(found.pop(Kind.NUMBER))  # type: ignore[arg-type]
    tables: dict[Kind | None, _Table] = {Kind.NUMBER: {value: rank for rank, value in enumerate(numbers)}}
    missing = start = len(numbers)
    for kind, values in sorted(found.items(), key=lambda item: str(item[0])):
        tables[kind] = {value: code for code, value in enumerate(sorted(values, key=str), start=start + 1)}
        start += len(values)
    for table in tables.values():
        table[None] = missing
    return numbers, scaled, tables


def _coded(column: list[Value], tables: dict[Kind | None, _Table], exact: bool) -> tuple[list[int], list[bool]]:
    table = tables[_kind(column)]
    codes = [table[value] for value in column]
    types = set(map(type, column))
    if not exact or int not in types:
        return codes, []
    if Decimal not in types:
        return codes, [value is not None for value in column]
    whole = {value for value in column if type(value) is int}
    return codes, [value in whole for value in column]


def _first_rows(columns: list[tuple[list[int], list[bool]]]) -> list[int]:
    """Where every distinct row stands first."""
    seen: dict[tuple[int, ...], int] = {}
    for place, row in enumerate(zip(*(codes for codes, _ in columns), strict=True)):
        seen.setdefault(row, place)
    return list(seen.values())


def _arrays(columns: list[tuple[list[int], list[bool]]], rows: list[int]) -> tuple[Codes, Flags]:
    codes = np.empty((len(rows), len(columns)), dtype=np.int64, order="F")
    whole = np.zeros((len(rows), len(columns)), dtype=np.bool_, order="F")
    for place, (column, flags) in enumerate(columns):
        codes[:, place] = np.array(column, dtype=np.int64)[rows]
        if flags:
            whole[:, place] = np.array(flags, dtype=np.bool_)[rows]
    return codes, whole
