"""Names read from the database itself: for completion, and for the nearest name in an error."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from domain.sandbox.database_schema import Column, Schema, reflect


@pytest.fixture
def schema(tmp_path: Path) -> Schema:
    path = tmp_path / "staff.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE office (office_id INTEGER PRIMARY KEY, town TEXT, rent NUMERIC(8, 2))")
        connection.execute(
            "CREATE TABLE person (name TEXT, number INTEGER, office_id INTEGER REFERENCES office (office_id),"
            " PRIMARY KEY (name, number))"
        )
        connection.execute("CREATE VIEW boss AS SELECT name FROM person WHERE number = 1")
    engine = create_engine(f"sqlite:///{path}")
    try:
        return reflect(engine)
    finally:
        engine.dispose()


def test_tables_views_columns_keys_and_references_are_read(schema: Schema) -> None:
    assert schema.table_names == ("boss", "office", "person")
    _, office, person = schema.tables
    assert office.columns == (Column("office_id", "integer"), Column("town", "text"), Column("rent", "number"))
    assert office.key == ("office_id",)
    assert person.key == ("name", "number")
    assert person.references == (("office_id", "office", "office_id"),)


def test_a_prefix_is_completed_to_tables_and_columns(schema: Schema) -> None:
    assert schema.completions("o") == ("office", "office_id")
    assert schema.completions("N") == ("name", "number")
    assert schema.completions("zz") == ()


def test_columns_of_tables_in_the_statement_come_first(schema: Schema) -> None:
    assert schema.completions("", "SELECT FROM office")[:3] == ("office_id", "town", "rent")
    assert schema.completions("", "SELECT FROM person")[:3] == ("name", "number", "office_id")


def test_a_table_and_a_dot_give_its_columns(schema: Schema) -> None:
    assert schema.completions("office.") == ("office.office_id", "office.town", "office.rent")
    assert schema.completions("Office.t") == ("Office.town",)
    assert schema.completions("nothing.") == ()


@pytest.mark.parametrize(("typed", "near"), [("ofice", "office"), ("persons", "person"), ("qqq", None)])
def test_the_nearest_table(schema: Schema, typed: str, near: str | None) -> None:
    assert schema.nearest_table(typed) == near


def test_the_nearest_column_is_sought_in_the_tables_of_the_statement_first(schema: Schema) -> None:
    assert schema.nearest_column("nam", "SELECT nam FROM person") == "name"
    assert schema.nearest_column("toun", "SELECT toun FROM person") == "town"
    assert schema.nearest_column("qqq") is None
