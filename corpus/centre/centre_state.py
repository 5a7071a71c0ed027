"""The present state of a centre, folded from its ledger: the delivery of each session, the set of each speaker, the releases."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from corpus.analysis.paper_tables import TOTAL
from corpus.centre import facts as f
from corpus.centre.ledger import DELIVERIES, Centre
from corpus.release.holdout_file import Holdout
from corpus.release.utterance_status import POOL, StandingRow, Volume

_OF_PERSON = re.compile("[0-9a-z]{3}(?:[0-9a-z]{3}[svrc]?[a-z]?)?", re.IGNORECASE)


class HeldSession(msgspec.Struct, frozen=True):
    """A session that the centre holds: what was delivered, by which delivery, and the folder of its present state."""

    session: f.DeliveredSession
    delivery: str
    state: str


class CentreState:
    """The present state of a centre, or that right after one of its facts."""

    def __init__(self, centre: Centre, until: f.CentreFact | None = None) -> None:
        self.folder = centre.folder
        self.sessions: dict[str, HeldSession] = {}
        self.deliveries: dict[str, f.DeliveryReceived] = {}
        self.sets: dict[str, str] = {}
        self.left: set[str] = set()
        self.gone: set[str] = set()
        self.silent: set[str] = set()
        self._sites: set[str] = set()
        self.released: set[str] = set()
        self.releases: list[f.ReleaseMade] = []
        self.listings: dict[str, str] = {}
        self.on_volume: dict[str, list[str]] = {}
        self.tests: dict[str, f.TestSetMade] = {}
        self.bugs: dict[int, f.BugReported] = {}
        self.bug_states: dict[int, list[f.BugTriaged]] = {}
        self.final: set[str] = set()
        self._speakers: dict[str, str] = {}
        self._withdrawn = Counter[str]()
        for found in centre.happened:
            self._fold(found.fact)
            if found.fact is until:
                break
        self.recipients = centre.settings.recipients or tuple(sorted(self._sites))

    def _fold(self, fact: f.CentreFact) -> None:
        match fact:
            case f.DeliveryReceived():
                self._deliver(fact)
            case f.DeliveryCorrected():
                for name, held in self.sessions.items():
                    if held.delivery == fact.delivery:
                        self.sessions[name] = msgspec.structs.replace(held, state=fact.state)
            case f.SpeakersDrawn():
                self.sets |= fact.sets
            case f.ReleaseMade():
                self.releases.append(fact)
                self.listings[fact.release] = fact.listing
                self.released |= {*fact.sessions}
            case f.ReleaseFinal():
                self.final.add(fact.release)
            case f.VolumeWritten():
                for session in fact.sessions:
                    self.on_volume.setdefault(session, []).append(fact.volume)
            case f.TestSetMade():
                self.tests[fact.test] = fact
            case f.BugReported():
                self.bugs[fact.bug] = fact
            case f.BugTriaged():
                self.bug_states.setdefault(fact.bug, []).append(fact)
            case f.SpeakerLeft():
                self.left.add(fact.speaker)
                self.listings |= fact.listings
                self.gone |= {*fact.sessions}
                for session in fact.sessions:
                    if (gone := self.sessions.pop(session, None)) is not None:
                        self._withdrawn[gone.session.site] += gone.session.data + gone.session.invalid
            case f.SoundTakenBack():
                self.silent.add(fact.speaker)
                self.listings |= fact.listings
            case _:
                pass

    def _deliver(self, fact: f.DeliveryReceived) -> None:
        self.deliveries[fact.delivery] = fact
        self._speakers |= {session.session: session.speaker for session in fact.sessions}
        if fact.outcome == "returned":
            return
        for session in fact.sessions:
            self._sites.add(session.site)
            self.sessions[session.session] = HeldSession(session, fact.delivery, fact.delivery)

    @property
    def held_out(self) -> set[str]:
        """The speakers of the test pool."""
        return {speaker for speaker, which in self.sets.items() if which == POOL}

    def in_set(self, which: str) -> list[HeldSession]:
        """The sessions whose speakers are in a set."""
        return [held for held in self.sessions.values() if self.sets.get(held.session.speaker) == which]

    def volumes(self) -> list[Volume]:
        """The contribution of every speaker, for drawing lots."""
        sums: dict[tuple[str, str], tuple[int, int]] = {}
        for held in self.sessions.values():
            data, invalid = sums.get((held.session.site, held.session.speaker), (0, 0))
            sums[held.session.site, held.session.speaker] = data + held.session.data, invalid + held.session.invalid
        return [Volume(site, speaker, *counts) for (site, speaker), counts in sorted(sums.items())]

    def whereabouts(self) -> list[StandingRow]:
        """Return where the utterances of each site stand that were taken in, and those of all last: what was delivered has gone
        out, is held for tests, waits, or is rejected as invalid or withdrawn."""
        sums: dict[str, Counter[str]] = {site: Counter(withdrawn=number) for site, number in self._withdrawn.items()}
        pool = self.held_out
        for name, held in self.sessions.items():
            place = "released" if name in self.released else "pool" if held.session.speaker in pool else "queued"
            own = sums.setdefault(held.session.site, Counter())
            own.update({place: held.session.data, "invalid": held.session.invalid})
        rows = [_row(site, own) for site, own in sorted(sums.items())]
        return [*rows, _row(TOTAL, sum(sums.values(), Counter()))]

    def drawn(self, seed: str) -> Holdout:
        """The assignments as they are."""
        return Holdout(seed, dict(sorted(self.sets.items())))

    def states(self) -> dict[str, set[str]]:
        """The folders that hold sessions now, with the names of these."""
        found: dict[str, set[str]] = {}
        for name, held in self.sessions.items():
            found.setdefault(held.state, set()).add(name)
        return found

    def roots(self) -> Iterator[tuple[str, Path]]:
        """The folders that hold sessions now, by the names of the states."""
        return ((state, self.folder / DELIVERIES / state) for state in sorted(self.states()))

    def bug_state(self, bug: int) -> str:
        """The state of a bug: `open`, or what was judged last."""
        return self.bug_states[bug][-1].state if bug in self.bug_states else "open"

    def speaker_of(self, item: str) -> str:
        """The speaker of an utterance, a file or a session, by its name; empty if there is none."""
        name = item.rpartition("/")[2].partition(".")[0]
        if name in self._speakers:
            return self._speakers[name]
        return name[:3] if _OF_PERSON.fullmatch(name) and name[:3] in self._speakers.values() else ""

    def may_tell(self, bug: f.BugReported) -> bool:
        """Return whether sites may read what was reported: not where it is about somebody of the test pool or who has left."""
        return self.speaker_of(bug.item) not in self.left | self.held_out

    @property
    def open_bugs(self) -> list[f.BugReported]:
        """The bugs that are neither fixed nor refused."""
        return [bug for number, bug in sorted(self.bugs.items()) if self.bug_state(number) in ("open", "accepted")]


def _row(site: str, own: Counter[str]) -> StandingRow:
    rejected = own["invalid"] + own["withdrawn"]
    collected = own["released"] + own["pool"] + own["queued"] + rejected
    places = (own["released"], own["pool"], own["queued"], rejected, own["invalid"])
    return StandingRow(site, collected, *places, left_out=0, withdrawn=own["withdrawn"])
