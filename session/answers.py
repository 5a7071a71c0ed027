"""What a database gave back and what the subject is to see of it.

One layout function serves the wizard's preview, the subject's screen and the log, so that the three cannot differ
(MADCOW 1992, section 2.2: results are previewed before they are released).
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

Value = str | int | float | bool | None


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
    """The one error that a database or an English engine raises for a request that it cannot answer."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def rows_of(columns: Sequence[str], rows: Sequence[Sequence[Value]], more: bool = False) -> Table:
    """A `Table` out of any sequences; raises ValueError when a row is not as long as `columns`."""
    for number, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} values for {len(columns)} columns")
    return Table(tuple(columns), tuple(tuple(row) for row in rows), more)
