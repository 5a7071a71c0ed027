"""Conditions on each of several, or on none: the rows of the answer, and the words of the paraphrase."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Engine as Connected
from sqlalchemy import create_engine, text

from domain.database.build import BuiltDatabase
from domain.english.engine import Engine

Found = Callable[..., set[object] | None]


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("authors with books in neither norton nor westbury", {2}),
        ("authors with books in neither norton nor sutton", {3}),
        ("books in neither norton nor sutton", {4}),
        ("books by neither ann lee nor ben oak", {4}),
        ("authors with books only in sutton", {2}),
    ],
)
def test_each_and_neither(library: Engine, library_database: Connected, request_: str, rows: set[object]) -> None:
    readings = library.ask(request_).readings
    with library_database.connect() as link:
        assert {row[0] for row in link.execute(text(readings[0].sql))} == rows


AIRLINES = """SELECT a.airline_code FROM airline a WHERE NOT EXISTS (
  SELECT 1 FROM city c JOIN state s ON s.state_code = c.state_code WHERE s.state_name = 'TEXAS' AND NOT EXISTS (
    SELECT 1 FROM flight f JOIN airport_service v ON v.airport_code = f.to_airport
    WHERE f.airline_code = a.airline_code AND v.city_code = c.city_code))"""
NEITHER = """SELECT a.airline_code FROM airline a WHERE a.airline_code NOT IN (
  SELECT f.airline_code FROM flight f JOIN airport_service v ON v.airport_code IN (f.from_airport, f.to_airport)
  JOIN city c ON c.city_code = v.city_code WHERE c.city_name IN ('BOSTON', 'DENVER'))"""


def test_division_gives_those_of_which_none_is_missing(air: Engine, air_travel: BuiltDatabase) -> None:
    reading = air.ask("airlines that fly to all cities in texas").readings[0]
    assert reading.paraphrase == "airlines with flights to every one of the cities Texas"
    assert _first(air_travel, reading.sql) == _first(air_travel, AIRLINES) != set()
    on_sunday = air.ask("airlines that fly to all cities in texas on sunday").readings[0]
    assert on_sunday.paraphrase == "airlines with flights to every one of the cities Texas on Sunday"


def test_neither_is_said_of_both(air: Engine, air_travel: BuiltDatabase) -> None:
    reading = air.ask("airlines that serve neither boston nor denver").readings[0]
    assert reading.paraphrase == "airlines without flights to or from Boston without flights to or from Denver"
    assert _first(air_travel, reading.sql) == _first(air_travel, NEITHER) != set()


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("departments with no women over fifty", "departments without employees aged over 50 female"),
        ("departments with women over fifty", "departments aged over 50 female"),
        (
            "departments with only engineers over forty",
            "departments with employees, all of them aged over 40 who are engineers",
        ),
        (
            "who works in neither materials nor acoustics",
            "employees not in department Materials not in department Acoustics",
        ),
    ],
)
def test_a_sort_of_people_leads_what_follows(personnel: Engine, request_: str, said: str) -> None:
    assert personnel.ask(request_).readings[0].paraphrase == said


def test_all_of_another_sort_is_not_understood(personnel: Engine) -> None:
    answered = personnel.ask("schools that all clerks attended")
    assert answered.readings == ()
    assert answered.unused == ("all clerks",)


def _first(database: BuiltDatabase, sql: str) -> set[Any]:
    connected = create_engine(database.url)
    try:
        with connected.connect() as link:
            return {row[0] for row in link.execute(text(sql))}
    finally:
        connected.dispose()
