"""What is said of the only dated event of a database nobody has described: a riding school's lessons."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from tests.domain.learnt import learnt

RIDING = """
CREATE TABLE trainer (trainer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, hire_date DATE, fee NUMERIC);
CREATE TABLE pupil (pupil_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, town TEXT);
CREATE TABLE lesson (lesson_id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupil, trainer_id INTEGER REFERENCES trainer,
    lesson_date DATE, start_time TEXT, duration_minutes INTEGER, status TEXT);
CREATE TABLE horse (horse_id INTEGER PRIMARY KEY, horse_name TEXT, meals_per_day INTEGER);
CREATE TABLE remedy (remedy_id INTEGER PRIMARY KEY, remedy_name TEXT);
CREATE TABLE prescription (prescription_id INTEGER PRIMARY KEY, horse_id INTEGER REFERENCES horse,
    remedy_id INTEGER REFERENCES remedy);
INSERT INTO remedy VALUES (11, 'Oatmash'), (12, 'Hoofoil'), (13, 'Fennel');
INSERT INTO prescription VALUES (1, 1, 12), (2, 1, 13), (3, 2, 11);
INSERT INTO trainer VALUES (1, 'Ada', 'Holm', '2019-03-01', 40), (2, 'Bo', 'Lund', '2021-09-15', 55);
INSERT INTO pupil VALUES (1, 'Greta', 'Moss', 'Brekke'), (2, 'Ivo', 'Falk', 'Sund'), (3, 'Nils', 'Berg', 'Sund');
INSERT INTO lesson VALUES (1, 1, 1, '2025-05-20', '09:00', 45, 'completed'), (2, 1, 2, '2025-05-27', '16:30', 60, 'missed'),
    (3, 1, 1, '2025-06-05', '10:15', 45, 'scheduled'), (4, 1, 1, '2025-06-12', '08:30', 45, 'scheduled'),
    (5, 2, 2, '2025-06-05', '08:00', 30, 'cancelled'), (6, 2, 2, '2025-05-06', '14:00', 90, 'completed'),
    (7, 2, 1, '2025-04-08', '11:00', 45, 'completed'), (8, 1, 2, '2025-04-15', '12:00', 30, 'missed'),
    (9, 3, 2, '2025-03-04', '15:00', 45, 'completed');
INSERT INTO horse VALUES (1, 'Bramble', 3), (2, 'Thistle', 2), (3, 'Clover', 4);
"""
ALONE = [
    # the last one, the next one, those to come
    ("can you tell me when Greta Moss was last in", "2025-06-12"),
    ("when is Greta Moss due in", "2025-06-05"),
    ("Greta Moss next lesson", 3),
    ("does Greta Moss have anything coming up", {3, 4}),
    ("is Ivo Falk down for anything after today", 5),
    ("please check whether Ivo Falk is down for anything after today", 5),
    ("my daughter is Greta Moss does she have anything coming up", {3, 4}),
    # the first of a day is so by the clock, and no first of the month
    ("the first lesson on the fifth of June", 5),
    ("the latest lesson on the fifth of June", 3),
    # whether it takes place, and what became of it
    ("is Greta Moss's lesson on the fifth of June still going ahead", "scheduled"),
    ("which lessons were called off", 5),
    ("which lessons of Greta Moss are no shows", {2, 8}),
    ("did Greta Moss turn up for her lesson on may twenty seventh", "missed"),
    # nobody, and amounts
    ("which trainers have nothing in April", set()),
    ("which pupils have nothing in April", 3),
    ("has nobody booked Bo Lund in June", 5),
    ("on average how long are Bo Lund's lessons", 51),
    ("what does Bo Lund charge for a lesson", 55),
    ("horses with meals twice a day", 2),
    # what was done to things asks for the things
    ("remedies prescribed for Bramble", {12, 13}),
]
AFTER = [
    ("lessons of Greta Moss from today on", "what time is that", {"10:15", "08:30"}),
    ("lessons of Greta Moss from today on", "when are they", {"2025-06-05", "2025-06-12"}),
    ("lessons of Greta Moss in May", "who are they with", {1, 2}),
    ("lessons of Ivo Falk in June", "is it cancelled or not", 5),
    ("lessons of Ivo Falk in June", "is it still on", "cancelled"),
    ("how long on average are Bo Lund's lessons", "compare that with Ada Holm's", 45),
    ("trainers", "since when have they been here", {"2019-03-01", "2021-09-15"}),
    ("pupils from Sund", "who among them has not been in since May", 3),
]  # fmt: skip


@pytest.fixture(scope="module")
def riding(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    folder = tmp_path_factory.mktemp("riding")
    file, _ = learnt(folder, RIDING)
    return file, Engine(folder / "domain", f"sqlite:///{file}", date(2025, 6, 1))


def shown(made: tuple[Path, Engine], request: str, before: str = "") -> set[object]:
    """The first minimal column of the rows that the first reading gives."""
    file, engine = made
    with closing(sqlite3.connect(file)) as link:
        context = []
        if before:
            found = link.execute(engine.ask(before).readings[0].sql)
            context = [EarlierTurn(before, tuple(c[0] for c in found.description), tuple(found))]
        reading = engine.ask(request, context).readings[0]
        found = link.execute(reading.sql)
        at = [column[0] for column in found.description].index(reading.minimal_columns[0])
        return {row[at] for row in found}


@pytest.mark.parametrize(("request_said", "expected"), ALONE, ids=[said for said, _ in ALONE])
def test_lessons_are_asked_for_as_people_do(riding: tuple[Path, Engine], request_said: str, expected: object) -> None:
    assert shown(riding, request_said) == (expected if isinstance(expected, set) else {expected})


@pytest.mark.parametrize(("before", "then", "expected"), AFTER, ids=[then for _, then, _ in AFTER])
def test_lessons_shown_are_asked_about(riding: tuple[Path, Engine], before: str, then: str, expected: object) -> None:
    assert shown(riding, then, before) == (expected if isinstance(expected, set) else {expected})
