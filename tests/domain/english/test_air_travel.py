"""The shipped air-travel domain: requests of our own, held against statements written by hand."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine, text

from domain.database.build import BuiltDatabase
from domain.english.engine import Engine
from tests.domain.english.conftest import SCENARIOS

FROM_TO = """flight.from_airport IN (SELECT airport_code FROM airport_service NATURAL JOIN city WHERE city_name = '{}')
AND flight.to_airport IN (SELECT airport_code FROM airport_service NATURAL JOIN city WHERE city_name = '{}')"""
BOS_DEN = FROM_TO.format("BOSTON", "DENVER")
FLIGHT = "SELECT flight_id FROM flight WHERE "
FARE = "SELECT fare_id FROM fare NATURAL JOIN flight_fare JOIN flight USING (flight_id) WHERE "
ON = "flight.flight_days IN (SELECT days_code FROM days WHERE day_name = '{}')"
FARE_AT = """one_direction_cost = (SELECT MIN(one_direction_cost) FROM fare NATURAL JOIN flight_fare
JOIN flight USING (flight_id) WHERE {}) AND {}"""


@pytest.fixture(scope="module")
def link(air_travel: BuiltDatabase) -> Iterator[Connection]:
    database = create_engine(air_travel.url)
    with database.connect() as opened:
        yield opened
    database.dispose()


@pytest.mark.parametrize(
    ("request_", "reference"),
    [
        ("what flights go from Boston to Denver", FLIGHT + BOS_DEN),
        ("boston to denver please", FLIGHT + BOS_DEN),
        ("how many seats does a 747 have", "SELECT capacity FROM aircraft WHERE aircraft_code = '747'"),
        ("I need to get to Denver from Boston", FLIGHT + BOS_DEN),
        ("flights between boston and denver", FLIGHT + BOS_DEN),
        ("uh flights leaving bostn um for denver", FLIGHT + BOS_DEN),
        ("boston to denver leaving before 9 a.m.", FLIGHT + BOS_DEN + " AND departure_time < 900"),
        ("boston to denver arriving after five in the evening", FLIGHT + BOS_DEN + " AND arrival_time > 1700"),
        ("boston to denver on a monday", FLIGHT + BOS_DEN + " AND " + ON.format("MONDAY")),
        (
            "boston to denver monday morning or friday evening",
            FLIGHT
            + BOS_DEN
            + f" AND (({ON.format('MONDAY')} AND departure_time BETWEEN 0 AND 1200)"
            + f" OR ({ON.format('FRIDAY')} AND departure_time BETWEEN 1800 AND 2200))",
        ),
        ("nonstop flights boston to denver", FLIGHT + BOS_DEN + " AND stops = 0"),
        ("flights from boston to denver that are not nonstop", FLIGHT + BOS_DEN + " AND NOT stops = 0"),
        ("united or delta from boston to denver", FLIGHT + BOS_DEN + " AND airline_code IN ('UA', 'DL')"),
        ("boston to denver but not on united", FLIGHT + BOS_DEN + " AND airline_code <> 'UA'"),
        (
            "boston to denver with a stop in chicago",
            FLIGHT
            + BOS_DEN
            + " AND flight_id IN (SELECT flight_id FROM flight_stop JOIN airport_service ON stop_airport = airport_code"
            + " NATURAL JOIN city WHERE city_name = 'CHICAGO')",
        ),
        ("show me a lockheed 737", FLIGHT + "1 = 0"),
        (
            "dinner flights from boston to denver",
            FLIGHT
            + BOS_DEN
            + " AND meal_code IN (SELECT meal_code FROM food_service WHERE meal_description = 'DINNER')",
        ),
        (
            "the earliest flight from boston to denver",
            FLIGHT + BOS_DEN + f" AND departure_time = (SELECT MIN(departure_time) FROM flight WHERE {BOS_DEN})",
        ),
        (
            "the flight from boston to denver that arrives first",
            FLIGHT + BOS_DEN + f" AND arrival_time = (SELECT MIN(arrival_time) FROM flight WHERE {BOS_DEN})",
        ),
        ("fares from boston to denver", FARE + BOS_DEN),
        ("cheapest fare from boston to denver", FARE + FARE_AT.format(BOS_DEN, BOS_DEN)),
        ("one way fares boston to denver", FARE + BOS_DEN + " AND round_trip_required = 'NO'"),
        ("round trip fares under 500 dollars boston denver", FARE + BOS_DEN + " AND round_trip_cost < 500"),
        (
            "first class fares from boston to denver",
            FARE
            + BOS_DEN
            + " AND fare_basis_code IN (SELECT fare_basis_code FROM fare_basis WHERE class_type = 'FIRST')",
        ),
        (
            "which airlines fly from boston to denver",
            "SELECT DISTINCT airline_code FROM flight WHERE " + BOS_DEN,
        ),
        (
            "how many flights are there from boston to denver",
            "SELECT COUNT(*) FROM flight WHERE " + BOS_DEN,
        ),
        (
            "ground transportation in denver",
            "SELECT transport_type FROM ground_service NATURAL JOIN city WHERE city_name = 'DENVER'",
        ),
        (
            "can I rent a car in denver",
            "SELECT transport_type FROM ground_service NATURAL JOIN city WHERE city_name = 'DENVER'"
            " AND transport_type = 'RENTAL CAR'",
        ),
        ("what does UA mean", "SELECT airline_name FROM airline WHERE airline_code = 'UA'"),
        ("how many people fit on a 747", "SELECT capacity FROM aircraft WHERE aircraft_code = '747'"),
        (
            "airports near st. louis",
            "SELECT airport_code FROM airport_service NATURAL JOIN city WHERE city_name = 'ST. LOUIS'",
        ),
        (
            "flights from dallas to boston or denver",
            FLIGHT + f"({FROM_TO.format('DALLAS', 'BOSTON')}) OR ({FROM_TO.format('DALLAS', 'DENVER')})",
        ),
        (
            "flights from boston or new york to denver",
            FLIGHT + f"({BOS_DEN}) OR ({FROM_TO.format('NEW YORK', 'DENVER')})",
        ),
        (
            "what flights go from dallas to boston or from dallas to baltimore",
            FLIGHT + f"({FROM_TO.format('DALLAS', 'BOSTON')}) OR ({FROM_TO.format('DALLAS', 'BALTIMORE')})",
        ),
        (
            "show me flights between dallas and either oakland or san francisco",
            FLIGHT + f"({FROM_TO.format('DALLAS', 'OAKLAND')}) OR ({FROM_TO.format('DALLAS', 'SAN FRANCISCO')})",
        ),
        (
            "flights from boston to denver on tuesday or wednesday",
            FLIGHT + f"({BOS_DEN}) AND ({ON.format('TUESDAY')} OR {ON.format('WEDNESDAY')})",
        ),
        (
            "flights from boston to denver with delta or united",
            FLIGHT + f"({BOS_DEN}) AND airline_code IN ('DL', 'UA')",
        ),
        (
            "flights from boston to denver before 8 am or after 6 pm",
            FLIGHT + f"({BOS_DEN}) AND (departure_time < 800 OR departure_time > 1800)",
        ),
        (
            "flights from boston to denver leaving before 8 am or arriving after 6 pm",
            FLIGHT + f"({BOS_DEN}) AND (departure_time < 800 OR arrival_time > 1800)",
        ),
        (
            "flights from boston to denver leaving or arriving at noon",
            FLIGHT + f"({BOS_DEN}) AND (departure_time = 1200 OR arrival_time = 1200)",
        ),
        ("flights from boston to denver with more than one stop", FLIGHT + f"{BOS_DEN} AND stops > 1"),
        ("flights on u. a. from boston to denver", FLIGHT + f"{BOS_DEN} AND airline_code = 'UA'"),
        (
            "flights from boston to denver that do not stop and are not on delta",
            FLIGHT + f"{BOS_DEN} AND stops = 0 AND airline_code <> 'DL'",
        ),
        (
            "list the aircraft that carry more than two hundred people",
            "SELECT aircraft_code FROM aircraft WHERE capacity > 200",
        ),
    ],
)
def test_requests_give_the_reference_answer(air: Engine, link: Connection, request_: str, reference: str) -> None:
    readings = air.ask(request_).readings
    assert readings, request_
    given = link.execute(text(readings[0].sql))
    names = list(given.keys())
    wanted = {tuple(row) for row in link.execute(text(reference))}
    rows = given.all()
    assert any({(row[n],) for row in rows} == wanted for n in range(len(names))), readings[0].paraphrase


def test_what_there_is_nothing_about_is_not_answered(air: Engine) -> None:
    for request in (
        "what is the weather in denver like",
        "please recommend a hotel with a swimming pool",
        "who is the pilot",
    ):
        assert air.ask(request).readings == (), request


def test_a_request_without_an_origin_is_asked_back(air: Engine) -> None:
    assert air.ask("flights to denver").clarification == "Where will you be leaving from?"
    assert air.ask("united flight 201").clarification is None


def test_the_return_exchanges_the_ends(air: Engine) -> None:
    said = air.ask("and the return", ["flights from boston to denver on monday morning"]).readings[0].paraphrase
    assert said.endswith("flights to Boston from Denver")
    assert "Monday" not in said


def test_what_is_printed_is_the_default_and_the_annotators_own_sql_has_a_name(air_travel: BuiltDatabase) -> None:
    folder = SCENARIOS / "air_travel"
    said = "flights from boston to denver in the morning"
    default, papers, references = (
        Engine(folder, air_travel.url, principles=name).ask(said).readings[0].sql
        for name in ("", "papers", "references")
    )
    assert default == papers != references


def test_refused_words_refuse_no_other_request(air: Engine) -> None:
    assert air.ask("transportation on the ground in denver").readings[0].paraphrase == "ground transport in Denver"
    for said in ("later flights from boston to denver", "flights from boston to denver on the same airline",
                 "airlines with more flights than delta", "flights from boston to denver two hours before noon",
                 "flights from boston to denver the same day"):  # fmt: skip
        assert air.ask(said).readings == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "list food services for flights flying on 9/4/91 and airline code US and flight number 732",
        "list meals of flights departing on monday and airline code US and flight number 41",  # docs/reference/formats/win.md
    ],
)
def test_the_wizards_sentences_of_1992_are_read_to_the_last_word(air: Engine, sentence: str) -> None:
    best = air.ask(sentence).readings[0]
    assert best.unused == ()
    assert best.minimal_columns == ("meal_description", "meal_number", "compartment")
    number = sentence.rpartition(" ")[2]
    assert f"flight.airline_code = 'US' AND flight.flight_number = {number}" in best.sql


@pytest.mark.parametrize(
    ("request_", "asks"),
    [
        ("ground transportation in denver and its cost", "ground transport or fares"),
        ("cost of ground transportation in denver", "fares or ground transport"),
        ("airports and airlines", "airports or airlines"),
        ("flights and ground transportation in denver", "flights or ground transport"),
    ],
)
def test_what_nothing_in_the_domain_ties_together_is_left_unanswered(air: Engine, request_: str, asks: str) -> None:
    """Keys would lead from ground transport over its airport to the fares of every flight that leaves there."""
    answered = air.ask(request_)
    assert answered.readings == ()
    assert answered.clarification == f"Do you want to know about {asks}?"


@pytest.mark.parametrize("request_", ["flights and fares from boston to denver", "cities and their airports"])
def test_what_the_domain_ties_together_is_answered(air: Engine, request_: str) -> None:
    assert air.ask(request_).readings


@pytest.mark.parametrize(
    ("asked", "column"),
    [
        ("when does flight 100 arrive in denver", "arrival_time"),
        ("when does the flight leaving boston at noon arrive in denver", "arrival_time"),
        ("when do flights arriving in denver leave boston", "departure_time"),
        ("when is the first flight from boston to denver", "departure_time"),
    ],
)
def test_the_verb_says_which_time_is_asked_for(air: Engine, asked: str, column: str) -> None:
    assert air.ask(asked).readings[0].minimal_columns == (column,)


def test_a_change_reaches_into_the_request_inside(air: Engine) -> None:
    context = ["flights from boston to denver", "how much is the cheapest of those"]
    said = air.ask("what about from atlanta", context).readings[0].paraphrase
    assert said.endswith("fares of the flights to Denver from Atlanta, only the cheapest")


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("flights from chicago to milwaukee leaving midway", "flights from Chicago to Milwaukee from MDW"),
        ("flights from chicago to milwaukee on midway", "flights from Chicago to Milwaukee on ML"),
        ("midway flights from chicago to boston", "flights on ML from Chicago to Boston"),
    ],
)
def test_a_name_of_an_airline_and_an_airport_is_what_leads_to_it(air: Engine, request_: str, said: str) -> None:
    assert air.ask(request_).readings[0].paraphrase == said


@pytest.mark.parametrize(
    "request_", ["which airlines have no flights from boston", "airlines without flights from boston"]
)
def test_what_there_is_none_of_is_not_asked_for(air: Engine, link: Connection, request_: str) -> None:
    reference = (
        f"SELECT airline_code FROM airline WHERE airline_code NOT IN (SELECT airline_code FROM flight WHERE {FROM})"
    )
    rows = link.execute(text(air.ask(request_).readings[0].sql)).all()
    assert {row[0] for row in rows} == {*link.execute(text(reference)).scalars()} != set()


def test_only_before_a_name_is_not_passed_over(air: Engine) -> None:
    assert not [r for r in air.ask("cities that only delta serves").readings if r.confidence > 0.6]


FROM = "from_airport IN (SELECT airport_code FROM airport_service NATURAL JOIN city WHERE city_name = 'BOSTON')"
