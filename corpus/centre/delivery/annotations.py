"""Annotations that come back: the classes, requests and answers of a release, verified with the speech that they are about."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState, HeldSession
from corpus.centre.delivery.delivery_archive import ArchiveRefused, DeliveryListing
from corpus.centre.ledger import DELIVERIES, Centre
from corpus.centre.recovery import entered
from corpus.centre.release_listing import items, listings
from corpus.centre.states import next_state, write_state
from corpus.dataset.reader import Corpus, is_annotation, speech_name
from corpus.formats.errors import counted
from corpus.formats.manifest import FileEntry, entry_of
from corpus.io.safe_open import read_plain
from corpus.release.utterance_status import POOL
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify


class Laid(msgspec.Struct, frozen=True):
    """Annotations after they were looked at: the name of the arrival, an earlier one's where the same came before, the errors for
    which all go back, how many files were taken in, and those left out, for their utterance has other words now than in the
    release."""

    arrival: str
    errors: tuple[str, ...] = ()
    files: int = 0
    dropped: tuple[str, ...] = ()

    def told(self, release: str) -> str:
        """A line on what was taken in."""
        left = f"; left out, for their words were corrected since, to be made again: {' '.join(self.dropped)}"
        return f"annotations of {release}: {counted(self.files, 'file')}{left if self.dropped else ''}"


def lay_over(centre: Centre, folder: Path, listing: DeliveryListing, archive: str, err: TextIO) -> Laid:
    """Take in the annotations in `folder`.

    Raises `ArchiveRefused` for a release that there is not, or for files that are no annotations of it.
    """
    arrival = f"ann_{1 + sum(1 for _ in centre.facts(f.AnnotationsReceived))}"
    centre_state = CentreState(centre)
    by_state: dict[str, list[str]] = {}
    for path in sorted(listing.files):
        held = _held(centre_state, listing.release, path)
        by_state.setdefault(held.state, []).append(path)
    dropped = tuple(sorted(_of_other_words(centre, centre_state, listing.release, by_state)))
    fact = f.AnnotationsReceived(
        arrival=arrival,
        site=listing.site,
        release=listing.release,
        files=tuple(sorted({*listing.files} - {*dropped})),
        archive=archive,
        dropped=dropped,
    )
    try:
        if not fact.files:
            raise _InError([f"{path}: its utterance has other words since {listing.release}" for path in dropped])
        fresh = {state: [path for path in paths if path not in dropped] for state, paths in by_state.items()}
        with ExitStack() as made:
            later = [*_states(centre, centre_state, folder, fresh, arrival, made, err)]
            if not later and (before := _before(centre, fact)):
                return Laid(before)
            centre.record(fact, *later)
    except _InError as found:
        centre.record(msgspec.structs.replace(fact, errors=len(found.errors)))
        return Laid(arrival, tuple(found.errors))
    return Laid(arrival, files=len(fact.files), dropped=dropped)


def _of_other_words(
    centre: Centre, centre_state: CentreState, release: str, by_state: dict[str, list[str]]
) -> Iterator[str]:
    """The annotations of utterances whose words were corrected since the release on which these were made."""
    made = [entry.release for entry in centre_state.releases]
    if release not in made:
        return
    known = items(listings(centre, centre_state)[: made.index(release) + 1])
    for state, paths in by_state.items():
        now = Corpus(centre.folder / DELIVERIES / state).manifest.files
        for path in paths:
            words = f"{path.rpartition('.')[0]}.sro"
            if words in known and words in now and known[words].entry.sha256 != now[words].sha256:
                yield path


def _before(centre: Centre, fact: f.AnnotationsReceived) -> str:
    """The last arrival that had these files, empty where there is none."""
    earlier = (old for old in centre.facts(f.AnnotationsReceived) if old.release == fact.release and not old.errors)
    return next((old.arrival for old in reversed([*earlier]) if {*old.files} >= {*fact.files}), "")


class _InError(Exception):
    """With these annotations the corpus has errors that it did not have."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__()
        self.errors = errors


def _states(
    centre: Centre,
    centre_state: CentreState,
    folder: Path,
    by_state: dict[str, list[str]],
    arrival: str,
    made: ExitStack,
    err: TextIO,
) -> Iterator[f.DeliveryCorrected]:
    """Write the next state of each delivery that the annotations are of; raises `_InError`."""
    errors = list[str]()
    for state, paths in by_state.items():
        corpus = Corpus(centre.folder / DELIVERIES / state)
        delivery = next(held.delivery for held in centre_state.sessions.values() if held.state == state)
        changed = [*_changed(corpus, folder, paths)]
        if not changed:
            continue
        name = next_state(centre, delivery)
        staging = made.enter_context(entered(centre.place(DELIVERIES, name)))
        files = write_state(corpus, staging.root, changed)
        known = {str(finding) for finding in verify(corpus.root, headers=True).findings}
        errors += [
            str(finding)
            for finding in verify(staging.root, headers=True, err=err).findings
            if finding.severity is Severity.ERROR and str(finding) not in known
        ]
        yield f.DeliveryCorrected(delivery=delivery, state=name, files=files, why=arrival)
    if errors:
        raise _InError(errors)


def _held(centre_state: CentreState, release: str, path: str) -> HeldSession:
    name = speech_name(path)
    if name is None or not is_annotation(path):
        raise ArchiveRefused(f"{path} is no annotation; deliver .cat .win .sql .sq2 .ref .rf2 alone")
    within = {session for made in centre_state.releases if made.release == release for session in made.sessions}
    if release == POOL:
        within = {held.session.session for held in centre_state.in_set(POOL)}
    elif not within:
        raise ArchiveRefused(
            f"there is no release {release}; releases are {' '.join(r.release for r in centre_state.releases) or 'none'}"
        )
    for held in centre_state.sessions.values():
        if held.session.speaker == name.stem.speaker and name.stem.scenario in held.session.scenarios:
            if held.session.session in within:
                return held
            break
    raise ArchiveRefused(f"{path} is of nothing in {release}")


def _changed(corpus: Corpus, folder: Path, paths: list[str]) -> Iterator[tuple[str, bytes, FileEntry]]:
    for path in paths:
        data = read_plain(folder, path)
        entry = entry_of(data, like=corpus.manifest.files.get(path))
        if entry != corpus.manifest.files.get(path):
            yield path, data, entry
