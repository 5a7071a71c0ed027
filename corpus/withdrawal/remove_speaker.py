"""A person leaves an exported corpus, which is changed in place: a copy beside it would keep what has to go.

The list of removals is written first and the manifest last, so that after an interruption the same call finds what is left to
do. Before anything goes, what the transcription desk keeps of the person is shut, so that somebody who has one of the utterances
in hand meanwhile cannot record another word of it.
"""

import datetime
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.apply import originals_of
from corpus.annotation.submitted import finishing
from corpus.dataset import removals
from corpus.dataset.reader import Corpus, speech_name
from corpus.dataset.removals import REMOVALS, Removal, Removals
from corpus.dataset.subset import shared_files
from corpus.formats import layout, manifest
from corpus.formats.errors import FormatFault, told_of
from corpus.formats.manifest import Manifest, SessionEntry, is_in
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.handover.sync_annotations import catch_up
from corpus.io.safe_open import check_inside
from corpus.io.staging import Refused, locked, replace, sweep
from corpus.release.copies import studies_of
from corpus.withdrawal import other_speakers
from corpus.withdrawal.keep_masks import Elsewhere, Kept, Staying, Unread, keep_masks
from session.annotation.store import LOG_FILE, Work, take_of, work_path
from session.store.event_store import DAMAGED
from session.values.clock import Clock, stamp


class Left(msgspec.Struct, frozen=True):
    """What came of it: files that were deleted, facts of the transcription desk that were erased, what of others stays masked."""

    files: int
    facts: int
    kept: Kept


def leave(
    root: Path,
    speaker: str,
    clock: Clock,
    copies: tuple[str, ...] = (),
    err: TextIO | None = None,
    elsewhere: Elsewhere | None = None,
) -> Left:
    """Remove everything of a speaker from the corpus at `root`, and what the transcription desk keeps beside it; the list of
    removals gets these `copies`, by name, and others' texts lose the words that are known `elsewhere` besides. Progress goes to
    `err`.

    Raises `Refused` for a stranger, `FormatFault` or OSError where a part could not be done: then call it again. Later work that
    is damaged stands in the way of nothing else.
    """
    with locked(root):
        corpus, studies = Corpus(root), studies_of(root)
        removal = msgspec.structs.replace(removal_from(corpus, speaker, day_of(clock)), copies=copies)
        sweep(root, originals_of(root))
        removals.add(root, removal)
        _shut(corpus, speaker, clock)
        namesakes = _namesakes(corpus, removal)
        gone = _delete(corpus, speaker)
        delete_originals(root, speaker)
        _rewrite(corpus, speaker, err)
        try:
            kept, erased = _forget_work(root, studies, speaker, namesakes, clock, err, elsewhere or Elsewhere())
        except DAMAGED as error:
            kept, erased = Kept(damaged=(Unread(str(work_path(root)), told_of(error)),)), 0
    if work_path(root).is_file() and not kept.damaged:
        with finishing(work_path(root)) as so_far:
            for fault in catch_up(Corpus(root), so_far.now, err):
                raise fault
    return Left(gone, erased, kept)


def day_of(clock: Clock) -> str:
    """The date that a removal bears."""
    return datetime.datetime.fromtimestamp(clock.wall_ns() / 1e9, datetime.UTC).date().isoformat()


def _shut(corpus: Corpus, speaker: str, clock: Clock) -> None:
    if not work_path(corpus.root).is_file():
        return
    takes = dict[str, str]()
    for path in _logs_of(corpus, speaker):
        with suppress(FormatFault, OSError):  # what a first call has deleted, that call has shut
            takes |= {take: str(stem) for stem, take in corpus.takes(path)}
    with (
        suppress(*DAMAGED),
        closing(Work(work_path(corpus.root))) as work,
    ):  # where it is, no desk can record a word either
        work.shut(speaker, takes, stamp(clock), "experimenter")


def _logs_of(corpus: Corpus, speaker: str) -> list[str]:
    names = ((path, speech_name(path)) for path in corpus.logs)
    return [path for path, name in names if name is not None and name.stem.speaker == speaker]


def _namesakes(corpus: Corpus, removal: Removal) -> frozenset[str]:
    """The takes of other people of the same id in the corpora beside, which share the work: they are of another site, or of
    another study of the site. A corpus that cannot be read tells of nobody."""
    studies = {entry.origin for entry in corpus.manifest.sessions if entry.site == removal.site}
    takes = set[str]()
    for root in sorted(filter(is_in, work_path(corpus.root).parent.iterdir())):
        with suppress(FormatFault, OSError):
            other = Corpus(root)
            entries = [each for each in other.manifest.sessions if each.speaker == removal.speaker]
            if entries and not any(_may_be(each, removal, studies) for each in entries):
                takes |= {take for path in _logs_of(other, removal.speaker) for _, take in other.takes(path)}
    return frozenset(takes)


def _may_be(entry: SessionEntry, removal: Removal, studies: Collection[str]) -> bool:
    """Whether a session of somebody with the same id may be one of who leaves, as far as site and study tell."""
    known = entry.origin and studies and "" not in studies
    return entry.session in removal.sessions or (
        entry.site == removal.site and not (known and entry.origin not in studies)
    )


def still_known(corpus: Corpus, removal: Removal) -> list[str]:
    """The ids under which the person has left a corpus while its later work was damaged, or was killed before she had left that:
    the transcription desk keeps something of her there yet, or may."""
    left = [each for each in removals.held_in(corpus.root).removals if {*each.sessions} & {*removal.sessions}]
    ids = [each for each in left if not each.scope] if work_path(corpus.root).is_file() else []
    try:
        return [each.speaker for each in ids if _is_known(corpus, each)]
    except DAMAGED:
        return [each.speaker for each in ids]


