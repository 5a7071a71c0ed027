"""The tokens of sessions, in the store beside their events: made in the transaction that opens a session, renewed when one is
to be taken from somebody.

No event, log or export holds them. Sessions that an earlier release opened have none here.
"""

from collections.abc import Collection

import sqlalchemy as sa

from session.store import database
from session.store.database import access
from session.store.event_store import Store
from session.store.folds import new_token
from session.values.vocabulary import Role


class TokenIssuer:
    """Gives and renews the tokens of one store's sessions; raises StoreUnavailable."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def tokens(self, session: str) -> dict[Role, str]:
        """Return the tokens of a session by role; none of one that an earlier release opened, or that is not there."""
        if not self._store.has_folds:
            return {}
        rows = self._store.rows(sa.select(access.c.role, access.c.token).where(access.c.session == session))
        known = {role.value: role for role in Role}
        return {known[role]: token for role, token in rows if role in known}

    def renew(self, session: str, roles: Collection[Role]) -> dict[Role, str]:
        """Put new tokens in the place of those that some roles have in a session; the old ones are worth nothing then.

        A session of an earlier release gets tokens for all its roles. Raises KeyError when there is no such session.
        """
        if not self._store.head(session):
            raise KeyError(session)
        self._store.have_folds()
        lacking = [] if self.tokens(session) else list(Role)
        made = {role: new_token() for role in {*roles, *lacking}}
        with self._store.writing("No token was renewed") as connection:
            database.alone(connection, "curtain_access")
            serial = 1 + (connection.scalar(sa.select(sa.func.max(access.c.serial))) or 0)
            named = access.c.role.in_([role.value for role in made])
            connection.execute(access.delete().where(access.c.session == session, named))
            rows = [
                {"session": session, "role": role.value, "token": token, "serial": serial}
                for role, token in made.items()
            ]
            connection.execute(access.insert(), rows)
        return {role: made[role] for role in roles}

    def renewed(self, since: int) -> tuple[int, list[tuple[str, str]]]:
        """Return the number of the last renewal, and the sessions and roles that were renewed after number `since`."""
        if not self._store.has_folds:
            return 0, []
        query = sa.select(access.c.serial, access.c.session, access.c.role).where(access.c.serial > since)
        rows = self._store.rows(query)
        return max((serial for serial, _, _ in rows), default=since), [(name, role) for _, name, role in rows]
