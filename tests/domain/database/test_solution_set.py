"""The query of a scenario's solution set."""

import pytest

from domain.database.solution_set import solution_query
from session.study.settings import Scenario, Solution
from session.values.vocabulary import ScenarioKind


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
