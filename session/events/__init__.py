"""The facts of a session: small, typed, in the past tense; everything else is a fold over them.

Facts that a desk reports carry `at`, the stamp taken there when the thing happened; the envelope that the hub puts around
every fact (`Recorded`) carries the hub's own. An utterance is known by the ULID of its take (or of its typed text) from the
moment the subject begins; the number that names its files is given only when it is accepted.
"""

import msgspec

from session.events.base import NOWHERE as NOWHERE
from session.events.base import Event as Event
from session.events.link import ClockCompared as ClockCompared
from session.events.link import CommandRefused as CommandRefused
from session.events.link import DeskAttached as DeskAttached
from session.events.link import DeskDetached as DeskDetached
from session.events.link import DeskRefused as DeskRefused
from session.events.link import Redacted as Redacted
from session.events.operators import HypothesisReceived as HypothesisReceived
from session.events.operators import ModelConsulted as ModelConsulted
from session.events.operators import OperatorTroubled as OperatorTroubled
from session.events.operators import OutputJudged as OutputJudged
from session.events.operators import ReplyProposed as ReplyProposed
from session.events.operators import StageAssigned as StageAssigned
from session.events.reply import AnswerSent as AnswerSent
from session.events.reply import CannedSent as CannedSent
from session.events.reply import ReplyMarkedWrong as ReplyMarkedWrong
from session.events.reply import ReplyPlanned as ReplyPlanned
from session.events.reply import ReplyShown as ReplyShown
from session.events.reply import ReplyStopped as ReplyStopped
from session.events.reply import ReplyViewed as ReplyViewed
from session.events.scenario import ScenarioEnded as ScenarioEnded
from session.events.scenario import ScenarioGivenUp as ScenarioGivenUp
from session.events.scenario import ScenarioInvalidated as ScenarioInvalidated
from session.events.scenario import ScenarioStarted as ScenarioStarted
from session.events.scenario import SolutionDeclared as SolutionDeclared
from session.events.session import CallAnswered as CallAnswered
from session.events.session import ConsentGiven as ConsentGiven
from session.events.session import DeviationNoted as DeviationNoted
from session.events.session import DeviationTakenBack as DeviationTakenBack
from session.events.session import ExperimenterCalled as ExperimenterCalled
from session.events.session import NoteWritten as NoteWritten
from session.events.session import ScreenSized as ScreenSized
from session.events.session import SessionEnded as SessionEnded
from session.events.session import SessionOpened as SessionOpened
from session.events.session import SessionPaused as SessionPaused
from session.events.session import SessionResumed as SessionResumed
from session.events.session import SpeakerCorrected as SpeakerCorrected
from session.events.session import SpeakerWithdrawn as SpeakerWithdrawn
from session.events.session import WizardIdentified as WizardIdentified
from session.events.talk import EndPointed as EndPointed
from session.events.talk import RecordingSwitched as RecordingSwitched
from session.events.talk import TalkPressed as TalkPressed
from session.events.talk import TalkReleased as TalkReleased
from session.events.utterance import AudioTroubled as AudioTroubled
from session.events.utterance import ContextSwitched as ContextSwitched
from session.events.utterance import RecordingStarted as RecordingStarted
from session.events.utterance import RecordingStopped as RecordingStopped
from session.events.utterance import TakeConfirmed as TakeConfirmed
from session.events.utterance import TakeDiscarded as TakeDiscarded
from session.events.utterance import TranscriptionShown as TranscriptionShown
from session.events.utterance import UtteranceAccepted as UtteranceAccepted
from session.events.utterance import UtteranceTyped as UtteranceTyped
from session.events.visit import ConsentConfirmed as ConsentConfirmed
from session.events.visit import DebriefingRead as DebriefingRead
from session.events.visit import InstructionsRead as InstructionsRead
from session.events.visit import MicrophoneChecked as MicrophoneChecked
from session.events.visit import MicrophoneOpened as MicrophoneOpened
from session.events.visit import QuestionnaireAnswered as QuestionnaireAnswered
from session.events.visit import StepBegun as StepBegun
from session.events.visit import WithdrawalRequested as WithdrawalRequested
from session.events.voice import PlaybackStarted as PlaybackStarted
from session.events.voice import PlaybackStopped as PlaybackStopped
from session.events.voice import ReplyVoiced as ReplyVoiced
from session.events.voice import VoiceFailed as VoiceFailed
from session.events.wizard import AnswerPreviewed as AnswerPreviewed
from session.events.wizard import ProposalJudged as ProposalJudged
from session.events.wizard import QueryFailed as QueryFailed
from session.events.wizard import QueryReturned as QueryReturned
from session.events.wizard import QuerySubmitted as QuerySubmitted
from session.events.wizard import ReplyLimitReached as ReplyLimitReached
from session.events.wizard import ScopeMarked as ScopeMarked
from session.events.wizard import Transcribed as Transcribed
from session.values.clock import Stamp

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
    | DeviationTakenBack
)
FlowFact = (
    InstructionsRead
    | MicrophoneOpened
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
OperatorFact = StageAssigned | OperatorTroubled | HypothesisReceived | ReplyProposed | OutputJudged | ModelConsulted
VoiceFact = ReplyVoiced | VoiceFailed | PlaybackStarted | PlaybackStopped
LinkFact = DeskAttached | DeskDetached | DeskRefused | ClockCompared | CommandRefused
Fact = (
    SessionFact
    | FlowFact
    | ScenarioFact
    | UtteranceFact
    | WizardFact
    | ReplyFact
    | OperatorFact
    | VoiceFact
    | LinkFact
    | Redacted
)
"""Every fact; a closed union, so that the type checker fails when a projection forgets one."""

VERSIONS: dict[str, int] = {"ScenarioEnded": 2}
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
