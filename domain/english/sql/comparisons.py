"""Comparisons of a column with a value, in SQL.

The conventions decide on inclusive bounds, the tolerance of "around", and times without a.m. or p.m. (principles of
interpretation 2.4.3 and 2.4.4).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Date,
    Integer,
    MetaData,
    Numeric,
    String,
    Table,
    Time,
    and_,
    cast,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
)
from sqlalchemy.sql import FromClause

from domain.english.model.column_test import ColumnTest
from domain.english.model.date_forms import as_iso, time_of_day
from domain.english.model.domain import Conventions, DomainError, DomainModel, read_path
from domain.english.model.meaning import Compared, Value
from domain.english.model.path_names import spelt, table_called
from domain.english.sql.by_dialect import Contains
from domain.english.sql.fragments import compile_fragments
from domain.english.text.times import WEEKDAYS

_ALIASES = 2000
"""Numbered tables that are kept for the next statements."""


class Frame:
    """The tables of one SELECT, each under its alias."""

    def __init__(self, schema: MetaData, number: int) -> None:
        self._schema = schema
        self._number = number
        self._tables: dict[str, FromClause] = {}

    def column(self, name: str) -> ColumnElement[Any]:
        table, _, column = name.partition(".")
        source = self.table(table)
        if spelt(column) not in source.c:
            raise DomainError(f"{name!r}: the database has no such column")
        return source.c[spelt(column)]

    def table(self, name: str) -> FromClause:
        if name not in self._tables:
            table = table_called(self._schema, name)
            if table is None:
                raise DomainError(f"{name!r}: the database has no such table")
            self._tables[name] = _alias(table, self._number) if self._number else table
        return self._tables[name]


@lru_cache(_ALIASES)
def _alias(table: Table, number: int) -> FromClause:
    """Return a table under a numbered name; most of the time of making one is spent on its columns."""
    return table.alias(f"{table.name}_{number}")


class Frames:
    """The frames of one statement; their aliases never collide."""

    def __init__(self, schema: MetaData) -> None:
        self._schema = schema
        self._count = 0

    def another(self) -> Frame:
        self._count += 1
        return Frame(self._schema, self._count)


def day_before(value: Value) -> Value:
    """Return a weekday, a date or a range of dates moved back by a day."""
    if value.kind == "weekday":
        names = [d.upper() for d in WEEKDAYS]
        return Value("weekday", (names[names.index(str(value.data[0])) - 1],))
    numbers = [int(n) for n in value.data]
    days = (date(*numbers[at : at + 3]) - timedelta(days=1) for at in range(0, len(numbers), 3))
    return Value("date", tuple(n for day in days for n in (day.year, day.month, day.day)), value.op)


def apply_test(test: ColumnTest, frame: Frame) -> ColumnElement[bool]:
    """Return a test of `domain.toml` as a condition on a frame."""
    column = frame.column(test.column)
    if test.other:
        other = frame.column(test.other)
        return column > other if test.op == ">" else column < other if test.op == "<" else column == other
    match test.op:
        case "is null":
            return column.is_(None)
        case "is not null":
            return column.is_not(None)
        case "in":
            return column.in_(test.value)
        case "like":
            return column.like(str(test.value[0]))
        case "not like":
            return column.not_like(str(test.value[0]))
        case "contains":
            return Contains(column, str(test.value[0]))
        case "!=":
            return column != test.value[0]
        case "=":
            return column == test.value[0]
        case "<":
            return column < test.value[0]
        case "<=":
            return column <= test.value[0]
        case ">":
            return column > test.value[0]
        case _:
            return column >= test.value[0]


def compare(column: ColumnElement[Any], value: Value, use: Conventions) -> ColumnElement[bool]:
    """Return the comparison of a column with a value under the conventions."""
    if value.kind in {"date", "year"}:
        return _on(as_iso(column), value)
    if value.kind == "clock":
        return _by_clock(column, value, use)
    if value.kind == "month":
        return _by_month(as_iso(column), value, use)
    low = value.data[0]
    match value.op:
        case "between":
            return column.between(low, value.data[1])
        case "around":
            return column.between(float(low) * 9 / 10, float(low) * 11 / 10)
        case _:
            return _ordered(column, value.op, low, use)


def counted(frames: Frames, frame: Frame, tally: str) -> ColumnElement[Any]:
    """Return the number of rows that refer to a row of the frame by the step `tally`."""
    step, inner = read_path(f"{tally}; x").steps[0], frames.another()
    rows = select(func.count()).select_from(inner.table(step.right.partition(".")[0]))
    on = (inner.column(right) == frame.column(left) for left, right in step.pairs)
    return rows.where(*on).scalar_subquery()


def compared_with_referent(model: DomainModel, compared: Compared, frame: Frame, there: Frame) -> ColumnElement[bool]:
    """Return the comparison of a column with that of the row in `there` that an attribute refers to."""
    steps = read_path(model.attribute[compared.through].select[0]).steps
    own, value = frame.column(compared.column), there.column(compared.column)
    on = [frame.column(left) == there.column(right) for left, right in steps[0].pairs]
    return exists().where(*on, beyond(own, value, compared.op))


def beyond(column: ColumnElement[Any], other: ColumnElement[Any], op: str) -> ColumnElement[bool]:
    """Return whether a column is above or below another."""
    return column > other if op == ">" else column < other


def by_age(column: ColumnElement[Any], value: Value, today: date) -> ColumnElement[bool]:
    """Return the comparison of an age in whole years with a column of dates; "over 50" begins the day after the 50th
    birthday."""
    column, low, high = as_iso(column), int(value.data[0]), int(value.data[-1])
    full, after = (_day(column, _years_before(today, years)) for years in (low, high + 1))
    if value.op in {"<", ">"}:
        return column > full if value.op == "<" else column < full
    if value.op == ">=":
        return column <= full
    return column > after if value.op in {"<=", "by"} else and_(column > after, column <= full)


def _years_before(day: date, years: int) -> date:
    """Return the same day so many years earlier; in February the 28th at the latest."""
    return day.replace(year=day.year - years, day=min(day.day, 28) if day.month == 2 else day.day)


def _by_clock(column: ColumnElement[Any], value: Value, use: Conventions) -> ColumnElement[bool]:
    low = int(value.data[0])
    told = time_of_day(column)
    textual = told is not None or isinstance(column.type, String | Time)
    held = _as_text if textual else int
    text = cast(column, String) if isinstance(column.type, Time) else column
    timed: ColumnElement[Any] = told if told is not None else func.substr(text, 1, 5) if textual else column
    open_half = value.op == "=" and not value.data[1]
    rule = use.rules.get(f"period {value.say}" if value.op == "period" else f"clock {value.op}", ())
    if rule and (open_half or value.op != "="):
        first, second = (low, int(value.data[1])) if value.op == "between" else (low, low)
        if value.op == "around":
            first, second = shifted(low, -use.around), shifted(low, use.around)
        # A range across midnight is split in two.
        spans = [(first, second)] if first <= second else [(first, 2401), (-1, second)]
        blanks = [{"time_column": timed, "time": low, "first": begin, "second": end} for begin, end in spans]
        return or_(*(compile_fragments(rule, filled, held) for filled in blanks))
    match value.op:
        case "period" | "between":
            return _within(timed, low, int(value.data[1]), use.inclusive, held)
        case "around":
            return _within(timed, shifted(low, -use.around), shifted(low, use.around), True, held)
        case "=":
            both = open_half and use.open_clock != "as said"
            return timed.in_([held(low % 1200), held(low % 1200 + 1200)]) if both else timed == held(low)
        case _:
            return _ordered(timed, value.op, held(low), use)


def _ordered(column: ColumnElement[Any], op: str, low: Any, use: Conventions) -> ColumnElement[bool]:
    before = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
    by = operator.lt if use.by == "before" else operator.le
    found: ColumnElement[bool] = before.get(op, by if op == "by" else operator.eq)(column, low)
    return found


def _as_text(hhmm: int) -> str:
    """Return 1740 as "17:40", which is how text and time columns begin."""
    return f"{hhmm // 100:02d}:{hhmm % 100:02d}"


def _on(column: ColumnElement[Any], value: Value) -> ColumnElement[bool]:
    """Return the comparison of a date or year with a column of dates, ISO text or years."""
    if value.kind == "year" and _holds_figures(column):
        low, high = int(value.data[0]), int(value.data[-1])
        bounds = {
            "<": column < low,
            "<=": column <= high,
            "by": column <= high,
            ">": column > high,
            ">=": column >= low,
        }
        return bounds.get(value.op, column == low if low == high else column.between(low, high))
    size = 1 if value.kind == "year" else 3
    parts = [tuple(int(n) for n in value.data[at : at + size]) for at in range(0, len(value.data), size)]
    spans = [(date(p[0], 1, 1), date(p[0], 12, 31)) if size == 1 else (date(*p), date(*p)) for p in parts]
    first, last = spans[0][0], spans[-1][1]
    begin, end = (_day(column, day) for day in (first, last + timedelta(days=1)))
    match value.op:
        case "<":
            return column < begin
        case "<=" | "by":
            return column < end
        case ">":
            return column >= end
        case ">=":
            return column >= begin
        case _:
            return (
                column == begin
                if isinstance(column.type, Date) and first == last
                else and_(column >= begin, column < end)
            )


def _by_month(column: ColumnElement[Any], value: Value, use: Conventions) -> ColumnElement[bool]:
    """Return the comparison of a month with a column of dates or month numbers.

    "In May" matches any year; "before May" refers to the year that the domain assumes for dates without one.
    """
    first, year, last = (int(n) for n in (*value.data[:2], *value.data[-2:-1]))
    held = int if _holds_figures(column) else _two_figures
    month: ColumnElement[Any] = column if held is int else func.substr(cast(column, String), 6, 2)
    if value.op == "between":
        return _within(month, first, last, True, held)
    if value.op in {"=", "around"}:
        return month == held(first)
    if held is int:
        return _ordered(column, value.op, first, use)
    end = date(year + first // 12, first % 12 + 1, 1) - timedelta(days=1)
    return _on(column, Value("date", (year, first, 1, end.year, end.month, end.day), value.op))


def _holds_figures(column: ColumnElement[Any]) -> bool:
    """Return whether a column holds numbers.

    SQLAlchemy reflects types unknown to SQLite, such as TIMESTAMPTZ, as NUMERIC without precision.
    """
    return isinstance(column.type, Integer) or (isinstance(column.type, Numeric) and bool(column.type.precision))


def _two_figures(number: int) -> str:
    return f"{number:02d}"


def _day(column: ColumnElement[Any], day: date) -> ColumnElement[Any]:
    """Return the beginning of a day as the column stores it; timestamps of the day sort between it and the next."""
    return literal(day, Date) if isinstance(column.type, Date) else literal_column(f"'{day.isoformat()}'")


def _within(
    column: ColumnElement[Any], low: int, high: int, inclusive: bool, held: Callable[[int], Any]
) -> ColumnElement[bool]:
    first, last = held(low), held(high)
    if low > high:
        return or_(column >= first, column <= last) if inclusive else or_(column > first, column < last)
    return column.between(first, last) if inclusive else and_(column > first, column < last)


def shifted(hhmm: int, minutes: int) -> int:
    """Return a time of day moved by minutes: 1745 and 30 give 1815."""
    total = (hhmm // 100 * 60 + hhmm % 100 + minutes) % 1440
    return total // 60 * 100 + total % 60
