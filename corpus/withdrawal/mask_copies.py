"""Takes the masks of who leaves along to corpora that lie elsewhere, each beside work of its own.

A name is marked where somebody transcribed the person, and by that goes from what others say in the corpora beside. A merged or
renamed corpus in another folder, or a part, has other work beside it: what others say of the person there would keep the name
when she has gone and nobody knows it any more. So before anything of her is erased, what is marked beside any corpus of the
family is written into the work beside each, as facts of the withdrawal, or as those of whoever listened to the utterance. From
there it is put into the corpus like any other mark.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.identifying_phrases import Phrase, Phrases
from corpus.annotation.submitted import AllFinished, Finished, FinishedSoFar
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import Removal
from corpus.formats.errors import FormatFault, told_of
from corpus.formats.manifest import is_in
from corpus.handover.earlier_exports import works_of
from corpus.release.copies import Written, family
from corpus.withdrawal import other_speakers
from corpus.withdrawal.keep_masks import WITHDRAWAL, Elsewhere, Kept, Staying, Unread, keep_masks
from corpus.withdrawal.messages import told_of_masks
from session.annotation.store import WORK_FILE, Work, stream_of
from session.annotation.transcript import Transcript
from session.events import Recorded
from session.store.event_store import UNREADABLE
from session.values.clock import Clock

_FAULTS = (*UNREADABLE, FormatFault, OSError)


class _Marks(msgspec.Struct, frozen=True):
    """What is marked in one file of later work of who leaves or has left; what of others' utterances is finished there, by take,
    and where all facts of that are."""

    words: frozenset[Phrase]
    finished: dict[str, Finished]
    streams: dict[str, tuple[Path, str]]


def carry(source: Path, removal: Removal, written: Written, named: Iterable[Phrase], clock: Clock, err: TextIO) -> Kept:
    """Mark the person's names beside the corpus `source` and all that were made of it, as far as they are marked beside other
    corpora of the family, or `named` now; `err` is told. To be called before anything is erased; the same call again changes
    nothing. What is wrong with one of the folders keeps nobody in the others, and is told.

    Raises SecondWriter where somebody works there at that moment.
    """
    places, unread = _family(source, written)
    marks, kept = dict[Path, _Marks](), Kept(unread=unread)
    for path in _works(places, written):
        try:
            marks[path] = _marks(path, places, removal)
        except _FAULTS as error:
            kept += Kept(unread=(Unread(str(path), told_of(error)),))
    corpora = [root for root in dict.fromkeys((source.resolve(), *map(Path, written.corpora))) if is_in(root)]
    for folder in dict.fromkeys(root.parent for root in corpora):
        others = [found for path, found in marks.items() if path.parent != folder]
        words = frozenset({*named, *(words for found in others for words in found.words)})
        roots = [root for root in corpora if root.parent == folder]
        try:
            kept += _into(folder, words, others, roots, removal, clock, err) if words else Kept()
        except _FAULTS as error:
            kept += Kept(unread=(Unread(str(folder), told_of(error)),))
    err.write(told_of_masks(kept, removal.speaker))
    return kept


def _into(
    folder: Path,
    words: frozenset[Phrase],
    others: Sequence[_Marks],
    roots: Sequence[Path],
    removal: Removal,
    clock: Clock,
    err: TextIO,
) -> Kept:
    phrases, path = Phrases(words), folder / WORK_FILE
    left = removals.joined(removals.held_in(root) for root in roots)
    who = sorted({speaker for root in roots for speaker in _ids(root, removal)}) or [removal.speaker]
    gone = {*removal.sessions, *left.sessions}
    if not path.is_file() and not any(_has(each, phrases) for each in other_speakers.in_corpora(folder, gone, err=err)):
        return Kept()
    finished = {take: done for found in others for take, done in found.finished.items()}
    streams = {take: place for found in others for take, place in found.streams.items()}
    work = Work(path)
    try:
        elsewhere = Elsewhere(words, finished, lambda take: _facts_of(*streams[take]), partly=True)
        return keep_masks(
            work, who[0], other_speakers.in_corpora(folder, gone, err=err), clock, left.speakers, elsewhere
        )
    finally:
        work.close()


def _has(found: Staying | Unread, phrases: Phrases) -> bool:
    """Whether one of the words stands in what somebody else said or wrote, or may."""
    return isinstance(found, Unread) or any(phrases.stand_in(text) for text in found.texts)


def _family(source: Path, written: Written) -> tuple[list[Path], tuple[Unread, ...]]:
    """All places that are akin; where a note of them cannot be read, those that are known, and what cannot be read."""
    try:
        return family([source]), ()
    except (FormatFault, OSError) as error:
        return [source, *map(Path, written.corpora)], (Unread("what is noted of copies", told_of(error)),)


def _works(places: Iterable[Path], written: Written) -> list[Path]:
    """The files of later work beside them, and those that somebody named."""
    beside = [place.resolve().parent / WORK_FILE for place in places if is_in(place)]
    return [path for path in dict.fromkeys((*beside, *works_of(written))) if path.is_file()]


def _marks(path: Path, places: Iterable[Path], removal: Removal) -> _Marks:
    beside = [place for place in places if is_in(place) and place.resolve().parent == path.parent]
    ids = {speaker for root in beside for speaker in _ids_or_none(root, removal)} if beside else {removal.speaker}
    work = Work(path)
    try:
        every = FinishedSoFar(work).now()
        transcripts = list(work.transcripts())
    finally:
        work.close()
    own = {each.take for each in transcripts if each.utterance[:3] in ids or _by_withdrawal(each)}
    finished = {take: every[take] for take in every if take not in own}
    return _Marks(
        frozenset(AllFinished({take: every[take] for take in every if take in own}, every.kept).phrases.all),
        finished,
        {each.take: (path, stream_of(each.utterance, each.take)) for each in transcripts if each.take in finished},
    )


def _by_withdrawal(found: Transcript) -> bool:
    return bool(found.authors) and all(author.startswith(WITHDRAWAL) for author in found.authors)


def _ids(root: Path, removal: Removal) -> set[str]:
    return {entry.speaker for entry in Corpus(root).manifest.sessions if entry.session in removal.sessions}


def _ids_or_none(root: Path, removal: Removal) -> set[str]:
    """The ids that the person has in a corpus, or had when she left it, for its work may have been damaged then; none where it
    cannot be read, which whoever looks through it tells."""
    try:
        left = (each for each in removals.held_in(root).removals if {*each.sessions} & {*removal.sessions})
        return _ids(root, removal) | {each.speaker for each in left if not each.scope}
    except (FormatFault, OSError):
        return set()


def _facts_of(path: Path, stream: str) -> list[Recorded]:
    work = Work(path)
    try:
        return work.read(stream)
    finally:
        work.close()