def _is_known(corpus: Corpus, removal: Removal) -> bool:
    with closing(Work(work_path(corpus.root))) as work:
        takes = work.named(frozenset(removal.utterances))
    return bool(takes) and not {*takes} <= _namesakes(corpus, removal)


def removal_from(corpus: Corpus, speaker: str, day: str) -> Removal:
    """What the corpus holds of a speaker, joined with what its list says already; raises `Refused` for a stranger."""
    entries = [entry for entry in corpus.manifest.sessions if entry.speaker == speaker]
    listed = (*corpus.manifest.files, *corpus.manifest.withheld, *corpus.manifest.missing)
    files = [path for path in listed if corpus.speaker_of(path) == speaker]
    known = removals.held_in(corpus.root).whole(speaker)
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
    for directory in layout.SPEECH:
        held += below(corpus, f"{directory}/{speaker}", "*")
    held += below(corpus, layout.DRAFTS, f"{speaker}*")
    for session in corpus.sessions_of(speaker):
        held += below(corpus, f"{layout.UNNUMBERED}/{layout.safe(session)}", "*")
    count = 0
    for path in sorted(set(held)):
        count += (corpus.root / path).is_file()
        (corpus.root / path).unlink(missing_ok=True)
        prune((corpus.root / path).parent, corpus.root)
    return count


def below(corpus: Corpus, folder: str, pattern: str) -> list[str]:
    """The files of a folder of the corpus, those that no manifest lists included; raises `FormatFault` behind a link."""
    check_inside(corpus.root, f"{folder}/")
    own = (corpus.root / folder).rglob(pattern)
    return [path.relative_to(corpus.root).as_posix() for path in own if path.is_symlink() or path.is_file()]


def prune(folder: Path, root: Path) -> None:
    """Delete a folder that has become empty, and those above it, up to `root`."""
    while folder != root and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _rewrite(corpus: Corpus, speaker: str, err: TextIO | None) -> None:
    """What tells of the whole corpus, without the person."""
    before, speakers = corpus.manifest, corpus.speakers().values()
    sessions = tuple(entry for entry in before.sessions if entry.speaker != speaker)
    after = msgspec.structs.replace(
        before,
        rehearsal=any(entry.rehearsal for entry in sessions),
        sessions=sessions,
        files={path: entry for path, entry in before.files.items() if corpus.speaker_of(path) != speaker},
        withheld=tuple(path for path in before.withheld if corpus.speaker_of(path) != speaker),
        missing=tuple(path for path in before.missing if corpus.speaker_of(path) != speaker),
    )
    reseal(corpus, after, [info for info in speakers if info.speaker != speaker], err)


def reseal(corpus: Corpus, after: Manifest, speakers: Iterable[SpeakerInfo], err: TextIO | None) -> None:
    """Make what tells of the whole corpus anew, for the sessions and files of `after`; the manifest is written last."""
    table, left_out = SpeakerTable(tuple(speakers)), sum(after.left_out.values())
    made = shared_files(after.sessions, table, after.files, corpus.read, err=err, left_out=left_out)
    made[REMOVALS] = corpus.read(REMOVALS)
    for path, data in made.items():
        replace(corpus.root / path, data)
    files = after.files | {path: manifest.entry_of(data) for path, data in made.items()}
    replace(corpus.root / layout.MANIFEST, manifest.render(msgspec.structs.replace(after, files=files)))


def _forget_work(
    root: Path,
    studies: Iterable[Path],
    speaker: str,
    namesakes: Collection[str],
    clock: Clock,
    err: TextIO | None,
    elsewhere: Elsewhere,
) -> tuple[Kept, int]:
    """Erase what the transcription desk has recorded of the speaker beside the corpus, and not of `namesakes`.

    Gives what of others stays masked, and how many facts went.
    """
    work_path(root).with_name(LOG_FILE).unlink(missing_ok=True)
    if not (work_path(root).is_file() or elsewhere.words):
        return Kept(), 0
    work = Work(work_path(root))
    try:
        others = _staying(Corpus(root), studies, err)
        kept = keep_masks(work, speaker, others, clock, removals.held_in(root).speakers, elsewhere)
        takes = {*map(take_of, work.streams_of(speaker))} - {*namesakes}
        return kept, work.withdraw(speaker, "experimenter", stamp(clock), takes)
    finally:
        work.close()


def _staying(corpus: Corpus, studies: Iterable[Path], err: TextIO | None) -> Iterator[Staying | Unread]:
    """All others of this corpus, of those beside it, for they share the work, and of the studies that take it."""
    gone = removals.held_in(corpus.root).sessions
    yield from other_speakers.in_corpus(corpus, gone, err)
    yield from other_speakers.in_corpora(work_path(corpus.root).parent, gone, but=corpus.root.resolve(), err=err)
    for study in studies:
        yield from other_speakers.in_study(study, gone, err)


def delete_originals(root: Path, speaker: str) -> None:
    """Delete the person's files as they were before masking, which the desk keeps beside the corpus."""
    originals = originals_of(root)
    for path in (path for path in sorted(originals.rglob("*")) if path.is_file()):
        within = path.relative_to(originals)
        if speaker in within.parts or within.as_posix().startswith(f"{layout.DRAFTS}/{speaker}"):
            path.unlink()
            prune(path.parent, originals)
