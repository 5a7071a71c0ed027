"""`curtain withdraw`: a person leaves a study or an exported corpus, and a list says what earlier exports must drop.

In a study the list is written first, while the names are still known, and every later export carries it. Everything that was
made of the study and lies on this machine is looked at, however many steps away: a part of a corpus, a package of that part.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.identifying_phrases import Phrase
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS, Removal, Removals
from corpus.export.session_files import Options, files_of
from corpus.export.source import Collected
from corpus.export.study_source import FAULTS
from corpus.formats.errors import INTERRUPTED, counted, told_of
from corpus.formats.log.projection import logs_of
from corpus.formats.log.utterance_names import by_take
from corpus.formats.manifest import is_in
from corpus.handover.earlier_exports import works_of
from corpus.handover.outdated_copies import outdated
from corpus.handover.sync_annotations import caught_up
from corpus.io.staging import Refused, drop_halves, is_corpus, locked
from corpus.release import copies_of_speaker
from corpus.release.copies import Written, everywhere
from corpus.release.copies_of_speaker import Holders, take_away
from corpus.verify.session_check import left_behind
from corpus.withdrawal import other_speakers, remove_sound
from corpus.withdrawal.keep_masks import Elsewhere, Kept, Staying, Unread, keep_masks
from corpus.withdrawal.mask_copies import carry
from corpus.withdrawal.messages import told_of_copies, told_of_masks
from corpus.withdrawal.remove_speaker import day_of, delete_originals, leave, removal_from, still_known
from session.annotation.store import LOG_FILE, Work, work_path
from session.collection import erase_speaker, study_lock
from session.store.event_store import DAMAGED, UNREADABLE, SecondWriter, Store
from session.study.folder import Study, load
from session.values.clock import Clock, stamp
from session.values.names import check_speaker

_FAULTS = (*FAULTS, SecondWriter, study_lock.StudyInUse, ValueError)

_OF_SERVER = """\
PostgreSQL's table was rewritten, but the server's write-ahead log (pg_wal) keeps what was erased until it is written over, and so
do an archive of it and standbys: no program may clear those. Its administrator clears pg_wal with
  ALTER SYSTEM SET wal_recycle = off;  SELECT pg_reload_conf();
  SELECT pg_switch_wal();  CHECKPOINT;  SELECT pg_switch_wal();  CHECKPOINT;
  ALTER SYSTEM RESET wal_recycle;  SELECT pg_reload_conf();
"""


class Call(msgspec.Struct, frozen=True):
    """What is asked for: `spools` are folders with one folder a session, `logs` technical logs of this machine, which may hold
    anything. With `dry_run` nothing changes. With `copies` the person leaves the corpora too that were made of this one or of the
    study, and packages and reports that hold the person are deleted. With `sound` the person goes on taking part, and the sound
    alone is taken back. `named` are words that identify the person and that no transcription of theirs marks: what others said or
    wrote loses them too."""

    speaker: str
    spools: tuple[Path, ...] = ()
    logs: tuple[Path, ...] = ()
    dry_run: bool = False
    copies: bool = False
    sound: bool = False
    named: tuple[Phrase, ...] = ()


def withdraw_command(target: str, call: Call, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Remove a speaker from a study folder or an exported corpus.

    The removal goes to `out` as JSON, what was done to `err`. 1 when something is left that holds the person or may, 2 when the
    call is wrong or something could not be done: then call it again.
    """
    root = Path(target)
    try:
        check_speaker(call.speaker)
        return (_of_corpus if is_corpus(root) else _of_study)(root, call, clock, out, err)
    except _FAULTS as error:
        err.write(f"{told_of(error)}\n")
    except KeyboardInterrupt:
        err.write(f"interrupted: something of {call.speaker} may be left; the same command finishes the work\n")
        return INTERRUPTED
    return 2


def _of_corpus(root: Path, call: Call, clock: Clock, out: TextIO, err: TextIO) -> int:
    removal = removal_from(Corpus(root), call.speaker, day_of(clock))

    def leaves(removal: Removal, _: Written, elsewhere: Elsewhere) -> int:
        return _silence(root, removal, clock, err) if call.sound else _leave(root, removal, clock, err, elsewhere)

    return _withdrawn(root, removal, leaves, call, clock, out, err)


