"""What an export is made from, as values and one small protocol: it does not matter where events and takes are kept."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from session.events import Recorded


class Collected(msgspec.Struct, frozen=True):
    """One session: its facts in order, and the head of its hash chain in hexadecimal (empty where there is none).

    `damage` says, in sentences, where what is held is not what was written; `unreadable` why there are no facts at all.
    `protocol` is the session's protocol in JSON as it was stored; empty where the source keeps values only. `origin` tells the
    study from all others; empty where that is not known.
    """

    session: str
    facts: Sequence[Recorded]
    head: str = ""
    damage: tuple[str, ...] = ()
    unreadable: str = ""
    protocol: bytes = b""
    origin: str = ""


class Source(Protocol):
    """Where sessions, takes and the files of protocols come from. One that can be pickled can be read by other processes too."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all sessions, in an order that does not change."""

    def collected(self, name: str) -> Collected:
        """A session as it is now."""

    def head(self, name: str) -> str:
        """Where the chain of a session ends now: the `head` that `collected` would give."""

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """The 16-bit little-endian samples of one channel of a take, or None where they are not held."""

    def protocol_file(self, sha256: str) -> bytes | None:
        """The file of a protocol with this hash, or None where it is not held."""
