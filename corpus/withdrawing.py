"""`curtain withdraw`: a person leaves a study or an exported corpus, and a list says what earlier exports must drop.

In a study the list is written first, while the names are still known, and every later export carries it. An exported corpus
is changed in place, the one thing ever to be: a copy beside it would keep what has to go. The manifest is written
last, so that after an interruption the same call finds what is left to do.
"""

import datetime
from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import msgspec

from corpus import layout, logfile, manifest, removals
from corpus.directory import Refused, is_corpus, replace, sweep
from corpus.faults import FormatFault
from corpus.finished import finished_in
from corpus.inside import check_inside
from corpus.keeping import Kept, Staying, keep_masks
from corpus.log_writer import logs_of
from corpus.manifest import Manifest
from corpus.reading import Corpus, speech_name
from corpus.rebuilding import shared_files
from corpus.removals import REMOVALS, Removal, Removals
from corpus.rewriting import Rewriting, locked, originals_of, rewrite, unescaped
from corpus.session_files import Options, files_of
from corpus.source import Collected
from corpus.spkrinfo import SpeakerTable
from corpus.written import drop_unfinished, held_in, packages_with, works_of
from session import opening, withdrawal
from session.clock import Clock, stamp
from session.names import check_speaker
from session.store import SecondWriter, Store, StoreUnavailable
from session.studyfolder import Study, load
from session.tomlfile import StudyError
from session.versions import DamagedEvent, NewerEvent
from session.work import LOG_FILE, Work, work_path

_FAULTS = (
    FormatFault,
    Refused,
    StudyError,
    StoreUnavailable,
    SecondWriter,
    NewerEvent,
    DamagedEvent,
    withdrawal.StillRunning,
    OSError,
    ValueError,
)


def withdraw_command(
    target: str,
    speaker: str,
    spools: Sequence[str],
    dry_run: bool,
    clock: Clock,
    out: TextIO,
    err: TextIO,
    logs: Sequence[Path] = (),
) -> int:
    """Remove a speaker from a study folder or an exported corpus; `spools` are folders with one folder a session, `logs`
    technical logs of this machine, which may hold anything.

    The removal goes to `out` as JSON, what was done to `err`. With `dry_run` nothing changes. 1 when copies are left that this
    command does not touch, 2 when the call is wrong or something could not be done: then call it again.
    """
    root = Path(target)
    try:
        check_speaker(speaker)
        if is_corpus(root):
            return _corpus(root, speaker, dry_run, clock, out, err)
        status = _study(load(root), speaker, [Path(spool) for spool in spools], dry_run, clock, out, err)
        for log in () if dry_run else logs:
            log.unlink(missing_ok=True)
        return status
    except _FAULTS as error:
        err.write(f"{error}\n")
        return 2


# --- a study --------------------------------------------------------------------------------------------------------------


def _study(
    study: Study, speaker: str, spools: Sequence[Path], dry_run: bool, clock: Clock, out: TextIO, err: TextIO
) -> int:
    store = Store(study.store_url)
    try:
        removal = removal_of(study, store, speaker, _day(clock))
        out.write(_shown(removal))
        if dry_run:
            err.write(f"nothing was changed; speaker {speaker} has {len(removal.sessions)} sessions\n")
            return 0
        _add(study.folder, removal)
        facts, holders = _forget_written(study, store, removal, withdrawal.takes_of(store, removal.sessions), clock)
        left_over = drop_unfinished(study.folder)
        second = study.second_copy
        copies = [second] if second is not None and second.is_dir() else []
        erased = withdrawal.erase(study, store, speaker, [*spools, *copies], clock)
    finally:
        store.close()
    err.write(
        f"speaker {speaker}: {erased.payloads} facts erased in {len(erased.sessions)} sessions, "
        f"{erased.files} files deleted; earlier exports must drop what {study.folder / REMOVALS} names\n"
    )
    for path in left_over:
        err.write(f"{path}, left by an export that was interrupted, was deleted\n")
    if facts:
        err.write(f"{facts} facts of the transcription desk erased beside its exports\n")
    for path in (*erased.traces, *holders):
        err.write(f"{path} still holds takes of {speaker}: run curtain withdraw on that corpus, or delete the file\n")
    packages = packages_with(study.folder, removal.sessions)
    for path in packages:
        err.write(
            f"{path} still holds {speaker} in another format: delete it, and make it anew with curtain export --as\n"
        )
    lost = second is not None and not copies
    if lost:
        names = ", ".join(removal.sessions)
        err.write(f"{second} is not there: when the disk is, call this again, or delete {names} on it\n")
    return 1 if erased.traces or holders or packages or lost else 0


