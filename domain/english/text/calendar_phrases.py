"""Spans of days that a phrase cuts out of the calendar: "the first three months of 2025", "march to may 1989", "last summer",
"the week of june ninth", "tuesday the third".

Seasons are the meteorological ones: winter is December to February and takes the year of its January. A day of the month
without a month lies in the month of today, or in the nearest one in which it falls on the weekday that is named with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from domain.english.text.numbers import ordinal, under_hundred
from domain.english.text.spans import Span, month_span, read_span, relative_period
from domain.english.text.times import (
    WEEKDAYS,
    Day,
    Today,
    read_date,
    read_month,
    read_month_of_year,
    read_weekday,
    read_year,
)

_PARTS_OF_TEN = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}
_SEASONS = {"winter": 12, "spring": 3, "summer": 6, "fall": 9, "autumn": 9}
_FIRST = frozenset(["first", "opening"])
_LAST = frozenset(["last", "final", "closing"])
_MONTHS_OF = {"month": 1, "months": 1, "quarter": 3, "quarters": 3}
_DAYS_OF = {"day": 1, "days": 1, "week": 7, "weeks": 7}
_THROUGH = frozenset(["to", "through", "thru", "till", "until"])
_BEGINNING = frozenset(["start", "beginning"])
_LIMITING = frozenset(["since", "from", "by", "until", "till", "before", "after", "to", "through"])
_ON_A_DAY = _LIMITING | {"on", "for"}
_AFTER_A_DAY = _LIMITING | {"and", "or", "with", "at", "in", "for", "please", "uh", "um", "instead"}
_ANY = frozenset(["a", "any", "every", "each", "per"])
_REFERENCES, _RANGE = 3, 5
_AHEAD, _BACK = 12, 12


def read_calendar_phrase(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return the span of days at `at`, or None."""
    return (
        _part(words, at, today)
        or _edge(words, at, today)
        or _months(words, at)
        or _season(words, at, today.day)
        or _week_of(words, at, today)
        or _up_to_today(words, at, today.day)
        or _named_month(words, at, today.day)
        or _part_of_decade(words, at, today)
    )


