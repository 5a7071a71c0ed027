"""`curtain history`: everything that ever happened to an utterance, a session, a speaker, a delivery, a release or a volume."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from corpus.centre import facts as f
from corpus.centre import release_listing
from corpus.centre.ledger import FAULTS, RELEASES, Centre
from corpus.centre.waiting_waveforms import index_of, name_on_volume
from corpus.formats.errors import FormatFault, counted, message_of
from corpus.formats.safe_lines import escaped
from session.values.clock import Clock

_NAME = re.compile("([0-9a-z]{3})(?:([0-9a-z]{2})([0-9a-z])[svrc]?[a-z]?)?")
_WHOLE = "00"
"""The number of what is of a whole subject-scenario."""
_MOST_NAMED = 12
"""Files that a line names, more than an utterance has annotations and texts."""
_OF_ALL = (".log", ".com", ".squ")
"""Files of a whole subject-scenario, which belong to each of its utterances."""


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
    """An item by its name: `8k9011sx`, or a file of it, is also a speaker, a session and a subject-scenario; a session, a
    speaker or a delivery is all that is in it."""

    def __init__(self, centre: Centre, name: str) -> None:
        self.name = name
        entered = [(fact, entry) for fact in centre.facts(f.DeliveryReceived) for entry in fact.sessions]
        speaker, number, self._stem = _parsed(name)
        of_file = name not in {fact.delivery for fact, _ in entered} | {entry.session for _, entry in entered}
        own = [
            entry
            for fact, entry in entered
            if name in (entry.session, fact.delivery)
            or (of_file and entry.speaker == speaker and (not self._stem or number in entry.scenarios))
        ]
        self.sessions = {entry.session for entry in own}
        self.speakers = {entry.speaker for entry in own}
        self.is_utterance = bool(own and of_file and self._stem) and self._stem[3:5] != _WHOLE
        self._units = {
            (entry.speaker, scenario)
            for entry in own
            for scenario in entry.scenarios
            if not (of_file and self._stem) or scenario == number
        }

    def path(self, path: str) -> bool:
        """Return whether a file is of the item."""
        speaker, number, stem = _parsed(path)
        whole = not self.is_utterance or path.lower().endswith(_OF_ALL)
        return bool(stem) and (speaker, number) in self._units and (whole or stem == self._stem)

    def tested(self, fact: f.TestSetMade) -> bool:
        """Return whether a test has the item, or something of it."""
        return any(
            (unit.split("/")[-2], int(unit.rpartition("/")[2], 36)) in self._units for unit in fact.units if "/" in unit
        )

    def reported(self, bug: f.BugReported | None) -> bool:
        """Return whether a bug is about the item, something of it, or the person."""
        if bug is None:
            return False
        within = bug.item in self.speakers or bug.item in self.sessions
        return bug.item == self.name or within or self.path(bug.item)


def _parsed(name: str) -> tuple[str, int, str]:
    """Return speaker, scenario and stem of an utterance by its name, or that of a file; 0 and nothing of a bare speaker."""
    found = _NAME.fullmatch(name.rpartition("/")[2].partition(".")[0].lower())
    if found is None:
        return "", 0, ""
    return (found[1], int(found[3], 36), f"{found[1]}{found[2]}{found[3]}") if found[2] else (found[1], 0, "")


def history(centre: Centre, name: str) -> Iterator[str]:
    """The facts about an item, in their order, each with its date."""
    item = _Item(centre, name)
    for found in centre.everything():
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
                yield f"not right any more since {fact.delivery}, to be made again: {_named(gone)}"
        case f.DeliveryRefused() if item.name in (fact.file, fact.archive):
            yield f"{escaped(fact.file)} was refused: {escaped(fact.reason)}"
        case f.FileRepaired() if item.path(fact.path) or fact.delivery == item.name:
            yield f"mended {fact.path}: {fact.how} [{fact.rule}] {fact.before[:8]} → {fact.after[:8]}"
        case f.SpeakersDrawn():
            yield from (f"{who} assigned to the {fact.sets[who]}" for who in sorted(item.speakers & fact.sets.keys()))
        case f.DeliveryCorrected() | f.AnnotationsReceived():
            yield from _worked(fact, item)
        case f.ReleaseMade():
            yield from _released(centre, fact, item)
        case f.ReleaseFinal():
            if fact.release == item.name or any(p.endswith(".cat") for p in _released_of(centre, fact.release, item)):
                yield f"annotations of {fact.release} are final"
        case f.VolumeWritten():
            yield from _on_volume(centre, fact, item)
        case f.TestSetMade() if fact.test == item.name or item.tested(fact):
            yield f"in the {'trial' if fact.trial else 'test'} {fact.test}, to {', '.join(fact.to) or 'nobody'}"
        case f.SubmissionReceived() if fact.test == item.name:
            what = f"heard by {fact.system}" if fact.words else f"answered by {fact.system}"
            yield f"{what}: {counted(fact.answers, 'utterance' if fact.words else 'answer')}"
        case f.TestScored() if fact.test == item.name:
            yield f"scored, {fact.state}, by version {fact.version}: {', '.join((*fact.systems, *fact.recognisers))}"
        case f.ReferencesAdjudicated():
            ruled = fact.items if fact.test == item.name else [name for name in fact.items if item.path(name)]
            if ruled:
                yield f"adjudicated in {fact.test}: {' '.join(ruled)}"
        case f.BugReported() if item.reported(fact):
            about = "" if item.is_utterance or fact.item == item.name else f" about {escaped(fact.item)}"
            yield f"bug {fact.bug} by {escaped(fact.reporter)}{about}: {escaped(fact.text)}"
        case f.BugTriaged() if item.reported(
            next((bug for bug in centre.facts(f.BugReported) if bug.bug == fact.bug), None)
        ):
            yield f"bug {fact.bug} {fact.state}: {escaped(fact.reason)}"
        case f.SoundTakenBack() if fact.speaker in item.speakers or item.sessions & {*fact.sessions}:
            yield f"{fact.speaker} took the sound back: {', '.join(fact.reached)}"
        case f.SpeakerLeft() if fact.speaker in item.speakers or item.sessions & {*fact.sessions}:
            yield f"{fact.speaker} left: {', '.join(fact.reached)}"
        case _:
            pass


def _released(centre: Centre, fact: f.ReleaseMade, item: _Item) -> Iterator[str]:
    if fact.release == item.name:
        yield f"released: {fact.new} new, {fact.corrected} corrected, to {', '.join(fact.to) or 'nobody'}"
        return
    if (listing := _listing(centre, fact.release)) is None:
        return
    paths, lost = ([path for path in of_item if item.path(path)] for of_item in (listing.files, listing.gone))
    if paths or lost:
        corrected = sorted({listing.replaces[path] for path in paths if path in listing.replaces})
        before = f", in place of {' '.join(corrected)}" if corrected else ""
        told = f"released in {fact.release}: {counted(len(paths), 'file')}{before}"
        yield f"{told}{f', {len(lost)} gone' if lost else ''}, to {', '.join(fact.to) or 'nobody'}"
    elif gone := item.sessions & {*fact.sessions} & _withdrawn(centre):
        before_it = {
            name for made in centre.facts(f.ReleaseMade) if made.release < fact.release for name in made.sessions
        }
        if gone - before_it:
            yield f"released in {fact.release}, to {', '.join(fact.to) or 'nobody'}; nothing of it is there any more"


def _released_of(centre: Centre, release: str, item: _Item) -> list[str]:
    """The files of an item in a release."""
    listing = _listing(centre, release)
    return [path for path in listing.files if item.path(path)] if listing is not None else []


def _listing(centre: Centre, release: str) -> release_listing.ReleaseListing | None:
    try:
        return release_listing.read(centre.folder / RELEASES / release)
    except FormatFault:
        return None


def _worked(fact: f.DeliveryCorrected | f.AnnotationsReceived, item: _Item) -> Iterator[str]:
    """Return what the centre or an annotator made of files of the item."""
    paths = [path for path in fact.files if item.path(path)]
    if isinstance(fact, f.DeliveryCorrected):
        what, where = "corrected", fact.state
    else:
        what, where = f"annotated by {fact.site}{', returned' if fact.errors else ''}", fact.arrival
    if paths or where == item.name:
        yield f"{what} in {where}: {_named(paths)}".rstrip(": ")
    if isinstance(fact, f.AnnotationsReceived) and (gone := [path for path in fact.dropped if item.path(path)]):
        heard = f"words or sound that were corrected since {fact.since}"
        yield f"annotated by {fact.site} in {fact.arrival} on {heard}: {_named(gone)}"
    if isinstance(fact, f.AnnotationsReceived) and (doubtful := [path for path in fact.other_log if item.path(path)]):
        yield f"annotated by {fact.site} in {fact.arrival} on a log that was corrected since {fact.since}: {_named(doubtful)}"
    if isinstance(fact, f.AnnotationsReceived) and fact.undated and paths:
        yield f"annotated by {fact.site} in {fact.arrival}, which does not say on what"


def _named(paths: list[str]) -> str:
    """The paths; of many the first, and how many more they are."""
    more = f" … and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return f"{' '.join(paths[:_MOST_NAMED])}{more}"


def _on_volume(centre: Centre, fact: f.VolumeWritten, item: _Item) -> Iterator[str]:
    """Return the places of the item's waveforms on volumes; for a volume, its contents."""
    to = f"to {', '.join(fact.to) or 'nobody'}"
    if fact.volume == item.name:
        yield f"{counted(fact.utterances, 'utterance')} of {' '.join(fact.sessions)}, {fact.size} bytes, {to}"
    elif item.sessions & {*fact.sessions}:
        names = [name_on_volume(path) for path, _ in index_of(centre, fact.volume) if item.path(path)]
        lie = f" as {' '.join(names)}" if item.is_utterance else f": {counted(len(names), 'waveform')}"
        yield f"on volume {fact.volume}{lie if names else ''}, {to}{'' if names else '; nothing of it is there any more'}"


def _withdrawn(centre: Centre) -> set[str]:
    return {session for left in centre.facts(f.SpeakerLeft) for session in left.sessions}
