"""A study's database is made ready or its fault is named; a foreign one is known by its rows."""

import sqlite3
from pathlib import Path

import pytest

from domain.databases import DatabaseError
from domain.hosting import external


def test_a_foreign_database_is_known_by_its_rows(tmp_path: Path) -> None:
    versions = []
    for number in (1, 1, 2):
        path = tmp_path / f"{len(versions)}.sqlite"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE city (name TEXT)")
            connection.execute("INSERT INTO city VALUES (?)", (f"city {number}",))
        connection.close()
        versions.append(external(f"sqlite:///{path}", "towns").version)
    assert versions[0] == versions[1] != versions[2]
    assert versions[0].startswith("towns ")


def test_a_database_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"study\.toml"):
        external("postgresql+psycopg://nobody@127.0.0.1:1/none", "towns")
    with pytest.raises(DatabaseError, match=r"study\.toml"):
        external(f"sqlite:///{tmp_path}", "towns")
