"""Drafts of reference answers: the rows of a wizard's query, in CAS, for annotators.

Whoever writes them has the rows, anyone who verifies them the log's table: both come to the same text here.
"""

import re
import unicodedata

import msgspec

from corpus.formats import cas
from session.values.answers import Table, Value
from session.values.sanitize import inert

_STRUCTURE = str.maketrans({"[": "(", "]": ")", ",": " ", "\n": "\n "})
_UNLIKE = re.compile(r"[a-z]|-0\.0(?![0-9])")  # exponents, and a zero that CAS writes without a sign


def rows_text(table: Table) -> str:
    """The rows as a draft has them; what a string of CAS cannot hold (double quotes, control characters) is replaced."""
    rows = tuple(tuple(_expressible(value) for value in row) for row in table.rows)
    return cas.render(cas.answer_of(Table(table.columns, rows, table.more), mixed_as_strings=True))


def rows_of_log(table: str) -> str:
    """Return the rows out of the table of a log, where no column holds strings and other values too: there quotes are missing.

    Raises ValueError for what is not a table.
    """
    rows = table.partition("\n")[2]
    if not rows:
        return "()"
    if "\\" not in rows and ((rows.isascii() and "\x7f" not in rows) or inert(rows, newlines="keep") == rows):
        parts = rows.split('"')  # structure and strings by turns
        outside = "\0".join(parts[::2]).translate(_STRUCTURE)
        outside = outside.replace("null", "NIL").replace("true", "TRUE").replace("false", "FALSE")
        if not _UNLIKE.search(outside):
            parts[::2] = outside.split("\0")
            return "(" + '"'.join(parts) + ")"
    columns, *lines = table.split("\n")
    decoded = tuple(msgspec.json.decode(line, type=tuple[Value, ...]) for line in lines)
    return rows_text(Table(msgspec.json.decode(columns, type=tuple[str, ...]), decoded))


def _expressible(value: Value) -> Value:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", inert(value)).replace('"', "'")
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
