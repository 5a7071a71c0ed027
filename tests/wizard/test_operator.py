"""Recording from the console, where the profile leaves it to the operator, and what the console says of it."""

from session import commands as c
from session import events as e
from session.transport.websocket import LinkState
from session.values.clock import Stamp
from session.values.vocabulary import AudioTrouble, Channel, RecordingControl, Role, Sealed
from tests.wizard.desk import HandPlayed
from wizard.core import status_text
from wizard.core.console_actions import ACTIONS, ready

AT = Stamp("s", 0, 0)
RECORD = next(action for action in ACTIONS if action.name == "record")


def switched(desk: HandPlayed) -> list[bool]:
    return [command.on for command in desk.up.given if isinstance(command, c.SwitchRecording)]


def said(desk: HandPlayed) -> str:
    return " ".join(text for _, text in status_text.banners(desk.console, LinkState(True), ""))


def begun(desk: HandPlayed) -> None:
    desk.tell(e.TalkPressed(at=AT, take="t1"))
    desk.tell(e.RecordingStarted(at=AT, take="t1", channels=(Channel("s", "head", 16_000),), pre_roll=0))


def test_one_key_begins_and_ends_it_and_the_screen_says_which() -> None:
    desk = HandPlayed(recording=RecordingControl.OPERATOR)
    desk.scenario()
    desk.console.switch_recording()
    desk.tell(e.RecordingSwitched(at=AT, on=True))
    assert "Recording begins as soon as" in said(desk)
    begun(desk)
    assert "Recording begins as soon as" not in said(desk)
    assert "● RECORDING" in status_text.utterance(desk.console)
    desk.console.switch_recording()
    desk.tell(e.RecordingSwitched(at=AT, on=False), e.TalkReleased(at=AT, take="t1", why="switched off"))
    desk.tell(e.RecordingStopped(at=AT, take="t1", sealed=(Sealed("s", 1, ""),)))
    desk.console.switch_recording()
    assert switched(desk) == [True, False, True]


def test_what_has_not_begun_yet_can_be_taken_back() -> None:
    desk = HandPlayed(recording=RecordingControl.OPERATOR)
    desk.scenario()
    desk.console.switch_recording()
    desk.tell(e.RecordingSwitched(at=AT, on=True))
    desk.console.switch_recording()
    assert switched(desk) == [True, False]


def test_it_is_offered_in_that_profile_only_and_to_those_who_may() -> None:
    for role in Role:
        if role is Role.SUBJECT:
            continue
        desk = HandPlayed(role, recording=RecordingControl.OPERATOR)
        assert not ready(desk.console, RECORD, sound=True)
        desk.scenario()
        assert ready(desk.console, RECORD, sound=True) is (role in (Role.WIZARD, Role.EXPERIMENTER))
    desk = HandPlayed(recording=RecordingControl.PRESS)
    desk.scenario()
    assert not ready(desk.console, RECORD, sound=True)


async def test_alt_c_is_the_key() -> None:
    desk = HandPlayed(recording=RecordingControl.OPERATOR)
    desk.scenario()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        await pilot.press("alt+c")
        await pilot.pause()
        assert switched(desk) == [True]


def test_a_lost_microphone_is_told_until_there_is_another_one() -> None:
    desk = HandPlayed()
    desk.tell(e.AudioTroubled(at=AT, take="", trouble=AudioTrouble.DEVICE_LOST, letter="s", detail="head: unplugged"))
    assert "THE PARTICIPANT'S MICROPHONE IS LOST (s: head: unplugged)" in said(desk)
    desk.tell(
        e.AudioTroubled(at=AT, take="", trouble=AudioTrouble.DEVICE_CHANGED, letter="s", detail="table took over")
    )
    assert "MICROPHONE" not in said(desk)
