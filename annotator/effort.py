"""Working time of people on an utterance, measured while they work, reported in minutes per utterance.

Only attention counts. Whoever leaves the desk stops working some moments after the last key or sound, so a coffee break
lengthens nothing; what is measured is a lower bound that can be compared between people and passes.
"""

from collections.abc import Iterable

import msgspec

from session.annotation.events import Pass
from session.annotation.transcript import Transcript
from session.values.clock import SECOND, Clock

IDLE_NS = 30 * SECOND
"""From here on a silence is no work any more."""


class Attention:
    """A stopwatch that runs as long as somebody does something at least every 30 seconds."""

    def __init__(self, clock: Clock, idle_ns: int = IDLE_NS) -> None:
        self._clock, self._idle = clock, idle_ns
        self._last: int | None = None
        self._worked = 0

    def touch(self) -> None:
        """Something was done just now."""
        now = self._clock.monotonic_ns()
        if self._last is not None:
            self._worked += min(now - self._last, self._idle)
        self._last = now

    @property
    def worked(self) -> int:
        """Nanoseconds since the last `take`."""
        return self._worked

    def take(self) -> int:
        """Nanoseconds since the last call; counting starts over."""
        worked, self._worked = self._worked, 0
        return worked

    def leave(self) -> None:
        """Stop the working time of this utterance; time that was not taken is dropped."""
        self._last, self._worked = None, 0


class PassEffort(msgspec.Struct, frozen=True):
    """One person's part in one pass: over how many utterances, how many minutes together."""

    by: str
    during: Pass
    utterances: int
    minutes: float

    @property
    def minutes_each(self) -> float:
        """Minutes an utterance."""
        return self.minutes / self.utterances if self.utterances else 0.0


class Effort(msgspec.Struct, frozen=True):
    """Finished utterances and what they took, and everybody's part in all of them."""

    utterances: int
    finished: int
    checked: int
    minutes: float
    finished_minutes: float
    rows: tuple[PassEffort, ...]

    @property
    def minutes_each(self) -> float:
        """Minutes of all people and passes together for one finished utterance."""
        return self.finished_minutes / self.finished if self.finished else 0.0

    def lines(self) -> list[str]:
        """The figures in words."""
        text = [
            f"{_utterances(self.utterances)} worked on for {self.minutes:.1f} minutes; {self.finished} finished, "
            f"{self.checked} of them checked; {self.minutes_each:.2f} minutes a finished utterance"
        ]
        text += [
            f"{row.by}, {row.during}: {_utterances(row.utterances)}, {row.minutes:.1f} minutes, {row.minutes_each:.2f} each"
            for row in self.rows
        ]
        return text


def effort_of(transcripts: Iterable[Transcript]) -> Effort:
    """The effort that went into some transcriptions."""
    begun = list(transcripts)
    sums: dict[tuple[str, Pass], list[int]] = {}
    for transcript in begun:
        for share in transcript.shares:
            sums.setdefault((share.by, share.during), []).append(share.worked)
    rows = tuple(
        PassEffort(by, during, len(seconds), _minutes(sum(seconds))) for (by, during), seconds in sorted(sums.items())
    )
    finished = [transcript for transcript in begun if transcript.version is not None]
    checked = sum(transcript.version is not None and transcript.version.checked is not None for transcript in begun)
    return Effort(
        len(begun), len(finished), checked, _minutes(sum(transcript.worked for transcript in begun)),
        _minutes(sum(transcript.worked for transcript in finished)), rows,
    )  # fmt: skip


def _utterances(count: int) -> str:
    return f"{count} utterance{'s' * (count != 1)}"


def _minutes(worked: int) -> float:
    return worked / SECOND / 60
