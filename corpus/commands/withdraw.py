"""`curtain withdraw`: removes a person from a study or an exported corpus, and lists the items that earlier exports must
drop.

A study is erased in place: payloads, recordings, spools, what the transcription desk keeps. A corpus is rebuilt without the
person. What is masked stays masked. The record of exports names the copies, each with what is to be done about it.
"""

from collections.abc import Iterable
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.identifying_phrases import Phrase
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS, Removal
from corpus.export.study_source import FAULTS
from corpus.formats.errors import INTERRUPTED, counted, message_of
from corpus.importing import names_table
from corpus.io.staging import discard, is_corpus, locked
from corpus.release.earlier_exports import masks_of, works_of
from corpus.release.exports_log import exports_around, record_removal
from corpus.verify.session_check import left_behind
from corpus.withdrawal import later_work, rebuild
from corpus.withdrawal import study_holdings as of_study
from corpus.withdrawal.copies import Copies, clear_unfinished, copies_of, refuse_unfinished
from session.annotation.store import work_path
from session.collection import erase_speaker, study_lock
from session.store.event_store import DAMAGED, SecondWriter, Store
from session.study.folder import Study, load
from session.values.clock import Clock
from session.values.names import check_speaker

_FAULTS = (*FAULTS, SecondWriter, study_lock.StudyInUse, ValueError)

_NAMED = 5
"""Of the places of an import that are told one by one."""
_OF_SERVER = """\
PostgreSQL's table was rewritten, but the server's write-ahead log (pg_wal) keeps what was erased until it is written over, and so
do an archive of it and standbys: no program may clear those. Its administrator clears pg_wal with
  ALTER SYSTEM SET wal_recycle = off;  SELECT pg_reload_conf();
  SELECT pg_switch_wal();  CHECKPOINT;  SELECT pg_switch_wal();  CHECKPOINT;
  ALTER SYSTEM RESET wal_recycle;  SELECT pg_reload_conf();
"""


class WithdrawOptions(msgspec.Struct, frozen=True):
    """Options of `withdraw_command`: `spools` are folders with one folder a session, `logs` technical logs of this machine,
    which may hold anything. With `dry_run` nothing changes. With `sound` the person goes on taking part, and the sound alone
    is taken back. `named` are words that identify the person, for the list of masks."""

    speaker: str
    spools: tuple[Path, ...] = ()
    logs: tuple[Path, ...] = ()
    dry_run: bool = False
    sound: bool = False
    named: tuple[Phrase, ...] = ()


