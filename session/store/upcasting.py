"""From stored bytes to facts, whatever release wrote them.

A stored event carries its type and version. Older versions are lifted to the present one on reading, step by step; the bytes
stay as they were written. What a newer release wrote is refused by name, so that nothing is appended to a stream that
this release does not understand.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from session import events
from session.events import Recorded, Redacted
from session.store import hash_chain
from session.store.hash_chain import StoredEvent
from session.store.types import StoreUnavailable

Fields = dict[str, Any]
Upcast = Callable[[Fields], Fields]

UPCASTS: dict[tuple[str, int], Upcast] = {}
"""By type and version: the fields of an event (`type` among them) as the next version has them."""


class NewerEvent(Exception):
    """A stream holds an event of a type or version that only a newer release knows; it can still be exported raw."""


class DamagedEvent(Exception):
    """A stored event does not have the fields that its type and version promise."""


UNREADABLE = (StoreUnavailable, NewerEvent, DamagedEvent)
"""Exceptions that reading events can raise."""


class Versions:
    """The types that one kind of store holds, their present versions, and the way up from older ones."""

    def __init__(
        self,
        facts: Any = events.Fact,
        current: Mapping[str, int] = events.VERSIONS,
        upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS,
    ) -> None:
        self._facts = facts
        self._decoder = msgspec.json.Decoder(facts)
        self._types = {kind.__struct_config__.tag for kind in facts.__args__}
        self._current = current
        self._upcasts = upcasts

    def of(self, event: events.Fact) -> tuple[str, int]:
        """Type and version under which `event` is written."""
        kind = str(type(event).__struct_config__.tag)
        if kind not in self._types:
            raise TypeError(f"{kind} is not an event of this store")
        return kind, self._current.get(kind, 1)

    def check(self, kind: str, version: int, place: str) -> None:
        """Raises NewerEvent when this release cannot know what was written at `place`."""
        if kind not in self._types and kind not in {known for known, _ in self._upcasts}:
            raise NewerEvent(
                f"{place} is of type {kind}, which this release does not know; install the release that wrote it"
            )
        if version > self._current.get(kind, 1) and (kind, version) not in self._upcasts:
            raise NewerEvent(
                f"{place} is a {kind} of version {version}, this release knows {self._current.get(kind, 1)}; "
                "install the release that wrote it"
            )

    def decode(self, kind: str, version: int, payload: bytes, place: str) -> events.Fact:
        """The fact of a stored payload, lifted to the present version; raises NewerEvent or DamagedEvent."""
        self.check(kind, version, place)
        try:
            if version == self._current.get(kind, 1) and kind in self._types:
                found: events.Fact = self._decoder.decode(payload)
            else:
                found = msgspec.convert(self._lifted(kind, version, payload), self._facts)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DamagedEvent(f"{place} cannot be read as {kind} of version {version}: {error}") from error
        return found

    def recorded(self, stored: StoredEvent) -> Recorded:
        """Decode a stored event; raises NewerEvent or DamagedEvent."""
        place = f"event {stored.seq} of {stored.stream}"
        try:
            envelope = hash_chain.opened(stored)
        except ValueError as error:
            raise DamagedEvent(f"{place} has {error}") from error
        event: events.Fact
        if stored.payload is None:
            self.check(envelope.type, envelope.v, place)
            event = Redacted(of=envelope.type)
        else:
            event = self.decode(envelope.type, envelope.v, stored.payload, place)
        return Recorded(stored.stream, stored.seq, envelope.at, envelope.by, envelope.cause, event)

    def _lifted(self, kind: str, version: int, payload: bytes) -> Fields:
        fields: Fields = msgspec.json.decode(payload, type=dict[str, Any])
        while upcast := self._upcasts.get((kind, version)):
            fields = upcast(fields)
            kind, version = fields["type"], version + 1
        return fields


SESSION = Versions()
"""The events of a session."""
