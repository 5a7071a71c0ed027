"""The database below a store: its engine, its tables, and the migration of a store that an earlier release made.

SQLAlchemy stays in this folder. `session.store.event_store` says what the tables promise.
"""

import selectors
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool as StaticPool

from session.store import triggers
from session.store.sqlite_file import FOLDED, PLAIN, make_durable
from session.store.types import StoreUnavailable, make_private

RESTS_S = 1.0
"""A connection to PostgreSQL that was not used for so long is tried before it is used."""
STOPPED_MS = 2000
"""PostgreSQL gives up a transaction in which nothing was done for so long: a program that was stopped inside one would
hold its locks, and nobody could take its sessions over."""

_plain = sa.MetaData()
_folded = sa.MetaData()
_lobby = sa.MetaData()
_boards = sa.MetaData()


def _key() -> tuple[sa.Column[str], sa.Column[int]]:
    return sa.Column("stream", sa.Text, primary_key=True), sa.Column("seq", sa.BigInteger, primary_key=True)


events = sa.Table(
    "events",
    _plain,
    *_key(),
    sa.Column("envelope", sa.LargeBinary, nullable=False),
    sa.Column("prev", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
payloads = sa.Table(
    "payloads",
    _plain,
    *_key(),
    sa.Column("salt", sa.LargeBinary, nullable=False),
    sa.Column("payload", sa.LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(["stream", "seq"], ["events.stream", "events.seq"]),
)
erasing = sa.Table(
    "erasing",
    _plain,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.ForeignKeyConstraint(["stream", "seq"], ["events.stream", "events.seq"], deferrable=True, initially="DEFERRED"),
)
store_format = sa.Table("curtain_store", _plain, sa.Column("format", sa.Integer, nullable=False))
sessions = sa.Table(
    "sessions",
    _folded,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("site", sa.Text),
    sa.Column("day", sa.Text),
    sa.Column("number", sa.BigInteger),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("place", sa.Integer),
    sa.Column("draws", sa.Boolean, nullable=False),
    sa.Column("condition", sa.Text, nullable=False),
    sa.Column("last_number", sa.Integer, nullable=False),
    sa.Column("scenarios", sa.Integer, nullable=False),
    sa.Column("common", sa.Integer, nullable=False),
    sa.Column("unended", sa.Boolean, nullable=False),
    sa.Column("sound", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("fold", sa.LargeBinary, nullable=False),
    sa.Index("sessions_by_end", "unended"),
    sa.Index("sessions_by_day", "site", "day", "number"),
    sa.Index("sessions_by_place", "place"),
    sa.Index("sessions_by_speaker", "speaker", "draws", "last_number"),
    sa.Index("sessions_by_condition", "draws", "condition"),
    sa.Index("sessions_by_counts", "scenarios", "common"),
    sa.Index("sessions_by_sound", "sound"),
)
taken = sa.Table(
    "taken",
    _folded,
    sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("last", sa.Integer, nullable=False),
    sa.Index("taken_by_last", "last"),
)
"""Stretches of speakers' ids that sessions have used, as numbers, both ends included: the next free one is found in a step."""
kept = sa.Table(
    "kept",
    _folded,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("head", sa.Text, nullable=False),
    sa.Column("value", sa.LargeBinary, nullable=False),
)
access = sa.Table(
    "access",
    _folded,
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("role", sa.Text, primary_key=True),
    sa.Column("token", sa.Text, nullable=False),
    sa.Column("serial", sa.BigInteger, nullable=False),
    sa.Index("access_by_serial", "serial"),
)
hubs = sa.Table(
    "hubs",
    _folded,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("until", sa.BigInteger, nullable=False),
)
leases = sa.Table(
    "leases",
    _folded,
    sa.Column("session", sa.Text, primary_key=True),
    sa.Column("hub", sa.Text, nullable=False),
    sa.Column("wanted", sa.Text, nullable=False),
    sa.Index("leases_by_hub", "hub"),
)
lobby = sa.Table(
    "lobby",
    _lobby,
    sa.Column("invitation", sa.Text, primary_key=True),
    sa.Column("ticket", sa.Text, nullable=False),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("hub", sa.Text, nullable=False),
    sa.Column("place", sa.BigInteger, nullable=False),
    sa.Column("gone", sa.BigInteger, nullable=False),
    sa.Column("wished", sa.Boolean, nullable=False),
    sa.Column("session", sa.Text, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)
lobby_work = sa.Table(
    "lobby_work",
    _lobby,
    sa.Column("hub", sa.Text, primary_key=True),
    sa.Column("sessions", sa.BigInteger, nullable=False),
)
boards = sa.Table(
    "boards",
    _boards,
    sa.Column("hub", sa.Text, primary_key=True),
    sa.Column("looked", sa.BigInteger, nullable=False),
    sa.Column("written", sa.BigInteger, nullable=False),
    sa.Column("lines", sa.LargeBinary, nullable=False),
)
board_calls = sa.Table("board_calls", _boards, sa.Column("session", sa.Text, primary_key=True))
_BESIDE = sa.literal_column("events.stream LIKE '%/%'", sa.Boolean)
beside = sa.Index("events_beside", events.c.stream, events.c.seq, postgresql_where=_BESIDE).ddl_if(dialect="postgresql")
"""Streams beside the sessions' own, such as the roster's, which stand in no order of their own in PostgreSQL."""
_seen = sa.select(sa.func.min(events.c.stream).label("stream")).cte("seen", recursive=True)
_next = sa.select(sa.func.min(events.c.stream)).where(events.c.stream > _seen.c.stream).scalar_subquery()
_streams = _seen.union_all(sa.select(_next).where(_seen.c.stream.is_not(None)))
_last_seq = sa.select(sa.func.max(events.c.seq)).where(events.c.stream == _streams.c.stream).scalar_subquery()
LAST = sa.select(_streams.c.stream, _last_seq.label("seq")).where(_streams.c.stream.is_not(None))
"""Every stream with its last number: one step in the index from stream to stream, never a look at all events."""


def last_of(prefixes: Sequence[str], dialect: str) -> sa.Select[tuple[str, int]]:
    """The streams that begin with one of these, with their last numbers. SQLite orders names by their bytes, so that they lie
    together in its index; how PostgreSQL orders them is up to its administrator, and it looks through the names, of streams
    beside the sessions' own alone where these are wanted."""
    name = events.c.stream
    begun = [
        sa.and_(name >= prefix, name < prefix[:-1] + chr(ord(prefix[-1]) + 1))
        if dialect == "sqlite"
        else name.startswith(prefix, autoescape=True)
        for prefix in prefixes
    ]
    if dialect != "sqlite":
        begun = [sa.and_(one, _BESIDE) if "/" in prefix else one for one, prefix in zip(begun, prefixes, strict=True)]
    return sa.select(name, sa.func.max(events.c.seq).label("seq")).where(sa.or_(*begun)).group_by(name)


def make_engine(url: sa.URL) -> sa.Engine:
    """Return the engine for a store's URL; raises StoreUnavailable for a kind of database that a store cannot be in."""
    backend = url.get_backend_name()
    if backend not in triggers.BY_DIALECT:
        raise StoreUnavailable(f"The store can be sqlite or postgresql, not {backend}.")
    if backend == "postgresql":
        made = sa.create_engine(url)
        sa.event.listen(made, "checkin", _rested)
        sa.event.listen(made, "checkout", _still_there)
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


def is_made(connection: sa.Connection) -> bool:
    """Tell whether the database holds a store."""
    return sa.inspect(connection).has_table(store_format.name)


def make_tables(connection: sa.Connection, wanted: int) -> None:
    """Make the tables of a store of format `wanted`, unless another program was first."""
    alone(connection)
    if not is_made(connection):
        _plain.create_all(connection)
        for statement in triggers.BY_DIALECT[connection.dialect.name]:
            connection.exec_driver_sql(statement)
        if wanted == FOLDED:
            _folded.create_all(connection)
        connection.execute(store_format.insert().values(format=wanted))


def lacks_folds(connection: sa.Connection) -> bool:
    """Tell whether an earlier release made the store, and kept no folds or less in them."""
    if connection.scalar(sa.select(store_format.c.format)) == PLAIN:
        return True
    there = sa.inspect(connection)
    columns = {column["name"] for column in there.get_columns(sessions.name)}
    return sessions.c.sound.name not in columns or not there.has_table(taken.name)


def make_folded(connection: sa.Connection) -> bool:
    """Give a store of an earlier release the tables of this one, that of the folds empty; false where another program has
    done so."""
    alone(connection)
    if not lacks_folds(connection):
        return False
    sessions.drop(connection, checkfirst=True)
    taken.drop(connection, checkfirst=True)
    _folded.create_all(connection)
    if connection.dialect.name == "postgresql":
        beside.create(connection, checkfirst=True)
    connection.execute(store_format.update().values(format=FOLDED))
    return True


def make_lobby(connection: sa.Connection) -> None:
    """Make the tables of a lobby's queue, unless another program was first; a store without a lobby lacks them."""
    alone(connection)
    _lobby.create_all(connection)


def make_boards(connection: sa.Connection) -> None:
    """Make the tables of the experimenter's page over several hubs, unless another program was first."""
    alone(connection)
    _boards.create_all(connection)


def alone(connection: sa.Connection, what: str = "curtain_store") -> None:
    """Wait until no other program does `what`, and hold back all others until this transaction ends. A write to SQLite
    is alone as it is."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(hashtext(current_schema() || :what))"), {"what": what})


def type_in_envelope(dialect: str) -> sa.ColumnElement[str]:
    """Return the expression for the type of an event."""
    return sa.literal_column(triggers.TYPES[dialect].format(row="events"))


def joined(wanted: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The stored events that are `wanted`, in order, those that were erased without salt and payload."""
    both = events.outerjoin(payloads, (payloads.c.stream == events.c.stream) & (payloads.c.seq == events.c.seq))
    chosen = sa.select(events, payloads.c.salt, payloads.c.payload).select_from(both).where(wanted)
    return chosen.order_by(events.c.stream, events.c.seq)


def now_ms(dialect: str) -> sa.ColumnElement[int]:
    """Return the expression for milliseconds since 1970 by the database's clock."""
    return sa.literal_column(
        {
            "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
            "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
        }[dialect],
        sa.BigInteger,
    )


def file_of(url: sa.URL) -> str:
    """Return the file of a SQLite database; empty for any other."""
    path = str(url.database or "")
    return "" if url.get_backend_name() != "sqlite" or path == ":memory:" or path.startswith("file:") else path


def _durable(connection: Any, _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET synchronous_commit = on")
        cursor.execute(f"SET idle_in_transaction_session_timeout = {STOPPED_MS}")
    connection.commit()


def _rested(connection: Any, record: Any) -> None:
    record.info["rests since"] = monotonic()


def _still_there(connection: Any, record: Any, _: object) -> None:
    """Try a connection that has rested, or at which something waits: its end, if the server has been started again. To try it at
    each append would be a way there and back."""
    with selectors.DefaultSelector() as at:
        at.register(connection.fileno(), selectors.EVENT_READ)
        if monotonic() - record.info.get("rests since", 0.0) < RESTS_S and not at.select(0):
            return
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        connection.rollback()
    except Exception as error:
        raise sa.exc.DisconnectionError from error


def _careful(connection: Any, _: object) -> None:
    try:
        make_durable(connection)
    except BaseException:
        connection.close()  # the pool forgets one that its listener refuses
        raise


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
