"""The talk button under a pilot: what it posts, when it stamps, and what it says."""

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.widgets import Label

from desk.talk.button import TalkButton, TalkButtonPressed, TalkButtonReleased, TalkRefused, TalkState
from desk.talk.gate import Control, Grip, Patience, TalkEnd
from desk.talk.key_release import HearsReleases, KeyReleased, KeyRepeated, ReleasesAgreed
from session.values.clock import SECOND, ManualClock
from tests.desk.regions import painted

Heard = list[tuple[str, int, str]]


class TalkApp(HearsReleases, App[None]):
    def __init__(self, control: Control = Control.HOLD, limit_s: float = 120.0) -> None:
        super().__init__()
        self.clock = ManualClock()
        self.button = TalkButton(self.clock, control=control, limit_s=limit_s, id="talk")
        self.heard: Heard = []

    def compose(self) -> ComposeResult:
        yield self.button
        yield Label("elsewhere", id="other")

    def on_talk_button_pressed(self, message: TalkButtonPressed) -> None:
        self.heard.append(("pressed", message.at.mono, message.grip))

    def on_talk_button_released(self, message: TalkButtonReleased) -> None:
        self.heard.append(("released", message.at.mono, message.ending))

    def on_talk_refused(self, message: TalkRefused) -> None:
        self.heard.append(("refused", message.at.mono, message.state))

    def on_key(self, event: events.Key) -> None:
        self.button.takes_key(event)

    def send(self, message: Message) -> None:
        message.set_sender(self)
        self.post_message(message)


def shown(button: TalkButton) -> str:
    return " ".join(button.render_line(y).text.strip() for y in range(button.size.height + 2))


async def test_held_key_with_a_terminal_that_reports_releases() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.send(ReleasesAgreed(True))
        await pilot.pause()
        assert "Hold SPACE down" in shown(app.button)
        app.button.focus()
        await pilot.press("space")
        app.clock.advance(0.66)
        app.send(KeyRepeated("space", " "))
        await pilot.pause()
        app.clock.advance(1.0)
        app.send(KeyReleased("space"))
        await pilot.pause()
        assert app.heard == [("pressed", 0, Grip.KEY_HELD), ("released", round(1.66 * SECOND), TalkEnd.RELEASED)]


async def test_a_tap_so_short_that_both_come_in_one_read_is_a_press_and_a_release() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.send(ReleasesAgreed(True))
        await pilot.pause()
        for focused in (app.button, None):
            app.screen.set_focus(focused)
            app.send(events.Key("space", " "))
            app.send(KeyReleased("space"))
            await pilot.pause()
        assert [what for what, _, _ in app.heard] == ["pressed", "released"] * 2
        assert app.button.grip is None


async def test_without_an_answer_from_the_terminal_it_is_press_and_press() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.button.focus()
        await pilot.pause()
        assert "Press SPACE to start and again to stop" in shown(app.button)
        await pilot.press("space")
        app.clock.advance(0.5)
        await pilot.press("space")
        app.clock.advance(3)
        await pilot.press("space")
        assert app.heard == [
            ("pressed", 0, Grip.KEY_PRESSED),
            ("released", round(3.5 * SECOND), TalkEnd.PRESSED_AGAIN),
        ]


async def test_a_press_soon_after_the_last_is_heard_and_stamped_as_it_came() -> None:
    app = TalkApp(Control.PRESS)
    async with app.run_test() as pilot:
        app.button.focus()
        await pilot.press("space")
        app.clock.advance(5)
        await pilot.press("space")
        app.clock.advance(0.6)
        await pilot.press("space")
        app.clock.advance(0.25)
        app.button.settle()
        await pilot.pause()
        assert app.heard[2:] == [("pressed", round(5.6 * SECOND), Grip.KEY_PRESSED)]
        app.button.state = TalkState.RECORDING
        app.clock.advance(0.4)
        await pilot.press("space")
        app.clock.advance(0.25)
        app.button.settle()
        await pilot.pause()
        assert len(app.heard) == 3
        assert "You are still being recorded: press SPACE again" in shown(app.button)
        await pilot.press("space")
        assert app.heard[3:] == [("released", round(6.5 * SECOND), TalkEnd.PRESSED_AGAIN)]


async def test_a_press_in_doubt_is_settled_by_itself() -> None:
    app = TalkApp(Control.PRESS)
    patience = Patience(first_ns=SECOND, next_ns=1)
    app.button = TalkButton(app.clock, control=Control.PRESS, patience=patience, id="talk")
    settled: list[int] = []
    settle = app.button.settle

    def settling() -> None:
        settled.append(app.clock.monotonic_ns())
        settle()

    app.button.settle = settling  # type: ignore[method-assign]
    async with app.run_test() as pilot:
        app.button.focus()
        await pilot.press("space", "space")
        app.clock.advance(0.1)
        while not [at for at in settled if at]:
            await pilot.pause()
    assert [what for what, _, _ in app.heard] == ["pressed"]
    assert app.button.unsure


