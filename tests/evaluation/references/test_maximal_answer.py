"""Maximal statements derived from minimal ones, read and run."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.database.table_shape import Shape
from domain.principles import Companion, MaximumRules, load
from evaluation.references.maximal_answer import NotDerivable, check_rules, derive
from scenarios.air_travel import generator as air_travel
from scenarios.personnel import generator as personnel

RULES = MaximumRules(
    {"flight": ("flight_id", "airline_code", "flight_number"), "fare": ("fare_id",)},
    (
        Companion(
            "fare",
            "flight",
            (
                "LEFT JOIN flight_fare AS brought_pairs ON brought_pairs.fare_id = {fare}.fare_id",
                "LEFT JOIN flight AS {flight} ON {flight}.flight_id = brought_pairs.flight_id",
            ),
            ("flight_id", "airline_code", "flight_number"),
        ),
    ),
)
TABLES = {
    "flight": [
        "flight_id",
        "airline_code",
        "flight_number",
        "from_airport",
        "to_airport",
        "departure_time",
        "arrival_time",
    ],
    "fare": ["fare_id", "one_direction_cost"],
    "flight_fare": ["flight_id", "fare_id"],
    "airport_service": ["airport_code", "city_code"],
    "city": ["city_code", "city_name"],
}


def columns(sql: str) -> list[str]:
    """The columns of the derived statement, without their tables."""
    text = derive(sql, RULES, tables=TABLES)
    head = text.split(" FROM ")[0].removeprefix("SELECT ").removeprefix("DISTINCT ")
    return [part.split(".")[-1] for part in head.split(", ")]


def test_what_constrains_the_flights_is_added_and_what_identifies_them() -> None:
    assert columns(
        "SELECT flight_id FROM flight WHERE from_airport = 'BOS' AND to_airport = 'DEN' AND departure_time < 1200"
    ) == ["flight_id", "from_airport", "to_airport", "departure_time", "airline_code", "flight_number"]


def test_a_question_for_arrivals_brings_the_flight_but_no_meals_or_fares() -> None:
    found = columns("SELECT flight_id, arrival_time FROM flight WHERE from_airport = 'BOS'")
    assert found == ["flight_id", "arrival_time", "from_airport", "airline_code", "flight_number"]


def test_a_count_of_different_things_stays_one() -> None:
    inner = "SELECT DISTINCT airline_code FROM flight"
    for sql in (f"SELECT COUNT(*) FROM ({inner}) x", f"WITH x AS ({inner}) SELECT COUNT(*) FROM x"):
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute("CREATE TABLE flight (flight_id, airline_code)")
            database.executemany("INSERT INTO flight VALUES (?, ?)", [(1, "A"), (2, "A"), (3, "B")])
            assert database.execute(derive(sql, RULES, tables=TABLES)).fetchall() == [(2,)]


def test_names_are_those_of_the_database_in_whatever_case_they_are_written() -> None:
    small = "SELECT flight_id FROM flight WHERE from_airport = 'BOS' AND departure_time < 1200"
    loud = "SELECT FLIGHT.FLIGHT_ID FROM FLIGHT WHERE From_Airport = 'BOS' AND \"FLIGHT\".DEPARTURE_TIME < 1200"
    assert columns(loud) == columns(small)
    assert "'BOS'" in derive(loud, RULES, tables=TABLES)
    shouting = {name.upper(): [one.upper() for one in found] for name, found in TABLES.items()}
    assert derive(small, RULES, tables=shouting) == derive(small, RULES, tables=TABLES)
    assert '"FLIGHT"' in derive('SELECT "FLIGHT".flight_id FROM "FLIGHT" WHERE stops = 1', RULES, dialect="postgres")


def test_columns_that_the_statement_equates_are_shown_once() -> None:
    assert columns(
        "SELECT f.flight_id FROM flight f, airport_service s, city c WHERE f.from_airport = s.airport_code"
        " AND s.city_code = c.city_code AND c.city_name = 'BOSTON'"
    ) == ["flight_id", "from_airport", "city_code", "city_name", "airline_code", "flight_number"]


def test_constraints_of_subqueries_come_out() -> None:
    inner = "SELECT airport_code FROM airport_service WHERE city_code IN (SELECT city_code FROM city WHERE city_name = '{}')"
    found = columns(
        f"SELECT flight_id FROM flight WHERE from_airport IN ({inner.format('BOSTON')})"
        f" AND to_airport IN ({inner.format('DENVER')})"
    )
    assert found[:3] == ["flight_id", "from_airport", "to_airport"]
    assert found.count("city_name") == 2


def test_fares_are_fares_for_flights() -> None:
    text = derive("SELECT fare_id FROM fare WHERE one_direction_cost < 100", RULES)
    assert "brought_flight.airline_code" in text
    joined = derive(
        "SELECT fare.fare_id FROM fare JOIN flight_fare ON flight_fare.fare_id = fare.fare_id"
        " JOIN flight ON flight.flight_id = flight_fare.flight_id WHERE flight.from_airport = 'BOS'",
        RULES,
    )
    assert "brought" not in joined
    assert "flight.flight_number" in joined


def test_a_count_may_show_what_it_is_asked_for_and_a_group_what_it_is_grouped_by() -> None:
    assert derive("SELECT COUNT(*) FROM flight WHERE from_airport > 'BOS'", RULES).startswith("SELECT COUNT(*) FROM")
    assert derive("SELECT COUNT(*) FROM flight WHERE 'BOS' = from_airport", RULES).startswith(
        "SELECT COUNT(*), COALESCE(MIN(flight.from_airport), 'BOS') FROM"
    )
    assert derive("SELECT COUNT(*) FROM flight GROUP BY airline_code", RULES).startswith(
        "SELECT COUNT(*), flight.airline_code FROM"
    )


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT * FROM flight", "names its columns"),
        ("SELECT flight_id FROM flight LIMIT 1", "LIMIT without ORDER BY"),
        ("SELECT flight_id FROM flight ORDER BY departure_time + 1 LIMIT 1", "computed order"),
        ("SELECT flight_id FROM flight ORDER BY 2 LIMIT 1", "there are 1 columns"),
        ("SELECT airline_code FROM flight GROUP BY airline_code ORDER BY COUNT(*) LIMIT 1", "LIMIT over groups"),
        ("SELECT flight_id FROM flight WHERE airline_code = 'A' UNION SELECT city_name FROM city", "does not have it"),
        ("SELECT flight_id FROM flight UNION SELECT fare_id, 1 FROM fare", "different numbers of columns"),
        ("SELECT flight_id FROM flight UNION SELECT fare_id FROM fare LIMIT 1", "LIMIT over a UNION"),
        ("SELECT flight_id FROM flight EXCEPT SELECT fare_id FROM fare", "EXCEPT: its arms"),
        ("SELECT flight_id FROM flight INTERSECT SELECT fare_id FROM fare", "INTERSECT: its arms"),
        ("SELECT x.b FROM (SELECT flight_id AS a FROM flight) x", "the subquery x has no such column"),
        ("DELETE FROM flight", "not a SELECT"),
        ("SELECT 1; SELECT 2", "2 statements"),
        ("SELECT (", "cannot be read"),
        ("WITH RECURSIVE x AS (SELECT 1 AS a) SELECT a FROM x", "WITH RECURSIVE"),
        ("WITH x(a, b) AS (SELECT flight_id FROM flight) SELECT a FROM x", "WITH names other columns"),
        ("SELECT flight_id, RANK() OVER (ORDER BY departure_time) FROM flight", "window function"),
        ("SELECT flight_id FROM flight, flight_fare", "flight_id names no table; write table.flight_id"),
        ("SELECT airline_code, COUNT(*) FROM flight", "beside an aggregate without GROUP BY"),
    ],
)
def test_what_cannot_be_derived_is_refused_with_a_reason(sql: str, why: str) -> None:
    with pytest.raises(NotDerivable, match=why):
        derive(sql, RULES, tables=TABLES)


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:")
    made.executescript("""
        CREATE TABLE flight (flight_id, airline_code, flight_number, from_airport, to_airport, departure_time, arrival_time);
        CREATE TABLE fare (fare_id, one_direction_cost); CREATE TABLE flight_fare (flight_id, fare_id);
        CREATE TABLE airport_service (airport_code, city_code); CREATE TABLE city (city_code, city_name);
        INSERT INTO flight VALUES (1, 'AA', 152, 'BOS', 'DEN', 900, 1100), (2, 'US', 7, 'BOS', 'DEN', 1300, 1500),
            (3, 'US', 8, 'OAK', 'DEN', 700, 900);
        INSERT INTO fare VALUES (10, 80), (11, 300), (12, 90); INSERT INTO flight_fare VALUES (1, 10), (2, 10), (3, 11);
        INSERT INTO airport_service VALUES ('BOS', 'BBOS'), ('BOS', 'BBOX'), ('DEN', 'DDEN');
        INSERT INTO city VALUES ('BBOS', 'BOSTON'), ('BBOX', 'BOSTON'), ('DDEN', 'DENVER');
    """)
    yield made
    made.close()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT flight_id FROM flight WHERE departure_time < 1200",
        "SELECT flight_id FROM flight WHERE from_airport IN (SELECT airport_code FROM airport_service WHERE city_code IN"
        " (SELECT city_code FROM city WHERE city_name = 'BOSTON'))",
        "SELECT fare_id FROM fare WHERE one_direction_cost < 100",
        "SELECT flight_id FROM flight WHERE departure_time = (SELECT MIN(departure_time) FROM flight) OR airline_code = 'AA'",
        "SELECT flight_id FROM flight WHERE NOT from_airport IN (SELECT airport_code FROM airport_service)",
        "SELECT COUNT(*) FROM flight",
        "SELECT flight_id FROM flight WHERE airline_code = 'AA' UNION SELECT flight_id FROM flight WHERE departure_time < 800",
        "SELECT f.flight_id FROM flight f WHERE f.airline_code = 'AA' UNION ALL SELECT g.flight_id FROM flight g"
        " WHERE g.from_airport IN (SELECT airport_code FROM airport_service)"
        " AND g.departure_time > 1000 UNION SELECT h.flight_id FROM flight h, airport_service s"
        " WHERE h.to_airport = s.airport_code AND h.airline_code = 'US'",
        "SELECT flight_id FROM flight WHERE from_airport = 'BOS' ORDER BY departure_time LIMIT 1",
        "SELECT airline_code AS who FROM flight ORDER BY departure_time DESC, 1 LIMIT 1",
        "SELECT flight_id FROM flight WHERE from_airport IN (SELECT airport_code FROM airport_service) ORDER BY 1 DESC LIMIT 1",
        "SELECT fare_id FROM fare ORDER BY one_direction_cost LIMIT 1 OFFSET 1",
        "WITH early AS (SELECT flight_id, airline_code FROM flight WHERE departure_time < 1200) SELECT flight_id FROM early"
        " WHERE airline_code = 'AA'",
        "WITH early(a, b) AS (SELECT flight_id, to_airport FROM flight WHERE departure_time < 1200),"
        " there AS (SELECT a FROM early WHERE b = 'DEN') SELECT a FROM there",
        "SELECT x.flight_id FROM (SELECT flight_id, departure_time + 1 AS late FROM flight WHERE airline_code = 'US') AS x"
        " WHERE x.late > 1000",
        "SELECT x.flight_id, f.fare_id FROM flight_fare f JOIN (SELECT flight_id, from_airport FROM flight, city"
        " WHERE city_name = 'DENVER' AND departure_time < 1000) x ON x.flight_id = f.flight_id WHERE x.from_airport = 'BOS'",
        "SELECT x.airline_code FROM (SELECT airline_code, COUNT(*) AS n FROM flight GROUP BY airline_code) x WHERE x.n > 1",
        "SELECT airline_code FROM flight GROUP BY airline_code HAVING COUNT(*) > 1",
        "SELECT fare.fare_id, flight_fare.flight_id FROM fare LEFT JOIN flight_fare ON flight_fare.fare_id = fare.fare_id"
        " WHERE fare.one_direction_cost < 100",
        "SELECT fare.fare_id FROM fare LEFT JOIN flight_fare ON flight_fare.fare_id = fare.fare_id"
        " WHERE flight_fare.flight_id IS NULL",
    ],
)
def test_the_minimum_lies_within_its_maximum(database: sqlite3.Connection, sql: str) -> None:
    least = database.execute(sql).fetchall()
    most = database.execute(derive(sql, RULES, tables=TABLES)).fetchall()
    database.close()
    assert least
    assert {row[: len(least[0])] for row in most} == set(least)
    assert len(most) == len(set(most))


def test_rules_are_held_against_the_database() -> None:
    assert check_rules(RULES, TABLES) == []
    assert check_rules(MaximumRules({"flight": ("colour",)}), TABLES) == ["flight.colour"]


@pytest.mark.parametrize(
    ("domain", "name", "shapes"),
    [("air_travel", "papers", air_travel.SHAPES), ("personnel", "bbn_1989", personnel.SHAPES)],
)
def test_the_rules_of_the_shipped_domains_fit_their_databases(
    domain: str, name: str, shapes: tuple[Shape, ...]
) -> None:
    principles = load(Path(air_travel.__file__).parents[1] / domain, name)
    tables = {shape.name: [field.name for field in shape.fields] for shape in shapes}
    assert check_rules(principles.maximum, tables) == []
    assert check_rules(MaximumRules(principles.identifiers), tables) == []


@pytest.mark.parametrize(
    ("least", "wanted"),
    [
        ("SELECT MIN(one_direction_cost) FROM fare WHERE fare_id > 1", {(20, 2, 7, "AA", 70), (20, 3, 8, "US", 80)}),
        ("SELECT MAX(one_direction_cost) AS dearest FROM fare", {(90, 4, 8, "US", 80)}),
        ("SELECT MIN(one_direction_cost), MAX(one_direction_cost) FROM fare", {(10, 90)}),
    ],
)
def test_the_least_cost_is_that_of_fares_and_fares_are_for_flights(least: str, wanted: set[tuple[object, ...]]) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE flight (flight_id, airline_code, flight_number)")
        database.executemany("INSERT INTO flight VALUES (?, ?, ?)", [(7, "AA", 70), (8, "US", 80)])
        database.execute("CREATE TABLE fare (fare_id, one_direction_cost)")
        database.executemany("INSERT INTO fare VALUES (?, ?)", [(1, 10), (2, 20), (3, 20), (4, 90)])
        database.execute("CREATE TABLE flight_fare (flight_id, fare_id)")
        database.executemany("INSERT INTO flight_fare VALUES (?, ?)", [(7, 1), (7, 2), (8, 3), (8, 4)])
        assert set(database.execute(derive(least, RULES, tables=TABLES))) == wanted
