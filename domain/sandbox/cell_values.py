"""From what a driver gives to what an answer may hold, counted while it comes in.

An answer crosses a wire, is in a log and is compared with others, so its values are strings, numbers, truth values and
nothing; a string of digits stays a string (BBN 1989, appendix A). Counting while fetching keeps a query that gives too much
from filling the memory first.
"""

import datetime
import math
from collections.abc import Sequence
from decimal import Decimal

from domain.sandbox.statement_guard import Limits
from session.values.answers import FailureKind, QueryFailure, Table, Value

_WIDEST = 2**63
_LARGEST_EXPONENT = 308  # beyond it a decimal is no float, and far beyond it no integer that Python writes


def value_of(raw: object) -> Value:
    """Return a driver's value as an answer holds it: dates in ISO form, bytes in hexadecimal, decimals as numbers.

    >>> value_of(Decimal("12")), value_of(Decimal("12.50")), value_of(b"\\x00\\xff"), value_of("007")
    (12, 12.5, '00ff', '007')
    """
    match raw:
        case None | bool() | str():
            return raw
        case int():
            return raw if -_WIDEST <= raw < _WIDEST else str(raw)
        case float():
            return raw if math.isfinite(raw) else str(raw)
        case Decimal():
            return _decimal(raw)
        case bytes() | bytearray() | memoryview():
            return bytes(raw).hex()
        case datetime.date() | datetime.time():
            return raw.isoformat()
        case _:
            return str(raw)


def _decimal(raw: Decimal) -> Value:
    if not raw.is_finite() or abs(raw.adjusted()) > _LARGEST_EXPONENT:
        return str(raw)
    exponent = raw.as_tuple().exponent
    return value_of(int(raw)) if isinstance(exponent, int) and exponent >= 0 else float(raw)


class IncomingRows:
    """Rows coming in, up to the limits."""

    def __init__(self, columns: Sequence[str], limits: Limits) -> None:
        if len(columns) > limits.columns:
            raise QueryFailure(
                FailureKind.TOO_LARGE, f"The query asks for {len(columns)} columns; {limits.columns} are allowed."
            )
        self._columns = tuple(columns)
        self._limits = limits
        self._rows: list[tuple[Value, ...]] = []
        self._bytes = 0
        self._more = False

    def add(self, raw: Sequence[object]) -> bool:
        """Takes one row; False when it is one too many, and no further row is wanted. Raises TOO_LARGE."""
        if len(self._rows) >= self._limits.rows:
            self._more = True
            return False
        row = tuple(value_of(cell) for cell in raw)
        for value in row:
            self._bytes += self._size(value)
        if self._bytes > self._limits.bytes:
            raise QueryFailure(
                FailureKind.TOO_LARGE, f"The answer is larger than {self._limits.bytes} bytes; ask for fewer columns."
            )
        self._rows.append(row)
        return True

    def table(self) -> Table:
        return Table(self._columns, tuple(self._rows), self._more)

    def _size(self, value: Value) -> int:
        if not isinstance(value, str):
            return 8
        size = len(value.encode("utf-8", "replace"))
        if size > self._limits.value_bytes:
            raise QueryFailure(
                FailureKind.TOO_LARGE, f"A value of the answer is longer than {self._limits.value_bytes} bytes."
            )
        return size
