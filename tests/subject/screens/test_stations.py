"""The stations of a visit on the subject's screen: each by keys alone, with nothing to guess and nothing to leave by."""

from typing import Any

import msgspec
import pytest
from textual.app import App
from textual.pilot import Pilot

from desk.keys.help import HelpScreen
from desk.talk.button import TalkState
from session import events as e
from session.study.screen_words import ENGLISH
from session.study.settings import Questionnaire, QuestionnaireItem
from session.values.clock import Stamp
from session.values.vocabulary import ItemKind, RecordingControl, Step
from subject.app import SubjectApp
from subject.capture.level import Level
from subject.core.terminal import Phase
from subject.screens.consent_screens import ConsentScreen, DebriefingScreen, InstructionsScreen, TextToRead
from subject.screens.form import FormScreen
from subject.screens.microphone import MicrophoneScreen
from subject.screens.session_screen import SessionScreen
from subject.screens.task_dialogs import WithdrawScreen
from tests.desk.regions import assert_laid_out, each_size, painted
from tests.session.examples import FORM
from tests.subject.stage import Stage, begun, facts_sent, said, settle

AT = Stamp("s", 0, 0)
BEFORE = (Step.INSTRUCTIONS, Step.MICROPHONE_CHECK, Step.SCENARIOS)
HOSTILE = Questionnaire(
    id="comments",
    title="[red]Title[/]",
    introduction="\x1b[2J",
    item=(QuestionnaireItem(id="x", text="[b]?[/]\x07", choices=("[link=x]one[/]", "two\x1b[A")),),
)


def reinstructed(stage: Stage) -> None:
    """Open the session again with instructions in it, as `Stage` has none."""
    opened = stage.desk.terminal.state.opened
    assert opened is not None
    protocol = msgspec.structs.replace(opened.protocol, instructions="Speak when the button is green.")
    stage.desk.tell(msgspec.structs.replace(opened, protocol=protocol))


async def test_instructions_then_the_microphone_then_the_first_task() -> None:
    stage = Stage(recording=RecordingControl.PRESS, steps=BEFORE)
    reinstructed(stage)
    stage.desk.terminal.use(stage.desk.recorder)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(stage.app.screen, InstructionsScreen)
        assert "Speak when the button is green." in painted(stage.app)
        await pilot.press("f10")
        await settle(pilot)
        (read,) = facts_sent(stage, e.InstructionsRead)
        stage.desk.tell(read)
        await settle(pilot)
        assert isinstance(stage.app.screen, MicrophoneScreen)
        assert ENGLISH["check.quiet"] in painted(stage.app)
        stage.levels["s"] = Level("s", 1600, 0.3, 0.1)
        stage.app.screen.look()
        await settle(pilot)
        assert ENGLISH["check.good"] in painted(stage.app)
        await pilot.press("f10")
        await settle(pilot)
        (checked,) = facts_sent(stage, e.MicrophoneChecked)
        assert checked.passed
        assert -11 < checked.peak_db < -10
        stage.desk.tell(checked)
        await settle(pilot)
        assert isinstance(stage.app.screen, SessionScreen)
        assert said(stage) == ENGLISH[f"headline.{Phase.BETWEEN}"]
        assert facts_sent(stage, e.ExperimenterCalled) == []


async def test_a_form_is_filled_in_by_keys_gone_back_in_and_handed_in() -> None:
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.SATISFACTION, form=FORM))
        await settle(pilot)
        assert isinstance(stage.app.screen, FormScreen)
        assert "1 of 2   It was easy." in painted(stage.app)
        await pilot.press("f10")
        await settle(pilot)
        assert ENGLISH["form.empty"] in painted(stage.app)
        await pilot.press("9", "1")
        await settle(pilot)
        assert "2 of 2   In your own words?" in painted(stage.app)
        await pilot.press("f3")
        await settle(pilot)
        assert "● 1  no" in painted(stage.app)
        await pilot.press("2")
        await settle(pilot)
        await pilot.press(*"2 good", "enter")
        await settle(pilot)
        assert ENGLISH["form.over"] in " ".join(painted(stage.app).split())
        assert facts_sent(stage, e.QuestionnaireAnswered) == []
        await pilot.press("f10")
        await settle(pilot)
    (answered,) = facts_sent(stage, e.QuestionnaireAnswered)
    assert (answered.form, answered.answers) == ("satisfaction", {"easy": "yes", "words": "2 good"})