def _of_study(root: Path, call: Call, clock: Clock, out: TextIO, err: TextIO) -> int:
    study = load(root)
    nobody = nullcontext() if call.dry_run else study_lock.exclusive_lock(study.folder)
    with nobody, closing(Store(study.store_url)) as store:
        removal = removal_of(study, store, call.speaker, day_of(clock))

        def leaves(removal: Removal, written: Written, elsewhere: Elsewhere) -> int:
            if call.sound:
                return _refuse_sound(study, store, removal, clock, err)
            return _erase(study, store, removal, written, elsewhere, call, clock, err)

        return _withdrawn(study.folder, removal, leaves, call, clock, out, err)


def _withdrawn(
    source: Path,
    removal: Removal,
    leaves: Callable[[Removal, Written, Elsewhere], int],
    call: Call,
    clock: Clock,
    out: TextIO,
    err: TextIO,
) -> int:
    """The person leaves a study or a corpus by `leaves`, which gives a status, and what was made of it."""
    written = everywhere(source)
    found = _holding(written, removal, call)
    removal = _with_copies(remove_sound.of_sound(removal) if call.sound else removal, found)
    out.write(_shown(removal))
    if call.dry_run:
        held = f"{len(removal.files)} {'waveforms' if call.sound else 'files'} of {len(removal.sessions)} sessions"
        err.write(f"nothing was changed; speaker {call.speaker} has {held}\n")
        err.write(told_of_copies(found, removal))
        return 0
    copies_of_speaker.left_over([Path(place) for place in written.unfinished])  # refuses while one is being written
    carried = Kept() if call.sound else carry(source, removal, written, call.named, clock, err)
    elsewhere = Elsewhere(frozenset(call.named), unread=carried.unread)
    status = max(leaves(removal, written, elsewhere), 1 if carried.unread else 0)
    status = max(status, _from_copies(source, removal, found, call, clock, err))
    if call.copies and not call.sound:
        err.write(_told_of_outdated(source))
    for log in () if call.sound else call.logs:
        log.unlink(missing_ok=True)
    return status


# --- an exported corpus ---------------------------------------------------------------------------------------------------


def _leave(root: Path, removal: Removal, clock: Clock, err: TextIO, elsewhere: Elsewhere | None = None) -> int:
    done = leave(root, removal.speaker, clock, removal.copies, err, elsewhere)
    err.write(told_of_masks(done.kept, removal.speaker))
    err.write(
        f"{root}: {done.files} files of speaker {removal.speaker} deleted, {done.facts} facts of later work erased; "
        f"{root / REMOVALS} names them\n"
    )
    return _status(done.kept)


def _silence(root: Path, removal: Removal, clock: Clock, err: TextIO) -> int:
    gone = remove_sound.silence(root, removal.speaker, clock, removal.copies, err)
    err.write(f"{root}: {gone} waveforms of speaker {removal.speaker} deleted; {root / REMOVALS} names them\n")
    return 0


# --- a study --------------------------------------------------------------------------------------------------------------


def _erase(
    study: Study,
    store: Store,
    removal: Removal,
    written: Written,
    elsewhere: Elsewhere,
    call: Call,
    clock: Clock,
    err: TextIO,
) -> int:
    works = _works(study, written, call.named)
    with locked(study.folder):
        removals.add(study.folder, removal)
    takes = erase_speaker.takes_of(store, removal.sessions)
    facts, kept = _forget_work(study, store, removal, written, works, elsewhere, clock, err)
    _clear(written, err)
    for scratch in copies_of_speaker.delete(left_behind({*removal.sessions, *takes})):
        err.write(f"{scratch}, left by a check that was interrupted, was deleted\n")
    second = study.second_copy
    copies = [second] if second is not None and second.is_dir() else []
    erased = erase_speaker.erase(study, store, call.speaker, [*call.spools, *copies], clock)
    err.write(told_of_masks(kept, call.speaker))
    gone = f"{counted(erased.payloads, 'fact')} erased in {counted(len(erased.sessions), 'session')}"
    err.write(
        f"speaker {call.speaker}: {gone}, {counted(erased.files, 'file')} deleted; earlier exports must drop what "
        f"{study.folder / REMOVALS} names\n"
    )
    if study.store_url.startswith("postgresql"):
        err.write(_OF_SERVER)
    if facts:
        err.write(f"{facts} facts of the transcription desk erased beside its exports\n")
    for path in erased.traces:
        err.write(
            f"{path} still holds takes of {call.speaker}: if it is a corpus, run curtain withdraw on it, else delete it\n"
        )
    lost = second is not None and not copies
    if lost:
        names = ", ".join(removal.sessions)
        err.write(f"{second} is not there: when the disk is, call this again, or delete {names} on it\n")
    return max(1 if erased.traces or lost else 0, _status(kept))


