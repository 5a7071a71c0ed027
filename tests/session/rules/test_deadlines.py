"""What the passing of time brings about, at its time and once."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from session import commands as c
from session import events as e
from session.rules.deadlines import due, next_due
from session.state.fold import SessionState
from session.study.settings import Profile
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Echo, Outcome, Role
from tests.session.examples import at
from tests.session.play import Play


def playing(scenario: str = "hub", **profile: Any) -> Play:
    play = Play(msgspec.convert({"name": "test", "echo": "never", **profile}, Profile))
    play.start(scenario)
    return play


def test_the_limit_for_a_reply_counts_from_the_end_of_speech_and_is_told_once() -> None:
    play = playing()
    play.speak(seconds=100)
    assert play.wait(59.9) == []
    assert play.wait(0.1) == [e.ReplyLimitReached(take="T1")]
    assert play.wait(1000) == []


def test_typed_requests_have_the_limit_too() -> None:
    play = playing()
    play.report(e.UtteranceTyped(at=play.now, take="T1", text="x"))
    assert play.wait(60) == [e.ReplyLimitReached(take="T1")]


def test_a_reply_stops_the_count_and_a_filler_does_not() -> None:
    play = playing()
    play.speak("T1")
    play.do(play.canned("unable", "T1"))
    play.speak("T2")
    play.do(play.canned("wait", "T2"))
    assert play.wait(1000) == [e.ReplyLimitReached(take="T2")]


def test_no_limit_is_no_limit() -> None:
    play = playing(reply_limit_s=0)
    play.speak()
    assert next_due(play.state, play.now) is None
    assert play.wait(10_000) == []


def test_discarded_takes_wait_for_nothing() -> None:
    play = playing()
    play.speak()
    play.do(c.DiscardTake(id="D", at=play.now, take="T1"), Role.SUBJECT)
    assert next_due(play.state, play.now) is None


def test_pauses_do_not_count() -> None:
    play = playing(scenario_limit_s=300)
    play.speak(seconds=2)
    play.wait(30)
    play.do(c.PauseSession(id="P", reason="break"))
    assert next_due(play.state, play.now) is None
    assert play.wait(3600) == []
    play.do(c.ResumeSession(id="R"))
    assert play.wait(29.9) == []
    assert play.wait(0.1) == [e.ReplyLimitReached(take="T1")]
    assert play.wait(237.9) == []
    assert play.wait(0.1)[-1] == e.ScenarioEnded(outcome=Outcome.TIME_UP)


def test_a_pause_before_an_utterance_does_not_lengthen_its_limit() -> None:
    play = playing()
    play.do(c.PauseSession(id="P", reason="break"))
    play.wait(50)
    play.do(c.ResumeSession(id="R"))
    play.speak()
    assert play.wait(60) == [e.ReplyLimitReached(take="T1")]


def test_what_begins_within_a_pause_loses_only_the_rest_of_it() -> None:
    play = Play(Profile(name="test", echo=Echo.NEVER, scenario_limit_s=100))
    play.do(c.PauseSession(id="P", reason="break"))
    play.wait(50)
    play.start()
    play.wait(20)
    play.report(e.UtteranceTyped(at=play.now, take="T1", text="x"))
    play.wait(20)
    play.do(c.ResumeSession(id="R"))
    assert play.wait(59.9) == []
    assert play.wait(0.1) == [e.ReplyLimitReached(take="T1")]
    assert play.wait(39.9) == []
    assert play.wait(0.1)[-1] == e.ScenarioEnded(outcome=Outcome.TIME_UP)


def test_when_the_scenario_s_time_is_up_what_was_said_becomes_utterances() -> None:
    play = playing(scenario_limit_s=10, reply_limit_s=0)
    play.speak("T1")
    play.speak("T2")
    assert play.take("T1").number == 1
    assert play.wait(10) == [
        e.UtteranceAccepted(take="T2", number=2),
        e.ScenarioEnded(outcome=Outcome.TIME_UP),
    ]
    assert play.wait(100) == []


def test_practice_has_no_time_limit() -> None:
    assert playing("warm-up", scenario_limit_s=10).wait(1000) == []


def test_a_planned_reply_does_not_run_into_the_limit() -> None:
    play = playing(hold_back_s=30)
    play.speak()
    play.wait(50)
    play.do(play.canned())
    assert [type(fact).__name__ for fact in play.wait(100)] == ["UtteranceAccepted", "CannedSent"]


def test_a_planned_reply_that_was_stopped_does() -> None:
    play = playing(hold_back_s=30)
    play.speak()
    play.wait(50)
    (planned,) = play.do(play.canned())
    assert isinstance(planned, e.ReplyPlanned)
    play.wait(20)
    play.do(c.StopReply(id="S", reply=planned.reply.reply))
    assert play.wait(1) == [e.ReplyLimitReached(take="T1")]


def test_when_reply_and_scenario_are_due_together_the_utterance_is_accepted_once() -> None:
    play = playing(hold_back_s=8, scenario_limit_s=10, reply_limit_s=0)
    play.speak("T1", seconds=2)
    play.do(play.canned("unable", "T1"))
    facts = play.wait(8)
    assert [type(fact).__name__ for fact in facts] == ["UtteranceAccepted", "CannedSent", "ScenarioEnded"]


def test_a_planned_reply_goes_out_in_a_pause_too() -> None:
    play = playing(hold_back_s=3)
    play.speak()
    play.do(play.canned())
    play.do(c.PauseSession(id="P", reason="break"))
    assert [type(fact).__name__ for fact in play.wait(3)] == ["UtteranceAccepted", "CannedSent"]


def test_after_a_restart_of_the_machine_a_planned_reply_is_still_due_at_its_time() -> None:
    """The new clock's monotonic reading says nothing about the old one's; the wall clocks do."""
    play = playing(hold_back_s=30)
    play.wait(5000)
    play.speak()
    play.do(play.canned())
    wall = play.now.wall
    early, late = Stamp("rebooted", 7, wall + 29 * SECOND), Stamp("rebooted", 7, wall + 30 * SECOND)
    assert due(play.state, early) == []
    assert next_due(play.state, early) == SECOND
    assert [type(fact).__name__ for fact in due(play.state, late)] == ["UtteranceAccepted", "CannedSent"]


def test_after_the_end_nothing_is_due() -> None:
    play = playing(scenario_limit_s=10)
    play.speak()
    play.do(c.EndScenario(id="E", outcome=Outcome.ENDED))
    play.do(c.EndSession(id="F", reason=""))
    assert (due(play.state, at(10_000)), next_due(play.state, play.now)) == ([], None)
    assert (due(SessionState(), at(0)), next_due(SessionState(), at(0))) == ([], None)


@pytest.mark.parametrize("echo", list(Echo))
@given(
    hold=st.floats(0, 20),
    limit=st.floats(0, 40),
    scenario=st.floats(0, 40),
    steps=st.lists(st.tuples(st.sampled_from("pausetwo"), st.floats(0, 15)), max_size=12),
)
def test_the_alarm_never_rings_in_vain_nor_too_late(
    echo: Echo, hold: float, limit: float, scenario: float, steps: list[tuple[str, float]]
) -> None:
    """Just before `next_due` nothing is due, and at that moment something is."""
    play = playing(echo=echo, hold_back_s=hold, reply_limit_s=limit, scenario_limit_s=scenario)
    for number, (step, seconds) in enumerate(steps):
        if step in "pu":
            play.ask(c.PauseSession(id=play.new_id(), reason="") if step == "p" else c.ResumeSession(id=play.new_id()))
        elif step in "at":
            play.speak(f"T{number}", seconds=0)
        else:
            play.ask(play.canned("unable" if step == "s" else "wait", next(iter(play.state.takes), "")))
        play.clock.advance(seconds)
        play.hub(*due(play.state, play.now))
        wait = next_due(play.state, play.now)
        if wait is None:
            assert due(play.state, Stamp("hub", 2**60, 2**62)) == []
        else:
            assert wait > 0
            now = play.now
            assert due(play.state, Stamp("hub", now.mono + wait - 1, now.wall)) == []
            assert due(play.state, Stamp("hub", now.mono + wait, now.wall)) != []
