"""The facts of a session: small, typed, in the past tense; everything else is a fold over them.

Facts that a desk reports carry `at`, the stamp taken there when the thing happened; the envelope that the hub puts around
every fact (`Recorded`) carries the hub's own. An utterance is known by the ULID of its take (or of its typed text) from the
moment the subject begins; the number that names its files is given only when it is accepted.
"""

import msgspec

from session.answers import FailureKind, OtherReading, Table
from session.clock import Stamp
from session.eventbase import NOWHERE as NOWHERE
from session.eventbase import Event as Event
from session.flowfacts import ConsentConfirmed as ConsentConfirmed
from session.flowfacts import DebriefingRead as DebriefingRead
from session.flowfacts import InstructionsRead as InstructionsRead
from session.flowfacts import MicrophoneChecked as MicrophoneChecked
from session.flowfacts import QuestionnaireAnswered as QuestionnaireAnswered
from session.flowfacts import StepBegun as StepBegun
from session.flowfacts import WithdrawalRequested as WithdrawalRequested
from session.linkfacts import ClockCompared as ClockCompared
from session.linkfacts import CommandRefused as CommandRefused
from session.linkfacts import DeskAttached as DeskAttached
from session.linkfacts import DeskDetached as DeskDetached
from session.linkfacts import Redacted as Redacted
from session.reading import Reading
from session.replyfacts import AnswerSent as AnswerSent
from session.replyfacts import CannedSent as CannedSent
from session.replyfacts import ReplyMarkedWrong as ReplyMarkedWrong
from session.replyfacts import ReplyPlanned as ReplyPlanned
from session.replyfacts import ReplyShown as ReplyShown
from session.replyfacts import ReplyStopped as ReplyStopped
from session.replyfacts import ReplyViewed as ReplyViewed
from session.scenariofacts import ScenarioEnded as ScenarioEnded
from session.scenariofacts import ScenarioGivenUp as ScenarioGivenUp
from session.scenariofacts import ScenarioInvalidated as ScenarioInvalidated
from session.scenariofacts import ScenarioStarted as ScenarioStarted
from session.scenariofacts import SolutionDeclared as SolutionDeclared
from session.study import Protocol, Speaker
from session.talkfacts import EndPointed as EndPointed
from session.talkfacts import RecordingSwitched as RecordingSwitched
from session.talkfacts import TalkPressed as TalkPressed
from session.talkfacts import TalkReleased as TalkReleased
from session.vocabulary import Channel, Language, Scope, Sealed, Trouble, Verdict


class SessionOpened(Event, frozen=True):
    """A visit begins; `operator` is who sits behind the curtain, `first_scenario` the speaker's first free number.

    `scenarios_before` are those of the site so far, without practice, pilots and rehearsals; `common_before` the common ones.
    """

    site: str
    speaker: Speaker
    protocol: Protocol
    operator: str = ""
    condition: str = ""
    pilot: bool = False
    rehearsal: bool = False
    pace: float = 1.0
    first_scenario: int = 1
    scenarios_before: int = 0
    common_before: int = 0


class WizardIdentified(Event, frozen=True):
    """Who sits at the console from now on: the first sign-on or a hand-over."""

    name: str
    role: str


class ScreenSized(Event, frozen=True):
    """The subject's terminal has this many columns and lines for an answer."""

    at: Stamp
    columns: int
    lines: int


class ConsentGiven(Event, frozen=True):
    """The subject agreed to the text of this version and hash, scope by scope."""

    at: Stamp
    version: str
    sha256: str
    scopes: dict[str, bool]


class SessionPaused(Event, frozen=True):
    """Time stops counting: a break or an interruption."""

    reason: str


class SessionResumed(Event, frozen=True):
    """Time counts again."""


class SessionEnded(Event, frozen=True):
    """No further scenario starts in this visit."""

    reason: str


class SpeakerWithdrawn(Event, frozen=True):
    """The person took back consent; the payloads that this transaction erased are gone."""

    speaker: str
    erased: int


class SpeakerCorrected(Event, frozen=True):
    """What was told of the speaker was wrong or lacking: as it `was`, as it is `now`, who says so and why."""

    was: Speaker
    now: Speaker
    who: str
    why: str


class ExperimenterCalled(Event, frozen=True):
    """The subject asks for the experimenter."""

    at: Stamp


class CallAnswered(Event, frozen=True):
    """Somebody saw to the subject's call."""


class RecordingStarted(Event, frozen=True):
    """The first samples are in. `at` is the moment of sample 0, which lies `pre_roll` samples before the press; it is true within
    ± `uncertainty` nanoseconds, more than which the sound card's delay and the jitter of its blocks cannot hide."""

    at: Stamp
    take: str
    channels: tuple[Channel, ...]
    pre_roll: int
    uncertainty: int = 0


