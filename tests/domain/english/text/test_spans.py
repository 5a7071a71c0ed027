"""Stretches of days told from today."""

from datetime import date

import pytest

from domain.english.text.spans import Span, read_span
from domain.english.text.times import Today

WEDNESDAY = Today(date(2025, 6, 18), 2025)


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("last week", "2025-06-09", "2025-06-15"),
        ("this week", "2025-06-16", "2025-06-22"),
        ("next weekend", "2025-06-28", "2025-06-29"),
        ("last month", "2025-05-01", "2025-05-31"),
        ("the next month", "2025-07-01", "2025-07-31"),
        ("this quarter", "2025-04-01", "2025-06-30"),
        ("last year", "2024-01-01", "2024-12-31"),
        ("january next year", "2026-01-01", "2026-01-31"),
        ("february of last year", "2024-02-01", "2024-02-29"),
        ("the past two weeks", "2025-06-04", "2025-06-18"),
        ("the last three months", "2025-03-18", "2025-06-18"),
        ("next ten days", "2025-06-18", "2025-06-28"),
        ("past year", "2024-06-18", "2025-06-18"),
        ("yesterday", "2025-06-17", "2025-06-17"),
        ("the day before yesterday", "2025-06-16", "2025-06-16"),
        ("three weeks ago", "2025-05-28", "2025-05-28"),
        ("the nineties", "1990-01-01", "1999-12-31"),
        ("eighteen seventies", "1870-01-01", "1879-12-31"),
        ("the 1980s", "1980-01-01", "1989-12-31"),
    ],
)
def test_from_today(said: str, first: str, last: str) -> None:
    span = read_span(said.split(), 0, WEDNESDAY)
    assert span is not None
    assert (str(span.first), str(span.last), span.end) == (first, last, len(said.split()))


@pytest.mark.parametrize(
    "said", ["last", "the last one", "june", "june the tenth", "two weeks", "the eighteen", "past five"]
)
def test_what_tells_no_stretch(said: str) -> None:
    assert read_span(said.split(), 0, WEDNESDAY) is None


def test_the_years_of_a_decade_are_known() -> None:
    assert read_span(["nineties"], 0, WEDNESDAY) == Span(date(1990, 1, 1), date(1999, 12, 31), 1, (1990, 1999))
