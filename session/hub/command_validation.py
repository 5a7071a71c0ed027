"""Validation of values in well-formed commands: impossible moments, counts, names and hashes are named and refused.

The wire's decoder checks types; this checks values, before anything is decided or recorded. One walk over a command finds the
first value that cannot be meant, whichever fact or request it stands in.
"""

import re
from collections.abc import Iterator

import msgspec

from session.commands import AnyCommand
from session.hub.take_confirmation import LONGEST_TAKE_SAMPLES
from session.values.clock import SECOND, Stamp

EARLIEST_WALL = 0
LATEST_WALL = 7_258_118_400 * SECOND
"""The year 2200."""

LONGEST_STRING = 25_000
MOST = 2**62
NAMES = frozenset(("id", "take", "target", "reply", "attempt", "scenario", "message"))
COUNTS = frozenset(
    ("samples", "pre_roll", "tail", "at_sample", "first", "last", "decided_at", "speech_end", "rate", "choice", "run")
)
LONGEST_DELAY = 60 * SECOND
_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.:#-]{0,80}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def objection(command: AnyCommand) -> str:
    """Return the first fault in a command's values, in a few words; empty when there is none."""
    return next(
        (f"`{field}` {problem}" for field, value in _values(command) if (problem := _problem(field, value))), ""
    )


def _values(value: object, field: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, Stamp):
        yield field, value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _values(getattr(value, name), name)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield field, key
            yield from _values(each, "")
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _values(each, field)
    else:
        yield field, value


def _problem(field: str, value: object) -> str:
    match value:
        case Stamp():
            possible = EARLIEST_WALL <= value.wall <= LATEST_WALL and -MOST <= value.mono <= MOST
            return "" if possible and len(value.clock) <= 80 else "is no moment that can be"
        case bool() | None:
            return ""
        case int():
            return _number(field, value)
        case str():
            return _text(field, value)
        case _:
            return ""


def _number(field: str, value: int) -> str:
    if field in COUNTS and not 0 <= value <= LONGEST_TAKE_SAMPLES:
        return f"is {value}, no count that can be"
    if field == "uncertainty" and not 0 <= value <= LONGEST_DELAY:
        return f"is {value}, no uncertainty of a moment that can be"
    if field in ("columns", "lines") and not 1 <= value <= 10_000:
        return f"is {value}, no size of a screen"
    if field == "rate" and not 1 <= value <= 400_000:
        return f"is {value}, no sampling rate"
    return "" if -MOST <= value <= MOST else "is out of all bounds"


def _text(field: str, value: str) -> str:
    if len(value) > LONGEST_STRING:
        return f"has {len(value)} characters"
    if field in NAMES and value and not _NAME.fullmatch(value):
        return "is no identifier"
    if field == "letter" and not re.fullmatch("[a-z]", value):
        return "is no letter of a channel"
    if field == "sha256" and not _SHA256.fullmatch(value):
        return "is no SHA-256"
    return ""