def _forget_written(
    study: Study, store: Store, removal: Removal, takes: Container[str], clock: Clock
) -> tuple[int, list[Path]]:
    """Erase what people did on the speaker's utterances beside the study's exports; facts that went, exports that still hold
    the speaker."""
    facts, holders = 0, list[Path]()
    known = held_in(study.folder)
    for path in works_of(known):
        work = Work(path)
        try:
            keep_masks(work, removal.speaker, _others(store, removal), clock)
            facts += work.withdraw(removal.speaker, "experimenter", stamp(clock), takes)
        finally:
            work.close()
        path.with_name(LOG_FILE).unlink(missing_ok=True)
    for root in map(Path, known.corpora):
        if not root.exists():
            _delete_originals(root, removal.speaker)
        elif (root / layout.MANIFEST).is_file() and {*Corpus(root).sessions} & {*removal.sessions}:
            holders.append(root)
    return facts, holders


def _others(store: Store, removal: Removal) -> Iterator[Staying]:
    """All sessions that stay and can be read."""
    for name in opening.sessions(store):
        if name in removal.sessions:
            continue
        with suppress(ValueError, StoreUnavailable, NewerEvent, DamagedEvent):
            collected = Collected(name, store.read(name))
            files = [file for file in files_of(collected, _Silence(), Options()) if file.data]
            texts = [unescaped(file.data) for file in files if not file.path.endswith((".sro", ".lsn"))]
            for found in logs_of(collected.facts):
                yield Staying(found.stem, found.log, tuple(texts))
                texts.clear()


def removal_of(study: Study, store: Store, speaker: str, day: str) -> Removal:
    """What a study's exports may hold of a speaker, joined with what the list says already; raises `Refused` for a stranger."""
    sessions = withdrawal.sessions_of(store, speaker)
    known = [each for each in removals.held_in(study.folder).removals if each.speaker == speaker]
    if not sessions and not known:
        raise Refused(f"no session of {study.folder} has speaker {speaker}; curtain sessions {study.folder} lists them")
    found = [_named(speaker, study.site, day, Collected(name, store.read(name))) for name in sessions]
    return removals.joined([Removals((each,)) for each in (*known, *found)]).removals[0]


class _Silence:
    """A source that holds nothing: names of files do not depend on what is in them."""

    def sessions(self) -> list[Collected]:
        return []

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        return None

    def protocol_file(self, sha256: str) -> bytes | None:
        return None


def _named(speaker: str, site: str, day: str, collected: Collected) -> Removal:
    try:
        logs = logs_of(collected.facts)
        files = {file.path for file in files_of(collected, _Silence(), Options(unnumbered=True))}
    except (ValueError, Refused):
        return Removal(speaker, site, day, (collected.session,), (), ())
    stems = {
        str(msgspec.structs.replace(written.stem, utterance=block.number, mic="x"))
        for written in logs
        for block in written.log.utterances
    }
    return Removal(speaker, site, day, (collected.session,), tuple(sorted(stems)), tuple(sorted(files)))


# --- an exported corpus ---------------------------------------------------------------------------------------------------


def _corpus(root: Path, speaker: str, dry_run: bool, clock: Clock, out: TextIO, err: TextIO) -> int:
    if dry_run:
        removal = _removal_from(Corpus(root), speaker, _day(clock))
        out.write(_shown(removal))
        err.write(f"nothing was changed; {len(removal.files)} files are of speaker {speaker}\n")
        return 0
    with locked(root):
        corpus = Corpus(root)
        removal = _removal_from(corpus, speaker, _day(clock))
        out.write(_shown(removal))
        sweep(root, originals_of(root))
        _add(root, removal)
        gone = _delete(corpus, speaker)
        _rewrite(corpus, speaker)
        kept, erased = _forget_work(corpus, speaker, clock)
    if work_path(root).is_file():
        rewrite(Corpus(root), finished_in(work_path(root)))
    if kept.utterances:
        err.write(
            f"{len(kept.utterances)} utterances of others, {kept.utterances[0]} the first, have words that only {speaker}'s "
            "transcriptions marked: they stay masked, for somebody to check at the transcription desk\n"
        )
    if kept.names:
        err.write(
            f"{kept.names} names that only {speaker}'s transcriptions marked stand in what others wrote or got as answers: "
            "they stay masked\n"
        )
    err.write(
        f"speaker {speaker}: {gone} files deleted, {erased} facts of later work erased; {root / REMOVALS} names them\n"
    )
    return 0


