"""Foreign text can neither move a cursor nor create a line, and fits where it is put."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.inert import cells, clip, inert, one_line

ANY = st.text(st.characters(), max_size=40)
HARMFUL = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(text=ANY)
def test_nothing_harmful_is_left_and_nothing_else_is_touched(text: str) -> None:
    shown = inert(text)
    assert len(shown) == len(text)
    for before, after in zip(text, shown, strict=True):
        assert unicodedata.category(after) not in HARMFUL
        assert (after == before) or unicodedata.category(before) in HARMFUL
    assert inert(shown) == shown
    assert len(shown.splitlines()) <= 1


@given(text=ANY)
def test_newlines_may_be_kept_and_nothing_else(text: str) -> None:
    shown = inert(text, keep_newlines=True)
    assert shown.count("\n") == text.count("\n")
    assert shown.replace("\n", "␊") == inert(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\nb\tc\r\x00\x7f", "a␊b␉c␍␀␡"),
        ("\x9b31m", "�31m"),
        ("abc\u202edef\u2066", "abc�def�"),
        ("\u2028\u2029\ufeff\u200b", "����"),
        ("\ud800", "�"),
        ("Grüße, naïve café", "Grüße, naïve café"),
        ("[bold]x[/bold]", "[bold]x[/bold]"),
        ("日本語 🛫", "日本語 🛫"),
    ],
)
def test_examples(text: str, shown: str) -> None:
    assert inert(text) == shown


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
