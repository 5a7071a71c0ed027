"""Readers for times of day, days and dates in English, independent of the domain.

Clock times are integers hhmm, as in timetables. A time below 13:00 without a.m., p.m. or a part of the day is ambiguous
(`half` False); the domain's conventions resolve it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from domain.english.text.numbers import ordinal, quantity, under_hundred

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
)  # fmt: skip
DECADES = ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
_WHOSE = frozenset(["their", "his", "her", "my", "our"])
_SHORT = {m[:3]: n for n, m in enumerate(MONTHS, start=1) if m != "may"} | {"sept": 9}
_BEFORE_A_MONTH = frozenset(
    [
        "in",
        "from",
        "since",
        "during",
        "until",
        "till",
        "before",
        "after",
        "by",
        "early",
        "late",
        "mid",
        "between",
        "last",
    ]
)
_OLDEST_SHORT_YEAR = 50
_MONTH = {m: n for n, m in enumerate(MONTHS, start=1)} | _SHORT


class Today(msgspec.Struct, frozen=True):
    """The reference day of a study, the default year of dates, and the days that conventions fix."""

    day: date
    year: int
    fixed: dict[str, date] = {}

    def named(self, word: str) -> date | None:
        """Return the day of "today", "tonight" or "tomorrow", or None."""
        ahead = {"today": 0, "tonight": 0, "tomorrow": 1}
        if word in self.fixed:
            return self.fixed[word]
        if self.fixed and word == "tonight":
            return None  # where conventions fix days, "tonight" is only a part of the day
        return self.day + timedelta(days=ahead[word]) if word in ahead else None


class ClockTime(msgspec.Struct, frozen=True):
    """A time of day, hhmm; `half` tells whether its half of the day is known."""

    hhmm: int
    half: bool


class Day(msgspec.Struct, frozen=True):
    """A calendar day."""

    year: int
    month: int
    day: int

    @property
    def words(self) -> str:
        return f"{MONTHS[self.month - 1].capitalize()} {self.day}, {self.year}"


def read_clock(words: Sequence[str], at: int) -> tuple[ClockTime, int, bool] | None:
    """Return (time, end, sure), or None; `sure` when a.m., o'clock, a colon or the like marks a time of day."""
    word = words[at] if at < len(words) else ""
    if word in {"noon", "noontime", "midday", "midnight"}:
        return ClockTime(0 if word == "midnight" else 1200, True), at + 1, True
    for fixed, hhmm in (("noon", 1200), ("midnight", 0)):
        if word in {"12", "twelve"} and at + 1 < len(words) and words[at + 1] == fixed:
            return ClockTime(hhmm, True), at + 2, True
    found = _plain_clock(words, at)
    if found is None:
        return None
    hour, minute, end, sure = found
    if end < len(words) and words[end] == "oclock":
        end, sure = end + 1, True
    if end < len(words) and (hour, minute) == (12, 0) and words[end] in {"noon", "midnight"}:
        return ClockTime(1200 if words[end] == "noon" else 0, True), end + 1, True
    whole = "hundred" in words[at:end] or minute or (len(words[at]) > 2 and words[at].isdigit())  # not "three hours"
    if end < len(words) and words[end] == "hours" and whole:
        return ClockTime(hour * 100 + minute, True), end + 1, True
    half = None
    if end < len(words) and words[end] in {"am", "pm"}:
        half, end, sure = words[end], end + 1, True
    if hour > 24 or minute > 59:
        return None
    if half == "pm" and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    return ClockTime(hour * 100 + minute, half is not None or hour >= 13), end, sure


