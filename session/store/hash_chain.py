"""The hash chain of a stream, and how what was said can be erased without breaking it.

An event is stored in two parts. The envelope (who, when, which type) is hashed into a chain: digest = SHA-256(prev + envelope
bytes). What may be spoken or identify a person is the payload, of which the envelope holds only SHA-256(salt + payload): once
salt and payload are gone, nothing can be guessed from what remains, and the chain still holds. Pure: bytes in, bytes out.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from session.values.clock import Stamp

GENESIS = bytes(32)
"""The `prev` of a stream's first event."""

WITHDRAWN = "SpeakerWithdrawn"
_WITHDRAWN = b"Withdrawn"


class Envelope(msgspec.Struct, frozen=True):
    """The part of an event that is kept forever, as JSON; nothing in it was spoken. `payload` is SHA-256 in hexadecimal."""

    stream: str
    seq: int
    type: str
    v: int
    at: Stamp
    by: str
    cause: str
    payload: str


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as it is in the store; salt and payload are None when they were erased."""

    stream: str
    seq: int
    envelope: bytes
    prev: bytes
    digest: bytes
    salt: bytes | None = None
    payload: bytes | None = None


_envelopes = msgspec.json.Decoder(Envelope)


def stored_event(row: Sequence[Any]) -> StoredEvent:
    """The event of a row of a database, with its columns in this order."""
    if type(row[2]) is type(row[3]) is type(row[4]) is type(row[5]) is type(row[6]) is bytes:
        return StoredEvent(*row)
    secret = (None if part is None else as_bytes(part) for part in row[5:7])
    return StoredEvent(row[0], row[1], *map(as_bytes, row[2:5]), *secret)


def as_bytes(value: object) -> bytes:
    """A column as bytes, whatever SQLite, which lets any type into any column, has there."""
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else str(value).encode()


def opened(stored: StoredEvent) -> Envelope:
    """The envelope that was stored; raises ValueError when its bytes are none."""
    try:
        return _envelopes.decode(stored.envelope)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ValueError(f"no readable envelope: {error}") from error


def commitment(salt: bytes, payload: bytes) -> str:
    """Return the hash that the envelope holds in place of the payload."""
    return hashlib.sha256(salt + payload).hexdigest()


def linked(envelope: Envelope, prev: bytes, salt: bytes, payload: bytes) -> StoredEvent:
    """The next link of a chain whose last digest is `prev`."""
    written = msgspec.json.encode(envelope)
    digest = hashlib.sha256(prev + written).digest()
    return StoredEvent(envelope.stream, envelope.seq, written, prev, digest, salt, payload)


def findings(chain: Sequence[StoredEvent], head: str = "") -> list[str]:
    """Everything that is wrong with a whole stream, in sentences; empty when it is as it was written.

    A tail that was cut off shows only against a `head` (hexadecimal) that was kept elsewhere.
    """
    found: list[str] = []
    named = (entry for entry in chain if _WITHDRAWN in entry.envelope)  # hardly any: the others need no second decoding
    last_withdrawal = max((entry.seq for entry in named if kind(entry.envelope) == WITHDRAWN), default=0)
    prev = GENESIS
    for expected, stored in enumerate(chain, start=1):
        place = f"{stored.stream}: event {stored.seq}"
        if stored.seq != expected:
            found.append(f"{place} is where event {expected} should")
        if stored.prev != prev:
            found.append(f"{place} does not follow from the event before it")
        found += [f"{place} {what}" for what in _faults(stored, last_withdrawal)]
        prev = stored.digest
    if head and prev.hex() != head:
        found.append(f"the chain ends in {prev.hex()}, not in {head}: events were cut off or added")
    return found


def kind(envelope: bytes) -> str:
    """The type of the event in an envelope; empty for bytes that are none."""
    return type_and_time(envelope)[0]


def type_and_time(envelope: bytes) -> tuple[str, int]:
    """The type of the event in an envelope, and its stamp in nanoseconds; empty and 0 for bytes that are none."""
    try:
        found = _envelopes.decode(envelope)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return "", 0
    return found.type, found.at.wall


def _faults(stored: StoredEvent, last_withdrawal: int) -> list[str]:
    faults: list[str] = []
    if hashlib.sha256(stored.prev + stored.envelope).digest() != stored.digest:
        faults.append("was changed: its digest does not agree with its bytes")
    try:
        envelope = opened(stored)
    except ValueError as error:
        return [*faults, f"has {error}"]
    if (envelope.stream, envelope.seq) != (stored.stream, stored.seq):
        faults.append(f"says that it is event {envelope.seq} of {envelope.stream}")
    if stored.payload is None or stored.salt is None:
        if envelope.type == WITHDRAWN or stored.seq > last_withdrawal:
            faults.append("has lost its payload, and no withdrawal of a speaker explains it")
    elif commitment(stored.salt, stored.payload) != envelope.payload:
        faults.append("holds another payload than the one that was written")
    return faults
