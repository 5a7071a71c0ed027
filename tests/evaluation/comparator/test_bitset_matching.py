"""Pairing by bit sets against pairing spelt out, and columns told apart by colours."""

import random
from decimal import Decimal
from itertools import permutations

import numpy as np
import pytest

from corpus.formats.cas import Row
from evaluation.comparator.bitset_matching import PreparedColumns
from evaluation.comparator.colour_refinement import Refinement
from evaluation.comparator.options import Near, Options
from evaluation.comparator.row_pairing import distinct_rows, pack, pairing
from evaluation.comparator.value_codes import PairCodes
from evaluation.comparator.work_limit import OutOfWork, WorkMeter
from tests.evaluation.oracle import normal, same_tuples

LOOSE = Options(tolerance="0.1", near=Near.APART)


def made(rng: random.Random, rows: int) -> tuple[Row, ...]:
    return tuple((Decimal(rng.randrange(100, 130)) / 100, rng.choice([10, 11, Decimal("10.9")])) for _ in range(rows))  # type: ignore[misc]


def test_rows_are_paired_exactly_when_they_can_be() -> None:
    rng = random.Random(7)
    outcomes = {True: 0, False: 0}
    for _ in range(600):
        a = made(rng, rng.randint(2, 5))
        b = (
            tuple((one * Decimal(rng.choice(["1", "1.05", "0.95", "1.2"])), two) for one, two in a)  # type: ignore[operator]
            if rng.random() < 0.7
            else made(rng, len(a))
        )
        expected = same_tuples(normal(a, LOOSE), normal(b, LOOSE), LOOSE)
        coding = PairCodes(a, b, LOOSE, a_is_reference=True)
        found = pairing(coding, WorkMeter(10**6), PreparedColumns(len(coding.b), WorkMeter(10**6)))
        outcomes[expected] += 1
        assert (found is None or (found.alone() is None and found.perfect())) == expected, (a, b)
    assert min(outcomes.values()) > 100


def test_a_row_that_nothing_fits_is_named() -> None:
    a: tuple[Row, ...] = ((Decimal("1.0"),), (Decimal("5.0"),))
    b: tuple[Row, ...] = ((Decimal("1.05"),), (Decimal("9.0"),))
    coding = PairCodes(a, b, LOOSE, a_is_reference=True)
    found = pairing(coding, WorkMeter(10**6), PreparedColumns(2, WorkMeter(10**6)))
    assert found is not None
    assert found.alone() == 1
    assert found.untouched() == 1
    found = pairing(coding, WorkMeter(10**6), PreparedColumns(2, WorkMeter(1)))
    assert found is not None
    with pytest.raises(OutOfWork):
        found.perfect()


def test_distinct_rows_of_wide_codes() -> None:
    rows = np.array([[2**40, 5, 2**40], [1, 5, 2], [2**40, 5, 2**40], [1, 5, 3]], order="F")
    assert distinct_rows(rows).tolist() == [0, 1, 3]
    assert len(set(pack(rows).tolist())) == 3


def test_colours_never_forbid_a_mapping_that_holds() -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        a = np.unique(rng.integers(0, 2, (12, 4)), axis=0)
        order = rng.permutation(4)
        b = a[rng.permutation(len(a))][:, order]
        allowed = Refinement(a, b).columns({})
        assert allowed is not None
        rows = {tuple(row) for row in a.tolist()}
        for places in permutations(range(4)):
            if {tuple(row[j] for j in places) for row in b.tolist()} == rows:
                assert all(j in allowed[i] for i, j in enumerate(places))


def test_colours_tell_apart_what_counts_do_not() -> None:
    a = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 1], [1, 1, 0]])
    b = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 1]])
    assert Refinement(a, b).columns({}) is None
    columns = Refinement(a, a).columns({})
    assert columns is not None
    assert columns[0] == [0]
