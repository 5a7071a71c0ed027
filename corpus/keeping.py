"""What stays masked when the person leaves who had marked it.

Somebody's name is marked where she says it, and by that goes from what others say and nobody has transcribed. When she withdraws,
her transcription is erased, and with it all knowledge of the name: the next export would hand it over. So before, each such
utterance of other people gets a transcription of its own, with the words marked and all of its sound, for a person to check. A
name that others only wrote, in a remark or an answer, is kept as words to be masked, for the facts that hold it cannot change,
until all of those others have withdrawn too.
"""

from collections.abc import Collection, Iterable

import msgspec

from corpus import sro
from corpus.drafts import from_quick
from corpus.finished import AllFinished, FinishedSoFar
from corpus.log_values import Block, Log
from corpus.phrases import Phrase, Phrases
from corpus.rules.sets import channels_of
from session.clock import Clock, stamp
from session.names import PRIMARY, StemName, ulid
from session.transcript import Transcript
from session.work import Work, stream_of
from session.workfacts import (
    IdentifyingMarked,
    NameKept,
    Pass,
    TranscriptionBegun,
    TranscriptionRevised,
    TranscriptionSubmitted,
    WorkFact,
)


class Staying(msgspec.Struct, frozen=True):
    """A subject-scenario of somebody who stays, as it was before anything was masked: its log, and all its texts but
    transcriptions."""

    stem: StemName
    log: Log
    texts: tuple[str, ...]


class Kept(msgspec.Struct, frozen=True):
    """What stays masked: utterances by name, and how many names that stand elsewhere; `gone` are names that nobody else has any
    more. `near` are utterances with words that are nearly the same: perhaps misspelt, and not masked."""

    utterances: tuple[str, ...] = ()
    names: int = 0
    gone: int = 0
    near: tuple[str, ...] = ()

    def __add__(self, other: "Kept") -> "Kept":
        def both(one: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(dict.fromkeys((*one, *more)))

        return Kept(
            both(self.utterances, other.utterances),
            self.names + other.names,
            self.gone + other.gone,
            both(self.near, other.near),
        )


def keep_masks(
    work: Work, speaker: str, scenarios: Iterable[Staying], clock: Clock, withdrawn: Collection[str] = ()
) -> Kept:
    """Mark in other people's utterances what only `speaker`'s transcriptions mark now, and keep what only their other texts
    have. `scenarios` are those of all others that the work is about; `withdrawn` are people who left earlier.
    """
    by = f"withdrawal of {speaker}"
    going, before = _going(work, speaker, by), work.kept()
    if not going and not before:
        return Kept()
    transcripts, every = {each.take: each for each in work.transcripts()}, FinishedSoFar(work).now()
    wanted = Phrases((*going.all, *(fact.words for fact in before)))
    writers, staying = dict[Phrase, set[str]](), set[str]()
    utterances, near = dict[str, str](), list[str]()
    for scenario in scenarios:
        staying.add(scenario.stem.speaker)
        for words in (words for text in scenario.texts for words in wanted.found_in(text)):
            writers.setdefault(words, set()).add(scenario.stem.speaker)
        for block in (block for block in scenario.log.utterances if block.take not in every):
            name = str(msgspec.structs.replace(scenario.stem, utterance=block.number, mic="x"))
            if block.take in utterances:
                continue
            if going.stand_in(block.typed):
                known = transcripts.get(block.take, Transcript())
                facts = _facts(name, block, known, going, clock)
                work.append(stream_of(name, block.take), known.events, facts, stamp(clock), by)
                utterances[block.take] = name
            elif going.near_in(block.typed):
                near.append(name)
    left = [words for words in _going(work, speaker).all if words in writers]
    names = [NameKept(words=words, speakers=tuple(sorted(writers[words]))) for words in left]
    work.keep_names(names, stamp(clock), by)
    away = {*staying, *withdrawn, speaker}
    still = [fact for fact in before if fact.words in writers or {*fact.speakers} - away]
    if len(still) < len(before):
        work.keep_only([*still, *names], speaker, stamp(clock), by)
    return Kept(tuple(utterances.values()), len(left), len(before) - len(still), tuple(dict.fromkeys(near)))


def _going(work: Work, speaker: str, by: str = "") -> Phrases:
    """The words that nothing marks but the transcriptions of `speaker`, and those that are `by` a withdrawal, which may have
    been killed before it came to all utterances that have the words."""
    own = {each.take for each in work.transcripts() if each.utterance.startswith(speaker) or each.authors == (by,)}
    every = FinishedSoFar(work).now()
    staying = AllFinished({take: every[take] for take in every if take not in own}, every.kept)
    return Phrases({*every.phrases.all} - {*staying.phrases.all})


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
