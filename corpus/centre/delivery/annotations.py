"""Annotations that come back: the classes, requests and answers of a release, verified with the speech that they are about."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState, HeldSession
from corpus.centre.delivery.delivery_archive import ANNOTATED, ArchiveRefused, DeliveryListing, units_of
from corpus.centre.ledger import DELIVERIES, Centre
from corpus.centre.recovery import entered
from corpus.centre.states import next_state, write_state
from corpus.dataset.reader import Corpus, is_annotation, speech_name
from corpus.formats.errors import counted
from corpus.formats.manifest import FileEntry, entry_of
from corpus.io.safe_open import read_plain
from corpus.release.utterance_status import POOL
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify

_HEARD = {"sro", "wav"}
UNDATED = (
    "; look at them all, for they do not say on what they were made: whether that was corrected since cannot be seen "
    "(an older curtain deliver has packed them)"
)
_Subjects = dict[tuple[str, int, int], dict[str, str]]


class Laid(msgspec.Struct, frozen=True):
    """Annotations after they were looked at: the name of the arrival, an earlier one's where the same came before, the errors for
    which all go back, whether they went back before, how many files were taken in, those left out, for their utterance has other
    words or sound now than in the release, those taken in to which another log belongs than then, and whether it cannot be seen
    which these are (`undated`)."""

    arrival: str
    errors: tuple[str, ...] = ()
    is_known: bool = False
    files: int = 0
    dropped: tuple[str, ...] = ()
    other_log: tuple[str, ...] = ()
    undated: bool = False

    def told(self, release: str) -> str:
        """A line on what was taken in."""
        left = f"; left out, for their words or sound were corrected since, to be made again: {' '.join(self.dropped)}"
        doubtful = f"; taken in, but look at them, for the log was corrected since: {' '.join(self.other_log)}"
        told = f"annotations of {release}: {counted(self.files, 'file')}{left if self.dropped else ''}"
        return f"{told}{doubtful if self.other_log else ''}{UNDATED if self.undated else ''}"


def lay_over(
    centre: Centre, folder: Path, listing: DeliveryListing, sent: Collection[str], archive: str, err: TextIO
) -> Laid:
    """Take in the annotations in `folder`, which are of the paths that were `sent`.

    Raises `ArchiveRefused` for a release that there is not, or for files that are no annotations of it.
    """
    arrival = f"ann_{1 + sum(1 for _ in centre.facts(f.AnnotationsReceived))}"
    centre_state = CentreState(centre)
    by_state = _by_state(centre_state, folder, listing.release, sent)
    sent = {path for paths in by_state.values() for path in paths}
    changed = {path: kinds for path, kinds in _changed_since(centre, centre_state, listing, by_state) if kinds}
    dropped = tuple(sorted(path for path, kinds in changed.items() if kinds & _HEARD))
    fact = f.AnnotationsReceived(
        arrival=arrival,
        site=listing.site,
        release=listing.release,
        files=tuple(sorted({*sent} - {*dropped})),
        archive=archive,
        dropped=dropped,
        other_log=tuple(sorted(changed.keys() - {*dropped})),
        undated=listing.release == POOL and not listing.about,
    )
    try:
        if not fact.files:
            raise _InError([f"{path}: its utterance has other words or sound since {fact.since}" for path in dropped])
        fresh = {state: [path for path in paths if path not in dropped] for state, paths in by_state.items()}
        with ExitStack() as made:
            later = [*_states(centre, centre_state, folder, fresh, arrival, made, err)]
            if not later and (before := _before(centre, fact)):
                return Laid(before)
            centre.record(fact, *later)
    except _InError as found:
        fact = msgspec.structs.replace(fact, errors=len(found.errors))
        for old in centre.facts(f.AnnotationsReceived):
            if msgspec.structs.replace(old, arrival=arrival) == fact:
                return Laid(old.arrival, tuple(found.errors), is_known=True)
        centre.record(fact)
        return Laid(arrival, tuple(found.errors))
    return Laid(arrival, files=len(fact.files), dropped=dropped, other_log=fact.other_log, undated=fact.undated)


def _changed_since(
    centre: Centre, centre_state: CentreState, listing: DeliveryListing, by_state: dict[str, list[str]]
) -> Iterator[tuple[str, set[str]]]:
    """The annotations with the types of the files that they are about and that are other ones now than when the release was made
    on which they were made; of the test pool, which is in no release, than those which the site had."""
    made = next((entry for entry in centre_state.releases if entry.release == listing.release), None)
    states = {name: held.state for name, held in CentreState(centre, made).sessions.items()} if made is not None else {}
    theirs = _by_unit(listing.about.items()) if made is None and listing.about else _Subjects()
    for state, paths in by_state.items():
        now = Corpus(centre.folder / DELIVERIES / state)
        after, earlier = _subjects(now, paths), {"": theirs}
        own = {states.get(name, state) for name, held in centre_state.sessions.items() if held.state == state}
        for before in own - {state}:
            earlier |= {before: _subjects(Corpus(centre.folder / DELIVERIES / before), paths)}
        for path in paths:
            units = units_of(path)
            yield (
                path,
                {
                    file.rpartition(".")[2]
                    for subjects in earlier.values()
                    for unit in units
                    for file, sha256 in subjects.get(unit, {}).items()
                    if after.get(unit, {}).get(file) != sha256 and file not in now.manifest.withheld
                },
            )


def _by_unit(files: Iterable[tuple[str, str]]) -> _Subjects:
    found: _Subjects = {}
    for path, sha256 in files:
        if (name := speech_name(path)) is not None and path.rpartition(".")[2] in ANNOTATED:
            found.setdefault(name.key, {})[path] = sha256
    return found


def _subjects(corpus: Corpus, paths: list[str]) -> _Subjects:
    """The words, the sound and the logs that annotations are about, by utterance: their hashes by path."""
    places, units = {path.rpartition("/")[0] for path in paths}, {unit for path in paths for unit in units_of(path)}
    near = ((path, entry.sha256) for path, entry in corpus.manifest.files.items() if path.rpartition("/")[0] in places)
    return {unit: files for unit, files in _by_unit(near).items() if unit in units}


def _before(centre: Centre, fact: f.AnnotationsReceived) -> str:
    """The last arrival that had these files, empty if there is none."""
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


def _by_state(centre_state: CentreState, folder: Path, release: str, sent: Collection[str]) -> dict[str, list[str]]:
    """Return the annotations of a release by the state that they are laid over. Raises `ArchiveRefused` for what is of nothing
    in the release, unless the centre has it so already: a corpus in which the pool was annotated holds the others' too."""
    by_state: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for path in sorted(sent):
        held, is_of_it = _held(centre_state, release, path)
        (by_state if is_of_it else others).setdefault(held.state, []).append(path)
    for state, paths in others.items():
        listed = Corpus(centre_state.folder / DELIVERIES / state).manifest.files
        for path in paths:
            if path not in listed or listed[path].sha256 != entry_of(read_plain(folder, path)).sha256:
                raise ArchiveRefused(f"{path} is of nothing in {release}")
    if not by_state:
        raise ArchiveRefused(f"nothing in it is of {release}")
    return by_state


def _held(centre_state: CentreState, release: str, path: str) -> tuple[HeldSession, bool]:
    """The session that an annotation is of, and whether that is in the release."""
    name = speech_name(path)
    if name is None or not is_annotation(path):
        raise ArchiveRefused(f"{path} is not an annotation; deliver .cat .win .sql .sq2 .ref .rf2 alone")
    within = {session for made in centre_state.releases if made.release == release for session in made.sessions}
    if release == POOL:
        within = {held.session.session for held in centre_state.in_set(POOL)}
    elif not within:
        raise ArchiveRefused(
            f"there is no release {release}; releases are {' '.join(r.release for r in centre_state.releases) or 'none'}"
        )
    for held in centre_state.sessions.values():
        if held.session.speaker == name.stem.speaker and name.stem.scenario in held.session.scenarios:
            return held, held.session.session in within
    raise ArchiveRefused(f"{path} is of nothing in {release}")


def _changed(corpus: Corpus, folder: Path, paths: list[str]) -> Iterator[tuple[str, bytes, FileEntry]]:
    for path in paths:
        data = read_plain(folder, path)
        entry = entry_of(data, like=corpus.manifest.files.get(path))
        if entry != corpus.manifest.files.get(path):
            yield path, data, entry
