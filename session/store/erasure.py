"""Erasure of speech and texts: deletes payloads and salts, keeps envelopes, and leaves no byte in the database's files.

`session.store.triggers` holds every program to the order in which it is done here.
"""

from contextlib import closing

import msgspec
import sqlalchemy as sa

from session.events import SpeakerWithdrawn
from session.store import hash_chain
from session.store.appending import insert
from session.store.chain_links import ChainLinker
from session.store.database import erasing, events, payloads
from session.store.hash_chain import StoredEvent, as_bytes
from session.store.types import Entry


def erase(connection: sa.Connection, linking: ChainLinker, stream: str, entry: Entry) -> int:
    """Delete every payload of `stream` and append `entry`, a SpeakerWithdrawn, with their count filled in; return the count."""
    query = sa.select(events).where(events.c.stream == stream).order_by(events.c.seq)
    envelopes = [StoredEvent(*tuple(row)) for row in connection.execute(query)]
    if not envelopes:
        raise ValueError(f"the store has no stream {stream}")
    keep = [stored.seq for stored in envelopes if hash_chain.kind(as_bytes(stored.envelope)) == hash_chain.WITHDRAWN]
    gone = (payloads.c.stream == stream) & payloads.c.seq.not_in(keep)
    count = connection.scalar(sa.select(sa.func.count()).select_from(payloads).where(gone)) or 0
    if count and isinstance(entry.event, SpeakerWithdrawn):
        last = envelopes[-1]
        connection.execute(erasing.insert().values(stream=stream, seq=last.seq + 1))
        connection.execute(payloads.delete().where(gone))
        event = msgspec.structs.replace(entry.event, erased=count)
        rewritten = msgspec.structs.replace(entry, event=event)
        insert(connection, linking.linked(stream, last.seq, last.digest, [rewritten]))
    return count


def scrub(engine: sa.Engine) -> None:
    """Leave no byte of what was erased in the database's files.

    SQLite zeroes what it frees, but where it moves cells between pages, copies stay in their unused parts, and its
    log may hold old pages: so the file is rewritten and the log emptied.
    """
    if engine.dialect.name == "postgresql":
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            connection.exec_driver_sql("VACUUM (FULL) payloads")
        return
    with closing(engine.raw_connection()) as lent:
        lent.cursor().execute("VACUUM")
        if lent.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise sa.exc.OperationalError("wal_checkpoint", None, Exception("database is locked"))
