"""Finished work beside earlier exports of a study, gathered for the next export at any place.

The transcription desk keeps its work beside the corpus, for a corpus may be far from its study. An export that did not look
there would hand over drafts in place of transcriptions, and names in place of masks. `corpus.release.exports_log` says where
that is; the names that stay masked when somebody has withdrawn are in the study itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.identifying_phrases import Phrase
from corpus.annotation.submitted import AllFinished, Finished, finished_in
from corpus.dataset import removals
from corpus.formats.errors import counted, message_of
from corpus.formats.manifest import is_in
from corpus.io.staging import Refused, replace
from corpus.release import holdout_file
from corpus.release.exports_log import CORPUS, RENAMED, Export, exports_around, log_of, record, recorded
from session.annotation.store import WORK_FILE, work_path
from session.store.upcasting import UNREADABLE


class FinishedWork(msgspec.Struct, frozen=True):
    """`finished` is everything that is finished, by take; `work` how much of it is in which file; `assignments` are the files
    that carry a hold-out on; `notes` say what a person should know of it, a sentence each; `named` are the files that
    somebody had to name."""

    finished: AllFinished
    work: dict[str, int]
    assignments: dict[Path, bytes]
    notes: tuple[str, ...]
    named: tuple[Path, ...] = ()


def masks_of(study: Path) -> Path:
    """Return the file of later work that has the study's own list of masks."""
    return study / WORK_FILE


def works_of(source: Path, exports: Iterable[Export]) -> list[Path]:
    """Return the files of later work that are there, in a study or beside a corpus and beside what was made of it."""
    own = work_path(source) if is_in(source) else masks_of(source)
    found = [own]
    for made in (*exports, *recorded(source)):
        found += [work_path(Path(made.where))] if made.what in (CORPUS, RENAMED) else []
        found += [work_path(Path(folder)) for folder in made.sources if is_in(Path(folder))]
        found += map(Path, made.work)
    return [path for path in dict.fromkeys(path.resolve() for path in found) if path.is_file()]


def gather(study: Path, target: Path, named: Sequence[str] = ()) -> FinishedWork:
    """Gather what was finished beside any earlier export, beside `target`, and in the `named` files of later work.

    Raises `Refused` if a named file is none, and where one that held finished transcriptions has gone: to export without it
    would undo them, and the masks with them.
    """
    exports = exports_around(study)
    given = [_named(Path(name)) for name in named]
    for name, count in {name: count for made in recorded(study) for name, count in made.work.items()}.items():
        if count and not Path(name).is_file():
            raise Refused(
                f"{name} held {count} finished transcriptions or names and is not there; bring it back, or, if it is elsewhere "
                f"now, take its name out of {log_of(study)} and name the file with --work"
            )
    notes = _gone(exports) if not given else []
    finished, counts, twice = _united([work_path(target), *works_of(study, exports), *given])
    sets = holdout_file.carried([study], target)
    return FinishedWork(finished, counts, sets, (*notes, *twice), tuple(given))


def finished_around(corpus: Path, named: Sequence[str] = ()) -> AllFinished:
    """Return what is finished beside a corpus, beside any other export of its study, and in the `named` files of later work.

    Masks are one list of the study: a name that was masked beside one export may go out with none. Raises `Refused`.
    """
    return _united(
        [work_path(corpus), *works_of(corpus, exports_around(corpus)), *(_named(Path(name)) for name in named)]
    )[0]


def begin(
    study: Path, gathered: FinishedWork, target: Path, heads: Mapping[str, str], err: TextIO, what: str = CORPUS
) -> None:
    """Record that the study is going to be written to `target`, and say what a person should know of what was gathered."""
    left = removals.held_in(study).sessions
    staying = {session: head for session, head in heads.items() if session not in left}
    record([study], what, target, staying, err, gathered.work)
    for root in _beside(gathered.named):
        record([study], CORPUS, root, {}, err, gathered.work)
    err.write("".join(f"{note}\n" for note in gathered.notes))
    if gathered.finished:
        err.write(f"{counted(len(gathered.finished), 'finished transcription')} came from {', '.join(gathered.work)}\n")


def carry_assignments(gathered: FinishedWork, err: TextIO) -> None:
    """Write the assignments of earlier exports beside the new corpus."""
    for path, data in gathered.assignments.items():
        replace(path, data)
        err.write(f"{path} has the assignments of earlier exports\n")


def _united(works: Iterable[Path]) -> tuple[AllFinished, dict[str, int], list[str]]:
    """Return what is finished in several files of later work, how much of it is in which file, and what a person should know."""
    found: dict[str, Finished] = {}
    kept: set[Phrase] = set()
    counts: dict[str, int] = {}
    notes = list[str]()
    for path in filter(Path.is_file, dict.fromkeys(path.resolve() for path in works)):
        here = _finished(path)
        counts[str(path)] = len(here) + len(here.kept)
        kept |= here.kept
        if twice := [take for take in here if take in found and _differ(here[take], found[take])]:
            notes.append(
                f"{counted(len(twice), 'utterance')} finished in {path} too; what was checked, or else is later, is taken"
            )
        found |= {take: done for take, done in here.items() if take not in found or _rank(done) > _rank(found[take])}
    return AllFinished(found, kept), counts, notes


def _finished(path: Path) -> AllFinished:
    try:
        return finished_in(path)
    except UNREADABLE as error:
        raise Refused(
            f"{message_of(error)}: it may hold masks, so nothing is made before it is mended or moved away"
        ) from None


def _beside(works: Sequence[Path]) -> list[Path]:
    """The corpora whose later work is in these files."""
    folders = dict.fromkeys(path.parent for path in works)
    return [root for folder in folders for root in sorted(folder.iterdir()) if is_in(root)]


def _named(path: Path) -> Path:
    found = (path / WORK_FILE if path.is_dir() else path).resolve()
    if not found.is_file():
        raise Refused(f"{found} is not there; --work names a {WORK_FILE} or the folder that holds one")
    if not found.stat().st_size:
        raise Refused(f"{found} is empty; --work names a {WORK_FILE} or the folder that holds one")
    return found


def _gone(exports: Iterable[Export]) -> list[str]:
    written = [made.where for made in exports if made.what == CORPUS]
    gone = [name for name in written if not Path(name).is_dir() and not work_path(Path(name)).is_file()]
    if not gone:
        return []
    more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
    return [
        f"{gone[0]}{more}, written earlier, is not there any more; if people transcribed beside it, name their {WORK_FILE} "
        "with --work"
    ]


def _differ(one: Finished, other: Finished) -> bool:
    """Return whether two transcriptions of one utterance say or mask something else, anyone who made them and when."""
    return (one.text, one.stretches, one.rate) != (other.text, other.stretches, other.rate)


def _rank(done: Finished) -> tuple[bool, str]:
    return bool(done.work.checker), max(done.work.transcribed, done.work.checked)
