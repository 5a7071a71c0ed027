"""No text whatever can steer the terminal, forge markup or hide in a line."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from desk.inert import ForeignText, cells, inert, plain

ANY = st.text(st.characters(exclude_categories=[]))
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(ANY, st.sampled_from(["keep", "show", "space"]))
def test_nothing_steering_or_unseen_is_left(text: str, newlines: str) -> None:
    shown = inert(text, newlines=newlines)  # type: ignore[arg-type]
    left = {sign for sign in shown if unicodedata.category(sign) in UNSEEN}
    assert left <= ({"\n"} if newlines == "keep" else set())


@given(ANY)
def test_each_character_stays_in_its_place(text: str) -> None:
    shown = inert(text)
    assert len(shown) == len(text)
    assert [i for i, sign in enumerate(text) if sign == "\n"] == [i for i, sign in enumerate(shown) if sign == "\n"]


@given(ANY)
def test_twice_is_once(text: str) -> None:
    assert inert(inert(text)) == inert(text)


@given(ANY)
def test_what_is_shown_can_be_written_to_a_terminal(text: str) -> None:
    inert(text).encode("utf-8")


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_ordinary_text_is_untouched(text: str) -> None:
    assert inert(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("abc\u202edcba", "abc⇄dcba"),
        ("pass\u200bword", "pass◌word"),
        ("\x9b2J", "␦2J"),
        ("one\r\ntwo", "one␍\ntwo"),
        ("\ud800", "␦"),
        ("\ue000", "␦"),
        ("Zürich – 東京 🛫", "Zürich – 東京 🛫"),
        ("é", "é"),
        ("␊\n", "␊\n"),
    ],
)
def test_examples(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_newlines_by_option() -> None:
    assert [inert("a\nb", newlines=how) for how in ("keep", "show", "space")] == ["a\nb", "a␊b", "a b"]


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
