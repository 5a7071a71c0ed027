"""An SQLite file of streams by the driver alone: what a program needs that reads them all and seldom appends.

To load SQLAlchemy takes such a program longer than its work. Statements and settings are those of
`session.store.event_store`, which makes the file, and erases.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from session.events import Recorded
from session.store import hash_chain
from session.store.chain_links import ChainLinker, random_salt
from session.store.hash_chain import GENESIS, StoredEvent, stored_event
from session.store.types import (
    Entry,
    SecondWriter,
    StoreBusy,
    StoreDamaged,
    StoreUnavailable,
    database_problem,
    identity,
    make_private,
    moved,
)
from session.store.upcasting import Versions

PLAIN, FOLDED = 1, 2
"""The formats: streams alone, and streams of sessions with the folds that are kept of them."""
BUSY_MS = 5000
_AT_ONCE = 512
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON")
INSERT_EVENT = "INSERT INTO events (stream, seq, envelope, prev, digest) VALUES (?, ?, ?, ?, ?)"
INSERT_PAYLOAD = "INSERT INTO payloads (stream, seq, salt, payload) VALUES (?, ?, ?, ?)"
_MADE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'curtain_store'"
_CHAIN = (
    "SELECT stream, seq, envelope, prev, digest, salt, payload FROM events LEFT JOIN payloads USING (stream, seq)"
    " WHERE stream = ? ORDER BY seq"
)


def make_durable(connection: sqlite3.Connection) -> None:
    """Set a connection so that what was committed is never lost and what is deleted leaves no trace."""
    connection.isolation_level = None
    for pragma in (f"busy_timeout = {BUSY_MS}", *_PRAGMAS):
        connection.execute(f"PRAGMA {pragma}")


class StreamsFile:
    """Streams in a file of SQLite; raises what `Store` raises, and as it does."""

    def __init__(self, path: Path, versions: Versions) -> None:
        self._path = path
        self._linking = ChainLinker(versions, random_salt)
        make_private(path)
        with self._clear("Nothing was opened"):
            self._connection = sqlite3.connect(path)
        try:
            with self._clear("Nothing was opened"):
                make_durable(self._connection)
                self.is_made = bool(self._rows(_MADE))
                found = self._rows("SELECT format FROM curtain_store") if self.is_made else [(PLAIN,)]
            if found != [(PLAIN,)]:
                told = f"The store has format {found[0][0] if found else 'none'}, this program writes {PLAIN} alone"
                raise StoreUnavailable(f"{told}; install the release that made it.")
        except BaseException:
            self.close()
            raise
        self._file = identity(str(path))

    def lengths(self) -> dict[str, int]:
        """Return the number of the last event of every stream, by name."""
        with self._clear("Nothing could be read"):
            return dict(self._rows("SELECT stream, max(seq) FROM events GROUP BY stream ORDER BY stream"))

    def read(self, stream: str) -> list[Recorded]:
        """Return the events of a stream; raises NewerEvent, DamagedEvent or StoreUnavailable."""
        return [*self.each(stream)]

    def each(self, stream: str) -> Iterator[Recorded]:
        """The events of a stream one by one; raises as `read` does."""
        with self._clear("Nothing could be read"):
            for row in self._connection.execute(_CHAIN, (stream,)):
                yield self._linking.versions.recorded(stored_event(row))

    def append(self, stream: str, after: int, facts: Iterable[Entry]) -> int:
        """Append events `after`+1 … to a stream that was read, on disk when this returns; one transaction. Returns the number of
        the last. Raises SecondWriter, UnstorableValue, StoreUnavailable."""
        with self._clear("The events were not recorded"):
            last = "SELECT digest FROM events WHERE stream = ? AND seq = ?"
            (prev,) = self._rows(last, stream, after)[0] if after else (GENESIS,)
            coming = iter(facts)
            links = self._linking.linked(stream, after, prev, [*islice(coming, _AT_ONCE)])
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                while links:
                    rows = [(at.stream, at.seq, at.envelope, at.prev, at.digest) for at in links]
                    self._connection.executemany(INSERT_EVENT, rows)
                    said = [(at.stream, at.seq, at.salt, at.payload) for at in links]
                    self._connection.executemany(INSERT_PAYLOAD, said)
                    after, prev = after + len(links), links[-1].digest
                    links = self._linking.linked(stream, after, prev, [*islice(coming, _AT_ONCE)])
                if identity(str(self._path)) != self._file:
                    raise moved(str(self._path), "The events were not recorded")
                self._connection.execute("COMMIT")
                return after
            except sqlite3.IntegrityError as error:
                told = f"event {after + 1} of {stream} exists already: another program writes to this store; close one of the two"
                raise SecondWriter(told) from error
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def verify(self, stream: str) -> list[str]:
        """Return the faults of the chain of a stream, in sentences."""
        return hash_chain.findings(self._raw(stream))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _raw(self, stream: str) -> list[StoredEvent]:
        with self._clear("Nothing could be read"):
            return [stored_event(row) for row in self._rows(_CHAIN, stream)]

    def _rows(self, query: str, *values: str | int) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _clear(self, consequence: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            kind = StoreDamaged if type(error) is sqlite3.DatabaseError else StoreUnavailable
            kind = StoreBusy if "database is locked" in str(error) else kind
            raise kind(f"The store {self._path} {database_problem(error)}. {consequence}.") from error