async def test_recording_is_shown_only_when_told() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.button.focus()
        await pilot.press("space")
        assert "●  RECORDING" not in shown(app.button)
        assert "WAIT" in shown(app.button)
        app.button.state = TalkState.RECORDING
        await pilot.pause()
        assert "●  RECORDING" in shown(app.button)
        assert "Press SPACE again when you have finished" in shown(app.button)


async def test_mouse_released_elsewhere_still_ends_the_hold() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        await pilot.mouse_down("#talk")
        app.clock.advance(2)
        await pilot.mouse_up("#other")
        await pilot.pause()
        assert app.heard == [("pressed", 0, Grip.MOUSE_HELD), ("released", 2 * SECOND, TalkEnd.RELEASED)]
        assert app.mouse_captured is None


async def test_a_mouse_that_moves_with_no_button_down_was_released() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        await pilot.mouse_down("#talk")
        await pilot.hover("#other")
        await pilot.pause()
        assert [what for what, _, _ in app.heard] == ["pressed", "released"]
        assert app.heard[-1][2] is TalkEnd.RELEASE_LOST


async def test_leaving_the_window_ends_a_hold() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.send(ReleasesAgreed(True))
        await pilot.pause()
        app.button.focus()
        await pilot.press("space")
        app.clock.advance(1)
        app.post_message(events.AppBlur())
        await pilot.pause()
        assert app.heard[-1] == ("released", SECOND, TalkEnd.WINDOW_LEFT)


async def test_press_and_press_survives_leaving_the_window() -> None:
    app = TalkApp(Control.PRESS)
    async with app.run_test() as pilot:
        app.button.focus()
        await pilot.press("space")
        app.post_message(events.AppBlur())
        await pilot.pause()
        assert [what for what, _, _ in app.heard] == ["pressed"]


async def test_a_take_ends_at_its_limit() -> None:
    app = TalkApp(limit_s=30)
    async with app.run_test() as pilot:
        await pilot.mouse_down("#talk")
        app.clock.advance(29)
        app.button.check_limit()
        app.clock.advance(1)
        app.button.check_limit()
        app.button.check_limit()
        await pilot.pause()
        assert app.heard == [("pressed", 0, Grip.MOUSE_HELD), ("released", 30 * SECOND, TalkEnd.LIMIT)]


@pytest.mark.parametrize("state", [TalkState.WORKING, TalkState.BLOCKED])
async def test_pressing_while_nobody_listens_is_refused_and_said(state: TalkState) -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.button.state = state
        app.button.focus()
        await pilot.press("space")
        assert app.heard == [("refused", 0, state)]
        assert app.button.grip is None
        assert state.value.upper() in shown(app.button) or "NOT NOW" in shown(app.button)


async def test_one_who_may_speak_again_while_it_works_is_heard() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.button.state = TalkState.WORKING
        app.button.speaks_again = True
        await pilot.mouse_down("#talk")
        await pilot.mouse_up("#talk")
        await pilot.pause()
        assert [what for what, _, _ in app.heard] == ["pressed", "released"]
        app.button.state = TalkState.BLOCKED
        await pilot.mouse_down("#talk")
        assert app.heard[-1][0] == "refused"


async def test_a_block_in_the_middle_of_a_hold_makes_its_release_silent() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        await pilot.mouse_down("#talk")
        app.button.state = TalkState.BLOCKED
        app.button.note = "The session is paused [bold]\x1b"
        await pilot.pause()
        await pilot.mouse_up("#talk")
        await pilot.pause()
        assert [what for what, _, _ in app.heard] == ["pressed"]
        assert "The session is paused [bold]␛" in shown(app.button)
        assert app.mouse_captured is None


async def test_every_look_differs_without_any_colour() -> None:
    app = TalkApp()
    looks = set()
    async with app.run_test() as pilot:
        for state in TalkState:
            app.button.state = state
            await pilot.pause()
            looks.add(shown(app.button))
            looks.add(app.button.render_line(0).text)
        assert len(looks) == 8, "four texts and four borders"


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
async def test_what_is_ready_is_told_from_what_is_not_by_its_ground_too(theme: str) -> None:
    app = TalkApp()
    app.theme = theme
    async with app.run_test() as pilot:
        app.button.focus()
        grounds = {}
        for state in TalkState:
            app.button.state = state
            await pilot.pause()
            grounds[state] = app.button.styles.background
        others = {grounds[state] for state in TalkState if state is not TalkState.READY}
        assert grounds[TalkState.READY] not in others


async def test_focus_is_seen_without_any_colour() -> None:
    app = TalkApp()

    def framed() -> str:
        return painted(app)[0]

    async with app.run_test() as pilot:
        app.button.focus()
        await pilot.pause()
        assert framed() == "┏"
        app.set_focus(None)
        await pilot.pause()
        assert framed() == "╭"


async def test_the_action_starts_and_stops() -> None:
    app = TalkApp()
    async with app.run_test() as pilot:
        app.button.action_talk()
        app.button.action_talk()
        await pilot.pause()
        assert [what for what, _, _ in app.heard] == ["pressed", "released"]
