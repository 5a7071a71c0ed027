"""Facts about utterances: recorded or typed, kept or discarded, confirmed, numbered, and what troubled their sound."""

from session.events.base import Event
from session.values.clock import Stamp
from session.values.limits import Count, Identifier, Letter, Text, Uncertainty
from session.values.vocabulary import AudioTrouble, Channel, Sealed


class RecordingStarted(Event, frozen=True):
    """The first samples are in. `at` is the moment of sample 0, which lies `pre_roll` samples before the press; it is true within
    ± `uncertainty` nanoseconds, more than which the sound card's delay and the jitter of its blocks cannot hide."""

    at: Stamp
    take: Identifier
    channels: tuple[Channel, ...]
    pre_roll: Count
    uncertainty: Uncertainty = 0


class AudioTroubled(Event, frozen=True):
    """Something happened to the sound of a take, from `at_sample` over `samples` samples of channel `letter`."""

    at: Stamp
    take: Identifier
    trouble: AudioTrouble
    letter: Letter = "s"
    at_sample: Count = 0
    samples: Count = 0
    detail: Text = ""


class RecordingStopped(Event, frozen=True):
    """The take is complete on the subject's disk; `tail` is its part after the release, in samples."""

    at: Stamp
    take: Identifier
    sealed: tuple[Sealed, ...]
    tail: Count = 0
    recovered: bool = False


class TakeConfirmed(Event, frozen=True):
    """The hub holds every sample: count and SHA-256 agree with what the subject's desk sealed."""

    take: str
    sealed: tuple[Sealed, ...]


class UtteranceTyped(Event, frozen=True):
    """Typed input in place of speech (Paramax, MADCOW 1993, section 4)."""

    at: Stamp
    take: Identifier
    text: Text


class TakeDiscarded(Event, frozen=True):
    """The subject took a take back before the system reacted to it: kept, flagged, never numbered."""

    at: Stamp
    take: str


class UtteranceAccepted(Event, frozen=True):
    """The take is an utterance of the scenario now; practice utterances have no number."""

    take: str
    number: int | None


class ContextSwitched(Event, frozen=True):
    """The subject returned to the context of an earlier utterance (SRI, MADCOW 1992, section 2.5)."""

    at: Stamp
    target: Identifier


class TranscriptionShown(Event, frozen=True):
    """The transcription was painted on the subject's screen."""

    at: Stamp
    take: Identifier
