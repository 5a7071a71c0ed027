"""Who holds a stage: machines and people keep out of each other's, and every change of hands is a fact."""

from typing import Any

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.study.settings import Operators, Profile
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import (
    Echo,
    Language,
    LostOperator,
    Operator,
    OperatorTrouble,
    Outcome,
    ProposalVerdict,
    RecordingControl,
    Role,
    SpokenPart,
    Stage,
)
from tests.session.play import Play

MACHINES = Operators(
    recognition=Operator.MACHINE, understanding=Operator.MACHINE, database=Operator.MACHINE, response=Operator.MACHINE
)
CORRECTED = Operators(recognition=Operator.CORRECTED, response=Operator.CORRECTED)
DESKS = {
    Stage.RECOGNITION: Role.RECOGNISER,
    Stage.UNDERSTANDING: Role.INTERPRETER,
    Stage.RESPONSE: Role.RESPONDER,
}


def attached(operators: Operators = MACHINES, **keys: Any) -> Play:
    """A session in which a machine has come in for each stage that the profile gives to one."""
    play = Play(Profile(**{"name": "test", "operators": operators, "echo": Echo.WITH_ANSWER, **keys}))
    for stage, role in DESKS.items():
        if getattr(operators, stage) is not Operator.HUMAN:
            play.ask(c.OperateStage(id=f"in-{stage}", stage=stage, engine="test", version="1"), role)
    play.start()
    return play


def heard(play: Play, *texts: str, take: str = "T1") -> list[e.Fact]:
    words = tuple(Hypothesis(text, 0.5) for text in texts)
    command = c.ProposeTranscription(
        id=play.new_id(), at=play.now, take=take, final=True, hypotheses=words, engine="test"
    )
    return play.do(command, Role.RECOGNISER)


def asked(play: Play, text: str = "flights to Denver") -> c.SubmitQuery:
    return c.SubmitQuery(id=play.new_id(), at=play.now, take="T1", language=Language.ENGLISH, text=text)


def test_a_machine_does_its_stage_and_a_person_is_refused() -> None:
    play = attached()
    play.speak()
    refused = play.refused(c.Transcribe(id="W", at=play.now, take="T1", text="x"))
    assert refused == "A machine operates the stage recognition; take the stage over first."
    assert [type(fact).__name__ for fact in heard(play, "flights to Denver")][:2] == [
        "HypothesisReceived",
        "Transcribed",
    ]
    assert play.refused(asked(play)).startswith("A machine operates the stage understanding")
    assert play.refused(play.canned()).startswith("A machine operates the stage response")
    by_hand = msgspec.structs.replace(asked(play, "SELECT 'come and see me'"), language=Language.SQL)
    assert play.refused(by_hand, Role.INTERPRETER) == "This desk cannot do that."
    play.do(asked(play), Role.INTERPRETER)
    assert play.do(play.canned(), Role.RESPONDER)


def test_a_machine_has_no_word_in_a_stage_of_people_nor_in_that_of_another_machine() -> None:
    play = attached(Operators(understanding=Operator.HUMAN))
    play.speak()
    command = c.OperateStage(id="M", stage=Stage.RECOGNITION, engine="test")
    assert play.refused(command, Role.RECOGNISER) == "In profile test a person operates the stage recognition."
    other = c.OperateStage(id="M", stage=Stage.RECOGNITION, engine="test")
    assert play.refused(other, Role.RESPONDER) == "This desk cannot operate the stage recognition."
    assert play.refused(asked(play), Role.INTERPRETER) == "This machine does not operate the stage understanding."


