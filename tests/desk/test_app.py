"""What all desks have: fitting the terminal, help, footer and palette that tell the same."""

import pytest
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding
from textual.command import CommandList, CommandPalette
from textual.widgets import Input, Static

from desk.app import HIDDEN, DeskApp, TooSmall
from desk.dialogs import Choose, ListEntry
from desk.keys.actions import FooterEntry, fitted, in_groups, offers
from desk.keys.footer import ALL_KEYS, KeyFooter
from desk.keys.help import HelpScreen, help_lines
from desk.table import TextTable
from desk.theme import THEMES, theme_for
from tests.desk.regions import assert_laid_out, each_size, painted


class SampleDesk(DeskApp[None]):
    BINDINGS = [  # noqa: RUF012 - Textual's way
        Binding("f5", "send", "Send", tooltip="Shows the answer to the subject"),
        Binding("f6", "note('a')", "Note"),
    ]
    AUTO_FOCUS = "#text"

    def __init__(self, theme: str = "dark") -> None:
        super().__init__(theme=theme)
        self.sent = 0

    def compose(self) -> ComposeResult:
        yield Static("a desk", id="desk")
        yield Input(id="text")
        yield TextTable(id="table")
        yield KeyFooter()

    def action_send(self) -> None:
        self.sent += 1

    def action_note(self, text: str) -> None:
        pass


async def test_what_can_wait_comes_after_the_first_painting_and_once() -> None:
    seen: list[str] = []

    class Waiting(SampleDesk):
        def __init__(self) -> None:
            super().__init__()
            self._after_paint = lambda: seen.append(painted(self))

    async with Waiting().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
    (first,) = seen
    assert "a desk" in first


async def test_a_small_terminal_shows_one_message_and_recovers() -> None:
    app = SampleDesk()
    async with app.run_test(size=(80, 24)) as pilot:
        app.query_one("#table").focus()
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        text = painted(app)
        assert "Needed: 80 × 24" in text
        assert "Now: 60 × 20" in text
        assert "a desk" not in text
        assert_laid_out(app)
        await pilot.resize_terminal(70, 20)
        await pilot.pause()
        assert "Now: 70 × 20" in painted(app)
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "a desk" in painted(app)
        assert app.focused is app.query_one("#table")
        assert_laid_out(app)


async def test_a_desk_that_starts_too_small_says_so_and_its_screens_too() -> None:
    app = SampleDesk()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.pause()
        assert "too small" in painted(app)
        app.push_screen(HelpScreen(["help"]))
        await pilot.pause()
        await pilot.pause()
        assert "too small" in painted(app)
        assert "help" not in painted(app)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        assert not any(screen.has_class(HIDDEN) for screen in app.screen_stack)
        assert "Close" in painted(app)
        assert not any(widget.display and widget.region.area for widget in app.screen.query(TooSmall))


async def test_every_size_is_laid_out() -> None:
    await each_size(SampleDesk)


async def test_help_speaks_of_the_widget_in_focus() -> None:
    app = SampleDesk()
    async with app.run_test() as pilot:
        app.query_one("#table").focus()
        await pilot.pause()
        lines = help_lines(app.screen)
        assert lines[0].startswith("A table. Scroll with the arrow keys")
        assert lines.index("Here") < next(n for n, line in enumerate(lines) if "PgDn" in line)
        assert any(line.split() == ["F5", "Send.", "Shows", "the", "answer", "to", "the", "subject"] for line in lines)
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        assert "A table. Scroll" in painted(app)
        await pilot.press("f1")
        assert not isinstance(app.screen, HelpScreen)
        assert app.focused is app.query_one("#table")


class LongKeys(SampleDesk):
    BINDINGS = [Binding("ctrl+shift+pageup,ctrl+shift+pagedown", "note('b')", "Mark it")]  # noqa: RUF012 - Textual's way


async def test_long_names_of_keys_do_not_run_into_what_they_do() -> None:
    app = LongKeys()
    async with app.run_test() as pilot:
        await pilot.pause()
        lines = [line.strip() for line in help_lines(app.screen)]
        (at,) = [n for n, line in enumerate(lines) if line.startswith("Ctrl+Shift+Pg")]
        assert lines[at + 1] == "Mark it"
        assert "Mark" not in lines[at]


