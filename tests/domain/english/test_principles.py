"""What the shipped principles decide is what the English front end answers, rule by rule."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.database.build import BuiltDatabase
from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from domain.principles import load
from tests.domain.english.principle_cases import SCENARIOS, SETS, cases, decided, statement

UNHEARD = {"identified days"}
"""Nobody asks for a list of days: weekdays are asked for only by the meaning of a code."""


@pytest.mark.parametrize(("domain", "name"), SETS)
def test_every_rule_and_setting_has_a_request_that_it_decides(domain: str, name: str) -> None:
    assert set(cases(domain, name)) == set(decided(load(SCENARIOS / domain, name))) - UNHEARD


@pytest.mark.parametrize(("domain", "name"), SETS)
def test_the_front_end_answers_as_the_principles_are_printed(
    domain: str, name: str, air_travel: BuiltDatabase, personnel_database: BuiltDatabase
) -> None:
    database = {"air_travel": air_travel, "personnel": personnel_database}[domain]
    engine = Engine(SCENARIOS / domain, database.url, principles=name)
    rules = decided(load(SCENARIOS / domain, name))
    file = database.url.removeprefix("sqlite:///")
    faults = {}
    with closing(sqlite3.connect(file)) as link:
        for key, case in cases(domain, name).items():
            answered = engine.ask(case.request)
            best = next((reading for reading in answered.readings[:1] if not reading.unused), None)
            if best is None:
                faults[key] = f"not understood: {answered.unused}"
                continue
            found = set(link.execute(f"SELECT {', '.join(best.minimal_columns)} FROM ({best.sql})"))
            if not found or found != set(link.execute(statement(case, rules[key]))):
                faults[key] = f"{len(found)} rows: {best.paraphrase}"
    assert faults == {}


def test_a_reading_cites_what_it_rests_on(air: Engine) -> None:
    cited = air.ask("cheapest one way fare from boston to denver in the evening").readings[0].principles
    assert {"2.3.1", "2.3.3", "2.3.8", "2.4.4.evening"} <= set(cited)


def test_a_set_that_is_not_there_is_told(air_travel: BuiltDatabase) -> None:
    with pytest.raises(DomainError, match="known: papers, references"):
        Engine(Path(SCENARIOS / "air_travel"), air_travel.url, principles="mine")


@pytest.mark.parametrize(
    ("request_", "minimal"),
    [
        ("what meals are served on flights from boston to denver", ("meal_description", "meal_number", "compartment")),
        ("what are the stops of the flights from memphis", ("stop_airport",)),
        ("how many stops do the flights from memphis make", ("stops",)),
        ("ground transportation in denver", ("city_code", "airport_code", "transport_type")),
        ("what states are there", ("state_code",)),
        ("list the time zones", ("time_zone_code",)),
        ("list the intermediate stops", ("flight_id", "stop_number")),
        ("dual carriers", ("main_airline", "low_flight_number", "high_flight_number", "dual_airline")),
    ],
)
def test_a_list_is_answered_by_what_identifies(air: Engine, request_: str, minimal: tuple[str, ...]) -> None:
    assert air.ask(request_).readings[0].minimal_columns == minimal


_MEMPHIS = "from_airport IN (SELECT airport_code FROM airport_service NATURAL JOIN city WHERE city_name = 'MEMPHIS')"
_FLOWN_BY = (
    "aircraft_code_sequence IN (SELECT aircraft_code_sequence FROM equipment_sequence NATURAL JOIN aircraft WHERE"
)


@pytest.mark.parametrize(
    ("request_", "sql"),
    [
        ("flights between memphis and denver", f"{_MEMPHIS} AND to_airport = 'DEN'"),
        ("flights from memphis on a boeing 737", f"{_MEMPHIS} AND {_FLOWN_BY} manufacturer = 'BOEING' AND basic_type = '737')"),
        ("flights from memphis on a 73S", f"{_MEMPHIS} AND {_FLOWN_BY} aircraft_code = '73S')"),
    ],
)  # fmt: skip
def test_a_principle_without_a_rule_is_followed(
    air: Engine, air_travel: BuiltDatabase, request_: str, sql: str
) -> None:
    """Principles 2.2.1 and 2.15."""
    (reading,) = air.ask(request_).readings
    with closing(sqlite3.connect(air_travel.url.removeprefix("sqlite:///"))) as link:
        found = set(link.execute(f"SELECT {', '.join(reading.minimal_columns)} FROM ({reading.sql})"))
        assert found
        assert found == set(link.execute(f"SELECT flight_id FROM flight WHERE {sql}"))
    assert reading.unused == ()


def test_what_must_be_calculated_is_not_read_and_fares_are_those_of_flights(air: Engine) -> None:
    """Principles 2.16 and 2.3.8."""
    assert air.ask("what is the average fare from memphis").readings == ()
    (fares,) = air.ask("fares from memphis").readings
    assert fares.minimal_columns == ("fare_id",)
    assert "flight.flight_id AS flight_id" in fares.sql
