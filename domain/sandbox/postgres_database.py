"""A PostgreSQL domain database, asked through a role that may only SELECT.

The role keeps the data safe: it is looked at before the first query, and one that may write is refused. A read-only
transaction with a time limit, a cursor on the server (which takes one reading statement and no other) and values cut
on the server keep the session safe. `syntax_tree_guard` reads the statement first and writes the one that runs, over the domain's
columns and listed functions. A query that has to end is cancelled; where the server does not heed that, this end hangs up.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, create_engine
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from domain.sandbox.cell_values import IncomingRows
from domain.sandbox.database_schema import Schema, reflect
from domain.sandbox.error_hints import explained
from domain.sandbox.postgres_role import missing_limits, writing_rights
from domain.sandbox.running_query import RunningQuery
from domain.sandbox.statement_guard import Limits
from domain.sandbox.syntax_tree_guard import approved
from session.values.answers import FailureKind, QueryFailure, Table

_CONNECT_SECONDS = 5
_GRACE_SECONDS = 0.5  # from the order to cancel to hanging up: a server between two steps needs milliseconds
_FETCHED_BYTES = 32_000_000
_SHORT_TYPES = "bool int2 int4 int8 float4 float8 numeric date time timetz timestamp timestamptz uuid interval oid"
_FIXED = frozenset(_SHORT_TYPES.split())

_CANCELLED = "57014"
_AWAY = ("08", "57P", "53", "28", "3D")
_TOO_LARGE = ("54", "53400", "22P06")
_FORBIDDEN = ("42501", "25006", "0A000", "55P03", "34000")

# Memory of one sort or hash table, which a statement may hold several times; PostgreSQL's own default. Everything larger
# goes to temporary files, which the role's temp_file_limit bounds.
_SETTINGS = """SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = {milliseconds}; SET LOCAL lock_timeout = 1000;
SET LOCAL work_mem = '4MB'; SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off;
SET LOCAL standard_conforming_strings = on"""


class ServerDatabase:
    """One PostgreSQL database. Shapes, units and errors are those of `domain.sandbox.sandbox.Sandbox`."""

    dialect = "postgresql"

    def __init__(self, url: URL, limits: Limits) -> None:
        self._limits = limits
        self._place = f"{url.database} on {url.host or 'this machine'}"
        self._engine: Engine = create_engine(
            url,
            pool_pre_ping=True,
            connect_args={"connect_timeout": _CONNECT_SECONDS, "tcp_user_timeout": 15_000},
        )
        self._schema: Schema | None = None
        self._home = "public"
        self._checked = False

    def run(self, sql: str, run: RunningQuery) -> Table:
        self._check_role()
        schema = self.schema()
        statement = approved(sql, schema, self._home, self._limits)
        try:
            with self._connected() as connection, self._watched(connection, run):
                return self._fetch(connection, statement, run)
        except DBAPIError as error:
            raise self._failure(error, sql, run, schema) from error

    def schema(self) -> Schema:
        """Return the tables as they were when first read; a domain database does not change under a session."""
        if self._schema is None:
            try:
                self._schema = reflect(self._engine)
                self._home = getattr(self._engine.dialect, "default_schema_name", None) or "public"
            except SQLAlchemyError as error:
                raise self._away() from error
        return self._schema

    def findings(self) -> tuple[str, ...]:
        """Return what stands against the role, and the limits that the server does not hold for it."""
        try:
            with self._connected() as connection:
                return (*self._objections(), *missing_limits(connection))
        except QueryFailure as failure:
            return (failure.message,)

    def close(self) -> None:
        self._engine.dispose()

    def _check_role(self) -> None:
        if not self._checked:
            objections = self._objections()
            if objections:
                raise QueryFailure(FailureKind.FORBIDDEN, objections[0])
            self._checked = True

    def _objections(self) -> tuple[str, ...]:
        with self._connected() as connection:
            rights = writing_rights(connection)
        return tuple(f"The role {right}; use one that may only SELECT." for right in rights)

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        try:
            connection = self._engine.connect()
        except SQLAlchemyError as error:
            raise self._away() from error
        with connection:
            yield connection

    @contextmanager
    def _watched(self, connection: Connection, run: RunningQuery) -> Iterator[None]:
        """Lets `run` be stopped: by anyone who calls it off, and by a timer when its seconds are over."""
        milliseconds = max(1, int(run.seconds * 1000))
        connection.exec_driver_sql(_SETTINGS.format(milliseconds=milliseconds))
        stop = _Stop(connection)
        timer = _timer(max(0.0, run.seconds), stop)
        run.stop = stop
        try:
            if run.cancelled:
                raise run.failure(self._limits.seconds)
            yield
        finally:
            run.stop = None
            timer.cancel()
            stop.end()

    def _fetch(self, connection: Connection, sql: str, run: RunningQuery) -> Table:
        names, types = self._described(connection, sql)
        rows = IncomingRows(names, self._limits)
        cut = ", ".join(self._cut(place, type_) for place, type_ in enumerate(types))
        columns = ", ".join(f"c{place}" for place in range(len(names)))
        wrapped = f"SELECT {cut or '1'} FROM ({sql}\n) AS asked{f'({columns})' if names else ''}"
        with _cursor(connection, "answer") as cursor:
            cursor.execute(wrapped.encode())
            wanted = True
            while wanted and (batch := cursor.fetchmany(self._batch(len(names)))):
                if run.over:
                    raise run.failure(self._limits.seconds)
                wanted = all(rows.add(row) for row in batch)
        return rows.table()

    def _batch(self, columns: int) -> int:
        """Return how many rows to fetch at once, so that not even the longest values fill the memory of this process."""
        longest_row = max(1, columns) * self._limits.value_bytes
        return max(1, min(self._limits.rows + 1, _FETCHED_BYTES // longest_row))

    def _described(self, connection: Connection, sql: str) -> tuple[list[str], list[str]]:
        """Names and types of the columns, from a run that gives no row."""
        with _cursor(connection, "description") as cursor:
            cursor.execute(f"SELECT * FROM ({sql}\n) AS asked LIMIT 0".encode())
            described = cursor.description or ()
            return [column.name for column in described], [column.type_display for column in described]

    def _cut(self, place: int, type_: str) -> str:
        if type_.partition("(")[0] in _FIXED:
            return f"c{place}"
        shown = f"encode(c{place}, 'hex')" if type_ == "bytea" else f"c{place}::text"
        return f"left({shown}, {self._limits.value_bytes + 1})"

    def _away(self) -> QueryFailure:
        return QueryFailure(FailureKind.UNAVAILABLE, f"The domain database {self._place} cannot be reached; try again.")

    def _failure(self, error: DBAPIError, sql: str, run: RunningQuery, schema: Schema) -> QueryFailure:
        state = getattr(error.orig, "sqlstate", None) or ""
        if state == _CANCELLED or (run.over and (error.connection_invalidated or not state)):
            return run.failure(self._limits.seconds)
        if state in _TOO_LARGE or state.startswith("54"):
            return QueryFailure(FailureKind.TOO_LARGE, f"The query is too large: {_line(error)}.")
        if error.connection_invalidated or not state or state.startswith(_AWAY):
            return self._away()
        if state in _FORBIDDEN:
            return QueryFailure(FailureKind.FORBIDDEN, f"The database refuses this query: {_line(error)}.")
        if state.startswith("22"):
            return QueryFailure(FailureKind.SYNTAX, f"The query cannot be carried out: {_line(error)}.")
        return QueryFailure(FailureKind.SYNTAX, explained(_line(error), sql, schema))


class _Stop:
    """Stops what a connection waits for; does nothing once the query has ended.

    The first step asks the server to cancel. PostgreSQL heeds that between two steps only, so the second step, half a
    second later, shuts the socket: the caller is free whatever the server does, and the server, which has its order,
    ends when its step does.
    """

    def __init__(self, connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        self._driver = driver
        self._socket = socket.fromfd(driver.pgconn.socket, socket.AF_INET, socket.SOCK_STREAM)  # a handle of its own
        self._loaded: Any = connection.dialect
        self._lock = threading.Lock()
        self._cut: threading.Timer | None = None
        self._ended = False

    def __call__(self) -> None:
        with self._lock:
            if self._ended or self._cut is not None:
                return
            self._cut = _timer(_GRACE_SECONDS, self._hang_up)
            try:
                self._driver.cancel_safe(timeout=_GRACE_SECONDS)
            except self._loaded.loaded_dbapi.Error:
                return  # the server is away or full: the query ends with the connection

    def _hang_up(self) -> None:
        with self._lock:
            if not self._ended:
                with suppress(OSError):  # the other side was faster
                    self._socket.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._cut is not None:
                self._cut.cancel()
            self._socket.close()


def _timer(seconds: float, work: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()
    return timer


@contextmanager
def _cursor(connection: Connection, name: str) -> Iterator[Any]:
    """Yield a cursor on the server; errors come out as SQLAlchemy's, so that one place reads them."""
    driver: Any = connection.connection.driver_connection
    dialect: Any = connection.dialect
    cursor = driver.cursor(name=name)
    try:
        try:
            yield cursor
        finally:
            _close(cursor, dialect.loaded_dbapi.Error)
    except dialect.loaded_dbapi.Error as error:
        gone = bool(dialect.is_disconnect(error, driver, None))
        raise DBAPIError.instance(None, None, error, dialect.loaded_dbapi.Error, connection_invalidated=gone) from error


def _close(cursor: Any, failure: type[Exception]) -> None:
    try:
        cursor.close()
    except failure:
        cursor.close()  # the server was not told, and psycopg leaves it open; now nobody is asked any more
        raise


def _line(error: DBAPIError) -> str:
    return str(error.orig).split("\n")[0].strip().rstrip(".")[:200]
