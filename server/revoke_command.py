"""`curtain revoke`: takes a session's addresses from those who have them, and gives new ones."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TextIO

from session.store.access import TokenIssuer
from session.store.event_store import Store, StoreUnavailable
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.values.vocabulary import Role


def revoke_command(study: str, session: str, roles: Sequence[str], out: TextIO, err: TextIO) -> int:
    """Renew the tokens of `roles`, or of all of them, in a session; each role and its new token go to `out`.

    A hub that serves the session sends the desks away that came with an old one. 2 when study, store or session is at fault.
    """
    try:
        found = load(Path(study))
        with closing(Store(found.store_url)) as store:
            renewed = TokenIssuer(store).renew(session, [Role(role) for role in roles] or list(Role))
    except (StudyError, StoreUnavailable) as error:
        err.write(f"{error}\n")
        return 2
    except KeyError:
        err.write(f"{study} has no session {session}; `curtain sessions {study}` lists them\n")
        return 2
    out.write("".join(f"{role:<13}{token}\n" for role, token in renewed.items()))
    err.write("The old addresses are void. A new one is the old one with the new token before the @.\n")
    return 0
