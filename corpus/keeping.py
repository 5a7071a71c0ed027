"""What stays masked when the person leaves who had marked it.

Somebody's name is marked where she says it, and by that goes from what others say and nobody has transcribed. When she withdraws,
her transcription is erased, and with it all knowledge of the name: the next export would hand it over. So before, each such
utterance of other people gets a transcription of its own, with the words marked and all of its sound, for a person to check.
"""

from collections.abc import Iterable

import msgspec

from corpus import sro
from corpus.drafts import from_quick
from corpus.finished import AllFinished, finished_of
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


def keep_masks(work: Work, speaker: str, scenarios: Iterable[tuple[StemName, Log]], clock: Clock) -> list[str]:
    """Mark in other people's utterances what only `speaker`'s transcriptions mark now; the names of those utterances.

    `scenarios` are all subject-scenarios that the work is about, their logs as they were before anything was masked.
    """
    transcripts = {each.take: each for each in work.transcripts()}
    every = _finished(transcripts.values())
    staying = _finished(each for each in transcripts.values() if not each.utterance.startswith(speaker))
    going = Phrases({*every.phrases.all} - {*staying.phrases.all})
    kept: list[str] = []
    for stem, log in scenarios if going else ():
        for block in log.utterances if stem.speaker != speaker else ():
            if block.take not in every and going.stand_in(block.typed):
                name = str(msgspec.structs.replace(stem, utterance=block.number, mic="x"))
                before = transcripts.get(block.take, Transcript())
                facts = _facts(name, block, before, going, clock)
                work.append(stream_of(name, block.take), before.events, facts, stamp(clock), f"withdrawal of {speaker}")
                kept.append(name)
    return kept


def _finished(transcripts: Iterable[Transcript]) -> AllFinished:
    found = {each.take: finished_of(each) for each in transcripts}
    return AllFinished({take: finished for take, finished in found.items() if finished is not None})


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
