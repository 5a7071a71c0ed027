"""Numbers as people say them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.english.text.numbers import digits, ordinal, quantity, under_hundred


@pytest.mark.parametrize(
    ("said", "value", "length"),
    [
        ("seven", 7, 1),
        ("seventy seven", 77, 2),
        ("two hundred and fifty thousand", 250_000, 5),
        ("a hundred", 100, 2),
        ("seventeen hundred", 1700, 2),
        ("50 thousand", 50_000, 2),
        ("12.5", 12.5, 1),
        ("40k", 40_000, 1),
        ("twenty books", 20, 1),
    ],
)
def test_quantities(said: str, value: float, length: int) -> None:
    assert quantity(said.split(), 0) == (value, length)


@pytest.mark.parametrize("said", ["books", "", "oh", "and five"])
def test_what_is_no_quantity(said: str) -> None:
    assert quantity(said.split(), 0) is None


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("four seventeen", 417),
        ("one oh two", 102),
        ("nineteen ninety one", 1991),
        ("five five five", 555),
        ("four hundred and nine", 409),
        ("825", 825),
    ],
)
def test_numbers_said_in_pieces(said: str, value: int) -> None:
    assert digits(said.split(), 0) == (value, len(said.split()))


@pytest.mark.parametrize(("said", "value"), [("third", 3), ("twenty third", 23), ("23rd", 23), ("thirtieth", 30)])
def test_ordinals(said: str, value: int) -> None:
    assert ordinal(said.split(), 0) == (value, len(said.split()))


@given(st.integers(0, 99))
def test_every_number_under_a_hundred_is_read_as_digits(number: int) -> None:
    assert under_hundred([str(number)], 0) == (number, 1)
