"""Leases: each session is served by one hub at a time, and a hub that has lost a session cannot write to it any more.

A hub that lives says so twice a second in the row of its name. A session's lease names its hub; another hub takes it over once
that one has been silent for `SILENT_MS`, or asks for it and gets it. `Store` looks at the lease in the very transaction that
appends: on PostgreSQL the row is locked there, so a takeover waits for the append or the append fails.
"""

from collections.abc import Collection

import sqlalchemy as sa

from session.store import database
from session.store.database import hubs, leases, sessions
from session.store.event_store import Store

SILENT_MS = 3000
"""A hub is taken for dead after so long; all times are the database's, so that no two machines' clocks are compared."""
REMEMBERED_MS = 24 * 3600 * 1000
"""So long it is known which sessions a hub had when it died or ended; nobody has come back to them since."""


class Leases:
    """The leases of one hub, by its name; raises StoreUnavailable. From now on the store appends to leased sessions only."""

    def __init__(self, store: Store, holder: str) -> None:
        self._store, self._holder = store, holder
        store.have_folds()
        store.holder = holder

    def beat(self) -> list[str]:
        """Say that this hub lives; return the sessions that others ask for."""
        with self._store.writing("The hub could not say that it lives") as connection:
            until = database.now_ms(connection.dialect.name) + SILENT_MS
            mine = hubs.c.name == self._holder
            if not connection.execute(hubs.update().where(mine).values(until=until)).rowcount:
                connection.execute(hubs.insert().values(name=self._holder, until=until))
                long_gone = hubs.c.until < database.now_ms(connection.dialect.name) - REMEMBERED_MS
                connection.execute(hubs.delete().where(long_gone))
                connection.execute(leases.delete().where(leases.c.hub.not_in(sa.select(hubs.c.name))))
        asked = sa.select(leases.c.session).where(leases.c.hub == self._holder, leases.c.wanted != "")
        return [name for (name,) in self._store.rows(asked)]

    def take(self, session: str, *, asking: bool = True) -> bool:
        """Take a session that nobody holds or whose hub is dead; where it is held, return False, having asked for it or not.

        Raises KeyError for a session that has not been opened: a lease kept of it would stand in the way of its opening.
        """
        this = leases.c.session == session
        with self._store.writing("No session was taken over") as connection:
            database.alone(connection, "curtain_leases")
            first = (database.events.c.stream == session) & (database.events.c.seq == 1)
            if connection.execute(sa.select(database.events.c.seq).where(first)).first() is None:
                raise KeyError(session)
            held = connection.scalar(sa.select(leases.c.hub).where(this))
            if held is None:
                connection.execute(leases.insert().values(session=session, hub=self._holder, wanted=""))
                return True
            alive = sa.select(hubs.c.name).where(
                hubs.c.name == held, hubs.c.until > database.now_ms(connection.dialect.name)
            )
            if held != self._holder and connection.execute(alive).first() is not None:
                if asking:
                    connection.execute(leases.update().where(this).values(wanted=self._holder))
                return False
            connection.execute(leases.update().where(this).values(hub=self._holder, wanted=""))
            return True

    def give_up(self, sessions: Collection[str]) -> None:
        """Release sessions that this hub held, for any hub to take."""
        with self._store.writing("No session was given up") as connection:
            ours = leases.c.session.in_(list(sessions)) & (leases.c.hub == self._holder)
            connection.execute(leases.delete().where(ours))

    def end(self) -> None:
        """Give up everything: this hub ends. Sessions that have not ended stay known as its own, for any hub to take."""
        with self._store.writing("The sessions were not given up") as connection:
            unended = sa.select(sessions.c.stream).where(sessions.c.unended)
            connection.execute(leases.delete().where(leases.c.hub == self._holder, leases.c.session.not_in(unended)))
            now = database.now_ms(connection.dialect.name)
            connection.execute(hubs.update().where(hubs.c.name == self._holder).values(until=now))


def live_hubs(store: Store) -> list[str]:
    """Return the names of the hubs that serve sessions of a store, on whatever machine; raises StoreUnavailable."""
    store.have_folds()
    with store.writing("No hub was looked for") as connection:
        alive = sa.select(hubs.c.name).where(hubs.c.until > database.now_ms(connection.dialect.name))
        return sorted(connection.scalars(alive))
