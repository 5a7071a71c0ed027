"""Commands from a desk to the hub: requests, which can be refused, and reports, which cannot.

Each carries an identifier made at the desk, so that sending it twice does no harm.
"""

from typing import assert_never

import msgspec

from session.events import (
    AnswerPreviewed,
    AudioTroubled,
    ConsentConfirmed,
    ConsentGiven,
    ContextSwitched,
    DebriefingRead,
    EndPointed,
    ExperimenterCalled,
    InstructionsRead,
    MicrophoneChecked,
    MicrophoneOpened,
    ModelConsulted,
    PlaybackStarted,
    PlaybackStopped,
    QuestionnaireAnswered,
    RecordingStarted,
    RecordingStopped,
    ReplyShown,
    ReplyViewed,
    ScreenSized,
    TalkPressed,
    TalkReleased,
    TranscriptionShown,
    UtteranceTyped,
    WithdrawalRequested,
)
from session.values.clock import Stamp
from session.values.hypotheses import Hypothesis
from session.values.limits import Count, Identifier, Sha256, Text, WorkTime
from session.values.vocabulary import (
    Language,
    OperatorTrouble,
    Outcome,
    ProposalVerdict,
    ResponseClass,
    Role,
    Scope,
    Stage,
)


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=True, forbid_unknown_fields=True):
    """Base of requests and reports."""

    id: Identifier


SubjectFact = (
    ScreenSized
    | ConsentGiven
    | ExperimenterCalled
    | TalkPressed
    | EndPointed
    | TalkReleased
    | RecordingStarted
    | AudioTroubled
    | RecordingStopped
    | UtteranceTyped
    | ContextSwitched
    | TranscriptionShown
    | ReplyShown
    | ReplyViewed
    | PlaybackStarted
    | PlaybackStopped
    | InstructionsRead
    | MicrophoneOpened
    | MicrophoneChecked
    | QuestionnaireAnswered
    | DebriefingRead
    | ConsentConfirmed
    | WithdrawalRequested
)


class Report(Command, frozen=True):
    """Something has happened at a desk."""

    event: SubjectFact | AnswerPreviewed


class DiscardTake(Command, frozen=True):
    """The subject takes back what was said."""

    at: Stamp
    take: Identifier


class DeclareSolution(Command, frozen=True):
    """The subject has solved the scenario."""

    at: Stamp
    solution: Text


class GiveUp(Command, frozen=True):
    """The subject gives the scenario up."""

    at: Stamp


class StartScenario(Command, frozen=True):
    """Put the next problem before the subject, its placeholders bound; `reason` says why it is another than the assigned one."""

    scenario: Identifier
    bindings: dict[Text, Text] = msgspec.field(default_factory=dict)
    attended: bool = False
    reason: Text = ""


class SwitchRecording(Command, frozen=True):
    """Switch the subject's recording on or off, where the profile leaves that to the operator."""

    at: Stamp
    on: bool


class EndScenario(Command, frozen=True):
    """End the scenario from the console."""

    outcome: Outcome
    reason: Text = ""


class InvalidateScenario(Command, frozen=True):
    """A scenario that is over is of no use after all; `run` is its place among the session's, from 0."""

    run: Count
    reason: Text


class Transcribe(Command, frozen=True):
    """Transcribe a take; again, to correct it before the answer. `hypothesis` is the place of the recogniser's words that
    were taken as they stood, None if somebody typed, be it the same words."""

    at: Stamp
    take: Identifier
    text: Text
    hypothesis: Count | None = None


class MarkScope(Command, frozen=True):
    """In scope, out of scope, or about the information itself."""

    take: Identifier
    scope: Scope


class SubmitQuery(Command, frozen=True):
    """Ask the database; the command's id names the attempt, `choice` which of the readings of the text (0 the likeliest)."""

    at: Stamp
    take: Identifier
    language: Language
    text: Text
    origin: Text = "wizard"
    in_context: bool = True
    choice: Count = 0


class CancelQuery(Command, frozen=True):
    """Stop the attempt that is running."""

    attempt: Identifier


class SendAnswer(Command, frozen=True):
    """Release the rows of an attempt; `sha256` is over the text that the wizard saw in the preview."""

    attempt: Identifier
    sha256: Sha256
    response: ResponseClass = ResponseClass.ANSWER


class SendCanned(Command, frozen=True):
    """Release a canned message, its blanks filled; without a take only fillers and greetings."""

    message: Identifier
    blanks: tuple[Text, ...] = ()
    take: Identifier = ""


class SendText(Command, frozen=True):
    """Release a text of the wizard's own, where the profile allows it."""

    take: Identifier
    text: Text
    response: ResponseClass = ResponseClass.DIRECTIVE


class StopReply(Command, frozen=True):
    """Stop a reply that is still held back."""

    reply: Identifier


class MarkReplyWrong(Command, frozen=True):
    """A reply that went out was the wizard's error."""

    reply: Identifier
    reason: Text


class WriteNote(Command, frozen=True):
    """A private note."""

    text: Text
    take: Identifier = ""


class NoteDeviation(Command, frozen=True):
    """The session departs from its protocol."""

    reason: Text
    text: Text


