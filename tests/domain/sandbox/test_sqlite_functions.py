"""The sandbox's own functions give what those of SQLite give, but in bounded time, and know no "now"."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.sandbox.sandbox import Sandbox
from domain.sandbox.sqlite_functions import Cell, instr, julian_day, like

texts = st.text(alphabet="aAbBäÄ%_!\\^[]. \n", max_size=8)
cells = st.one_of(st.none(), texts, st.integers(-99, 9999), st.sampled_from([0.5, 1.0, 0.1 + 0.2, 1e20, -2.5e-7]))


def of_sqlite(sql: str, *values: object) -> object:
    with closing(sqlite3.connect(":memory:")) as connection:
        return connection.execute(sql, values).fetchone()[0]


@given(cells, cells)
def test_a_part_is_found_where_sqlite_finds_it(text: Cell, part: Cell) -> None:
    assert instr(text, part) == of_sqlite("SELECT instr(?, ?)", text, part)


@given(cells, cells)
@example(pattern="a%a", text="a")
@example(pattern="%_", text="")
def test_a_pattern_matches_what_sqlite_matches(pattern: Cell, text: Cell) -> None:
    found = like(pattern, text)
    assert (None if found is None else int(found)) == of_sqlite("SELECT ? LIKE ?", text, pattern)


@given(texts, texts, st.sampled_from(["!", "%", "_", "a"]))
@example(pattern="a!", text="a", escape="!")
def test_an_escaped_sign_stands_for_itself(pattern: str, text: str, escape: str) -> None:
    assert like(pattern, text, escape) == bool(of_sqlite("SELECT ? LIKE ? ESCAPE ?", text, pattern, escape))


@given(st.dates(min_value=date(1, 1, 1)))
def test_a_day_is_counted_as_sqlite_counts_it(day: date) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        (expected,) = connection.execute("SELECT julianday(?)", [day.isoformat()]).fetchone()
    assert julian_day(day.isoformat()) == expected


@given(st.one_of(st.none(), st.text(), st.integers(), st.floats(), st.binary()))
def test_anything_else_is_nothing(written: object) -> None:
    found = julian_day(written)
    assert found is None or isinstance(written, str)


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("julianday('1989-08-16') - julianday('1989-08-01')", 15.0),
        ("julianday('now')", None),
        ("julianday()", None),
        ("julianday('1989-08-16', 'localtime')", None),
    ],
)
def test_in_the_sandbox(tmp_path: Path, call: str, found: float | None) -> None:
    file = tmp_path / "days.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE t (x INTEGER)")
    sandbox = Sandbox(f"sqlite:///{file}")
    try:
        assert sandbox.run(f"SELECT {call} AS days").rows == ((found,),)
    finally:
        sandbox.close()
