"""Records of a log as the facts that they tell: the other way round of `corpus.formats.log.wording`, one record at a time.

Functions raise ValueError for a value that no fact has.
"""

from collections.abc import Callable, Mapping

import msgspec

from corpus.formats.log.channels import channels_of
from corpus.formats.log.log_values import Record
from corpus.formats.log.logged_readings import readings_of
from corpus.formats.log.operator_facts import OPERATOR_FACTS
from corpus.formats.log.result_table import table_of
from session import events as e
from session.values.answers import FailureKind
from session.values.clock import Stamp
from session.values.vocabulary import (
    AudioTrouble,
    Channel,
    DeskRefusal,
    Language,
    Outcome,
    PlaybackEnd,
    ProposalVerdict,
    ResponseClass,
    Scope,
    Sealed,
)


def _agreed(record: Record) -> dict[str, bool]:
    return {name: given != "no" for name, _, given in (scope.partition("=") for scope in record.all("Scope_given"))}


def _sealed(record: Record) -> tuple[Sealed, ...]:
    drift = {letter: float(ppm) for letter, ppm in (value.split(" ") for value in record.all("Drift"))}
    found = (value.split(" ") for value in record.all("Samples"))
    return tuple(Sealed(letter, int(samples), sha256, drift.get(letter)) for letter, samples, sha256 in found)


def _recording(record: Record, take: str, at: Stamp) -> e.RecordingStarted:
    offsets = {letter: int(offset) for letter, offset in (value.split(" ") for value in record.all("Offset"))}
    found = channels_of(record).items()
    channels = tuple(Channel(letter, name, rate, offsets.get(letter, 0)) for letter, (rate, name) in found)
    return e.RecordingStarted(at=at, take=take, channels=channels, pre_roll=int(record.get("Pre_roll")))


def _opened_microphone(record: Record, at: Stamp) -> e.MicrophoneOpened:
    applied = {name: value for name, _, value in (one.partition("=") for one in record.all("Applied"))}
    return e.MicrophoneOpened(
        at=at,
        microphone=record.get("Microphone"),
        rate=int(record.get("Rate")),
        applied=applied,
        program=record.get("Program"),
    )


def _end_pointed(record: Record, take: str, at: Stamp) -> e.EndPointed:
    speech_end = record.get("Speech_end")
    return e.EndPointed(
        at=at,
        take=take,
        decided_at=int(record.get("Decided_at")),
        rate=int(record.get("Rate")),
        speech_end=int(speech_end) if speech_end else None,
        detector=record.get("Detector"),
    )


def _troubled(record: Record, take: str, at: Stamp) -> e.AudioTroubled:
    return e.AudioTroubled(
        at=at,
        take=take,
        trouble=AudioTrouble(record.get("Trouble")),
        letter=record.get("Channel"),
        at_sample=int(record.get("At_sample")),
        samples=int(record.get("Trouble_samples")),
        detail=record.get("Detail"),
    )


def _submitted(record: Record, take: str, at: Stamp) -> e.QuerySubmitted:
    return e.QuerySubmitted(
        at=at,
        attempt=record.get("Attempt"),
        take=take,
        language=Language(record.get("Language")),
        text=record.get("Sentence"),
        origin=record.get("Origin"),
        in_context=not record.all("Alone"),
        choice=int(record.get("Reading") or 1) - 1,
    )


def _rows(record: Record) -> e.QueryReturned:
    table = msgspec.structs.replace(table_of(record.get("Table")), more=bool(record.all("More_rows")))
    return e.QueryReturned(
        attempt=record.get("Attempt"),
        sql=record.get("Query"),
        table=table,
        took=int(record.get("Took")),
        database_version=record.get("Database_version"),
        paraphrase=record.get("Paraphrase"),
        question=record.get("Question"),
        proposer=record.get("Proposer"),
        others=readings_of(record),
        confidence=float(record.get("Confidence") or 0),
        unused=record.all("Unused"),
        unasked=record.all("Unasked"),
        doubt=record.get("Doubt"),
    )


def _failed(record: Record) -> e.QueryFailed:
    return e.QueryFailed(
        attempt=record.get("Attempt"),
        kind=FailureKind(record.get("Failure")),
        message=record.get("Message"),
        sql=record.get("Query"),
        took=int(record.get("Took")),
        question=record.get("Question"),
        proposer=record.get("Proposer"),
        others=readings_of(record),
    )


