"""The page of figures at the end of a rehearsal or a session: counts, delays and findings, all from the events."""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from corpus.verify.rules.findings import Severity
from rehearsal.session_run import Rehearsed
from session import events as e
from session.state.fold import SessionState, Take, fold
from session.values.clock import SECOND
from session.values.vocabulary import AudioTrouble


def page(rehearsed: Rehearsed) -> str:
    """The figures as text, a line each."""
    state = fold(rehearsed.facts)
    lines = [
        f"session {rehearsed.session}",
        "",
        *_counts(state, rehearsed.facts),
        "",
        *_delays(state, rehearsed.facts),
        "",
    ]
    findings = Counter(finding.severity for finding in rehearsed.report.findings)
    lines += [
        _row("files exported", rehearsed.exported.files),
        _row("of them drafts", rehearsed.exported.drafts),
        *(_row(f"findings, {severity}", findings[severity]) for severity in Severity),
        _row("seconds in all", f"{rehearsed.seconds:.1f}"),
        _row("head of the chain", rehearsed.head),
    ]
    return "\n".join(lines) + "\n"


def _row(label: str, value: object) -> str:
    return f"{label:<44}{value}"


def _counts(state: SessionState, facts: Sequence[e.Recorded]) -> list[str]:
    kinds = Counter(type(recorded.event).__name__ for recorded in facts)
    takes = list(state.takes.values())
    practice = [take for take in takes if take.run is not None and state.runs[take.run].number is None]
    outcomes = Counter(str(run.outcome) for run in state.runs if run.number is not None)
    reworded = sum(len(take.attempts) > 1 for take in takes)
    sealed = [take for take in takes if take.stopped is not None]
    lost = sum(trouble.samples for take in takes for trouble in take.troubles if trouble.trouble in _LOST)
    return [
        _row("scenarios", sum(run.number is not None for run in state.runs)),
        *(_row(f"  {outcome}", count) for outcome, count in sorted(outcomes.items())),
        _row("utterances", sum(take.number is not None for take in takes)),
        _row("  practice, besides", sum(take.accepted for take in practice)),
        _row("  discarded, besides", sum(take.discarded for take in takes)),
        _row("answers from the database", kinds["AnswerSent"]),
        _row("canned messages", kinds["CannedSent"]),
        _row("queries that failed", kinds["QueryFailed"]),
        _row("utterances reworded behind the curtain", reworded),
        _row("seconds of speech", f"{_speech_seconds(takes):.1f}"),
        _row("samples in gaps", lost),
        _row("takes confirmed by the hub", f"{sum(take.confirmed for take in sealed)} of {len(sealed)}"),
        _row("events", len(facts)),
    ]


_LOST = (AudioTrouble.OVERFLOW, AudioTrouble.STALL, AudioTrouble.GAP)


def _speech_seconds(takes: Iterable[Take]) -> float:
    return sum(take.sealed[0].samples / take.channels[0].rate for take in takes if take.sealed and take.channels)


def _delays(state: SessionState, facts: Sequence[e.Recorded]) -> list[str]:
    """Seconds on the hub's clock between the stages of the utterances that were answered."""
    first: dict[tuple[str, str], int] = {}
    for recorded in facts:
        for stage, take in _stages(recorded.event, state):
            first.setdefault((take, stage), recorded.at.mono)
    spans = [
        ("speech ended to transcribed", "stopped", "transcribed"),
        ("transcribed to seen by the subject", "transcribed", "seen"),
        ("seen to first query", "seen", "asked"),
        ("first query to reply sent", "asked", "sent"),
        ("reply sent to reply shown", "sent", "shown"),
        ("speech ended to reply shown", "stopped", "shown"),
    ]
    lines = [_row("seconds between stages", "median      longest")]
    for label, begin, end in spans:
        values = [
            (first[take, end] - first[take, begin]) / SECOND
            for take in state.takes
            if (take, begin) in first and (take, end) in first
        ]
        if values:
            lines.append(_row(f"  {label}", f"{statistics.median(values):8.3f}  {max(values):8.3f}"))
    return lines


def _stages(event: e.Fact, state: SessionState) -> list[tuple[str, str]]:
    match event:
        case e.RecordingStopped():
            return [("stopped", event.take)]
        case e.Transcribed():
            return [("transcribed", event.take)]
        case e.TranscriptionShown():
            return [("seen", event.take)]
        case e.QuerySubmitted():
            return [("asked", event.take)]
        case e.AnswerSent() | e.CannedSent():
            return [("sent", event.take)]
        case e.ReplyShown() | e.PlaybackStarted():
            return [("shown", state.replies[event.reply].take)] if event.reply in state.replies else []
        case _:
            return []
