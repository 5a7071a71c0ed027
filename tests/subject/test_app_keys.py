"""The keys of the subject's screen: every one in sight, and no press without an answer."""

import pytest
from textual import events
from textual.widgets._toast import Toast, ToastRack

from desk.app import SMALLEST
from desk.keys.actions import in_groups
from desk.keys.footer import ALL_KEYS
from desk.talk.button import TalkButton, TalkState
from desk.turn_stack import TurnStack
from session import events as e
from session.study.screen_words import ENGLISH
from session.values.clock import Stamp
from session.values.vocabulary import RecordingControl
from subject.screens.session_screen import SessionScreen
from tests.desk.regions import painted
from tests.subject.stage import Stage, settle


def toasts(stage: Stage) -> list[str]:
    return [note.message for note in stage.app._notifications]


async def test_a_press_that_is_not_taken_is_answered_and_leaves_nothing_pressed() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        assert stage.button is TalkState.BLOCKED
        await pilot.press("space")
        await settle(pilot)
        assert toasts(stage) == [ENGLISH["message.not_now"]]
        stage.desk.scenario()
        stage.desk.terminal.use(None)
        await settle(pilot)
        stage.desk.clock.advance(5)
        await pilot.press("space")
        await settle(pilot)
        assert "The microphone is not switched on" in stage.text("#message")
        assert stage.app.screen.query_one(TalkButton).grip is None
        stage.desk.terminal.use(stage.desk.recorder)
        stage.desk.clock.advance(5)
        await pilot.press("space")
        await settle(pilot)
        assert any(isinstance(fact, e.TalkPressed) for fact in stage.facts)


async def test_a_refused_press_is_answered_once_beside_the_button_and_no_longer_than_it_holds() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=SMALLEST, notifications=True) as pilot:
        await settle(pilot)
        for _ in range(3):
            await pilot.press("space")
        await settle(pilot)
        assert toasts(stage) == [ENGLISH["message.not_now"]]
        button, (toast,) = (
            stage.app.screen.query_one(TalkButton),
            stage.app.screen.get_child_by_type(ToastRack).query(Toast),
        )
        assert toast.region.height
        assert not toast.region.overlaps(button.region)
        stage.desk.scenario()
        await settle(pilot)
        assert stage.button is TalkState.READY
        assert toasts(stage) == []


async def test_who_has_stopped_is_not_told_to_wait_for_a_button_that_never_gets_ready() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.tell(e.WithdrawalRequested(at=Stamp("s", 0, 0), erase=False))
        await settle(pilot)
        await pilot.press("space")
        await settle(pilot)
        assert toasts(stage) == [ENGLISH["headline.withdrawn"]]
        stage.desk.tell(e.SessionEnded(reason=""))
        stage.desk.clock.advance(5)
        await settle(pilot)
        await pilot.press("space")
        await settle(pilot)
        assert toasts(stage)[-1] == ENGLISH["headline.ended"]


async def test_a_press_that_a_change_of_the_screen_overtakes_can_still_be_ended() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.scenario()
        await settle(pilot)
        screen = stage.app.screen
        assert isinstance(screen, SessionScreen)
        screen.talk.takes_key(events.Key("space", " "))
        stage.desk.utterance("earlier")
        screen.refresh_all()
        await settle(pilot)
        (press,) = [fact for fact in stage.facts if isinstance(fact, e.TalkPressed)]
        stage.desk.clock.advance(5)
        await pilot.press("space")
        await settle(pilot)
        ends = [fact for fact in stage.facts if isinstance(fact, e.TalkReleased)]
        assert [(end.take, end.why) for end in ends] == [(press.take, "pressed_again")]


@pytest.mark.parametrize("recording", [RecordingControl.PRESS, RecordingControl.TYPED])
async def test_in_the_smallest_terminal_no_key_falls_off_whatever_is_in_focus(recording: RecordingControl) -> None:
    stage = Stage(recording=recording, context_return=True)
    async with stage.app.run_test(size=SMALLEST) as pilot:
        stage.desk.scenario()
        stage.desk.utterance("t1")
        stage.desk.tell(e.AnswerSent(reply="r1", take="t1", text="flight\n------\n12"))
        await settle(pilot)
        screen = stage.app.screen
        for _ in range(len(screen.focus_chain)):
            await pilot.press("tab")
            await settle(pilot)
            shown = painted(stage.app)
            assert [entry.does for entry in in_groups(screen) if entry.does not in shown] == []
            assert ALL_KEYS.does not in shown
            assert screen.query_one(TurnStack).size.height >= 3, "room for an answer stays"
