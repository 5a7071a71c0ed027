"""Numbers become integers exactly, whether 64 bits hold them or not."""

import random
from decimal import Decimal
from fractions import Fraction

import pytest

from evaluation.comparator.exact_numbers import Number, ranked

FAST: list[Number] = [Decimal("1.0"), 1, Decimal("-0.25"), Decimal("1E3"), 0, Decimal("-0.0"), 1000, Decimal("12.125")]
LONG: list[Number] = [Decimal("1.00000000000000000000000001"), Decimal("1.0"), 10**30, Decimal("-1E-20"), -(2**63), 1]
LATE: list[Number] = [*(Decimal(value) / 10 for value in range(100)), Decimal("0.12345")]


@pytest.mark.parametrize(
    "numbers", [FAST, LONG, LATE, [], [2**62 + 5, 1, 2**62 + 4], [Decimal("1E+40"), Decimal("0.5")]]
)
def test_ranks_are_those_of_the_exact_values(numbers: list[Number]) -> None:
    found = ranked(numbers)
    values = sorted({Fraction(number) for number in numbers})
    assert found.ranks.tolist() == [values.index(Fraction(number)) for number in numbers]
    assert [Fraction(numbers[place]) for place in found.first.tolist()] == values
    assert all(numbers.index(numbers[place]) == place for place in found.first.tolist())


@pytest.mark.parametrize("numbers", [FAST, LONG, LATE])
def test_one_scale_serves_all(numbers: list[Number]) -> None:
    found = ranked(numbers)
    values = sorted({Fraction(number) for number in numbers})
    ratios = {Fraction(int(one)) / value for one, value in zip(found.scaled.tolist(), values, strict=True) if value}
    assert len(ratios) == 1


def test_decimals_of_any_length_are_told_apart() -> None:
    rng = random.Random(3)
    for _ in range(200):
        numbers: list[Number] = [Decimal(rng.randrange(-50, 50)).scaleb(-rng.randrange(25)) for _ in range(6)]
        values = sorted({Fraction(number) for number in numbers})
        assert ranked(numbers).ranks.tolist() == [values.index(Fraction(number)) for number in numbers]