def withdraw_command(target: str, call: WithdrawOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Remove a speaker from a study folder or an exported corpus.

    The removal goes to `out` as JSON, what was done to `err`. 1 when a copy is left that holds the person or may, 2 when the
    call is wrong or something could not be done: then call it again.
    """
    root = Path(target)
    if root.is_symlink() or root.name in ("", ".."):
        root = root.resolve()  # what changes places is the folder, not a link to it or another name for it
    try:
        check_speaker(call.speaker)
        with nullcontext() if call.dry_run else rebuild.alone(root):
            if not call.dry_run:
                rebuild.finish(root)
            return (_from_corpus if is_corpus(root) else _from_study)(root, call, clock, out, err)
    except _FAULTS as error:
        err.write(f"{message_of(error)}\n")
    except KeyboardInterrupt:
        err.write(f"interrupted: something of {call.speaker} may be left; the same command finishes the work\n")
        return INTERRUPTED
    return 2


# --- an exported corpus ---------------------------------------------------------------------------------------------------


def _from_corpus(root: Path, call: WithdrawOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    corpus = Corpus(root)
    removal, copies = _planned(root, rebuild.removal_from(corpus, call.speaker, removals.day_of(clock)), call)
    out.write(_shown(removal))
    if call.dry_run:
        if rows := [] if call.sound else names_table.rows_of(root, call.speaker):
            err.write(f"{names_table.table_beside(root)}: {counted(len(rows), 'row')} of {call.speaker} would go too\n")
        return _tell_plan(removal, copies, err)
    refuse_unfinished(root)
    with locked(root):
        status = (
            0
            if call.sound
            else _forget([work_path(root)], removal, rebuild.takes_of(corpus, call.speaker), call, clock, err)
        )
        if not call.sound:
            _forget_names(root, call.speaker, err)
        gone = rebuild.rebuild(root, removal, err)
        record_removal(root, removal)
    what = "waveforms" if call.sound else "files"
    err.write(f"{root} was rebuilt without {gone} {what} of speaker {call.speaker}; {root / REMOVALS} names them\n")
    return max(status, _finish(root, removal, call, err))


def _forget_names(root: Path, speaker: str, err: TextIO) -> None:
    """Take the person out of the table of names of an import, after saying where the source has the person's recordings."""
    rows = names_table.rows_of(root, speaker)
    if rows:
        places = [row[-1] for row in rows[:_NAMED]]
        more = f" and {len(rows) - _NAMED} more" if len(rows) > _NAMED else ""
        err.write(f"imported from {', '.join(places)}{more}: delete the person's recordings there too\n")
        names_table.forget(root, speaker)
        err.write(f"{names_table.table_beside(root)}: {counted(len(rows), 'row')} of {speaker} deleted\n")


# --- a study --------------------------------------------------------------------------------------------------------------


def _from_study(root: Path, call: WithdrawOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    study = load(root)
    nobody = nullcontext() if call.dry_run else study_lock.exclusive_lock(study.folder)
    with nobody, closing(Store(study.store_url)) as store:
        found = of_study.removal_of(study, store, call.speaker, removals.day_of(clock))
        removal, copies = _planned(study.folder, found, call)
        out.write(_shown(removal))
        if call.dry_run:
            return _tell_plan(removal, copies, err)
        refuse_unfinished(study.folder)
        with locked(study.folder):
            removals.add(study.folder, removal)
        if call.sound:
            changed = of_study.refuse_sound(store, removal, clock)
            err.write(
                f"speaker {removal.speaker}: no sound of {len(removal.sessions)} sessions is exported any more, {changed} "
                f"of them new; earlier exports must drop what {study.folder / REMOVALS} names\n"
            )
            status = 0
        else:
            status = _erase(study, store, removal, call, clock, err)
    return max(status, _finish(study.folder, removal, call, err))


def _erase(study: Study, store: Store, removal: Removal, call: WithdrawOptions, clock: Clock, err: TextIO) -> int:
    utterances = of_study.takes_of(store, removal)
    works = works_of(study.folder, exports_around(study.folder))
    status = _forget(works, removal, utterances, call, clock, err, masks_of(study.folder))
    takes = erase_speaker.takes_of(store, removal.sessions)
    for scratch in left_behind({*removal.sessions, *takes}):
        discard(scratch)
        err.write(f"{scratch}, left by a check that was interrupted, was deleted\n")
    second = study.second_copy
    copies = [second] if second is not None and second.is_dir() else []
    erased = erase_speaker.erase(study, store, call.speaker, [*call.spools, *copies], clock)
    gone = f"{counted(erased.payloads, 'fact')} erased in {counted(len(erased.sessions), 'session')}"
    err.write(
        f"speaker {call.speaker}: {gone}, {counted(erased.files, 'file')} deleted; earlier exports must drop what "
        f"{study.folder / REMOVALS} names\n"
    )
    if study.store_url.startswith("postgresql"):
        err.write(_OF_SERVER)
    for path in erased.traces:
        err.write(
            f"{path} still holds takes of {call.speaker}: if it is a corpus, run curtain withdraw on it, else delete it\n"
        )
    lost = second is not None and not copies
    if lost:
        names = ", ".join(removal.sessions)
        err.write(f"{second} is not there: when the disk is, call this again, or delete {names} on it\n")
    return max(status, 1 if erased.traces or lost else 0)


# --- both -----------------------------------------------------------------------------------------------------------------


def _planned(source: Path, removal: Removal, call: WithdrawOptions) -> tuple[Removal, Copies]:
    """Return the removal for the list, with the names of unreachable copies, and the reachable copies."""
    removal = of_study.of_sound(removal) if call.sound else removal
    copies = copies_of(source, removal)
    named = {*removal.copies, *(path.name for path in copies.gone)}
    return msgspec.structs.replace(removal, copies=tuple(sorted(named))), copies


def _shown(removal: Removal) -> str:
    return msgspec.json.format(msgspec.json.encode(removal), indent=1).decode() + "\n"


def _tell_plan(removal: Removal, copies: Copies, err: TextIO) -> int:
    what = "waveforms" if removal.scope else "files"
    err.write(f"nothing was changed; speaker {removal.speaker} has {len(removal.files)} {what} ")
    err.write(f"of {counted(len(removal.sessions), 'session')}\n{copies}")
    return 0


def _forget(
    works: Iterable[Path],
    removal: Removal,
    takes: dict[str, str],
    call: WithdrawOptions,
    clock: Clock,
    err: TextIO,
    masks: Path | None = None,
) -> int:
    """Erase what the transcription desk keeps of the person; what is masked is put on the list of masks, there and in
    `masks`, before. What is damaged is in the way of nothing else: it is told, and the status is 2."""
    status, facts = 0, 0
    words = {*call.named}
    places = [*works]
    for path in places:
        try:
            words |= later_work.marked_in(path, takes)
        except DAMAGED:
            continue
    for path in dict.fromkeys([*places, *([masks] if masks and words else [])]):
        try:
            later_work.keep(path, words, clock)
            facts += later_work.forget(path, removal, takes, clock)
        except DAMAGED as error:
            err.write(
                f"{path} is damaged ({message_of(error)}), and still has the transcription desk's data about {removal.speaker} "
                "yet: mend it and call this again, or delete it\n"
            )
            status = 2
    if facts:
        err.write(f"{facts} facts of transcription, annotation and judging erased\n")
    if words:
        err.write(f"{counted(len(words), 'name')} on the list of masks: every export masks them in what others said\n")
    return status


def _finish(source: Path, removal: Removal, call: WithdrawOptions, err: TextIO) -> int:
    """Delete what may hold anything, and name the copies; 1 where one is left."""
    for path in clear_unfinished(source):
        err.write(f"{path}, left by an export that was interrupted, was deleted\n")
    for log in () if call.sound else call.logs:
        log.unlink(missing_ok=True)
    copies = copies_of(source, removal)
    err.write(str(copies))
    return 1 if copies.remedies else 0
