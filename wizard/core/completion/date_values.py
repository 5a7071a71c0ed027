"""Dates of the year from the study's today on, found by how people begin to type or say them: a weekday, a month, in figures,
"the second of May", "next Friday", "tomorrow". What is put in goes to the participant, and is in the study's language."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from session.protocol.side_messages import DomainValue
from session.study.screen_words import ENGLISH, Words

NEAR, YEAR = 21, 365
"""Days in which a weekday alone is looked for, and a date that says its month."""
MOST, MARKED = 7, 4
"""Dates that are found, and letters after which a month's beginning is one and not rather that of a name."""
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
_SLASHED = re.compile(r"(\d{1,2})([/.])(\d{1,2})(?:[/.](?:\d{2}|\d{4})?)?")
_WEEKDAY_SAID = re.compile(r"(next|this|coming) ([a-z]{2,})")
_IN_TIME = re.compile(rf"(\d|{'|'.join(_NUMBERS)}|a) (day|week)s?(?: from (?:today|now))?")


def dates_starting(typed: str, today: str, words: Words = ENGLISH) -> list[DomainValue]:
    """Dates from today on that begin as typed, in English or as they are written with these words; none for fewer than two
    letters.

    >>> [value.text for value in dates_starting("tue", "1991-04-29")]
    ['Tuesday April 30', 'Tuesday May 7', 'Tuesday May 14']
    >>> [value.text for value in dates_starting("1991-05-0", "1991-04-29")][:2]
    ['1991-05-01', '1991-05-02']
    >>> [(value.text, value.kind) for value in dates_starting("tomo", "1991-04-29")], dates_starting("to", "1991-04-29")
    ([('Tuesday April 30', 'tomorrow')], [])
    >>> [(value.text, value.kind) for value in dates_starting("5/2", "1991-04-29")]
    [('May 2', 'Thursday'), ('February 5', 'Wednesday')]
    >>> [[value.text for value in dates_starting(said, "1991-04-29", Words("de"))][:2] for said in ("die", "tomorrow", "2.5.")]
    [['Dienstag, 30. April', 'Dienstag, 7. Mai'], ['Dienstag, 30. April'], ['2. Mai', '5. Februar']]
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
    found = {
        value.text: value for value in (*_said_by_name(first, wanted, words), *_said_by_days(first, wanted, words))
    }
    for number in range(YEAR):
        if len(found) >= MOST:
            break
        day = first + timedelta(number)
        near = number < NEAR
        if (value := _said(day, wanted, words, near=near) or _written(day, wanted, words, near=near)) is not None:
            found.setdefault(value.text, value)
    if slashed := _SLASHED.fullmatch(wanted):
        one, other = int(slashed[1]), int(slashed[3])
        read = [*_on(first, one, other, words), *_on(first, other, one, words)]
        # As in America first, with full stops as in Germany; with a day over 12 there is one way only.
        found |= {value.text: value for value in (read if slashed[2] == "/" else read[::-1])}
    return list(found.values())


def _said_by_name(first: date, wanted: str, words: Words) -> Iterator[DomainValue]:
    for name, ahead in _AHEAD:
        if len(wanted) >= len("toda") and name.startswith(wanted):  # before that it may be Toronto
            yield _whole(first + timedelta(ahead), name, words)


def _said_by_days(first: date, wanted: str, words: Words) -> Iterator[DomainValue]:
    """Days that are told from today: "next Friday", which some mean of this week, and "two weeks"."""
    if said := _WEEKDAY_SAID.fullmatch(wanted):
        days = [first + timedelta(ahead) for ahead in range(1, 15)]
        found = [day for day in days if _DAY_NAMES[day.weekday()].startswith(said[2])]
        for day in found[::-1] if said[1] == "next" else found[:1]:
            yield _whole(day, "date", words)
    elif said := _IN_TIME.fullmatch(wanted):
        count = int(said[1]) if said[1].isdigit() else 1 if said[1] == "a" else _NUMBERS.index(said[1]) + 1
        yield _whole(first + timedelta(count * (7 if said[2] == "week" else 1)), "date", words)


def _written(day: date, wanted: str, words: Words, *, near: bool) -> DomainValue | None:
    """The day if it begins as typed where it is written in the study's language; a number alone may be anything."""
    whole, short = _spoken(day, words).casefold(), _short(day, words).text.casefold()
    if whole.startswith(wanted) and (near or len(wanted) > len(_weekday(day, words)) + 1):
        return _whole(day, "date", words)
    named = near or len(wanted) > MARKED or wanted.endswith(_month(day, words).casefold())
    return _short(day, words) if named and short.startswith(wanted) and not wanted.strip("., ").isdigit() else None


def _said(day: date, wanted: str, words: Words, *, near: bool) -> DomainValue | None:
    weekday, month = _DAY_NAMES[day.weekday()], f"{_MONTHS[day.month - 1]} {day.day}"
    if f"{weekday} {month}".startswith(wanted) and (near or len(wanted) > len(weekday) + 1):
        return _whole(day, "date", words)
    named = near or wanted.startswith(_MONTHS[day.month - 1])  # "mar" is rather the beginning of a name
    if (named and month.startswith(wanted)) or any(said.startswith(wanted) for said in _ways(day, wanted)):
        return _short(day, words)
    return (
        DomainValue(day.isoformat(), day.isoformat(), _spoken(day, words))
        if day.isoformat().startswith(wanted)
        else None
    )


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


def _on(first: date, month: int, day: int, words: Words) -> Iterator[DomainValue]:
    """The day of that date within a year."""
    ahead = (first + timedelta(number) for number in range(YEAR))
    yield from (_short(one, words) for one in ahead if (one.month, one.day) == (month, day))


def _whole(day: date, kind: str, words: Words) -> DomainValue:
    return DomainValue(_spoken(day, words), day.isoformat(), kind)


def _short(day: date, words: Words) -> DomainValue:
    text = words["date.short"].format(month=_month(day, words), day=day.day)
    return DomainValue(text, day.isoformat(), _weekday(day, words))


def _spoken(day: date, words: Words) -> str:
    return words["date.whole"].format(weekday=_weekday(day, words), month=_month(day, words), day=day.day)


def _weekday(day: date, words: Words) -> str:
    return words[f"date.{_DAY_NAMES[day.weekday()]}"]


def _month(day: date, words: Words) -> str:
    return words[f"date.{_MONTHS[day.month - 1]}"]
