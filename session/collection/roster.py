"""The roster of a study: the people by pseudonym, from the invitation on, as events beside the sessions' own.

A person's events are a stream `roster/<speaker>` of the study's store: append-only, chained, erased with the person. Nothing
in it says who the pseudonym is; that is in a file outside the study (`study.identities`).
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, cast

import msgspec

from session.events import Fact, Recorded, Redacted, SpeakerWithdrawn
from session.events.base import Event
from session.store import hash_chain
from session.store.event_store import Entry, Store
from session.store.types import StoreDamaged
from session.store.upcasting import Versions
from session.study.settings import Speaker
from session.values.clock import Stamp

ROSTER = "roster"


class PersonInvited(Event, frozen=True):
    """A person was invited under this pseudonym; a pilot never counts."""

    speaker: str
    pilot: bool = False


class AppointmentMade(Event, frozen=True):
    """A visit was agreed upon, as YYYY-MM-DD HH:MM at the site."""

    when: str


class DetailsGiven(Event, frozen=True):
    """The person answered the study's form about herself, wholly or in part; answers by item."""

    answers: dict[str, str]


class PersonDroppedOut(Event, frozen=True):
    """The person will not come any more; what was collected stays, the slot of the design is free."""

    reason: str


RosterFact = PersonInvited | AppointmentMade | DetailsGiven | PersonDroppedOut | SpeakerWithdrawn | Redacted
VERSIONS = Versions(RosterFact, {}, {})


class Person(msgspec.Struct, frozen=True):
    """One person, folded from the stream: `left` is why she dropped out."""

    speaker: str
    pilot: bool = False
    invited: int = 0
    appointments: tuple[str, ...] = ()
    details: dict[str, str] = msgspec.field(default_factory=dict)
    left: str = ""
    withdrawn: bool = False
    events: int = 0

    def described(self, speaker: Speaker) -> Speaker:
        """Return the speaker with what the form's answers tell of her, where nobody has said it otherwise."""
        age = self.details.get("age", "")
        return msgspec.structs.replace(
            speaker,
            sex=speaker.sex or (found if (found := self.details.get("sex", "")) in ("f", "m", "x") else ""),
            age=speaker.age if speaker.age is not None or not age.isdecimal() else int(age),
            dialect=speaker.dialect or self.details.get("dialect", ""),
        )


def stream_of(speaker: str) -> str:
    """Return the stream of a person.

    >>> stream_of("001")
    'roster/001'
    """
    return f"{ROSTER}/{speaker}"


def people_of(store: Store) -> dict[str, Person]:
    """Return everybody on the roster in a study's store, by pseudonym; raises what the store raises, and StoreDamaged where
    somebody has edited it by hand: by the roster slots are given again, and people written to."""
    names = sorted(store.lasts(f"{ROSTER}/"))
    stored = {name: list(chain) for name, chain in groupby(store.raw_many(names), key=attrgetter("stream"))}
    for name, chain in stored.items():
        if wrong := hash_chain.findings(chain, ""):
            who = name.partition("/")[2]
            raise StoreDamaged(
                f"the roster of speaker {who} was edited by hand: {wrong[0]}; restore the store from a copy"
            )
    decoded = {name: [VERSIONS.recorded(one) for one in chain] for name, chain in stored.items()}
    return {name.partition("/")[2]: _folded(name.partition("/")[2], facts) for name, facts in sorted(decoded.items())}


def append(store: Store, person: Person | None, speaker: str, at: Stamp, *facts: RosterFact) -> None:
    """Append to the stream of `person` in a store that was opened for the roster; raises what `Store.append` raises."""
    entries = [Entry(at, "experimenter", "", cast(Fact, fact)) for fact in facts]
    store.append(stream_of(speaker), person.events if person else 0, entries)


def _folded(speaker: str, facts: Iterable[Recorded]) -> Person:
    person = Person(speaker)
    for recorded in facts:
        event: Any = recorded.event
        changes: Mapping[str, object] = {}
        match event:
            case PersonInvited():
                changes = {"pilot": event.pilot, "invited": recorded.at.wall}
            case AppointmentMade():
                changes = {"appointments": (*person.appointments, event.when)}
            case DetailsGiven():
                changes = {"details": {**person.details, **event.answers}}
            case PersonDroppedOut():
                changes = {"left": event.reason}
            case SpeakerWithdrawn():
                changes = {"withdrawn": True}
        person = msgspec.structs.replace(person, **changes, events=recorded.seq)
    return person
