"""A recogniser's words in the logs: their error rate, their delay, and a person's corrections.

The draft is the likeliest of the final hypotheses. It is compared with what a person typed for the same utterance in the
session, and against the transcription that was made later and checked; drafts of transcriptions are no reference.
"""

from collections.abc import Iterable, Sequence

import msgspec

from corpus.analysis.distribution import Distribution, spread
from corpus.analysis.word_alignment import WordErrors, compared, count
from corpus.formats import sro
from corpus.formats.log.log_values import Record, RecordBlock
from session.values.vocabulary import ProposalVerdict, Role, Stage

_MASK = f"[{sro.MASKED}]"


class Recognised(msgspec.Struct, frozen=True, gc=False):
    """One utterance: `verdict` is empty if nobody judged the words, `choice` the place of the hypothesis that was taken, from
    1; errors are None if there is nothing to hold the words against. `took_s` runs from the end of the take."""

    engine: str
    took_s: float
    words: int
    verdict: str = ""
    choice: int = 1
    against_wizard: WordErrors | None = None
    against_transcription: WordErrors | None = None
    put_in: WordErrors | None = None


class RecognitionRow(msgspec.Struct, frozen=True):
    """The utterances that one engine recognised under one condition. `as_is` were taken as they were, `others` of these by
    another hypothesis than the first. `put_in` are errors made on purpose, against the engine's own words."""

    engine: str
    condition: str
    utterances: int
    as_is: int
    others: int
    edited: int
    rejected: int
    against_wizard: WordErrors
    against_transcription: WordErrors
    put_in: WordErrors
    took_s: Distribution | None

    @property
    def as_is_share(self) -> float | None:
        """The share of the words that a person judged and took as they were."""
        judged = self.as_is + self.edited + self.rejected
        return self.as_is / judged if judged else None


def recognised(block: RecordBlock, transcription: Sequence[str] | None) -> Recognised | None:
    """Return a recogniser's words for an utterance; `transcription` are the words of a checked one. None without a recogniser."""
    final = [record for record in block.all("Hypothesis_received") if record.get("Final") == "yes"]
    if not final:
        return None
    text = _text(final[-1])
    words = compared(text)
    judged = [record for record in block.all("Output_judged") if record.get("Stage") == Stage.RECOGNITION]
    typed = [record for record in block.all("Transcription_sent") if record.by != Role.RECOGNISER]
    return Recognised(
        engine=final[-1].get("Engine"),
        took_s=int(final[-1].get("Took") or 0) / 1e9,
        words=len(words),
        verdict=judged[-1].get("Verdict") if judged else "",
        choice=int(judged[-1].get("Choice") or 1) if judged else 1,
        against_wizard=_errors(typed[-1].get("Utterance"), text) if typed else None,
        against_transcription=None if transcription is None else _errors(" ".join(transcription), text),
        put_in=_errors(original, text) if (original := final[-1].get("Original")) else None,
    )


def _errors(reference: str, text: str) -> WordErrors | None:
    """Return the errors of an utterance; None if words are masked, which are neither right nor wrong."""
    return None if _MASK in reference or _MASK in text else count(compared(reference), compared(text))


def _text(record: Record) -> str:
    """Return the likeliest hypothesis, behind its confidence; empty if the recogniser understood nothing."""
    return next(iter(record.all("Hypothesis")), "").partition(" ")[2]


def recognition_rows(found: Iterable[tuple[str, Recognised]]) -> list[RecognitionRow]:
    """Return the figures by engine and condition; `found` are conditions and utterances."""
    groups: dict[tuple[str, str], list[Recognised]] = {}
    for condition, judgement in found:
        groups.setdefault((judgement.engine, condition), []).append(judgement)
    return [_row(engine, condition, own) for (engine, condition), own in sorted(groups.items())]


def _row(engine: str, condition: str, own: Sequence[Recognised]) -> RecognitionRow:
    verdicts = [judgement.verdict for judgement in own]
    return RecognitionRow(
        engine=engine,
        condition=condition,
        utterances=len(own),
        as_is=verdicts.count(ProposalVerdict.ACCEPTED),
        others=sum(judgement.verdict == ProposalVerdict.ACCEPTED and judgement.choice > 1 for judgement in own),
        edited=verdicts.count(ProposalVerdict.EDITED),
        rejected=verdicts.count(ProposalVerdict.REJECTED),
        against_wizard=sum(
            (judgement.against_wizard for judgement in own if judgement.against_wizard is not None), WordErrors()
        ),
        against_transcription=sum(
            (judgement.against_transcription for judgement in own if judgement.against_transcription is not None),
            WordErrors(),
        ),
        put_in=sum((judgement.put_in for judgement in own if judgement.put_in is not None), WordErrors()),
        took_s=spread(judgement.took_s for judgement in own),
    )
