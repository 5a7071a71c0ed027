"""`julianday` in the sandbox counts days as SQLite does, but knows no "now"."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.sandbox.julian_day import julian_day
from domain.sandbox.sandbox import Sandbox


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
