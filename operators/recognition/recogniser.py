"""Recognisers behind one protocol: sound in as it comes, partial hypotheses on the way, the final ones at the end.

An engine is a program that nobody here wrote. It may be missing, die, hang or answer garbage, and each of these has an exception
with one line for people; none of them is the session's end.
"""

from typing import Protocol

from session.values.hypotheses import Hypothesis
from session.values.vocabulary import OperatorTrouble


class MissingEngineError(Exception):
    """An engine that cannot be had on this machine or as it was named; the message says what to do."""


class EngineTroubleError(Exception):
    """An engine that failed on an utterance; `trouble` is how."""

    def __init__(self, trouble: OperatorTrouble, detail: str) -> None:
        self.trouble = trouble
        self.detail = detail
        super().__init__(detail)


class UtteranceRecognition(Protocol):
    """One utterance on its way through an engine; used from one thread at a time."""

    def hear(self, pcm: bytes) -> Hypothesis | None:
        """Take the next samples (16 bit, little-endian, one channel); return a partial hypothesis where it has changed."""

    def finish(self) -> tuple[Hypothesis, ...]:
        """Return the final hypotheses, the likeliest first; none if nothing was understood. Raises EngineTroubleError."""

    def drop(self) -> None:
        """Forget the utterance: it was taken back."""


class Recogniser(Protocol):
    """An engine that is ready; `name` and `version` stand with every hypothesis."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def begin(self, rate: int, utterance: str = "") -> UtteranceRecognition:
        """Begin an utterance of `rate` samples a second; `utterance` is its name, for engines that know it by that.

        Raises EngineTroubleError if the engine cannot listen at this rate.
        """
