"""Session lines that the hubs of a study share, so that an experimenter's page at any hub shows all sessions.

A hub writes its sessions' lines only while somebody looks at another hub's page. Lines are what an observer may see; they are
kept nowhere else, and nothing follows from them. Calls that were seen to on a page go to the hub that has the session.
"""

from typing import NamedTuple

import sqlalchemy as sa

from session.store import database
from session.store.database import board_calls, boards, hubs, leases, sessions
from session.store.event_store import Store
from session.store.hash_chain import as_bytes
from session.store.leases import REMEMBERED_MS, SILENT_MS

LOOKED_MS = 5000
"""So long after a page has asked last the other hubs go on writing their lines."""
STALE_MS = 5000
"""Lines that are older are those of a hub that is stopped, or of before somebody looked."""


class ForsakenSession(NamedTuple):
    """A session that has not ended and whose hub has, or is dead; `since` is when that lived last, in milliseconds since 1970."""

    name: str
    speaker: str
    since: int


class SharedBoard:
    """The lines of a study's sessions as one hub sees and shows them, by its name (`session.store.leases` says that it lives);
    raises StoreUnavailable."""

    def __init__(self, store: Store) -> None:
        self._store, self._hub = store, store.holder
        store.have_folds()
        with store.writing("No experimenter's page was opened") as connection:
            database.make_boards(connection)
            self._now = database.now_ms(connection.dialect.name)

    def look(self) -> list[bytes]:
        """Return the lines of every other hub that lives, and have them go on writing; where there is no other hub, nothing
        is written."""
        if not self._store.rows(sa.select(hubs.c.name).where(self._others(hubs.c.name)).limit(1)):
            return []
        with self._store.writing("The other hubs' sessions are not shown") as connection:
            self._keep(connection, looked=self._now + LOOKED_MS)
        shown = sa.select(boards.c.lines).where(self._others(boards.c.hub), boards.c.written > self._now - STALE_MS)
        return [as_bytes(lines) for (lines,) in self._store.rows(shown.order_by(boards.c.hub))]

    def forsaken(self) -> list[ForsakenSession]:
        """Return the sessions that have not ended and whose hub died within the last day without a successor, by name."""
        dead = (hubs.c.until <= self._now) & (hubs.c.until > self._now - REMEMBERED_MS)
        found = (
            sa.select(leases.c.session, sessions.c.speaker, hubs.c.until)
            .select_from(leases)
            .join(hubs, (hubs.c.name == leases.c.hub) & dead)
            .join(sessions, (sessions.c.stream == leases.c.session) & sessions.c.unended)
        )
        rows = self._store.rows(found.order_by(leases.c.session))
        return [ForsakenSession(name, speaker, until - SILENT_MS) for name, speaker, until in rows]

    def wanted(self) -> bool:
        """Return whether anybody watches another hub's page."""
        looking = sa.select(boards.c.hub).where(self._others(boards.c.hub), boards.c.looked > self._now)
        return bool(self._store.rows(looking.limit(1)))

    def show(self, lines: bytes) -> None:
        """Write the lines of this hub's sessions."""
        with self._store.writing("This hub's sessions are not shown at others") as connection:
            self._keep(connection, lines=lines, written=self._now)

    def call(self, session: str) -> None:
        """Tell the hub of `session` that its subject's call was answered."""
        with self._store.writing("No call was answered") as connection:
            connection.execute(board_calls.delete().where(board_calls.c.session == session))
            connection.execute(board_calls.insert().values(session=session))

    def calls(self) -> list[str]:
        """Return the sessions of this hub whose calls were answered on other hubs' pages, each once."""
        mine = sa.select(leases.c.session).where(leases.c.hub == self._hub)
        found = [name for (name,) in self._store.rows(sa.select(board_calls).where(board_calls.c.session.in_(mine)))]
        if found:
            with self._store.writing("No call was answered") as connection:
                connection.execute(board_calls.delete().where(board_calls.c.session.in_(found)))
        return found

    def _others(self, hub: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
        return (hub != self._hub) & hub.in_(sa.select(hubs.c.name).where(hubs.c.until > self._now))

    def _keep(self, connection: sa.Connection, **values: object) -> None:
        """Write into this hub's row, which no other hub does. Rows of hubs that are gone are cleared when a new one is made."""
        if connection.execute(boards.update().where(boards.c.hub == self._hub).values(values)).rowcount:
            return
        connection.execute(boards.delete().where(boards.c.hub.not_in(sa.select(hubs.c.name))))
        connection.execute(
            boards.insert().values({"hub": self._hub, "looked": 0, "written": 0, "lines": b"", **values})
        )
