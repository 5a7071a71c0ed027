"""The event store: append-only streams of facts in SQLite or PostgreSQL, durable before anybody is told.

One writer appends to a stream; a second one loses on the primary key and is told so. The envelope of every event is chained;
its payload can be erased when a speaker withdraws, and then reads as `Redacted` (`session.store.hash_chain` and
`session.store.triggers` say how).
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from session.events import Recorded, SpeakerWithdrawn
from session.store import database, folds, hash_chain
from session.store.appending import held_by, insert
from session.store.chain_links import ChainLinker, Salt, random_salt
from session.store.database import LAST
from session.store.erasure import erase, scrub
from session.store.folds import Usage
from session.store.hash_chain import GENESIS, StoredEvent, as_bytes, stored_event
from session.store.sqlite_file import FOLDED, PLAIN
from session.store.types import Entry as Entry
from session.store.types import Kept, LeaseLost, StoreBusy, Write, database_problem, file_uri, identity, moved
from session.store.types import SecondWriter as SecondWriter
from session.store.types import StoreDamaged as StoreDamaged
from session.store.types import StoreUnavailable as StoreUnavailable
from session.store.types import StreamInfo as StreamInfo
from session.store.upcasting import SESSION, DamagedEvent, Versions
from session.store.upcasting import UNREADABLE as UNREADABLE
from session.values.clock import Stamp

DAMAGED = (StoreDamaged, DamagedEvent)
"""What it raises of these where no other program, and no later release, could read on."""
AT_ONCE = 500


class Store:
    """One database of streams. Any thread may read and append; appends take their turn."""

    def __init__(self, url: str, versions: Versions = SESSION, salt: Salt = random_salt) -> None:
        """Opens the store at a SQLAlchemy URL, making it when there is none; raises StoreUnavailable."""
        self._linking = ChainLinker(versions, salt)
        self._of_sessions = versions is SESSION
        self._format, self._whole = PLAIN, False
        self.holder = ""  # the hub whose leases an append needs; none where no hub is at work
        self._lock = threading.RLock()
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._understood: set[str] = set()
        self._file: tuple[int, int] | None = None
        try:
            self._url = sa.make_url(url)
            self._path = database.file_of(self._url)
            self._engine = database.make_engine(self._url)
            self._writer = self._engine.execution_options(writes=True)
        except (sa.exc.ArgumentError, ModuleNotFoundError) as error:
            told = f"The store {url.partition('://')[0]}://… {database_problem(error)}. Nothing was opened."
            raise StoreUnavailable(told) from error
        self._alone = self._lock if isinstance(self._engine.pool, database.StaticPool) else nullcontext()
        try:
            self._make()
        except BaseException:
            self.close()
            raise
        self._file = identity(self._path)

    def append(self, stream: str, after: int, facts: Sequence[Entry]) -> list[Recorded]:
        """Append `facts` as events `after`+1 … of `stream`, on disk when this returns; one transaction.

        Raises SecondWriter when an event of that number exists, StoreUnavailable when the database is out of order,
        UnstorableValue for a fact that would be read back as another one, NewerEvent or DamagedEvent when the stream holds
        something that this release does not understand.
        """
        (done,) = self.append_together([Write(stream, after, facts)])
        if isinstance(done, Exception):
            raise done
        return done

    def append_together(self, writes: Sequence[Write]) -> list[list[Recorded] | Exception]:
        """Append what waits in one transaction; return, for each, what was recorded or what `append` would raise.

        One that fails keeps no other from being recorded: then each has a transaction of its own.
        """
        failure: Exception | None = None
        with self._lock:
            linked = self._linked_together(writes)
            try:
                lost = self._commit(list(zip(writes, linked, strict=True)))
                linked = [
                    LeaseLost(f"another hub serves {write.stream} now") if write.stream in lost and links else links
                    for write, links in zip(writes, linked, strict=True)
                ]
            except StoreUnavailable as error:
                failure = error
            except Exception as error:  # noqa: BLE001 (it may be of one write alone, and the others are to be recorded)
                if len(writes) > 1:
                    return [self.append_together([write])[0] for write in writes]
                failure = error
                if isinstance(error, sa.exc.IntegrityError):
                    failure = SecondWriter(
                        f"event {writes[0].after + 1} of {writes[0].stream} exists already: another program writes to this "
                        "store; close one of the two"
                    )
                    failure.__cause__ = error
        return [
            links if isinstance(links, Exception) else (links and failure) or [self.recorded(link) for link in links]
            for links in linked
        ]

    def open_session(self, plan: Callable[[Usage], tuple[str, Entry]]) -> list[Recorded]:
        """Append the first event of the session that `plan` names from what has been used so far.

        All in one transaction, and no other program opens a session meanwhile: no other session gets what the plan takes.
        Raises what `plan` and `append` raise, and StoreBusy when the turn does not come.
        """
        with self._lock:
            self.have_folds()
            stream = ""
            try:
                with self.writing("No session was opened") as connection:
                    database.alone(connection, "curtain_open_session")
                    stream, entry = plan(Usage(lambda query: connection.execute(query).all()))
                    links = self._linking.linked(stream, 0, GENESIS, [entry])
                    insert(connection, links)
                    folds.begin(connection, stream, entry.event, self.holder)
            except sa.exc.IntegrityError as error:
                raise SecondWriter(f"session {stream} has been opened before") from error
            self._heads[stream] = (1, links[-1].digest)
            self._understood.add(stream)
        return [self.recorded(link) for link in links]

    @property
    def has_folds(self) -> bool:
        """True when the store has more than streams (`have_folds`)."""
        return self._format == FOLDED

    @property
    def usage(self) -> Usage:
        """The names and numbers that the sessions have used so far."""
        with self._lock:
            self.have_folds()
        return Usage(self.rows)

    def check_folds(self, *, mend: bool = False) -> list[str]:
        """Make the folds again from the facts and return where those that are kept are others; `mend` puts them right."""
        with self._lock:
            self.have_folds()
            with self._clear("Nothing was checked"), self._engine.execution_options(writes=mend).begin() as connection:
                made = folds.made(connection, self.recorded)
                found = folds.findings(lambda query: connection.execute(query).all(), made)
                if mend and found:
                    folds.replace_all(connection, made)
        return found

    def kept(self, kind: str) -> dict[str, Kept]:
        """The values that were kept under the name `kind`, by stream, whether or not each is of the stream's present head."""
        if self._format != FOLDED:
            return {}
        table = database.kept
        query = sa.select(table.c.stream, table.c.head, table.c.value).where(table.c.kind == kind)
        return {stream: Kept(head, as_bytes(value)) for stream, head, value in self.rows(query)}

    def keep(self, kind: str, values: Mapping[str, Kept]) -> None:
        """Keep a value of each stream, made of its facts up to the head that it names, in the place of an older one."""
        with self._lock:
            self.have_folds()
            with self.writing("Nothing was kept") as connection:
                folds.keep(connection, kind, values)

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
        return self._stored((database.events.c.stream == stream) & (database.events.c.seq > after))

    def raw_many(self, streams: Sequence[str]) -> Iterator[StoredEvent]:
        """The stored bytes of some streams, many at a time."""
        for first in range(0, len(streams), AT_ONCE):
            yield from self._stored(database.events.c.stream.in_(streams[first : first + AT_ONCE]))

    def read_many(self, streams: Sequence[str]) -> Iterator[tuple[str, list[Recorded]]]:
        """Yield each of `streams` that has events, with all of them; raises what `read` raises."""
        found = groupby(map(self.recorded, self.raw_many(streams)), key=attrgetter("session"))
        yield from ((stream, list(facts)) for stream, facts in found)

    def streams(self) -> list[StreamInfo]:
        """Return all streams by name."""
        last = LAST.subquery()
        first, head = database.events.alias("first"), database.events.alias("head")
        query = (
            sa.select(last.c.stream, last.c.seq, head.c.digest, first.c.envelope, first.c.digest)
            .join(first, (first.c.stream == last.c.stream) & (first.c.seq == 1))
            .join(head, (head.c.stream == last.c.stream) & (head.c.seq == last.c.seq))
        )
        found = [
            StreamInfo(
                stream,
                seq,
                as_bytes(digest).hex(),
                hash_chain.type_and_time(as_bytes(envelope))[1],
                as_bytes(began).hex(),
            )
            for stream, seq, digest, envelope, began in self.rows(query)
        ]
        return sorted(found, key=lambda info: info.stream)

    def lengths(self) -> dict[str, int]:
        """The number of the last event of every stream, by name."""
        return dict(sorted((stream, seq) for stream, seq in self.rows(LAST)))

    def lasts(self, *prefixes: str) -> dict[str, tuple[int, str]]:
        """Number and type of the last event of every stream, by name; with `prefixes` of those alone that begin so."""
        last = (database.last_of(prefixes, self._engine.dialect.name) if prefixes else LAST).subquery()
        at_last = (database.events.c.stream == last.c.stream) & (database.events.c.seq == last.c.seq)
        query = sa.select(last.c.stream, last.c.seq, database.events.c.envelope).join(database.events, at_last)
        return {
            stream: (seq, hash_chain.type_and_time(as_bytes(envelope))[0]) for stream, seq, envelope in self.rows(query)
        }

    def head(self, stream: str) -> str:
        """The last digest in hexadecimal; empty for a stream without events."""
        at = database.events.c
        query = sa.select(at.digest).where(at.stream == stream).order_by(at.seq.desc()).limit(1)
        rows = self.rows(query)
        return as_bytes(rows[0][0]).hex() if rows else ""

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
                self.have_folds()
                with self.writing("Nothing was erased") as connection:
                    if self._format == FOLDED:
                        folds.withdraw(connection, streams, fact)
                    erased = sum(
                        erase(connection, self._linking, stream, Entry(at, by, "", fact))
                        for stream in sorted(set(streams))
                    )
            except sa.exc.IntegrityError as error:
                raise SecondWriter("another program writes to these streams; close it, then withdraw again") from error
            self._heads.clear()
            with self._clear(
                "The payloads are erased, but copies may be left in the database's files; withdraw once more"
            ):
                scrub(self._engine)
        return erased

    @property
    def reading_url(self) -> str:
        """The URL by which another process opens the same store to read it, and cannot write."""
        url = self._url
        if url.get_backend_name() == "sqlite":
            url = url.set(database=file_uri(str(url.database)), query={**url.query, "mode": "ro", "uri": "true"})
        return url.render_as_string(hide_password=False)

    def close(self) -> None:
        """Give the database back, and the connections of threads that still read when these have done."""
        sa.event.listen(self._engine, "checkin", lambda _, record: record.close())
        self._engine.dispose()

    # --- within ---------------------------------------------------------------------------------------------------------

    def _understand(self, stream: str) -> None:
        query = sa.select(database.events.c.seq, database.events.c.envelope).where(database.events.c.stream == stream)
        for seq, envelope in self.rows(query):
            self._linking.understood(envelope, f"event {seq} of {stream}")

    def _linked_together(self, writes: Sequence[Write]) -> list[list[StoredEvent] | Exception]:
        """The links of each write, or what is in its way; none are made of an empty one."""
        done, heads = list[list[StoredEvent] | Exception](), dict[str, tuple[int, bytes]]()
        for write in writes:
            try:
                done.append(self._linked(write, heads) if write.facts else [])
            except Exception as error:  # noqa: BLE001 (it is of this write alone, and its writer hears of it)
                done.append(error)
        return done

    def _linked(self, write: Write, heads: dict[str, tuple[int, bytes]]) -> list[StoredEvent]:
        if write.after and write.stream not in self._understood:
            self._understand(write.stream)
        prev = self._digest(write.stream, write.after, heads)
        links = self._linking.linked(write.stream, write.after, prev, write.facts)
        heads[write.stream] = (write.after + len(links), links[-1].digest)
        return links

    def _commit(self, writes: Sequence[tuple[Write, list[StoredEvent] | Exception]]) -> set[str]:
        """Write all in one transaction; return the streams of which nothing was written, for their leases are gone."""
        together = [(write, links) for write, links in writes if links and not isinstance(links, Exception)]
        lost: set[str] = set()
        if not together:
            return lost
        self.have_folds()
        with self.writing("The events were not recorded") as connection:
            if self.holder:
                streams = {write.stream: write.stream.partition("/")[0] for write, _ in together}
                held = held_by(connection, self.holder, set(streams.values()))
                lost = {stream for stream, session in streams.items() if session not in held}
                together = [(write, links) for write, links in together if write.stream not in lost]
            if not together:
                return lost
            insert(connection, [link for _, links in together for link in links])
            if self._format == FOLDED:
                for write, _ in together:
                    folds.follow(connection, write.stream, [entry.event for entry in write.facts])
        for write, links in together:
            self._heads[write.stream] = (links[-1].seq, links[-1].digest)
            self._understood.add(write.stream)
        return lost

    def _digest(self, stream: str, seq: int, heads: Mapping[str, tuple[int, bytes]]) -> bytes:
        """The digest of an event, the genesis for number 0; raises ValueError when there is no such event."""
        if seq == 0:
            return GENESIS
        for known in (heads.get(stream), self._heads.get(stream)):
            if known and known[0] == seq:
                return known[1]
        events = database.events
        rows = self.rows(sa.select(events.c.digest).where(events.c.stream == stream, events.c.seq == seq))
        if not rows:
            raise ValueError(f"stream {stream} has no event {seq} to append after")
        return as_bytes(rows[0][0])

    def _stored(self, wanted: sa.ColumnElement[bool]) -> list[StoredEvent]:
        return [stored_event(row) for row in self.rows(database.joined(wanted))]

    def rows(self, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
        """Ask the database; raises StoreUnavailable."""
        with self._alone, self._clear("Nothing could be read"), self._engine.begin() as connection:
            return [tuple(row) for row in connection.execute(query)]

    @contextmanager
    def writing(self, consequence: str) -> Iterator[sa.Connection]:
        """Write in one transaction; raises StoreUnavailable with the `consequence` of its failure."""
        with self._clear(consequence), self._writer.begin() as connection:
            yield connection
            if self._file and identity(self._path) != self._file:
                raise moved(str(self._url.database), consequence)

    @contextmanager
    def _clear(self, consequence: str) -> Iterator[None]:
        try:
            yield
        except sa.exc.IntegrityError:
            raise
        except (sa.exc.DBAPIError, sa.exc.TimeoutError) as error:
            shown = self._url.database if self._url.get_backend_name() == "sqlite" else self._url.render_as_string()
            kind = StoreDamaged if type(error) is sa.exc.DatabaseError else StoreUnavailable
            kind = StoreBusy if "database is locked" in str(error) else kind
            raise kind(f"The store {shown} {database_problem(error)}. {consequence}.") from error

    def _make(self) -> None:
        with self._clear("Nothing was opened"), self._engine.begin() as connection:
            made = database.is_made(connection)
        if not made:
            with self.writing("Nothing was opened") as connection:
                database.make_tables(connection, FOLDED if self._of_sessions else PLAIN)
        found = self.rows(sa.select(database.store_format.c.format))
        if found not in ([(PLAIN,)], [(FOLDED,)]):
            raise StoreUnavailable(
                f"The store has format {found[0][0] if found else 'none'}, this release knows {PLAIN} and {FOLDED}; "
                "install the release that made it."
            )
        self._format = found[0][0]

    def have_folds(self) -> None:
        """Add the folds to a store that an earlier release made; the first writer does so."""
        if not self._of_sessions or self._whole:
            return
        with self._alone, self._clear("Nothing was recorded"), self._engine.begin() as connection:
            lacking = database.lacks_folds(connection)
        if lacking:
            with self.writing("Nothing was recorded") as connection:
                if database.make_folded(connection):
                    folds.replace_all(connection, folds.made(connection, self.recorded))
        self._format, self._whole = FOLDED, True