async def test_an_optional_question_may_stay_empty_and_a_needed_one_may_not() -> None:
    stage = Stage()
    form = Questionnaire(
        id="belief", title="T", item=(QuestionnaireItem(id="a", text="?", kind=ItemKind.TEXT), FORM.item[1])
    )
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.BELIEF, form=form))
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert ENGLISH["form.empty"] in painted(stage.app)
        await pilot.press(*"x", "enter", "enter", "f10")
        await settle(pilot)
    (answered,) = facts_sent(stage, e.QuestionnaireAnswered)
    assert answered.answers == {"a": "x"}


async def test_the_debriefing_is_read_and_consent_said_again_with_what_was_agreed_before() -> None:
    stage = Stage()
    scopes = {"record": True, "publish_audio": True, "contact": False}
    stage.desk.tell(e.ConsentGiven(at=AT, version="1", sha256="", scopes=scopes))
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.DEBRIEFING, text="Somebody listened to you."))
        await settle(pilot)
        assert isinstance(stage.app.screen, DebriefingScreen)
        assert "Somebody listened to you." in painted(stage.app)
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(stage.app.screen, DebriefingScreen)
        await pilot.press("f10")
        await settle(pilot)
        (read,) = facts_sent(stage, e.DebriefingRead)
        stage.desk.tell(read, begun(Step.CONFIRM_CONSENT, text="The same text."))
        await settle(pilot)
        assert isinstance(stage.app.screen, ConsentScreen)
        assert painted(stage.app).count("[x]") == 2
        await pilot.press("down", "down")
        await pilot.press(
            "space"
        ) if stage.app.focused is not None and stage.app.focused.id == "publish_audio" else None
        await pilot.press("f10")
        await settle(pilot)
    (confirmed,) = facts_sent(stage, e.ConsentConfirmed)
    assert confirmed.scopes["record"] is True
    assert confirmed.scopes["contact"] is False


@pytest.mark.parametrize(("key", "ticked"), [("space", 1), ("f9", 5)])
async def test_what_is_ticked_below_the_edge_of_a_small_window_comes_into_sight(key: str, ticked: int) -> None:
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.CONFIRM_CONSENT, text="\n\n".join(f"Paragraph {n}." for n in range(30))))
        await settle(pilot)
        assert "[ ]" not in painted(stage.app)
        await pilot.press(key)
        await settle(pilot)
        assert painted(stage.app).count("[x]") == ticked


async def test_a_text_that_stands_wholly_on_the_screen_is_agreed_to_by_the_first_key_however_quickly_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TextToRead, "call_after_refresh", lambda *_: True)  # a look that the key is quicker than
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.CONFIRM_CONSENT, text="A short text."))
        await settle(pilot)
        await pilot.press("f10", "f10")
        await settle(pilot)
    assert len(facts_sent(stage, e.ConsentConfirmed)) == 1


@pytest.mark.parametrize(("key", "erase"), [("e", True), ("k", False)])
async def test_taking_part_can_be_stopped_at_any_moment_on_any_screen(key: str, erase: bool) -> None:
    for step in (None, begun(Step.SATISFACTION, form=FORM), begun(Step.DEBRIEFING, text="x")):
        stage = Stage()
        stage.desk.scenario()
        if step is not None:
            stage.desk.tell(step)
        async with stage.app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await pilot.press("f4", "f4")
            await settle(pilot)
            assert isinstance(stage.app.screen, WithdrawScreen)
            await pilot.press("escape")
            await settle(pilot)
            assert facts_sent(stage, e.WithdrawalRequested) == []
            await pilot.press("f4", key)
            await settle(pilot)
        (asked,) = facts_sent(stage, e.WithdrawalRequested)
        assert asked.erase is erase


async def test_who_stopped_sees_it_and_cannot_talk_any_more() -> None:
    stage = Stage()
    stage.desk.scenario()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        stage.desk.tell(e.WithdrawalRequested(at=AT, erase=True))
        await settle(pilot)
        assert said(stage) == ENGLISH[f"headline.{Phase.WITHDRAWN}"]
        assert stage.button is TalkState.BLOCKED
        assert "F4" not in painted(stage.app)


async def test_a_station_that_is_ended_from_elsewhere_is_taken_away() -> None:
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.SATISFACTION, form=FORM))
        await settle(pilot)
        await pilot.press("f4")
        await settle(pilot)
        stage.desk.tell(e.SessionEnded(reason=""))
        await settle(pilot)
        assert isinstance(stage.app.screen, SessionScreen)
        assert said(stage) == ENGLISH[f"headline.{Phase.ENDED}"]
    assert facts_sent(stage, e.QuestionnaireAnswered) == []


