"""Times of each step of each turn, by the hub's clock: the wizard's time is what a collection costs.

All times are seconds since the utterance was complete, which is when the reply limit begins.
"""

import msgspec

from session import events as e
from session.values.clock import SECOND

COLUMNS = ("number", "written", "echoed", "asked", "tries", "result", "preview", "sent", "shown")


class Steps(msgspec.Struct, frozen=True):
    """One utterance: nanoseconds on the hub's clock, None for what has not happened; `asked` and `result` are the last ones."""

    complete: int | None = None
    transcribed: int | None = None
    echoed: int | None = None
    asked: int | None = None
    attempts: int = 0
    result: int | None = None
    previewed: int | None = None
    sent: int | None = None
    shown: int | None = None
    discarded: bool = False

    @property
    def row(self) -> tuple[object, ...]:
        """The steps in seconds after the utterance, without its number."""
        times = (self.transcribed, self.echoed, self.asked)
        later = (self.result, self.previewed, self.sent, self.shown)
        return (*map(self._after, times), self.attempts, *map(self._after, later))

    def _after(self, moment: int | None) -> str | None:
        if moment is None or self.complete is None:
            return None
        return f"{(moment - self.complete) / SECOND:.1f}"


class Times:
    """Fed with every fact in order."""

    def __init__(self) -> None:
        self._steps: dict[str, Steps] = {}
        self._take_of: dict[str, str] = {}

    @property
    def rows(self) -> list[tuple[object, ...]]:
        """One row for each utterance that was not discarded, under `COLUMNS`."""
        kept = [steps for steps in self._steps.values() if not steps.discarded and steps.complete is not None]
        return [(number, *steps.row) for number, steps in enumerate(kept, start=1)]

    def note(self, recorded: e.Recorded) -> None:
        """One more fact."""
        now = recorded.at.mono
        match recorded.event:
            case e.RecordingStopped(take=take) | e.UtteranceTyped(take=take):
                self._but(take, complete=now)
            case e.TakeDiscarded(take=take):
                self._but(take, discarded=True)
            case e.Transcribed(take=take):
                self._but(take, transcribed=now)
            case e.TranscriptionShown(take=take):
                self._but(take, echoed=now)
            case e.QuerySubmitted(take=take, attempt=attempt):
                self._take_of[attempt] = take
                self._but(take, asked=now, attempts=self._of(take).attempts + 1)
            case e.QueryReturned(attempt=attempt) | e.QueryFailed(attempt=attempt):
                self._but(self._take_of.get(attempt, ""), result=now)
            case e.AnswerPreviewed(attempt=attempt):
                self._but(self._take_of.get(attempt, ""), previewed=now)
            case e.AnswerSent(take=take, reply=reply) | e.CannedSent(take=take, reply=reply):
                self._take_of[reply] = take
                self._but(take, sent=now)
            case e.ReplyShown(reply=reply) | e.PlaybackStarted(reply=reply):
                self._but(self._take_of.get(reply, ""), shown=now)
            case _:
                pass

    def _of(self, take: str) -> Steps:
        return self._steps.get(take, Steps())

    def _but(self, take: str, **changes: int | bool) -> None:
        if take:
            self._steps[take] = msgspec.structs.replace(self._of(take), **changes)
