"""Spoken values: codes in words or letter by letter, numbers by what they count."""

import re
from collections.abc import Mapping
from enum import StrEnum

import msgspec

from domain.spoken import spoken_numbers
from session.values.column_display import ColumnReading, Form, Value, plainly

UNKNOWN = "unknown"


class SpokenAs(StrEnum):
    """The spoken form of a column's values; `as_shown` follows the form on the screen."""

    AS_SHOWN = "as_shown"
    NUMBER = "number"
    PAIRS = "pairs"
    DIGITS = "digits"
    LETTERS = "letters"
    NAME = "name"
    WORDS = "words"
    CLOCK = "clock"
    MINUTES = "minutes"
    DOLLARS = "dollars"
    DATE = "date"
    YEAR = "year"


class SpokenColumn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The spoken form of a column: `form` for all values, `words` for single ones, `written` as a text with {} for the
    value."""

    form: SpokenAs = SpokenAs.AS_SHOWN
    words: Mapping[str, str] = {}
    written: str = ""


def said(value: Value, column: SpokenColumn, reading: ColumnReading) -> str:
    """Return a value in words; "unknown" for a missing one."""
    if value is None:
        return UNKNOWN
    if (own := column.words.get(str(value))) is not None:
        return own
    if code := reading.codes.get(str(value)):
        return _name(code).lower() if column.form is SpokenAs.WORDS else _name(code)
    words = _by_form(value, column.form, reading) or _plain(value)
    return column.written.replace("{}", words) if column.written else words


def _by_form(value: Value, form: SpokenAs, reading: ColumnReading) -> str:
    """Return the value in the given form; empty when it has none, so that the plain form applies."""
    whole = _whole(value)
    match form:
        case SpokenAs.AS_SHOWN:
            return _as_shown(value, whole, reading)
        case SpokenAs.NUMBER:
            return spoken_numbers.number(value) if isinstance(value, int | float) else ""
        case SpokenAs.PAIRS:
            return spoken_numbers.pairs(whole) if whole is not None and whole >= 0 else ""
        case SpokenAs.DIGITS | SpokenAs.LETTERS:
            return spoken_numbers.digits(str(value))
        case SpokenAs.NAME:
            return _name(str(value))
        case SpokenAs.WORDS:
            return _name(str(value)).lower()
        case SpokenAs.CLOCK:
            return spoken_numbers.clock(whole) if whole is not None else ""
        case SpokenAs.MINUTES:
            return spoken_numbers.duration(whole) if whole is not None else ""
        case SpokenAs.DOLLARS:
            return spoken_numbers.dollars(value) if isinstance(value, int | float | str) else ""
        case SpokenAs.DATE:
            return spoken_numbers.date(str(value))
        case SpokenAs.YEAR:
            return spoken_numbers.year(whole) if whole is not None else ""


def _as_shown(value: Value, whole: int | None, reading: ColumnReading) -> str:
    if reading.form is Form.CLOCK and whole is not None:
        return spoken_numbers.clock(whole)
    if reading.form is Form.MINUTES and whole is not None:
        return spoken_numbers.duration(whole)
    if reading.written == "${}" and isinstance(value, int | float | str):
        return spoken_numbers.dollars(value)
    if reading.written and isinstance(value, int | float):
        return reading.written.replace("{}", spoken_numbers.number(value))
    return ""


def _whole(value: Value) -> int | None:
    """Return the integer that a value is or spells, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 12:
        return int(value)
    return value if isinstance(value, int) else None


def _plain(value: Value) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return spoken_numbers.number(value)
        case str() if spoken_numbers.date(value) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            return spoken_numbers.date(value)
        case str() if _is_code(value):
            return spoken_numbers.digits(value)
        case str():
            return _name(value)
        case _:
            return UNKNOWN


def _is_code(text: str) -> bool:
    """Return whether a text cannot be read as a word: letters among digits, or capitals without a vowel."""
    if not re.fullmatch("[A-Z0-9]{1,8}", text):
        return False
    return any(character.isdecimal() for character in text) or not set(text) & set("AEIOUY")


def _name(text: str) -> str:
    """Return a name in title case if all of it is in capitals, since speech engines spell capitals."""
    plain = " ".join(plainly(text).replace("/", " or ").split())
    return plain.title().replace("'S", "'s") if plain.isupper() and len(plain) > 1 else plain
