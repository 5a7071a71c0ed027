"""The statements of an append in plain SQL, as few as there can be.

A busy hub makes it a hundred times a second. To build them took longer than to do what they say, and each is a way to
PostgreSQL and back.
"""

import json
from collections.abc import Collection, Sequence

import sqlalchemy as sa

from session.store.hash_chain import StoredEvent
from session.store.sqlite_file import INSERT_EVENT, INSERT_PAYLOAD

_SQLITE_HELD = "SELECT session FROM leases WHERE hub = ? AND session IN (SELECT value FROM json_each(?))"
_POSTGRESQL_HELD = "SELECT session FROM leases WHERE hub = %s AND session = ANY(%s) ORDER BY session FOR SHARE"
_POSTGRESQL_INSERT = """
WITH made AS MATERIALIZED (
  SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bytea[], %s::bytea[], %s::bytea[], %s::bytea[], %s::bytea[])
    AS row (stream, seq, envelope, prev, digest, salt, payload)
), chained AS (
  INSERT INTO events (stream, seq, envelope, prev, digest) SELECT stream, seq, envelope, prev, digest FROM made
)
INSERT INTO payloads (stream, seq, salt, payload) SELECT stream, seq, salt, payload FROM made
"""


def insert(connection: sa.Connection, links: Sequence[StoredEvent]) -> None:
    """Write events with their payloads."""
    if connection.dialect.name == "postgresql":
        rows = [(at.stream, at.seq, at.envelope, at.prev, at.digest, at.salt, at.payload) for at in links]
        connection.exec_driver_sql(_POSTGRESQL_INSERT, tuple(map(list, zip(*rows, strict=True))))
        return
    chained = [(at.stream, at.seq, at.envelope, at.prev, at.digest) for at in links]
    connection.exec_driver_sql(INSERT_EVENT, chained)
    connection.exec_driver_sql(INSERT_PAYLOAD, [(at.stream, at.seq, at.salt, at.payload) for at in links])


def held_by(connection: sa.Connection, holder: str, sessions: Collection[str]) -> set[str]:
    """Return which of `sessions` have their lease with `holder`, until this transaction ends."""
    if connection.dialect.name == "postgresql":
        found = connection.exec_driver_sql(_POSTGRESQL_HELD, (holder, list(sessions)))
    else:
        found = connection.exec_driver_sql(_SQLITE_HELD, (holder, json.dumps(list(sessions))))
    return {name for (name,) in found}