def test_taking_over_and_giving_back_are_facts_with_a_reason_and_turn_the_rules_round() -> None:
    play = attached()
    play.speak()
    take = c.TakeOverStage(id="O1", stage=Stage.RECOGNITION, reason="it mishears")
    assert play.refused(c.TakeOverStage(id="O0", stage=Stage.RECOGNITION, reason=" ")) == (
        "Give a reason for taking the stage over."
    )
    assert play.do(take, Role.EXPERIMENTER) == [
        e.StageAssigned(
            stage=Stage.RECOGNITION, operator=Operator.HUMAN, engine="test", version="1", reason="it mishears"
        )
    ]
    assert play.transcribe()
    words = (Hypothesis("x"),)
    late = c.ProposeTranscription(id="P", at=play.now, take="T1", final=True, hypotheses=words, engine="test")
    assert play.refused(late, Role.RECOGNISER) == "A person operates the stage recognition."
    play.do(c.GiveBackStage(id="O2", stage=Stage.RECOGNITION, reason="new take"))
    assert play.state.operator(Stage.RECOGNITION) is Operator.MACHINE
    assert play.refused(c.TakeOverStage(id="O3", stage=Stage.DATABASE, reason="x")) == (
        "The hub itself queries the database; this stage cannot be taken over."
    )


@pytest.mark.parametrize(
    ("typed", "place", "verdict"),
    [
        ("flights to Denver", 0, ProposalVerdict.ACCEPTED),
        ("lights to Denver", 1, ProposalVerdict.ACCEPTED),
        ("x", None, ProposalVerdict.EDITED),
        ("flights to Denver", None, ProposalVerdict.EDITED),
    ],
)
def test_whether_a_draft_was_taken_as_it_stood_is_a_fact(
    typed: str, place: int | None, verdict: ProposalVerdict
) -> None:
    play = attached(CORRECTED)
    play.speak()
    assert [type(fact).__name__ for fact in heard(play, "flights to Denver", "lights to Denver")] == [
        "HypothesisReceived"
    ]
    taken = c.Transcribe(id="as", at=play.now, take="T1", text=typed if place is None else "", hypothesis=place)
    judged = play.do(taken)[0]
    assert judged == e.OutputJudged(stage=Stage.RECOGNITION, take="T1", verdict=verdict, choice=place or 0)
    assert play.take().text == typed
    assert not any(isinstance(fact, e.OutputJudged) for fact in play.transcribe(text="once more"))


def test_a_draft_is_accepted_by_its_place_or_rejected() -> None:
    play = attached(CORRECTED)
    play.speak()
    heard(play, "a", "b")
    judge = c.JudgeOutput(id="J1", stage=Stage.RECOGNITION, take="T1", verdict=ProposalVerdict.ACCEPTED, choice=2)
    assert play.refused(judge) == "There is no hypothesis 3."
    play.do(c.JudgeOutput(id="J2", stage=Stage.RECOGNITION, take="T1", verdict=ProposalVerdict.ACCEPTED, choice=1))
    assert play.take().text == "b"
    assert play.take().judged == (
        e.OutputJudged(stage=Stage.RECOGNITION, take="T1", verdict=ProposalVerdict.ACCEPTED, choice=1),
    )
    play.speak("T2")
    heard(play, "c", take="T2")
    reject = c.JudgeOutput(id="J3", stage=Stage.RECOGNITION, take="T2", verdict=ProposalVerdict.REJECTED)
    assert play.do(reject, Role.TRANSCRIBER) == [
        e.OutputJudged(stage=Stage.RECOGNITION, take="T2", verdict=ProposalVerdict.REJECTED)
    ]
    assert "judged already" in play.refused(reject)
    assert "judged already" in play.refused(c.Transcribe(id="T", at=play.now, take="T2", text="c", hypothesis=0))
    assert [type(fact) for fact in play.transcribe("T2", "see")] == [e.Transcribed]


