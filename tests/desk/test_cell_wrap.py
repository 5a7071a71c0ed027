"""Wrapped text fits, and is the same text."""

from hypothesis import given
from hypothesis import strategies as st

from desk.cell_wrap import wrapped
from desk.safe_text import cells
from session.values.sanitize import inert


@given(st.text().map(inert), st.integers(2, 40))
def test_every_line_fits(text: str, width: int) -> None:
    assert all(cells(line) <= width for line in wrapped(text, width))


@given(st.text(st.characters(categories=["L", "N", "P", "So", "Zs"])).map(inert), st.integers(2, 40))
def test_nothing_but_blanks_is_lost(text: str, width: int) -> None:
    assert "".join(wrapped(text, width)).replace(" ", "") == text.replace(" ", "")


@given(st.lists(st.text("abc", min_size=1, max_size=5), max_size=20), st.integers(5, 40))
def test_words_stay_whole(words: list[str], width: int) -> None:
    assert " ".join(wrapped(" ".join(words), width)).split() == words


def test_lines_end_where_the_text_ends_them() -> None:
    assert wrapped("a\n\nb", 10) == ["a", "", "b"]
    assert wrapped("", 10) == [""]
