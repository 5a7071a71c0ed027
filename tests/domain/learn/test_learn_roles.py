"""What `curtain learn` makes of two references to one table, of names with signs, of amounts, and of what is wanting."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.commands.check_domain import check_command
from domain.english.engine import Engine
from tests.domain.learnt import answer, learnt

LETTERS = """
CREATE TABLE person (person_id INTEGER PRIMARY KEY, full_name TEXT, sex TEXT, born INTEGER, email TEXT);
CREATE TABLE letter (letter_id INTEGER PRIMARY KEY, sender_id INTEGER REFERENCES person, recipient_id INTEGER REFERENCES person,
    written_on TEXT, language TEXT, seal TEXT, postage_paid TEXT);
INSERT INTO person VALUES (1, 'Ann Lee', 'f', 1790, 'a@b.c'), (2, 'Bob Hay', 'm', 1801, NULL),
    (3, 'Cleo Dix', 'f', 1820, 'c@d.e');
INSERT INTO letter VALUES (1, 1, 2, '1830-01-02', 'Latin', 'none', 'yes'), (2, 2, 3, NULL, 'Latin', 'wax', 'no'),
    (3, 3, 2, '1841-07-01', 'Dutch', 'wax', 'yes'), (4, 1, 3, '1842-05-01', 'Dutch', 'none', 'no');
"""
TRIPS = """
CREATE TABLE station (station_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE bike (bike_id INTEGER PRIMARY KEY, model TEXT, home_station_id INTEGER REFERENCES station);
CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, bike_id INTEGER REFERENCES bike, from_station_id INTEGER REFERENCES station,
    to_station_id INTEGER REFERENCES station, started_at TEXT);
INSERT INTO station VALUES (1, 'Town Hall'), (2, 'Quay');
INSERT INTO bike VALUES (1, 'Swift', 1), (2, 'Dart', 1);
INSERT INTO trip VALUES (1, 1, 1, 2, '2024-01-01 08:00'), (2, 2, 2, 1, '2024-01-02 09:00'), (3, 1, 2, 2, '2024-01-03 09:00');
"""
SIGNS = """
CREATE TABLE "Team List" ("TmCd" TEXT PRIMARY KEY, "Team Name" TEXT);
CREATE TABLE "Sponsors&Deals" ("Sponsor Nm" TEXT, "TmCd" TEXT REFERENCES "Team List", "Amt €" INTEGER);
INSERT INTO "Team List" VALUES ('AAA', 'Alpine'), ('BBB', 'Baltic');
INSERT INTO "Sponsors&Deals" VALUES ('Acme', 'AAA', 500), ('Bolt', 'AAA', 700), ('Acme', 'BBB', 900);
"""


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    return learnt(tmp_path_factory.mktemp("letters"), LETTERS)


@pytest.fixture(scope="module")
def trips(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    return learnt(tmp_path_factory.mktemp("trips"), TRIPS)


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("letters from Ann Lee to Bob Hay", {1}),
        ("letters that Bob Hay received", {1, 3}),
        ("letters sent to Cleo Dix", {2, 4}),
        ("how many letters did Ann Lee write", {2}),
        ("who received letters from Ann Lee", {"Bob Hay", "Cleo Dix"}),
        ("letters written in Latin", {1, 2}),
        ("letters with no date on them", {2}),
        ("letters without a seal", {1, 4}),
        ("letters for which they paid the postage", {1, 3}),
        ("women born before 1800", {1}),
        ("people with no email address on file", {2}),
        ("how many letters are there in the archive", {4}),
    ],
)
def test_each_part_is_told_from_the_other(letters: tuple[Path, Engine], request_: str, rows: set[object]) -> None:
    assert {row[0] for row in answer(letters, request_, 1)} == rows


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("trips started at the Quay", {2, 3}),
        ("trips from the Town Hall to the Quay", {1}),
        ("bikes at the Town Hall", {1, 2}),
    ],
)
def test_a_trip_has_no_station_but_its_own_two(trips: tuple[Path, Engine], request_: str, rows: set[object]) -> None:
    assert {row[0] for row in answer(trips, request_, 1)} == rows


def test_a_place_that_may_be_either_is_none_of_something_else(trips: tuple[Path, Engine]) -> None:
    readings = trips[1].ask("trips of the Town Hall").readings
    assert not [reading for reading in readings if "home" in reading.paraphrase]


def test_a_domain_of_names_with_signs_is_checked_without_a_fault(tmp_path: Path) -> None:
    made = learnt(tmp_path, SIGNS)
    out, err = io.StringIO(), io.StringIO()
    assert check_command(str(tmp_path / "domain"), [], f"sqlite:///{made[0]}", "", out, err) == 0, err.getvalue()
    assert ": error: " not in out.getvalue() + err.getvalue()
    text = (tmp_path / "domain" / "domain.toml").read_text()
    (tmp_path / "domain" / "domain.toml").write_text(text.replace('"Team List.Team Name"', '"Team List.Team Nme"', 1))
    assert check_command(str(tmp_path / "domain"), [], f"sqlite:///{made[0]}", "", out, err) == 1
    assert (
        "the database has no column Team List.Team Nme; write a column of Team List" in out.getvalue() + err.getvalue()
    )


def test_an_amount_is_no_key_though_no_two_are_alike(tmp_path: Path) -> None:
    file, engine = learnt(tmp_path, SIGNS)
    reading = engine.ask("sponsors of Alpine").readings[0]
    with closing(sqlite3.connect(file)) as link:
        assert {row[0] for row in link.execute(reading.sql)} & {"Acme", "Bolt"}
    assert len(reading.minimal_columns) > 1


def test_whose_thing_it_is_is_no_thing_of_that_name(trips: tuple[Path, Engine]) -> None:
    answered = trips[1].ask("whose station is the Quay")
    assert (answered.readings, answered.unused) == ((), ("whose",))
