"""One rater's judgements of one dialogue as a fold over its facts, and the names of the streams in which such facts lie."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec import structs

from session.annotation.judgement_facts import JudgingBegun, JudgingReopened, ScenarioJudged, TurnJudged, TurnTakenBack
from session.annotation.transcript import TranscriptState
from session.events import Recorded, SpeakerWithdrawn
from session.events.link import Redacted

JUDGING, JUDGING_RULING = "judging", "judging-ruling"
RATERS, RUBRIC = "judging-raters", "judging-rubric"


class JudgingStream(NamedTuple):
    """A stream about a dialogue: the rater's key, and the take of its first utterance; a ruling is nobody's own."""

    kind: str
    dialogue: str
    who: str
    take: str

    def __str__(self) -> str:
        return "/".join(self)

    @classmethod
    def parse(cls, stream: str) -> "JudgingStream | None":
        """The parts of a stream's name; None for one that is about something else.

        >>> JudgingStream.parse("judging/8k8001sx/anna/01JD3").dialogue
        '8k8001sx'
        """
        kind, *parts = stream.split("/")
        return cls(kind, *parts) if kind in (JUDGING, JUDGING_RULING) and len(parts) == 3 else None


class Judged(msgspec.Struct, frozen=True):
    """Turns by their numbers as judged last; `earlier` are the turns as they were before, for undo; `worked` in nanoseconds."""

    state: TranscriptState = TranscriptState.UNTOUCHED
    events: int = 0
    by: str = ""
    rubric: str = ""
    turns: dict[int, TurnJudged] = {}
    earlier: tuple[tuple[int, TurnJudged | None], ...] = ()
    scenario: ScenarioJudged | None = None
    worked: int = 0
    erased: bool = False

    @property
    def done(self) -> bool:
        """Return whether the rater has finished the dialogue."""
        return self.state is TranscriptState.SUBMITTED


def fold(facts: Iterable[Recorded]) -> Judged:
    """The judgements after these facts."""
    found = Judged()
    for fact in facts:
        found = evolve(found, fact)
    return found


def evolve(before: Judged, recorded: Recorded) -> Judged:
    """The judgements after one more fact."""
    after = structs.replace(before, events=recorded.seq, by=before.by or recorded.by)
    event: object = recorded.event
    match event:
        case JudgingBegun(rubric=rubric):
            return structs.replace(after, state=TranscriptState.BEGUN, rubric=rubric)
        case TurnJudged(number=number, worked=worked, undone=undone):
            earlier = before.earlier[:-1] if undone else (*before.earlier, (number, before.turns.get(number)))
            turns = {**before.turns, number: event}
            return structs.replace(after, turns=turns, earlier=earlier, worked=before.worked + worked)
        case TurnTakenBack(number=number):
            turns = {n: turn for n, turn in before.turns.items() if n != number}
            return structs.replace(after, turns=turns, earlier=before.earlier[:-1])
        case ScenarioJudged(worked=worked):
            return structs.replace(
                after, state=TranscriptState.SUBMITTED, scenario=event, worked=before.worked + worked
            )
        case JudgingReopened():
            return structs.replace(after, state=TranscriptState.REOPENED, scenario=None)
        case SpeakerWithdrawn() | Redacted():
            return Judged(events=recorded.seq, erased=True)
        case _:
            return after
