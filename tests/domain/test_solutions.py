"""When a declared solution is one."""

import pytest

from domain.solutions import solution_query, solves
from session.answers import Table
from session.study import Scenario, Solution
from session.vocabulary import ScenarioKind

FLIGHTS = Table(("airline_code", "flight_number"), (("UA", 201), ("DL", 77), ("AA", 9)))
PARTS = Table(("part", "code", "number"), (("OUT", "UA", 201), ("OUT", "DL", 77), ("BACK", "UA", 202)))
FARE = Table(("fare", "place"), ((1020, "ST. LOUIS"), (0, None)))


@pytest.mark.parametrize(
    ("declared", "solved"),
    [
        ("UA 201", True),
        ("ua201", True),
        ("flight 201 of UA at 8", True),
        ("UA 0201", True),
        ("DL 77.", True),
        ("UA 77", False),
        ("UA 2010", False),
        ("UA 20 1", False),
        ("UAX 201", False),
        ("", False),
    ],
)
def test_all_fields_of_one_row_have_to_be_there(declared: str, solved: bool) -> None:
    assert solves(declared, FLIGHTS) == solved


@pytest.mark.parametrize(
    ("declared", "solved"), [("UA 201 and UA 202", True), ("UA 201", False), ("DL 77, UA 202", True), ("UA 202", False)]
)
def test_every_part_has_to_be_solved(declared: str, solved: bool) -> None:
    assert solves(declared, PARTS) == solved


@pytest.mark.parametrize("declared", ["$1,020 to St Louis", "1020 dollars, st. louis", "st.louis 1020"])
def test_signs_and_separators_do_not_matter(declared: str) -> None:
    assert solves(declared, Table(FARE.columns, FARE.rows[:1]))


def test_nothing_in_the_solution_set_is_solved_by_nothing() -> None:
    assert not solves("UA 201", Table(("airline_code",), ()))


def scenario(sql: str | None, **placeholders: str) -> Scenario:
    solution = None if sql is None else Solution(sql=sql)
    return Scenario(id="s", title="t", kind=ScenarioKind.TRIP, text="x", placeholders=placeholders, solution=solution)


def test_bindings_are_literals_in_capitals_and_cannot_leave_them() -> None:
    asked = scenario("SELECT * FROM city WHERE name = '{A}' OR name = '{B}'", A="", B="Denver")
    assert solution_query(asked, {"A": "Coeur d'Alene"}) == (
        "SELECT * FROM city WHERE name = 'COEUR D''ALENE' OR name = 'DENVER'"
    )


def test_a_scenario_without_a_solution_set_says_so() -> None:
    with pytest.raises(ValueError, match="scenario s: it has no solution set"):
        solution_query(scenario(None), {})


def test_an_unbound_placeholder_is_named() -> None:
    with pytest.raises(ValueError, match="nothing is bound to A"):
        solution_query(scenario("SELECT '{A}'", A=""), {})
