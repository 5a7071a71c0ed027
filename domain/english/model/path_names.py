"""Table and column names in join paths: characters that separate names in a path are percent-encoded as in a URL.

The column `Nat.` of `Sponsors&Deals` is `Sponsors%26Deals.Nat%2E`. Other names are written unchanged.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from sqlalchemy import Column, MetaData, Table

_BETWEEN = re.compile(r"""[.;=&|<>!'"(){},%]""")
_OWNERS = re.compile(r"(?:^|[;=&|])\s*([^.;=&|<>!']+)\.")


def written(name: str) -> str:
    """Return a table or column name as it is written in a path."""
    return _BETWEEN.sub(lambda found: f"%{ord(found[0]):02X}", name)


def spelt(name: str) -> str:
    """Return the name that the database has for a name from a path."""
    return unquote(name) if "%" in name else name


def table_called(schema: MetaData, name: str) -> Table | None:
    """Return the table with this name in a path, or None."""
    return schema.tables.get(spelt(name))


def column_called(schema: MetaData, full: str) -> Column[object] | None:
    """Return the column for "table.column" in a path, or None."""
    name, _, column = full.partition(".")
    table = table_called(schema, name)
    return None if table is None else table.c.get(spelt(column))


def tables_in(path: str) -> list[str]:
    """Return the tables of a path or test, as written there."""
    return [found.strip() for found in _OWNERS.findall(path)]


def one_word(full: str) -> str:
    """Return "table.column" with blanks encoded, for lists that are separated by blanks."""
    return full.replace(" ", "%20")
