"""Visits of a study's participants, derived from their sessions: number, latest consent, and who must not be contacted."""

from collections.abc import Mapping

import msgspec

from session.collection.open_session import session_names
from session.collection.roster import Person
from session.events import ConsentConfirmed, ConsentGiven, SpeakerWithdrawn
from session.state.fold import fold
from session.store.event_store import Store
from session.values.consent import ConsentScope, allowed

WITHDRAWN = "withdrawn; --forget removes the entry"
ERASURE = "everything of her is to be erased: curtain withdraw, then --forget"
NO_CONTACT = "no consent to be contacted (`contact` on the consent form)"


class Visits(msgspec.Struct):
    """The sessions of one person: their names, how many, whether any counts, and the latest consent with its wall time.

    `erasure` is her wish that everything be erased, as long as nobody has done it.
    """

    names: list[str] = []
    sessions: int = 0
    ended: int = 0
    pilot: bool = False
    erased: bool = False
    erasure: bool = False
    version: str = ""
    scopes: Mapping[str, bool] | None = None
    consented: int = 0


def visits_of(store: Store) -> dict[str, Visits]:
    """Return the visits of everybody who came, by pseudonym; no rehearsals. Raises what the store raises."""
    found: dict[str, Visits] = {}
    for name in session_names(store):
        facts = store.read(name)
        state = fold(facts)
        consents = [one.at.wall for one in facts if isinstance(one.event, ConsentGiven | ConsentConfirmed)]
        gone = next((one.event for one in facts if isinstance(one.event, SpeakerWithdrawn)), None)
        speaker = gone.speaker if gone is not None else state.opened.speaker.id if state.opened is not None else ""
        if not speaker or (state.opened is not None and state.opened.rehearsal):
            continue
        one = found.setdefault(speaker, Visits())
        one.names.append(name)
        one.sessions, one.ended = one.sessions + 1, one.ended + state.ended
        one.pilot = one.pilot or (state.opened is not None and state.opened.pilot)
        one.erased = one.erased or gone is not None
        one.erasure = one.erasure or (state.erasure_requested and gone is None)
        if state.consent is not None and consents:
            one.version, one.scopes, one.consented = state.consent.version, state.consent.scopes, consents[-1]
    return found


def not_to_be_contacted(people: Mapping[str, Person], visits: Mapping[str, Visits]) -> dict[str, str]:
    """Return who must not be contacted, and why; invited people may be until they have seen a consent form."""
    found = {}
    for speaker in {*people, *visits}:
        visit = visits.get(speaker, Visits())
        if people.get(speaker, Person(speaker)).withdrawn or visit.erased:
            found[speaker] = WITHDRAWN
        elif visit.erasure:
            found[speaker] = ERASURE
        elif (visit.scopes is not None or visit.ended) and ConsentScope.CONTACT not in allowed(visit.scopes):
            found[speaker] = NO_CONTACT
    return found