def test_a_machine_that_goes_on_complaining_is_recorded_a_few_times() -> None:
    play = attached()
    play.speak()
    play.speak("T2")

    def complaint(take: str, trouble: OperatorTrouble, detail: str) -> c.ReportTrouble:
        return c.ReportTrouble(id=play.new_id(), stage=Stage.RECOGNITION, trouble=trouble, take=take, detail=detail)

    recorded = [
        fact
        for number in range(40)
        for fact in play.do(
            complaint(("T1", "T2", "", "T9")[number % 4], list(OperatorTrouble)[number % 3], str(number)),
            Role.RECOGNISER,
        )
        if isinstance(fact, e.OperatorTroubled)
    ]
    assert 2 <= len(recorded) <= 6


def test_a_corrected_reply_waits_for_the_judgement_of_a_person() -> None:
    play = attached(CORRECTED)
    play.speak()
    assert [type(fact).__name__ for fact in play.do(play.canned(), Role.RESPONDER)] == ["ReplyProposed"]
    sent = play.do(c.JudgeOutput(id="J", stage=Stage.RESPONSE, take="T1", verdict=ProposalVerdict.ACCEPTED))
    assert [type(fact).__name__ for fact in sent] == ["OutputJudged", "UtteranceAccepted", "CannedSent"]
    play.speak("T2")
    play.do(play.canned("unable", "T2"), Role.RESPONDER)
    play.do(c.JudgeOutput(id="K", stage=Stage.RESPONSE, take="T2", verdict=ProposalVerdict.REJECTED))
    assert play.take("T2").proposed is None
    assert not play.take("T2").replies
    play.do(play.canned("unable", "T2"), Role.RESPONDER)
    own = play.do(play.canned("unable", "T2"))
    assert own[0] == e.OutputJudged(stage=Stage.RESPONSE, take="T2", verdict=ProposalVerdict.EDITED)


def test_a_machine_sends_no_words_but_the_front_end_s_question() -> None:
    play = attached()
    play.speak()
    heard(play, "flights to Denver")
    name = asked(play)
    play.do(name, Role.INTERPRETER)
    question = "Where will you be leaving from?"
    play.hub(e.QueryFailed(attempt=name.id, kind="not_understood", message="", question=question))  # type: ignore[arg-type]
    text = c.SendText(id="S1", take="T1", text="I am a person")
    assert play.refused(text, Role.RESPONDER) == "A machine sends no text except the front end's question."
    sent = play.do(c.SendText(id="S2", take="T1", text=question), Role.RESPONDER)[-1]
    assert isinstance(sent, e.CannedSent)
    assert (sent.text, sent.reason, sent.response) == (question, "asked back", "directive")


@pytest.mark.parametrize("policy", list(LostOperator))
def test_a_machine_that_lets_its_deadline_pass_is_late_once_and_the_profile_says_what_follows(
    policy: LostOperator,
) -> None:
    play = attached(operator_deadline_s=5, lost_operator=policy)
    play.speak()
    assert play.wait(4.9) == []
    facts = play.wait(30)
    assert isinstance(facts[0], e.OperatorTroubled)
    assert (facts[0].trouble, facts[0].take) == (OperatorTrouble.LATE, "T1")
    followed = {
        LostOperator.WAIT: [],
        LostOperator.PERSON: ["StageAssigned"],
        LostOperator.DIAGNOSTIC: ["UtteranceAccepted", "CannedSent"],
    }
    assert [type(fact).__name__ for fact in facts[1:]] == followed[policy]
    held = Operator.HUMAN if policy is LostOperator.PERSON else Operator.MACHINE
    assert play.state.operator(Stage.RECOGNITION) is held


def test_pauses_do_not_count_against_a_machine() -> None:
    play = attached(operator_deadline_s=5)
    play.speak()
    play.do(c.PauseSession(id="P1", reason="x"))
    play.wait(60)
    play.do(c.ResumeSession(id="P2"))
    assert play.wait(4.9) == []
    assert play.wait(0.2)