class AudioTroubled(Event, frozen=True):
    """Something happened to the sound of a take, from `at_sample` over `samples` samples of channel `letter`."""

    at: Stamp
    take: str
    trouble: Trouble
    letter: str = "s"
    at_sample: int = 0
    samples: int = 0
    detail: str = ""


class RecordingStopped(Event, frozen=True):
    """The take is complete on the subject's disk; `tail` is its part after the release, in samples."""

    at: Stamp
    take: str
    sealed: tuple[Sealed, ...]
    tail: int = 0
    recovered: bool = False


class TakeConfirmed(Event, frozen=True):
    """The hub holds every sample: count and SHA-256 agree with what the subject's desk sealed."""

    take: str
    sealed: tuple[Sealed, ...]


class UtteranceTyped(Event, frozen=True):
    """Typed input in place of speech (Paramax, MADCOW 1993, section 4)."""

    at: Stamp
    take: str
    text: str


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
    target: str


class Transcribed(Event, frozen=True):
    """What was said, quickly and without hesitations; shown to the subject as the profile says."""

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
    `confidence` is this reading's (0 where there is none), `unused` are words that had no part in it.
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


class QueryFailed(Event, frozen=True):
    """A text or statement gave no rows at all."""

    attempt: str
    kind: FailureKind
    message: str
    sql: str = ""
    took: int = 0
    question: str = ""
    proposer: str = ""
    others: tuple[OtherReading, ...] = ()


class ProposalJudged(Event, frozen=True):
    """What became of a statement that an outside engine proposed: its rows went out, it was asked again after a change by
    hand, or the utterance was replied to in another way or, taken back or at the scenario's end, not at all."""

    attempt: str
    verdict: Verdict


class AnswerPreviewed(Event, frozen=True):
    """The wizard looked at the answer exactly as the subject would see it; `sha256` is over its text."""

    at: Stamp
    attempt: str
    sha256: str


class ReplyLimitReached(Event, frozen=True):
    """The time for a reply is over; the console offers the canned messages (BBN 1989: about a minute)."""

    take: str


class NoteWritten(Event, frozen=True):
    """A private note of the wizard or experimenter."""

    text: str
    take: str = ""


class DeviationNoted(Event, frozen=True):
    """The session departed from its protocol."""

    reason: str
    text: str


class TranscriptionShown(Event, frozen=True):
    """The transcription was painted on the subject's screen."""

    at: Stamp
    take: str


SessionFact = (
    SessionOpened
    | WizardIdentified
    | ScreenSized
    | ConsentGiven
    | SessionPaused
    | SessionResumed
    | SessionEnded
    | SpeakerWithdrawn
    | SpeakerCorrected
    | ExperimenterCalled
    | CallAnswered
    | NoteWritten
    | DeviationNoted
)
FlowFact = (
    InstructionsRead
    | MicrophoneChecked
    | StepBegun
    | QuestionnaireAnswered
    | DebriefingRead
    | ConsentConfirmed
    | WithdrawalRequested
)
ScenarioFact = ScenarioStarted | SolutionDeclared | ScenarioGivenUp | ScenarioEnded | ScenarioInvalidated
UtteranceFact = (
    RecordingSwitched
    | TalkPressed
    | EndPointed
    | TalkReleased
    | RecordingStarted
    | AudioTroubled
    | RecordingStopped
    | TakeConfirmed
    | UtteranceTyped
    | TakeDiscarded
    | UtteranceAccepted
    | ContextSwitched
    | TranscriptionShown
)
WizardFact = (
    Transcribed
    | ScopeMarked
    | QuerySubmitted
    | QueryReturned
    | QueryFailed
    | ProposalJudged
    | AnswerPreviewed
    | ReplyLimitReached
)
ReplyFact = ReplyPlanned | ReplyStopped | AnswerSent | CannedSent | ReplyMarkedWrong | ReplyShown | ReplyViewed
LinkFact = DeskAttached | DeskDetached | ClockCompared | CommandRefused
Fact = SessionFact | FlowFact | ScenarioFact | UtteranceFact | WizardFact | ReplyFact | LinkFact | Redacted
"""Every fact; a closed union, so that the type checker fails when a projection forgets one."""

VERSIONS: dict[str, int] = {}
"""Versions of the facts whose fields have changed since their first release; all others are at 1."""


class Recorded(msgspec.Struct, frozen=True):
    """A fact in its envelope. `by` is the role whose command caused it or `hub`, `cause` that command's id; neither ever
    holds what was spoken or who spoke."""

    session: str
    seq: int
    at: Stamp
    by: str
    cause: str
    event: Fact
