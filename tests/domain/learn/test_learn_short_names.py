"""Tables and columns with abbreviated names, tables without keys, two ways between tables, and figures said in words."""

from pathlib import Path

import pytest

from domain.english.engine import Engine
from domain.english.text.abbreviations import abbreviate, find_abbreviations
from domain.english.text.number_forms import spoken_names
from tests.domain.learnt import answer, learnt

BEES = """
CREATE TABLE kpr (kid INTEGER PRIMARY KEY, nm TEXT, vlg TEXT, yr_jnd INTEGER, tel TEXT);
CREATE TABLE hv (hid INTEGER PRIMARY KEY, kid INTEGER REFERENCES kpr, clr TEXT, nck TEXT);
CREATE TABLE insp (hid INTEGER, dt TEXT, brd_frm INTEGER, swm TEXT);
CREATE TABLE hrv (hid INTEGER, dt TEXT, kg REAL, hny TEXT);
INSERT INTO kpr VALUES (1, 'Ann Lee', 'Norton', 1999, '12 34'), (2, 'Bob Hay', 'Sutton', 2005, NULL);
INSERT INTO hv VALUES (1, 1, 'green', 'Box 1'), (2, 1, 'white', 'Box 2'), (3, 2, 'green', 'Box 21');
INSERT INTO insp VALUES (1, '2024-05-01', 4, 'y'), (1, '2024-06-01', 5, 'n'), (2, '2024-05-01', NULL, 'n');
INSERT INTO hrv VALUES (1, '2024-07-01', 8.5, 'lime'), (3, '2024-07-01', 4, 'lime'), (3, '2024-08-01', 4, 'heath');
"""
RACES = """
CREATE TABLE rider (rider_id INTEGER PRIMARY KEY, full_name TEXT);
CREATE TABLE race (race_id INTEGER PRIMARY KEY, race_name TEXT);
CREATE TABLE accident (accident_id INTEGER PRIMARY KEY, race_id INTEGER, rider_id INTEGER);
CREATE TABLE result (race_id INTEGER, rider_id INTEGER, place INTEGER);
INSERT INTO rider VALUES (1, 'Ann Lee'), (2, 'Bob Hay');
INSERT INTO race VALUES (1, 'Spring Cup'), (2, 'Autumn Cup');
INSERT INTO accident VALUES (1, 2, 2);
INSERT INTO result VALUES (1, 1, 1), (1, 2, 2), (2, 2, 1);
"""


@pytest.fixture(scope="module")
def bees(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    return learnt(tmp_path_factory.mktemp("bees"), BEES)


@pytest.mark.parametrize(
    ("request_", "rows"),
    [
        ("how many hives are there", {3}),
        ("green hives", {1, 3}),
        ("beekeepers in Norton", {1}),
        ("who has no telephone number", {2}),
        ("which hives have never been inspected", {3}),
        ("hives of Bob Hay", {3}),
        ("hive box twenty one", {3}),
        ("inspections with more than four brood frames", {1}),
    ],
)
def test_a_request_has_in_full_what_the_names_abbreviate(
    bees: tuple[Path, Engine], request_: str, rows: set[object]
) -> None:
    assert {row[0] for row in answer(bees, request_, 1)} == rows


def test_a_key_is_what_tells_the_rows_apart(bees: tuple[Path, Engine]) -> None:
    assert bees[1].ask("inspections").readings[0].minimal_columns == ("hid", "dt")


def test_two_things_belong_together_by_the_table_with_more_of_them(tmp_path: Path) -> None:
    made = learnt(tmp_path, RACES)
    assert answer(made, "races of Bob Hay", 1) == {(1,), (2,)}
    assert answer(made, "how many races has each rider", 1) == {(1,), (2,)}


def test_only_abbreviations_are_written_out() -> None:
    known = find_abbreviations(["kpr", "hv", "hvs", "vlg", "insp", "brd frm", "swm", "race"])
    words = ("keepers", "hive", "hives", "villages", "inspections", "swarmed", "beekeeper", "raced", "halve", "frames")
    assert [abbreviate(word, known) for word in words] == [
        "kpr", "hv", "hvs", "vlg", "insp", "swm", "kpr", None, None, "frm",
    ]  # fmt: skip
    assert find_abbreviations(["hq city", "km", "tm code", "fly"]) == ()


def test_figures_of_a_name_are_said_in_words() -> None:
    assert list(spoken_names(("polytunnel", "1"))) == [("polytunnel", "one")]
    assert [" ".join(name) for name in spoken_names(("spring", "concert", "2003"))] == [
        "spring concert two thousand three",
        "spring concert two thousand and three",
    ]
    assert [" ".join(name) for name in spoken_names(("fair", "1999"))] == ["fair nineteen ninety nine"]
    assert not [*spoken_names(("ua", "201")), *spoken_names(("7", "up", "12")), *spoken_names(("gate", "007"))]
