"""The subject's screen by keys and mouse, over a hub that is played by hand."""

from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from desk.editor import Editor
from desk.talk.button import TalkButton, TalkState
from desk.turn_stack import TurnStack
from session import commands as c
from session import events as e
from session.audio.devices import DeviceError
from session.study.screen_words import ENGLISH, shipped
from session.values.clock import Stamp, stamp
from session.values.paragraphs import reflowed
from session.values.vocabulary import Channel, Outcome, RecordingControl, Sealed
from subject.app import SubjectApp
from subject.core.terminal import Phase
from subject.screens.consent_screens import ConsentScreen
from subject.screens.session_screen import SessionScreen
from subject.screens.task_dialogs import SolutionScreen
from tests.desk.regions import assert_laid_out, each_size, painted
from tests.subject.stage import Stage, said, settle

AT = Stamp("subject", 0, 0)


def to_paint(screen: Screen[Any]) -> set[Widget]:
    whole = screen._layout_required or screen._repaint_required
    return {screen} if whole else set(screen._dirty_widgets)


async def test_a_session_from_task_to_answer() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        assert said(stage) == ENGLISH[f"headline.{Phase.BETWEEN}"]
        assert stage.button is TalkState.BLOCKED
        stage.desk.scenario()
        await settle(pilot)
        assert stage.button is TalkState.READY
        await pilot.press("space")
        await settle(pilot)
        (press,) = [fact for fact in stage.facts if isinstance(fact, e.TalkPressed)]
        assert stage.button is TalkState.READY, "no lamp before the first samples are in"
        channel = (Channel("s", "mic", 16000),)
        stage.desk.terminal.fact(e.RecordingStarted(at=AT, take=press.take, channels=channel, pre_roll=0))
        await settle(pilot)
        assert stage.button is TalkState.RECORDING
        await pilot.click(TalkButton)
        stage.desk.terminal.fact(e.RecordingStopped(at=AT, take=press.take, sealed=(Sealed("s", 5, ""),)))
        stage.desk.utterance(press.take)
        await settle(pilot)
        assert stage.button is TalkState.WORKING
        stage.desk.tell(e.Transcribed(at=AT, take=press.take, text="show me flights"))
        await settle(pilot)
        assert painted(stage.app).count("show me flights") == 1
        assert any(isinstance(fact, e.TranscriptionShown) for fact in stage.facts)
        stage.desk.tell(e.AnswerSent(reply="r1", take=press.take, text="flight\n------\n12"))
        await settle(pilot)
        assert "flight" in painted(stage.app)
        (shown,) = [fact for fact in stage.facts if isinstance(fact, e.ReplyShown)]
        assert (shown.reply, shown.first, shown.last) == ("r1", 0, 2)
        assert stage.button is TalkState.READY


async def test_each_of_two_waiting_utterances_is_shown_and_told_to_be_whichever_is_transcribed_first() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.scenario()
        for take in ("t1", "t2", "t3"):
            stage.desk.utterance(take)
        stage.desk.tell(e.Transcribed(at=AT, take="t2", text="the second"))
        await settle(pilot)
        assert painted(stage.app).count("the second") == 1
        stage.desk.tell(*(e.Transcribed(at=AT, take=take, text=take) for take in ("t1", "t3")))
        await settle(pilot)
        shown = [fact.take for fact in stage.facts if isinstance(fact, e.TranscriptionShown)]
        assert shown == ["t2", "t1", "t3"]
        stage.desk.tell(e.AnswerSent(reply="r1", take="t3", text="flight 12"))
        await settle(pilot)
        assert stage.button is TalkState.WORKING, "the older two wait for their replies"


async def test_an_utterance_left_waiting_does_not_keep_the_next_scenario_from_being_ready() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.scenario()
        stage.desk.utterance("t1")
        await settle(pilot)
        assert stage.button is TalkState.WORKING
        stage.desk.tell(e.ScenarioEnded(outcome=Outcome.GIVEN_UP))
        stage.desk.scenario()
        await settle(pilot)
        assert stage.button is TalkState.READY
        assert ENGLISH["talk.ready"] in said(stage)


async def test_a_fact_that_changes_nothing_on_the_screen_paints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    painted_now: list[set[Widget]] = []
    paint = Screen._compositor_refresh

    def noting(screen: Screen[Any]) -> None:
        painted_now.append(set(screen._dirty_widgets))
        paint(screen)

    monkeypatch.setattr(Screen, "_compositor_refresh", noting)
    stage = Stage(recording=RecordingControl.TYPED)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.scenario()
        stage.desk.tell(e.UtteranceTyped(at=AT, take="t1", text="flights"))
        stage.desk.tell(e.AnswerSent(reply="r1", take="t1", text="12"))
        await settle(pilot)
        screen = stage.app.screen
        blinking = {screen.query_one(Editor)}
        while to_paint(screen) - blinking:
            await settle(pilot)
        painted_now.clear()
        stage.desk.tell(e.ReplyShown(at=AT, reply="r1", first=0, last=0))
        await settle(pilot)
        assert to_paint(screen) <= blinking
        assert set().union(*painted_now) <= blinking
        stage.desk.tell(e.AnswerSent(reply="r2", take="t1", text="13"))
        await settle(pilot)
        assert screen.query_one(TurnStack) in to_paint(screen).union(*painted_now)


