"""Functions of SQLite that are in the place of its own in the sandbox.

SQLite looks at the clock between steps, never within a call. Its own `instr` and `LIKE` take time that grows with the
product of both lengths: a tenth of a second a call for the longest texts that the sandbox allows, and hundreds of calls
between two looks. These take time that grows with the text, and the sandbox looks at the clock before each call.
`julianday` is here for another reason: SQLite's own knows "now", and a query that used it would answer otherwise
tomorrow.
"""

import re
from datetime import date, datetime, timedelta
from functools import lru_cache

JULIAN_DAY = "julianday"
_BEFORE_YEAR_ONE = 1_721_424.5  # the Julian day on which the proleptic Gregorian calendar's day 0 begins

Cell = str | bytes | int | float | None


def instr(text: Cell, part: Cell) -> int | None:
    """Return the place of `part` in `text`, counted from 1, and 0 if it does not occur.

    >>> instr("Norwich", "wich"), instr("Norwich", "x"), instr(None, "x"), instr(b"abc", b"c")
    (4, 0, None, 3)
    """
    if text is None or part is None:
        return None
    if isinstance(text, bytes) and isinstance(part, bytes):
        return text.find(part) + 1
    return _as_text(text).find(_as_text(part)) + 1


def like(pattern: Cell, text: Cell, escape: Cell = "") -> bool | None:
    """Return whether `text` is as `pattern` says, letters of ASCII alike in both cases.

    >>> like("n%H", "Norwich"), like("_orwich", "Norwich"), like("100!%", "100%", "!"), like("%", None)
    (True, True, True, None)
    """
    if pattern is None or text is None or escape is None:
        return None
    whole = _as_text(text)
    (first, width), *others = _parts(_as_text(pattern), _as_text(escape))
    if first.match(whole) is None or not others:
        return first.fullmatch(whole) is not None
    *middle, (last, tail) = others
    place = width
    for part, _ in middle:
        found = part.search(whole, place)
        if found is None:
            return False
        place = found.end()
    return len(whole) - tail >= place and last.match(whole, len(whole) - tail) is not None


@lru_cache(maxsize=256)
def _parts(pattern: str, escape: str) -> tuple[tuple[re.Pattern[str], int], ...]:
    """Return what stands between the `%` of a pattern, with its length.

    A part matches texts of one length only, and the first place where it does is as good as any: nothing is tried twice.
    """
    parts, literal = [("", 0)], False
    for sign in pattern:
        written, width = parts[-1]
        if sign == escape and not literal:
            literal = True
            continue
        if sign == "%" and not literal:
            parts.append(("", 0))
        else:
            parts[-1] = (written + ("." if sign == "_" and not literal else re.escape(sign)), width + 1)
        literal = False
    if literal:
        parts[-1] = ("(?!)", 0)  # an escape that escapes nothing: SQLite matches nothing
    return tuple((re.compile(written, re.ASCII | re.IGNORECASE | re.DOTALL), width) for written, width in parts)


def _as_text(value: Cell) -> str:
    """Return a value as SQLite's CAST gives it."""
    match value:
        case bytes():
            return value.decode("utf-8", "replace")
        case float():
            shown = f"{value:.15g}"
            return shown if any(sign in shown for sign in ".en") else f"{shown}.0"
        case _:
            return str(value)


def julian_day(*written: object) -> float | None:
    """Return the Julian day of an ISO date, with a time or without; None for everything else, "now" among it.

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