def _status(kept: Kept) -> int:
    return 2 if kept.damaged else 1 if kept.unread else 0


def _forget_work(
    study: Study,
    store: Store,
    removal: Removal,
    written: Written,
    works: Sequence[Path],
    elsewhere: Elsewhere,
    clock: Clock,
    err: TextIO,
) -> tuple[int, Kept]:
    """Erase what people did on the speaker's utterances beside whatever was made of the study; facts that went, what of others
    stays masked."""
    facts, kept, told = 0, Kept(), _utterances(store, removal)
    for path in works:
        try:
            gone, stay = _forget_in(path, study, store, removal, told, elsewhere, clock, err)
            facts, kept = facts + gone, kept + stay
        except DAMAGED as error:
            kept += Kept(damaged=(Unread(str(path), told_of(error)),))
        path.with_name(LOG_FILE).unlink(missing_ok=True)
    for root in map(Path, written.corpora):
        if not root.exists():
            delete_originals(root, removal.speaker)
    return facts, kept


def _forget_in(
    path: Path,
    study: Study,
    store: Store,
    removal: Removal,
    told: Mapping[str, str],
    elsewhere: Elsewhere,
    clock: Clock,
    err: TextIO,
) -> tuple[int, Kept]:
    speaker, facts, kept = removal.speaker, 0, Kept()
    left = removals.held_in(study.folder)
    work = Work(path)
    try:
        utterances = told or _by_name(work, path.parent, removal, left)
        names = work.speakers_of(utterances)
        work.shut(speaker, utterances, stamp(clock), "experimenter")
        for name in sorted({speaker, *names}):  # a corpus beside it may have been renamed
            beside = other_speakers.in_corpora(path.parent, left.sessions, err=err)
            others = chain(other_speakers.in_store(store, left.sessions, err), beside)
            kept += keep_masks(work, name, others, clock, left.speakers | names, elsewhere)
            facts += work.withdraw(name, "experimenter", stamp(clock), utterances)
    finally:
        work.close()
    return facts, kept


def _by_name(work: Work, folder: Path, removal: Removal, left: Removals) -> dict[str, str]:
    """What work that was damaged when the store was erased has of the person, and not of somebody else of the same id beside."""
    found = work.named(removal.utterances)
    for each in other_speakers.in_corpora(folder, left.sessions) if found else ():
        for block in each.log.utterances if isinstance(each, Staying) else ():
            found.pop(block.take, None)
    return found


def _works(study: Study, written: Written, named: Sequence[Phrase]) -> list[Path]:
    """The files of later work beside what was made of the study; one is begun where a name is to be kept and there is none."""
    found = works_of(written)
    if named and not found:
        found = [work_path(root) for root in map(Path, written.corpora) if is_in(root)][:1]
    if named and not found:
        raise Refused(
            f"a name is kept beside a corpus, so that every later export masks it, and none of {study.folder} is there: export "
            "it (curtain export), then call this again"
        )
    return found


def _utterances(store: Store, removal: Removal) -> dict[str, str]:
    """The names of the person's utterances by their takes, as far as they can still be told."""
    found = dict[str, str]()
    for name in removal.sessions:
        with suppress(ValueError, *UNREADABLE):
            for each in logs_of(store.read(name)):
                found |= by_take(each.log, each.stem)
    return found


def removal_of(study: Study, store: Store, speaker: str, day: str) -> Removal:
    """What a study's exports may hold of a speaker, joined with what the list says already; raises `Refused` for a stranger."""
    sessions = erase_speaker.sessions_of(store, speaker)
    known = removals.held_in(study.folder).whole(speaker)
    if not sessions and not known:
        raise Refused(f"no session of {study.folder} has speaker {speaker}; curtain sessions {study.folder} lists them")
    found = [_named(speaker, study.site, day, Collected(name, store.read(name))) for name in sessions]
    return removals.joined([Removals((each,)) for each in (*known, *found)]).removals[0]