class TakeDeviationBack(Command, frozen=True):
    """The deviation that was noted so was none, or is to be noted in other words."""

    reason: Text
    text: Text


class IdentifyWizard(Command, frozen=True):
    """Name the person at this console."""

    name: Text


class PauseSession(Command, frozen=True):
    """Stop the clocks that count against the subject."""

    reason: Text


class ResumeSession(Command, frozen=True):
    """Let them run again."""


class AnswerCall(Command, frozen=True):
    """The subject's call was seen to."""


class EndSession(Command, frozen=True):
    """Close the visit."""

    reason: Text


class OperateStage(Command, frozen=True):
    """A machine is ready to operate its stage."""

    stage: Stage
    engine: Text
    version: Text = ""


class ReportTrouble(Command, frozen=True):
    """A machine could not do its work on a take."""

    stage: Stage
    trouble: OperatorTrouble
    take: Identifier = ""
    detail: Text = ""


class ProposeTranscription(Command, frozen=True):
    """A recogniser's words: partial ones, or the final ones of a take, the likeliest first."""

    at: Stamp
    take: Identifier
    final: bool
    hypotheses: tuple[Hypothesis, ...]
    engine: Text
    version: Text = ""
    took: WorkTime = 0


class ReportConsultation(Command, frozen=True):
    """An outside model was asked; `consulted` says at what cost."""

    consulted: ModelConsulted


class TakeOverStage(Command, frozen=True):
    """A person operates a stage from now on in a machine's place."""

    stage: Stage
    reason: Text


class GiveBackStage(Command, frozen=True):
    """The machine operates its stage again."""

    stage: Stage
    reason: Text


class JudgeOutput(Command, frozen=True):
    """Accept or reject what a machine put forward for a take in a corrected stage; `choice` is the place of the hypothesis."""

    stage: Stage
    take: Identifier
    verdict: ProposalVerdict
    choice: Count = 0


SubjectRequest = DiscardTake | DeclareSolution | GiveUp
ConsoleRequest = (
    StartScenario
    | SwitchRecording
    | EndScenario
    | InvalidateScenario
    | Transcribe
    | MarkScope
    | SubmitQuery
    | CancelQuery
    | SendAnswer
    | SendCanned
    | SendText
    | StopReply
    | MarkReplyWrong
    | WriteNote
    | NoteDeviation
    | TakeDeviationBack
    | IdentifyWizard
    | PauseSession
    | ResumeSession
    | AnswerCall
    | EndSession
    | TakeOverStage
    | GiveBackStage
    | JudgeOutput
)
MachineRequest = OperateStage | ReportTrouble | ProposeTranscription | ReportConsultation
AnyCommand = Report | SubjectRequest | ConsoleRequest | MachineRequest

_TRANSCRIBING = (Transcribe, MarkScope, WriteNote, IdentifyWizard)
_EXPERIMENTING = (
    StartScenario, SwitchRecording, EndScenario, InvalidateScenario, WriteNote, NoteDeviation, TakeDeviationBack,
    PauseSession, ResumeSession, AnswerCall, EndSession, IdentifyWizard, TakeOverStage, GiveBackStage,
)  # fmt: skip
_RECOGNISING = (OperateStage, ReportTrouble, ProposeTranscription)
_INTERPRETING = (OperateStage, ReportTrouble, ReportConsultation)
_RESPONDING = (OperateStage, ReportTrouble, SendAnswer, SendCanned, SendText, StartScenario, EndSession)
"""A responder also leads a visit without a person: it starts the scenarios in their order and ends the session."""


_LOOKING_ON = (EndScenario, InvalidateScenario, PauseSession, ResumeSession, AnswerCall)
"""Commands that keep the visit in order and put no word into the dialogue: docs/decisions/session-and-visit.md."""


def permitted(role: Role, command: AnyCommand) -> bool:
    """Return whether a desk of this role may send the command at all."""
    match role:
        case Role.SUBJECT:
            if isinstance(command, Report):
                return isinstance(command.event, SubjectFact)
            return isinstance(command, SubjectRequest)
        case Role.WIZARD:
            if isinstance(command, Report):
                return isinstance(command.event, AnswerPreviewed)
            return isinstance(command, ConsoleRequest)
        case Role.TRANSCRIBER:
            if isinstance(command, JudgeOutput):  # a recogniser's words are in a transcriber's hands, replies are not
                return command.stage is Stage.RECOGNITION
            return isinstance(command, _TRANSCRIBING)
        case Role.EXPERIMENTER:
            return isinstance(command, _EXPERIMENTING)
        case Role.OBSERVER:
            return isinstance(command, _LOOKING_ON)
        case Role.RECOGNISER:
            return isinstance(command, _RECOGNISING)
        case Role.INTERPRETER:
            if isinstance(command, SubmitQuery):  # SQL is a person's; a machine's comes of the words
                return command.language in (Language.ENGLISH, Language.PROPOSAL)
            return isinstance(command, _INTERPRETING)
        case Role.RESPONDER:
            return isinstance(command, _RESPONDING)
        case _:
            assert_never(role)
