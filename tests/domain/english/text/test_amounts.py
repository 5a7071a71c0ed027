"""Amounts with units: read, compared in the column's own unit, and never dropped."""

from pathlib import Path

import pytest

from domain.english.engine import Engine
from domain.english.model.domain import DomainError, load_domain
from domain.english.text.amounts import read_amount

TIME = {"minute": 1.0, "minutes": 1.0, "hour": 60.0, "hours": 60.0}


@pytest.mark.parametrize(
    ("said", "minutes"),
    [
        ("90 minutes", 90),
        ("two hours", 120),
        ("an hour", 60),
        ("half an hour", 30),
        ("an hour and a half", 90),
        ("two and a half hours", 150),
        ("an hour and 30 minutes", 90),
        ("2 hours 15 minutes", 135),
        ("a hundred minutes", 100),
        ("1.5 hours", 90),
    ],
)
def test_an_amount_in_the_units_of_the_column(said: str, minutes: float) -> None:
    found = read_amount(said.split(), 0, TIME)
    assert found is not None
    assert (found[0], found[2]) == (minutes, len(said.split()))


@pytest.mark.parametrize("said", ["two", "hours", "a", "half past", "three miles"])
def test_no_amount(said: str) -> None:
    assert read_amount(said.split(), 0, TIME) is None


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        ("flights from boston to denver longer than three hours", "time_elapsed > 180"),
        ("flights from boston to denver that take less than 90 minutes", "time_elapsed < 90"),
        ("flights from boston to denver with a duration of two hours or less", "time_elapsed <= 120"),
        ("flights from boston to denver taking between one and two hours", "time_elapsed BETWEEN 60.0 AND 120"),
    ],
)
def test_a_duration_is_no_time_of_day(air: Engine, said: str, sql: str) -> None:
    readings = air.ask(said).readings
    assert readings[0].unused == ()
    assert sql in readings[0].sql
    assert "departure_time" not in readings[0].sql.partition("WHERE")[2]


def test_hours_after_hundreds_are_a_time_of_day(air: Engine) -> None:
    found = air.ask("flights from boston to denver leaving at fourteen hundred hours").readings[0]
    assert "departure_time = 1400" in found.sql


def test_an_amount_of_what_has_none_leaves_no_answer(air: Engine) -> None:
    assert air.ask("ground transportation in denver for two hours").readings == ()


def test_a_unit_is_a_word_and_a_positive_number(tmp_path: Path) -> None:
    text = '[domain]\nname = "x"\nentity = "x"\n[entity.x]\ntable = "x"\nkey = ["x.x"]\n[unit.time]\nwords = { hour = 0 }\n'
    (tmp_path / "domain.toml").write_text(text)
    with pytest.raises(DomainError, match=r"\[unit.time\] 'hour'"):
        load_domain(tmp_path)
