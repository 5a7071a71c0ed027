"""The warning of rounded references, wherever references are read or made."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.evaluation.commands import answers, compare, files, luck, score

SET = 'name = "small"\ntitle = "a set"\nversion = "1"\ndated = 2026-01-01\narithmetic = true\n'
ROUNDED = "SELECT ROUND(cost, 4) AS cost FROM fare"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "fares.sqlite")) as made:
        made.executescript("CREATE TABLE fare (cost REAL, kind TEXT); INSERT INTO fare VALUES (0.10638297872, 'Q');")
    (tmp_path / "principles.toml").write_text(SET)
    (tmp_path / "corpus").mkdir()
    return tmp_path


def test_a_reference_that_looks_rounded_is_told_by_every_command(place: Path) -> None:
    warning = ": looks rounded: 0.1064; the exact value could be scored wrong\n"
    assert compare("((0.1064))", "((0.1064))")[::2] == (0, f"warning: reference{warning}")
    paths = files(place, refs="e1 ((0.1064))\ne2 ((0.10638297872))\n", ours="e1 ((0.1064))\ne2 ((0.10638297872))\n")
    assert score(paths["refs"], [paths["ours"]])[::2] == (0, f"warning: e1{warning}")
    assert luck(place / "fares.sqlite", ROUNDED, ROUNDED, variants=1)[::2] == (0, f"warning: request{warning}")
    (place / "corpus" / "e1.sql").write_text(f"{ROUNDED};\n")
    assert answers(place, "small")[::2] == (0, f"warning: {place / 'corpus' / 'e1.sql'}{warning}")


def test_a_value_as_the_database_has_it_is_not_rounded_by_anybody(place: Path) -> None:
    exact = "SELECT cost * 0 + 0.5 AS cost FROM fare"
    assert luck(place / "fares.sqlite", exact, exact, variants=1)[::2] == (0, "")
    assert compare("((0.5))", "((0.5))", tolerance="digits=4")[2] == ""
