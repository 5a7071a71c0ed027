"""Invitations to a study's visits: each opens one visit once, until a day; as events beside the sessions' own.

An invitation is a stream `invitation/<id>` of the study's store, append-only and chained. Its id follows from its code, which
is kept nowhere: anyone who reads the store cannot use one. That a code is used once is the store's doing, as two facts of one
number cannot be: any number of hubs may be asked at the same moment.
"""

import hashlib
import secrets
from typing import Any, cast

import msgspec

from session.events import Fact, Redacted
from session.events.base import Event
from session.store.event_store import Entry, Store
from session.store.upcasting import Versions
from session.values.clock import Stamp

INVITATION = "invitation"
UNKNOWN = "unknown"
CODE_BYTES = 18


class InvitationMade(Event, frozen=True):
    """An invitation, good until `until` (nanoseconds of the wall clock; 0 for no end), for a speaker or for anybody."""

    until: int = 0
    speaker: str = ""


class InvitationUsed(Event, frozen=True):
    """A visitor came with the invitation and got a session; `ticket` is the hash of the browser's ticket for a return."""

    session: str
    ticket: str


class InvitationRevoked(Event, frozen=True):
    """It is void."""


class InvitationRefused(Event, frozen=True):
    """An invitation was refused: it was used, expired, revoked or unknown, or the visitor waited too long."""

    why: str


InvitationFact = InvitationMade | InvitationUsed | InvitationRevoked | InvitationRefused | Redacted
VERSIONS = Versions(InvitationFact, {}, {})


class Invitation(msgspec.Struct, frozen=True):
    """One invitation, folded from its stream."""

    name: str
    made: bool = False
    until: int = 0
    speaker: str = ""
    session: str = ""
    ticket: str = ""
    revoked: bool = False
    refused: tuple[str, ...] = ()
    events: int = 0

    def objection(self, ticket: str, now: int) -> str:
        """Return why anyone who shows `ticket` is not let in at `now`: unknown, revoked, used or expired; otherwise nothing."""
        if not self.made:
            return UNKNOWN
        if self.revoked:
            return "revoked"
        if self.session:
            return "" if ticket and hashed(ticket) == self.ticket else "used"
        return "expired" if self.until and now > self.until else ""

    def status(self, now: int) -> str:
        """The state of it in a word."""
        return self.objection("", now) or "open"


def hashed(secret: str) -> str:
    """Return the stored hash of a ticket."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def name_of(code: str) -> str:
    """Return the id of the invitation with this code."""
    return hashed(code)[:24]


def new_code() -> str:
    """Return a random code."""
    return secrets.token_urlsafe(CODE_BYTES)


def invitation(store: Store, name: str) -> Invitation:
    """Return the invitation with this id, as far as there is one; raises what the store raises."""
    found = Invitation(name)
    for stored in store.raw(f"{INVITATION}/{name}"):
        recorded = VERSIONS.recorded(stored)
        event: Any = recorded.event
        changes: dict[str, object] = {}
        match event:
            case InvitationMade():
                changes = {"made": True, "until": event.until, "speaker": event.speaker}
            case InvitationUsed():
                changes = {"session": event.session, "ticket": event.ticket}
            case InvitationRevoked():
                changes = {"revoked": True}
            case InvitationRefused():
                changes = {"refused": (*found.refused, event.why)}
            case _:
                pass
        found = msgspec.structs.replace(found, **changes, events=recorded.seq)
    return found


def invitations_of(store: Store) -> list[Invitation]:
    """Return all invitations of a study, and under `unknown` the codes that were guessed; raises what the store raises."""
    names = sorted(info.stream for info in store.streams() if info.stream.startswith(f"{INVITATION}/"))
    return [invitation(store, name.partition("/")[2]) for name in names]


def append(store: Store, known: Invitation, at: Stamp, *facts: InvitationFact) -> Invitation:
    """Append to an invitation in a store opened for them; raises SecondWriter if somebody was first."""
    entries = [Entry(at, "hub", "", cast(Fact, fact)) for fact in facts]
    store.append(f"{INVITATION}/{known.name}", known.events, entries)
    return invitation(store, known.name)
