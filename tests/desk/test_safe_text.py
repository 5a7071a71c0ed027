"""Foreign text on a screen: every line has a width, measured as Textual measures it, and markup is not read."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from desk.safe_text import ForeignText, cells, plain
from session.values.sanitize import inert

ANY = st.text(st.characters(exclude_categories=[]))


@given(ANY)
def test_every_line_has_a_width(text: str) -> None:
    """Control characters count as no cell at all, which is how a line slips out of its box."""
    zero = [sign for sign in inert(text, newlines="show") if cell_len(sign) == 0]
    joining = {"Mn", "Me", "Mc", "Lo", "Sk"}  # marks, vowels of Hangul and Brahmi scripts, skin tones of emoji
    assert {unicodedata.category(sign) for sign in zero} <= joining


def test_the_quick_measure_agrees_with_the_slow_one_on_every_character() -> None:
    assert [hex(code) for code in range(0x30000) if cells(inert(chr(code))) != cell_len(inert(chr(code)))] == []


def test_markup_is_not_read() -> None:
    content = plain("[red]stop[/] [@click=app.quit]here[/]")
    assert content.plain == "[red]stop[/] [@click=app.quit]here[/]"
    assert not content.spans


async def test_widget_shows_foreign_text_as_it_is() -> None:
    class Shows(App[None]):
        def compose(self) -> ComposeResult:
            yield ForeignText("[/nonsense] \x1b[2J")

    app = Shows()
    async with app.run_test() as pilot:
        text = app.query_one(ForeignText)
        assert text.render_line(0).text.rstrip() == "[/nonsense] ␛[2J"
        text.show("[bold")
        await pilot.pause()
        assert text.render_line(0).text.rstrip() == "[bold"