async def test_consent_is_asked_before_the_microphone_opens_and_nothing_is_ticked() -> None:
    opened: list[bool] = []
    stage = Stage(lambda: opened.append(True))
    stage.desk.terminal.state = type(stage.desk.terminal.state)()
    stage.desk.seq = 0
    import msgspec

    from tests.together.pipe import opened as fact

    first = fact()
    protocol = msgspec.structs.replace(
        first.protocol,
        profile=msgspec.structs.replace(first.protocol.profile, consent=True),
        consent_text="Your voice is recorded.",
    )
    stage.desk.tell(msgspec.structs.replace(first, protocol=protocol))
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        assert isinstance(stage.app.screen, ConsentScreen)
        assert "Your voice is recorded." in painted(stage.app)
        assert opened == []
        assert painted(stage.app).count("[ ]") == 5
        await pilot.press("space")
        await settle(pilot)
        assert painted(stage.app).count("[x]") == 1
        await pilot.press("f10")
        await settle(pilot)
        (consent,) = [fact for fact in stage.facts if isinstance(fact, e.ConsentGiven)]
        assert consent.scopes == {"record": True} | dict.fromkeys(
            ("transcribe", "publish_audio", "publish_text", "contact"), False
        )
        assert opened == []
        stage.desk.tell(consent)
        await settle(pilot)
        assert opened == [True]


async def test_no_key_is_offered_that_would_do_nothing() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Solved" not in painted(stage.app), "there is no task yet"
        stage.desk.scenario()
        await settle(pilot)
        assert "Solved F6   Give up F7" in painted(stage.app)
        stage.desk.tell(e.WithdrawalRequested(at=stamp(stage.desk.clock), erase=False))
        await settle(pilot)
        assert "You have stopped taking part" in painted(stage.app)
        assert "Solved" not in painted(stage.app)
        await pilot.press("f6", "f7")
        assert len(stage.app.screen_stack) == 2


async def test_a_question_over_the_button_ends_what_is_being_said() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    stage.desk.scenario()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("f6", "f7"):
            await pilot.press("space")
            await settle(pilot)
            take = stage.desk.terminal.held
            assert take
            await pilot.press(key)
            await settle(pilot)
            released = [fact for fact in stage.facts if isinstance(fact, e.TalkReleased)]
            assert (released[-1].take, released[-1].why) == (take, "covered")
            await pilot.press("escape")
            await settle(pilot)
            assert "Go." in painted(stage.app)
            assert stage.button is TalkState.READY
            stage.desk.clock.advance(2.0)


async def test_a_microphone_that_is_not_there_is_told_and_the_experimenter_called() -> None:
    def broken() -> None:
        raise DeviceError("there is no device")

    stage = Stage(broken)
    stage.desk.scenario()
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        assert stage.text("#message") == ENGLISH["message.no_microphone"], "why it is, a technician reads elsewhere"
        assert any(isinstance(fact, e.ExperimenterCalled) for fact in stage.facts)


async def test_once_the_call_is_answered_the_microphone_is_tried_again_and_no_sooner() -> None:
    tries: list[bool] = []

    def mended_later() -> None:
        tries.append(True)
        if len(tries) < 3:
            raise DeviceError("there is no device")

    stage = Stage(mended_later)
    stage.desk.scenario()
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        stage.desk.tell(e.ExperimenterCalled(at=AT), e.SessionPaused(reason=""), e.SessionResumed())
        await settle(pilot)
        assert len(tries) == 1
        stage.desk.tell(e.CallAnswered())
        await settle(pilot)
        assert stage.text("#message") == ENGLISH["message.no_microphone"], "why it is, a technician reads elsewhere"
        stage.desk.tell(e.CallAnswered())
        await settle(pilot)
        assert len(tries) == 3
        assert stage.text("#message") == ""
        stage.desk.tell(e.CallAnswered())
        await settle(pilot)
        assert len(tries) == 3


async def test_solving_giving_up_taking_back_and_calling_by_key() -> None:
    stage = Stage()
    stage.desk.scenario()
    stage.desk.utterance("t1")
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        await pilot.press("f5")
        await pilot.press("f8")
        await pilot.press("f6")
        await settle(pilot)
        await pilot.press(*"flight", "enter")
        await settle(pilot)
        await pilot.press("f7")
        await settle(pilot)
        await pilot.press("escape")
        await pilot.press("f7")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot)
    names = [type(command).__name__ for command in stage.desk.up.given if not isinstance(command, c.Report)]
    assert names == ["DiscardTake", "DeclareSolution", "GiveUp"]


