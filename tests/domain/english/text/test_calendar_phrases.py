"""Spans of days that are cut out of the calendar."""

from datetime import date

import pytest

from domain.english.text.calendar_phrases import read_calendar_phrase, read_day_of_month, read_weekday_near
from domain.english.text.times import Today, read_date, read_month_of_year

WEDNESDAY = Today(date(2025, 6, 18), 2025)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("the first three months of twenty twenty five", "2025-01-01", "2025-03-31"),
        ("the last three months of 2024", "2024-10-01", "2024-12-31"),
        ("the second quarter of 2024", "2024-04-01", "2024-06-30"),
        ("the first quarter", "2025-01-01", "2025-03-31"),
        ("the last quarter of the year", "2025-10-01", "2025-12-31"),
        ("the first half of last year", "2024-01-01", "2024-06-30"),
        ("the second half of june", "2025-06-16", "2025-06-30"),
        ("the first week of june", "2025-06-01", "2025-06-07"),
        ("the second week of june", "2025-06-08", "2025-06-14"),
        ("last ten days of may", "2025-05-22", "2025-05-31"),
        ("between march and may nineteen eighty nine", "1989-03-01", "1989-05-31"),
        ("december 2023 to february 2024", "2023-12-01", "2024-02-29"),
        ("november through february 2025", "2024-11-01", "2025-02-28"),
        ("last summer", "2024-06-01", "2024-08-31"),
        ("this summer", "2025-06-01", "2025-08-31"),
        ("next winter", "2025-12-01", "2026-02-28"),
        ("the winter of 2024", "2023-12-01", "2024-02-29"),
        ("fall last year", "2024-09-01", "2024-11-30"),
        ("the week of june ninth", "2025-06-09", "2025-06-15"),
        ("so far this year", "2025-01-01", "2025-06-18"),
        ("earlier this week", "2025-06-16", "2025-06-18"),
        ("later this month", "2025-06-19", "2025-06-30"),
        ("the rest of the year", "2025-06-18", "2025-12-31"),
        ("last october", "2024-10-01", "2024-10-31"),
        ("last june", "2024-06-01", "2024-06-30"),
        ("next march", "2026-03-01", "2026-03-31"),
        ("the early nineteen eighties", "1980-01-01", "1983-12-31"),
        ("late seventies", "1977-01-01", "1979-12-31"),
    ],
)
def test_spans(said: str, first: str, last: str) -> None:
    span = read_calendar_phrase(said.split(), 0, WEDNESDAY)
    assert span is not None
    assert (str(span.first), str(span.last), span.end) == (first, last, len(said.split()))


@pytest.mark.parametrize(
    "said",
    [
        "the first three",
        "the second one",
        "in the winter",
        "the first month",
        "march and may",
        "the last of june",
        "summer",
        "last april",
        "next september",
    ],
)
def test_what_names_no_span_alone(said: str) -> None:
    assert read_calendar_phrase(said.split(), 0, WEDNESDAY) is None


@pytest.mark.parametrize(
    ("said", "day"), [("since the start of the year", "2025-01-01"), ("by the end of may 2024", "2024-05-31")]
)
def test_the_first_and_last_day_after_a_preposition(said: str, day: str) -> None:
    span = read_calendar_phrase(said.split(), 1, WEDNESDAY)
    assert span is not None
    assert (str(span.first), str(span.last), span.end) == (day, day, len(said.split()))


@pytest.mark.parametrize(
    ("said", "at", "day"),
    [
        ("tuesday the third", 0, "2025-06-03"),
        ("friday the fourth", 0, "2025-07-04"),
        ("on the seventeenth", 1, "2025-06-17"),
        ("after the tenth please", 1, "2025-06-10"),
    ],
)
def test_a_day_of_the_month(said: str, at: int, day: str) -> None:
    span = read_day_of_month(said.split(), at, WEDNESDAY)
    assert span is not None
    assert str(span.first) == str(span.last) == day


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("on the second", 1),
        ("on the fifth floor", 1),
        ("the tenth", 0),
        ("from the ninth to the tenth of june", 1),
        ("sunday the fourth of may", 0),
    ],
)  # fmt: skip
def test_no_day_of_the_month(said: str, at: int) -> None:
    assert read_day_of_month(said.split(), at, WEDNESDAY) is None


@pytest.mark.parametrize(
    ("said", "at", "day"),
    [
        ("wednesday", 0, "2025-06-18"),
        ("this friday", 0, "2025-06-20"),
        ("next wednesday", 0, "2025-06-25"),
        ("last monday", 0, "2025-06-16"),
        ("since friday", 1, "2025-06-13"),
    ],
)
def test_a_weekday_near_today(said: str, at: int, day: str) -> None:
    span = read_weekday_near(said.split(), at, WEDNESDAY.day)
    assert span is not None
    assert str(span.first) == str(span.last) == day


@pytest.mark.parametrize(("said", "at"), [("mondays", 0), ("a friday", 1), ("this morning", 0), ("monday in may", 0)])
def test_more_than_one_day(said: str, at: int) -> None:
    assert read_weekday_near(said.split(), at, WEDNESDAY.day) is None


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("december the third twenty twenty four", (2024, 12, 3)),
        ("the first of july eighty seven", (1987, 7, 1)),
        ("june twentieth two thousand and five", (2005, 6, 20)),
        ("a week from tomorrow", (2025, 6, 26)),
    ],
)
def test_spoken_years_of_days(said: str, day: tuple[int, int, int]) -> None:
    found = read_date(said.split(), 0, WEDNESDAY)
    assert found is not None
    assert ((found[0].year, found[0].month, found[0].day), found[1]) == (day, len(said.split()))


@pytest.mark.parametrize(
    "said", ["december twenty twenty four", "december of 2024", "june nineteen eighty five", "july eighty seven"]
)
def test_a_month_with_its_year_has_no_day(said: str) -> None:
    words = said.split()
    found = read_month_of_year(words, 0)
    assert found is not None
    assert found[2] == len(words)
    assert (date_ := read_date(words, 0, WEDNESDAY)) is None or date_[1] < len(words)
