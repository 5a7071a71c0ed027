"""`curtain sessions --links`: connections to a study's sessions, refused connections, and refused commands.

These facts are beside a session's own (`session.events.link`) and go into no corpus: they tell of connections, not of what
was said.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from session import events as e
from session.collection.open_session import session_names
from session.hub.history import links_stream
from session.store.event_store import UNREADABLE, Store
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.values.clock import iso
from session.values.sanitize import inert


def links_command(study: str, out: TextIO, err: TextIO) -> int:
    """Print a line for each such fact, session by session; 2 when study or store cannot be read."""
    try:
        store = Store(load(Path(study)).store_url)
        try:
            lines = [line for name in session_names(store) for line in _lines(store, name)]
        finally:
            store.close()
    except (StudyError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    out.write("".join(f"{line}\n" for line in lines))
    if not lines:
        err.write(f"no desk has come to a session of {study} yet\n")
    return 0


def _lines(store: Store, name: str) -> Iterator[str]:
    for recorded in store.read(links_stream(name)):
        if said := _said(recorded.event):
            yield f"{name:<22} {iso(recorded.at.wall)}  {inert(said, newlines='space')}"


def _said(event: e.Fact | e.Redacted) -> str:
    """Return the words of a fact about links; none for a comparison of clocks, since there are hundreds."""
    match event:
        case e.DeskAttached():
            return f"{event.role} came: desk {event.desk}, version {event.version}"
        case e.DeskDetached():
            return f"{event.role} went: {event.why}"
        case e.DeskRefused():
            return f"{event.role or 'somebody'} NOT LET IN: {event.reason.value}"
        case e.CommandRefused():
            return f"{event.role} was refused {event.command}: {event.reason}"
        case _:
            return ""
