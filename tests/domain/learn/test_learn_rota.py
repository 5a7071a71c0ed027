"""What `curtain learn` makes of rows that hang on others by keys of several columns, with two days or times in a table, names of
two directions and values that may be wanting; and what it rather leaves unanswered."""

from datetime import date
from pathlib import Path

import msgspec
import pytest

from domain.english.engine import Engine
from domain.english.model.domain import load_domain
from tests.domain.learnt import answer, learnt

FERRIES = """
CREATE TABLE quay (harbour TEXT, quay_no INTEGER, depth_m REAL, length_m INTEGER, PRIMARY KEY (harbour, quay_no));
CREATE TABLE ship (ship_id INTEGER PRIMARY KEY, ship_name TEXT, capacity_t INTEGER, nickname TEXT);
CREATE TABLE mooring (mooring_id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ship, harbour TEXT, quay_no INTEGER,
    arrived_on DATE, departed_on DATE, charge NUMERIC, FOREIGN KEY (harbour, quay_no) REFERENCES quay (harbour, quay_no));
CREATE TABLE refit (refit_id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ship, refit_date DATE, cost NUMERIC);
CREATE TABLE survey (survey_id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ship, docked_on TIMESTAMPTZ);
CREATE TABLE company (company_id INTEGER PRIMARY KEY, company_name TEXT);
CREATE TABLE sailing (company_id INTEGER REFERENCES company, sail_date DATE, run TEXT, origin TEXT, destination TEXT,
    departure_time TEXT, arrival_time TEXT, stewards_needed INTEGER, PRIMARY KEY (company_id, sail_date, run));
CREATE TABLE steward (steward_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, company_id INTEGER REFERENCES company,
    left_on DATE);
CREATE TABLE duty (steward_id INTEGER REFERENCES steward, company_id INTEGER, sail_date DATE, run TEXT, bonus NUMERIC,
    PRIMARY KEY (steward_id, company_id, sail_date, run),
    FOREIGN KEY (company_id, sail_date, run) REFERENCES sailing (company_id, sail_date, run));
INSERT INTO quay VALUES ('Anholt', 1, 4.5, 90), ('Anholt', 2, 7, 150), ('Brekke', 1, 9, 60), ('Brekke', 2, 3, 220);
INSERT INTO ship VALUES (1, 'Plover', 40, NULL), (2, 'Dunlin', 900, 'Old Dun'), (3, 'Turnstone', 60, NULL);
INSERT INTO mooring VALUES (1, 1, 'Anholt', 1, '2024-10-02', '2024-10-09', 100), (2, 1, 'Brekke', 2, '2025-03-01', NULL, 250),
    (3, 2, 'Anholt', 2, '2025-05-20', '2025-05-28', 80), (4, 3, 'Brekke', 1, '2025-04-11', '2025-05-02', 310),
    (5, 3, 'Anholt', 2, '2025-05-15', NULL, 40);
INSERT INTO refit VALUES (1, 1, '2024-10-20', 900), (2, 2, '2025-05-30', 700), (3, 2, '2023-05-01', 50);
INSERT INTO survey VALUES (1, 2, '2025-02-11'), (2, 3, '2024-12-01');
INSERT INTO company VALUES (1, 'Skerry Lines'), (2, 'Fjord Post');
INSERT INTO sailing VALUES (1, '2025-05-14', 'early', 'Anholt', 'Brekke', '07:00', '09:30', 2),
    (1, '2025-05-14', 'late', 'Brekke', 'Anholt', '17:15', '19:45', 3),
    (2, '2025-05-14', 'early', 'Brekke', 'Sund', '06:30', '08:00', 1),
    (2, '2025-06-02', 'late', 'Sund', 'Anholt', '20:00', '23:10', 2);
INSERT INTO steward VALUES (1, 'Ada', 'Holm', 1, NULL), (2, 'Bo', 'Lund', 1, '2025-04-30'), (3, 'Cleo', 'Dahl', 2, NULL);
INSERT INTO duty VALUES (1, 1, '2025-05-14', 'early', 20), (3, 1, '2025-05-14', 'early', NULL), (3, 2, '2025-06-02', 'late', 35),
    (2, 1, '2025-05-14', 'late', NULL);
"""
ANSWERED = [
    # on one row, along a key of several columns
    ("which ships were moored at quay 1 in Anholt", {1}),
    ("which ships were at quay 2 at Anholt", {2, 3}),
    ("ships at quay 2 in Anholt or at quay 1 in Brekke", {2, 3}),
    # names of two directions
    ("sailings from Anholt to Brekke", {(1, "2025-05-14", "early")}),
    ("sailings arriving in Anholt before 8 p.m.", {(1, "2025-05-14", "late")}),
    ("sailings leaving Brekke before 7 in the morning", {(2, "2025-05-14", "early")}),
    # days: of the row, of which of two, months, from one to another
    ("sailings on the 2nd of june", {(2, "2025-06-02", "late")}),
    ("moorings that arrived in may", {3, 5}),
    ("moorings that departed in may", {3, 4}),
    ("which moorings departed in october", {1}),
    ("moorings that arrived since april", {3, 4, 5}),
    ("moorings that arrived before april", {1, 2}),
    ("moorings that arrived between the 1st and the 18th of may", {5}),
    ("moorings that arrived between march and april", {2, 4}),
    ("when did the Dunlin dock", {"2025-02-11"}),
    ("surveys that docked in february", {1}),
    # a duty on a sailing of a company, a steward on a sailing
    ("which sailings did Cleo Dahl work", {(1, "2025-05-14", "early"), (2, "2025-06-02", "late")}),
    ("what is the total bonus of the duties of Skerry Lines", {20}),
    ("who is on duty on the early sailing", {1, 3}),
    ("which sailings need more than 2 stewards", {(1, "2025-05-14", "late")}),
    # wanting or not
    ("which duties had a bonus", {(1, 1, "2025-05-14", "early"), (3, 2, "2025-06-02", "late")}),
    ("ships without a nickname", {1, 3}),
    ("stewards who have left", {2}),
    # the measure that a comparison tells
    ("quays longer than 100 metres", {("Anholt", 2), ("Brekke", 2)}),
    ("quays deeper than 5 metres", {("Anholt", 2), ("Brekke", 1)}),
    ("ships with a capacity of more than 50 tonnes", {2, 3}),
]
UNANSWERED = [
    "which ships are still in Anholt",
    "moorings that arrived monday in may 2025",
    "ships in october",
    "when did the Dunlin arrive",  # at a quay, or somewhere on a sailing
    "moorings that cost 100 an hour",
    "moorings that arrived in early may",
    "moorings that arrived late in april",
    "moorings that arrived in mid 2025",
    "moorings that arrived last april",
    "moorings that arrived this april",
    "moorings stricter than 5 metres",
    "moorings repaired in 2024",
    "which sailings from Anholt have run in the nineties",
]


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    folder = tmp_path_factory.mktemp("ferries")
    file, _ = learnt(folder, FERRIES)
    return file, Engine(folder / "domain", f"sqlite:///{file}", date(2025, 6, 1))


