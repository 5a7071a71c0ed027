"""The queue of a study's lobby: those who wait, in the order in which they came, whichever of the study's hubs they wait at.

A hub writes down who waits at it, and promises its own free sessions to anyone who comes first in the whole queue, since it
alone knows at that moment that a session is free. The hub at which she waits then sends her there. Who loses her hub finds
her place again at another one. No row outlives the visit's beginning by long, and none holds a code, a ticket or a recruiting
service's id.
"""

import hmac
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from session.store import database
from session.store.database import hubs, lobby, lobby_work
from session.store.event_store import Store

PLACE_KEPT_MS = 30_000
"""Who comes back so soon, to whatever hub, has her place again."""
FORGOTTEN_MS = 6 * 3_600_000
"""After so long without her page nothing is known of her."""


class InvitationTaken(Exception):
    """Error: another visitor waits with this invitation."""


class QueuePlace(msgspec.Struct, frozen=True):
    """One place in the queue: the invitation, who it is for where it is somebody's, the hub where she waits, and once one was
    promised to her, the session; `speaker` is then that session's."""

    invitation: str
    speaker: str
    hub: str
    wished: bool
    session: str


class LobbyQueue:
    """The queue as one hub sees it, by its name (`session.store.leases` says that it lives); raises StoreUnavailable."""

    def __init__(self, store: Store, hub: str) -> None:
        self._store, self._hub = store, hub
        self._told_work = -1
        store.have_folds()
        with store.writing("No lobby was opened") as connection:
            database.make_lobby(connection)
            self._dialect = connection.dialect.name

    @property
    def hub(self) -> str:
        return self._hub

    def enter(self, invitation: str, ticket: str, speaker: str) -> None:
        """Let somebody wait here, at the end, or at the place that she had; `ticket` is a hash. Raises Taken."""
        this = lobby.c.invitation == invitation
        with self._store.writing("No visitor could enter the lobby") as connection:
            now = self._alone(connection)
            last = connection.scalar(sa.select(sa.func.max(lobby.c.place))) or 0
            found = connection.execute(sa.select(lobby.c.ticket, lobby.c.gone, lobby.c.session).where(this)).first()
            if found is None:
                row = {"invitation": invitation, "ticket": ticket, "speaker": speaker, "hub": self._hub}
                new = {"place": last + 1, "gone": 0, "wished": False, "session": "", "until": 0}
                connection.execute(lobby.insert().values(**row, **new))
                return
            if not found.gone and not hmac.compare_digest(found.ticket, ticket):
                raise InvitationTaken(invitation)
            changes: dict[str, object] = {"ticket": ticket, "hub": self._hub, "gone": 0}
            if found.gone and now - found.gone > PLACE_KEPT_MS:
                changes["place"] = last + 1
            connection.execute(lobby.update().where(this).values(changes))

    def leave(self, invitation: str) -> None:
        """Somebody's page here is closed: her place is kept for a moment."""
        this = (lobby.c.invitation == invitation) & (lobby.c.hub == self._hub) & (lobby.c.gone == 0)
        with self._store.writing("Nobody left the lobby") as connection:
            now = self._alone(connection)
            connection.execute(lobby.update().where(this).values(gone=now))

    def forget(self, invitation: str) -> None:
        """Somebody does not wait any more; a session that was promised to her is free again."""
        with self._store.writing("Nobody left the lobby") as connection:
            connection.execute(lobby.delete().where(lobby.c.invitation == invitation))

    def wish(self, invitation: str) -> bool:
        """Return whether the session of somebody who was invited by her id is still to be opened: true once."""
        this = (lobby.c.invitation == invitation) & ~lobby.c.wished
        with self._store.writing("No session was opened") as connection:
            return bool(connection.execute(lobby.update().where(this).values(wished=True)).rowcount)

    def promise(self, free: Mapping[str, str], kept_ms: int) -> None:
        """Promise sessions of this hub to anyone who comes first of those who want one; `free` has their speakers by name.

        A promise holds for `kept_ms`, in which she has to come.
        """
        with self._store.writing("Nobody goes on from the lobby") as connection:
            now = self._alone(connection)
            given = set(connection.scalars(sa.select(lobby.c.session).where(lobby.c.session != "")))
            waiting = [place for place in self._places(connection.execute(self._order()).all()) if not place.session]
            for session, speaker in free.items():
                first = next((place for place in waiting if place.speaker in ("", speaker)), None)
                if session in given or first is None:
                    continue
                waiting.remove(first)
                this = lobby.c.invitation == first.invitation
                connection.execute(
                    lobby.update().where(this).values(session=session, speaker=speaker, until=now + kept_ms)
                )

    def places(self) -> list[QueuePlace]:
        """The places of all who are there, in their order, with those who are on their way to a session that was promised."""
        return self._places(self._store.rows(self._order()))

    def work(self, sessions: int) -> None:
        """Say how many sessions go on at this hub: it tells those who wait how long they have to."""
        if sessions == self._told_work:
            return
        mine = lobby_work.c.hub == self._hub
        with self._store.writing("The queue's length is not known") as connection:
            connection.execute(lobby_work.delete().where(mine | ~self._alive(lobby_work.c.hub)))
            connection.execute(lobby_work.insert().values(hub=self._hub, sessions=sessions))
        self._told_work = sessions

    def goes_on(self, session: str) -> bool:
        """Return whether a session, at whatever hub, has not ended."""
        this = (database.sessions.c.stream == session) & database.sessions.c.unended
        return bool(self._store.rows(sa.select(database.sessions.c.stream).where(this)))

    def at_work(self) -> int:
        """The number of sessions that go on at all hubs that live."""
        query = sa.select(sa.func.sum(lobby_work.c.sessions)).where(self._alive(lobby_work.c.hub))
        return int(self._store.rows(query)[0][0] or 0)

    # --- within -------------------------------------------------------------------------------------------------------

    def _alone(self, connection: sa.Connection) -> int:
        """Hold back other hubs, let go of those whose hub is dead and of those who stayed away, from the queue or from a session;
        return the time."""
        database.alone(connection, "curtain_lobby")
        now = int(connection.scalar(sa.select(database.now_ms(self._dialect))) or 0)
        dead = (lobby.c.gone == 0) & ~self._alive(lobby.c.hub)
        connection.execute(lobby.update().where(dead).values(gone=now))
        away = (lobby.c.session == "") & (lobby.c.gone > 0) & (lobby.c.gone < now - FORGOTTEN_MS)
        over = (lobby.c.session != "") & (lobby.c.until < now)
        connection.execute(lobby.delete().where(away | over))
        return now

    def _alive(self, hub: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
        living = sa.select(hubs.c.name).where(hubs.c.until > database.now_ms(self._dialect))
        return (hub == self._hub) | hub.in_(living)

    def _order(self) -> sa.Select[Any]:
        row = sa.select(lobby.c.invitation, lobby.c.speaker, lobby.c.hub, lobby.c.wished, lobby.c.session)
        good = (lobby.c.session == "") | (lobby.c.until >= database.now_ms(self._dialect))
        return row.where(lobby.c.gone == 0, good, self._alive(lobby.c.hub)).order_by(lobby.c.place)

    @staticmethod
    def _places(rows: Sequence[Sequence[Any]]) -> list[QueuePlace]:
        return [QueuePlace(*row) for row in rows]
