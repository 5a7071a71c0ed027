"""Machines that are gone, late or never there: what is recorded, what is told at the consoles, what the subject gets."""

import pytest

from session import commands as c
from session import events as e
from session.rules.operator_deadlines import gone
from session.study.settings import Operators, Profile
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Echo, LostOperator, Operator, OperatorTrouble, Role, Stage
from tests.session.play import Play

MACHINES = Operators(
    recognition=Operator.MACHINE, understanding=Operator.MACHINE, database=Operator.MACHINE, response=Operator.MACHINE
)
DESKS = {
    Stage.RECOGNITION: Role.RECOGNISER,
    Stage.UNDERSTANDING: Role.INTERPRETER,
    Stage.RESPONSE: Role.RESPONDER,
}


def attach(play: Play, *stages: Stage) -> None:
    for stage in stages:
        command = c.OperateStage(id=play.new_id(), stage=stage, engine="test", version="1")
        play.do(command, DESKS[stage])


def session(policy: LostOperator, *stages: Stage) -> Play:
    """A scenario in which these machines are there."""
    keys = {"operators": MACHINES, "echo": Echo.WITH_ANSWER, "operator_deadline_s": 5, "lost_operator": policy}
    play = Play(Profile(name="test", **keys))  # type: ignore[arg-type]
    attach(play, *stages)
    play.start()
    return play


def lose(play: Play, stage: Stage) -> list[str]:
    facts = gone(play.state, stage, "it went")
    play.hub(*facts)
    return [type(fact).__name__ for fact in facts]


def words(play: Play, take: str) -> None:
    command = c.ProposeTranscription(
        id=play.new_id(), at=play.now, take=take, final=True, hypotheses=(Hypothesis("fares"),), engine="test"
    )
    play.do(command, Role.RECOGNISER)


def test_a_machine_that_was_late_is_missed_when_it_dies() -> None:
    play = session(LostOperator.WAIT, *DESKS)
    play.speak()
    play.wait(6)
    assert play.state.stage_troubles[Stage.RECOGNITION].trouble is OperatorTrouble.LATE
    assert lose(play, Stage.RECOGNITION) == ["OperatorTroubled", "SessionPaused"]
    assert play.state.stage_troubles[Stage.RECOGNITION].trouble is OperatorTrouble.DIED
    assert lose(play, Stage.RECOGNITION) == []


def test_a_machine_that_is_gone_and_late_is_gone_and_is_given_nothing_back() -> None:
    play = session(LostOperator.DIAGNOSTIC, *DESKS)
    lose(play, Stage.RECOGNITION)
    play.speak()
    play.wait(0.01)
    assert play.state.stage_troubles[Stage.RECOGNITION].trouble is OperatorTrouble.DIED
    play.do(c.TakeOverStage(id="O1", stage=Stage.RECOGNITION, reason="it is gone"))
    back = c.GiveBackStage(id="O2", stage=Stage.RECOGNITION, reason="again")
    assert play.refused(back) == "The machine of the stage recognition is not connected."


def test_a_session_that_waits_for_machines_goes_on_when_people_have_taken_over_all_that_are_gone() -> None:
    play = session(LostOperator.WAIT, *DESKS)
    lose(play, Stage.RECOGNITION)
    lose(play, Stage.RESPONSE)
    play.do(c.TakeOverStage(id="O1", stage=Stage.UNDERSTANDING, reason="to look"))
    play.do(c.TakeOverStage(id="O2", stage=Stage.RECOGNITION, reason="it is gone"))
    assert play.state.paused is not None, "the responder is still missed"
    facts = play.do(c.TakeOverStage(id="O3", stage=Stage.RESPONSE, reason="it is gone"))
    assert [type(fact).__name__ for fact in facts] == ["StageAssigned", "SessionResumed"]
    assert play.state.paused is None


def test_a_pause_that_a_person_wanted_outlasts_a_change_of_hands() -> None:
    play = session(LostOperator.WAIT, *DESKS)
    play.do(c.PauseSession(id="O1", reason="coffee"))
    lose(play, Stage.RECOGNITION)
    play.do(c.TakeOverStage(id="O2", stage=Stage.RECOGNITION, reason="it is gone"))
    assert play.state.paused is not None


def test_nobody_waits_for_a_diagnostic_while_a_machine_is_known_to_be_gone() -> None:
    play = session(LostOperator.DIAGNOSTIC, *DESKS)
    lose(play, Stage.RECOGNITION)
    play.speak()
    play.speak("T2")
    play.wait(0.01)
    facts = play.facts
    assert [fact.take for fact in facts if isinstance(fact, e.CannedSent)] == ["T1", "T2"]
    late = [fact for fact in facts if isinstance(fact, e.OperatorTroubled) and fact.take]
    assert [(fact.take, fact.detail) for fact in late] == [("T1", "it is gone"), ("T2", "it is gone")]


def test_each_of_two_utterances_that_are_late_at_once_gets_its_diagnostic() -> None:
    play = session(LostOperator.DIAGNOSTIC, *DESKS)
    play.speak()
    play.speak("T2")
    facts = [*play.wait(30), *play.wait(0.01)]
    assert [fact.take for fact in facts if isinstance(fact, e.CannedSent)] == ["T1", "T2"]


@pytest.mark.parametrize(
    ("policy", "followed"),
    [
        (LostOperator.DIAGNOSTIC, ["OperatorTroubled", "UtteranceAccepted", "CannedSent"]),
        (LostOperator.PERSON, ["OperatorTroubled", "StageAssigned"]),
        (LostOperator.WAIT, ["OperatorTroubled"]),
    ],
)
def test_a_machine_that_never_came_in_is_late_like_any_other(policy: LostOperator, followed: list[str]) -> None:
    play = session(policy, Stage.UNDERSTANDING, Stage.RESPONSE)
    play.speak()
    assert play.wait(4.9) == []
    facts = play.wait(1)
    assert [type(fact).__name__ for fact in facts] == followed
    assert facts[0] == e.OperatorTroubled(
        stage=Stage.RECOGNITION,
        trouble=OperatorTrouble.LATE,
        take="T1",
        detail="none has come in, and nothing within 5 s",
    )


def test_the_session_waits_for_every_machine_that_is_gone() -> None:
    play = session(LostOperator.WAIT, *DESKS)
    lose(play, Stage.RECOGNITION)
    lose(play, Stage.UNDERSTANDING)
    attach(play, Stage.RECOGNITION)
    assert play.state.paused is not None
    attach(play, Stage.UNDERSTANDING)
    assert play.state.paused is None


def test_a_machine_that_works_again_is_in_no_trouble_any_more() -> None:
    play = session(LostOperator.DIAGNOSTIC, *DESKS)
    play.speak()
    trouble = c.ReportTrouble(
        id="R", stage=Stage.RECOGNITION, trouble=OperatorTrouble.GARBAGE, take="T1", detail="it says nothing"
    )
    play.do(trouble, Role.RECOGNISER)
    assert set(play.state.stage_troubles) == {Stage.RECOGNITION}
    play.speak("T2")
    words(play, "T2")
    assert play.state.stage_troubles == {}
