"""Days between dates in SQLite, the same on every day.

SQLite's own `julianday` also knows "now"; a query that used it would answer otherwise tomorrow. In the sandbox this stands in
its place: it reads dates as they are stored, and nothing else.
"""

import sqlite3
from datetime import date, datetime, timedelta

JULIAN_DAY = "julianday"
_BEFORE_YEAR_ONE = 1_721_424.5  # the Julian day on which the proleptic Gregorian calendar's day 0 begins


def julian_day(*written: object) -> float | None:
    """The Julian day of an ISO date, with a time or without; None for everything else, "now" among it.

    >>> julian_day("1989-08-16")
    2447754.5
    >>> julian_day("1989-08-16 12:00")
    2447755.0
    >>> julian_day("now"), julian_day(), julian_day("1989-08-16", "+1 day")
    (None, None, None)
    """
    if len(written) != 1 or not isinstance(written[0], str):
        return None
    try:
        day = date.fromisoformat(written[0])
        return day.toordinal() + _BEFORE_YEAR_ONE
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(written[0])
    except ValueError:
        return None
    passed = timedelta(hours=moment.hour, minutes=moment.minute, seconds=moment.second)
    return moment.toordinal() + _BEFORE_YEAR_ONE + passed / timedelta(days=1)


def know_days(connection: sqlite3.Connection) -> None:
    """Puts ours in the place of SQLite's own on this connection, whatever the number of its arguments."""
    connection.create_function(JULIAN_DAY, -1, julian_day, deterministic=True)
