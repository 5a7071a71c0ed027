"""Values of the engine for the literals of a statement: two bounds on a time of day become the part of the day that the
conventions put between them, a date becomes an age on its birthday."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from domain.english.model.domain import Conventions, DomainModel, Period
from domain.english.model.meaning import Value
from domain.english.parse.combine_comparisons import compared
from domain.english.sql.comparisons import shifted
from domain.english.text.times import MONTHS, clock_words, month_words

Literal = str | int | float
Bound = tuple[str, Literal]
"""An operator and the literal on its right."""
Interval = tuple[int, int]
"""Two times of day between which a time lies, neither of them included; over midnight if the first is the later one."""
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_CLOCK = re.compile(r"(\d\d):(\d\d)(?::\d\d)?")
_LONGEST_CODE = 3
_LAST_MINUTE, _FIRST_HALF = 59, 1300


class TimesOfDay:
    """The parts of the day under one set of conventions."""

    def __init__(self, model: DomainModel, use: Conventions) -> None:
        self._model, self._use = model, use
        self._periods: dict[Interval, str] = {}
        for name in sorted(model.period, key=lambda name: ("_" in name, len(name) < _LONGEST_CODE)):
            self._periods.setdefault(self._interval(name, model.period[name]), name)

    def _interval(self, name: str, period: Period) -> Interval:
        said = name.replace("_", " ")
        return self._ruled(f"period {said}", period.begin, period.end, self._use.inclusive)

    def _ruled(self, key: str, begin: int, end: int, inclusive: bool) -> Interval:
        """Return the interval from `begin` to `end`: with or without its ends, as the rule of this name says."""
        for rule in self._use.rules.get(key, ()):
            signs = re.findall(r"[<>]=?", rule)
            inclusive = any("=" in sign for sign in signs)
        return (_before(begin), _after(end)) if inclusive else (begin, end)

    def between(self, low: Bound, high: Bound) -> tuple[tuple[Value, ...], ...]:
        """Return the values for a time that has a lower and an upper bound."""
        first, last = _time(low[1]), _time(high[1])
        interval = (_before(first) if low[0] == ">=" else first, _after(last) if high[0] == "<=" else last)
        if name := self._periods.get(interval):
            part = self._model.period[name]
            return ((Value("clock", (part.begin, part.end), "period", name.replace("_", " ")),),)
        middle = shifted(interval[0], self._use.around)
        for around in (middle, shifted(middle, 1)):
            ends = shifted(around, -self._use.around), shifted(around, self._use.around)
            if self._ruled("clock around", *ends, True) == interval:
                return ((Value("clock", (around, 1), "around", f"around {clock_words(around)}"),),)
        if self._ruled("clock between", first, last, self._use.inclusive) == interval:
            said = f"between {clock_words(first)} and {clock_words(last)}"
            return ((Value("clock", (first, last, 1), "between", said),),)
        if interval[0] > interval[1]:
            return ()
        return tuple((at(_time(literal), op),) for op, literal in (low, high))


def at(time: int, op: str) -> Value:
    """Return a time of day whose half is known."""
    return worded(Value("clock", (time, 1), "=", clock_words(time)), op)


def values_of(kind: str, bounds: Sequence[Bound], times: TimesOfDay, today: date) -> tuple[tuple[Value, ...], ...]:
    """Return the values for comparisons of one column which must all hold, those of each condition apart; nothing if the kind
    has none for them."""
    low = [bound for bound in bounds if bound[0] in {">", ">="}]
    high = [bound for bound in bounds if bound[0] in {"<", "<="}]
    paired = len(bounds) == 2 and len(low) == len(high) == 1
    texts = all(isinstance(literal, str) for _, literal in bounds)
    if kind == "clock" and all(_is_time(literal) for _, literal in bounds):
        return times.between(low[0], high[0]) if paired else _each(at(_time(v), op) for op, v in bounds)
    if kind in {"date", "year", "years"} and texts and all(_day(str(literal)) for _, literal in bounds):
        days = [(op, _day(str(literal)) or today) for op, literal in bounds]
        return _of_days(kind, days, paired, today)
    if kind == "year" and not texts:
        return _of_numbers(kind, bounds, paired)
    if kind in {"number", "money", "code", "duration", "in_minutes"} or kind.startswith("in_"):
        return _of_numbers(kind, bounds, paired) if not texts else ()
    return ()


def _each(values: Iterator[Value]) -> tuple[tuple[Value, ...], ...]:
    return tuple((value,) for value in values)


def _of_numbers(kind: str, bounds: Sequence[Bound], paired: bool) -> tuple[tuple[Value, ...], ...]:
    numbers = [_number(literal) for _, literal in bounds]
    if paired and {op for op, _ in bounds} == {">=", "<="}:
        pair = tuple(sorted(numbers))
        if kind == "year":
            return ((Value(kind, pair, "=", f"from {pair[0]} to {pair[1]}"),),)
        return ((Value(kind, pair, "between", f"between {_said(kind, pair[0])} and {_said(kind, pair[1])}"),),)
    return tuple(
        (worded(Value(kind, (n,), "=", _said(kind, n)), op),) for (op, _), n in zip(bounds, numbers, strict=True)
    )


def _said(kind: str, number: int | float) -> str:
    return f"${number}" if kind == "money" else str(number)


def _number(literal: Literal) -> int | float:
    number = float(literal)
    return int(number) if number.is_integer() else number


def _of_days(kind: str, bounds: Sequence[tuple[str, date]], paired: bool, today: date) -> tuple[tuple[Value, ...], ...]:
    if kind == "years":
        return _of_ages(bounds, today)
    if paired:
        (first,), (last,) = ([day for op, day in bounds if op[0] == sign] for sign in "><")
        first += timedelta(days=int((">", first) in bounds))
        last -= timedelta(days=int(("<", last) in bounds))
        if kind == "year" and (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
            years = (first.year, last.year) if first.year < last.year else (first.year,)
            return ((Value(kind, years, "=", " to ".join(map(str, years))),),)
        if kind == "date":
            data = (first.year, first.month, first.day, last.year, last.month, last.day)
            return ((Value(kind, data, "=", _span_words(first, last)),),)
        return ()
    found = []
    for op, day in bounds:
        if kind == "date":
            said = f"{MONTHS[day.month - 1].capitalize()} {day.day}, {day.year}"
            found.append((worded(Value(kind, (day.year, day.month, day.day), "=", said), op),))
            continue
        year = {(">=", 1): (">=", day.year), ("<", 1): ("<", day.year), (">", 12): (">", day.year)}
        year[("<=", 12)] = ("<=", day.year)
        bound = year.get((op, day.month)) if (day.month, day.day) in {(1, 1), (12, 31)} else None
        if bound is None:
            return ()
        found.append((worded(Value(kind, (bound[1],), "=", str(bound[1])), bound[0]),))
    return tuple(found)


def _span_words(first: date, last: date) -> str:
    after = last + timedelta(days=1)
    if (
        first.day == after.day == 1
        and after - timedelta(days=27) > first - timedelta(days=1)
        and last.month == first.month
    ):
        return f"{month_words(first.month)} {first.year}" if first.year == last.year else f"{first} to {last}"
    return f"from {first} to {last}"


def _of_ages(bounds: Sequence[tuple[str, date]], today: date) -> tuple[tuple[Value, ...], ...]:
    """Return the ages that bounds on a date of birth stand for today."""
    found = []
    for op, day in bounds:
        years = today.year - day.year
        if (day.month, day.day) != (today.month, today.day) or op == "=":
            return ()
        said, number = {"<=": (">=", years), "<": (">", years), ">": ("<", years), ">=": ("<=", years)}[op]
        found.append((worded(Value("years", (number,), "=", str(number)), said),))
    return tuple(found)


def in_month(month: int, today: date) -> Value:
    """Return a month of any year."""
    return Value("month", (month, today.year), "=", month_words(month))


def worded(value: Value, op: str) -> Value:
    """Return a value with an operator, which its words have too."""
    return value if op == "=" else Value(value.kind, value.data, op, compared(value, op))


def name_words(value: object) -> str:
    """Return a name from the database as it is written in a text."""
    text = str(value)
    return text.title() if text.isupper() and len(text) > _LONGEST_CODE else text


def _day(text: str) -> date | None:
    found = _DAY.fullmatch(text)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _is_time(literal: Literal) -> bool:
    return bool(_CLOCK.fullmatch(literal)) if isinstance(literal, str) else 0 <= literal <= 2400


def _time(literal: Literal) -> int:
    if isinstance(literal, str):
        found = _CLOCK.fullmatch(literal)
        return int(found[1]) * 100 + int(found[2]) if found else 0
    return int(literal)


def _before(hhmm: int) -> int:
    """Return the minute before a time of day."""
    return hhmm - 1 if hhmm % 100 else hhmm - 100 + _LAST_MINUTE if hhmm else -1


def _after(hhmm: int) -> int:
    """Return the minute after a time of day."""
    return hhmm + 1 if hhmm % 100 < _LAST_MINUTE else hhmm - hhmm % 100 + 100