async def test_the_footer_shows_every_shown_binding_and_follows_the_focus() -> None:
    app = SampleDesk()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "F5 Send" in painted(app)
        assert "↑↓←→ Scroll" not in painted(app)
        app.query_one("#table").focus()
        await pilot.pause()
        assert "↑↓←→ Scroll" in painted(app)


@pytest.mark.parametrize("width", [30, 50, 80])
def test_a_footer_that_runs_out_of_rows_says_where_the_rest_is(width: int) -> None:
    entries = [FooterEntry(f"F{n}", f"Do thing {n}") for n in range(1, 13)]
    rows = fitted(entries, width, 2, ALL_KEYS)
    shown = [entry for row in rows for entry in row]
    assert len(rows) <= 2
    assert all(sum(entry.width for entry in row) <= width for row in rows)
    assert shown == entries or shown[-1] == ALL_KEYS


async def test_the_palette_offers_each_action_with_its_key_and_runs_it() -> None:
    app = SampleDesk()
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert isinstance(app.screen, CommandPalette)
        assert "What do you want to do?" in painted(app)
        await pilot.press(*"send")
        await pilot.pause()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "Send  (F5)" in painted(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.sent == 1


async def test_alternative_keys_are_one_offer_and_groups_one_entry() -> None:
    app = SampleDesk()
    async with app.run_test() as pilot:
        app.query_one("#table").focus()
        await pilot.pause()
        assert ("↑↓←→", "Scroll") in [(entry.keys, entry.does) for entry in in_groups(app.screen)]
        assert {offer.does for offer in offers(app.screen)} >= {"Send", "Note", "Help", "Leave", "Page down"}


async def test_ctrl_c_leaves_nothing() -> None:
    app = SampleDesk()
    async with app.run_test() as pilot:
        app.query_one("#table").focus()
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert app.is_running
        assert [note.message for note in app._notifications] == ["Ctrl+Q leaves this program."]


@pytest.mark.parametrize("theme", THEMES)
async def test_each_theme_paints(theme: str) -> None:
    app = SampleDesk(theme)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.theme == f"curtain-{theme}"
        assert "F5 Send" in painted(app)


async def test_the_plain_theme_uses_no_colour_at_all() -> None:
    app = SampleDesk("plain")
    async with app.run_test() as pilot:
        app.query_one("#table").focus()
        await pilot.pause()
        styles = {
            segment.style
            for y in range(24)
            for widget in app.screen.query("*").results()
            if y < widget.size.height
            for segment in widget.render_line(y)
            if segment.style is not None
        }
        colours = {c for style in styles for c in (style.color, style.bgcolor) if c is not None}
        filtered = {colour.name for colour in colours} - {"default"}
        assert filtered == set()


def test_no_color_is_obeyed() -> None:
    assert theme_for({"NO_COLOR": "1"}, "light") == "plain"
    assert theme_for({"NO_COLOR": ""}, "light") == "light"
    with pytest.raises(ValueError, match="choose one of dark, light, plain"):
        SampleDesk("blue")


def style_of(app: DeskApp[None], text: str) -> Style:
    """How the first piece of the screen is painted in which `text` stands."""
    pieces = [piece for strip in app.screen._compositor.render_strips() for piece in strip]
    return next(piece.style for piece in pieces if text in piece.text and piece.style is not None)


async def test_the_entry_that_is_marked_in_a_list_is_seen_without_colour() -> None:
    app = SampleDesk("plain")
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Choose("Which?", [ListEntry("a", "a", "apples"), ListEntry("b", "b", "berries")]))
        await pilot.pause()
        assert (style_of(app, "apples").underline, style_of(app, "berries").underline) == (True, None)
        await pilot.press("down")
        assert (style_of(app, "apples").underline, style_of(app, "berries").underline) == (None, True)


async def test_the_entry_that_is_marked_in_the_palette_is_seen_without_colour() -> None:
    app = SampleDesk("plain")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await app.workers.wait_for_complete()
        await pilot.pause()
        entries = app.screen.query_one(CommandList)
        assert entries.highlighted == 0
        first, second = (str(entries.get_option_at_index(n).prompt).split("  (")[0] for n in (0, 1))
        assert (style_of(app, first).underline, style_of(app, second).underline) == (True, None)
