import asyncio
from collections.abc import Callable
from typing import ClassVar

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import TextArea

from desk.dialogs import AskText, Choose, ListEntry
from desk.editor import Editor, TextSubmitted
from desk.keys.order import KeysInOrder


class Desk(KeysInOrder, App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "take", priority=True),
        Binding("ctrl+g", "go", priority=True),
        Binding("ctrl+o", "end", priority=True),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[str] = []
        self.took = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield Editor()

    def action_take(self) -> None:
        self.taken.append(self.query_one(TextArea).text)
        self.took.set()
        self.query_one(Editor).clear()

    async def action_go(self) -> None:
        await self.query_one(Editor).remove()

    def action_end(self) -> None:
        """A list, and behind it a line, as the wizard ends a scenario."""
        choices = [ListEntry("e", "ended", "ended"), ListEntry("t", "time", "time is up")]
        self.push_screen(Choose("How?", choices), lambda how: self.push_screen(AskText("Why?"), self._ended(how)))

    def _ended(self, how: str | None) -> Callable[[str | None], None]:
        return lambda why: self.taken.append(f"{how}: {why}")

    def on_text_submitted(self, event: TextSubmitted) -> None:
        self.taken.append(f"beneath: {event.text}")


class Stuck(Editor):
    """Never comes to an end with a key."""

    async def on_key(self, event: events.Key) -> None:
        event.prevent_default()
        await asyncio.Event().wait()


def burst(app: App[None], *keys: str) -> None:
    """All at once, as one read of the terminal gives them."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize(
    ("keys", "taken"),
    [
        (["a", "b", "ctrl+s", "c", "ctrl+s"], ["ab", "c"]),
        (["a", "b", "backspace", "c", "ctrl+s"], ["ac"]),
        (["a", "left", "b", "home", "c", "end", "d", "ctrl+s"], ["cbad"]),
    ],
)
async def test_keys_that_come_in_one_read_are_taken_in_their_order(keys: list[str], taken: list[str]) -> None:
    app = Desk()
    async with app.run_test() as pilot:
        await pilot.pause()
        burst(app, *keys)
        await pilot.pause()
        await pilot.pause()
        assert app.taken == taken


async def test_what_is_pasted_is_there_before_the_key_behind_it() -> None:
    app = Desk()
    async with app.run_test() as pilot:
        await pilot.pause()
        burst(app, "a")
        app.post_message(events.Paste("bcd"))
        burst(app, "backspace", "e", "ctrl+s")
        await pilot.pause()
        await pilot.pause()
        assert app.taken == ["abce"]


async def test_a_widget_that_goes_with_a_key_holds_nothing_up() -> None:
    app = Desk()
    async with app.run_test() as pilot:
        await pilot.pause()
        burst(app, "a", "ctrl+g", "b", "c")
        for _ in range(100):
            await pilot.pause(0.01)
            if not app._coming and app._under_way is None:
                break
        assert not app._coming
        assert app._under_way is None


async def test_a_key_whose_widget_never_answers_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desk.keys.order.STUCK_S", 0.001)
    app = Desk()
    async with app.run_test() as pilot:
        await pilot.pause()
        app._under_way = object()
        burst(app, "a", "ctrl+s")
        for _ in range(100):
            await pilot.pause(0.01)
            if app.taken:
                break
        assert app.taken == ["a"]


@pytest.mark.parametrize(
    ("keys", "taken"),
    [
        (["ctrl+o", "t", "l", "a", "x", "backspace", "enter", "b"], ["time: la"]),
        (["ctrl+o", "down", "enter", "n", "o", "enter", "b"], ["time: no"]),
        (["ctrl+o", "enter", "enter", "n", "enter", "b"], ["ended: n"]),
        (["ctrl+o", "down", "escape", "a", "enter"], ["None: a"]),
    ],
)
async def test_keys_behind_the_one_that_opens_a_dialog_are_the_dialogs(keys: list[str], taken: list[str]) -> None:
    app = Desk()
    async with app.run_test() as pilot:
        await pilot.pause()
        burst(app, *keys)
        for _ in range(100):
            await pilot.pause(0.01)
            if app.taken:
                break
        assert app.taken == taken


async def test_keys_that_are_stuck_one_after_the_other_hold_up_no_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desk.keys.order.STUCK_S", 0.001)
    app = Desk()
    async with app.run_test() as pilot:
        stuck = Stuck()
        await app.mount(stuck)
        stuck.focus()
        await pilot.pause()
        burst(app, "a", "b", "c", "ctrl+s")
        await asyncio.wait_for(app.took.wait(), 10)  # pilot would wait for the one that is stuck
        assert app.taken == [""]
        assert stuck._task is not None
        stuck._task.cancel()