def _plain_clock(words: Sequence[str], at: int) -> tuple[int, int, int, bool] | None:
    word = words[at] if at < len(words) else ""
    if ":" in word:
        left, right = word.split(":")
        return (int(left), int(right), at + 1, True) if left.isdigit() and right.isdigit() else None
    if word in {"half", "quarter"} and at + 2 < len(words) and words[at + 1] in {"past", "after", "to", "before"}:
        hour_at = under_hundred(words, at + 2)
        if hour_at and 1 <= hour_at[0] <= 12:
            minute = 30 if word == "half" else 15
            if words[at + 1] in {"to", "before"}:
                return (hour_at[0] - 1) or 12, 60 - minute, hour_at[1], True
            return hour_at[0], minute, hour_at[1], True
    if word.isdigit() and len(word) in {3, 4}:
        return int(word) // 100, int(word) % 100, at + 1, False
    whole = quantity(words, at)
    if whole and whole[0] % 100 == 0 and 100 <= whole[0] <= 2400 and "hundred" in words[at : whole[1]]:
        return int(whole[0]) // 100, 0, whole[1], False
    first = under_hundred(words, at)
    if first is None or not 1 <= first[0] <= 24:
        return None
    hour, end = first
    if words[at].isdigit() and end < len(words) and words[end].isdigit() and len(words[end]) == 2:
        return hour, int(words[end]), end + 1, False
    if not words[at].isdigit() and hour <= 12:
        skip = end + 1 if end < len(words) and words[end] in {"oh", "o"} else end
        more = under_hundred(words, skip)
        if more and (10 <= more[0] <= 59 or (skip > end and more[0] < 10)) and not words[skip].isdigit():
            return hour, more[0], more[1], False
    return hour, 0, end, False


