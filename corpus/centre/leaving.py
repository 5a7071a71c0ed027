"""People who have withdrawn at their site and are still in the centre's data, by the `removals.json` of the site's next
delivery.

Until `curtain withdraw CENTRE` has run, nothing goes out: a release, a volume or a package would be one more place to look in.
What a site says of other sites' people counts for nothing.
"""

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.ledger import DELIVERIES, Centre
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused


class Leaving(msgspec.Struct, frozen=True, order=True):
    """A person with the delivery whose list names them; `sound` for who goes on taking part and has taken the sound back."""

    speaker: str
    delivery: str
    sound: bool = False

    def told(self, centre: Centre) -> str:
        """A line on what is to be done about it."""
        what, option = ("taken the sound back", "--sound-only ") if self.sound else ("withdrawn", "")
        return (
            f"{self.speaker} has {what}, says {self.delivery}, and is still here: curtain withdraw {option}{centre.folder} "
            f"{self.speaker}"
        )


def leaving(centre: Centre, centre_state: CentreState) -> list[Leaving]:
    """Everybody who has withdrawn at a site and is held here, each once; raises what `removals.held_in` raises."""
    found = dict[str, Leaving]()
    for person in _named(centre, centre_state):
        found.setdefault(person.speaker, person)
    return [found[speaker] for speaker in sorted(found)]


def unwelcome(centre: Centre, corpus: Corpus) -> str:
    """Say why nobody may take a corpus in: it holds a person who has left, or sound that was taken back."""
    centre_state = CentreState(centre)
    gone = {entry.speaker for entry in corpus.manifest.sessions if entry.session in centre_state.gone}
    with suppress(FormatFault, OSError):  # the verifier tells what is wrong with the table
        gone |= centre_state.left & corpus.speakers().keys()
    for speaker in sorted(gone):
        return f"it holds {speaker}, who has withdrawn: curtain withdraw {speaker} there, and deliver again"
    for speaker in sorted(speaker for speaker in centre_state.silent if sound_of(corpus, speaker)):
        remedy = f"curtain withdraw --sound-only {speaker} there, and deliver again"
        return f"it holds the sound of {speaker}, who took it back: {remedy}"
    return ""


def _named(centre: Centre, centre_state: CentreState) -> Iterator[Leaving]:
    for root in centre.kept():
        delivery = root.name.partition(".")[0]
        sites = centre_state.deliveries[delivery].site.split("+")
        for removal in removals.held_in(root).removals:
            for name in sorted({*removal.sessions} & centre_state.sessions.keys()):
                session = centre_state.sessions[name].session
                if session.site in sites and (not removal.scope or _is_heard(centre, centre_state, session.speaker)):
                    yield Leaving(session.speaker, delivery, bool(removal.scope))


def _is_heard(centre: Centre, centre_state: CentreState, speaker: str) -> bool:
    """Return whether sound of a person is here who is not known to have taken it back."""
    return speaker not in centre_state.silent and any(sound_of(Corpus(root), speaker) for root in centre.kept())


def holders(centre: Centre, sessions: set[str], sound: bool = False) -> dict[str, str]:
    """The sites that hold a person yet, or with `sound` the waveforms, each with the last delivery that had some of these
    sessions; not those that have sent something since in place of it, or with the person on the list of who left."""
    found = dict[str, str]()
    for fact in centre.facts(f.DeliveryReceived):
        if any(entry.session in sessions and (entry.waves or not sound) for entry in fact.sessions):
            found[fact.site] = fact.delivery
        elif found.get(fact.site) in fact.supersedes or (fact.sessions and _has_let_go(centre, fact, sessions, sound)):
            found.pop(fact.site, None)
    return found


def _has_let_go(centre: Centre, fact: f.DeliveryReceived, sessions: set[str], sound: bool) -> bool:
    """Return whether a delivery names these sessions among those of who left at its site."""
    listed = removals.held_in(centre.folder / DELIVERIES / fact.delivery).removals
    return any(sessions & {*removal.sessions} for removal in listed if sound or not removal.scope)


def sound_of(corpus: Corpus, speaker: str) -> list[str]:
    """The waveforms of a person in a corpus, by path."""
    return [path for path in corpus.manifest.files if path.endswith(".wav") and corpus.speaker_of(path) == speaker]


def refuse_leaving(centre: Centre, centre_state: CentreState) -> None:
    """Raise `Refused` where anybody is leaving: nothing may go out before they are gone."""
    if found := leaving(centre, centre_state):
        raise Refused(f"{found[0].told(centre)}, then try again")
