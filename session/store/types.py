"""The values that go into a store and come out, and its errors; all of it without a database."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from session.events import Fact
from session.values.clock import Stamp


class SecondWriter(Exception):
    """Error: another writer has appended to the stream; read it again before appending."""


class LeaseLost(SecondWriter):
    """Another hub serves the session now; this one must not write to it any more."""


class StoreUnavailable(Exception):
    """The database cannot be reached or written; nothing of the call was recorded."""


class StoreBusy(StoreUnavailable):
    """Another program has held the database for too long; the same call can succeed a moment later."""


class StoreDamaged(StoreUnavailable):
    """The file is not a database, or is damaged, and must be repaired before anybody can write to it."""


class UnstorableValue(ValueError):
    """A fact would not be read back as it is; nothing of the call was recorded."""


class Entry(msgspec.Struct, frozen=True):
    """A fact that is to be appended, with what its envelope is to say."""

    at: Stamp
    by: str
    cause: str
    event: Fact


class Write(msgspec.Struct, frozen=True):
    """Facts that are to be appended to a stream, behind its event number `after`."""

    stream: str
    after: int
    facts: Sequence[Entry]


class Kept(msgspec.Struct, frozen=True):
    """A value that was made of a stream's facts up to its event with the digest `head`, in hexadecimal."""

    head: str
    value: bytes


class StreamInfo(msgspec.Struct, frozen=True):
    """A stream at a glance; `head` is its last digest in hexadecimal, `first` its first. `began` is the stamp of the first
    event in nanoseconds of the wall clock, 0 if it cannot be read."""

    stream: str
    events: int
    head: str
    began: int
    first: str


def make_private(path: Path) -> None:
    """Make the file before SQLite does: what is in it concerns its owner alone."""
    if path.parent.is_dir() and not path.exists() and not str(path).startswith("file:"):
        path.touch(mode=0o600)


def identity(path: str) -> tuple[int, int] | None:
    """Device and inode of a file: what is written to one that was unlinked is lost when it is closed."""
    try:
        found = os.stat(path) if path else None  # noqa: PTH116 (at every append: a Path costs five times as much)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found else None


def moved(path: str, consequence: str) -> StoreUnavailable:
    """The error of a store whose file is not the one any more that was opened."""
    return StoreUnavailable(
        f"The store {path} was moved, removed or replaced while it is in use. {consequence}. "
        "Put the very file back before you close this program; otherwise restore it from a copy."
    )


def file_uri(path: str) -> str:
    """A file of SQLite as it wants it named beside options such as `mode`."""
    return path if path.startswith("file:") else f"file:{quote(str(Path(path).resolve()))}"


_NO_ANSWER = "does not answer; start its server, or correct its address in study.toml"
_PASSWORD = "or give its password in PGPASSWORD or ~/.pgpass"
_PROBLEMS = {
    "disk is full": "has no space left on its disk; free some",
    "disk I/O error": "cannot be read or written on its disk; free some space, or look whether that disk fails",
    "locked": "is held by another program; close it",
    "readonly": "cannot be written; look at its permissions, and at those of its -wal and -shm beside it",
    "unable to open": "cannot be opened; look whether its folder exists and may be written",
    "not a database": "is not an SQLite database",
    "malformed": "is damaged; restore it from a copy",
    "Connection refused": _NO_ANSWER,
    "No such file": _NO_ANSWER,
    "timeout expired": _NO_ANSWER,
    "unreachable": _NO_ANSWER,
    "No route": _NO_ANSWER,
    "closed the connection": "has lost its server; start that again",
    "terminating connection": "has lost its server; start that again",
    "resolve host": "is on an unknown host; correct its name in study.toml",
    "translate host": "is on an unknown host; correct its name in study.toml",
    "authentication failed": f"rejects this user; correct the name in study.toml, {_PASSWORD}",
    "no password supplied": f"needs a password; correct the name in study.toml, {_PASSWORD}",
    "pg_hba": "does not let this user in from this machine; have its administrator allow that in pg_hba.conf",
    "permission denied": "does not allow this user to do that; have its administrator grant it",
    'database "': "does not exist on its server; create it with createdb, or correct its name in study.toml",
    'role "': "knows no such user; create it with createuser, or correct the name in study.toml",
    "No module named": "needs a driver that is not installed here: pip install 'curtain-woz[postgres]'",
    "load plugin": "names a kind of database or driver that nothing here knows; write sqlite or postgresql+psycopg",
    "Could not parse": "is not an SQLAlchemy URL, such as postgresql+psycopg://name@host/database",
}


def database_problem(error: Exception) -> str:
    """Describe a database's fault, as the rest of a sentence of which it is the subject, with the remedy if one is known."""
    first = next(iter(str(getattr(error, "orig", None) or error).strip().splitlines()), "gave no reason")
    return next((meaning for sign, meaning in _PROBLEMS.items() if sign in first), f"does not work: {first}")
