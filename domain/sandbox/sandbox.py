"""Sandbox of a wizard's queries: the domain database, to be read and never to be changed, within limits that hold.

What a wizard types, what an English engine composes and what an annotator's file holds is foreign text all the same.
A `Sandbox` runs it in the caller's thread, stops it from any other, and answers with rows or with one `QueryFailure`
whose sentence can be shown. SQLite is read in this process (`domain.sandbox.sqlite_database`); PostgreSQL is asked over a role
that may only SELECT (`domain.sandbox.postgres_database`).
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from domain.sandbox.cte_expansion import check_expansion
from domain.sandbox.database_schema import Schema
from domain.sandbox.running_query import RunningQuery
from domain.sandbox.sqlite_database import EmbeddedDatabase
from domain.sandbox.statement_guard import Limits, check_text
from session.values.answers import FailureKind, QueryFailure, Table

__all__ = ["Limits", "Sandbox"]


class Database(Protocol):
    """Kind of database, as a sandbox needs it."""

    dialect: str

    def run(self, sql: str, run: RunningQuery) -> Table: ...

    def schema(self) -> Schema: ...

    def findings(self) -> tuple[str, ...]: ...

    def close(self) -> None: ...


class Sandbox:
    """Read-only access to a domain database, by SQLAlchemy URL.

    `run` may be called from any thread, by several at once; `cancel` stops all that run. Nothing is opened before the
    first query, so that a database that is away gives a failure when asked and works again when it is back.
    """

    def __init__(
        self, url: str, limits: Limits | None = None, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Raises ValueError when `url` is not a database URL or names a kind that cannot be read safely."""
        self.limits = limits or Limits()
        self._monotonic = monotonic
        self._runs: set[RunningQuery] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._database = _open(url, self.limits)

    @property
    def dialect(self) -> str:
        """The SQL dialect, by the name that SQLAlchemy and sqlglot's reader share: "sqlite" or "postgresql"."""
        return self._database.dialect

    def run(self, sql: str, seconds: float | None = None) -> Table:
        """At most `limits.rows` rows of one SELECT, in fewer `seconds` than the limit if they are given; `more` says that there
        were others. Raises `QueryFailure`."""
        with self._under_way(seconds) as run:
            check_text(sql, self.limits)
            check_expansion(sql, self.limits)
            try:
                return self._database.run(sql, run)
            except RecursionError as error:
                raise QueryFailure(FailureKind.TOO_LARGE, "The query is nested too deeply.") from error
            except MemoryError as error:
                raise QueryFailure(FailureKind.TOO_LARGE, "The query needs more memory than is available.") from error

    def cancel(self) -> None:
        """Stops every query under way; each ends with a `QueryFailure` CANCELLED. Does nothing when none runs."""
        with self._lock:
            runs = tuple(self._runs)
        for run in runs:
            run.cancelled = True
            stop = run.stop
            if stop is not None:
                stop()

    def schema(self) -> Schema:
        """Tables and columns of the domain. Raises `QueryFailure` UNAVAILABLE when the database cannot be reached."""
        return self._database.schema()

    def findings(self) -> tuple[str, ...]:
        """List what stands against using this database, one sentence each; empty when all is well."""
        return self._database.findings()

    def close(self) -> None:
        """Stops what runs and lets go of all connections; a query afterwards is UNAVAILABLE."""
        self._closed = True
        self.cancel()
        self._database.close()

    @contextmanager
    def _under_way(self, seconds: float | None) -> Iterator[RunningQuery]:
        if self._closed:
            raise QueryFailure(FailureKind.UNAVAILABLE, "The domain database has been closed.")
        most = self.limits.seconds if seconds is None else min(seconds, self.limits.seconds)
        run = RunningQuery(most, self._monotonic)
        with self._lock:
            self._runs.add(run)
        try:
            yield run
        finally:
            with self._lock:
                self._runs.discard(run)


def _open(url: str, limits: Limits) -> Database:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ValueError(
            f"{url!r} is not a database URL; write sqlite:///file.sqlite or postgresql+psycopg://user@host/name"
        ) from None
    match parsed.get_backend_name():
        case "sqlite":
            return EmbeddedDatabase(parsed, limits)
        case "postgresql":
            from domain.sandbox.postgres_database import ServerDatabase

            return ServerDatabase(parsed, limits)
        case other:
            raise ValueError(f"a domain database of kind {other!r} cannot be read safely; use SQLite or PostgreSQL")