def _removal_from(corpus: Corpus, speaker: str, day: str) -> Removal:
    entries = [entry for entry in corpus.manifest.sessions if entry.speaker == speaker]
    listed = (*corpus.manifest.files, *corpus.manifest.withheld, *corpus.manifest.missing)
    files = [path for path in listed if corpus.speaker_of(path) == speaker]
    known = [each for each in removals.held_in(corpus.root).removals if each.speaker == speaker]
    if not entries and not files and not known:
        raise Refused(
            f"{corpus.root} has no speaker {speaker}; its speakers are {' '.join(corpus.speakers()) or 'none'}"
        )
    names = [name.stem for name in map(speech_name, files) if name is not None and name.stem.utterance]
    stems = sorted({str(msgspec.structs.replace(stem, mic="x")) for stem in names})
    site = entries[0].site if entries else ""
    sessions = tuple(sorted(entry.session for entry in entries))
    found = Removal(speaker, site, day, sessions, tuple(stems), tuple(sorted(set(files))))
    return removals.joined([Removals((each,)) for each in (*known, found)]).removals[0]


def _delete(corpus: Corpus, speaker: str) -> int:
    """The person's files, those that no manifest lists included."""
    held = [path for path in corpus.manifest.files if corpus.speaker_of(path) == speaker]
    for path in held:
        check_inside(corpus.root, path)
    for directory in sorted(set(layout.DIRECTORIES.values())):
        check_inside(corpus.root, f"{directory}/{speaker}/")
        own = (corpus.root / directory / speaker).rglob("*")
        held += [path.relative_to(corpus.root).as_posix() for path in own if path.is_symlink() or path.is_file()]
    count = 0
    for path in sorted(set(held)):
        count += (corpus.root / path).is_file()
        (corpus.root / path).unlink(missing_ok=True)
        _prune((corpus.root / path).parent, corpus.root)
    return count


def _prune(folder: Path, root: Path) -> None:
    while folder != root and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _rewrite(corpus: Corpus, speaker: str) -> None:
    """What tells of the whole corpus, without the person; the manifest last."""
    before = corpus.manifest
    sessions = tuple(entry for entry in before.sessions if entry.speaker != speaker)
    files = {path: entry for path, entry in before.files.items() if corpus.speaker_of(path) != speaker}
    table = SpeakerTable(tuple(info for info in corpus.speakers().values() if info.speaker != speaker))
    made = shared_files(sessions, table, files, corpus.read)
    made[REMOVALS] = corpus.read(REMOVALS)
    for path, data in made.items():
        replace(corpus.root / path, data)
        files[path] = manifest.entry_of(data)
    kept = {
        kind: tuple(p for p in getattr(before, kind) if corpus.speaker_of(p) != speaker)
        for kind in ("withheld", "missing")
    }
    after = Manifest(before.format, any(entry.rehearsal for entry in sessions), sessions, files, **kept)
    replace(corpus.root / layout.MANIFEST, manifest.render(after))


def _forget_work(corpus: Corpus, speaker: str, clock: Clock) -> tuple[Kept, int]:
    """Erase what the transcription desk keeps beside the corpus: facts, and files as they were before masking.

    Gives what of others stays masked, and how many facts went.
    """
    root = corpus.root
    work_path(root).with_name(LOG_FILE).unlink(missing_ok=True)
    if not work_path(root).is_file():
        _delete_originals(root, speaker)
        return Kept(), 0
    work = Work(work_path(root))
    try:
        kept = keep_masks(work, speaker, _before_masks(corpus, speaker), clock)
        _delete_originals(root, speaker)
        return kept, work.withdraw(speaker, "experimenter", stamp(clock))
    finally:
        work.close()


def _before_masks(corpus: Corpus, speaker: str) -> Iterator[Staying]:
    """All others."""
    rewriting = Rewriting(corpus.root)
    for path in corpus.logs:
        name = speech_name(path)
        if name is not None and name.stem.speaker != speaker:
            texts = tuple(unescaped(rewriting.original(each)) for each in corpus.texts(path))
            yield Staying(name.stem, logfile.parse(rewriting.original(path), path), texts)


def _delete_originals(root: Path, speaker: str) -> None:
    originals = originals_of(root)
    for path in (path for path in sorted(originals.rglob("*")) if path.is_file()):
        within = path.relative_to(originals)
        if speaker in within.parts or within.as_posix().startswith(f"{layout.DRAFTS}/{speaker}"):
            path.unlink()
            _prune(path.parent, originals)


# --- the list -------------------------------------------------------------------------------------------------------------


def _add(folder: Path, removal: Removal) -> None:
    replace(folder / REMOVALS, removals.render(removals.joined([removals.held_in(folder), Removals((removal,))])))


def _shown(removal: Removal) -> str:
    return msgspec.json.format(msgspec.json.encode(removal), indent=1).decode() + "\n"


def _day(clock: Clock) -> str:
    return datetime.datetime.fromtimestamp(clock.wall_ns() / 1e9, datetime.UTC).date().isoformat()
