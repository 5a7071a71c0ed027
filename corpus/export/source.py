"""Sources of an export, as values and one small protocol: it does not matter where events and takes are kept."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from session.events import Recorded, ReplyVoiced


class Collected(msgspec.Struct, frozen=True):
    """One session: its facts in order, and the head of its hash chain in hexadecimal (empty if there is none).

    `damage` says, in sentences, where what is held is not what was written; `unreadable` why there are no facts at all.
    `protocol` is the session's protocol in JSON as it was stored; empty if the source keeps values only. `origin` tells the
    study from all others; empty if that is not known.
    """

    session: str
    facts: Sequence[Recorded]
    head: str = ""
    damage: tuple[str, ...] = ()
    unreadable: str = ""
    protocol: bytes = b""
    origin: str = ""


class SessionSource(Protocol):
    """Source of sessions, takes and the files of protocols. One that can be pickled can be read by other processes too."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all sessions, in an order that does not change."""

    def collected(self, name: str) -> Collected:
        """A session as it is now."""

    def head(self, name: str) -> str:
        """Return the present head of a session's chain: the `head` that `collected` would give."""

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """The 16-bit little-endian samples of one channel of a take, or None if they are not held."""

    def spoken(self, session: str, sha256: str) -> bytes | None:
        """The samples of what the system said, by their hash, or None if they are not held."""

    def protocol_file(self, sha256: str) -> bytes | None:
        """The file of a protocol with this hash, or None if it is not held."""


def spoken_in(facts: Iterable[Recorded]) -> list[str]:
    """The hashes of all that the system said in a session, in the order in which it was first said."""
    said = (fact.event.sha256 for fact in facts if isinstance(fact.event, ReplyVoiced))
    return list(dict.fromkeys(said))
