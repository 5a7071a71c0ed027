"""Tables as CSV that a spreadsheet opens without obeying them: UTF-8, commas, names in the first line.

What a person typed may begin as a formula does. Such a cell has an apostrophe before it, which a spreadsheet takes for "this is
text"; a cell that begins with apostrophes and a formula has one more, so that `plain` gives every text back.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from session.values.sanitize import inert

_FORMULA = re.compile(r"'*[=+@-](?!\d*\.?\d*$)")


def cell(value: object) -> str:
    """Return a value as a cell: None is empty, a truth value 0 or 1, a float has six places, a text is inert and no formula.

    >>> cell("=1+1"), cell("-3.5"), cell("'=x"), cell(True), cell(0.5), cell(None)
    ("'=1+1", '-3.5', "''=x", '1', '0.500000', '')
    """
    match value:
        case None:
            return ""
        case bool():
            return str(int(value))
        case float():
            return f"{value:.6f}"
        case _:
            text = inert(str(value))
            return f"'{text}" if _FORMULA.match(text) else text


def plain(text: str) -> str:
    """Return the text of a cell without the apostrophe that made it no formula.

    >>> plain("'=1+1"), plain("''=x"), plain("'tis")
    ('=1+1', "'=x", "'tis")
    """
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def table(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table as text, the names of its columns first.

    >>> table(("who", "said"), [("amy", "@all")])
    "who,said\\namy,'@all\\n"
    """
    return lines([columns, *rows])


def lines(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as lines of a table that has its names already."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()
