"""The web site on a hub's port: the subject's page and the other pages."""

from collections.abc import Callable, Sequence
from typing import Protocol

from session.protocol.messages import HubMessage, Sound
from session.transport.page import ConnectionFactory, HubConnection, PageFile, PageServer
from session.values.clock import Clock

BESIDE = "/"
"""Begins the names of links that lead to no session; no session's name has it."""


class PageBeside(Protocol):
    """A page beside the subject's."""

    def file(self, path: str) -> PageFile | None:
        """The file at a path; None if there is none."""

    def link(self, path: str) -> bool:
        """Return whether the page connects at a path."""

    def connection(self, outlet: Callable[[str], None], leave: Callable[[str], None]) -> HubConnection:
        """Make what is behind one open page."""


class Site:
    """The pages of one hub as one (`session.transport.page.Pages`); those beside the subject's are added once the hub runs."""

    def __init__(self, subject: PageServer) -> None:
        self._subject = subject
        self.beside: Sequence[PageBeside] = ()

    def file(self, path: str) -> PageFile | None:
        """The file at a path; None if there is none."""
        found = (page.file(path.partition("?")[0]) for page in self.beside)
        return self._subject.file(path) or next((file for file in found if file is not None), None)

    def nowhere(self) -> str:
        """Return the sentence for anyone who asks for something that is not there, in the words for participants."""
        return self._subject.nowhere()

    def session(self, path: str) -> str | None:
        """The session whose page connects at a path, or the link of a page beside; None for other paths."""
        found = (f"{BESIDE}{place}" for place, page in enumerate(self.beside) if page.link(path))
        return self._subject.session(path) or next(found, None)

    def own(self, origin: str, host: str, *, encrypted: bool) -> bool:
        """Return whether a browser that names this Origin, and asked this Host, shows one of these pages."""
        return self._subject.own(origin, host, encrypted=encrypted)

    def connection(
        self,
        session: str,
        outlet: Callable[[HubMessage | Sound | str], None],
        leave: Callable[[str], None],
        carry: ConnectionFactory,
        clock: Clock,
    ) -> HubConnection:
        """Make what is behind a page's link."""
        if session.startswith(BESIDE):
            return self.beside[int(session.removeprefix(BESIDE))].connection(outlet, leave)
        return self._subject.connection(session, outlet, leave, carry, clock)
