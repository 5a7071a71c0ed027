"""Foreign text can neither move a cursor nor create or hide in a line, and fits where it is put."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.values.sanitize import cells, clip, inert, one_line

ANY = st.text(st.characters(exclude_categories=[]), max_size=40)
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(ANY, st.sampled_from(["keep", "show", "space"]))
def test_nothing_steering_or_unseen_is_left(text: str, newlines: str) -> None:
    shown = inert(text, newlines=newlines)  # type: ignore[arg-type]
    left = {sign for sign in shown if unicodedata.category(sign) in UNSEEN}
    assert left <= ({"\n"} if newlines == "keep" else set())


@given(ANY)
def test_each_character_stays_in_its_place(text: str) -> None:
    shown = inert(text, newlines="keep")
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
        ("a\tb\x00\x7f", "a␉b␀␡"),
        ("\u2028\u2029\ufeff\u200b", "␤␤◌◌"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
        ("␊\n", "␊\n"),
    ],
)
def test_examples(text: str, shown: str) -> None:
    assert inert(text, newlines="keep") == shown


def test_newlines_by_option() -> None:
    assert [inert("a\nb", newlines=how) for how in ("keep", "show", "space")] == ["a\nb", "a␊b", "a b"]


@given(text=ANY)
def test_what_was_typed_becomes_one_line_of_words(text: str) -> None:
    line = one_line(text)
    assert one_line(line) == line
    assert line == line.strip()
    assert "  " not in line
    assert len(line.splitlines()) <= 1


def test_typed_text_is_composed_and_folded() -> None:
    assert one_line("  cafe\u0301 \n au\tlait\u00a0s ") == "café au lait s"


@given(text=ANY.map(inert), width=st.integers(0, 50))
def test_clipped_text_fits_and_says_that_it_was_clipped(text: str, width: int) -> None:
    shown = clip(text, width)
    assert cells(shown) <= width
    if cells(text) <= width:
        assert shown == text
    elif width:
        assert shown.endswith("…")
        assert text.startswith(shown[:-1])
    else:
        assert shown == ""


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("日本", 4), ("e\u0301", 1), ("\u0947", 0), ("", 0), ("🛫", 2)]
)
def test_widths_are_those_of_a_terminal(text: str, width: int) -> None:
    assert cells(text) == width


@given(one=ANY, other=ANY)
def test_widths_add_up(one: str, other: str) -> None:
    assert cells(one + other) == cells(one) + cells(other)
