"""The making of chain links from facts: named by their version, salted, sealed, and read back before they count.

The store puts links into a database and knows nothing of what they say; this knows no database.
"""

import secrets
from collections.abc import Callable, Sequence

import msgspec

from session.events import Fact
from session.store import hash_chain
from session.store.hash_chain import Envelope, StoredEvent
from session.store.types import Entry, UnstorableValue
from session.store.upcasting import DamagedEvent, Versions

Salt = Callable[[str, int], bytes]


def random_salt(stream: str, seq: int) -> bytes:
    """Return sixteen random bytes."""
    return secrets.token_bytes(16)


class ChainLinker:
    """Makes links by the versions of one release."""

    def __init__(self, versions: Versions, salt: Salt) -> None:
        self.versions = versions
        self._salt = salt

    def linked(self, stream: str, after: int, prev: bytes, facts: Sequence[Entry]) -> list[StoredEvent]:
        """`facts` as events `after`+1 … of `stream`, the first of them linked to the digest `prev`; raises UnstorableValue."""
        links: list[StoredEvent] = []
        for seq, entry in enumerate(facts, start=after + 1):
            kind, version = self.versions.of(entry.event)
            salt, payload = self._salt(stream, seq), msgspec.json.encode(entry.event)
            self._same(entry.event, kind, version, payload)
            sealed = hash_chain.commitment(salt, payload)
            envelope = Envelope(stream, seq, kind, version, entry.at, str(entry.by), entry.cause, sealed)
            links.append(hash_chain.linked(envelope, prev, salt, payload))
            prev = links[-1].digest
        return links

    def understood(self, envelope: bytes, place: str) -> None:
        """Raises NewerEvent or DamagedEvent for an envelope that this release cannot continue from."""
        try:
            found = msgspec.json.decode(envelope, type=Envelope)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DamagedEvent(f"{place} has no readable envelope: {error}") from error
        self.versions.check(found.type, found.v, place)

    def _same(self, event: Fact, kind: str, version: int, payload: bytes) -> None:
        try:
            lost = self.versions.decode(kind, version, payload, "the fact") != event
        except DamagedEvent:
            lost = True
        if lost:
            raise UnstorableValue(
                f"this {kind} would be read back as another one: {payload[:200].decode()}; nothing was recorded"
            )
