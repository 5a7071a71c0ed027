"""Spans of days relative to today: "last month", "this year", "the past two weeks", "june last year"; and decades.

"Next week" begins on its Monday, "the next week" today; months, quarters and years are calendar ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from domain.english.text.numbers import under_hundred
from domain.english.text.times import MONTHS, Today

_DECADES = {
    word: 10 * n
    for n, word in enumerate(
        ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"), start=2
    )
}
_CENTURIES = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000, "seventeen": 1700}
_STEPS = {"this": 0, "last": -1, "next": 1, "previous": -1, "past": -1, "coming": 1, "current": 0}
_SIZES = {"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 0, "months": 0, "year": 0, "years": 0}


class Span(msgspec.Struct, frozen=True):
    """A span from one day to another, both included, and the end of its words; `years` for a span of whole years."""

    first: date
    last: date
    end: int
    years: tuple[int, ...] = ()


def read_span(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return the span of days at `at`, or None."""
    return (
        _decade(words, at)
        or _month_of(words, at, today.day)
        or _last_so_many(words, at, today.day)
        or relative_period(words, at, today.day)
        or _ago(words, at, today.day)
    )


def relative_period(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the span of "last week", "this month" or "next year", or None."""
    skip = at + (words[at] in {"the", "of"} and at + 2 < len(words))
    step, size = (_STEPS.get(words[skip]), words[skip + 1]) if skip + 1 < len(words) else (None, "")
    if step is None or words[skip] == "past":
        return None
    end = skip + 2
    if size == "week":
        monday = day - timedelta(days=day.weekday()) + timedelta(weeks=step)
        return Span(monday, monday + timedelta(days=6), end)
    if size == "weekend":
        saturday = day - timedelta(days=day.weekday()) + timedelta(weeks=step, days=5)
        return Span(saturday, saturday + timedelta(days=1), end)
    if size == "month":
        first, last = month_span(day.year, day.month + step)
        return Span(first, last, end)
    if size == "quarter":
        begin = (day.month - 1) // 3 * 3 + 1 + 3 * step
        return Span(month_span(day.year, begin)[0], month_span(day.year, begin + 2)[1], end)
    if size == "year":
        year = day.year + step
        return Span(date(year, 1, 1), date(year, 12, 31), end, (year,))
    return None


def _month_of(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the span of "june this year" or "march of last year", or None."""
    if words[at] not in MONTHS or at + 2 >= len(words):
        return None
    after = at + 1 + (words[at + 1] == "of")
    year = relative_period(words, after, day) if after + 1 < len(words) and words[after] in _STEPS else None
    if year is None or not year.years:
        return None
    first, last = month_span(year.years[0], MONTHS.index(words[at]) + 1)
    return Span(first, last, year.end)


def _last_so_many(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the span of "the past two weeks" or "the next ten days", or None; "the past year" is the twelve months up to
    today."""
    skip = at + (words[at] == "the")
    if skip + 1 >= len(words) or words[skip] not in {"last", "past", "next", "previous", "coming"}:
        return None
    number = under_hundred(words, skip + 1)
    if number is None:
        number = (1, skip + 1) if words[skip] == "past" else None
    if number is None or number[1] >= len(words) or words[number[1]] not in _SIZES:
        return None
    count, unit = number[0], words[number[1]]
    ahead = words[skip] in {"next", "coming"}
    far = _moved(day, count if ahead else -count, unit)
    return Span(*((day, far) if ahead else (far, day)), number[1] + 1)


def _ago(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the day of "yesterday", "the day before yesterday" or "two weeks ago" as a span, or None."""
    if words[at] == "yesterday":
        return _one(day - timedelta(days=1), at + 1)
    skip = at + (words[at] == "the")
    if list(words[skip : skip + 3]) == ["day", "before", "yesterday"]:
        return _one(day - timedelta(days=2), skip + 3)
    number = (1, at + 1) if words[at] == "a" else under_hundred(words, at)
    if number is None or number[1] + 1 >= len(words) or words[number[1] + 1] != "ago":
        return None
    size = _SIZES.get(words[number[1]], 0)
    return _one(day - timedelta(days=size * number[0]), number[1] + 2) if size else None


def _one(day: date, end: int) -> Span:
    return Span(day, day, end)


def _decade(words: Sequence[str], at: int) -> Span | None:
    """Return the span of "the nineties", "nineteen eighties" or "the 1970s", or None."""
    skip = at + (words[at] == "the")
    if skip >= len(words):
        return None
    word, century = words[skip], 0
    if word in _CENTURIES and skip + 1 < len(words) and words[skip + 1] in _DECADES:
        century, skip, word = _CENTURIES[word], skip + 1, words[skip + 1]
    figures = word.removesuffix("s").removesuffix("'")
    if word.endswith("s") and figures.isdigit() and len(figures) in {2, 4} and figures.endswith("0"):
        begin = int(figures) if len(figures) == 4 else 1900 + int(figures)
    elif word in _DECADES:
        begin = (century or 1900) + _DECADES[word]
    else:
        return None
    return Span(date(begin, 1, 1), date(begin + 9, 12, 31), skip + 1, (begin, begin + 9))


def month_span(year: int, month: int) -> tuple[date, date]:
    """Return the first and last day of a month; numbers beyond 1 to 12 fall in adjacent years."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    after = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), after - timedelta(days=1)


def _moved(day: date, count: int, unit: str) -> date:
    if size := _SIZES[unit]:
        return day + timedelta(days=size * count)
    months = count * (12 if unit.startswith("year") else 1)
    first, last = month_span(day.year, day.month + months)
    return min(first.replace(day=1) + timedelta(days=day.day - 1), last)