def test_whatever_a_machine_sends_is_spoken_where_replies_are() -> None:
    play = attached(operator_deadline_s=5, lost_operator=LostOperator.DIAGNOSTIC, spoken=SpokenPart.ANSWER)
    play.speak()
    play.wait(5)
    heard_ = [fact for fact in play.facts if isinstance(fact, e.CannedSent)]
    play.speak("T2")
    heard(play, "flights to Denver", take="T2")
    name = msgspec.structs.replace(asked(play), take="T2")
    play.do(name, Role.INTERPRETER)
    question = "Where will you be leaving from?"
    play.hub(e.QueryFailed(attempt=name.id, kind="not_understood", message="", question=question))  # type: ignore[arg-type]
    heard_ += [play.do(c.SendText(id="S", take="T2", text=question), Role.RESPONDER)[-1]]  # type: ignore[list-item]
    assert [bool(fact.spoken) for fact in heard_] == [True, True]


@pytest.mark.parametrize(
    "operators", [Operators(), Operators(understanding=Operator.MACHINE, response=Operator.MACHINE)]
)
def test_a_responder_leads_no_visit_that_people_lead(operators: Operators) -> None:
    play = attached(operators)
    play.do(c.EndScenario(id="E", outcome=Outcome.ENDED, reason="done"))
    for command in (c.StartScenario(id="S", scenario="hub"), c.EndSession(id="X", reason="mine")):
        assert play.refused(command, Role.RESPONDER) == "People lead the visits of this profile."
        assert isinstance(play.ask(command, Role.EXPERIMENTER), list)
        if not play.state.ended:
            play.do(c.EndScenario(id="E2", outcome=Outcome.ENDED, reason="done"))


def test_a_responder_leads_until_a_person_takes_the_stage_over() -> None:
    play = attached()
    play.do(c.EndScenario(id="E", outcome=Outcome.ENDED, reason="done"))
    play.do(c.TakeOverStage(id="O", stage=Stage.RESPONSE, reason="it is wrong"))
    ending = c.EndSession(id="X", reason="the scenarios are done")
    assert play.refused(ending, Role.RESPONDER) == "A person operates the stage response."
    play.do(c.GiveBackStage(id="B", stage=Stage.RESPONSE, reason="it is right"))
    assert play.do(ending, Role.RESPONDER)


def test_a_recogniser_has_one_last_word_on_what_was_said_and_none_on_what_was_typed() -> None:
    play = attached()
    play.speak()
    heard(play, "flights to Denver")
    again = c.ProposeTranscription(
        id="P", at=play.now, take="T1", final=True, hypotheses=(Hypothesis("x"),), engine="test"
    )
    assert play.refused(again, Role.RECOGNISER) == "This utterance already has its final words."
    play = attached(recording=RecordingControl.TYPED)
    play.report(e.UtteranceTyped(at=play.now, take="T1", text="flights to Denver"))
    assert play.refused(again, Role.RECOGNISER) == "This utterance was typed."
    assert play.take().text == "flights to Denver"


def test_an_interpreter_reports_what_a_model_cost_of_its_own_stage_and_of_an_utterance_that_there_is() -> None:
    def report(take: str) -> c.ReportConsultation:
        return c.ReportConsultation(id="R", consulted=e.ModelConsulted(take=take, attempt="A", model="x"))

    play = attached(Operators(understanding=Operator.HUMAN))
    play.speak()
    assert play.refused(report("T1"), Role.INTERPRETER) == "This machine does not operate the stage understanding."
    play = attached()
    play.speak()
    assert play.refused(report("T9"), Role.INTERPRETER) == "There is no such utterance."
    assert play.do(report("T1"), Role.INTERPRETER)


@pytest.mark.parametrize("stage", Stage)
def test_nobody_judges_what_no_machine_has_proposed(stage: Stage) -> None:
    play = Play(Profile(name="test"))
    play.start()
    play.speak()
    judge = c.JudgeOutput(id="J", stage=stage, take="T1", verdict=ProposalVerdict.REJECTED)
    assert play.refused(judge).startswith("No machine ")
