"""Completion codes: what somebody shows a recruiting service to be paid, drawn for each session when it ends.

A code is a stream `completion/<session>` of the study's store, beside the sessions' own: no log, corpus or export holds it,
and it outlives a withdrawal, since anyone who took part is owed what was promised. It follows from nothing and says nothing.
"""

import secrets
from contextlib import suppress
from typing import Any, cast

from session.events import Fact, Redacted
from session.events.base import Event
from session.store.event_store import Entry, SecondWriter, Store
from session.store.upcasting import Versions
from session.values.clock import Stamp

COMPLETION = "completion"
LETTERS = "CDFGHJKLMNPQRTVWXY34679"
"""Without vowels no code is a word, and none of these is read as another."""
LENGTH = 8


class CompletionCodeDrawn(Event, frozen=True):
    """The session has ended, and this is the code of its subject."""

    code: str


VERSIONS = Versions(CompletionCodeDrawn | Redacted, {}, {})


def completion_code(store: Store, session: str, at: Stamp) -> str:
    """Return the code of a session, drawn where there is none yet, in a store opened for them; of two hubs that draw at the
    same moment the second takes the first's. Raises what the store raises."""
    if not (known := _read(store, session)):
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        with suppress(SecondWriter):
            store.append(f"{COMPLETION}/{session}", 0, [Entry(at, "hub", "", cast(Fact, CompletionCodeDrawn(code)))])
        known = _read(store, session)
    return known


def completion_codes(store: Store) -> dict[str, str]:
    """Return every code that was drawn, by session; raises what the store raises."""
    names = [info.stream.partition("/")[2] for info in store.streams() if info.stream.startswith(f"{COMPLETION}/")]
    return {name: _read(store, name) for name in names}


def _read(store: Store, session: str) -> str:
    for stored in store.raw(f"{COMPLETION}/{session}"):
        event: Any = VERSIONS.recorded(stored).event
        if isinstance(event, CompletionCodeDrawn):
            return event.code
    return ""