def returned(record: Record, take: str) -> e.AnswerSent | e.CannedSent:
    response = ResponseClass(record.get("Response"))
    said = {"transcription": record.get("Echoed"), "spoken": record.get("Spoken")}
    delay = int(record.get("Delay"))
    canned = record.get("Canned_message") or record.get("Reason")
    if record.get("Attempt") or (response is ResponseClass.ANSWER and not canned):
        return e.AnswerSent(
            reply=record.get("Reply"),
            take=take,
            text=record.get("Result"),
            attempt=record.get("Attempt"),
            response=response,
            database_version=record.get("Database_version"),
            planned_delay=delay,
            **said,
        )
    return e.CannedSent(
        reply=record.get("Reply"),
        take=take,
        text=record.get("Result"),
        message=record.get("Canned_message"),
        blanks=record.all("Blank"),
        reason=record.get("Reason"),
        response=response,
        planned_delay=delay,
        **said,
    )


def _lines(record: Record) -> tuple[int, int]:
    first, _, last = record.get("Lines").partition("-")
    return int(first), int(last)


def _shown(record: Record, at: Stamp) -> e.ReplyShown:
    first, last = _lines(record)
    return e.ReplyShown(at=at, reply=record.get("Reply"), first=first, last=last)


def _viewed(record: Record, at: Stamp) -> e.ReplyViewed:
    first, last = _lines(record)
    reopened = bool(record.all("Reopened"))
    return e.ReplyViewed(at=at, reply=record.get("Reply"), first=first, last=last, reopened=reopened)


def _voiced(record: Record) -> e.ReplyVoiced:
    return e.ReplyVoiced(
        reply=record.get("Reply"),
        sha256=record.get("Sha256"),
        samples=int(record.get("Samples")),
        rate=int(record.get("Rate")),
        engine=record.get("Engine"),
        version=record.get("Version"),
        took=int(record.get("Took")),
    )


def _played(record: Record, at: Stamp) -> e.PlaybackStopped:
    return e.PlaybackStopped(
        at=at,
        reply=record.get("Reply"),
        samples=int(record.get("Samples")),
        why=PlaybackEnd(record.get("Why")),
        detail=record.get("Detail"),
    )


