"""Paraphrase and statement say the same, over the requests that ship; and whoever looks for differences finds them."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path

import msgspec
import pytest

import scenarios
from benchmarks.understanding.one_meaning import DomainNames, checked
from domain.database.build import BuiltDatabase
from domain.english.engine import Engine
from domain.learn.learn import learn_command
from tests.domain.clinic.database import build as build_clinic
from tests.domain.personnel_requests import REQUESTS
from tests.domain.strangers.databases import build as build_stranger

SCENARIOS, DOMAINS = Path(scenarios.__file__).parent, Path(__file__).parents[1]
LEARNT: dict[str, tuple[Callable[[Path], object], str]] = {
    "clinic": (build_clinic, "clinic/requests.jsonl"),
    "lending": (partial(build_stranger, "lending"), "strangers/lending_open.jsonl"),
    "maintenance": (partial(build_stranger, "maintenance"), "strangers/maintenance_open.jsonl"),
}
TIMES = (
    "flights from boston to denver after 5",
    "flights from boston to denver at five",
    "flights from boston to denver around 7 p.m. on may 3rd",
    "flights from boston to denver between 8 and 10 not on delta",
    "flights arriving in boston before noon on august fourth on united or american",
    "flights from boston to denver on monday evening or tuesday morning",
    "how many airlines have more than 100 flights",
    "the cheapest one way fare from boston to denver under $300",
    "flights from dallas to atlanta arriving in atlanta on tuesday morning",
    "the latest flight from denver that arrives in pittsburgh on monday",
)
AGES = (
    "employees over fifty",
    "clerks younger than 30",
    "women aged between 30 and 40",
    "employees at least 60 years old",
    "who is older than sixty and earns over 50000",
)


def untrue(engine: Engine, requests: Iterator[str] | list[str] | tuple[str, ...]) -> list[tuple[str, str, list[str]]]:
    return [(said, reading.paraphrase, found) for said, reading, found in checked(engine, [*requests])]


@pytest.mark.parametrize("principles", ["references", "papers"])
def test_air_travel_says_what_it_asks(air_travel: BuiltDatabase, principles: str) -> None:
    engine = Engine(SCENARIOS / "air_travel", air_travel.url, principles=principles)
    lines = (SCENARIOS / "air_travel/requests.txt").read_text().splitlines()
    assert untrue(engine, [*lines, *TIMES]) == []


def test_personnel_says_what_it_asks(personnel: Engine) -> None:
    lines = (SCENARIOS / "personnel/requests.txt").read_text().splitlines()
    assert untrue(personnel, [*lines, *AGES, *(said for said, _ in REQUESTS)]) == []


@pytest.mark.parametrize("name", LEARNT)
def test_what_is_learnt_says_what_it_asks(tmp_path: Path, name: str) -> None:
    build, file = LEARNT[name]
    build(tmp_path / "rows.sqlite")
    url = f"sqlite:///{tmp_path}/rows.sqlite"
    with (tmp_path / "told").open("w") as told:
        assert learn_command(url, str(tmp_path / "learnt"), told, told) == 0
    lines = (DOMAINS / file).read_text().splitlines()
    engine = Engine(tmp_path / "learnt", url, date(2025, 6, 1))
    assert untrue(engine, (json.loads(line)["question"] for line in lines)) == []


@pytest.mark.parametrize(
    ("said", "sql", "paraphrase", "differences"),
    [
        ("flights from boston after 5 p.m.", ("> 1700", "> 500"), ("", ""), ["'500' is in the SQL alone", "1700 is"]),
        ("flights from boston after 5 p.m.", ("", ""), ("5 p.m.", "5 a.m."), ["'1700' is in the SQL alone", "500 is"]),
        (
            "flights from boston to denver",
            ("'DENVER'", "'DALLAS'"),
            ("", ""),
            ["'dallas' is in the SQL alone", "Denver"],
        ),
        ("flights from boston to denver", ("", ""), (" to Denver", ""), ["'denver' is in the SQL alone"]),
        ("arriving in boston on monday", ("'SUNDAY'", "'FRIDAY'"), ("", ""), ["'friday' is in the SQL alone"]),
        ("flights from boston on monday", ("'MONDAY'", "'SUNDAY'"), ("", ""), ["'sunday' is", "monday is in the par"]),
        ("flights from boston not on delta", ("", ""), ("not ", ""), ["the SQL alone denies"]),
        ("flights from boston on may 3", ("day_number = 3", "day_number = 4"), ("", ""), ["'4' is in the SQL", "3 is"]),
        ("the cheapest flight from boston", ("", ""), (", only the cheapest", ""), ["the SQL alone picks"]),
        ("how many flights from boston", ("", ""), ("number of ", ""), ["the SQL alone counts"]),
        (
            "cities served by both united and delta",
            (">= 1", ">= 2"),
            ("", ""),
            ["'2' is", "'2' is", "the SQL alone counts"],
        ),
        (
            "cities served by both united and delta",
            ("'DL'", "'AA'"),
            ("", ""),
            ["'aa' is in the SQL", "DL is in the par"],
        ),
        (
            "the three earliest flights from boston",
            ("LIMIT 3", "LIMIT 4"),
            ("", ""),
            ["'4' is in the SQL", "3 is in the"],
        ),
        (
            "the three earliest flights from boston",
            ("OFFSET 0", "OFFSET 1"),
            ("", ""),
            ["the SQL alone begins with row 2"],
        ),
        ("the three earliest flights from boston", ("ranked\n", "ranked DESC\n"), ("", ""), ["the SQL picks the max"]),
        ("the cheapest flight from boston", ("min(", "max("), ("", ""), ["the SQL picks the max"]),
        (
            "the cheapest flight from boston",
            ("one_direction", "round_trip"),
            ("", ""),
            ["the SQL alone picks by fare.round"],
        ),
        (
            "flights from boston next week",
            ("", ""),
            ("month)", "month) on Monday"),
            ["monday is in the paraphrase alone"],
        ),
        ("flights from boston to denver", ("", ""), ("from", "to"), ["'BOSTON' is from {}"]),
        (
            "flights from boston to denver",
            ("flight.to_", "flight.from_"),
            ("", ""),
            ["'DENVER' is from {}"],
        ),
        ("flights from boston before 9 a.m.", ("< 900", "> 900"), ("", ""), ["900 is at least in the SQL"]),
        (
            "flights from boston before 9 a.m.",
            ("departure_time <", "arrival_time <"),
            ("", ""),
            ["'900' is arriving {}"],
        ),
        (
            "morning flights from boston",
            ("", ""),
            ("morning", "afternoon"),
            ["'0' is in the SQL", "afternoon is", "1200 is"],
        ),
        (
            "nonstop flights from boston",
            ("flight.stops = 0", "flight.flight_id > 0"),
            ("", ""),
            ["nonstop is in the paraphrase alone"],
        ),
        (
            "round trip fares from boston",
            ("fare.round_trip_cost IS", "flight.stops IS"),
            ("", ""),
            ["round trip is in the"],
        ),
    ],
)
def test_a_difference_is_found(
    air: Engine, said: str, sql: tuple[str, str], paraphrase: tuple[str, str], differences: list[str]
) -> None:
    reading = air.ask(said).readings[0]
    assert DomainNames(air).differences(reading) == []
    told, asked = reading.paraphrase.replace(*paraphrase), reading.sql.replace(*sql)
    found = DomainNames(air).differences(msgspec.structs.replace(reading, paraphrase=told, sql=asked))
    assert len(found) == len(differences), found
    assert all(one.startswith(begin) for one, begin in zip(found, differences, strict=True))


def test_the_ends_of_a_route_exchanged_are_found(air: Engine) -> None:
    names, exchanged, missed = DomainNames(air), 0, []
    lines = (SCENARIOS / "air_travel/requests.txt").read_text().splitlines()
    for reading in (reading for line in lines for reading in air.ask(line).readings[:1]):
        start, where, conditions = reading.sql.partition("WHERE")
        other = re.sub(
            r"\b(from|to)_airport IN", lambda end: f"{'to' if end[1] == 'from' else 'from'}_airport IN", conditions
        )
        if other != conditions and "to or from" not in reading.paraphrase:
            exchanged += 1
            if not names.differences(msgspec.structs.replace(reading, sql=start + where + other)):
                missed.append(reading.paraphrase)
    assert (exchanged, missed) == (20, ["flights to Boston not from Boston"])  # which means the same
