"""Where a study's corpora were written, so that what people finished beside one comes into the next, wherever that is written.

The transcription desk keeps its work beside the corpus, for a corpus may be far from its study. An export that did not look
there would hand over drafts in place of transcriptions, and names in place of masks. So the study remembers, in
`exports.json`, which is of this machine, no part of the protocol, and never in a corpus.
"""

import shutil
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import msgspec

from corpus import holdout, layout
from corpus.directory import Refused, is_partial, replace
from corpus.faults import FormatFault
from corpus.finished import AllFinished, Finished, finished_in
from corpus.lines import text_of
from corpus.manifest import SessionEntry
from corpus.packages import SESSIONS
from corpus.phrases import Phrase
from session.work import WORK_FILE, work_path

FORMAT = "curtain-exports-1"
EXPORTS = "exports.json"


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`corpora` are the folders that were written; `work` says how many finished transcriptions and kept names each file of later
    work held when it was last looked at; `unfinished` are folders in which an export may have stopped, to be gone on with;
    `packages` are folders in a format of today. All paths are absolute."""

    corpora: tuple[str, ...] = ()
    work: dict[str, int] = {}
    unfinished: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    format: str = FORMAT


class Gathered(msgspec.Struct, frozen=True):
    """`finished` is everything that is finished, by take; `work` how much of it lies in which file; `assignments` are the files
    that carry a hold-out on; `notes` say what a person should know of it, a sentence each."""

    finished: AllFinished
    work: dict[str, int]
    assignments: dict[Path, bytes]
    notes: tuple[str, ...]


def held_in(study: Path) -> Written:
    """What a study remembers, nothing where it was never exported; raises `FormatFault`."""
    path = study / EXPORTS
    if not path.is_file():
        return Written()
    try:
        found = msgspec.json.decode(text_of(path.read_bytes(), str(path)), type=Written)
    except msgspec.DecodeError as error:
        raise FormatFault(
            str(path), 0, str(error), "correct it, or name the work of earlier exports with --work"
        ) from None
    if found.format != FORMAT:
        raise FormatFault(str(path), 0, f"format {found.format!r}", f"this version of Curtain reads {FORMAT}")
    return found


def works_of(written: Written) -> list[Path]:
    """The files of later work that are there, beside what was written and those that were named."""
    beside = [work_path(Path(corpus)) for corpus in written.corpora]
    return [path for path in dict.fromkeys([*beside, *map(Path, written.work)]) if path.is_file()]


def gather(study: Path, target: Path, named: Sequence[str] = ()) -> Gathered:
    """What was finished beside any earlier export, beside `target`, and in the `named` files of later work or their folders.

    Raises `Refused` where a named file is none, and where one that held finished transcriptions has gone: to export without
    it would undo them, and the masks with them.
    """
    written = held_in(study)
    given = [_named(Path(name)) for name in named]
    for name, count in written.work.items():
        if count and not Path(name).is_file():
            raise Refused(
                f"{name} held {count} finished transcriptions or names and is not there; bring it back, or, if it lies elsewhere "
                f"now, take its name out of {study / EXPORTS} and name the file with --work"
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
        if twice := [take for take in here if take in found and here[take] != found[take]]:
            notes.append(
                f"{len(twice)} utterances are finished in {path} too; what was checked, or else is later, is taken"
            )
        found |= {take: done for take, done in here.items() if take not in found or _rank(done) > _rank(found[take])}
    assignments = holdout.carried(map(Path, written.corpora), target)
    return Gathered(AllFinished(found, kept), counts, assignments, tuple(notes))


def begin(study: Path, *places: Path) -> None:
    """An export is going to use these folders for a while: what stays there when it is interrupted is found again when somebody
    withdraws."""
    before = held_in(study)
    unfinished = tuple(dict.fromkeys([*before.unfinished, *(str(place.absolute()) for place in places)]))
    with suppress(OSError):  # a study that cannot be written to can be exported all the same
        replace(study / EXPORTS, _rendered(msgspec.structs.replace(before, unfinished=unfinished)))


def drop_unfinished(study: Path) -> list[Path]:
    """Delete what interrupted exports have left, for it can be made anew; the folders that were there."""
    left = [place for place in map(Path, held_in(study).unfinished) if _is_left_over(place)]
    for place in left:
        shutil.rmtree(place)
    return left


def _is_left_over(place: Path) -> bool:
    """Whether a folder is what its name says: the list may have been edited, and nothing else must ever be deleted."""
    if place.is_symlink() or not place.is_dir() or not place.name.startswith("."):
        return False
    return is_partial(place) or (place.name.endswith(".corpus") and (place / layout.MANIFEST).is_file())


def packages_with(study: Path, sessions: Collection[str]) -> list[Path]:
    """The packages of a study that hold one of these sessions; what cannot be read may."""
    found = list[Path]()
    for package in map(Path, held_in(study).packages):
        try:
            held = msgspec.json.decode((package / SESSIONS).read_bytes(), type=list[SessionEntry])
        except (OSError, msgspec.DecodeError):
            found += [package] if package.is_dir() else []
        else:
            found += [package] if any(entry.session in sessions for entry in held) else []
    return found


def _rendered(written: Written) -> bytes:
    return msgspec.json.format(msgspec.json.encode(written), indent=1) + b"\n"


def remember(
    study: Path, gathered: Gathered, corpora: Sequence[Path], err: TextIO, packages: Sequence[Path] = ()
) -> None:
    """The study was written to these corpora and packages with what was gathered; says on `err` what a person should know of
    that."""
    err.write("".join(f"{note}\n" for note in gathered.notes))
    if gathered.finished:
        err.write(f"{len(gathered.finished)} finished transcriptions came from {', '.join(gathered.work)}\n")
    for path, data in gathered.assignments.items() if corpora else ():
        replace(path, data)
        err.write(f"{path} has the assignments of earlier exports\n")
    before = held_in(study)
    folders = dict.fromkeys([*before.corpora, *(str(corpus.resolve()) for corpus in corpora)])
    left = tuple(place for place in before.unfinished if place not in folders and Path(place).is_dir())
    packed = dict.fromkeys([*before.packages, *(str(package.resolve()) for package in packages)])
    now = Written(tuple(folders), before.work | gathered.work, left, tuple(packed))
    try:
        replace(study / EXPORTS, _rendered(now))
    except OSError as error:
        err.write(f"{error}; the next export of this study needs --work to find what is transcribed beside this one\n")


def _named(path: Path) -> Path:
    found = (path / WORK_FILE if path.is_dir() else path).resolve()
    if not found.is_file():
        raise Refused(f"{found} is not there; --work names a {WORK_FILE} or the folder that holds one")
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


def _rank(done: Finished) -> tuple[bool, str]:
    return bool(done.work.checker), max(done.work.transcribed, done.work.checked)