async def test_typed_input_has_a_line_and_no_button() -> None:
    stage = Stage(recording=RecordingControl.TYPED)
    stage.desk.scenario()
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        assert not stage.app.screen.query(TalkButton)
        await pilot.press("tab", "tab", *"show", "tab", "tab", *" flights", "enter")
        await settle(pilot)
        await pilot.press("f6")
        await settle(pilot)
        assert isinstance(stage.app.screen, SolutionScreen), "the editor keeps F6 to itself"
        assert "Go." in painted(stage.app), "the question covers the task"
    (typed,) = [fact for fact in stage.facts if isinstance(fact, e.UtteranceTyped)]
    assert typed.text == "show flights"


async def test_a_typed_text_that_is_too_long_is_cut_where_it_is_pasted_and_that_is_said() -> None:
    stage = Stage(recording=RecordingControl.TYPED)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.scenario()
        await settle(pilot)
        stage.app.post_message(events.Paste("x" * 10_000))
        await settle(pilot)
        assert stage.text("#message") == "The text is too long: its last 5,000 characters were left out."
        await pilot.press("enter")
        await settle(pilot)
        (typed,) = [fact for fact in stage.facts if isinstance(fact, e.UtteranceTyped)]
        assert len(typed.text) == 5000


async def test_no_key_leaves_the_screen_without_the_code() -> None:
    stage = Stage()
    stage.desk.scenario()
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+q", "ctrl+c", "ctrl+p", "ctrl+z", "escape")
        await settle(pilot)
        assert stage.app.is_running
        assert isinstance(stage.app.screen, SessionScreen)


async def test_markup_and_control_sequences_in_answers_and_tasks_are_inert() -> None:
    stage = Stage()
    stage.desk.tell(
        e.ScenarioStarted(number=1, scenario="", title="[red]Trip[/]", text="\x1b[2JGo [b]now[/b]", kind="")
    )
    stage.desk.utterance("t1")
    stage.desk.tell(e.AnswerSent(reply="r", take="t1", text="[link=x]a[/link]\x07"))
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        shown = painted(stage.app)
        assert "[red]Trip[/]" in shown
        assert "[link=x]a[/link]␇" in shown
        assert "\x1b" not in shown


async def test_everything_has_its_room_at_every_size() -> None:
    def make() -> SubjectApp:
        stage = Stage()
        stage.desk.tell(e.ScenarioStarted(number=1, scenario="", title="Trip", text="Go somewhere. " * 30, kind=""))
        for number in range(4):
            stage.desk.utterance(f"t{number}")
            stage.desk.tell(e.AnswerSent(reply=f"r{number}", take=f"t{number}", text="x\n" * 20))
        return stage.app

    async def check(app: App[Any], pilot: Pilot[Any]) -> None:
        await settle(pilot)
        assert_laid_out(app)

    await each_size(make, check)


async def test_the_room_for_an_answer_is_reported_and_fits_the_stack() -> None:
    stage = Stage()
    stage.desk.scenario()
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        sizes = [fact for fact in stage.facts if isinstance(fact, e.ScreenSized)]
        assert sizes
        assert 80 <= sizes[-1].columns <= 98
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        later = [fact for fact in stage.facts if isinstance(fact, e.ScreenSized)][-1]
        assert later.columns == sizes[-1].columns + 20


async def test_the_end_of_a_scenario_and_of_the_session_are_said() -> None:
    stage = Stage()
    stage.desk.scenario()
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        stage.desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
        await settle(pilot)
        assert said(stage) == ENGLISH[f"headline.{Phase.BETWEEN}"]
        stage.desk.tell(e.SessionEnded(reason=""))
        await settle(pilot)
        assert said(stage) == ENGLISH[f"headline.{Phase.ENDED}"]


@pytest.mark.parametrize("word", ["wizard", "human", "person behind", "operator", "curtain"])
def test_no_word_of_the_terminal_names_what_is_behind_it(word: str) -> None:
    assert [key for key, said in shipped("en").items() if word in said.lower()] == []


def test_paragraphs_fill_the_width_and_lists_stay_as_they_are() -> None:
    text = "One sentence\nbroken in two.\n\n1. a list\n2. of two\n\n| a | table |"
    assert reflowed(text) == "One sentence broken in two.\n\n1. a list\n2. of two\n\n| a | table |"


async def test_where_answers_are_spoken_none_is_shown() -> None:
    stage = Stage(show_answers=False)
    stage.desk.scenario()
    stage.desk.utterance("t1")
    stage.desk.tell(e.AnswerSent(reply="r1", take="t1", text="flight 12"))
    async with stage.app.run_test(size=(100, 32)) as pilot:
        await settle(pilot)
        assert "flight 12" not in painted(stage.app)
        assert ENGLISH["turn.by_voice"] in painted(stage.app)
    assert not any(isinstance(fact, e.ReplyShown) for fact in stage.facts)
