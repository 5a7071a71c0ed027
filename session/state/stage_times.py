"""Times of the stages of a reply: seconds from the end of speaking to each stage, by utterance, from the facts alone.

All moments are the hub's own, so that no clock has to be trusted but one. The wizard hears live: an utterance is heard when the
recording stops (typed: at its submission).
"""

import statistics
from collections.abc import Iterable, Sequence

import msgspec

from session import events as e
from session.state.fold import elapsed
from session.values.clock import SECOND, Stamp


class Stages(msgspec.Struct, frozen=True):
    """Seconds after the utterance was heard; None for what did not happen. `attempts` are the queries in their order."""

    take: str
    transcribed: float | None = None
    seen: float | None = None
    attempts: tuple[float, ...] = ()
    previewed: float | None = None
    sent: float | None = None
    shown: float | None = None


class StageSpread(msgspec.Struct, frozen=True):
    """The number of utterances, and the median and longest seconds."""

    count: int
    median: float
    longest: float


class Stopwatch:
    """Takes in facts as they come; any order gives a result, in the stream's own order it is the right one."""

    def __init__(self) -> None:
        self._heard: dict[str, Stamp] = {}
        self._stages: dict[str, Stages] = {}
        self._take_of: dict[str, str] = {}

    def add(self, recorded: e.Recorded) -> None:
        """Note what the fact tells."""
        event, at = recorded.event, recorded.at
        match event:
            case e.RecordingStopped() | e.UtteranceTyped():
                self._heard.setdefault(event.take, at)
                self._stages.setdefault(event.take, Stages(event.take))
            case e.TakeDiscarded():
                self._stages.pop(event.take, None)
            case e.Transcribed():
                self._first(event.take, "transcribed", at)
            case e.TranscriptionShown():
                self._first(event.take, "seen", at)
            case e.QuerySubmitted():
                self._take_of[event.attempt] = event.take
                if (known := self._stages.get(event.take)) is not None:
                    attempts = (*known.attempts, self._since(event.take, at))
                    self._stages[event.take] = msgspec.structs.replace(known, attempts=attempts)
            case e.AnswerPreviewed():
                self._last(self._take_of.get(event.attempt, ""), "previewed", at)
            case e.AnswerSent() | e.CannedSent():
                self._take_of[event.reply] = event.take
                self._first(event.take, "sent", at)
            case e.ReplyShown() | e.PlaybackStarted():
                self._first(self._take_of.get(event.reply, ""), "shown", at)
            case _:
                pass

    def _since(self, take: str, at: Stamp) -> float:
        return round(elapsed(self._heard[take], at) / SECOND, 3)

    def _first(self, take: str, stage: str, at: Stamp) -> None:
        known = self._stages.get(take)
        if known is not None and getattr(known, stage) is None:
            self._last(take, stage, at)

    def _last(self, take: str, stage: str, at: Stamp) -> None:
        if (known := self._stages.get(take)) is not None:
            self._stages[take] = msgspec.structs.replace(known, **{stage: self._since(take, at)})

    @property
    def stages(self) -> tuple[Stages, ...]:
        """The utterances in the order in which they were heard, taken back ones left out."""
        return tuple(self._stages.values())


def stages_of(facts: Iterable[e.Recorded]) -> tuple[Stages, ...]:
    """The stages of every utterance of a session."""
    watch = Stopwatch()
    for recorded in facts:
        watch.add(recorded)
    return watch.stages


SPANS = {
    "heard to transcribed": ("", "transcribed"),
    "transcribed to seen": ("transcribed", "seen"),
    "seen to first query": ("seen", "first"),
    "first to last query": ("first", "last"),
    "last query to previewed": ("last", "previewed"),
    "previewed to sent": ("previewed", "sent"),
    "sent to shown": ("sent", "shown"),
    "heard to shown": ("", "shown"),
}
"""The stretches between stages that are told: where they begin and end."""


def spreads(found: Sequence[Stages]) -> dict[str, StageSpread]:
    """Median and longest seconds of each stretch, for stretches that occur."""
    result = {}
    for name, (begin, end) in SPANS.items():
        pairs = [(_at(turn_times, begin), _at(turn_times, end)) for turn_times in found]
        seconds = [after - before for before, after in pairs if before is not None and after is not None]
        if seconds:
            result[name] = StageSpread(len(seconds), round(statistics.median(seconds), 3), round(max(seconds), 3))
    return result


def _at(stages: Stages, stage: str) -> float | None:
    match stage:
        case "":
            return 0.0
        case "first" | "last":
            return stages.attempts[0 if stage == "first" else -1] if stages.attempts else None
        case _:
            found: float | None = getattr(stages, stage)
            return found
