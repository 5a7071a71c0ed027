"""Tests of `curtain learn` on abbreviated names, on one table of codes of several sorts, and on groups by spans of time."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from domain.english.engine import Engine
from tests.domain.learnt import answer, learnt

QUARRY = """
CREATE TABLE cdlst (cd_typ TEXT, cd TEXT, descr TEXT, PRIMARY KEY (cd_typ, cd));
CREATE TABLE clnt (clnt_no INTEGER PRIMARY KEY, typ_cd TEXT, fnm TEXT, snm TEXT, twn TEXT);
CREATE TABLE stf (stf_no INTEGER PRIMARY KEY, fnm TEXT, snm TEXT, job_cd TEXT, boss_no INTEGER);
CREATE TABLE shpt (shpt_no INTEGER PRIMARY KEY, clnt_no INTEGER REFERENCES clnt, stf_no INTEGER REFERENCES stf, sent_dt TEXT,
    wt_kg REAL, ins_yn TEXT, lang TEXT, ctry TEXT);
INSERT INTO cdlst VALUES ('CLNT', 'P', 'private'), ('CLNT', 'B', 'builder'), ('CLNT', 'G', 'garden centre'),
    ('JOB', 'D', 'driver'), ('JOB', 'F', 'foreman'), ('JOB', 'W', 'weigher');
INSERT INTO clnt VALUES (1, 'P', 'Ida', 'Moss', 'Leek'), (2, 'B', 'Tom', 'Rudd', 'Stone'), (3, 'B', 'Eva', 'Kerr', 'Leek'),
    (4, 'G', 'Jim', 'Dale', 'Leek'), (5, 'P', 'Una', 'Moss', 'Stone'), (6, 'P', 'Abe', 'Finn', 'Leek');
INSERT INTO stf VALUES (11, 'Sue', 'Lamb', 'D', NULL), (12, 'Ned', 'Voss', 'F', NULL), (13, 'Pia', 'Hart', 'D', NULL),
    (14, 'Lou', 'Birch', 'W', NULL);
INSERT INTO shpt VALUES (101, 1, 11, '20230105', 40, 'Y', 'French', 'Canada'),
    (102, 2, 12, '20230611', 900, 'N', 'French', 'France'),
    (103, 3, 11, '20240202', 300, 'Y', 'English', 'Canada'), (104, 2, 13, '20240217', 100, 'N', 'English', 'England'),
    (105, 4, 11, '20240309', 70, 'N', 'German', 'Austria'), (106, 6, 13, '20241020', 20, 'Y', 'French', 'Canada'),
    (107, 5, 13, '20241024', 10, 'Y', 'German', 'Austria'), (108, 5, 14, '20241124', 15, 'Y', 'German', 'Germany');
"""
ANSWERED: list[tuple[str, set[object]]] = [
    ("the drivers", {11, 13}),
    ("staff who are foremen or weighers", {12, 14}),
    ("which builders are there", {2, 3}),
    ("private clients in leek", {1, 6}),
    ("shipments since march 2024", {105, 106, 107, 108}),
    ("how many shipments per year", {("2023", 2), ("2024", 6)}),
    ("number of shipments by month in 2024", {("2024-02", 2), ("2024-03", 1), ("2024-10", 2), ("2024-11", 1)}),
    ("which year had the fewest shipments", {("2023", 2)}),
    ("which month had the most shipments in 2023", {("2023-01", 1), ("2023-06", 1)}),
    ("canadian shipments in french", {101, 106}),
    ("when was the last shipment to una moss", {"20241124"}),
    ("when was the first shipment by sue lamb", {"20230105"}),
    ("clients that were shipped to twice", {2, 5}),
    ("clients shipped to more than once", {2, 5}),
    ("number of shipments per type of client", {("P", 4), ("B", 3), ("G", 1)}),
    ("how many kilos did we ship in 2023", {940.0}),
]


@pytest.fixture(scope="module")
def quarry(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    folder = tmp_path_factory.mktemp("quarry")
    file, _ = learnt(folder, QUARRY)
    return file, Engine(folder / "domain", f"sqlite:///{file}", date(2025, 3, 1))


@pytest.mark.parametrize(("request_", "wanted"), ANSWERED)
def test_codes_abbreviations_and_spans_are_read(
    quarry: tuple[Path, Engine], request_: str, wanted: set[object]
) -> None:
    rows = answer(quarry, request_)
    assert {row[0] if len(row) == 1 else row for row in rows} == wanted


def test_the_span_is_said(quarry: tuple[Path, Engine]) -> None:
    assert "for each year" in quarry[1].ask("how many shipments per year").readings[0].paraphrase


@pytest.mark.parametrize(
    "request_",
    [
        "what was in shipment 104",
        "clients shipped to twice in leek on foot",
        "how many clients on each kind of road",
        "which drivers are also foremen",
        "what was the heaviest shipment and when was it",
        "bob's shipments",
    ],
)
def test_what_was_not_read_is_not_passed_over(quarry: tuple[Path, Engine], request_: str) -> None:
    assert quarry[1].ask(request_).readings == ()
