"""What stays masked when the person leaves who had marked it.

Somebody's name is marked where she says it, and by that goes from what others say and nobody has transcribed. When she withdraws,
her transcription is erased, and with it all knowledge of the name: the next export would hand it over. So before, each such
utterance of other people gets a transcription of its own, with the words marked and all of its sound, for a person to check. A
name that others only wrote, in a remark or an answer, is kept as words to be masked: the facts that hold it cannot change.
"""

from collections.abc import Iterable

import msgspec

from corpus import sro
from corpus.drafts import from_quick
from corpus.finished import AllFinished, FinishedSoFar
from corpus.log_values import Block, Log
from corpus.phrases import Phrases
from corpus.rules.sets import channels_of
from session.clock import Clock, stamp
from session.names import PRIMARY, StemName, ulid
from session.transcript import Transcript
from session.work import Work, stream_of
from session.workfacts import (
    IdentifyingMarked,
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
    """What stays masked: utterances by name, and how many names that stand elsewhere."""

    utterances: tuple[str, ...] = ()
    names: int = 0


def keep_masks(work: Work, speaker: str, scenarios: Iterable[Staying], clock: Clock) -> Kept:
    """Mark in other people's utterances what only `speaker`'s transcriptions mark now, and keep what only their other texts
    have. `scenarios` are those of all others that the work is about.
    """
    going = _going(work, speaker)
    if not going:
        return Kept()
    by = f"withdrawal of {speaker}"
    transcripts, every = {each.take: each for each in work.transcripts()}, FinishedSoFar(work).now()
    utterances, texts = list[str](), list[str]()
    for scenario in scenarios:
        texts += [text for text in scenario.texts if going.stand_in(text)]
        for block in scenario.log.utterances:
            if block.take not in every and going.stand_in(block.typed):
                name = str(msgspec.structs.replace(scenario.stem, utterance=block.number, mic="x"))
                before = transcripts.get(block.take, Transcript())
                facts = _facts(name, block, before, going, clock)
                work.append(stream_of(name, block.take), before.events, facts, stamp(clock), by)
                utterances.append(name)
    left = _going(work, speaker)
    names = [each for each in left.all if any(Phrases([each]).stand_in(text) for text in texts)]
    work.keep_names(names, stamp(clock), by)
    return Kept(tuple(utterances), len(names))


def _going(work: Work, speaker: str) -> Phrases:
    """The words that nothing marks but the transcriptions of `speaker`."""
    own = {each.take for each in work.transcripts() if each.utterance.startswith(speaker)}
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
