"""Facts about the wizard's work: transcriptions, queries, previews, judged proposals."""

from session.events.base import Event
from session.values.answers import FailureKind, OtherReading, Table
from session.values.clock import Stamp
from session.values.column_display import Reading
from session.values.limits import Identifier, Sha256
from session.values.vocabulary import Language, ProposalVerdict, Scope


class Transcribed(Event, frozen=True):
    """Quick transcription of what was said, without hesitations; shown to the subject as the profile says."""

    at: Stamp
    take: str
    text: str


class ScopeMarked(Event, frozen=True):
    """The wizard's judgement of the request."""

    take: str
    scope: Scope


class QuerySubmitted(Event, frozen=True):
    """A text went to the database or its English front end: the *Sentence* of the log. `origin` names what proposed it;
    without `in_context` it was read by itself, whatever was said before; `choice` is the place of the reading taken."""

    at: Stamp
    attempt: str
    take: str
    language: Language
    text: str
    origin: str = "wizard"
    in_context: bool = True
    choice: int = 0


class QueryReturned(Event, frozen=True):
    """A statement was run and gave rows: the *Query* and its result, as it is; `reading` is how people read its columns.

    Durations are nanoseconds. `question` is what a system would ask back, `proposer` what proposed the statement if neither
    the wizard nor the domain's grammar did, `others` in what further ways the request can be understood, the likelier first.
    `confidence` is this reading's (0 if there is none), `unused` are words that had no part in it, `unasked` conditions of a
    proposed statement that nothing in the request speaks for, `doubt` what speaks against a reading that was withheld and that
    the wizard took. `spoken` is how people would say the rows, empty if nothing is
    spoken. `written` are texts that the rows or their names have from the statement itself, where somebody other than the
    domain's grammar wrote it.
    """

    attempt: str
    sql: str
    table: Table
    took: int
    database_version: str
    paraphrase: str = ""
    reading: Reading = ()
    question: str = ""
    proposer: str = ""
    others: tuple[OtherReading, ...] = ()
    confidence: float = 0.0
    unused: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    spoken: str = ""
    written: tuple[str, ...] = ()
    doubt: str = ""


class QueryFailed(Event, frozen=True):
    """A text or statement gave no rows at all; `unused` are the words that stood in the way. Where a request was not understood,
    `others` are readings that are withheld, each with its doubt."""

    attempt: str
    kind: FailureKind
    message: str
    sql: str = ""
    took: int = 0
    question: str = ""
    proposer: str = ""
    others: tuple[OtherReading, ...] = ()
    unused: tuple[str, ...] = ()


class ProposalJudged(Event, frozen=True):
    """Verdict on a statement that an outside engine proposed: its rows went out, it was asked again after a change by
    hand, or the utterance was replied to in another way or, taken back or at the scenario's end, not at all."""

    attempt: str
    verdict: ProposalVerdict


class AnswerPreviewed(Event, frozen=True):
    """The wizard looked at the answer exactly as the subject would see it; `sha256` is over its text."""

    at: Stamp
    attempt: Identifier
    sha256: Sha256


class ReplyLimitReached(Event, frozen=True):
    """The time for a reply is over; the console offers the canned messages (BBN 1989: about a minute)."""

    take: str
