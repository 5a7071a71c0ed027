"""A SQLite domain database, read in this process and shielded from what a statement may do to it and to us.

Every query has a connection of its own: opened read-only, with an authorizer that allows SELECT, reading of the
domain's own tables and the functions of `domain.sandbox.statement_guard`, with SQLite's limits drawn tight, with a
progress handler that looks at the clock, and with functions of our own where SQLite's could take long. A database
file that vanishes or comes back is noticed at the next query, by itself.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from domain.sandbox.cell_values import IncomingRows
from domain.sandbox.database_schema import Schema, reflect
from domain.sandbox.error_hints import explained
from domain.sandbox.running_query import RunningQuery
from domain.sandbox.sqlite_functions import JULIAN_DAY, Cell, instr, julian_day, like
from domain.sandbox.statement_guard import FUNCTIONS, Limits, refused_function, refused_table
from domain.sandbox.temp_files import scratch_gauge
from session.values.answers import FailureKind, QueryFailure, Table

_STEPS = 2_000  # virtual-machine steps between two looks at the clock: well under a millisecond
_LOOK_SECONDS = 0.02  # between two looks at the temporary files
_BUSY_SECONDS = 1.0

_AWAY = {
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_NOTADB: "is not an SQLite database",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_IOERR: "cannot be read",
    sqlite3.SQLITE_BUSY: "is being written by another program",
    sqlite3.SQLITE_LOCKED: "is being written by another program",
    sqlite3.SQLITE_PERM: "may not be read",
    sqlite3.SQLITE_PROTOCOL: "is being written by another program",
}
_NO_FUNCTION = re.compile(r"no such function: (\w+)")
_TOO_LARGE = ("too many", "too large", "too complex", "too big", "stack overflow", "maximum depth", "at most")


class EmbeddedDatabase:
    """One SQLite file. Shapes, units and errors are those of `domain.sandbox.sandbox.Sandbox`."""

    dialect = "sqlite"

    def __init__(self, url: URL, limits: Limits) -> None:
        if not url.database or url.database == ":memory:":
            raise ValueError("a domain database needs a file: sqlite:///path/to/file.sqlite")
        self._path = Path(url.database.removeprefix("file:").partition("?")[0])
        self._limits = limits
        self._schema: Schema | None = None

    def run(self, sql: str, run: RunningQuery) -> Table:
        schema = self.schema()
        watch = _Watch(run, self._limits, {name.casefold() for name in schema.table_names})
        with closing(self._connect()) as connection:
            watch.guard(connection)
            run.stop = connection.interrupt
            try:
                return self._fetch(connection, sql, run)
            except (sqlite3.Error, sqlite3.Warning) as error:
                if _code(error) == sqlite3.SQLITE_INTERRUPT and watch.failure is None and not run.over:
                    # why: sqlite3 turns Ctrl-C within the progress handler into an interruption like any other.
                    raise KeyboardInterrupt from error
                raise watch.failure or self._failure(error, sql, run, schema) from error
            finally:
                run.stop = None

    def schema(self) -> Schema:
        """Return the tables as they were when first read; a domain database does not change under a session."""
        if self._schema is None:
            engine = create_engine("sqlite://", creator=self._connect, poolclass=NullPool)
            try:
                self._schema = reflect(engine)
            except (SQLAlchemyError, sqlite3.Error) as error:
                raise self._away(getattr(error, "orig", error)) from error
            finally:
                engine.dispose()
        return self._schema

    def findings(self) -> tuple[str, ...]:
        try:
            return () if self.schema().tables else (f"{self._path.name} holds no tables.",)
        except QueryFailure as failure:
            return (failure.message,)

    def close(self) -> None:
        """Nothing stays open between queries."""

    def _connect(self) -> sqlite3.Connection:
        try:
            return sqlite3.connect(
                f"file:{quote(str(self._path))}?mode=ro",
                uri=True,
                timeout=_BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
        except sqlite3.Error as error:
            raise self._away(error) from error

    def _fetch(self, connection: sqlite3.Connection, sql: str, run: RunningQuery) -> Table:
        cursor = connection.execute(sql)
        if cursor.description is None:
            raise QueryFailure(FailureKind.SYNTAX, "There is no query here: type a SELECT statement.")
        rows = IncomingRows([column[0] for column in cursor.description], self._limits)
        for row in cursor:
            if run.over:
                raise run.failure(self._limits.seconds)
            if not rows.add(row):
                break
        return rows.table()

    def _away(self, error: object) -> QueryFailure:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & 0xFF
        trouble = _AWAY.get(code, "cannot be read")
        if not self._path.exists():
            trouble = "is not there"
        return QueryFailure(FailureKind.UNAVAILABLE, f"The domain database {self._path.name} {trouble}; try again.")

    def _failure(self, error: Exception, sql: str, run: RunningQuery, schema: Schema) -> QueryFailure:
        code = _code(error)
        text = str(error)
        if code == sqlite3.SQLITE_INTERRUPT:
            return run.failure(self._limits.seconds)
        if code in _AWAY:
            return self._away(error)
        if code == sqlite3.SQLITE_NOMEM:
            return QueryFailure(FailureKind.TOO_LARGE, "The query needs more memory than it is allowed.")
        if code == sqlite3.SQLITE_TOOBIG or any(sign in text for sign in _TOO_LARGE):
            return QueryFailure(FailureKind.TOO_LARGE, f"The query is too large: {text}.")
        if code == sqlite3.SQLITE_READONLY:
            return QueryFailure(FailureKind.FORBIDDEN, "The database is read-only here; use SELECT.")
        unknown = _NO_FUNCTION.match(text)
        if unknown:
            return refused_function(unknown.group(1))
        return QueryFailure(FailureKind.SYNTAX, explained(text, sql, schema))


class _Watch:
    """Authorizer, limits and progress handler of one connection, and what they found, so that errors can say it."""

    def __init__(self, run: RunningQuery, limits: Limits, tables: set[str]) -> None:
        self._run = run
        self._limits = limits
        self._tables = tables
        self.failure: QueryFailure | None = None
        self._scratch = scratch_gauge()
        self._scratch_at_start = self._scratch()
        self._next_look = run.now() + _LOOK_SECONDS

    def guard(self, connection: sqlite3.Connection) -> None:
        """Order matters: the settings are made before the authorizer forbids to make any."""
        connection.text_factory = _text
        connection.execute("PRAGMA temp_store = FILE")
        connection.execute("PRAGMA cache_size = -8000")
        connection.execute("PRAGMA trusted_schema = OFF")
        for category, value in _sqlite_limits(self._limits).items():
            connection.setlimit(category, value)
        connection.create_function(JULIAN_DAY, -1, julian_day, deterministic=True)
        connection.create_function("instr", 2, self._instr, deterministic=True)
        connection.create_function("like", 2, self._like, deterministic=True)
        connection.create_function("like", 3, self._like, deterministic=True)
        connection.set_progress_handler(self._progress, _STEPS)
        connection.set_authorizer(self._authorize)

    def _progress(self) -> int:
        now = self._run.now()
        if self._run.cancelled or now > self._run.deadline:
            return 1
        if now < self._next_look:
            return 0
        self._next_look = now + _LOOK_SECONDS
        if self._scratch() - self._scratch_at_start <= self._limits.scratch_bytes:
            return 0
        self.failure = QueryFailure(
            FailureKind.TOO_LARGE, "The query sorts or groups too many rows; add a condition or a join."
        )
        return 1

    def _instr(self, text: Cell, part: Cell) -> int | None:
        self._check_clock()
        return instr(text, part)

    def _like(self, pattern: Cell, text: Cell, escape: Cell = "") -> bool | None:
        self._check_clock()
        if isinstance(pattern, str) and len(pattern) > self._limits.pattern_characters:
            raise self._found(QueryFailure(FailureKind.TOO_LARGE, "A pattern must be a short text after LIKE."))
        if isinstance(escape, str) and len(escape) > 1:
            raise self._found(QueryFailure(FailureKind.SYNTAX, "ESCAPE takes one character."))
        return like(pattern, text, escape)

    def _check_clock(self) -> None:
        if self._run.over:
            raise self._found(self._run.failure(self._limits.seconds))

    def _found(self, failure: QueryFailure) -> QueryFailure:
        """Keep a failure: SQLite says no more of a function than that it failed."""
        self.failure = self.failure or failure
        return failure

    def _authorize(
        self, action: int, first: str | None, second: str | None, _database: str | None, _inner: str | None
    ) -> int:
        refusal = self._refusal(action, first or "", second or "")
        if refusal is None:
            return sqlite3.SQLITE_OK
        self._found(refusal)
        return sqlite3.SQLITE_DENY

    def _refusal(self, action: int, first: str, second: str) -> QueryFailure | None:
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return None
        if action == sqlite3.SQLITE_FUNCTION:
            return None if second.lower() in {JULIAN_DAY, *FUNCTIONS} else refused_function(second)
        if action == sqlite3.SQLITE_READ:
            of_sqlite = first.casefold().startswith("sqlite_")
            if first.casefold() in self._tables or not (second or of_sqlite):
                return None
            return refused_table(first)
        return QueryFailure(FailureKind.FORBIDDEN, "The database is read-only here; use SELECT.")


def _sqlite_limits(limits: Limits) -> dict[int, int]:
    return {
        sqlite3.SQLITE_LIMIT_LENGTH: max(limits.value_bytes, 4 * limits.statement_characters),
        sqlite3.SQLITE_LIMIT_SQL_LENGTH: 4 * limits.statement_characters,
        sqlite3.SQLITE_LIMIT_COLUMN: limits.columns,
        sqlite3.SQLITE_LIMIT_EXPR_DEPTH: limits.expression_depth,
        sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: limits.compounds,
        sqlite3.SQLITE_LIMIT_VDBE_OP: limits.opcodes,
        sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 50,
        sqlite3.SQLITE_LIMIT_ATTACHED: 0,
        sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: limits.pattern_characters,
        sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 0,
        sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
        sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
    }


def _code(error: Exception) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
