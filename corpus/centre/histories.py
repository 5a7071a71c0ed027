"""`curtain history`: everything that ever happened to an utterance, a session, a speaker, a delivery, a release or a volume."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from corpus.centre import facts as f
from corpus.centre import release_listing
from corpus.centre.arrivals import FAULTS
from corpus.centre.ledger import RELEASES, Centre
from corpus.formats.errors import FormatFault, counted, message_of
from corpus.formats.safe_lines import escaped
from session.values.clock import Clock

_ITEM = re.compile("([0-9a-z]{3})(?:([0-9a-z]{2})([0-9a-z])[svrc]?[a-z]?)?")


def history_command(folder: str, item: str, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Print what the ledger knows of an item, a line each; 1 when it knows nothing, 2 when it cannot be read."""
    try:
        with Centre(Path(folder), clock) as centre:
            lines = [*history(centre, item)]
    except FAULTS as error:
        err.write(f"{message_of(error)}\n")
        return 2
    out.write("".join(f"{line}\n" for line in lines))
    if not lines:
        err.write(
            f"the ledger knows nothing of {item!r}; name an utterance such as 8k9011, a session, a speaker, a delivery …\n"
        )
    return 0 if lines else 1


class _Item:
    """An item by its names: `8k9011sx` is also session, speaker and subject-scenario."""

    def __init__(self, centre: Centre, name: str) -> None:
        self.name = name
        found = _ITEM.fullmatch(name)
        self.speaker = found[1] if found else ""
        self.stem = f"{found[1]}{found[2]}{found[3]}" if found and found[2] else ""
        scenario = int(found[3], 36) if found and found[3] else 0
        self.sessions = {
            entry.session
            for fact in centre.facts(f.DeliveryReceived)
            for entry in fact.sessions
            if entry.session == name
            or (entry.speaker == self.speaker and (not scenario or scenario in entry.scenarios))
            or fact.delivery == name
        }
        self.unit = f"/{self.speaker}/{found[3]}" if found and found[3] else f"/{self.speaker}/"

    def path(self, path: str) -> bool:
        """Return whether a file is of the item."""
        base = path.rpartition("/")[2].lower()
        if self.stem and not base.endswith((".log", ".com", ".squ")):
            return base.startswith(self.stem)
        return bool(self.speaker) and (
            f"{self.unit}/" in f"/{path}/" or (f"{self.unit}" in f"/{path}" and not self.stem)
        )

    def tested(self, fact: f.TestSetMade) -> bool:
        """Return whether a test has the item, or something of it."""
        if self.name in self.sessions:
            return self.name in fact.sessions
        return bool(self.speaker) and any(self.unit.rstrip("/") in f"/{unit}" for unit in fact.units)

    def ruled(self, utterance: str) -> bool:
        """Return whether an utterance is the item, or one of the person."""
        return bool(self.speaker) and utterance.startswith(self.stem or self.speaker)


def history(centre: Centre, name: str) -> Iterator[str]:
    """The facts about an item, in their order, each with its date."""
    item = _Item(centre, name)
    for found in centre.happened:
        for line in _told(centre, found.fact, item):
            yield f"{found.at:%Y-%m-%d %H:%M} {line}"


