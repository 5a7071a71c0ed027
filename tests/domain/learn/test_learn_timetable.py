"""What `curtain learn` makes of times, durations, two references to one table, and days that are none."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.english.engine import Engine
from domain.english.model.domain import load_domain
from domain.learn.learn import learn_command
from domain.learn.schema_wording import direction, unit_of, without_unit
from domain.sandbox.sandbox import Sandbox

FERRIES = """
CREATE TABLE port (port_id INTEGER PRIMARY KEY, port_name TEXT);
CREATE TABLE ship (ship_id INTEGER PRIMARY KEY, name TEXT, length_m REAL, built INTEGER);
CREATE TABLE crossing (crossing_id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ship,
    from_port INTEGER REFERENCES port(port_id), to_port INTEGER REFERENCES port(port_id), weekday TEXT,
    departs TEXT, arrives TEXT, duration_min INTEGER, ticket_price REAL);
CREATE TABLE kiosk (kiosk_id INTEGER PRIMARY KEY, kiosk_name TEXT, opens TIME, checked DATETIME, renovated DATE);
INSERT INTO port VALUES (1, 'Dover'), (2, 'Calais'), (3, 'Hull');
INSERT INTO ship VALUES (1, 'Aurora', 110.5, 1990), (2, 'Corona', 150, 2004);
INSERT INTO crossing VALUES
    (1, 1, 1, 2, 'Monday', '08:15', '09:45', 90, 40), (2, 1, 2, 1, 'Monday', '17:30', '19:30', 120, 50),
    (3, 2, 1, 2, 'Friday', '09:00', '11:30', 150, 60), (4, 2, 3, 1, 'Friday', '21:00', '21:50', 50, 30);
INSERT INTO kiosk VALUES (1, 'Alpha', '09:00', '2024-05-06 10:30', '03/04/2025'),
    (2, 'Beta', '10:15', '2024-05-07 11:30', 'soon');
"""
REQUESTS = [
    ("crossings to Calais", {1, 3}),
    ("crossings from Calais", {2}),
    ("crossings from Dover to Calais", {1, 3}),
    ("crossings leaving before 9 a.m.", {1}),
    ("crossings that depart at 9 am", {3}),
    ("crossings from Dover arriving after ten thirty am", {3}),
    ("crossings leaving in the evening", {4}),
    ("crossings longer than an hour and a half", {2, 3}),
    ("crossings of less than 90 minutes", {4}),
    ("crossings that take between one and two hours", {1, 2}),
    ("ships longer than 120 meters", {2}),
    ("how long is the Aurora", {110.5}),
    ("how long does the crossing from Hull to Dover take", {50}),
    ("how much does the crossing from Hull to Dover cost", {30}),
    ("when does Beta open", {"10:15"}),
    ("kiosks that open before 10 am", {1}),
    ("kiosks checked on may 7 2024", {"2024-05-07 11:30"}),
    ("ships built in 1990", {1}),
]
NO_ANSWER = [
    "crossings at 9 am",  # leaving or arriving
    "morning crossings from Dover",
    "crossings between 8 and 10 in the morning",
    "the last crossing from Dover on Monday",
    "crossings longer than a while",
    "how old is the Aurora",
    "how long is Dover",
    "Dover crossings",  # from there or to there
]


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("ferries")
    with closing(sqlite3.connect(folder / "ferries.sqlite")) as link:
        link.executescript(FERRIES)
    url = f"sqlite:///{folder / 'ferries.sqlite'}"
    out, err = io.StringIO(), io.StringIO()
    assert learn_command(url, str(folder / "ferries"), out, err) == 0
    assert "guessed: morning is from 0000 to 1200" in out.getvalue()
    return url, folder / "ferries"


@pytest.fixture(scope="module")
def engine(ferries: tuple[str, Path]) -> Engine:
    return Engine(ferries[1], ferries[0])


def test_what_is_answered_is_right(ferries: tuple[str, Path], engine: Engine) -> None:
    sandbox = Sandbox(ferries[0])
    for request, wanted in REQUESTS:
        readings = engine.ask(request).readings
        assert readings, request
        assert {row[0] for row in sandbox.run(readings[0].sql).rows} == wanted, request
    sandbox.close()


@pytest.mark.parametrize("request_", NO_ANSWER)
def test_what_is_open_or_unknown_has_no_answer(engine: Engine, request_: str) -> None:
    assert engine.ask(request_).readings == ()


def test_the_same_database_is_learnt_the_same_again(ferries: tuple[str, Path], tmp_path: Path) -> None:
    learn_command(ferries[0], str(tmp_path / "ferries"), io.StringIO(), io.StringIO())
    assert load_domain(tmp_path / "ferries") == load_domain(ferries[1])


def test_names_of_columns_tell_units_and_directions() -> None:
    found = unit_of("durationMin")
    assert found is not None
    assert (found[0], found[1]["hours"], found[1]["minute"]) == ("in_minutes", 60, 1)
    assert unit_of("min_price") is None
    assert without_unit("length_km") == "length"
    assert without_unit("minutes") == "minutes"
    assert direction("to port")[0] == "to"
    assert direction("town") == ()
