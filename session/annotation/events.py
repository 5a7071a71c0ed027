"""The facts of later work on a corpus: what people do to an utterance when the session is long over.

They are in a store of their own, `work.sqlite` beside the corpora, one stream an utterance; the envelope says who and when.
Study folder and corpus may be exported again as often as they like: the work is found again by the utterance's take.
"""

from enum import StrEnum

from session.annotation.annotation_facts import AnnotationFact
from session.annotation.judgement_facts import JudgementFact
from session.events import SpeakerWithdrawn
from session.events.base import Event
from session.events.link import Redacted
from session.store.upcasting import Versions


class Pass(StrEnum):
    """Aim of a pass: the words, then what else was audible (sro_spec 10/20/93); or another's work, to check it."""

    WORDS = "words"
    EVENTS = "events"
    CHECK = "check"


class TranscriptionBegun(Event, frozen=True):
    """An utterance was opened for the first time; `text` is the existing draft or empty, `rate` is in Hz."""

    utterance: str
    take: str
    text: str
    rate: int


class TranscriptionRevised(Event, frozen=True):
    """Another text of the utterance, whole; `worked` are the nanoseconds of attention since the fact before."""

    text: str
    during: Pass
    worked: int


class IdentifyingMarked(Event, frozen=True):
    """Samples `first` up to, not including, `last` of the primary channel tell who somebody is."""

    span: str
    first: int
    last: int
    worked: int = 0


class IdentifyingUnmarked(Event, frozen=True):
    """The stretch of this name tells nothing after all."""

    span: str
    worked: int = 0


class TranscriptionSubmitted(Event, frozen=True):
    """The last text is what its maker holds to be right."""

    worked: int = 0


class TranscriptionChecked(Event, frozen=True):
    """A second person has listened to it, and the last text is right."""

    worked: int = 0


class TranscriptionReopened(Event, frozen=True):
    """It is to be worked on again; what was submitted stays in force until the next submission."""

    reason: str


class NameKept(Event, frozen=True):
    """Words on the list of masks: they identify somebody, and stay masked anyone who marked them and anyone who has
    withdrawn. `speakers` is not used any more."""

    words: tuple[str, ...]
    speakers: tuple[str, ...] = ()


TranscriptionFact = (
    TranscriptionBegun
    | TranscriptionRevised
    | IdentifyingMarked
    | IdentifyingUnmarked
    | TranscriptionSubmitted
    | TranscriptionChecked
    | TranscriptionReopened
    | NameKept
    | SpeakerWithdrawn
    | Redacted
)
WorkFact = TranscriptionFact | AnnotationFact | JudgementFact
WORK = Versions(WorkFact, {}, {})
"""The events of `work.sqlite`."""
