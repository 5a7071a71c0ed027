"""Puts a domain's rows into a database server, by any SQLAlchemy URL that may create tables.

The same rows as in the SQLite file, to the last one: they are read back and hashed before the transaction ends.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    Column,
    ColumnClause,
    Connection,
    Engine,
    Index,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    column,
    inspect,
    select,
    table,
)

from domain.database.build import DatabaseError, sha256_of_rows
from domain.database.table_shape import Field, Row, Rows, Shape
from domain.sandbox.database_schema import reflect

_BATCH = 5_000


def load(engine: Engine, shapes: Sequence[Shape], rows: Rows) -> str:
    """Creates the tables, fills them, and gives the SHA-256 of the rows as the server gives them back.

    All in one transaction. Raises `DatabaseError` when one of the tables already exists, so that nothing is overwritten, or
    when the rows come back other than they went in; then nothing is kept.
    """
    there = sorted({shape.name for shape in shapes} & set(inspect(engine).get_table_names()))
    if there:
        raise DatabaseError(f"{_shown(engine)}: there is a table {there[0]} already; load into an empty database.")
    tables = {shape.name: _table(shape, engine.dialect.name) for shape in shapes}
    with engine.begin() as connection:
        for shape in shapes:
            tables[shape.name].create(connection)
            _insert(connection, tables[shape.name], rows[shape.name])
        back = {name: [tuple(row) for row in connection.execute(select(made))] for name, made in tables.items()}
        sha256 = sha256_of_rows(shapes, back)
        if sha256 != sha256_of_rows(shapes, rows):
            raise DatabaseError(f"{_shown(engine)}: the rows changed on the way; nothing was stored.")
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("ANALYZE")
    return sha256


def sha256_of(engine: Engine) -> str:
    """Return the SHA-256 of all rows of a database, for comparison with the one that a generator makes."""
    schema = reflect(engine)
    shapes = [Shape(table.name, tuple(Field(column.name) for column in table.columns)) for table in schema.tables]
    with engine.connect() as connection:
        rows = {shape.name: [tuple(row) for row in connection.execute(_everything(shape))] for shape in shapes}
    return sha256_of_rows(shapes, rows)


def _everything(shape: Shape) -> Select[Any]:
    columns: list[ColumnClause[Any]] = [column(field.name) for field in shape.fields]
    return select(*columns).select_from(table(shape.name))


def _table(shape: Shape, dialect: str) -> Table:
    """Texts sort by code point on PostgreSQL too, whatever the server's language."""
    text = Text(collation="C") if dialect == "postgresql" else Text()
    columns = [
        Column(field.name, Integer() if field.integer else text, primary_key=field.name in shape.key)
        for field in shape.fields
    ]
    for table_column in columns:
        table_column.autoincrement = False
    made = Table(shape.name, MetaData(), *columns)
    for number, index in enumerate(shape.indexes, start=1):
        Index(f"{shape.name}_{number}", *(made.c[name] for name in index))
    return made


def _insert(connection: Connection, filled: Table, rows: Sequence[Row]) -> None:
    names = [field.name for field in filled.columns]
    for start in range(0, len(rows), _BATCH):
        batch = [dict(zip(names, row, strict=True)) for row in rows[start : start + _BATCH]]
        connection.execute(filled.insert(), batch)


def _shown(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=True)
