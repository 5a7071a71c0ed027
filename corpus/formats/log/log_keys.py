"""Keys of the `.log`: the shapes of their values, and which may be left out or stand several times."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec


class ValueKind(StrEnum):
    """The shape of a value."""

    TEXT = "text"
    WORD = "word"
    COUNT = "count"
    CHOICE = "choice"
    FLAG = "flag"
    TIME = "time"
    LINES = "lines"


class LogKey(msgspec.Struct, frozen=True):
    """One key: how its value looks, whether it may be left out, whether it may stand several times; `former` are choices of
    earlier logs, and what they are called now."""

    name: str
    kind: ValueKind = ValueKind.TEXT
    optional: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    former: dict[str, str] = {}


class LogRule(msgspec.Struct, frozen=True):
    """The attributes that follow the time-stamped line of a record, in this order."""

    attributes: tuple[LogKey, ...] = ()

    @property
    def by_name(self) -> Mapping[str, LogKey]:
        """The attributes by their keys."""
        return {attribute.name: attribute for attribute in self.attributes}


def choice(name: str, values: type[StrEnum], optional: bool = False, former: tuple[str, ...] = ()) -> LogKey:
    """Return a key with the values of an enumeration; `former` are those of earlier logs, for which it knows today's."""
    today = {value: str(values(value).value) for value in former}
    return LogKey(name, ValueKind.CHOICE, optional, choices=tuple(value.value for value in values), former=today)


def text(name: str) -> LogKey:
    """Return the key of a mandatory text."""
    return LogKey(name, ValueKind.TEXT)


def maybe(name: str, kind: ValueKind = ValueKind.TEXT) -> LogKey:
    """Return the key of an optional value."""
    return LogKey(name, kind, optional=True)


def many(name: str) -> LogKey:
    """Return the key of an optional text that may stand several times."""
    return LogKey(name, ValueKind.TEXT, optional=True, many=True)


def word(name: str) -> LogKey:
    """Return the key of a mandatory word."""
    return LogKey(name, ValueKind.WORD)


def count(name: str) -> LogKey:
    """Return the key of a mandatory number."""
    return LogKey(name, ValueKind.COUNT)


def lines(name: str) -> LogKey:
    """Return the key of a mandatory text of several lines."""
    return LogKey(name, ValueKind.LINES)


def yes_no(name: str) -> LogKey:
    """Return the key of a mandatory yes or no."""
    return LogKey(name, ValueKind.CHOICE, choices=("yes", "no"))
