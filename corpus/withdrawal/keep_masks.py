"""What stays masked when the person leaves who had marked it.

Somebody's name is marked where she says it, and by that goes from what others say and nobody has transcribed. When she withdraws,
her transcription is erased, and with it all knowledge of the name: the next export would hand it over. So before, each such
utterance of other people gets a transcription of its own, with the words marked and all of its sound, for a person to check. A
name that others only wrote, in a remark or an answer, is kept as words to be masked, for the facts that hold it cannot change,
until all of those others have withdrawn too.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

import msgspec

from corpus.annotation import masking
from corpus.annotation.draft_transcription import from_quick
from corpus.annotation.identifying_phrases import Phrase, Phrases
from corpus.annotation.submitted import AllFinished, Finished, FinishedSoFar
from corpus.formats import lexicon, sro
from corpus.formats.log.channels import channels_of
from corpus.formats.log.utterance_names import stem_of
from corpus.formats.log.values import Block, Log
from session.annotation.events import (
    IdentifyingMarked,
    NameKept,
    Pass,
    TranscriptionBegun,
    TranscriptionRevised,
    TranscriptionSubmitted,
    WorkFact,
)
from session.annotation.store import Work, stream_of
from session.annotation.transcript import Transcript
from session.events import Recorded
from session.values.clock import Clock, stamp
from session.values.names import PRIMARY, StemName, ulid

Item = TypeVar("Item")
WITHDRAWAL = "withdrawal of "
"""How the name begins under which facts are recorded by nobody but a withdrawal."""
_OWN_WORDS = frozenset({"Note", "Reason", "Solution", "Blank", "Sentence"})


class Staying(msgspec.Struct, frozen=True):
    """A subject-scenario of somebody who stays, as it was before anything was masked: its log, and all its texts but
    transcriptions; `forms` are questionnaires by the names of their files."""

    stem: StemName
    log: Log
    texts: tuple[str, ...]
    forms: tuple[tuple[str, str], ...] = ()

    def own_words(self) -> Iterator[tuple[str, str]]:
        """What people wrote in words of their own that is no utterance, each with the name of the file in which it stands."""
        records = (record for block in self.log.blocks for record in block.records)
        name = f"{self.stem}.log"
        yield from ((name, value) for record in records for key, value in record.attributes if key in _OWN_WORDS)
        yield from self.forms


class Unread(msgspec.Struct, frozen=True):
    """A place where others may have said something that cannot be read now, and why."""

    place: str
    why: str


class Kept(msgspec.Struct, frozen=True):
    """What stays masked: utterances by name, and how many names that stand elsewhere; `gone` are names that nobody else has any
    more. `near` are utterances, logs and questionnaires with words that are nearly the same: perhaps misspelt, and not masked.
    While something is `unread`, no name is let go, for it may stand there. `damaged` are files of later work in which all that is
    about the person lies yet."""

    utterances: tuple[str, ...] = ()
    names: int = 0
    gone: int = 0
    near: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    damaged: tuple[Unread, ...] = ()

    def __add__(self, other: "Kept") -> "Kept":
        def both(one: tuple[Item, ...], more: tuple[Item, ...]) -> tuple[Item, ...]:
            return tuple(dict.fromkeys((*one, *more)))

        return Kept(
            both(self.utterances, other.utterances),
            self.names + other.names,
            self.gone + other.gone,
            both(self.near, other.near),
            both(self.unread, other.unread),
            both(self.damaged, other.damaged),
        )


class Elsewhere(msgspec.Struct, frozen=True):
    """What is known beside other corpora, or was said by whoever withdraws: `words` that identify the person; what is `finished`
    there of others' utterances, by take, and all facts of it, which `facts` reads. With `partly` more is said than what is
    looked through now, in a study, and no name is let go either. What is `unread` could not be told of the words."""

    words: frozenset[Phrase] = frozenset()
    finished: Mapping[str, Finished] = {}
    facts: Callable[[str], list[Recorded]] = lambda _: []
    partly: bool = False
    unread: tuple[Unread, ...] = ()


def keep_masks(
    work: Work,
    speaker: str,
    scenarios: Iterable[Staying | Unread],
    clock: Clock,
    withdrawn: Collection[str] = (),
    elsewhere: Elsewhere | None = None,
) -> Kept:
    """Mark in other people's utterances what only `speaker`'s transcriptions mark now, or is known `elsewhere`, and keep what
    only their other texts have, or may have where they cannot be read. `scenarios` are those of all others that the work is
    about; `withdrawn` are people who left earlier.
    """
    by, elsewhere = f"{WITHDRAWAL}{speaker}", elsewhere or Elsewhere()
    before = work.kept()
    going = _going(work, speaker, elsewhere.words, by)
    if not going and not before:
        return Kept()
    marking = _Marking(work, going, Phrases((*going.all, *(fact.words for fact in before))), clock, by, elsewhere)
    for scenario in scenarios:
        marking.take(scenario)
    unread = [*elsewhere.unread, *marking.unread]
    left = [words for words in _going(work, speaker, elsewhere.words).all if unread or words in marking.writers]
    names = [NameKept(words=words, speakers=tuple(sorted(marking.writers.get(words, ())))) for words in left]
    work.keep_names(names, stamp(clock), by)
    away = {*marking.staying, *withdrawn, speaker}
    wanted = [fact for fact in before if fact.words in marking.writers or {*fact.speakers} - away]
    if unread or elsewhere.partly:
        wanted = before
    if len(wanted) < len(before):
        work.keep_only([*wanted, *names], speaker, stamp(clock), by)
    return Kept(
        utterances=tuple(marking.utterances.values()),
        names=len(left),
        gone=len(before) - len(wanted),
        near=tuple(dict.fromkeys(marking.near)),
        unread=tuple(dict.fromkeys(marking.unread)),
    )


class _Marking:
    """Goes through what others said and wrote, one subject-scenario after the other, and marks what is `going`."""

    def __init__(
        self, work: Work, going: Phrases, wanted: Phrases, clock: Clock, by: str, elsewhere: Elsewhere
    ) -> None:
        self._work, self._going, self._wanted, self._clock, self._by = work, going, wanted, clock, by
        self._elsewhere = elsewhere
        so_far = FinishedSoFar(work)
        self._every, self._transcripts = so_far.now(), so_far.transcripts
        self._marked = set[str]()
        self.writers = dict[Phrase, set[str]]()
        self.staying = set[str]()
        self.utterances = dict[str, str]()
        self.near = list[str]()
        self.unread = list[Unread]()

    def take(self, scenario: Staying | Unread) -> None:
        """One more."""
        if isinstance(scenario, Unread):
            self.unread.append(scenario)
            return
        self.staying.add(scenario.stem.speaker)
        for words in (words for text in scenario.texts for words in self._wanted.found_in(text)):
            self.writers.setdefault(words, set()).add(scenario.stem.speaker)
        self.near += [name for name, text in scenario.own_words() if self._going.near_in(text)]
        for block in scenario.log.utterances:
            if block.take not in self._marked:
                self._utterance(str(stem_of(block, scenario.stem)), block)

    def _utterance(self, name: str, block: Block) -> None:
        done = self._every.get(block.take)
        said = _public(done) if done else block.typed
        if done is None and self._going.stand_in(said):
            self._mark(name, block)
        elif self._going.near_in(said):
            self.near.append(name)

    def _mark(self, name: str, block: Block) -> None:
        """An utterance of which nobody has finished a transcription here; one that lies elsewhere is taken over, marks or none:
        whoever listened to it has decided. Of one whose speaker has left, and is in a copy yet, nobody records a word: there the
        name goes as a word that is kept."""
        known, done = self._transcripts.get(block.take, Transcript()), self._elsewhere.finished.get(block.take)
        self._marked.add(block.take)
        if known.erased:
            return
        stream = stream_of(name, block.take)
        if done is None or known.events:
            facts = _facts(name, block, known, self._going, self._clock)
            self._work.append(stream, known.events, facts, stamp(self._clock), self._by)
        else:
            self._work.take_over(stream, map(partial(_called, name), self._elsewhere.facts(block.take)))
            if self._going.stand_in(_public(done)):
                return
        self.utterances[block.take] = name


def _called(name: str, recorded: Recorded) -> Recorded:
    """A fact about an utterance that has another name here, where its speaker was given another id."""
    if not isinstance(recorded.event, TranscriptionBegun):
        return recorded
    return msgspec.structs.replace(recorded, event=msgspec.structs.replace(recorded.event, utterance=name))


def _public(done: Finished) -> str:
    """The words of a transcription as they may leave the lab."""
    return " ".join(lexicon.words(masking.masked(done.transcription)))


def _going(work: Work, speaker: str, more: Iterable[Phrase], by: str = "") -> Phrases:
    """The words, `more` of them from elsewhere, that nothing marks here but the transcriptions of `speaker`, and those that are
    `by` a withdrawal, which may have been killed before it came to all utterances that have the words."""
    own = {each.take for each in work.transcripts() if each.utterance.startswith(speaker) or each.authors == (by,)}
    every = FinishedSoFar(work).now()
    staying = AllFinished({take: every[take] for take in every if take not in own}, every.kept)
    return Phrases({*every.phrases.all, *more} - {*staying.phrases.all})


def _facts(name: str, block: Block, before: Transcript, going: Phrases, clock: Clock) -> list[WorkFact]:
    draft = sro.render(from_quick(block.typed)).decode().strip()
    count, rate = _sound(block)
    begun = [] if before.events else [TranscriptionBegun(utterance=name, take=block.take, text=draft, rate=rate)]
    text = going.marked(before.text or draft)
    if not _marked(text):
        text = going.marked(draft)
    if not _marked(text):
        text = f"{sro.Sign.IDENTIFYING_BEGINS} {draft} {sro.Sign.IDENTIFYING_ENDS}"
    marks = range(text.count(sro.Sign.IDENTIFYING_BEGINS) - len(before.spans) if count else 0)
    return [
        *begun,
        TranscriptionRevised(text=text, during=Pass.WORDS, worked=0),
        *(IdentifyingMarked(span=ulid(clock.wall_ns()), first=0, last=count) for _ in marks),
        TranscriptionSubmitted(),
    ]


def _marked(text: str) -> bool:
    return sro.Sign.IDENTIFYING_BEGINS in text and all(each.advice for each in sro.check(text))


def _sound(block: Block) -> tuple[int, int]:
    """Samples and rate of the primary channel; no samples where nothing was recorded."""
    began, ended = block.first("Recording_begin"), block.first("Recording_end")
    rate, _ = channels_of(began).get(PRIMARY, (16_000, "")) if began else (16_000, "")
    counts = [
        value.split(" ")[1] for value in (ended.all("Samples") if ended else ()) if value.startswith(f"{PRIMARY} ")
    ]
    return (int(counts[0]) if counts and counts[0].isdecimal() else 0), rate
