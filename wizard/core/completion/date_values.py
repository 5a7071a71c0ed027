"""Dates of the year from the study's today on, found by how people begin to type or say them: a weekday, a month, in figures,
"the second of May", "next Friday", "tomorrow"."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from session.protocol.side_messages import DomainValue

NEAR, YEAR = 21, 365
"""Days in which a weekday alone is looked for, and a date that says its month."""
MOST = 7
_AHEAD = (("today", 0), ("tomorrow", 1), ("day after tomorrow", 2))
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ORDINALS = (
    *_ONES, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth", "twentieth", *(f"twenty {one}" for one in _ONES), "thirtieth", f"thirty {_ONES[0]}",
)  # fmt: skip
_NUMBERS = ("one", "two", "three", "four", "five", "six")
_FIGURES = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})(?:[/.](?:\d{2}|\d{4})?)?")
_WEEKDAY_SAID = re.compile(r"(next|this|coming) ([a-z]{2,})")
_IN_TIME = re.compile(rf"(\d|{'|'.join(_NUMBERS)}|a) (day|week)s?(?: from (?:today|now))?")


def dates_starting(typed: str, today: str) -> list[DomainValue]:
    """Dates from today on that begin as typed; none for fewer than two letters.

    >>> [value.text for value in dates_starting("tue", "1991-04-29")]
    ['Tuesday April 30', 'Tuesday May 7', 'Tuesday May 14']
    >>> [value.text for value in dates_starting("1991-05-0", "1991-04-29")][:2]
    ['1991-05-01', '1991-05-02']
    >>> [(value.text, value.kind) for value in dates_starting("tomo", "1991-04-29")], dates_starting("to", "1991-04-29")
    ([('Tuesday April 30', 'tomorrow')], [])
    >>> [(value.text, value.kind) for value in dates_starting("5/2", "1991-04-29")]
    [('May 2', 'a Thursday'), ('February 5', 'a Wednesday')]
    >>> [dates_starting(said, "1991-04-29")[0].text for said in ("second of may", "2nd of may", "may 2nd", "2 may")]
    ['May 2', 'May 2', 'May 2', 'May 2']
    >>> [value.text for value in dates_starting("december 24", "1991-04-29")]
    ['December 24']
    >>> [value.text for value in dates_starting("next fri", "1991-04-29")]
    ['Friday May 10', 'Friday May 3']
    >>> [dates_starting(said, "1991-04-29")[0].text for said in ("two weeks", "day after")]
    ['Monday May 13', 'Wednesday May 1']
    """
    wanted = " ".join(typed.casefold().replace("-first", " first").split()).removeprefix("the ")
    try:
        first = date.fromisoformat(today)
    except ValueError:
        return []
    if len(wanted) < 2:
        return []
    found = {value.text: value for value in (*_said_by_name(first, wanted), *_said_by_days(first, wanted))}
    for number in range(YEAR):
        if len(found) >= MOST:
            break
        day = first + timedelta(number)
        if (value := _said(day, wanted, near=number < NEAR)) is not None:
            found.setdefault(value.text, value)
    if slashed := _SLASHED.fullmatch(wanted):
        month, day_of_month = int(slashed[1]), int(slashed[2])
        read = (*_on(first, month, day_of_month), *_on(first, day_of_month, month))
        found |= {value.text: value for value in read}  # as in America first; with a day over 12 there is one way only
    return list(found.values())


def _said_by_name(first: date, wanted: str) -> Iterator[DomainValue]:
    for name, ahead in _AHEAD:
        if len(wanted) >= len("toda") and name.startswith(wanted):  # before that it may be Toronto
            yield _whole(first + timedelta(ahead), name)


def _said_by_days(first: date, wanted: str) -> Iterator[DomainValue]:
    """Days that are told from today: "next Friday", which some mean of this week, and "two weeks"."""
    if said := _WEEKDAY_SAID.fullmatch(wanted):
        days = [first + timedelta(ahead) for ahead in range(1, 15)]
        found = [day for day in days if _DAY_NAMES[day.weekday()].startswith(said[2])]
        for day in found[::-1] if said[1] == "next" else found[:1]:
            yield _whole(day, "date")
    elif said := _IN_TIME.fullmatch(wanted):
        count = int(said[1]) if said[1].isdigit() else 1 if said[1] == "a" else _NUMBERS.index(said[1]) + 1
        yield _whole(first + timedelta(count * (7 if said[2] == "week" else 1)), "date")


def _said(day: date, wanted: str, *, near: bool) -> DomainValue | None:
    weekday, month = _DAY_NAMES[day.weekday()], f"{_MONTHS[day.month - 1]} {day.day}"
    if f"{weekday} {month}".startswith(wanted) and (near or len(wanted) > len(weekday) + 1):
        return _whole(day, "date")
    named = near or wanted.startswith(_MONTHS[day.month - 1])  # "mar" is rather the beginning of a name
    if (named and month.startswith(wanted)) or any(said.startswith(wanted) for said in _ways(day, wanted)):
        return _short(day)
    return DomainValue(day.isoformat(), day.isoformat(), _spoken(day)) if day.isoformat().startswith(wanted) else None


def _ways(day: date, wanted: str) -> Iterator[str]:
    """Further ways to say a day of which some is typed; a number alone may be anything."""
    month, ordinal = _MONTHS[day.month - 1], _ORDINALS[day.day - 1]
    figures = _FIGURES.match(wanted)
    if figures is not None and int(figures[1]) == day.day and wanted != figures[1]:
        yield from (f"{figures[0]} {month}", f"{figures[0]} of {month}")
    if wanted.startswith(ordinal) and len(wanted) > len(ordinal):
        yield from (f"{ordinal} {month}", f"{ordinal} of {month}")
    if wanted.startswith(f"{month} "):
        yield from (f"{month} {day.day}{ending}" for ending in ("st", "nd", "rd", "th"))
        yield from (f"{month} {ordinal}", f"{month} the {ordinal}")


def _on(first: date, month: int, day: int) -> Iterator[DomainValue]:
    """The day of that date within a year."""
    ahead = (first + timedelta(number) for number in range(YEAR))
    yield from (_short(one) for one in ahead if (one.month, one.day) == (month, day))


def _whole(day: date, kind: str) -> DomainValue:
    return DomainValue(_spoken(day), day.isoformat(), kind)


def _short(day: date) -> DomainValue:
    text = f"{_MONTHS[day.month - 1].capitalize()} {day.day}"
    return DomainValue(text, day.isoformat(), f"a {_DAY_NAMES[day.weekday()].capitalize()}")


def _spoken(day: date) -> str:
    return f"{_DAY_NAMES[day.weekday()]} {_MONTHS[day.month - 1]} {day.day}".title()
