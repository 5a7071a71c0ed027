"""What somebody who looks on is told of a session's progress, by streams whose figures are known."""

from session import events as e
from session.events import Recorded
from session.protocol.links import FactReceived
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Outcome, Role, Step
from tests.desk.regions import painted
from tests.session.examples import FORM
from tests.wizard.desk import SESSION, HandPlayed
from wizard.core.session_progress import progress

AT = Stamp("s", 0, 0)


def lines(desk: HandPlayed, at_s: float) -> str:
    return "\n".join(progress(desk.console.state, Stamp("hub", round(at_s * SECOND), round(at_s * SECOND))))


def scenario(number: int | None, *, common: bool = False) -> e.ScenarioStarted:
    return e.ScenarioStarted(number=number, scenario="trip", title="Trip", text="Go.", kind="trip", common=common)


def test_time_left_leaves_pauses_out() -> None:
    desk = HandPlayed(session_limit_s=3600.0, scenario_limit_s=600.0)
    desk.tell(scenario(1), after=60)
    desk.tell(e.SessionPaused(reason="tea"), after=120)
    assert "Session: 2:00 of 60:00, 58:00 left, the clock is stopped" in lines(desk, 400)
    desk.tell(e.SessionResumed(), after=420)
    assert "Session: 3:00 of 60:00, 57:00 left" in lines(desk, 480)
    assert "Scenario: 2:00 of 10:00, 8:00 left" in lines(desk, 480)


def test_scenarios_are_told_with_their_outcomes_and_the_sites_share_of_the_common_one() -> None:
    import msgspec

    desk = HandPlayed(welcome=False, max_scenarios=6)
    desk.welcome(max_scenarios=6)
    opened = desk.console.state.opened
    assert opened is not None
    desk.tell(msgspec.structs.replace(opened, scenarios_before=18, common_before=1))
    desk.tell(scenario(None), e.ScenarioEnded(outcome=Outcome.ENDED))
    desk.tell(scenario(1, common=True), e.ScenarioEnded(outcome=Outcome.DECLARED))
    desk.tell(scenario(2), e.ScenarioEnded(outcome=Outcome.INVALIDATED, reason="bell rang"))
    desk.tell(scenario(3))
    desk.spoken()
    desk.answered()
    text = lines(desk, 10)
    assert "Common scenario at this site: 2 of 20, 10 % (target 10 %, met)" in text
    assert "Scenarios: 2 of at most 6" in text, "an invalid one uses up none"
    assert "2        Trip: invalidated (bell rang), 0 utterances, 0 of about 4 answered" in text
    assert "3        Trip: under way, 1 utterances, 1 of about 4 answered" in text
    assert "1        Trip, common: declared" in text


def test_the_station_of_the_visit_is_told_and_what_is_done_is_ticked() -> None:
    desk = HandPlayed(steps=(Step.MICROPHONE_CHECK, Step.SCENARIOS, Step.SATISFACTION))
    assert "Now: the participant is at microphone check" in lines(desk, 1)
    desk.tell(e.MicrophoneChecked(at=AT, peak_db=-9.0, passed=True))
    assert "√ microphone check, scenarios, satisfaction" in lines(desk, 1)
    desk.tell(e.StepBegun(step=Step.SATISFACTION, form=FORM))
    assert "Now: the participant is at satisfaction" in lines(desk, 1)
    assert "√ scenarios, satisfaction" in lines(desk, 1)
    desk.tell(e.WithdrawalRequested(at=AT, erase=True))
    assert "THE PARTICIPANT HAS STOPPED TAKING PART and wants everything erased" in lines(desk, 1)
    desk.tell(e.SessionEnded(reason=""))
    assert "Now: the session has ended" in lines(desk, 1)


async def test_everybody_may_look_at_it_the_observer_too() -> None:
    for role in (Role.WIZARD, Role.OBSERVER, Role.EXPERIMENTER):
        desk = HandPlayed(role)
        async with desk.app.run_test(size=(80, 24)) as pilot:
            desk.scenario()
            await pilot.pause()
            await pilot.press("alt+v")
            await pilot.pause()
            assert "Common scenario at this site" in painted(desk.app)
            await pilot.press("escape")
            await pilot.pause()
            assert "Common scenario at this site" not in painted(desk.app)


async def test_a_scenario_that_began_after_a_restart_of_the_hub_has_its_time() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        started = e.ScenarioStarted(number=1, scenario="trip", title="Trip", text="Go.", kind="trip")
        at = Stamp("hub of later", 10 * SECOND, 10 * SECOND)
        desk.console.receive(FactReceived(Recorded(SESSION, desk.seq + 1, at, "hub", "", started)))
        desk.clock.advance(75)
        await pilot.pause()
        await pilot.press("alt+v")
        await pilot.pause()
        assert "Scenario: 1:05 so far" in painted(desk.app)
