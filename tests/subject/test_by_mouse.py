"""The subject's terminal by mouse: the wheel reads from anywhere, a button stays whole under the pointer."""

import pytest
from textual.events import MouseEvent, MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from textual.widgets import Button

from desk.theme import apply_theme
from session import events as e
from session.study.screen_words import ENGLISH
from session.values.clock import Stamp
from session.values.vocabulary import Outcome, RecordingControl, Step
from subject.screens.consent_screens import DebriefingScreen, TextToRead
from subject.screens.session_screen import SessionScreen
from subject.widgets.scenario_sheet import ScenarioSheet
from tests.desk.regions import painted
from tests.subject.stage import Stage, begun, settle

AT = Stamp("subject", 0, 0)
SIZE = (120, 40)


async def turn_wheel(
    pilot: Pilot[None], selector: str, kind: type[MouseEvent], offset: tuple[int, int] = (5, 0)
) -> None:
    await pilot._post_mouse_events([kind], pilot.app.screen.query_one(selector), offset=offset)
    await settle(pilot)


def answered(stage: Stage, lines: int = 60, task: str = "Go.") -> None:
    stage.desk.tell(e.ScenarioStarted(number=1, scenario="", title="Trip", text=task, kind=""))
    stage.desk.utterance("t1")
    stage.desk.tell(e.CannedSent(reply="r1", take="t1", text="\n".join(f"line {n}" for n in range(lines))))


@pytest.mark.parametrize("over", ["ScenarioSheet", "TalkButton", "LevelMeter", "KeyFooter", "TurnStack"])
async def test_the_wheel_scrolls_the_answers_wherever_the_pointer_is(over: str) -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=SIZE) as pilot:
        answered(stage)
        await settle(pilot)
        screen = stage.app.screen
        assert isinstance(screen, SessionScreen)
        before = screen.stack.scroll_offset.y
        await turn_wheel(pilot, over, MouseScrollDown)
        assert screen.stack.scroll_offset.y == before + 2
        await turn_wheel(pilot, over, MouseScrollUp)
        assert screen.stack.scroll_offset.y == before


async def test_over_a_task_that_is_longer_than_its_room_the_wheel_scrolls_the_task() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=SIZE) as pilot:
        answered(stage, task="Go on. " * 400)
        await settle(pilot)
        screen = stage.app.screen
        assert isinstance(screen, SessionScreen)
        before = screen.stack.scroll_offset.y
        for _ in range(40):
            await turn_wheel(pilot, "ScenarioSheet", MouseScrollDown)
        assert screen.sheet.scroll_offset.y == screen.sheet.max_scroll_y > 0
        assert screen.stack.scroll_offset.y == before, "at the end of the task it does not go on to the answers"


async def test_the_wheel_reads_a_text_from_beside_it_and_from_the_keys_below() -> None:
    stage = Stage(steps=(Step.SCENARIOS, Step.DEBRIEFING))
    async with stage.app.run_test(size=SIZE) as pilot:
        stage.desk.tell(begun(Step.DEBRIEFING, text="\n\n".join(f"Paragraph {n}." for n in range(60))))
        await settle(pilot)
        screen = stage.app.screen
        assert isinstance(screen, DebriefingScreen)
        text = screen.query_one(TextToRead)
        await turn_wheel(pilot, "KeyFooter", MouseScrollDown)
        assert text.scroll_offset.y == 2
        assert text.region.x > 2, "a column with a margin beside it"
        await pilot._post_mouse_events([MouseScrollDown], offset=(1, 5))
        await settle(pilot)
        assert text.scroll_offset.y == 4


@pytest.mark.parametrize("theme", ["dark", "light", "plain"])
async def test_a_button_keeps_one_kind_of_frame_under_the_pointer(theme: str) -> None:
    stage = Stage(steps=(Step.SCENARIOS, Step.DEBRIEFING))
    apply_theme(stage.app, theme)
    async with stage.app.run_test(size=SIZE) as pilot:
        stage.desk.tell(begun(Step.DEBRIEFING, text="\n\n".join(f"Paragraph {n}." for n in range(60))))
        await settle(pilot)
        button = stage.app.screen.query_one(Button)
        x, y = button.region.offset
        assert painted(stage.app).splitlines()[y][x] == "╭"
        await pilot.hover(button)
        await settle(pilot)
        assert button.mouse_hover
        x, y = button.region.offset
        top = painted(stage.app).splitlines()[y][x : x + button.region.width]
        assert (top[0], top[-1], set(top[1:-1])) == ("╭", "╮", {"─"})
        button.add_class("-active")  # as long as it is held down
        await settle(pilot)
        top = painted(stage.app).splitlines()[y][x : x + button.region.width]
        assert (top[0], top[-1], set(top[1:-1])) == ("┏", "┓", {"━"})


async def test_a_task_in_focus_has_a_frame_of_its_own() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        answered(stage, task="Go on. " * 400)
        await settle(pilot)
        assert painted(stage.app).startswith("╭─ Task")
        await pilot.press("f3")
        await settle(pilot)
        assert stage.app.screen.query_one(ScenarioSheet).has_focus
        assert painted(stage.app).startswith("┏━ Task")


async def test_the_key_that_scrolls_a_task_comes_when_the_task_has_less_room() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 60)) as pilot:
        answered(stage, task="Go on. " * 120)
        await settle(pilot)
        assert "Task F3" not in painted(stage.app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "Task F3" in painted(stage.app)


@pytest.mark.parametrize("height", [24, 60])
@pytest.mark.parametrize("letters", [450, 460])
async def test_whether_a_task_fits_does_not_hang_on_the_room_that_it_had_before(letters: int, height: int) -> None:
    stage, lines_of_the_task = Stage(recording=RecordingControl.PRESS), (letters + 37) // 38
    async with stage.app.run_test(size=(80, height)) as pilot:
        answered(stage, task=" ".join("a" * letters))
        await settle(pilot)
        await pilot.resize_terminal(80, 40)
        await settle(pilot)
        shown = painted(stage.app)
        assert ("Task F3" in shown) is (lines_of_the_task > 12)
        assert shown.count(f"│ {' '.join('a' * 38)} ") == min(letters // 38, 12)


async def test_a_refusal_is_gone_with_the_task_that_it_was_about() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(80, 24)) as pilot:
        stage.desk.scenario()
        await settle(pilot)
        await pilot.click("KeyFooter", offset=(painted(stage.app).splitlines()[-2].index("Undo"), 0))
        await settle(pilot)
        assert ENGLISH["message.nothing_to_undo"] in painted(stage.app)
        stage.desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
        await settle(pilot)
        assert ENGLISH["message.nothing_to_undo"] not in painted(stage.app)


async def test_a_message_covers_no_key() -> None:
    stage = Stage(steps=(Step.SCENARIOS, Step.DEBRIEFING))
    async with stage.app.run_test(size=(80, 24), notifications=True) as pilot:
        stage.desk.tell(begun(Step.DEBRIEFING, text="Thank you."))
        await settle(pilot)
        keys = painted(stage.app).splitlines()[-1]
        await pilot.press("f8")
        await settle(pilot)
        assert ENGLISH["message.called"] in painted(stage.app)
        assert painted(stage.app).splitlines()[-1] == keys
