"""Work on a delivery that the next one supersedes: the centre's transcriptions and masks and the sites' annotations are kept
where their utterances have not changed.

An annotation tells of words and sound, so it goes where either is another one; a transcription where the sound is. What goes is
named, for somebody has to make it again.
"""

from collections.abc import Iterable, Iterator

import msgspec

from corpus.annotation.overlay import Change
from corpus.centre import facts as f
from corpus.centre.centre_state import CentreState
from corpus.centre.corpus_tables import corpus_in
from corpus.centre.ledger import DELIVERIES
from corpus.dataset.reader import Corpus, speech_name
from corpus.formats.manifest import FileEntry
from corpus.verify.rules.scratch_tables import scratch_tables


class CarriedWork(msgspec.Struct, frozen=True):
    """`changes` are the files of earlier work for the new delivery, `dropped` the paths of those that are not right any more."""

    changes: tuple[Change, ...]
    dropped: tuple[str, ...]


def carried(centre_state: CentreState, new: Corpus, sessions: Iterable[f.DeliveredSession]) -> CarriedWork:
    """Sort the work on what the centre holds of these sessions into what stays and what goes; raises what `Corpus` raises."""
    changes, dropped = list[Change](), list[str]()
    by_state: dict[tuple[str, str], list[f.DeliveredSession]] = {}
    for session in sessions:
        held = centre_state.sessions.get(session.session)
        if held is not None and held.state != held.delivery:
            by_state.setdefault((held.delivery, held.state), []).append(session)
    for (delivery, state), own in by_state.items():
        with scratch_tables() as tables, scratch_tables() as others:
            before = corpus_in(centre_state.folder / DELIVERIES / delivery, tables)
            after = corpus_in(centre_state.folder / DELIVERIES / state, others)
            units = {(session.speaker, number) for session in own for number in session.scenarios}
            spoilt = {*_spoilt(before, new, units)}
            for path, entry in _work(before, after, units):
                name = speech_name(path)
                listed = new.manifest.files.get(path)
                if _hash(before.manifest.files.get(path)) != _hash(listed) or (name is not None and name.key in spoilt):
                    dropped += [path] if listed is None or listed.sha256 != entry.sha256 else []
                else:
                    changes.append(Change(path, after.read(path), entry))
    return CarriedWork(tuple(changes), tuple(sorted(dropped)))


def _work(before: Corpus, after: Corpus, units: set[tuple[str, int]]) -> Iterator[tuple[str, FileEntry]]:
    """The files of some subject-scenarios that were made, changed or found right since they were delivered."""
    for path, entry in after.manifest.files.items():
        name = speech_name(path)
        if name is not None and name.scenario in units and before.manifest.files.get(path) != entry:
            yield path, entry


def _spoilt(before: Corpus, new: Corpus, units: set[tuple[str, int]]) -> Iterator[tuple[str, int, int]]:
    """The utterances of which words or sound are other ones now than they were delivered before."""
    for path, entry in before.manifest.files.items():
        name = speech_name(path)
        if name is None or name.type not in ("sro", "wav") or name.scenario not in units:
            continue
        if path in new.manifest.withheld:
            continue  # sound that was taken back is not another one
        if _hash(new.manifest.files.get(path)) != entry.sha256:
            yield name.key


def _hash(entry: FileEntry | None) -> str:
    return entry.sha256 if entry is not None else ""
