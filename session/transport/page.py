"""A page in a browser as its server needs it: its files, whose Origin it has, and what is behind a link of it.

The page itself is the subject's (`subject.browser`); the command puts the two together, so that a hub knows nothing of it.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from session.protocol.messages import AudioChunk, HubMessage, Sound
from session.values.clock import Clock


class HubConnection(Protocol):
    """The hub's side of a connection (`session.hub.connection.Connection`)."""

    @property
    def place(self) -> str:
        """The session and the role in it once a desk has been let in; empty before, and for what is in none."""

    async def receive(self, frame: str | bytes) -> None:
        """Act on a frame; raises WireError or Rejected."""

    def pass_sound(self, frame: bytes) -> AudioChunk | None:
        """Take a frame of sound in passing and return it; None if it must be `receive`d. Raises WireError."""

    async def closed(self, why: str) -> None:
        """The socket is gone."""


ConnectionFactory = Callable[[str, Callable[[HubMessage | Sound], None], Callable[[str], None]], HubConnection]
"""Makes a connection from the session's name, the way down, and the way to close the socket with a reason."""


class PageFile(NamedTuple):
    """A file of a page, with the headers that go with it."""

    headers: tuple[tuple[str, str], ...]
    body: bytes


class PageServer(Protocol):
    """A page, as its server sees it."""

    def file(self, path: str) -> PageFile | None:
        """The file at a path; None if there is none."""

    def nowhere(self) -> str:
        """Return the sentence of a 404 response."""

    def session(self, path: str) -> str | None:
        """The session whose page connects at a path; None for other paths."""

    def own(self, origin: str, host: str, *, encrypted: bool) -> bool:
        """Return whether a browser that names this Origin, and asked this Host, shows this server's own page."""

    def connection(
        self,
        session: str,
        outlet: Callable[[HubMessage | Sound | str], None],
        leave: Callable[[str], None],
        carry: ConnectionFactory,
        clock: Clock,
    ) -> HubConnection:
        """Make what is behind a page's link, over a connection to the hub that `carry` makes."""
