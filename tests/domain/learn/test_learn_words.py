"""Everyday words for what tables hold, and what is said of what must be had: asked of a learnt domain."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.english.engine import Engine
from domain.learn.learn import learn_command
from domain.learn.schema_wording import also_called, not_required, whole_place

SCHEMA = """
CREATE TABLE insurer (insurer_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE keeper (keeper_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_date DATE, hire_date DATE,
  insurer_id INTEGER REFERENCES insurer);
CREATE TABLE medication (medication_id INTEGER PRIMARY KEY, name TEXT, price NUMERIC, prescription_required TEXT);
INSERT INTO insurer VALUES (1, 'Alder Mutual'), (2, 'Beacon Health'), (3, 'Citizens Care');
INSERT INTO keeper VALUES (1, 'Ann', 'Moss', '2009-05-01', '2011-02-03', 1), (2, 'Ben', 'Reed', '1980-01-02', '2004-03-04', 2),
  (3, 'Cora', 'Vane', '1990-07-08', '2015-06-07', 1);
INSERT INTO medication VALUES (1, 'Wormal', 3, 'N'), (2, 'Hoofex', 9, 'Y'), (3, 'Beakol', 12, 'N');
"""


@pytest.fixture(scope="module")
def stable(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Engine]:
    folder = tmp_path_factory.mktemp("words")
    with closing(sqlite3.connect(folder / "stable.sqlite")) as link:
        link.executescript(SCHEMA)
    url = f"sqlite:///{folder / 'stable.sqlite'}"
    assert learn_command(url, str(folder / "stable"), io.StringIO(), io.StringIO()) == 0
    return folder / "stable.sqlite", Engine(folder / "stable", url)


@pytest.mark.parametrize(
    ("dialogue", "rows"),
    [
        (["which medicines are there"], {1, 2, 3}),
        (["medicines without a prescription"], {1, 3}),
        (["drugs that do not need a prescription", "the cheapest of them"], {1}),
        (["keepers hired before two thousand ten"], {2}),
        (["how many keepers are there across the whole stable"], {3}),
        (["keepers hired after two thousand ten", "who insures them"], {"Alder Mutual"}),
        (["when did ben reed start here"], {"2004-03-04"}),
        (["list the keepers", "just the kids under eighteen"], {1}),
    ],
)
def test_people_say_it_otherwise(stable: tuple[Path, Engine], dialogue: list[str], rows: set[object]) -> None:
    file, engine = stable
    *context, request = dialogue
    readings = engine.ask(request, context).readings
    with closing(sqlite3.connect(file)) as link:
        assert {row[0] for row in link.execute(readings[0].sql)} == rows


def test_words_for_the_same() -> None:
    assert also_called("medicine") == ("medication", "drug")
    assert also_called("book") == ()
    assert "without a prescription" in not_required("prescription required")
    assert "across the whole town library" in whole_place("town_library")