async def test_what_is_written_in_a_form_is_inert() -> None:
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.COMMENTS, form=HOSTILE))
        await settle(pilot)
        shown = painted(stage.app)
    assert "[red]Title[/]" in shown
    assert "[link=x]one[/]" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    "fact",
    [
        begun(Step.SATISFACTION, form=FORM),
        begun(
            Step.BELIEF, form=Questionnaire(id="belief", title="T " * 60, item=FORM.item[1:], introduction="I " * 200)
        ),
        begun(Step.DEBRIEFING, text="Some words. " * 300),
        begun(Step.CONFIRM_CONSENT, text="Some words. " * 300),
    ],
    ids=lambda fact: str(fact.step),
)
async def test_every_station_has_its_room_at_every_size(fact: e.StepBegun) -> None:
    def make() -> SubjectApp:
        stage = Stage()
        stage.desk.tell(e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True}), fact)
        return stage.app

    async def check(app: App[Any], pilot: Pilot[Any]) -> None:
        await settle(pilot)
        assert not isinstance(app.screen, SessionScreen)
        assert "Stop taking part F4" in painted(app)
        assert "Call experimenter F8" in painted(app)
        assert_laid_out(app)

    await each_size(make, check)


async def test_the_experimenter_can_be_called_from_every_station() -> None:
    for fact in (begun(Step.SATISFACTION, form=FORM), begun(Step.DEBRIEFING, text="x")):
        stage = Stage()
        async with stage.app.run_test(size=(80, 24)) as pilot:
            stage.desk.tell(fact)
            await settle(pilot)
            await pilot.press("f8")
            await settle(pilot)
        assert len(facts_sent(stage, e.ExperimenterCalled)) == 1


@pytest.mark.parametrize(
    ("key", "keys"),
    [
        ("f6", ["Back to the task Esc"]),
        ("f7", ["Give up Y", "Back to the task Esc N"]),
        ("f4", ["Stop, erase E", "Stop, keep K", "Go on taking part Esc"]),
        ("f12", ["Back Esc"]),
    ],
)
async def test_a_window_over_the_task_has_its_room_its_own_keys_and_no_others_and_its_help(
    key: str, keys: list[str]
) -> None:
    def make() -> SubjectApp:
        stage = Stage(recording=RecordingControl.PRESS)
        stage.desk.scenario()
        return stage.app

    async def check(app: App[Any], pilot: Pilot[Any]) -> None:
        await settle(pilot)
        await pilot.press(key)
        await settle(pilot)
        footer = painted(app).splitlines()[-3:]
        assert [key for key in keys if key not in "\n".join(footer)] == []
        assert "SPACE" not in "\n".join(footer), "the talk key does nothing while the window is open"
        assert_laid_out(app)
        await pilot.press("f1")
        await settle(pilot)
        assert isinstance(app.screen, HelpScreen)
        assert app.screen.lines[0] == (app.screen_stack[-2].HELP or "")[: len(app.screen.lines[0])]

    await each_size(make, check)


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        (begun(Step.SATISFACTION, form=FORM), "12 Answer"),
        (begun(Step.DEBRIEFING, text="Some words."), "↑↓ Scroll"),
        (begun(Step.CONFIRM_CONSENT, text="Some words."), "Tick or untick SPACE"),
    ],
    ids=lambda fact: str(getattr(fact, "step", "")),
)
async def test_a_station_says_which_keys_answer_it_and_f1_what_they_are_for(fact: e.StepBegun, shown: str) -> None:
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True}), fact)
        await settle(pilot)
        assert shown in painted(stage.app)
        assert "Help F1" in painted(stage.app)
        station = stage.app.screen
        await pilot.press("f1")
        await settle(pilot)
        assert isinstance(stage.app.screen, HelpScreen)
        purpose = (station.focused.HELP if station.focused else None) or station.HELP or "?"
        assert stage.app.screen.lines[0] == purpose[: len(stage.app.screen.lines[0])]


async def test_a_form_longer_than_the_screen_shows_its_question_and_is_read_with_the_arrow_keys() -> None:
    long = Questionnaire(id="belief", title="Title", introduction="An introduction. " * 150, item=FORM.item)
    stage = Stage()
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.tell(begun(Step.BELIEF, form=long))
        await settle(pilot)
        await settle(pilot)
        assert "1 of 2   It was easy." in painted(stage.app)
        assert "2  yes" in painted(stage.app)
        assert "↑↓ Scroll" in painted(stage.app)
        await pilot.press(*["up"] * 20)
        await settle(pilot)
        assert "Title" in painted(stage.app)
        await pilot.press("2")
        await settle(pilot)
        await settle(pilot)
        assert "2 of 2   In your own words?" in painted(stage.app)
        await pilot.press(*["up"] * 20)
        await settle(pilot)
        assert "Title" in painted(stage.app), "also with the cursor in the line for the answer"
