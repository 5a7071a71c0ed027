"""The tables and columns of a domain database, read from the database itself.

The wizard's console completes names from it, error messages take the nearest valid name from it, and the sandbox
lets a query read these tables and nothing else. Nothing is configured: moving to another domain is pointing at
another database (BBN 1989, section 6.3).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    # Where a schema is only looked at, nobody waits for the database's library.
    from sqlalchemy import Engine


class Column(msgspec.Struct, frozen=True):
    """A column: `kind` is `text`, `integer` or `number`."""

    name: str
    kind: str = "text"


class TableSchema(msgspec.Struct, frozen=True):
    """A table with its columns in order, its primary key and its foreign keys as (column, table, column)."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    references: tuple[tuple[str, str, str], ...] = ()


class Schema(msgspec.Struct, frozen=True):
    """The tables of a domain database, in alphabetical order."""

    tables: tuple[TableSchema, ...]

    @property
    def table_names(self) -> tuple[str, ...]:
        return tuple(table.name for table in self.tables)

    def columns_of(self, table: str) -> tuple[str, ...]:
        """Return the column names of one table, whatever its case; empty when there is no such table."""
        wanted = table.casefold()
        return tuple(
            column.name for entry in self.tables if entry.name.casefold() == wanted for column in entry.columns
        )

    def completions(self, prefix: str, statement: str = "") -> tuple[str, ...]:
        """Names that begin with `prefix`: `table.` gives its columns; columns of tables in `statement` come first."""
        table, dot, start = prefix.rpartition(".")
        if dot:
            return tuple(f"{table}.{name}" for name in self.columns_of(table) if _begins(name, start))
        mentioned = self.mentioned(statement)
        near = [name for one in mentioned for name in self.columns_of(one)]
        far = [column.name for one in self.tables for column in one.columns]
        found = dict.fromkeys([*near, *self.table_names, *far])
        return tuple(name for name in found if _begins(name, prefix))

    def mentioned(self, statement: str) -> tuple[str, ...]:
        """Return the tables whose names occur in a statement."""
        words = {word.casefold() for word in re.findall(r"\w+", statement)}
        return tuple(name for name in self.table_names if name.casefold() in words)

    def nearest_table(self, name: str) -> str | None:
        return _nearest(name, self.table_names)

    def nearest_column(self, name: str, statement: str = "") -> str | None:
        """Return the valid column most like `name`, those of the tables that the statement mentions before all others."""
        near = [column for table in self.mentioned(statement) for column in self.columns_of(table)]
        far = [column.name for table in self.tables for column in table.columns]
        return _nearest(name, near) or _nearest(name, far)


def reflect(engine: Engine, schema: str | None = None) -> Schema:
    """Reads the schema of the database behind an engine; raises what SQLAlchemy raises when it cannot be reached."""
    from sqlalchemy import inspect

    inspector = inspect(engine)
    names = sorted([*inspector.get_table_names(schema), *inspector.get_view_names(schema)])
    return Schema(tuple(_table(inspector, name, schema) for name in names))


def _table(inspector: object, name: str, schema: str | None) -> TableSchema:
    read: Any = inspector
    columns = tuple(
        Column(get_column["name"], _kind(get_column["type"])) for get_column in read.get_columns(name, schema)
    )
    key = tuple(read.get_pk_constraint(name, schema).get("constrained_columns") or ())
    references = tuple(
        (here, key["referred_table"], there)
        for key in read.get_foreign_keys(name, schema)
        for here, there in zip(key["constrained_columns"], key["referred_columns"], strict=True)
    )
    return TableSchema(name, columns, key, references)


def _kind(type_: object) -> str:
    from sqlalchemy.types import Float, Integer, Numeric

    if isinstance(type_, Integer):
        return "integer"
    return "number" if isinstance(type_, Numeric | Float) else "text"


def _begins(name: str, prefix: str) -> bool:
    return name.casefold().startswith(prefix.casefold())


def _nearest(name: str, valid: Iterable[str]) -> str | None:
    folded = {candidate.casefold(): candidate for candidate in valid}
    found = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    return folded[found[0]] if found else None
