"""Perturbed copies: same shape, same links, other values, and the luck that they show."""

import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from corpus.cas import Answer, answer_of
from evaluation.comparator import Verdict, compare
from evaluation.perturbing import Unfit, perturb, perturb_command
from session.answers import Table


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "domain.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            "CREATE TABLE flight (flight_id INTEGER PRIMARY KEY, airline_code TEXT, day TEXT, leaves INTEGER);"
            "CREATE TABLE plain (word TEXT);"
        )
        days = ["TUESDAY", "WEDNESDAY"]
        made.executemany(
            "INSERT INTO flight VALUES (?, ?, ?, ?)", [(n, "AU"[n % 2], days[n < 20], 600 + n) for n in range(40)]
        )
        made.executemany("INSERT INTO plain VALUES (?)", [(str(n),) for n in range(9)])
        made.commit()
    return path


def read(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


def test_describing_columns_change_places_and_links_stay(source: Path, tmp_path: Path) -> None:
    copy, again, other = (tmp_path / f"{name}.sqlite" for name in "abc")
    assert perturb(source, copy, 1) == ["flight.day", "flight.leaves", "plain.word"]
    links = "SELECT flight_id, airline_code FROM flight ORDER BY flight_id"
    assert read(copy, links) == read(source, links)
    times = "SELECT leaves FROM flight ORDER BY flight_id"
    assert read(copy, times) != read(source, times)
    assert sorted(read(copy, times)) == sorted(read(source, times))
    perturb(source, again, 1)
    perturb(source, other, 2)
    assert read(again, times) == read(copy, times) != read(other, times)


def test_an_answer_right_by_luck_is_wrong_on_the_copy(source: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    perturb(source, copy, 1)
    meant = "SELECT flight_id FROM flight WHERE day = 'WEDNESDAY'"
    misheard = "SELECT flight_id FROM flight WHERE leaves < 620"

    def answer(path: Path, sql: str) -> Answer:
        return answer_of(Table(("flight_id",), tuple(read(path, sql))))  # type: ignore[arg-type]

    assert compare(answer(source, meant), answer(source, misheard)).verdict is Verdict.CORRECT
    assert compare(answer(copy, meant), answer(copy, misheard)).verdict is Verdict.INCORRECT


def test_nothing_is_overwritten_and_faults_are_named(source: Path, tmp_path: Path) -> None:
    with pytest.raises(Unfit, match="exists already"):
        perturb(source, source, 1)
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes(b"no database at all" * 100)
    out, err = StringIO(), StringIO()
    assert perturb_command(str(bad), str(tmp_path / "x.sqlite"), out=out, err=err) == 2
    assert "bad.sqlite" in err.getvalue()
    assert perturb_command(str(tmp_path / "none"), "x", out=out, err=err) == 2
    assert perturb_command(str(source), str(tmp_path / "y.sqlite"), out=out, err=err) == 0
    assert "flight.day" in out.getvalue()
