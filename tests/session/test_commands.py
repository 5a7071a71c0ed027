"""Who may do what."""

import pytest

from session import commands as c
from session import events as e
from session.commands import permitted
from session.values.vocabulary import Language, OperatorTrouble, Outcome, ProposalVerdict, Role, Stage
from tests.session.examples import at
from tests.session.play import Play
from tests.session.strategies import FACTS


@pytest.fixture
def play() -> Play:
    """A session in which scenario `hub` is going on."""
    made = Play()
    made.start()
    return made


STAMP = at(0)
COMMANDS: dict[str, c.AnyCommand] = {
    "subject reports": c.Report(id="C", event=e.TalkPressed(at=STAMP, take="T1")),
    "wizard reports": c.Report(id="C", event=e.AnswerPreviewed(at=STAMP, attempt="A", sha256="")),
    "discard": c.DiscardTake(id="C", at=STAMP, take="T1"),
    "solve": c.DeclareSolution(id="C", at=STAMP, solution="x"),
    "give up": c.GiveUp(id="C", at=STAMP),
    "start": c.StartScenario(id="C", scenario="hub"),
    "record": c.SwitchRecording(id="C", at=STAMP, on=True),
    "end scenario": c.EndScenario(id="C", outcome=Outcome.ENDED),
    "invalidate": c.InvalidateScenario(id="C", run=0, reason="x"),
    "transcribe": c.Transcribe(id="C", at=STAMP, take="T1", text="x"),
    "scope": c.MarkScope(id="C", take="T1", scope="in"),  # type: ignore[arg-type]
    "request": c.SubmitQuery(id="C", at=STAMP, take="T1", language=Language.ENGLISH, text="x"),
    "query": c.SubmitQuery(id="C", at=STAMP, take="T1", language=Language.SQL, text="x"),
    "cancel": c.CancelQuery(id="C", attempt="A"),
    "answer": c.SendAnswer(id="C", attempt="A", sha256=""),
    "canned": c.SendCanned(id="C", message="unable"),
    "text": c.SendText(id="C", take="T1", text="x"),
    "stop reply": c.StopReply(id="C", reply="R"),
    "mark wrong": c.MarkReplyWrong(id="C", reply="R", reason="x"),
    "note": c.WriteNote(id="C", text="x"),
    "deviation": c.NoteDeviation(id="C", reason="x", text="x"),
    "deviation back": c.TakeDeviationBack(id="C", reason="x", text="x"),
    "identify": c.IdentifyWizard(id="C", name="x"),
    "pause": c.PauseSession(id="C", reason="x"),
    "resume": c.ResumeSession(id="C"),
    "answer call": c.AnswerCall(id="C"),
    "end session": c.EndSession(id="C", reason="x"),
    "take over": c.TakeOverStage(id="C", stage=Stage.RESPONSE, reason="x"),
    "give back": c.GiveBackStage(id="C", stage=Stage.RESPONSE, reason="x"),
    "judge": c.JudgeOutput(id="C", stage=Stage.RESPONSE, take="T1", verdict=ProposalVerdict.ACCEPTED),
    "operate": c.OperateStage(id="C", stage=Stage.RESPONSE, engine="x"),
    "report trouble": c.ReportTrouble(id="C", stage=Stage.RESPONSE, trouble=OperatorTrouble.ERROR),
    "propose": c.ProposeTranscription(id="C", at=STAMP, take="T1", final=True, hypotheses=(), engine="x"),
    "consulted": c.ReportConsultation(id="C", consulted=e.ModelConsulted(take="T1", attempt="A", model="x")),
}
SUBJECTS = {"subject reports", "discard", "solve", "give up"}
BOTH = {"note", "identify"}
MACHINES = {"operate", "report trouble"}
ONLY_MACHINES = {*MACHINES, "propose", "consulted"}
MAY = {
    Role.SUBJECT: SUBJECTS,
    Role.WIZARD: set(COMMANDS) - SUBJECTS - ONLY_MACHINES,
    Role.TRANSCRIBER: {"transcribe", "scope", *BOTH},
    Role.EXPERIMENTER: {
        "start",
        "record",
        "end scenario",
        "invalidate",
        "deviation",
        "deviation back",
        "pause",
        "resume",
        "answer call",
        "end session",
        "take over",
        "give back",
        *BOTH,
    },
    Role.OBSERVER: {"end scenario", "invalidate", "pause", "resume", "answer call"},
    Role.RECOGNISER: {*MACHINES, "propose"},
    Role.INTERPRETER: {*MACHINES, "consulted", "request"},
    Role.RESPONDER: {*MACHINES, "answer", "canned", "text", "start", "end session"},
}


@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_do_exactly_its_own(role: Role) -> None:
    assert {name for name, command in COMMANDS.items() if permitted(role, command)} == MAY[role]


def test_every_command_is_in_the_table_above() -> None:
    known = {type(command) for command in COMMANDS.values()}
    assert known == {c.Report, *c.SubjectRequest.__args__, *c.ConsoleRequest.__args__, *c.MachineRequest.__args__}


def test_a_desk_that_may_not_is_told_so_and_no_more(play: Play) -> None:
    for role in Role:
        for name in set(COMMANDS) - MAY[role]:
            told = "That did not work. Please" if role is Role.SUBJECT else "This desk cannot do that."
            assert play.refused(COMMANDS[name], role).startswith(told)


MADE_BY_THE_HUB = {
    "SessionOpened",
    "SessionPaused",
    "SessionResumed",
    "SessionEnded",
    "SpeakerWithdrawn",
    "SpeakerCorrected",
    "CallAnswered",
    "NoteWritten",
    "DeviationNoted",
    "DeviationTakenBack",
    "WizardIdentified",
    "StepBegun",
    "ScenarioStarted",
    "SolutionDeclared",
    "ScenarioGivenUp",
    "ScenarioEnded",
    "ScenarioInvalidated",
    "RecordingSwitched",
    "TakeConfirmed",
    "TakeDiscarded",
    "UtteranceAccepted",
    "Transcribed",
    "ScopeMarked",
    "QuerySubmitted",
    "QueryReturned",
    "QueryFailed",
    "ProposalJudged",
    "ReplyLimitReached",
    "ReplyPlanned",
    "ReplyStopped",
    "AnswerSent",
    "CannedSent",
    "ReplyVoiced",
    "VoiceFailed",
    "ReplyMarkedWrong",
    "DeskAttached",
    "DeskDetached",
    "DeskRefused",
    "ClockCompared",
    "CommandRefused",
    "StageAssigned",
    "OperatorTroubled",
    "HypothesisReceived",
    "ReplyProposed",
    "OutputJudged",
    "ModelConsulted",
    "Redacted",
}


def test_every_fact_is_reported_by_one_desk_or_made_by_the_hub() -> None:
    reported = {kind.__name__ for kind in (*c.SubjectFact.__args__, e.AnswerPreviewed)}
    assert {kind.__name__ for kind in FACTS} - reported == MADE_BY_THE_HUB