@pytest.mark.parametrize(("request_", "wanted"), ANSWERED)
def test_what_hangs_on_several_columns_is_answered(
    ferries: tuple[Path, Engine], request_: str, wanted: set[object]
) -> None:
    rows = answer(ferries, request_)
    assert {row[0] if len(row) == 1 else row for row in rows} == wanted


@pytest.mark.parametrize("request_", UNANSWERED)
def test_what_must_have_changed_the_answer_is_not_passed_over(ferries: tuple[Path, Engine], request_: str) -> None:
    assert ferries[1].ask(request_).readings == ()


def test_nothing_is_said_of_a_thing_by_what_only_shares_a_third_with_it(ferries: tuple[Path, Engine]) -> None:
    related = load_domain(ferries[0].parent / "domain").entity["mooring"].related
    assert related is not None
    assert "ship" in related
    assert "refit" not in related


def test_a_key_that_leads_round_gives_no_reference_of_a_column_to_itself(tmp_path: Path) -> None:
    _, engine = learnt(
        tmp_path,
        "CREATE TABLE a (a_id INTEGER PRIMARY KEY, n INTEGER, name TEXT, FOREIGN KEY (a_id, n) REFERENCES b (a_id, n));"
        "CREATE TABLE b (a_id INTEGER REFERENCES a, n INTEGER, PRIMARY KEY (a_id, n));"
        "INSERT INTO a VALUES (1, 1, 'Ox'), (2, 1, 'Ibis'); INSERT INTO b VALUES (1, 1), (2, 1);",
    )
    paths = [path for attribute in engine.model.attribute.values() for path in attribute.accepts.values()]
    assert not any("a.a_id = a.a_id" in path for path in paths)


def test_a_domain_without_such_neighbours_lets_everything_be_said(tmp_path: Path) -> None:
    learnt(
        tmp_path, "CREATE TABLE a (a_id INTEGER PRIMARY KEY, name TEXT); INSERT INTO a VALUES (1, 'Ox'), (2, 'Ibis');"
    )
    assert msgspec.structs.asdict(load_domain(tmp_path / "domain").entity["a"])["related"] is None
