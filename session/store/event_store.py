"""The event store: append-only streams of facts in SQLite or PostgreSQL, durable before anybody is told.

One writer appends to a stream; a second one loses on the primary key and is told so. The envelope of every event is chained;
its payload can be erased when a speaker withdraws, and then reads as `Redacted` (`session.store.hash_chain` and
`session.store.triggers` say how).
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from session.events import Recorded, SpeakerWithdrawn
from session.store import hash_chain, triggers
from session.store.chain_links import Linking, Salt, random_salt
from session.store.hash_chain import GENESIS, StoredEvent
from session.store.types import Entry as Entry
from session.store.types import SecondWriter as SecondWriter
from session.store.types import StoreDamaged as StoreDamaged
from session.store.types import StoreUnavailable as StoreUnavailable
from session.store.types import StreamInfo as StreamInfo
from session.store.types import database_problem, file_uri, make_private
from session.store.upcasting import SESSION, DamagedEvent, NewerEvent, Versions
from session.values.clock import Stamp

UNREADABLE = (StoreUnavailable, NewerEvent, DamagedEvent)
"""Exceptions that reading events can raise."""
DAMAGED = (StoreDamaged, DamagedEvent)
"""What it raises of these where no other program, and no later release, could read on."""
FORMAT = 1
BUSY_MS = 5000
AT_ONCE = 500

_metadata = sa.MetaData()


def _key() -> tuple[sa.Column[str], sa.Column[int]]:
    return sa.Column("stream", sa.Text, primary_key=True), sa.Column("seq", sa.BigInteger, primary_key=True)


_events = sa.Table(
    "events",
    _metadata,
    *_key(),
    sa.Column("envelope", sa.LargeBinary, nullable=False),
    sa.Column("prev", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
_payloads = sa.Table(
    "payloads",
    _metadata,
    *_key(),
    sa.Column("salt", sa.LargeBinary, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(["stream", "seq"], ["events.stream", "events.seq"]),
)
_erasing = sa.Table(
    "erasing",
    _metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.ForeignKeyConstraint(["stream", "seq"], ["events.stream", "events.seq"], deferrable=True, initially="DEFERRED"),
)
_LAST = sa.select(_events.c.stream, sa.func.max(_events.c.seq).label("seq")).group_by(_events.c.stream)
_format = sa.Table("curtain_store", _metadata, sa.Column("format", sa.Integer, nullable=False))


class Store:
    """One database of streams. Any thread may read and append; appends take their turn."""

    def __init__(self, url: str, versions: Versions = SESSION, salt: Salt = random_salt) -> None:
        """Opens the store at a SQLAlchemy URL, making it when there is none; raises StoreUnavailable."""
        self._linking = Linking(versions, salt)
        self._lock = threading.RLock()
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._understood: set[str] = set()
        self._file: tuple[int, int] | None = None
        try:
            self._url = sa.make_url(url)
            self._engine = _engine(self._url)
        except (sa.exc.ArgumentError, ModuleNotFoundError) as error:
            raise StoreUnavailable(
                f"The store {url.partition('://')[0]}://… {database_problem(error)}. Nothing was opened."
            ) from error
        self._alone = self._lock if isinstance(self._engine.pool, StaticPool) else nullcontext()
        try:
            self._make()
        except BaseException:
            self.close()
            raise
        self._file = _identity(self._url)

    def append(self, stream: str, after: int, facts: Sequence[Entry], sessions_before: int = -1) -> list[Recorded]:
        """Append `facts` as events `after`+1 … of `stream`, on disk when this returns; one transaction.

        Raises SecondWriter when an event of that number exists or the store has not `sessions_before` sessions (-1: any number),
        StoreUnavailable when the database is out of order, UnstorableValue for a fact that would be read back as another
        one, NewerEvent or DamagedEvent when the stream holds something that this release does not understand.
        """
        if not facts:
            return []
        with self._lock:
            if after and stream not in self._understood:
                self._understand(stream)
            prev = self._digest(stream, after)
            links = self._linking.linked(stream, after, prev, facts)
            try:
                with self._writing("The events were not recorded") as connection:
                    if sessions_before >= 0:
                        _claim(connection, stream, sessions_before)
                    _insert(connection, links)
            except sa.exc.IntegrityError as error:
                raise SecondWriter(
                    f"event {after + 1} of {stream} exists already: another program writes to this store; close one of the two"
                ) from error
            self._heads[stream] = (after + len(links), links[-1].digest)
            self._understood.add(stream)
        return [self.recorded(link) for link in links]

    def read(self, stream: str, after: int = 0) -> list[Recorded]:
        """The events of `stream` behind number `after`; raises NewerEvent, DamagedEvent or StoreUnavailable."""
        found = [self.recorded(stored) for stored in self.raw(stream, after)]
        if not after:
            self._understood.add(stream)
        return found

    def recorded(self, stored: StoredEvent) -> Recorded:
        """Decode a stored event; raises NewerEvent or DamagedEvent."""
        return self._linking.versions.recorded(stored)

    def raw(self, stream: str, after: int = 0) -> list[StoredEvent]:
        """The stored bytes behind number `after`, whatever release wrote them."""
        return self._stored((_events.c.stream == stream) & (_events.c.seq > after))

    def read_many(self, streams: Sequence[str]) -> Iterator[tuple[str, list[Recorded]]]:
        """Those of `streams` that have events, with all of these: many at a time, for each question to a database has its price.
        Raises what `read` raises."""
        for first in range(0, len(streams), AT_ONCE):
            found = map(self.recorded, self._stored(_events.c.stream.in_(streams[first : first + AT_ONCE])))
            yield from ((stream, list(facts)) for stream, facts in groupby(found, key=attrgetter("session")))

    def streams(self) -> list[StreamInfo]:
        """All streams by name."""
        last = _LAST.subquery()
        first, head = _events.alias("first"), _events.alias("head")
        query = (
            sa.select(last.c.stream, last.c.seq, head.c.digest, first.c.envelope, first.c.digest)
            .join(first, (first.c.stream == last.c.stream) & (first.c.seq == 1))
            .join(head, (head.c.stream == last.c.stream) & (head.c.seq == last.c.seq))
        )
        found = [
            StreamInfo(
                stream, seq, _bytes(digest).hex(), hash_chain.type_and_time(_bytes(envelope))[1], _bytes(began).hex()
            )
            for stream, seq, digest, envelope, began in self._rows(query)
        ]
        return sorted(found, key=lambda info: info.stream)

    def lengths(self) -> dict[str, int]:
        """The number of the last event of every stream, by name."""
        return dict(sorted((stream, seq) for stream, seq in self._rows(_LAST)))

    def lasts(self) -> dict[str, tuple[int, str]]:
        """Number and type of the last event of every stream, by name."""
        last = _LAST.subquery()
        at_last = (_events.c.stream == last.c.stream) & (_events.c.seq == last.c.seq)
        query = sa.select(last.c.stream, last.c.seq, _events.c.envelope).join(_events, at_last)
        return {
            stream: (seq, hash_chain.type_and_time(_bytes(envelope))[0]) for stream, seq, envelope in self._rows(query)
        }

    def head(self, stream: str) -> str:
        """The last digest in hexadecimal; empty for a stream without events."""
        query = sa.select(_events.c.digest).where(_events.c.stream == stream).order_by(_events.c.seq.desc()).limit(1)
        rows = self._rows(query)
        return _bytes(rows[0][0]).hex() if rows else ""

    def verify(self, stream: str, head: str = "") -> list[str]:
        """Return the faults of the chain of `stream`, in sentences; against a `head` kept elsewhere a cut tail shows too."""
        return hash_chain.findings(self.raw(stream), head)

    def withdraw(self, streams: Sequence[str], by: str, at: Stamp, fact: SpeakerWithdrawn) -> int:
        """Erase every payload of `streams` and append `fact`, its count filled in, to each that had any; how many went.

        One transaction. Raises StoreUnavailable too when the erased bytes could not be scrubbed from the file because
        another program reads it; then the same call finishes the work.
        """
        with self._lock:
            try:
                with self._writing("Nothing was erased") as connection:
                    erased = sum(self._erase(connection, stream, by, at, fact) for stream in sorted(set(streams)))
            except sa.exc.IntegrityError as error:
                raise SecondWriter("another program writes to these streams; close it, then withdraw again") from error
            self._heads.clear()
            self._scrub()
        return erased

    @property
    def reading_url(self) -> str:
        """The URL by which another process opens the same store to read it, and cannot write."""
        url = self._url
        if url.get_backend_name() == "sqlite":
            url = url.set(database=file_uri(str(url.database)), query={**url.query, "mode": "ro", "uri": "true"})
        return url.render_as_string(hide_password=False)

    def close(self) -> None:
        """Give the database back."""
        self._engine.dispose()

    # --- within ---------------------------------------------------------------------------------------------------------

    def _erase(self, connection: sa.Connection, stream: str, by: str, at: Stamp, fact: SpeakerWithdrawn) -> int:
        query = sa.select(_events).where(_events.c.stream == stream).order_by(_events.c.seq)
        envelopes = [StoredEvent(*tuple(row)) for row in connection.execute(query)]
        if not envelopes:
            raise ValueError(f"the store has no stream {stream}")
        keep = [each.seq for each in envelopes if hash_chain.kind(_bytes(each.envelope)) == hash_chain.WITHDRAWN]
        gone = (_payloads.c.stream == stream) & _payloads.c.seq.not_in(keep)
        count = connection.scalar(sa.select(sa.func.count()).select_from(_payloads).where(gone)) or 0
        if count:
            last = envelopes[-1]
            connection.execute(_erasing.insert().values(stream=stream, seq=last.seq + 1))
            connection.execute(_payloads.delete().where(gone))
            entry = Entry(at, by, "", msgspec.structs.replace(fact, erased=count))
            _insert(connection, self._linking.linked(stream, last.seq, last.digest, [entry]))
        return count

    def _scrub(self) -> None:
        """Leave no byte of what was erased in the database's files.

        SQLite zeroes what it frees, but where it moves cells between pages, copies stay in their unused parts, and its
        log may hold old pages: so the file is rewritten and the log emptied.
        """
        with self._clear("The payloads are erased, but copies may be left in the database's files; withdraw once more"):
            if self._engine.dialect.name == "postgresql":
                with self._engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
                    connection.exec_driver_sql("VACUUM (FULL) payloads")
                return
            with closing(self._engine.raw_connection()) as lent:
                lent.cursor().execute("VACUUM")
                if lent.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    raise sa.exc.OperationalError("wal_checkpoint", None, Exception("database is locked"))

    def _understand(self, stream: str) -> None:
        query = sa.select(_events.c.seq, _events.c.envelope).where(_events.c.stream == stream)
        for seq, envelope in self._rows(query):
            self._linking.understood(envelope, f"event {seq} of {stream}")

    def _digest(self, stream: str, seq: int) -> bytes:
        """The digest of an event, the genesis for number 0; raises ValueError when there is no such event."""
        if seq == 0:
            return GENESIS
        known = self._heads.get(stream)
        if known and known[0] == seq:
            return known[1]
        rows = self._rows(sa.select(_events.c.digest).where(_events.c.stream == stream, _events.c.seq == seq))
        if not rows:
            raise ValueError(f"stream {stream} has no event {seq} to append after")
        return _bytes(rows[0][0])

    def _stored(self, wanted: sa.ColumnElement[bool]) -> list[StoredEvent]:
        joined = _events.outerjoin(
            _payloads, (_payloads.c.stream == _events.c.stream) & (_payloads.c.seq == _events.c.seq)
        )
        chosen = sa.select(_events, _payloads.c.salt, _payloads.c.payload).select_from(joined).where(wanted)
        return [
            StoredEvent(
                row[0], row[1], *map(_bytes, row[2:5]), *(None if part is None else _bytes(part) for part in row[5:])
            )
            for row in self._rows(chosen.order_by(_events.c.stream, _events.c.seq))
        ]

    def _rows(self, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
        with self._alone, self._clear("Nothing could be read"), self._engine.begin() as connection:
            return [tuple(row) for row in connection.execute(query)]

    @contextmanager
    def _writing(self, consequence: str) -> Iterator[sa.Connection]:
        with self._clear(consequence), self._engine.execution_options(writes=True).begin() as connection:
            yield connection
            if self._file and _identity(self._url) != self._file:
                raise StoreUnavailable(
                    f"The store {self._url.database} was moved, removed or replaced while it is in use. {consequence}. "
                    "Put the very file back before you close this program; otherwise restore it from a copy."
                )

    @contextmanager
    def _clear(self, consequence: str) -> Iterator[None]:
        try:
            yield
        except sa.exc.IntegrityError:
            raise
        except (sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
            shown = self._url.database if self._url.get_backend_name() == "sqlite" else self._url.render_as_string()
            kind = StoreDamaged if type(error) is sa.exc.DatabaseError else StoreUnavailable
            raise kind(f"The store {shown} {database_problem(error)}. {consequence}.") from error

    def _make(self) -> None:
        with self._clear("Nothing was opened"), self._engine.begin() as connection:
            made = sa.inspect(connection).has_table(_format.name)
        if not made:
            with self._writing("Nothing was opened") as connection:
                _make_tables(connection)
        found = self._rows(sa.select(_format.c.format))
        if found != [(FORMAT,)]:
            raise StoreUnavailable(
                f"The store has format {found[0][0] if found else 'none'}, this release knows {FORMAT}; "
                "install the release that made it."
            )


def _bytes(value: object) -> bytes:
    """A column as bytes, whatever SQLite, which lets any type into any column, has there."""
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else str(value).encode()


def _make_tables(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('curtain_store'))")
    if not sa.inspect(connection).has_table(_format.name):
        _metadata.create_all(connection)
        for statement in triggers.BY_DIALECT[connection.dialect.name]:
            connection.exec_driver_sql(statement)
        connection.execute(_format.insert().values(format=FORMAT))


def _insert(connection: sa.Connection, links: Sequence[StoredEvent]) -> None:
    rows = [msgspec.structs.asdict(link) for link in links]
    events, payloads = _events.columns.keys(), _payloads.columns.keys()
    connection.execute(_events.insert(), [{key: row[key] for key in events} for row in rows])
    connection.execute(_payloads.insert(), [{key: row[key] for key in payloads} for row in rows])


def _claim(connection: sa.Connection, stream: str, sessions_before: int) -> None:
    """Hold back every other session until this one is recorded; raises SecondWriter when one was recorded meanwhile."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('curtain_open_session'))")
    sessions = sa.select(sa.func.count()).where(_events.c.seq == 1, _events.c.stream.not_like("%/%"))
    if connection.execute(sessions).scalar_one() != sessions_before:
        raise SecondWriter(
            f"session {stream} was not opened: another hub or console has just opened a session of this study; try again"
        )


def _engine(url: sa.URL) -> sa.Engine:
    backend = url.get_backend_name()
    if backend not in triggers.BY_DIALECT:
        raise StoreUnavailable(f"The store can be sqlite or postgresql, not {backend}.")
    if backend == "postgresql":
        made = sa.create_engine(url, pool_pre_ping=True)
        sa.event.listen(made, "connect", _durable)
        return made
    if url.database in (None, "", ":memory:"):
        made = sa.create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        make_private(Path(str(url.database)))
        made = sa.create_engine(url)
    sa.event.listen(made, "connect", _careful)
    sa.event.listen(made, "begin", _begin)
    return made


def _identity(url: sa.URL) -> tuple[int, int] | None:
    """Device and inode of a SQLite file: what is written to one that was unlinked is lost when it is closed."""
    path = str(url.database or "")
    if url.get_backend_name() != "sqlite" or path in ("", ":memory:") or path.startswith("file:"):
        return None
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _durable(connection: Any, _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
    connection.commit()


def _careful(connection: Any, _: object) -> None:
    connection.isolation_level = None
    for pragma in (
        f"busy_timeout = {BUSY_MS}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"
    ):  # fmt: skip
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
