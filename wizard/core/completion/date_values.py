"""Dates of the days from the study's today on, found by how one begins to type them: a weekday, a month, in figures, or
"tomorrow"."""

from datetime import date, timedelta

from session.protocol.side_messages import DomainValue

DAYS = 21
_AHEAD = (("today", 0), ("tomorrow", 1))
MOST = 7
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def dates_starting(typed: str, today: str) -> list[DomainValue]:
    """Dates near today whose weekday, month or figures begin as typed; none for fewer than two letters.

    >>> [value.text for value in dates_starting("tue", "1991-04-29")]
    ['Tuesday April 30', 'Tuesday May 7', 'Tuesday May 14']
    >>> [value.text for value in dates_starting("1991-05-0", "1991-04-29")][:2]
    ['1991-05-01', '1991-05-02']
    >>> [(value.text, value.kind) for value in dates_starting("tomo", "1991-04-29")], dates_starting("to", "1991-04-29")
    ([('Tuesday April 30', 'tomorrow')], [])
    """
    wanted = " ".join(typed.casefold().split())
    try:
        first = date.fromisoformat(today)
    except ValueError:
        return []
    if len(wanted) < 2:
        return []
    said = [
        DomainValue(_spoken(first + timedelta(ahead)), (first + timedelta(ahead)).isoformat(), name)
        for name, ahead in _AHEAD
        if len(wanted) >= len("toda") and name.startswith(wanted)  # before that it may be Toronto
    ]
    return (
        said
        + [value for number in range(DAYS) if (value := _said(first + timedelta(number), wanted)) is not None][:MOST]
    )


def _spoken(day: date) -> str:
    return f"{_NAMES[day.weekday()]} {_MONTHS[day.month - 1]} {day.day}".title()


def _said(day: date, wanted: str) -> DomainValue | None:
    weekday, month, spoken = _NAMES[day.weekday()], f"{_MONTHS[day.month - 1]} {day.day}", _spoken(day)
    if f"{weekday} {month}".startswith(wanted):
        return DomainValue(spoken, day.isoformat(), "date")
    if month.startswith(wanted):
        return DomainValue(
            " ".join(word.capitalize() for word in month.split()), day.isoformat(), f"a {weekday.capitalize()}"
        )
    return DomainValue(day.isoformat(), day.isoformat(), spoken) if day.isoformat().startswith(wanted) else None
