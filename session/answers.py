"""What a database gave back and what the subject is to see of it.

One layout function serves the wizard's preview, the subject's screen and the log, so that the three cannot differ
(MADCOW 1992, section 2.2: results are previewed before they are released).
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from session.inert import cells, clip, inert
from session.reading import ColumnReading, Reading
from session.reading import Value as Value

GAP = "  "
NARROWEST = 4
LONGEST_CELL = 60


class Table(msgspec.Struct, frozen=True):
    """Rows of a result, every row as long as `columns`; `more` says that the database had further rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    more: bool = False


class FailureKind(StrEnum):
    """Why a query gave no rows at all; a query that finds nothing is no failure but an empty `Table`."""

    NOT_UNDERSTOOD = "not_understood"
    SYNTAX = "syntax"
    FORBIDDEN = "forbidden"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    CANCELLED = "cancelled"
    UNAVAILABLE = "unavailable"


class QueryFailure(Exception):
    """The one error that a database or an English engine raises for a request that it cannot answer.

    `question` is what a system would ask the subject back, if it knows.
    """

    def __init__(self, kind: FailureKind, message: str, question: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.question = question


def rows_of(columns: Sequence[str], rows: Sequence[Sequence[Value]], more: bool = False) -> Table:
    """A `Table` out of any sequences; raises ValueError when a row is not as long as `columns`."""
    for number, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} values for {len(columns)} columns")
    return Table(tuple(columns), tuple(tuple(row) for row in rows), more)


def compose(
    table: Table, width: int, rows_shown: int, *, reading: Reading = (), expand: bool = False, summary: str = ""
) -> str:
    """The text of an answer, its lines at most `width` columns wide, saying in words whatever was left out.

    At most `rows_shown` rows; columns that do not fit are dropped from the right and counted, cells that do not fit end
    in an ellipsis. `reading` says how its columns are written, codes in words only with `expand`; a `summary` of the question
    stands above it. Same arguments: same text.
    """
    width = max(width, NARROWEST)
    readings = tuple(reading[: len(table.columns)])
    readings += (ColumnReading(),) * (len(table.columns) - len(readings))
    return "\n".join([*_summary(summary, width), *_body(table, width, rows_shown, readings, expand)])


def _body(table: Table, width: int, rows_shown: int, readings: Reading, expand: bool) -> list[str]:
    if not table.rows:
        return [clip("No matching entries were found.", width)]
    headings = [_heading(column, each) for column, each in zip(table.columns, readings, strict=True)]
    if len(table.columns) == 1 and len(table.rows) == 1 and not table.more:
        return [clip(f"{headings[0]}: {readings[0].read(table.rows[0][0], expand)}", width)]
    kept = table.rows[:rows_shown]
    texts = [headings, *([each.read(value, expand) for value, each in zip(row, readings, strict=True)] for row in kept)]
    widths, dropped = _fit(_natural_widths(texts), width)
    numeric = [_is_numeric(kept, index, readings[index], expand) for index in range(len(widths))]
    lines = [_line(row, widths, numeric) for row in texts]
    lines.insert(1, GAP.join("-" * each for each in widths))
    return [clip(line, width) for line in [*lines, *_remarks(table, len(kept), dropped)]]


def _is_numeric(rows: Sequence[tuple[Value, ...]], index: int, reading: ColumnReading, expand: bool) -> bool:
    return not (expand and reading.codes) and all(isinstance(row[index], int | float | None) for row in rows)


def _heading(column: str, reading: ColumnReading) -> str:
    return inert(reading.heading or column.replace("_", " "))


def _summary(text: str, width: int) -> list[str]:
    """The question in words, broken between words, and an empty line; nothing for no text."""
    words = inert(text).split()
    if not words:
        return []
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".lstrip()
        if cells(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    first = lines[0]
    return [*(clip(line, width) for line in [first[:1].upper() + first[1:], *lines[1:]]), ""]


def _natural_widths(texts: list[list[str]]) -> list[int]:
    return [min(max(cells(row[index]) for row in texts), LONGEST_CELL) for index in range(len(texts[0]))]


def _fit(natural: list[int], width: int) -> tuple[list[int], int]:
    """Widths of the columns that fit, and how many were dropped from the right."""
    count = len(natural)
    while count > 1 and sum(min(each, NARROWEST) for each in natural[:count]) + len(GAP) * (count - 1) > width:
        count -= 1
    widths = natural[:count]
    surplus = sum(widths) + len(GAP) * (count - 1) - width
    while surplus > 0 and max(widths) > NARROWEST:
        widest = max(range(count), key=lambda index: widths[index])
        widths[widest] -= 1
        surplus -= 1
    return widths, len(natural) - count


def _line(row: Sequence[str], widths: list[int], numeric: list[bool]) -> str:
    parts = []
    for text, width, right in zip(row, widths, numeric, strict=False):
        shown = clip(text, width)
        space = " " * (width - cells(shown))
        parts.append(space + shown if right else shown + space)
    return GAP.join(parts).rstrip()


def _remarks(table: Table, kept: int, dropped: int) -> list[str]:
    remarks = []
    if table.more:
        remarks.append(f"({kept} rows of more than {len(table.rows)})")
    elif kept < len(table.rows):
        remarks.append(f"({kept} of {len(table.rows)} rows)")
    if dropped:
        remarks.append(f"({dropped} more columns do not fit)")
    return ["", *remarks] if remarks else []


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
