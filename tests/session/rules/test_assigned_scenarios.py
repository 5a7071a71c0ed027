"""The assigned scenario is what starts; another one takes a reason; one line says what is left. What was noted is taken back
in the scenario that it stands in."""

import msgspec

from session import commands as c
from session import events as e
from session.rules.assigned_scenarios import left_to_do, next_line
from session.study.assignment import Assignment, VisitPlan
from session.values.vocabulary import Outcome, Role
from tests.session.examples import opening
from tests.session.play import Play


def test_another_scenario_than_the_assigned_one_takes_a_reason_and_is_a_deviation() -> None:
    play = Play()
    given = Assignment(1, (VisitPlan({}, ("trip", "hub")),))
    opened = opening()
    scenarios = opened.protocol.scenarios
    trip = msgspec.structs.replace(scenarios["hub"], id="trip", title="A trip")
    protocol = msgspec.structs.replace(opened.protocol, scenarios={**scenarios, "trip": trip})
    play.hub(msgspec.structs.replace(opened, protocol=protocol, assignment=given))
    assert next_line(play.state).startswith("next: A trip · 2 of 2 left")
    assert "The design assigns trip next; give a reason" in play.refused(c.StartScenario(id="C1", scenario="hub"))
    noted, started = play.do(c.StartScenario(id="C2", scenario="hub", reason="the map of trip is missing"))
    assert isinstance(noted, e.DeviationNoted)
    assert (noted.text, noted.reason) == ("the map of trip is missing", "the design assigns trip next, not hub")
    assert isinstance(started, e.ScenarioStarted)
    play.do(c.GiveUp(id="G1", at=play.now), Role.SUBJECT)
    assert left_to_do(play.state) == ("trip",)
    assert isinstance(play.do(c.StartScenario(id="C3", scenario="trip"))[0], e.ScenarioStarted)
    play.do(c.GiveUp(id="G2", at=play.now), Role.SUBJECT)
    assert next_line(play.state) == "all 2 assigned scenarios are done"
    assert isinstance(play.do(c.StartScenario(id="C4", scenario="warm-up"))[0], e.ScenarioStarted)


def test_a_deviation_is_taken_back_once_and_before_the_scenario_is_over() -> None:
    play = Play()
    play.start()
    back = c.TakeDeviationBack(id="B", reason="noise", text="the\nfan was on")
    assert play.refused(back).startswith("Only a deviation noted")
    for number in "12":
        play.do(c.NoteDeviation(id=number, reason="noise", text="the fan was on"))
    assert play.do(back) == [e.DeviationTakenBack(reason="noise", text="the fan was on")]
    assert len(play.state.deviations) == 1
    play.do(c.EndScenario(id="E", outcome=Outcome.INVALIDATED, reason="noise"))
    assert play.refused(back).startswith("Only a deviation noted")
