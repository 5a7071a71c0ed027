"""Turns are added without touching the old, folded, selected, and reported as seen."""

import pytest
from textual.app import App, ComposeResult

from desk.safe_text import cells
from desk.turn_stack import LineSpan, ShownTurn, TurnChosen, TurnFolded, TurnStack, TurnsViewed


class StackApp(App[None]):
    CSS = "TurnStack { height: 12; width: 60; border: none; }"

    def __init__(self, stack: TurnStack | None = None) -> None:
        super().__init__()
        self.stack = stack or TurnStack()
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        yield self.stack

    def on_turns_viewed(self, message: TurnsViewed) -> None:
        self.heard.append(message.spans)

    def on_turn_folded(self, message: TurnFolded) -> None:
        self.heard.append((message.key, message.folded))

    def on_turn_chosen(self, message: TurnChosen) -> None:
        self.heard.append(message.key)


def turn(number: int, answer_lines: int = 3, question: str = "show me flights") -> ShownTurn:
    return ShownTurn(f"u{number}", f"{number}", question, tuple(f"row {number}.{n}" for n in range(answer_lines)))


def screen(stack: TurnStack) -> list[str]:
    return [stack.render_line(y).text.strip() for y in range(stack.size.height)]


async def test_the_newest_turn_is_in_sight_and_selected() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        for number in range(1, 9):
            app.stack.append(turn(number))
            await pilot.pause()
        lines = screen(app.stack)
        assert "▌ 8 show me flights" in lines
        assert lines[-3] == "row 8.2"
        assert lines[-1] == "lines 30–40 of 40, more above"
        assert app.stack.selected_turn == turn(8)


async def test_an_answer_is_brought_into_sight_by_the_painting_that_shows_it_and_moves_no_other_widget() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        for number in range(8):
            app.stack.append(turn(number, 0))
        await pilot.pause()
        laid_out: list[object] = []
        app.screen.screen_layout_refresh_signal.subscribe(app, laid_out.append)
        app.heard.clear()
        app.stack.replace(turn(7, 6))
        await pilot.pause()
        await pilot.pause()
        (spans,) = app.heard
        assert isinstance(spans, tuple)
        assert spans[-1] == LineSpan("u7", 0, 5)
        assert laid_out == []


async def test_an_append_lays_out_the_new_turn_alone() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        for number in range(50):
            app.stack.append(turn(number))
        await pilot.pause()
        before = [id(lines) for lines in app.stack._laid_out]
        app.stack.append(turn(50))
        await pilot.pause()
        assert [id(lines) for lines in app.stack._laid_out][:-1] == before


async def test_keys_select_and_fold() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        app.stack.append(turn(1))
        app.stack.append(turn(2))
        app.stack.focus()
        await pilot.press("up", "enter")
        assert screen(app.stack)[0] == "▌ 1 ▸ show me flights  (3 lines)"
        assert "2 show me flights" in screen(app.stack)[1]
        await pilot.press("enter", "down")
        await pilot.pause()
        assert screen(app.stack)[1] == "row 1.0"
        assert app.stack.selected_turn == turn(2)
        assert [said for said in app.heard if isinstance(said[0], str)] == [("u1", True), ("u1", False)]  # type: ignore[index]


async def test_older_turns_fold_by_themselves_when_wanted() -> None:
    app = StackApp(TurnStack(fold_older=True))
    async with app.run_test() as pilot:
        for number in range(1, 4):
            app.stack.append(turn(number))
        await pilot.pause()
        assert [app.stack.is_folded(f"u{n}") for n in (1, 2, 3)] == [True, True, False]


async def test_what_was_seen_is_told_turn_by_turn() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        app.stack.append(turn(1, 2))
        await pilot.pause()
        app.stack.append(ShownTurn("u2", "2", "and the fares"))
        await pilot.pause()
        app.stack.replace(turn(2, 20, "and the fares"))
        await pilot.pause()
        app.stack.focus()
        await pilot.press("pagedown")
        await pilot.pause()
        spans = [said for said in app.heard if isinstance(said[0], LineSpan)]  # type: ignore[index]
        assert spans[0] == (LineSpan("u1", 0, 1),)
        assert spans[1] == (LineSpan("u1", 0, 1), LineSpan("u2", 0, -1))
        assert spans[-2] == (LineSpan("u2", 0, 9),)
        assert spans[-1] == (LineSpan("u2", 10, 19),)


async def test_a_long_answer_is_scrolled_through_before_the_next_turn() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        app.stack.append(turn(1, 20))
        app.stack.append(turn(2, 1))
        await pilot.pause()
        app.stack.focus()
        await pilot.press("up")
        assert screen(app.stack)[-3] == "row 1.19"
        await pilot.press(*["up"] * 11)
        assert screen(app.stack)[0].startswith("▌ 1")
        await pilot.press("down")
        assert screen(app.stack)[0] == "row 1.0"
        await pilot.press(*["down"] * 11)
        assert app.stack.selected_turn == turn(2, 1)


async def test_going_on_from_a_turn_is_offered_only_when_allowed() -> None:
    for allowed, chosen in ((True, ["u1"]), (False, [])):
        app = StackApp(TurnStack(can_choose=allowed))
        async with app.run_test() as pilot:
            app.stack.append(turn(1))
            app.stack.focus()
            await pilot.press("r")
            await pilot.pause()
            assert [said for said in app.heard if isinstance(said, str)] == chosen


async def test_a_click_on_a_question_folds_it() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        app.stack.append(turn(1))
        app.stack.append(turn(2))
        await pilot.pause()
        await pilot.click(app.stack, offset=(5, 0))
        assert app.stack.is_folded("u1")
        assert app.stack.selected_turn == turn(1)


async def test_ten_thousand_characters_control_sequences_and_emoji() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        app.stack.append(ShownTurn("u", "1", "\x1b[2J🛫 " * 2000, ("wide " * 100, "\x1b]0;x\x07")))
        await pilot.pause()
        app.stack.focus()
        for key in ("home", "pagedown", "right", "end"):
            await pilot.press(key)
            lines = [app.stack.render_line(y).text for y in range(12)]
            assert "\x1b" not in "".join(lines)
            assert {cells(line) for line in lines} == {59}
        await pilot.press("enter")
        assert "…  (2 lines)" in screen(app.stack)[0]


async def test_a_narrower_screen_wraps_questions_anew() -> None:
    app = StackApp()
    async with app.run_test() as pilot:
        app.stack.append(turn(1, question="word " * 20))
        await pilot.pause()
        before = app.stack.total()
        app.stack.styles.width = 30
        await pilot.pause()
        assert app.stack.total() > before


def test_a_turn_has_one_place() -> None:
    stack = TurnStack()
    stack.append(turn(1))
    with pytest.raises(ValueError, match="'u1' already"):
        stack.append(turn(1))
    with pytest.raises(KeyError, match="'u2'"):
        stack.replace(turn(2))