def _named(speaker: str, site: str, day: str, collected: Collected) -> Removal:
    try:
        logs = logs_of(collected.facts)
        files = {file.path for file in files_of(collected, other_speakers.Silence(), Options(unnumbered=True))}
    except (ValueError, Refused):
        return Removal(speaker, site, day, (collected.session,), (), ())
    stems = {stem for written in logs for stem in by_take(written.log, written.stem).values()}
    return Removal(speaker, site, day, (collected.session,), tuple(sorted(stems)), tuple(sorted(files)))


def _refuse_sound(study: Study, store: Store, removal: Removal, clock: Clock, err: TextIO) -> int:
    with locked(study.folder):
        removals.add(study.folder, removal)
    changed = remove_sound.refuse_sound(store, removal, clock)
    err.write(
        f"speaker {removal.speaker}: no sound of {len(removal.sessions)} sessions is exported any more, {changed} of them new; "
        f"earlier exports must drop what {study.folder / REMOVALS} names\n"
    )
    return 0


# --- the copies -----------------------------------------------------------------------------------------------------------


def _shown(removal: Removal) -> str:
    return msgspec.json.format(msgspec.json.encode(removal), indent=1).decode() + "\n"


def _with_copies(removal: Removal, found: Holders) -> Removal:
    named = {*removal.copies, *(path.name for path in found.gone)}
    return msgspec.structs.replace(removal, copies=tuple(sorted(named)))


def _clear(written: Written, err: TextIO) -> None:
    left = copies_of_speaker.left_over([Path(place) for place in written.unfinished])
    copies_of_speaker.delete(left)
    for path in left:
        err.write(f"{path}, left by an export that was interrupted, was deleted\n")
    for page in written.pages:
        drop_halves(Path(page))


def _holding(written: Written, removal: Removal, call: Call) -> Holders:
    found = copies_of_speaker.holders_of(written, removal.sessions)
    return remove_sound.sounding(found, removal) if call.sound else found


def _from_copies(source: Path, removal: Removal, found: Holders, call: Call, clock: Clock, err: TextIO) -> int:
    """Carry the withdrawal on into the copies, or name them; 1 where some are left. They are looked for once more at the end:
    what was begun a moment before may have read the person since."""
    status = 0
    copies, leaves = found.corpora if call.copies else (), _silence if call.sound else _leave
    for root, who in ((copy, who) for copy in copies for who in copies_of_speaker.called(copy, removal)):
        own = msgspec.structs.replace(removal, speaker=who, copies=())
        status = max(status, _tried(root, partial(leaves, root, own, clock, err), err))
    for root in found.others if call.copies else ():
        status = max(status, _tried(root, partial(_finish, root, removal, clock, err), err))
    written = everywhere(source)
    _clear(written, err)
    left = _holding(written, removal, call)
    if call.copies:
        for path in take_away(source, [*left.packages, *left.pages, *left.encrypted]):
            err.write(f"{path}, which held {call.speaker}, was deleted: make it anew\n")
        left = msgspec.structs.replace(left, packages=(), pages=(), encrypted=())
    err.write(told_of_copies(left, removal))
    return max(status, 1 if left else 0)


def _told_of_outdated(source: Path) -> str:
    """Which copies elsewhere have names in what others said that are masked beside the corpora from which they were made."""
    written = everywhere(source)
    roots = [root for root in (source, *map(Path, written.corpora)) if is_in(root)]
    found = outdated(list(map(Path, (*written.corpora, *written.packages, *written.pages))), roots)
    return "".join(f"{each}\n" for each in found)


def _tried(root: Path, do: Callable[[], int], err: TextIO) -> int:
    """What is wrong with one copy keeps nobody in the others: it is told, and the status is 2."""
    try:
        return do()
    except _FAULTS as error:
        err.write(f"{root}: {told_of(error)}\n")
        return 2


def _finish(root: Path, removal: Removal, clock: Clock, err: TextIO) -> int:
    """What is left to do in a copy that has nothing of the person, though the work beside it may have."""
    ids = [] if removal.scope else still_known(Corpus(root), removal)
    left = [_leave(root, msgspec.structs.replace(removal, speaker=who, copies=()), clock, err) for who in ids]
    if not any(left):
        caught_up(root, err)
    return max(left, default=0)
