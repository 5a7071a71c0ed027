"""Ambiguity by SQL, arithmetic, and the closure of what is not evaluable."""

import pytest

from evaluation.references.request_readings import Query, UnreadableSql, arithmetic, distinct, normal, unevaluable

PRICES = "SELECT DISTINCT fare.one_direction_cost FROM fare, flight_fare, flight WHERE {}"


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("SELECT a FROM t WHERE b = 1 AND c = 2", "select A from T where 2 = c and b=1", True),
        ("SELECT x.a FROM t x WHERE x.b = 1", "SELECT y.a FROM t AS y WHERE y.b = 1", True),
        ("SELECT t.a FROM t WHERE t.b = 1 OR t.c = 2", "SELECT t.a FROM t WHERE t.c = 2 OR t.b = 1", True),
        ("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b <> 1", False),
        ("SELECT a FROM t WHERE b < 800", "SELECT a FROM t WHERE b < 2000", False),
        ("SELECT a FROM t WHERE b = 'X'", "SELECT a FROM t WHERE b = 'x'", False),
        ("SELECT x.a FROM t x, t y WHERE x.b = 1", "SELECT x.a FROM t x, t y WHERE y.b = 1", False),
    ],
)
def test_readings_are_the_same_when_their_sql_is(one: str, two: str, same: bool) -> None:
    assert (normal(one) == normal(two)) is same
    assert len(distinct([one, two])) == (1 if same else 2)


def test_a_class_attached_to_the_price_or_to_the_flight_is_ambiguous() -> None:
    price = PRICES.format("fare.fare_basis_code = 'F' AND flight.from_airport = 'BOS'")
    flight = PRICES.format("flight.class = 'FIRST' AND flight.from_airport = 'BOS'")
    assert distinct([price, flight]) == [price, flight]


def test_a_reading_that_comes_again_is_counted_once() -> None:
    readings = [f"SELECT a FROM t WHERE b = {n}" for n in range(7)]
    assert distinct([*readings[:6], readings[0]]) == readings[:6]
    assert distinct(readings) == readings


def test_arithmetic_is_found_and_comparing_and_counting_are_not() -> None:
    assert arithmetic("SELECT COUNT(*), MIN(a) FROM t WHERE b > -5 AND c BETWEEN 1 AND 2") == []
    assert arithmetic("SELECT arrival_time - departure_time FROM flight") == ["arrival_time - departure_time"]
    assert arithmetic("SELECT AVG(cost) FROM fare") == ["AVG(cost)"]
    with pytest.raises(UnreadableSql):
        arithmetic("SELECT (")


def test_what_depends_on_x_is_x_and_what_depends_on_the_first_is_not() -> None:
    queries = [
        Query("Q1", "A"),
        Query("Q2", "X"),
        Query("Q3", "D", ("Q2",)),
        Query("Q4", "D", ("Q1",)),
        Query("Q5", "D", ("Q3",)),
        Query("Q6", "D", ("Q3", "Q1")),
    ]
    assert list(unevaluable(queries)) == ["Q2", "Q3", "Q5"]
    assert unevaluable(queries)["Q5"] == "depends on Q3, which is not evaluable"
    with pytest.raises(ValueError, match="Q1 depends on Q9, which did not come before"):
        unevaluable([Query("Q1", "D", ("Q9",))])


def test_a_reply_to_the_systems_question_is_unevaluable_whatever_its_class() -> None:
    queries = [Query("q1", "A"), Query("q2", "D", ("q1",), responding=True), Query("q3", "D", ("q2",))]
    found = unevaluable(queries)
    assert list(found) == ["q2", "q3"]
    assert "responds to a question of the system" in found["q2"]