def _told(centre: Centre, fact: f.CentreFact, item: _Item) -> Iterator[str]:
    match fact:
        case f.DeliveryReceived():
            if fact.delivery == item.name or any(entry.session in item.sessions for entry in fact.sessions):
                older = f", supersedes {' '.join(fact.supersedes)}" if fact.supersedes else ""
                told = f"delivered by {fact.site} as {fact.delivery} ({escaped(fact.label)}): {fact.outcome}{older}"
                yield f"{told} {fact.reason}".rstrip()
            if gone := [path for path in fact.dropped if item.path(path)]:
                yield f"not right any more since {fact.delivery}, to be made again: {' '.join(gone)}"
        case f.FileRepaired() if item.path(fact.path) or fact.delivery == item.name:
            yield f"mended {fact.path}: {fact.how} [{fact.rule}] {fact.before[:8]} → {fact.after[:8]}"
        case f.SpeakersDrawn() if item.speaker in fact.sets:
            yield f"{item.speaker} assigned to the {fact.sets[item.speaker]}"
        case f.DeliveryCorrected() | f.AnnotationsReceived():
            paths = [path for path in fact.files if item.path(path)]
            what = "corrected" if isinstance(fact, f.DeliveryCorrected) else f"annotated by {fact.site}"
            where = fact.state if isinstance(fact, f.DeliveryCorrected) else fact.arrival
            if paths or where == item.name:
                yield f"{what} in {where}: {' '.join(paths)}".rstrip(": ")
        case f.ReleaseMade():
            yield from _released(centre, fact, item)
        case f.ReleaseFinal() if fact.release == item.name:
            yield f"{fact.release} is final"
        case f.VolumeWritten() if fact.volume == item.name or item.sessions & {*fact.sessions}:
            yield f"on volume {fact.volume}, {fact.size} bytes, to {', '.join(fact.to) or 'nobody'}"
        case f.TestSetMade() if fact.test == item.name or item.tested(fact):
            yield f"in the {'trial' if fact.trial else 'test'} {fact.test}, to {', '.join(fact.to) or 'nobody'}"
        case f.SubmissionReceived() if fact.test == item.name:
            what = f"heard by {fact.system}" if fact.words else f"answered by {fact.system}"
            yield f"{what}: {counted(fact.answers, 'utterance' if fact.words else 'answer')}"
        case f.TestScored() if fact.test == item.name:
            yield f"scored, {fact.state}, by version {fact.version}: {', '.join((*fact.systems, *fact.recognisers))}"
        case f.ReferencesAdjudicated():
            ruled = fact.items if fact.test == item.name else [name for name in fact.items if item.ruled(name)]
            if ruled:
                yield f"adjudicated in {fact.test}: {' '.join(ruled)}"
        case f.BugReported() if (
            item.path(fact.item) or fact.item == item.name or fact.item.startswith(item.stem or "\0")
        ):
            yield f"bug {fact.bug} by {escaped(fact.reporter)}: {escaped(fact.text)}"
        case f.BugTriaged():
            bug = next((bug for bug in centre.facts(f.BugReported) if bug.bug == fact.bug), None)
            if bug is not None and (bug.item == item.name or bug.item.startswith(item.stem or "\0")):
                yield f"bug {fact.bug} {fact.state}: {escaped(fact.reason)}"
        case f.SoundTakenBack() if fact.speaker == item.speaker or item.sessions & {*fact.sessions}:
            yield f"{fact.speaker} took the sound back: {', '.join(fact.reached)}"
        case f.SpeakerLeft() if fact.speaker == item.speaker or item.sessions & {*fact.sessions}:
            yield f"{fact.speaker} left: {', '.join(fact.reached)}"
        case _:
            pass


def _released(centre: Centre, fact: f.ReleaseMade, item: _Item) -> Iterator[str]:
    if fact.release == item.name:
        yield f"released: {fact.new} new, {fact.corrected} corrected, to {', '.join(fact.to) or 'nobody'}"
        return
    try:
        listing = release_listing.read(centre.folder / RELEASES / fact.release)
    except FormatFault:
        return
    paths = [path for path in listing.files if item.path(path)]
    if paths:
        corrected = sorted({listing.replaces[path] for path in paths if path in listing.replaces})
        before = f", in place of {' '.join(corrected)}" if corrected else ""
        yield f"released in {fact.release}: {len(paths)} files{before}, to {', '.join(fact.to) or 'nobody'}"
    elif gone := item.sessions & {*fact.sessions} & _withdrawn(centre):
        before_it = {
            name for made in centre.facts(f.ReleaseMade) if made.release < fact.release for name in made.sessions
        }
        if gone - before_it:
            yield f"released in {fact.release}, to {', '.join(fact.to) or 'nobody'}; nothing of it is there any more"


def _withdrawn(centre: Centre) -> set[str]:
    return {session for left in centre.facts(f.SpeakerLeft) for session in left.sessions}
