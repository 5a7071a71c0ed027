"""Display of a column for people: heading, times and amounts as such, codes in words.

MIT's display was "reformatted without cryptic abbreviations" (MADCOW 1992, section 2.3). What a database gave back stays as
it is, for the log's reference answer; a `ColumnReading` beside it says what to write in its place for a person.
"""

from collections.abc import Callable
from enum import StrEnum

import msgspec

from session.values.sanitize import inert

Value = str | int | float | bool | None


class Form(StrEnum):
    """Kind of a column's numbers."""

    PLAIN = ""
    CLOCK = "clock"
    MINUTES = "minutes"


class ColumnReading(msgspec.Struct, frozen=True):
    """`heading` in place of the column's name, `written` a text with {} for the value, `codes` words for its codes; `hidden` says
    that a person is told nothing by it (logs from before there was such a thing have none)."""

    heading: str = ""
    form: Form = Form.PLAIN
    written: str = ""
    codes: dict[str, str] = {}
    hidden: bool = False

    def read(self, value: Value, expand: bool) -> str:
        """The value as a person reads it; anything that the reading does not cover stays as it is."""
        if expand and value is not None and (words := self.codes.get(str(value))):
            return inert(words)
        text = plainly(value)
        if isinstance(value, int) and not isinstance(value, bool):
            text = _FORMS[self.form](value) or text
        return text if not self.written or value is None else inert(self.written).replace("{}", text)


Reading = tuple[ColumnReading, ...]
"""One for each column of a table; columns beyond its end are read plainly."""


def told(readings: Reading) -> list[int]:
    """Places of the columns that tell a person something; all of them where none does."""
    return [at for at, reading in enumerate(readings) if not reading.hidden] or [*range(len(readings))]


def plainly(value: Value) -> str:
    """One value without any reading."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.10g}"
        case int():
            return str(value)
        case str():
            return inert(value)


def clock(hhmm: int) -> str:
    """A time of day from hours and minutes in one number; empty for a number that is none.

    >>> [clock(each) for each in (5, 945, 1200, 1740, 2400, 1875)]
    ['12:05 am', '9:45 am', '12:00 pm', '5:40 pm', '12:00 am', '']
    """
    hours, minutes = divmod(hhmm, 100)
    if not (0 <= hours <= 24 and 0 <= minutes < 60) or hhmm > 2400:
        return ""
    return f"{hours % 12 or 12}:{minutes:02d} {'pm' if 12 <= hours < 24 else 'am'}"


def minutes(count: int) -> str:
    """A duration from minutes; empty for a negative number.

    >>> [minutes(each) for each in (45, 60, 135)]
    ['45 min', '1 h', '2 h 15 min']
    """
    if count < 0:
        return ""
    hours, rest = divmod(count, 60)
    return " ".join([*([f"{hours} h"] if hours else []), *([f"{rest} min"] if rest or not hours else [])])


_FORMS: dict[Form, Callable[[int], str]] = {Form.PLAIN: str, Form.CLOCK: clock, Form.MINUTES: minutes}
