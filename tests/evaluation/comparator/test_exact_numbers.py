"""Numbers become integers exactly, whether 64 bits hold them or not."""

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from evaluation.comparator.exact_numbers import Number, ranked
from evaluation.comparator.options import Options
from evaluation.comparator.value_codes import PairCodes

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


def test_decimals_of_doubles_are_ranked_by_them_and_told_apart_where_one_double_stands_for_two() -> None:
    rng = random.Random(5)
    doubles: list[Number] = [Decimal(repr(rng.random() * 10.0 ** rng.randrange(-9, 9))) for _ in range(400)]
    assert ranked(doubles).scaled.dtype == np.float64
    twin = Decimal("0.12345678901234567")
    for numbers in (
        doubles,
        [*doubles, twin, twin + Decimal("1E-25")],
        [*doubles, Decimal("1E-300"), Decimal("1E+400")],
    ):
        values = sorted({Fraction(number) for number in numbers})
        found = ranked(numbers)
        assert found.ranks.tolist() == [values.index(Fraction(number)) for number in numbers]
        assert len(found.scaled) == len(values)


@pytest.mark.parametrize("tolerance", ["0.0001", "0.3", "0", "0.0000000000000001"])
def test_the_stretches_of_doubles_are_those_of_the_exact_numbers(tolerance: str) -> None:
    rng = random.Random(7)
    numbers: list[Number] = []
    while len(numbers) < 300:
        number = Decimal(repr(rng.uniform(-9, 9)))
        edge = float(number * (1 + Decimal(tolerance) * rng.choice([-1, 1])))
        near = (edge, math.nextafter(edge, 99), math.nextafter(edge, -99))
        numbers += [number, *(Decimal(repr(one)) for one in near)]
    assert ranked(numbers).scaled.dtype == np.float64
    rows = [(number,) for number in numbers]
    coding = PairCodes(rows, rows, Options(tolerance=tolerance), a_is_reference=True)
    exact = sorted({Fraction(number) for number in numbers})
    epsilon = Fraction(tolerance)
    for rank, value in enumerate(exact):
        inside = [place for place, other in enumerate(exact) if abs(other - value) <= epsilon * abs(value)]
        assert (coding.low[rank], coding.high[rank]) == (inside[0], inside[-1])