def read_day_of_month(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return the day of "tuesday the third" or, after a preposition, of "the seventeenth", or None."""
    weekday = read_weekday(words, at)
    there = weekday[1] if weekday else at
    if words[there : there + 1] != ["the"] or (found := ordinal(words, there + 1)) is None or found[0] > 31:
        return None
    number, end = found
    if words[end : end + 1] == ["of"] or (end < len(words) and words[end] not in _AFTER_A_DAY):
        return None
    if any(read_month(["in", word], 1) for word in words[end : end + _RANGE]):
        return None  # "from the ninth to the thirteenth of june"
    if weekday is None and (number <= _REFERENCES or not at or words[at - 1] not in _ON_A_DAY):
        return None  # "the second" may refer to an item of the list
    wanted = None if weekday is None else WEEKDAYS.index(weekday[0].lower())
    days = [d for d in _same_day(today.day, number) if wanted is None or d.weekday() == wanted]
    if not days:
        return None
    near = days[0] if wanted is None else min(days, key=lambda day: (abs((day - today.day).days), day < today.day))
    return Span(near, near, end)


def read_weekday_near(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the day of "wednesday", "this friday" or "last monday", seen from `day`, or None."""
    step = words[at] if words[at] in {"this", "next", "last", "coming", "past"} else ""
    weekday = read_weekday(words, at + bool(step))
    if weekday is None or words[weekday[1] - 1] not in WEEKDAYS or (at and words[at - 1] in _ANY):
        return None  # "mondays" and "a monday" are more than one day
    if any(read_month(["in", word], 1) for word in words):
        return None  # "monday in may" is not the next one
    ahead = (WEEKDAYS.index(weekday[0].lower()) - day.weekday()) % 7
    if step in {"last", "past"} or (ahead and words[at - 1 : at] == ["since"]):
        ahead -= 7
    if step == "next" and ahead == 0:
        ahead = 7
    found = day + timedelta(days=ahead)
    return Span(found, found, weekday[1])


def _same_day(day: date, number: int) -> list[date]:
    """Return the dates with this day of the month, in the month of `day` and around it; that of its own month first."""
    found = []
    for month in sorted(range(-_BACK, _AHEAD + 1), key=abs):
        first, last = month_span(day.year, day.month + month)
        if number <= last.day:
            found.append(first.replace(day=number))
    return found


def _period(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return the span of a week, month or year: "june", "may 2025", "the year", "last month", "twenty twenty five"."""
    skip = at + (words[at : at + 1] == ["the"])
    if words[skip : skip + 2] in (["year", "of"], ["whole", "of"]):
        skip += 2
    if skip >= len(words):
        return None
    if whole := read_month_of_year(words, skip):
        return Span(_date(whole[0]), _date(whole[1]), whole[2])
    if words[skip] in {"week", "month", "quarter", "year"}:
        now = relative_period(["this", words[skip]], 0, today.day)
        return now and Span(now.first, now.last, skip + 1)
    if relative := relative_period(words, skip, today.day):
        return relative
    if month := read_month(["in", *words[skip:]], 1):
        return Span(*month_span(today.year, month[0]), skip + month[1] - 1)
    year, end = read_year(words, skip, 0)
    return Span(date(year, 1, 1), date(year, 12, 31), end) if year else None


def _part(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return the span of "the first three months of 2025", "the last week of june", "the second quarter" or "the first half
    of the year"."""
    skip = at + (words[at] == "the")
    if skip + 1 >= len(words):
        return None
    which = words[skip]
    nth = ordinal(words, skip)
    counted = under_hundred(words, skip + 1) or (1, skip + 1)
    number, unit_at = counted
    unit = words[unit_at] if unit_at < len(words) else ""
    inside = unit_at + 1
    of = inside < len(words) and words[inside] in {"of", "in"}
    whole = _period(words, inside + of, today) if inside < len(words) else None
    if unit == "quarter" and whole is None and number == 1 and (nth or which in _LAST) and which != "last":
        whole = Span(date(today.year, 1, 1), date(today.year, 12, 31), inside)
    if whole is None or (inside < whole.end and not of and unit != "quarter"):
        return None
    if unit == "half" and number == 1 and (nth or which in _LAST | {"latter"}):
        return _half(whole, second=which != "first")
    if unit in _MONTHS_OF and (which in _FIRST | _LAST or (nth and number == 1)):
        return _months_inside(whole, number * _MONTHS_OF[unit], which, nth[0] if nth else 0)
    if unit in _DAYS_OF and (which in _FIRST | _LAST or (nth and number == 1)):
        size = _DAYS_OF[unit]
        place = 0 if which in _FIRST else (nth[0] - 1) * size if nth else 0
        if which in _LAST:
            return Span(whole.last - timedelta(days=number * size - 1), whole.last, whole.end)
        first = whole.first + timedelta(days=place)
        last = first + timedelta(days=number * size - 1)
        return Span(first, last, whole.end) if last <= whole.last else None
    return None


def _months_inside(whole: Span, months: int, which: str, nth: int) -> Span | None:
    """Return so many months of a span, from its beginning, from its end, or the nth such part."""
    if which in _LAST:
        last = whole.last
        return Span(month_span(last.year, last.month - months + 1)[0], last, whole.end)
    begin = (max(nth, 1) - 1) * months
    first = month_span(whole.first.year, whole.first.month + begin)[0]
    last = month_span(first.year, first.month + months - 1)[1]
    return Span(first, last, whole.end) if last <= whole.last else None


def _half(whole: Span, second: bool) -> Span | None:
    if (whole.last - whole.first).days > 360:
        middle = date(whole.first.year, 6, 30)
    elif whole.first.day == 1 and whole.last.day >= 28:
        middle = whole.first.replace(day=15)
    else:
        return None
    return Span(middle + timedelta(days=1), whole.last, whole.end) if second else Span(whole.first, middle, whole.end)


def _edge(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return the first or last day of a period: "since the start of the year", "by the end of the month"."""
    if not at or words[at - 1] not in _LIMITING:
        return None
    skip = at + (words[at] == "the")
    if words[skip + 1 : skip + 2] != ["of"] or words[skip] not in _BEGINNING | {"end"}:
        return None
    whole = _period(words, skip + 2, today)
    if whole is None:
        return None
    day = whole.last if words[skip] == "end" else whole.first
    return Span(day, day, whole.end)


def _months(words: Sequence[str], at: int) -> Span | None:
    """Return the span of "march to may 1989" or "between december 1990 and february 1991", with its preposition."""
    skip = at + (words[at] in {"between", "from"})
    first = read_month(["in", *words[skip:]], 1) if skip < len(words) else None
    if first is None:
        return None
    own, end = read_year(words, skip + first[1] - 1, 0)
    joint = words[end] if end < len(words) else ""
    if not (joint in _THROUGH or (joint == "and" and words[at] == "between")):
        return None
    second = read_month(["in", *words[end + 1 :]], 1) if end + 1 < len(words) else None
    if second is None:
        return None
    year, end = read_year(words, end + second[1], 0)
    if not year:
        return None
    begin = own or (year if first[0] <= second[0] else year - 1)
    days = month_span(begin, first[0])[0], month_span(year, second[0])[1]
    return Span(*days, end) if days[0] < days[1] else None


def _season(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the span of "last summer", "this winter" or "the spring of 1988", or None: without a year it is any of them."""
    skip = at + (words[at] in {"the", "this", "last", "past", "next"})
    if skip >= len(words) or words[skip] not in _SEASONS:
        return None
    month = _SEASONS[words[skip]]
    after = skip + 1
    year, end = read_year(words, after + (words[after : after + 1] == ["of"]), 0)
    if not year:
        named = (
            relative_period(words, after + (words[after : after + 1] == ["of"]), day) if after < len(words) else None
        )
        year, end = (named.years[0], named.end) if named and named.years else (0, after)
    if year:
        return _season_of(year, month, end)
    step = words[at]
    if step not in {"this", "last", "past", "next"}:
        return None
    seasons = [_season_of(year, month, end) for year in range(day.year - 2, day.year + 3)]
    if step == "this":
        return min((s for s in seasons if s.last >= day), key=lambda s: s.first)
    if step == "next":
        return min((s for s in seasons if s.first > day), key=lambda s: s.first)
    return max((s for s in seasons if s.last < day), key=lambda s: s.first)


def _season_of(year: int, month: int, end: int) -> Span:
    begin = year - (month == 12)
    return Span(month_span(begin, month)[0], month_span(begin, month + 2)[1], end)


def _week_of(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return Monday to Sunday of "the week of june ninth"."""
    skip = at + (words[at] == "the")
    if words[skip : skip + 2] != ["week", "of"]:
        return None
    found = read_date(words, skip + 2 + (words[skip + 2 : skip + 3] == ["the"]), today)
    if found is None:
        return None
    day = _date(found[0])
    monday = day - timedelta(days=day.weekday())
    return Span(monday, monday + timedelta(days=6), found[1])


def _up_to_today(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the part of this week, month or year before or after today: "so far this year", "later this week"."""
    sides = {("so", "far"): "before", ("earlier",): "before", ("later",): "after"}
    rest = {("rest", "of"): "after", ("remainder", "of"): "after"}
    skip = at + (words[at] == "the")
    for said, side in (sides if skip == at else rest).items():
        begin = skip + len(said)
        if tuple(words[skip:begin]) != said or begin + 1 >= len(words) or words[begin] not in {"this", "the"}:
            continue
        now = relative_period(["this", words[begin + 1]], 0, day)
        if now is None:
            return None
        days = (now.first, day) if side == "before" else (day + timedelta(days=said == ("later",)), now.last)
        return Span(*days, begin + 2) if days[0] <= days[1] else None
    return None


def _named_month(words: Sequence[str], at: int, day: date) -> Span | None:
    """Return the month of "last october" or "next march", seen from `day`; None where one of this year could be meant, too."""
    if words[at] not in {"last", "next", "past"} or at + 1 >= len(words):
        return None
    month = read_month(["in", *words[at + 1 :]], 1)
    if month is None:
        return None
    ahead = words[at] == "next"
    if (month[0] > day.month) if ahead else (month[0] < day.month):
        return None
    year = day.year + (1 if ahead else -1)
    return Span(*month_span(year, month[0]), at + month[1])


def _part_of_decade(words: Sequence[str], at: int, today: Today) -> Span | None:
    """Return the years of "the early eighties" or "the mid nineteen seventies"."""
    skip = at + (words[at] == "the")
    years = _PARTS_OF_TEN.get(words[skip]) if skip + 1 < len(words) else None
    decade = read_span(words, skip + 1, today) if years else None
    if years is None or decade is None or len(decade.years) < 2 or decade.years[1:] != (decade.years[0] + 9,):
        return None
    first, last = (decade.years[0] + year for year in years)
    return Span(date(first, 1, 1), date(last, 12, 31), decade.end, (first, last))


def _date(day: Day) -> date:
    return date(day.year, day.month, day.day)
