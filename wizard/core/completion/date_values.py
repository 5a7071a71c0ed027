"""Dates of the days from the study's today on, found by how one begins to type them: a weekday, a month, or in figures."""

from datetime import date, timedelta

from session.protocol.side_messages import DomainValue

DAYS = 21
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
    """
    wanted = " ".join(typed.casefold().split())
    try:
        first = date.fromisoformat(today)
    except ValueError:
        return []
    if len(wanted) < 2:
        return []
    return [value for number in range(DAYS) if (value := _said(first + timedelta(number), wanted)) is not None][:MOST]


def _said(day: date, wanted: str) -> DomainValue | None:
    weekday, month = _NAMES[day.weekday()], f"{_MONTHS[day.month - 1]} {day.day}"
    spoken = " ".join(word.capitalize() for word in f"{weekday} {month}".split())
    if f"{weekday} {month}".startswith(wanted):
        return DomainValue(spoken, day.isoformat(), "date")
    if month.startswith(wanted):
        return DomainValue(
            " ".join(word.capitalize() for word in month.split()), day.isoformat(), f"a {weekday.capitalize()}"
        )
    return DomainValue(day.isoformat(), day.isoformat(), spoken) if day.isoformat().startswith(wanted) else None
