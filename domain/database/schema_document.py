"""A database as a document: its typed schema in words that any program reads, and its contents as tables with tabs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from domain.database.build import DatabaseError
from domain.database.connect import reach


class SchemaError(Exception):
    """The database cannot be read; the message says why."""


def schema_of(url: str) -> str:
    """Return the tables with their columns, types, keys and numbers of rows; raises `SchemaError`."""
    engine = _reached(url)
    found = sa.inspect(engine)
    lines = list[str]()
    with engine.connect() as connection:
        for table in sorted(found.get_table_names()):
            rows = connection.execute(sa.select(sa.func.count()).select_from(sa.table(table))).scalar_one()
            lines += [f"table {table}: {rows} rows"]
            key = found.get_pk_constraint(table)["constrained_columns"]
            for column in found.get_columns(table):
                marks = [str(column["type"]), *(["key"] if column["name"] in key else [])]
                marks += [] if column["nullable"] else ["never empty"]
                lines.append(f"  {column['name']}: {', '.join(marks)}")
            for foreign in found.get_foreign_keys(table):
                names = ", ".join(foreign["constrained_columns"])
                lines.append(
                    f"  {names} refers to {foreign['referred_table']}({', '.join(foreign['referred_columns'])})"
                )
            lines.append("")
    engine.dispose()
    return "\n".join(lines)


def contents_of(url: str) -> Iterator[tuple[str, bytes]]:
    """Yield the database: an SQLite file as it is, any other as one table with tabs for each of its tables, sorted by all
    columns."""
    address = sa.make_url(url)
    if address.get_backend_name() == "sqlite" and address.database:
        yield "database.sqlite", Path(address.database).read_bytes()
        return
    engine = _reached(url)
    metadata = sa.MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            rows = connection.execute(sa.select(table).order_by(*table.columns))
            lines = ["\t".join(column.name for column in table.columns), *("\t".join(map(_cell, row)) for row in rows)]
            yield f"database/{table.name}.tsv", ("\n".join(lines) + "\n").encode()
    engine.dispose()


def _cell(value: Any) -> str:
    return "" if value is None else str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def _reached(url: str) -> sa.Engine:
    try:
        engine = reach(url)
        with engine.connect():
            return engine
    except (DatabaseError, OSError, sa.exc.SQLAlchemyError) as error:
        raise SchemaError(str(error)) from None
