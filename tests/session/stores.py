"""A stream to fill a store with."""

from session import events as e
from session.store.event_store import Store
from tests.session.examples import entries, opening

NAME = "bbn-20261121-1"
SECRET = "the quick brown fox flies to Denver"
SPOKEN = e.NoteWritten(text=SECRET)


def started(store: Store, *more: e.Fact) -> list[e.Recorded]:
    """The first event of a session, and `more`."""
    return store.append(NAME, 0, entries(opening(), *more))
