"""What `curtain learn` makes of several days in a table, of what is not done yet, of sorts, units and views."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from domain.english.engine import Engine
from domain.english.model.reflection import read_tables
from domain.english.sql.join_planner import JoinPlanner
from domain.learn.schema_wording import bare_participle, bare_verbs, is_noun, is_participle
from tests.domain.learnt import answer, learnt

REPAIRS = """
CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, name TEXT, opened DATE, opens_at TEXT);
CREATE TABLE bike (bike_id INTEGER PRIMARY KEY, name TEXT, frame_m REAL, floor_m2 INTEGER);
CREATE TABLE job (job_id INTEGER PRIMARY KEY, bike_id INTEGER REFERENCES bike, shop_id INTEGER REFERENCES shop,
    job_date DATE, due_on DATE, finished_on DATE, kind TEXT, price NUMERIC, paid TEXT);
CREATE VIEW open_job AS SELECT job_id, bike_id, kind, due_on FROM job WHERE finished_on IS NULL;
CREATE VIEW broken AS SELECT gone FROM nowhere;
INSERT INTO shop VALUES (1, 'Spokes', '1999-05-01', '08:30'), (2, 'Chain Gang', '2011-02-03', '10:00');
INSERT INTO bike VALUES (1, 'Comet', 1.5, 1), (2, 'Arrow', 1.2, 3);
INSERT INTO job VALUES (1, 1, 1, '2024-03-01', '2024-03-05', '2024-03-04', 'repair', 40, 'Y'),
    (2, 2, 1, '2024-04-02', '2024-04-08', NULL, 'repair', 90, 'N'),
    (3, 1, 2, '2025-01-10', '2025-01-12', '2025-02-01', 'inspection', 20, 'N'),
    (4, 2, 2, '2025-01-11', '2025-02-20', NULL, 'inspection', 60, 'Y'),
    (5, 2, 2, '2025-05-11', '2025-05-20', NULL, 'repair', 30, 'Y');
"""
REQUESTS = [
    ("jobs due before april 2024", {1}),
    ("jobs finished in 2025", {3}),
    ("how many jobs were there in 2025", {3}),
    ("jobs that are finished", {1, 3}),
    ("which jobs have not been finished", {2, 4, 5}),
    ("unfinished jobs", {2, 4, 5}),
    ("unpaid jobs", {2, 3}),
    ("repairs that cost more than 35 dollars", {1, 2}),
    ("how many inspections were there", {2}),
    ("inspections of the Comet", {3}),
    ("show me the open jobs", {2, 4, 5}),
    ("how many open jobs are there", {3}),
    ("open jobs of the Arrow", {2, 4, 5}),
    ("open jobs due before 2025", {2}),
    ("which bikes have had an inspection", {1, 2}),
    ("bikes larger than 2 square metres", {2}),
    ("when did Spokes open", {"1999-05-01"}),
    ("when does Spokes open", {"08:30"}),
    ("jobs due in april 2024", {2}),
    ("jobs due between march 2024 and april 2024", {1, 2}),
    ("jobs since 2025", {3, 4, 5}),
    ("jobs from 2024", {1, 2}),
    ("jobs 1 and 2", {1, 2}),
    ("when is job 1 due", {"2024-03-05"}),
    ("what does job 2 cost", {90}),
    ("how much did job number 3 cost", {20}),
    ("which bike is job 3 for", {1}),
]


@pytest.fixture(scope="module")
def repairs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    return learnt(tmp_path_factory.mktemp("repairs"), REPAIRS)


@pytest.mark.parametrize(("request_", "wanted"), REQUESTS)
def test_what_is_answered_is_right(repairs: tuple[Path, Engine], request_: str, wanted: set[object]) -> None:
    file, engine = repairs
    readings = engine.ask(request_).readings
    assert readings
    with closing(sqlite3.connect(file)) as link:
        assert {row[0] for row in link.execute(readings[0].sql)} == wanted


@pytest.mark.parametrize("request_", ["open bikes", "how many jobs are due", "which jobs are still due"])
def test_a_word_that_fits_nothing_asked_for_is_not_passed_over(repairs: tuple[Path, Engine], request_: str) -> None:
    assert not [r for r in repairs[1].ask(request_).readings if not r.unused and not r.meaning.conditions]


def test_no_way_from_table_to_table_leads_through_a_view(repairs: tuple[Path, Engine]) -> None:
    file, engine = repairs
    database = create_engine(f"sqlite:///{file}")
    schema = read_tables(database)
    database.dispose()
    assert "broken" not in schema.tables
    planner = JoinPlanner(engine.model, schema)
    assert [step.right for step in planner.connect("bike", ["shop"])] == ["job.bike_id", "shop.shop_id"]
    assert planner.connected("bike", "open_job")


def test_names_of_days_tell_what_was_done() -> None:
    assert bare_participle("returned_on") == "returned"
    assert bare_participle("dueDate") == "due"
    assert bare_participle("date") == "date"
    assert bare_verbs("closed_at") == ["clos", "close"]
    assert bare_verbs("due_on") == []
    assert is_participle("finished")
    assert not is_participle("due")
    assert is_noun("repair")
    assert not is_noun("damaged")


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        ("how many jobs are there for each kind", {("repair", 3), ("inspection", 2)}),
        ("how many paid jobs are there for each kind", {("repair", 2), ("inspection", 1)}),
        ("number of jobs per shop", {(1, 2), (2, 3)}),
        ("average price of jobs per bike", {(1, 30), (2, 60)}),
        ("highest price of jobs in each shop", {(1, 90), (2, 60)}),
        ("jobs from 20 to 40 dollars", {(1,), (3,), (5,)}),
        ("jobs with their prices", {(1, 40), (2, 90), (3, 20), (4, 60), (5, 30)}),
    ],
)
def test_what_stands_beside_what(repairs: tuple[Path, Engine], request_: str, wanted: set[tuple[object, ...]]) -> None:
    assert answer(repairs, request_) == wanted


@pytest.mark.parametrize(
    "request_",
    [
        "jobs per bike",
        "jobs older than 30",
        "jobs finished before the Comet",
        "which jobs were finished before they were due",
        "the first and last two jobs",
        "jobs from 20 to 40",
    ],
)
def test_what_is_not_understood_is_not_answered(repairs: tuple[Path, Engine], request_: str) -> None:
    assert repairs[1].ask(request_).readings == ()