CERTIFIED: Mapping[str, bool] = {"yes": True, "no": False}
FACTS: Mapping[str, Callable[[Record, str, Stamp], e.Fact]] = {
    "Wizard_identified": lambda r, take, at: e.WizardIdentified(
        name=r.get("Wizard"), role=r.get("Role"), certified=CERTIFIED.get(r.get("Certified"))
    ),
    "Screen_sized": lambda r, take, at: e.ScreenSized(at=at, columns=int(r.get("Columns")), lines=int(r.get("Rows"))),
    "Consent_given": lambda r, take, at: e.ConsentGiven(
        at=at, version=r.get("Consent"), sha256=r.get("Sha256"), scopes=_agreed(r)
    ),
    "Session_paused": lambda r, take, at: e.SessionPaused(reason=r.get("Reason")),
    "Session_resumed": lambda r, take, at: e.SessionResumed(),
    "Session_ended": lambda r, take, at: e.SessionEnded(reason=r.get("Reason")),
    "Experimenter_called": lambda r, take, at: e.ExperimenterCalled(at=at),
    "Call_answered": lambda r, take, at: e.CallAnswered(),
    "Note_written": lambda r, take, at: e.NoteWritten(text=r.get("Note"), take=take),
    "Deviation_noted": lambda r, take, at: e.DeviationNoted(reason=r.get("Reason"), text=r.get("Note")),
    "Deviation_taken_back": lambda r, take, at: e.DeviationTakenBack(reason=r.get("Reason"), text=r.get("Note")),
    "Instructions_read": lambda r, take, at: e.InstructionsRead(at=at),
    "Microphone_opened": lambda r, take, at: _opened_microphone(r, at),
    "Microphone_checked": lambda r, take, at: e.MicrophoneChecked(
        at=at, peak_db=float(r.get("Peak")), passed=r.get("Passed") == "yes"
    ),
    "Questionnaire_answered": lambda r, take, at: e.QuestionnaireAnswered(at=at, form=r.get("Form"), answers={}),
    "Debriefing_read": lambda r, take, at: e.DebriefingRead(at=at, sha256=r.get("Sha256")),
    "Consent_confirmed": lambda r, take, at: e.ConsentConfirmed(
        at=at, version=r.get("Consent"), sha256=r.get("Sha256"), scopes=_agreed(r)
    ),
    "Withdrawal_requested": lambda r, take, at: e.WithdrawalRequested(at=at, erase=r.get("Erase") == "yes"),
    "Solution_declared": lambda r, take, at: e.SolutionDeclared(at=at, solution=r.get("Solution")),
    "Scenario_given_up": lambda r, take, at: e.ScenarioGivenUp(at=at),
    "Scenario_ended": lambda r, take, at: e.ScenarioEnded(outcome=Outcome(r.get("Outcome")), reason=r.get("Reason")),
    "Recording_switched": lambda r, take, at: e.RecordingSwitched(at=at, on=r.get("On") == "yes"),
    "Talk_pressed": lambda r, take, at: e.TalkPressed(at=at, take=take),
    "End_pointed": _end_pointed,
    "Talk_released": lambda r, take, at: e.TalkReleased(at=at, take=take, why=r.get("Reason")),
    "Recording_begin": _recording,
    "Audio_troubled": _troubled,
    "Recording_end": lambda r, take, at: e.RecordingStopped(
        at=at, take=take, sealed=_sealed(r), tail=int(r.get("Tail")), recovered=bool(r.all("Recovered"))
    ),
    "Take_confirmed": lambda r, take, at: e.TakeConfirmed(take=take, sealed=_sealed(r)),
    "Utterance_typed": lambda r, take, at: e.UtteranceTyped(at=at, take=take, text=r.get("Utterance")),
    "Take_discarded": lambda r, take, at: e.TakeDiscarded(at=at, take=take),
    "Context_switched": lambda r, take, at: e.ContextSwitched(at=at, target=r.get("To")),
    "Transcription_sent": lambda r, take, at: e.Transcribed(at=at, take=take, text=r.get("Utterance")),
    "Transcription_shown": lambda r, take, at: e.TranscriptionShown(at=at, take=take),
    "Scope_marked": lambda r, take, at: e.ScopeMarked(take=take, scope=Scope(r.get("Scope"))),
    "Sentence_sent": _submitted,
    "Query_returned": lambda r, take, at: _rows(r),
    "Query_failed": lambda r, take, at: _failed(r),
    "Proposal_judged": lambda r, take, at: e.ProposalJudged(
        attempt=r.get("Attempt"), verdict=ProposalVerdict(r.get("Verdict"))
    ),
    "Answer_previewed": lambda r, take, at: e.AnswerPreviewed(at=at, attempt=r.get("Attempt"), sha256=r.get("Sha256")),
    "Reply_stopped": lambda r, take, at: e.ReplyStopped(reply=r.get("Reply")),
    "Answer_returned": lambda r, take, at: returned(r, take),
    "Reply_marked_wrong": lambda r, take, at: e.ReplyMarkedWrong(reply=r.get("Reply"), reason=r.get("Reason")),
    "Reply_limit_reached": lambda r, take, at: e.ReplyLimitReached(take=take),
    "Answer_shown": lambda r, take, at: _shown(r, at),
    "Answer_viewed": lambda r, take, at: _viewed(r, at),
    "Reply_voiced": lambda r, take, at: _voiced(r),
    "Voice_failed": lambda r, take, at: e.VoiceFailed(
        reply=r.get("Reply"), engine=r.get("Engine"), detail=r.get("Detail")
    ),
    "Playback_started": lambda r, take, at: e.PlaybackStarted(at=at, reply=r.get("Reply")),
    "Playback_stopped": lambda r, take, at: _played(r, at),
    "Desk_attached": lambda r, take, at: e.DeskAttached(
        role=r.get("Role"), desk=r.get("Desk"), clock=r.get("Clock"), version=r.get("Version")
    ),
    "Desk_detached": lambda r, take, at: e.DeskDetached(role=r.get("Role"), desk=r.get("Desk"), why=r.get("Reason")),
    "Desk_refused": lambda r, take, at: e.DeskRefused(role=r.get("Role"), reason=DeskRefusal(r.get("Reason"))),
    "Command_refused": lambda r, take, at: e.CommandRefused(
        role=r.get("Role"), command=r.get("Command"), reason=r.get("Reason")
    ),
    "Redacted": lambda r, take, at: e.Redacted(of=r.get("Of")),
    **OPERATOR_FACTS,
}
"""The fact of each kind of record that needs nothing but the record, its take and its moment."""
