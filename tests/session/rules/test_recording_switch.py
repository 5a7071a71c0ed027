"""Recording that the operator switches, and microphones that go away: what the hub decides."""

from typing import Any

import pytest

from session import commands as c
from session import events as e
from session.study.settings import MicrophoneChoice, Profile
from session.values.vocabulary import AudioTrouble, LostMicrophone, RecordingControl, Role
from tests.session.play import Play


def operated(**settings: Any) -> Play:
    play = Play(Profile(name="test", recording=RecordingControl.OPERATOR, **settings))
    play.start()
    return play


def switch(play: Play, on: bool) -> c.SwitchRecording:
    return c.SwitchRecording(id=play.new_id(), at=play.now, on=on)


def test_on_then_off_around_a_take_that_the_subjects_desk_reports() -> None:
    play = operated()
    play.do(switch(play, True))
    assert play.state.switched_on
    play.report(e.TalkPressed(at=play.now, take="T1"))
    assert not play.state.switched_on
    assert play.state.talking is play.take()
    assert "on already" in play.refused(switch(play, True))
    play.do(switch(play, False))
    play.report(e.TalkReleased(at=play.now, take="T1", why="operator"))
    assert play.state.talking is None
    assert "Nothing is being recorded" in play.refused(switch(play, False))


def test_switching_on_again_within_the_tail_is_allowed_and_the_take_is_being_talked_into_again() -> None:
    play = operated()
    play.do(switch(play, True))
    play.report(e.TalkPressed(at=play.now, take="T1"))
    play.report(e.TalkReleased(at=play.now, take="T1"))
    play.do(switch(play, True))
    play.report(e.TalkPressed(at=play.now, take="T1"))
    assert play.state.talking is play.take()


def test_what_was_asked_for_and_not_begun_can_be_taken_back() -> None:
    play = operated()
    play.do(switch(play, True))
    play.do(switch(play, False))
    assert not play.state.switched_on


@pytest.mark.parametrize("control", [value for value in RecordingControl if value is not RecordingControl.OPERATOR])
def test_only_where_the_profile_leaves_it_to_the_operator(control: RecordingControl) -> None:
    play = Play(Profile(name="test", recording=control))
    play.start()
    assert "the participant, not the operator" in play.refused(switch(play, True))


def test_not_between_scenarios_not_in_a_pause_and_not_while_a_reply_is_held_back() -> None:
    play = operated(hold_back_s=5.0)
    play.turn()
    planned = play.state.planned
    assert planned is not None
    assert "on its way" in play.refused(switch(play, True))
    play.do(c.StopReply(id=play.new_id(), reply=planned.reply.reply))
    play.do(c.PauseSession(id=play.new_id(), reason="break"))
    assert "paused" in play.refused(switch(play, True))
    play.do(c.ResumeSession(id=play.new_id()))
    play.do(c.GiveUp(id=play.new_id(), at=play.now), Role.SUBJECT)
    assert "No scenario" in play.refused(switch(play, True))


def test_an_end_of_the_scenario_or_a_pause_takes_the_wish_back() -> None:
    play = operated()
    play.do(switch(play, True))
    play.do(c.PauseSession(id=play.new_id(), reason="break"))
    assert not play.state.switched_on
    play.do(c.ResumeSession(id=play.new_id()))
    play.do(switch(play, True))
    play.do(c.GiveUp(id=play.new_id(), at=play.now), Role.SUBJECT)
    assert not play.state.switched_on


def lost(play: Play, take: str = "", letter: str = "s") -> e.AudioTroubled:
    return e.AudioTroubled(at=play.now, take=take, trouble=AudioTrouble.DEVICE_LOST, letter=letter, detail="unplugged")


def test_a_lost_microphone_is_known_until_another_one_is_there() -> None:
    play = operated()
    play.report(lost(play))
    play.report(lost(play, letter="c"))
    assert play.state.lost_microphones == {"s": "unplugged", "c": "unplugged"}
    assert play.state.paused is None
    play.report(e.AudioTroubled(at=play.now, take="", trouble=AudioTrouble.DEVICE_CHANGED, letter="s", detail="b"))
    assert play.state.lost_microphones == {"c": "unplugged"}
    assert play.state.takes == {}


def test_a_lost_microphone_pauses_the_session_once_where_the_profile_says_so() -> None:
    play = operated(lost_microphone=LostMicrophone.PAUSE)
    play.report(lost(play, "T1"))
    play.report(lost(play, "T1", "c"))
    assert play.names.count("SessionPaused") == 1
    assert play.state.paused is not None
    paused = next(fact for fact in play.facts if isinstance(fact, e.SessionPaused))
    assert paused.reason == "the microphone is gone: unplugged"


@pytest.mark.parametrize(
    "choices",
    [
        (MicrophoneChoice(letters="c"),),
        (MicrophoneChoice(), MicrophoneChoice()),
        (MicrophoneChoice(letters="sabc"), MicrophoneChoice(letters="d")),
        (MicrophoneChoice(letters="S"),),
    ],
)
def test_channels_without_a_letter_of_their_own_are_refused(choices: tuple[MicrophoneChoice, ...]) -> None:
    with pytest.raises(ValueError, match="one to four"):
        Profile(name="test", microphones=choices)


def test_rates_beyond_what_curtain_records_are_refused() -> None:
    with pytest.raises(ValueError, match="8000"):
        MicrophoneChoice(rate=4_000)
