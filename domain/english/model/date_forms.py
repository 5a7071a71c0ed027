"""Forms in which a column of text or numbers tells days: 2024-01-31, 20240131, 31.01.2024, 31/01/2024 or 01/31/2024.

Only ISO text sorts and compares as it stands. The form of any other column is found from its values when the engine is
built and kept with the reflected column; `as_iso` puts such a column into ISO form within a statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Integer,
    MetaData,
    String,
    cast,
    func,
    select,
    type_coerce,
)
from sqlalchemy.types import NullType

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.path_names import column_called

_INFO, _SAMPLE = "form of dates", 400
_PATTERNS = (
    (re.compile(r"(\d{4})-(\d\d)-(\d\d)([T ]\d\d:\d\d.*)?"), ((1, 6, 9),)),
    (re.compile(r"(\d{4})[/.](\d\d)[/.](\d\d)( \d\d:\d\d.*)?"), ((1, 6, 9),)),
    (re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)()"), ((1, 5, 7),)),
    (re.compile(r"(\d\d)[./-](\d\d)[./-](\d{4})( \d\d:\d\d.*)?"), ((7, 4, 1), (7, 1, 4))),
)
"""Patterns, each with the places at which year, month and day may begin, likeliest first."""


class DateForm(msgspec.Struct, frozen=True):
    """The places at which year, month and day begin in a value, the first being 1, and whether times of day follow some."""

    year: int
    month: int
    day: int
    timed: bool
    iso: bool

    @property
    def sorts(self) -> bool:
        """Values in this form sort by time as they stand."""
        return self.year < self.month < self.day


def date_form(values: Sequence[Any]) -> DateForm | None:
    """Return the form in which all of these values tell days, or None."""
    texts = [str(value) for value in values if isinstance(value, str | int) and not isinstance(value, bool)]
    if not texts or len(texts) < len(values):
        return None
    for at, (pattern, places) in enumerate(_PATTERNS):
        matches = [pattern.fullmatch(text) for text in texts]
        if not all(matches):
            continue
        timed = any(match and match[4] and not match[4][1:].startswith("00:00") for match in matches)
        for year, month, day in places:
            if all(_tells_day(text, year, month, day) for text in texts):
                return DateForm(year, month, day, timed, not at)
    return None


def _tells_day(text: str, year: int, month: int, day: int) -> bool:
    try:
        date(int(text[year - 1 : year + 3]), int(text[month - 1 : month + 1]), int(text[day - 1 : day + 1]))
    except ValueError:
        return False
    return True


def note_date_forms(model: DomainModel, schema: MetaData, link: Connection) -> None:
    """Keep the form of dates with each column that the domain compares with days and that does not hold a date type."""
    ends = (read_path(a.accepts["date"]).end for a in model.attribute.values() if a.accepts.get("date", "-") != "-")
    for name in dict.fromkeys(end for end in ends if "," not in end):
        column = column_called(schema, name)
        if column is None or _INFO in column.info or not isinstance(column.type, String | Integer | NullType):
            continue
        raw = select(type_coerce(column, NullType())).where(column.is_not(None)).distinct().limit(_SAMPLE)
        column.info[_INFO] = date_form(link.execute(raw).scalars().all())


def _form(column: ColumnElement[Any]) -> DateForm | None:
    form = next((base.info.get(_INFO) for base in column.base_columns if isinstance(base, Column)), None)
    return form if isinstance(form, DateForm) else None


def as_iso(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a column of dates in ISO form; a column of dates, of ISO text, or of anything else as it is."""
    form = _form(column)
    if form is None or form.iso:
        return column
    text = column if isinstance(column.type, String) else cast(column, String)
    year, month, day = (
        func.substr(text, at, size, type_=String) for at, size in ((form.year, 4), (form.month, 2), (form.day, 2))
    )
    whole = year + "-" + month + "-" + day
    return whole + func.substr(text, 11, type_=String) if form.timed else whole


def as_sorted(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a column in a form that sorts by time."""
    form = _form(column)
    return column if form is None or form.sorts else as_iso(column)


def time_of_day(column: ColumnElement[Any]) -> ColumnElement[Any] | None:
    """Return the time of day, as 17:40, of a column that holds days with times; None for other columns."""
    form = _form(column)
    if isinstance(column.type, DateTime) or (form is not None and form.timed):
        return func.substr(cast(column, String), 12, 5, type_=String)
    return None


def span_of(column: ColumnElement[Any], span: str) -> ColumnElement[Any]:
    """Return the day, month or year of a column of dates, as 2024-01-31, 2024-01 or 2024; without a span, the column."""
    if not span:
        return column
    iso = as_iso(column)
    text = iso if isinstance(iso.type, String) else cast(iso, String)
    return func.substr(text, 1, {"day": 10, "month": 7, "year": 4}[span], type_=String)
