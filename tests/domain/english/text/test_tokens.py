"""Spoken English made regular."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.english.text.tokens import read_words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Uh, what's in, um, Norton?", "what is in norton"),
        ("I'd like some", "i would like some"),
        ("I don't want it", "i do not want it"),
        ("Ann's books", "ann books"),
        ("at 9:30 a.m.", "at 9:30 am"),
        ("at 9am", "at 9 am"),
        ("nine a m", "nine am"),
        ("8 o'clock", "8 oclock"),
        ("one-way", "one way"),
        ("on U. A. from Nor. to D.C.", "on ua from nor to dc"),
        ("due 2024-03-05", "due 03/05/2024"),
        ("under $1,500", "under $ 1500"),
        ("show me show me the books", "show me the books"),
        ("the the books", "the books"),
        ("one one five", "one one five"),
        ("to Nor- to Norton", "to nor to norton"),
        ("St. Ives", "st ives"),
        ("late friday evening", "friday late evening"),
        ("I am here", "iam here"),
        ("", ""),
        ("?!", ""),
    ],
)
def test_what_people_say_becomes_plain_words(said: str, words: str) -> None:
    assert " ".join(t.text for t in read_words(said)) == words


@given(st.text(max_size=60))
def test_words_never_carry_blanks_or_capitals_and_keep_their_place(text: str) -> None:
    for token in read_words(text):
        assert token.text
        assert token.text == token.text.lower()
        assert not token.text.isspace()
        assert 0 <= token.start < token.end
