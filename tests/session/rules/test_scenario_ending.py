"""A scenario that is over can be declared invalid: by whom, when, and what stays as it was."""

import pytest

from session import commands as c
from session import events as e
from session.values.vocabulary import Outcome, Role
from tests.session.play import Play


@pytest.fixture
def play() -> Play:
    """One scenario that the subject has solved, and one that goes on."""
    made = Play()
    made.start()
    made.do(c.DeclareSolution(id="solved", at=made.now, solution="Atlanta"), Role.SUBJECT)
    made.start()
    return made


def invalid(run: int, reason: str = "she had seen the answer") -> c.InvalidateScenario:
    return c.InvalidateScenario(id=f"invalid {run}", run=run, reason=reason)


@pytest.mark.parametrize("role", [Role.WIZARD, Role.EXPERIMENTER, Role.OBSERVER])
def test_a_scenario_that_is_over_is_declared_invalid_with_its_reason(play: Play, role: Role) -> None:
    assert play.do(invalid(0, " she had\nseen it "), role) == [e.ScenarioInvalidated(run=0, reason="she had seen it")]
    first, second = play.state.runs
    assert (first.outcome, first.reason, first.solution) == (Outcome.INVALIDATED, "she had seen it", "Atlanta")
    assert second.outcome is None
    assert play.state.run == second


def test_what_cannot_be_declared_invalid_is_refused_in_words(play: Play) -> None:
    assert play.refused(invalid(0, " \n")) == "Give a reason why the scenario is invalid."
    assert play.refused(invalid(1)) == "This scenario is still going on; end it as invalidated."
    assert play.refused(invalid(2)) == play.refused(invalid(-1)) == "There is no such scenario."
    play.do(invalid(0))
    assert play.refused(invalid(0)) == "This scenario is invalid already."


def test_it_can_be_done_when_the_session_has_ended(play: Play) -> None:
    play.do(c.EndScenario(id="end", outcome=Outcome.ENDED))
    play.do(c.EndSession(id="close", reason=""))
    assert play.state.ended
    play.do(invalid(1))
    assert play.state.runs[1].outcome is Outcome.INVALIDATED
