"""Names of tables and columns as the paths of a domain write them: a sign that stands between names there is written as in a URL.

The column `Nat.` of `Sponsors&Deals` is `Sponsors%26Deals.Nat%2E`. Names without such signs are written as they are.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from sqlalchemy import Column, MetaData, Table

_BETWEEN = re.compile(r"""[.;=&|<>!'"(){},%]""")
_OWNERS = re.compile(r"(?:^|[;=&|])\s*([^.;=&|<>!']+)\.")


def written(name: str) -> str:
    """The name of a table or column, as a path has it."""
    return _BETWEEN.sub(lambda found: f"%{ord(found[0]):02X}", name)


def spelt(name: str) -> str:
    """The name that the database has, of one that a path has."""
    return unquote(name) if "%" in name else name


def table_called(schema: MetaData, name: str) -> Table | None:
    """The table of this name in a path; None where the database has none."""
    return schema.tables.get(spelt(name))


def column_called(schema: MetaData, full: str) -> Column[object] | None:
    """The column of "table.column" in a path; None where the database has none."""
    name, _, column = full.partition(".")
    table = table_called(schema, name)
    return None if table is None else table.c.get(spelt(column))


def tables_in(path: str) -> list[str]:
    """The tables of a path or a test, as it writes them."""
    return [found.strip() for found in _OWNERS.findall(path)]


def one_word(full: str) -> str:
    """A "table.column" in which no blank is left, for where blanks part columns."""
    return full.replace(" ", "%20")
