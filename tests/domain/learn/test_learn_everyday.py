"""Everyday words over a database without keys: who lent what, what nobody did, what it is worth, where people come from."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from io import StringIO

import pytest

from benchmarks.english import Runner, judge
from domain.english.engine import Engine
from domain.learn.countries import countries_called
from domain.learn.learn import learn_command

TABLES = """
CREATE TABLE painters (name TEXT, born INTEGER, nationality TEXT);
INSERT INTO painters VALUES ('Edda Lund', 1861, 'Norwegian'), ('Jean Colle', 1902, 'French'), ('Ada Byrne', 1935, 'Irish'),
  ('Rolf Stark', 1899, 'Austrian');
CREATE TABLE works (inventory TEXT, title TEXT, painter TEXT, insured_value INTEGER, room_seats INTEGER);
INSERT INTO works VALUES ('W1', 'The Quay', 'Edda Lund', 900000, 4), ('W2', 'Frost', 'Edda Lund', 200000, 6),
  ('W3', 'Two Boats', 'Jean Colle', 700000, 0), ('W4', 'Harvest', 'Ada Byrne', 40000, 2), ('W5', 'Dusk', NULL, 1000, 3),
  ('W6', 'Mill', 'Rolf Stark', 30000, 1);
CREATE TABLE loans (loan_no INTEGER, inventory TEXT, borrower TEXT, loan_date TEXT, fee INTEGER);
INSERT INTO loans VALUES (1, 'W1', 'Stadthaus', '2025-03-02', 500), (2, 'W1', 'Kunsthalle', '2025-05-04', 700),
  (3, 'W3', 'Casa Blu', '2024-02-01', 100), (4, 'W4', 'Moor House', '2025-05-06', 50);
CREATE TABLE institutions (institution TEXT, town TEXT, country TEXT, contact TEXT);
INSERT INTO institutions VALUES ('Stadthaus', 'Linz', 'Austria', 'Ms Egger'), ('Kunsthalle', 'Graz', 'Austria', 'Mr Ott'),
  ('Casa Blu', 'Pisa', 'Italy', 'Ms Rossi'), ('Moor House', 'York', 'England', 'Mr Ames'), ('Villa Nord', 'Oslo', 'Norway', NULL);
"""
REQUESTS = [
    ("works nobody has borrowed", "SELECT inventory FROM works WHERE inventory NOT IN (SELECT inventory FROM loans)"),
    (
        "which works have never been lent",
        "SELECT inventory FROM works WHERE inventory NOT IN (SELECT inventory FROM loans)",
    ),
    ("works with no known painter", "SELECT inventory FROM works WHERE painter IS NULL"),
    ("works insured for more than half a million", "SELECT inventory FROM works WHERE insured_value > 500000"),
    ("works by norwegian painters", "SELECT inventory FROM works WHERE painter = 'Edda Lund'"),
    ("painters from ireland", "SELECT name FROM painters WHERE nationality = 'Irish'"),
    ("painters born before nineteen hundred", "SELECT name FROM painters WHERE born < 1900"),
    ("loans to austrian institutions", "SELECT loan_no FROM loans WHERE borrower IN ('Stadthaus', 'Kunsthalle')"),
    (
        "institutions that never borrowed anything",
        "SELECT institution FROM institutions WHERE institution = 'Villa Nord'",
    ),
    ("what has ada byrne painted", "SELECT inventory FROM works WHERE painter = 'Ada Byrne'"),
    ("how often was the quay lent", "SELECT 2"),
    ("loans last month", "SELECT loan_no FROM loans WHERE loan_date >= '2025-05-01'"),
]


@pytest.fixture(scope="module")
def museum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, Runner]]:
    folder = tmp_path_factory.mktemp("museum")
    with closing(sqlite3.connect(folder / "museum.sqlite")) as link:
        link.executescript(TABLES)
    url = f"sqlite:///{folder / 'museum.sqlite'}"
    assert learn_command(url, str(folder / "learnt"), StringIO(), StringIO()) == 0
    runner = Runner(str(folder / "museum.sqlite"), None)
    yield Engine(folder / "learnt", url, date(2025, 6, 1)), runner
    runner.close()


@pytest.mark.parametrize(("request_", "sql"), REQUESTS)
def test_everyday_words(museum: tuple[Engine, Runner], request_: str, sql: str) -> None:
    engine, runner = museum
    readings = engine.ask(request_).readings
    assert readings, request_
    assert judge(runner, [sql], readings[0].sql) == "right", readings[0].sql


def test_countries_are_told_by_most_of_the_values() -> None:
    assert countries_called(["DEN", "NOR", "GBR"])["danes"] == "DEN"
    assert countries_called(["Ireland", "Wales", "Atlantis"])["irish"] == "Ireland"
    assert countries_called(["Turkey", "chicken", "beef", "pork"]) == {}
