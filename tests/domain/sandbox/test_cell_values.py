"""Driver values as answers hold them, and counting while they come in."""

import datetime
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.sandbox.cell_values import IncomingRows, value_of
from domain.sandbox.statement_guard import Limits
from session.values.answers import FailureKind, QueryFailure, Value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (None, None),
        (True, True),
        ("1355", "1355"),
        (1355, 1355),
        (2**63, "9223372036854775808"),
        (1.5, 1.5),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
        (Decimal("12"), 12),
        (Decimal("12.50"), 12.5),
        (Decimal("1E+3"), 1000),
        (Decimal("NaN"), "NaN"),
        (b"\x00\xff", "00ff"),
        (memoryview(b"a"), "61"),
        (datetime.date(1992, 2, 29), "1992-02-29"),
        (datetime.datetime(1992, 2, 29, 8, 5), "1992-02-29T08:05:00"),  # noqa: DTZ001
        (datetime.time(8, 5), "08:05:00"),
        (datetime.timedelta(minutes=90), "1:30:00"),
        ([1, 2], "[1, 2]"),
    ],
)
def test_a_value_of_every_driver_type(raw: object, value: Value) -> None:
    converted = value_of(raw)
    assert converted == value
    assert type(converted) is type(value)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.decimals()))
def test_every_value_crosses_the_wire_unchanged(raw: object) -> None:
    value = value_of(raw)
    assert msgspec.json.decode(msgspec.json.encode(value)) == value


def test_rows_stop_at_their_limit_and_say_that_there_were_more() -> None:
    rows = IncomingRows(["a"], Limits(rows=2))
    assert [rows.add((number,)) for number in range(3)] == [True, True, False]
    assert rows.table().rows == ((0,), (1,))
    assert rows.table().more


def test_bytes_are_counted_as_they_are_sent() -> None:
    rows = IncomingRows(["a"], Limits(bytes=20))
    rows.add(("é" * 10,))
    with pytest.raises(QueryFailure) as caught:
        rows.add(("x",))
    assert caught.value.kind is FailureKind.TOO_LARGE
