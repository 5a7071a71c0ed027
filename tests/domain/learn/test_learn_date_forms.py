"""Tests of `curtain learn` on days written in other forms than ISO, on times of day after them, and on bare years."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from domain.english.engine import Engine
from domain.english.model.date_forms import date_form
from tests.domain.learnt import answer, learnt

ORCHARD = """
CREATE TABLE tree (tree_id INTEGER PRIMARY KEY, tree_name TEXT, planted TEXT);
CREATE TABLE picking (picking_id INTEGER PRIMARY KEY, tree_id INTEGER REFERENCES tree, picked_on TEXT, baskets INTEGER);
CREATE TABLE cider (cider_id INTEGER PRIMARY KEY, cider_name TEXT, vintage INTEGER, price REAL);
CREATE TABLE tasting (tasting_id INTEGER PRIMARY KEY, cider_id INTEGER REFERENCES cider, starts_at TEXT, ends_at TEXT,
    remark TEXT);
INSERT INTO tree VALUES (1, 'Big Tom', '20010312'), (2, 'Long Ann', '19981120'), (3, 'Old Kit', '20101102'),
    (4, 'Wee Meg', '19990101');
INSERT INTO picking VALUES (1, 1, '28.09.2023', 4), (2, 2, '03.10.2023', 7), (3, 1, '01.10.2024', 5), (4, 3, '15.09.2024', 2);
INSERT INTO cider VALUES (1, 'Brisk', 2019, 6.5), (2, 'Brisk', 2021, 7.0), (3, 'Mellow', 2021, 8.0), (4, 'Sharp', 2022, 5.0),
    (5, 'Dusk', 2023, 4.5);
INSERT INTO tasting VALUES (1, 1, '2025-05-02 18:30', '2025-05-02 20:00', NULL),
    (2, 3, '2025-05-02 11:00', '2025-05-02 12:00', 'full'), (3, 4, '2025-06-09 19:00', '2025-06-09 21:00', NULL),
    (4, 2, '2025-06-10 10:30', '2025-06-10 11:30', NULL);
"""
ANSWERED = [
    ("pickings in october 2023", {2}),
    ("pickings in 2024", {3, 4}),
    ("pickings after the 20th of september 2023", {1, 2, 3, 4}),
    ("pickings on the third of october twenty twenty three", {2}),
    ("the latest picking", {3}),
    ("which trees were planted before 2000", {2, 4}),
    ("the oldest tree", {2}),
    ("tastings in may", {1, 2}),
    ("tastings on the ninth of june", {3}),
    ("tastings after 6 pm", {1, 3}),
    ("ciders of twenty twenty one", {2, 3}),
    ("the 2021 ciders", {2, 3}),
    ("the 2019 brisk ciders", {1}),
]
UNANSWERED = [
    "tastings repaired in 2025",
    "how much did brisk bring in in 2024",
    "who tasted number five hundred and thirty",
]


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    folder = tmp_path_factory.mktemp("orchard")
    file, _ = learnt(folder, ORCHARD)
    return file, Engine(folder / "domain", f"sqlite:///{file}", date(2026, 3, 1))


@pytest.mark.parametrize(("request_", "wanted"), ANSWERED)
def test_days_in_other_forms_are_compared(orchard: tuple[Path, Engine], request_: str, wanted: set[int]) -> None:
    assert {row[0] for row in answer(orchard, request_)} == wanted


@pytest.mark.parametrize("request_", UNANSWERED)
def test_a_year_or_number_that_was_not_read_is_not_passed_over(orchard: tuple[Path, Engine], request_: str) -> None:
    assert orchard[1].ask(request_).readings == ()


@pytest.mark.parametrize(
    ("values", "places"),
    [
        (["2024-01-31", "2024-02-01"], (1, 6, 9)),
        (["2024/01/31"], (1, 6, 9)),
        ([20240131, 20231201], (1, 5, 7)),
        (["31.01.2024"], (7, 4, 1)),
        (["31/01/2024", "02/03/2024"], (7, 4, 1)),
        (["01/31/2024", "02/03/2024"], (7, 1, 4)),
    ],
)
def test_the_form_is_found_from_the_values(values: list[object], places: tuple[int, int, int]) -> None:
    form = date_form(values)
    assert form is not None
    assert (form.year, form.month, form.day) == places


@pytest.mark.parametrize("values", [[], ["2024"], ["20241399"], ["31.01.2024", "soon"], [True], ["31/31/2024"], [None]])
def test_other_values_have_no_form_of_dates(values: list[object]) -> None:
    assert date_form(values) is None
