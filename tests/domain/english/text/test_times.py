"""Times of day, days and dates."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.english.sql.comparisons import shifted
from domain.english.text.times import (
    ClockTime,
    Day,
    Today,
    read_clock,
    read_date,
    read_month,
    read_month_of_year,
    read_weekday,
)

TODAY = Today(date(1991, 6, 3), 1991)


@pytest.mark.parametrize(
    ("said", "hhmm", "half", "length"),
    [
        ("9 am", 900, True, 2),
        ("9 pm", 2100, True, 2),
        ("12 am", 0, True, 2),
        ("12 pm", 1200, True, 2),
        ("noon", 1200, True, 1),
        ("midnight", 0, True, 1),
        ("12 oclock noon", 1200, True, 3),
        ("12 noon", 1200, True, 2),
        ("eight oclock", 800, False, 2),
        ("four thirty pm", 1630, True, 3),
        ("seven oh five am", 705, True, 4),
        ("9:45", 945, False, 1),
        ("1745", 1745, True, 1),
        ("half past three", 330, False, 3),
        ("quarter to four pm", 1545, True, 4),
        ("seventeen hundred hours", 1700, True, 3),
    ],
)
def test_times_of_day(said: str, hhmm: int, half: bool, length: int) -> None:
    found = read_clock(said.split(), 0)
    assert found is not None
    assert found[:2] == (ClockTime(hhmm, half), length)


@pytest.mark.parametrize("said", ["25:00", "books", "975", "thirty"])
def test_what_is_no_time_of_day(said: str) -> None:
    assert read_clock(said.split(), 0) is None


@pytest.mark.parametrize(
    ("said", "day", "length"),
    [
        ("may fourth", Day(1991, 5, 4), 2),
        ("may the fourth", Day(1991, 5, 4), 3),
        ("the fourth of may", Day(1991, 5, 4), 4),
        ("december 25 1992", Day(1992, 12, 25), 3),
        ("june third nineteen ninety three", Day(1993, 6, 3), 5),
        ("6/20", Day(1991, 6, 20), 1),
        ("6/20/92", Day(1992, 6, 20), 1),
        ("today", Day(1991, 6, 3), 1),
        ("tomorrow", Day(1991, 6, 4), 1),
        ("day after tomorrow", Day(1991, 6, 5), 3),
    ],
)
def test_dates(said: str, day: Day, length: int) -> None:
    assert read_date(said.split(), 0, TODAY) == (day, length)


@pytest.mark.parametrize("said", ["february thirtieth", "may", "the books", "13/13"])
def test_what_is_no_date(said: str) -> None:
    assert read_date(said.split(), 0, TODAY) is None


def test_a_study_can_fix_the_day_of_a_word() -> None:
    fixed = Today(date(1991, 6, 3), 1991, {"tomorrow": date(1991, 1, 20)})
    assert read_date(["tomorrow"], 0, fixed) == (Day(1991, 1, 20), 1)


def test_weekdays_and_months() -> None:
    assert read_weekday(["fridays"], 0) == ("FRIDAY", 1)
    assert read_weekday(["tue"], 0) == ("TUESDAY", 1)
    assert read_weekday(["day"], 0) is None
    assert read_month(["august"], 0) == (8, 1)
    assert read_month(["may"], 0) is None  # far more often the verb


@pytest.mark.parametrize(
    ("said", "month"), [("in may", 5), ("since march", 3), ("april and may", 5), ("june to march", 3)]
)
def test_months_whose_names_are_words_are_months_after_what_tells_a_time(said: str, month: int) -> None:
    words = said.split()
    assert read_month(words, len(words) - 1) == (month, len(words))


@pytest.mark.parametrize("said", ["you may", "and may", "flights and march"])
def test_those_names_elsewhere_are_words(said: str) -> None:
    assert read_month(said.split(), len(said.split()) - 1) is None


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 1439))
def test_moving_a_time_forth_and_back_gives_it_again(hour: int, minute: int, by: int) -> None:
    hhmm = hour * 100 + minute
    assert shifted(shifted(hhmm, by), -by) == hhmm


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("two days from today", (1991, 6, 5)),
        ("a week from now", (1991, 6, 10)),
        ("in three days", (1991, 6, 6)),
        ("in a week", (1991, 6, 10)),
    ],
)
def test_days_ahead(said: str, day: tuple[int, int, int]) -> None:
    found = read_date(said.split(), 0, Today(date(1991, 6, 3), 1991))
    assert found is not None
    assert ((found[0].year, found[0].month, found[0].day), found[1]) == (day, len(said.split()))


def test_a_month_of_a_year_is_all_its_days() -> None:
    assert read_month_of_year(["february", "of", "1992"], 0) == (Day(1992, 2, 1), Day(1992, 2, 29), 3)
    assert read_month_of_year(["december", "1991"], 0) == (Day(1991, 12, 1), Day(1991, 12, 31), 2)
    assert read_month_of_year(["june"], 0) is None
