"""The rows of a query as a log holds them: JSON, one line for the columns and one a row, so that every value keeps its type."""

import re

import msgspec

from session.values.answers import Table, Value

_HALVES = re.compile("[\ud800-\udfff]")


def table_text(table: Table) -> str:
    """Return a table as text."""
    rows = ([_encodable(value) for value in row] for row in (table.columns, *table.rows))
    return "\n".join(msgspec.json.encode(row).decode() for row in rows)


def table_of(text: str) -> Table:
    """Return the table of such a text; one without columns for none.

    >>> table_of(table_text(Table(("code", "seats"), (("BOS", 2), (None, 1.5)))))
    Table(columns=('code', 'seats'), rows=(('BOS', 2), (None, 1.5)), more=False)
    """
    columns, *rows = [msgspec.json.decode(line) for line in text.splitlines()] or [[]]
    return Table(tuple(columns), tuple(map(tuple, rows)))


def _encodable(value: Value) -> Value:
    """Half of a surrogate pair, which is not a character, is replaced by U+FFFD."""
    return _HALVES.sub("\ufffd", value) if isinstance(value, str) else value
