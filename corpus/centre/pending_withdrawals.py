"""Withdrawals that are pending at a centre: people who have withdrawn at their site, by the `removals.json` of its next delivery,
and are still in the centre's data.

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


class PendingWithdrawal(msgspec.Struct, frozen=True, order=True):
    """A person and the delivery whose list names them; `sound` if only the audio was withdrawn."""

    speaker: str
    delivery: str
    sound: bool = False

    def told(self, centre: Centre) -> str:
        """Return a line with the command to run."""
        what, option = ("taken the sound back", "--sound-only ") if self.sound else ("withdrawn", "")
        return (
            f"{self.speaker} has {what}, says {self.delivery}, and is still here: curtain withdraw {option}{centre.folder} "
            f"{self.speaker}"
        )


def pending_withdrawals(centre: Centre, centre_state: CentreState) -> list[PendingWithdrawal]:
    """Return everybody who has withdrawn at a site and is still held here, each once. Raises the errors of `removals.held_in`."""
    found = dict[str, PendingWithdrawal]()
    for person in _named(centre, centre_state):
        found.setdefault(person.speaker, person)
    return [found[speaker] for speaker in sorted(found)]


def reason_to_refuse(centre: Centre, corpus: Corpus) -> str:
    """Return why a corpus may not be received (it holds a person or sound that was withdrawn), or an empty string."""
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


def _named(centre: Centre, centre_state: CentreState) -> Iterator[PendingWithdrawal]:
    for root in centre.kept():
        delivery = root.name.partition(".")[0]
        sites = centre_state.deliveries[delivery].site.split("+")
        for removal in removals.held_in(root).removals:
            for name in sorted({*removal.sessions} & centre_state.sessions.keys()):
                session = centre_state.sessions[name].session
                if session.site in sites and (not removal.scope or _is_heard(centre, centre_state, session.speaker)):
                    yield PendingWithdrawal(session.speaker, delivery, bool(removal.scope))


def _is_heard(centre: Centre, centre_state: CentreState, speaker: str) -> bool:
    """Return whether the centre holds audio of a person that is not known to be withdrawn."""
    return speaker not in centre_state.silent and any(sound_of(Corpus(root), speaker) for root in centre.kept())


def holders(centre: Centre, sessions: set[str], sound: bool = False) -> dict[str, str]:
    """Return the sites that still hold a person, or with `sound` the waveforms, each with its last delivery of these sessions.

    Omits a site that has since replaced that delivery or lists the person as removed."""
    found = dict[str, str]()
    for fact in centre.facts(f.DeliveryReceived):
        if any(entry.session in sessions and (entry.waves or not sound) for entry in fact.sessions):
            found[fact.site] = fact.delivery
        elif found.get(fact.site) in fact.supersedes or (fact.sessions and _has_let_go(centre, fact, sessions, sound)):
            found.pop(fact.site, None)
    return found


def _has_let_go(centre: Centre, fact: f.DeliveryReceived, sessions: set[str], sound: bool) -> bool:
    """Return whether a delivery lists these sessions as removed."""
    listed = removals.held_in(centre.folder / DELIVERIES / fact.delivery).removals
    return any(sessions & {*removal.sessions} for removal in listed if sound or not removal.scope)


def sound_of(corpus: Corpus, speaker: str) -> list[str]:
    """The waveforms of a person in a corpus, by path."""
    return [path for path in corpus.manifest.files if path.endswith(".wav") and corpus.speaker_of(path) == speaker]


def refuse_pending_withdrawals(centre: Centre, centre_state: CentreState) -> None:
    """Raise `Refused` if a withdrawal is pending, since nothing may be released before it is done."""
    if found := pending_withdrawals(centre, centre_state):
        raise Refused(f"{found[0].told(centre)}, then try again")
