"""Typing, pasting anything, going back to what was typed, and completing words."""

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.widgets import Label

from desk.editor import CompletionChanged, CompletionList, Editor, TextSubmitted, TextTooLong, offered
from desk.safe_text import cells
from tests.desk.offering import starting_with


class EditorApp(App[None]):
    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self.editor = editor
        self.submitted: list[str] = []
        self.left_out: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.editor
        yield CompletionList()
        yield Label("below")

    def on_text_submitted(self, message: TextSubmitted) -> None:
        self.submitted.append(message.text)

    def on_text_too_long(self, message: TextTooLong) -> None:
        self.left_out.append(message.left_out)

    def on_completion_changed(self, message: CompletionChanged) -> None:
        self.query_one(CompletionList).show(message.words, message.at)


async def test_enter_submits_and_the_text_stays_until_it_is_taken() -> None:
    app = EditorApp(Editor())
    async with app.run_test() as pilot:
        app.editor.focus()
        await pilot.press(*"show fares", "enter")
        assert app.submitted == ["show fares"]
        assert app.editor.text == "show fares"
        app.editor.clear()
        assert app.editor.text == ""


async def test_a_new_line_has_its_own_key_where_lines_are_allowed() -> None:
    for lines, text in ((True, "a\nb"), (False, "ab")):
        app = EditorApp(Editor(lines=lines))
        async with app.run_test() as pilot:
            app.editor.focus()
            await pilot.press("a", "ctrl+j", "b")
            assert app.editor.text == text
            await pilot.press("enter")
            assert app.submitted == [text]


async def test_history_by_up_and_down_and_the_draft_comes_back() -> None:
    app = EditorApp(Editor(history=["first", "second"]))
    async with app.run_test() as pilot:
        app.editor.focus()
        await pilot.press(*"draft", "up")
        assert app.editor.text == "second"
        await pilot.press("up", "up")
        assert app.editor.text == "first"
        await pilot.press("down", "down")
        assert app.editor.text == "draft"
        await pilot.press("enter", "up")
        assert app.editor.text == "draft"


async def test_up_moves_within_a_text_of_several_lines_first() -> None:
    app = EditorApp(Editor(lines=True, history=["old"]))
    async with app.run_test() as pilot:
        app.editor.focus()
        await pilot.press("a", "ctrl+j", "b", "up")
        assert app.editor.text == "a\nb"
        await pilot.press("up")
        assert app.editor.text == "old"


async def test_up_moves_within_a_long_wrapped_line_first() -> None:
    app = EditorApp(Editor(history=["old"]))
    async with app.run_test() as pilot:
        app.editor.focus()
        app.editor.load("word " * 20)
        await pilot.press("up")
        assert app.editor.text != "old"
        await pilot.press("up")
        assert app.editor.text == "old"


async def test_completion_by_tab_with_the_words_in_sight() -> None:
    app = EditorApp(Editor(words=starting_with("fare", "flight", "flight_id")))
    async with app.run_test() as pilot:
        app.editor.focus()
        await pilot.press(*"select fl")
        await pilot.pause()
        words = app.query_one(CompletionList)
        assert words.render_line(0).text.strip() == "Tab: flight flight_id"
        await pilot.press("tab")
        await pilot.pause()
        assert app.editor.text == "select flight"
        assert words.render_line(0).text.strip() == "Tab: [flight] flight_id"
        await pilot.press("tab")
        assert app.editor.text == "select flight_id"
        await pilot.press("shift+tab")
        assert app.editor.text == "select flight"
        await pilot.press(",")
        await pilot.pause()
        assert words.render_line(0).text.strip() == ""


async def test_tab_leaves_the_editor_when_there_is_nothing_to_complete() -> None:
    app = EditorApp(Editor(words=starting_with("fare")))
    app_with_two = Editor(id="other")
    async with app.run_test() as pilot:
        await app.mount(app_with_two)
        app.editor.focus()
        await pilot.press("x", "tab")
        assert app.focused is app_with_two


NASTY = {
    "ten thousand characters": "show me flights " * 625,
    "emoji": "🛫 to 東京 👩‍👩‍👧 please 🇺🇸",
    "control characters": "\x1b[2J\x1b]0;x\x07\x00\x9b31m\u202eevil\u200b\ufeff\u2028",
    "markup": "[red]x[/] [@click=app.quit]y[/] [",
    "newlines": "one\r\ntwo\rthree\n\tfour",
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
@pytest.mark.parametrize("lines", [True, False])
async def test_pasting_anything_is_harmless(text: str, lines: bool) -> None:
    app = EditorApp(Editor(lines=lines, sql=True, words=starting_with("fare")))
    async with app.run_test() as pilot:
        app.editor.focus()
        app.post_message(events.Paste(text))
        await pilot.pause()
        painted = "".join(app.editor.render_line(y).text for y in range(app.editor.size.height))
        assert not {"\x1b", "\x07", "\x9b", "\u202e", "\r", "\t"} & set(painted + app.editor.text)
        assert ("\n" in app.editor.text) == (lines and "\n" in text)
        await pilot.press("home", "x", "end", "backspace", "enter")
        assert len(app.submitted) == 1
        assert app.submitted[0] == app.editor.text.strip()
        assert "x" in app.submitted[0]


async def test_what_does_not_fit_is_counted() -> None:
    app = EditorApp(Editor(limit=10))
    async with app.run_test() as pilot:
        app.editor.focus()
        await pilot.press("a")
        app.post_message(events.Paste("b" * 30))
        await pilot.pause()
        assert app.editor.text == "a" + "b" * 9
        assert app.left_out == [21]
        app.editor.select_all()
        app.post_message(events.Paste("c" * 10))
        await pilot.pause()
        assert app.editor.text == "c" * 10


async def test_loading_a_text_makes_it_inert() -> None:
    app = EditorApp(Editor())
    async with app.run_test():
        app.editor.load("a\x1bb\nc")
        assert app.editor.text == "a␛b c"


@pytest.mark.parametrize("width", range(0, 60, 7))
@pytest.mark.parametrize("at", [-1, 0, 5, 11])
def test_the_list_fits_and_has_the_chosen_word_where_it_can(width: int, at: int) -> None:
    words = [f"column_{n}" for n in range(12)]
    line = offered(words, at, width)
    assert cells(line) <= width
    if width >= 28 and at >= 0:
        assert f"[column_{at}]" in line
        assert f"({at + 1} of 12)" in line
