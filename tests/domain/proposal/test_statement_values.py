"""Literals of a statement as what people say: parts of the day, ages, months, years."""

from datetime import date

import pytest

from domain.english.model.domain import About, Conventions, DomainModel, Entity, Period
from domain.english.model.meaning import Value
from domain.proposal.statement_values import Bound, TimesOfDay, values_of

OPEN = "({time_column} > 0 AND {time_column} < 1200)"
MODEL = DomainModel(
    About("museum", "visit"), {"visit": Entity("visit")}, period={"morning": Period(("morning",), 0, 1200)}
)
RULES = Conventions(rules={"period morning": (OPEN,), "clock between": ("({time_column} > {first})",)}, inclusive=False)
TODAY = date(2025, 6, 1)


@pytest.mark.parametrize(
    ("kind", "bounds", "op", "data", "say"),
    [
        ("clock", [(">", 0), ("<", 1200)], "period", (0, 1200), "morning"),
        ("clock", [(">=", 1), ("<=", 1159)], "period", (0, 1200), "morning"),
        ("clock", [(">", 1630), ("<", 1730)], "around", (1700, 1), "around 5 p.m."),
        ("clock", [(">", 900), ("<", 1400)], "between", (900, 1400, 1), "between 9 a.m. and 2 p.m."),
        ("clock", [(">=", "12:00")], ">=", (1200, 1), "from 12 p.m."),
        ("years", [("<=", "1960-06-01")], ">=", (65,), "at least 65"),
        ("date", [(">=", "2025-06-01"), ("<=", "2025-06-30")], "=", (2025, 6, 1, 2025, 6, 30), "June 2025"),
        ("date", [(">=", "2025-06-01"), ("<", "2025-07-01")], "=", (2025, 6, 1, 2025, 6, 30), "June 2025"),
        ("year", [(">=", "1980-01-01"), ("<=", "1989-12-31")], "=", (1980, 1989), "1980 to 1989"),
        ("year", [(">", "1979-12-31")], ">", (1979,), "after 1979"),
        ("money", [("<", 300)], "<", (300,), "under $300"),
    ],
)
def test_bounds_are_the_value_that_people_say(
    kind: str, bounds: list[Bound], op: str, data: tuple[int, ...], say: str
) -> None:
    use = Conventions(rules=RULES.rules | {"clock around": ("({time_column} > {first} AND {time_column} < {second})",)})
    ((value,),) = values_of(kind, bounds, TimesOfDay(MODEL, use), TODAY)
    assert value == Value(kind, data, op, say)


def test_two_bounds_that_no_expression_has_stay_two() -> None:
    found = values_of("clock", [(">=", 900), ("<=", 1400)], TimesOfDay(MODEL, RULES), TODAY)
    assert [[value.op for value in values] for values in found] == [[">="], ["<="]]


@pytest.mark.parametrize(("kind", "bounds"), [("years", [("<=", "1960-02-03")]), ("year", [(">", "1980-05-05")])])
def test_a_day_on_which_no_age_and_no_year_begins_is_none(kind: str, bounds: list[Bound]) -> None:
    assert values_of(kind, bounds, TimesOfDay(MODEL, RULES), TODAY) == ()
