"""What a store is handed and hands back, and how it says what is wrong: all of it without a database."""

from pathlib import Path

import msgspec

from session.clock import Stamp
from session.events import Fact


class SecondWriter(Exception):
    """Somebody else has appended to the stream; read it again before appending."""


class StoreUnavailable(Exception):
    """The database cannot be reached or written; nothing of the call was recorded."""


class Unstorable(ValueError):
    """A fact would not be read back as it is; nothing of the call was recorded."""


class Entry(msgspec.Struct, frozen=True):
    """A fact that is to be appended, with what its envelope is to say."""

    at: Stamp
    by: str
    cause: str
    event: Fact


class StreamInfo(msgspec.Struct, frozen=True):
    """A stream at a glance; `head` is its last digest in hexadecimal."""

    stream: str
    events: int
    head: str
    first_type: str


def make_private(path: Path) -> None:
    """Make the file before SQLite does: what is in it concerns its owner alone."""
    if path.parent.is_dir() and not path.exists() and not str(path).startswith("file:"):
        path.touch(mode=0o600)


_PROBLEMS = {
    "disk is full": "has no space left on its disk; free some",
    "locked": "is held by another program; close it",
    "readonly": "cannot be written; look at its permissions",
    "unable to open": "cannot be opened; look whether its folder exists and may be written",
    "not a database": "is no SQLite database",
    "malformed": "is damaged; restore it from a copy",
}


def problem(error: Exception) -> str:
    first = next(iter(str(getattr(error, "orig", None) or error).strip().splitlines()), "gave no reason")
    return next((meaning for sign, meaning in _PROBLEMS.items() if sign in first), f"does not work: {first}")
