"""A subject cannot leave; an experimenter can."""

import pytest
from textual.app import ComposeResult
from textual.command import CommandPalette
from textual.widgets import Input, Label

from desk.keys.footer import KeyFooter
from desk.kiosk import CodeGiven, CodePrompt, KioskApp
from session.study.screen_words import ENGLISH
from tests.desk.regions import painted


class SampleKiosk(KioskApp[None]):
    def __init__(self, code: str | None = "4711", crashes: list[BaseException] | None = None) -> None:
        super().__init__(code=code, on_crash=None if crashes is None else crashes.append)
        self.codes: list[bool] = []

    def compose(self) -> ComposeResult:
        yield Label("instructions")
        yield Input()
        yield KeyFooter()

    def on_code_given(self, message: CodeGiven) -> None:
        self.codes.append(message.right)


WAYS_OUT = [
    "ctrl+c",
    "ctrl+q",
    "ctrl+z",
    "ctrl+p",
    "ctrl+backslash",
    "ctrl+d",
    "escape",
    "f2",
    "super+c",
    "ctrl+s",
    "ctrl+x",
]


async def test_no_key_leaves_or_opens_anything() -> None:
    app = SampleKiosk()
    async with app.run_test() as pilot:
        for focused in (app.query_one(Input), None):
            app.screen.set_focus(focused)
            for key in WAYS_OUT:
                await pilot.press(key)
                await pilot.pause()
                assert app.is_running, key
                assert len(app.screen_stack) == 1, key
                assert app._exit is False, key
        assert "Leave" not in painted(app)
        assert "Ctrl+Q" not in painted(app)
        assert app.theme == "curtain-dark"


async def test_actions_behind_the_keys_are_locked_too() -> None:
    app = SampleKiosk()
    async with app.run_test() as pilot:
        for action in ("quit", "command_palette", "help_quit", "change_theme"):
            await app.run_action(action)
            await pilot.pause()
        assert len(app.screen_stack) == 1
        assert app._exit is False


async def test_a_wrong_code_opens_nothing_and_is_reported() -> None:
    app = SampleKiosk()
    async with app.run_test() as pilot:
        await pilot.press("f12", *"1234", "enter")
        await pilot.pause()
        assert app.codes == [False]
        assert app.locked
        assert [note.message for note in app._notifications] == ["That is not the code."]
        await pilot.press("f12", "escape", "ctrl+q")
        assert app._exit is False
        assert app.codes == [False]


async def test_the_code_opens_and_f12_locks_again() -> None:
    app = SampleKiosk()
    async with app.run_test() as pilot:
        await pilot.press("f12")
        assert isinstance(app.screen, CodePrompt)
        await pilot.press(*"4711")
        await pilot.pause()
        assert "4711" not in painted(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.codes == [True]
        assert "Leave" in painted(app)
        await pilot.press("ctrl+p")
        assert isinstance(app.screen, CommandPalette)
        await pilot.press("escape", "f12")
        assert app.locked
        await pilot.press("ctrl+q")
        assert app._exit is False
        await pilot.press("f12", *"4711", "enter", "ctrl+q")
        assert app._exit is True


async def test_without_a_code_it_is_an_ordinary_desk() -> None:
    app = SampleKiosk(code=None)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "Experimenter" not in painted(app)
        await pilot.press("ctrl+q")
        assert app._exit is True


async def test_a_crash_tells_the_subject_nothing_and_the_log_everything(capsys: pytest.CaptureFixture[str]) -> None:
    crashes: list[BaseException] = []
    app = SampleKiosk(crashes=crashes)
    error = RuntimeError("the wizard's secret")
    with pytest.raises(RuntimeError, match="secret"):
        await _crash(app, error)
    assert capsys.readouterr().err.strip() == ENGLISH["message.failed"]
    assert crashes == [error]


async def _crash(app: SampleKiosk, error: Exception) -> None:
    async with app.run_test() as pilot:
        app.call_later(_raise, error)
        await pilot.pause()


def _raise(error: Exception) -> None:
    raise error


def test_an_empty_code_is_refused() -> None:
    with pytest.raises(ValueError, match="code is empty"):
        SampleKiosk(code="")
