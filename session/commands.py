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
from session.values.vocabulary import Language, Outcome, ResponseClass, Role, Scope


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=True, forbid_unknown_fields=True):
    """Base of requests and reports."""

    id: str


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
    | InstructionsRead
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
    take: str


class DeclareSolution(Command, frozen=True):
    """The subject has solved the scenario."""

    at: Stamp
    solution: str


class GiveUp(Command, frozen=True):
    """The subject gives the scenario up."""

    at: Stamp


class StartScenario(Command, frozen=True):
    """Put the next problem before the subject, its placeholders bound."""

    scenario: str
    bindings: dict[str, str] = msgspec.field(default_factory=dict)
    attended: bool = False


class SwitchRecording(Command, frozen=True):
    """Switch the subject's recording on or off, where the profile leaves that to the operator."""

    at: Stamp
    on: bool


class EndScenario(Command, frozen=True):
    """End the scenario from the console."""

    outcome: Outcome
    reason: str = ""


class InvalidateScenario(Command, frozen=True):
    """A scenario that is over is of no use after all; `run` is its place among the session's, from 0."""

    run: int
    reason: str


class Transcribe(Command, frozen=True):
    """Transcribe a take; once more, to correct it before the answer."""

    at: Stamp
    take: str
    text: str


class MarkScope(Command, frozen=True):
    """In scope, out of scope, or about the information itself."""

    take: str
    scope: Scope


class SubmitQuery(Command, frozen=True):
    """Ask the database; the command's id names the attempt, `choice` which of the readings of the text (0 the likeliest)."""

    at: Stamp
    take: str
    language: Language
    text: str
    origin: str = "wizard"
    in_context: bool = True
    choice: int = 0


class CancelQuery(Command, frozen=True):
    """Stop the attempt that is running."""

    attempt: str


class SendAnswer(Command, frozen=True):
    """Release the rows of an attempt; `sha256` is over the text that the wizard saw in the preview."""

    attempt: str
    sha256: str
    response: ResponseClass = ResponseClass.ANSWER


class SendCanned(Command, frozen=True):
    """Release a canned message, its blanks filled; without a take only fillers and greetings."""

    message: str
    blanks: tuple[str, ...] = ()
    take: str = ""


class SendText(Command, frozen=True):
    """Release a text of the wizard's own, where the profile allows it."""

    take: str
    text: str
    response: ResponseClass = ResponseClass.DIRECTIVE


class StopReply(Command, frozen=True):
    """Stop a reply that is still held back."""

    reply: str


class MarkReplyWrong(Command, frozen=True):
    """A reply that went out was the wizard's error."""

    reply: str
    reason: str


class WriteNote(Command, frozen=True):
    """A private note."""

    text: str
    take: str = ""


class NoteDeviation(Command, frozen=True):
    """The session departs from its protocol."""

    reason: str
    text: str


class IdentifyWizard(Command, frozen=True):
    """Name the person at this console."""

    name: str


class PauseSession(Command, frozen=True):
    """Stop the clocks that count against the subject."""

    reason: str


class ResumeSession(Command, frozen=True):
    """Let them run again."""


class AnswerCall(Command, frozen=True):
    """The subject's call was seen to."""


class EndSession(Command, frozen=True):
    """Close the visit."""

    reason: str


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
    | IdentifyWizard
    | PauseSession
    | ResumeSession
    | AnswerCall
    | EndSession
)
AnyCommand = Report | SubjectRequest | ConsoleRequest

_TRANSCRIBING = (Transcribe, MarkScope, WriteNote, IdentifyWizard)
_EXPERIMENTING = (
    StartScenario,
    SwitchRecording,
    EndScenario,
    InvalidateScenario,
    WriteNote,
    NoteDeviation,
    PauseSession,
    ResumeSession,
    AnswerCall,
    EndSession,
    IdentifyWizard,
)


_LOOKING_ON = (EndScenario, InvalidateScenario, PauseSession, ResumeSession, AnswerCall)
"""Commands that keep the visit in order and put no word into the dialogue: docs/decisions/session-and-visit.md."""


def permitted(role: Role, command: AnyCommand) -> bool:
    """Whether a desk of this role may send the command at all."""
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
            return isinstance(command, _TRANSCRIBING)
        case Role.EXPERIMENTER:
            return isinstance(command, _EXPERIMENTING)
        case Role.OBSERVER:
            return isinstance(command, _LOOKING_ON)
        case _:
            assert_never(role)
