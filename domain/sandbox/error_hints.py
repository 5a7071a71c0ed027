"""Turns a database's complaint into one sentence that names what is wrong and the nearest thing that would be right."""

import re

from domain.sandbox.database_schema import Schema

_LONGEST = 200
_TABLE = re.compile(
    r"no such table: (\S+)|relation \"([^\"]+)\" does not exist|missing FROM-clause entry for table \"([^\"]+)\""
)
_COLUMN = re.compile(r"no such column: (\S+)|column \"?([^\" ]+)\"? does not exist")
_ALIAS = re.compile(r"\b(?:from|join|,)\s*(\w+)\s+(?:as\s+)?(\w+)", re.IGNORECASE)
_KEYWORDS = "where on group order join left inner cross natural limit union using having"
_NOT_ALIASES = frozenset(_KEYWORDS.split())


def explained(complaint: str, sql: str, schema: Schema) -> str:
    """Return a one-line explanation of why the database rejects a statement."""
    line = " ".join(complaint.split("\n")[0].split())[:_LONGEST].rstrip(".")
    table = _TABLE.search(line)
    if table:
        return _no_table(next(filter(None, table.groups())), sql, schema)
    column = _COLUMN.search(line)
    if column:
        return _no_column(next(filter(None, column.groups())), sql, schema)
    return f"The query is not well formed: {line}."


def _no_table(name: str, sql: str, schema: Schema) -> str:
    bare = name.rpartition(".")[2]
    near = schema.nearest_table(bare)
    return f"There is no table {bare}." + (f" Did you mean {near}?" if near else "")


def _no_column(name: str, sql: str, schema: Schema) -> str:
    owner, _, bare = name.rpartition(".")
    table = _aliases(sql).get(owner.casefold(), owner)
    own = schema.columns_of(table)
    if own:
        near = _within(bare, table, schema)
        return f"The table {table} has no column {bare}." + (f" Did you mean {near}?" if near else _listed(own))
    near = schema.nearest_column(bare, sql)
    return f"There is no column {name}." + (f" Did you mean {near}?" if near else "")


def _within(column: str, table: str, schema: Schema) -> str | None:
    return Schema(tuple(entry for entry in schema.tables if entry.name.casefold() == table.casefold())).nearest_column(
        column
    )


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:30])
    return f" There are: {shown}." if shown else ""


def _aliases(sql: str) -> dict[str, str]:
    return {alias.casefold(): table for table, alias in _ALIAS.findall(sql) if alias.casefold() not in _NOT_ALIASES}