def read_weekday(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """Return (MONDAY …, end), or None; accepts plurals and ignores a preceding next, this or coming."""
    word = words[at].rstrip("s") if at < len(words) else ""
    full = word if word in WEEKDAYS else {"mon": "monday", "tue": "tuesday", "wed": "wednesday",
        "thur": "thursday", "thu": "thursday", "fri": "friday"}.get(word)  # fmt: skip
    return (full.upper(), at + 1) if full else None


def read_date(words: Sequence[str], at: int, today: Today) -> tuple[Day, int] | None:
    """Return (day, end) of "april twenty third", "the third of june nineteen ninety one", "4/23" or "tomorrow", or None."""
    word = words[at] if at < len(words) else ""
    default_year = today.year
    if named := today.named(word):
        return Day(named.year, named.month, named.day), at + 1
    if words[at : at + 4] in (["day", "after", "tomorrow"], ["the", "day", "after", "tomorrow"]):
        found = today.day + timedelta(days=2)
        return Day(found.year, found.month, found.day), at + words[at:].index("tomorrow") + 1
    if ahead := _days_ahead(words, at):
        found = today.day + timedelta(days=ahead[0])
        return Day(found.year, found.month, found.day), ahead[1]
    if "/" in word:
        parts = word.split("/")
        if len(parts) in {2, 3} and all(p.isdigit() for p in parts):
            year = int(parts[2]) if len(parts) == 3 else default_year
            return _day(year + (1900 if year < 100 else 0), int(parts[0]), int(parts[1]), at + 1)
    if word in _MONTH:
        number = _day_number(words, at + 1)
        if number and not read_year(words, at + 1, 0)[0]:  # "june nineteen eighty five" has no day
            year, end = _year_of_day(words, number[1], default_year)
            return _day(year, _MONTH[word], number[0], end)
        return None
    number = _day_number(words, at)
    if number and not (word.isdigit() and len(word) > 2):
        end = number[1]
        end += end < len(words) and words[end] == "of"
        if end < len(words) and words[end] in _MONTH:
            year, stop = _year_of_day(words, end + 1, default_year)
            return _day(year, _MONTH[words[end]], number[0], stop)
    return None


def _year_of_day(words: Sequence[str], at: int, default_year: int) -> tuple[int, int]:
    return read_year(words, at, 0) if read_year(words, at, 0)[0] else read_short_year(words, at) or (default_year, at)


def _days_ahead(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return (days, end) of "three days from now", "a week from today" or "in two weeks", or None."""
    inside = words[at : at + 1] == ["in"]
    at += inside
    number = (1, at + 1) if words[at : at + 1] in (["a"], ["one"]) else under_hundred(words, at)
    if number is None or words[number[1] : number[1] + 1] == []:
        return None
    size = {"day": 1, "days": 1, "week": 7, "weeks": 7}.get(words[number[1]], 0)
    end = number[1] + 1
    if size and words[end : end + 2] in (["from", "now"], ["from", "today"], ["from", "tomorrow"]):
        return number[0] * size + (words[end + 1] == "tomorrow"), end + 2
    return (number[0] * size, end) if size and inside else None


def _day(year: int, month: int, day: int, end: int) -> tuple[Day, int] | None:
    try:
        date(year, month, day)
    except ValueError:
        return None
    return Day(year, month, day), end


def _day_number(words: Sequence[str], at: int) -> tuple[int, int] | None:
    at += at < len(words) and words[at] == "the"
    found = ordinal(words, at) or under_hundred(words, at)
    return found if found and 1 <= found[0] <= 31 else None


def read_year(words: Sequence[str], at: int, default_year: int) -> tuple[int, int]:
    """Return (year, end) of "1991", "nineteen ninety one", "twenty twenty four" or "two thousand five", else the default."""
    if at < len(words) and words[at].isdigit() and 1900 <= int(words[at]) <= 2100:
        return int(words[at]), at + 1
    if at + 1 < len(words) and words[at] in {"nineteen", "twenty"}:
        century, zero = 1900 if words[at] == "nineteen" else 2000, words[at + 1] in {"oh", "o"}
        rest = under_hundred(words, at + 1 + zero)
        if rest and (rest[0] < 10 if zero else rest[0] >= 10):
            return century + rest[0], rest[1]
    if list(words[at : at + 2]) == ["two", "thousand"]:
        skip = at + 2 + (words[at + 2 : at + 3] == ["and"])
        rest = under_hundred(words, skip) if skip < len(words) else None
        return (2000 + rest[0], rest[1]) if rest else (2000, at + 2)
    return default_year, at


def read_short_year(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return (1987, end) of "eighty seven", or None; only years from 1950 to 1999 are named so."""
    found = under_hundred(words, at) if at < len(words) and not words[at].isdigit() else None
    return (1900 + found[0], found[1]) if found and found[0] >= _OLDEST_SHORT_YEAR else None


def read_tens(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return (first age, end) of a decade of age, as in "in their forties", or None."""
    if words[at : at + 1] != ["in"] or not words[at + 2 :] or words[at + 1] not in _WHOSE:
        return None
    tens = _tens(words[at + 2])
    return (tens, at + 3) if tens else None


def _tens(word: str) -> int:
    """Return 70 for "seventies" and "70s"; 0 for anything else."""
    if word[:-1].isdigit() and len(word) == 3 and word.endswith("0s"):
        return int(word[:-1])
    return 10 * (DECADES.index(word) + 2) if word in DECADES else 0


def read_month(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return (month number, end) of a month's name alone, or None."""
    word = words[at] if at < len(words) else ""
    if word not in _MONTH or (word in {"may", "mar", "march"} and not _in_time(words, at)):
        return None
    return _MONTH[word], at + 1


def _in_time(words: Sequence[str], at: int) -> bool:
    """Return whether only a month fits here: "since march", "between april and may", not "may i see"."""
    before = words[at - 1] if at else ""
    if before in {"and", "or", "to", "through"} and at > 1:
        return read_month(words, at - 2) is not None
    return before in _BEFORE_A_MONTH


def month_words(month: int) -> str:
    """Return the name of a month: 4 is April."""
    return MONTHS[month - 1].capitalize()


def read_month_of_year(words: Sequence[str], at: int) -> tuple[Day, Day, int] | None:
    """Return (first day, last day, end) of "june 1991" or "june of 1991", or None."""
    if at >= len(words) or words[at] not in _MONTH:
        return None
    year_at = at + 1 + (words[at + 1 : at + 2] == ["of"])
    year, end = (
        read_year(words, year_at, 0) if read_year(words, year_at, 0)[0] else read_short_year(words, year_at) or (0, at)
    )
    if not year:
        return None
    month = _MONTH[words[at]]
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return Day(year, month, 1), Day(year, month, last.day), end


def clock_words(hhmm: int) -> str:
    """Return a time in words: 1730 is 5:30 p.m."""
    hour, minute = divmod(hhmm, 100)
    half = "a.m." if hour % 24 < 12 else "p.m."
    return f"{(hour - 1) % 12 + 1}{f':{minute:02d}' if minute else ''} {half}"


COMPARED = {
    "by": "by",
    "<": "before",
    "<=": "no later than",
    ">": "after",
    ">=": "from",
    "around": "around",
    "=": "at",
}
"""The word before a time, by comparison operator."""
