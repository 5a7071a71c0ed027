"""Comparisons and ranges before anything is attached."""

from datetime import date

import pytest

from domain.english.engine import Engine
from domain.english.parse.combine_comparisons import combine
from domain.english.parse.tagger import cover
from domain.english.text.times import Today
from domain.english.text.tokens import read_words

TODAY = Today(date(1991, 6, 3), 1991)


def values(library: Engine, said: str) -> set[tuple[str, str, tuple[object, ...]]]:
    nodes = combine(cover(library.lexicon, read_words(said), TODAY))
    return {(v.kind, v.op, v.data) for n in nodes for v in n.values}


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("before 9 am", ("clock", "<", (900, 1))),
        ("no later than 5 pm", ("clock", "<=", (1700, 1))),
        ("5 pm or later", ("clock", ">=", (1700, 1))),
        ("around noon", ("clock", "around", (1200, 1))),
        ("between 8 and 10 am", ("clock", "between", (800, 1000, 1))),
        ("from 8 to 10 am", ("clock", "between", (800, 1000, 1))),
        ("between 4 and 5 pm", ("clock", "between", (1600, 1700, 1))),
        ("between 11 am and 2", ("clock", "between", (1100, 1400, 1))),
        ("8 in the morning", ("clock", "=", (800, 1))),
        ("at 5 in the afternoon", ("clock", "=", (1700, 1))),
        ("9 oclock monday night", ("clock", "=", (2100, 1))),
        ("after the morning", ("clock", ">", (1200, 1))),
        ("more than 20 dollars", ("money", ">", (20,))),
        ("20 dollars or less", ("money", "<=", (20,))),
        ("less than or equal to $20", ("money", "<=", (20,))),
        ("between 10 and 20 dollars", ("money", "between", (10, 20))),
        ("the third or the fourth of may", ("date", "=", (1991, 5, 3))),
        ("monday or before 9 am", ("clock", "<", (900, 1))),
        ("since 1975", ("year", ">=", (1975,))),
    ],
)
def test_what_is_compared_with_what(library: Engine, said: str, value: tuple[str, str, tuple[object, ...]]) -> None:
    assert value in values(library, said)


def test_a_weekday_beside_its_date_says_nothing_more(library: Engine) -> None:
    assert values(library, "monday june 3 1991") == {("date", "=", (1991, 6, 3))}


def test_a_weekday_wins_over_a_date_that_does_not_fall_on_it(library: Engine) -> None:
    assert values(library, "friday june 3 1991") == {("weekday", "=", ("FRIDAY",))}


def test_what_lasts_so_long_is_not_the_last(library: Engine) -> None:
    nodes = combine(cover(library.lexicon, read_words("which loans last longer than 3 weeks"), TODAY))
    assert [n.item.words for n in nodes if n.has("extreme")] == []
    nodes = combine(cover(library.lexicon, read_words("the last book longer than 300"), TODAY))
    assert [n.item.words for n in nodes if n.has("extreme")] == ["last"]
