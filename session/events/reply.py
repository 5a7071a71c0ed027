"""Facts about what the system says to the subject: planned, sent, shown, and sometimes regretted."""

from session.events.base import Event
from session.values.clock import Stamp
from session.values.limits import Count, Identifier
from session.values.vocabulary import ResponseClass


class ReplyPlanned(Event, frozen=True):
    """A reply waits until `due` (monotonic nanoseconds of the hub), by the profile's delay and hold-back."""

    reply: "AnswerSent | CannedSent"
    due: int


class ReplyStopped(Event, frozen=True):
    """The wizard stopped a planned reply in time; the subject never sees it."""

    reply: str


class AnswerSent(Event, frozen=True):
    """An answer went out: the *Result* of the log. `text` is to the letter what the subject's screen shows, `spoken` what is
    said."""

    reply: str
    take: str
    text: str
    transcription: str = ""
    attempt: str = ""
    response: ResponseClass = ResponseClass.ANSWER
    database_version: str = ""
    planned_delay: int = 0
    spoken: str = ""


class CannedSent(Event, frozen=True):
    """A canned message went out, its blanks filled; without a take it opens the dialogue or fills a wait."""

    reply: str
    text: str
    take: str = ""
    transcription: str = ""
    message: str = ""
    blanks: tuple[str, ...] = ()
    reason: str = ""
    response: ResponseClass = ResponseClass.DIAGNOSTIC
    planned_delay: int = 0
    spoken: str = ""


class ReplyMarkedWrong(Event, frozen=True):
    """A reply that was shown turned out to be a wizard's error (`wizard-error` of the .cat files)."""

    reply: str
    reason: str


class ReplyShown(Event, frozen=True):
    """The reply was painted; lines `first` to `last` (from 0) of its text were visible."""

    at: Stamp
    reply: Identifier
    first: Count
    last: Count


class ReplyViewed(Event, frozen=True):
    """The subject scrolled a reply or opened an earlier one again."""

    at: Stamp
    reply: Identifier
    first: Count
    last: Count
    reopened: bool = False
