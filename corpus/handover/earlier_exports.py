"""Where a study's corpora were written, so that what people finished beside one comes into the next, wherever that is written.

The transcription desk keeps its work beside the corpus, for a corpus may be far from its study. An export that did not look
there would hand over drafts in place of transcriptions, and names in place of masks. `corpus.release.copies` remembers where
that is.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.identifying_phrases import Phrase
from corpus.annotation.submitted import AllFinished, Finished, finished_in
from corpus.formats.errors import counted
from corpus.formats.manifest import is_in
from corpus.io.staging import Refused, replace
from corpus.release import holdout_file as assignments
from corpus.release.copies import Written, everywhere, memory_of, note, note_sources, with_made, with_unfinished
from session.annotation.store import WORK_FILE, work_path


class Gathered(msgspec.Struct, frozen=True):
    """`finished` is everything that is finished, by take; `work` how much of it lies in which file; `assignments` are the files
    that carry a hold-out on; `notes` say what a person should know of it, a sentence each; `named` are the files that somebody
    had to name, beside corpora that lead to no study yet."""

    finished: AllFinished
    work: dict[str, int]
    assignments: dict[Path, bytes]
    notes: tuple[str, ...]
    named: tuple[Path, ...] = ()


def works_of(written: Written) -> list[Path]:
    """The files of later work that are there, beside what was written and those that were named."""
    beside = [work_path(Path(corpus)) for corpus in written.corpora]
    return [path for path in dict.fromkeys([*beside, *map(Path, written.work)]) if path.is_file()]


def gather(study: Path, target: Path, named: Sequence[str] = ()) -> Gathered:
    """What was finished beside any earlier export, beside `target`, and in the `named` files of later work or their folders.

    Raises `Refused` where a named file is none, and where one that held finished transcriptions has gone: to export without
    it would undo them, and the masks with them.
    """
    written = everywhere(study)
    given = [_named(Path(name)) for name in named]
    for name, count in written.work.items():
        if count and not Path(name).is_file():
            raise Refused(
                f"{name} held {count} finished transcriptions or names and is not there; bring it back, or, if it lies elsewhere "
                f"now, take its name out of {memory_of(study)} and name the file with --work"
            )
    notes = _gone(written) if not given else []
    found: dict[str, Finished] = {}
    kept: set[Phrase] = set()
    counts: dict[str, int] = {}
    for path in dict.fromkeys([work_path(target), *works_of(written), *given]):
        here = finished_in(path)
        if path.is_file():
            counts[str(path)] = len(here) + len(here.kept)
            kept |= here.kept
        if twice := [take for take in here if take in found and _differ(here[take], found[take])]:
            notes.append(
                f"{counted(len(twice), 'utterance')} finished in {path} too; what was checked, or else is later, is taken"
            )
        found |= {take: done for take, done in here.items() if take not in found or _rank(done) > _rank(found[take])}
    sets = assignments.carried([study], target)
    return Gathered(AllFinished(found, kept), counts, sets, tuple(notes), tuple(given))


def begin(study: Path, *places: Path) -> None:
    """An export is going to use these folders for a while: what stays there when it is interrupted is found again when somebody
    withdraws."""
    with suppress(OSError):  # a study that cannot be written to can be exported all the same
        note(study, lambda before: with_unfinished(before, places))


def remember(
    study: Path, gathered: Gathered, corpora: Sequence[Path], err: TextIO, packages: Sequence[Path] = ()
) -> None:
    """The study was written to these corpora and packages with what was gathered; says on `err` what a person should know of
    that."""
    err.write("".join(f"{each}\n" for each in gathered.notes))
    if gathered.finished:
        err.write(f"{counted(len(gathered.finished), 'finished transcription')} came from {', '.join(gathered.work)}\n")
    for path, data in gathered.assignments.items() if corpora else ():
        replace(path, data)
        err.write(f"{path} has the assignments of earlier exports\n")

    def now(before: Written) -> Written:
        made = with_made(before, corpora, packages)
        return msgspec.structs.replace(made, work=before.work | gathered.work)

    note_sources([*corpora, *_beside(gathered.named)], [study])
    try:
        note(study, now)
    except OSError as error:
        err.write(f"{error}; the next export of this study needs --work to find what is transcribed beside this one\n")


def _beside(works: Sequence[Path]) -> list[Path]:
    """The corpora whose later work lies in these files."""
    folders = dict.fromkeys(path.parent for path in works)
    return [root for folder in folders for root in sorted(folder.iterdir()) if is_in(root)]


def _named(path: Path) -> Path:
    found = (path / WORK_FILE if path.is_dir() else path).resolve()
    if not found.is_file():
        raise Refused(f"{found} is not there; --work names a {WORK_FILE} or the folder that holds one")
    if not found.stat().st_size:
        raise Refused(f"{found} is empty; --work names a {WORK_FILE} or the folder that holds one")
    return found


def _gone(written: Written) -> list[str]:
    gone = [name for name in written.corpora if not Path(name).is_dir() and not work_path(Path(name)).is_file()]
    if not gone:
        return []
    more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
    return [
        f"{gone[0]}{more}, written earlier, is not there any more; if people transcribed beside it, name their {WORK_FILE} "
        "with --work"
    ]


def _differ(one: Finished, other: Finished) -> bool:
    """Whether two transcriptions of one utterance say or mask something else, whoever made them and when."""
    return (one.text, one.stretches, one.rate) != (other.text, other.stretches, other.rate)


def _rank(done: Finished) -> tuple[bool, str]:
    return bool(done.work.checker), max(done.work.transcribed, done.work.checked)
