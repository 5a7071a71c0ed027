"""Sets of columns by the number of rows that they tell apart, against trying all of them."""

import random
from itertools import combinations

import numpy as np
import pytest

from evaluation.comparator.subsets_by_rows import SubsetsByRows
from evaluation.comparator.work_limit import OutOfWork, WorkMeter


@pytest.mark.parametrize("values", [2, 3, 400])
def test_the_sets_found_are_those_with_as_many_rows(values: int) -> None:
    rng = random.Random(values)
    for _ in range(10):
        wide = sorted({tuple(rng.randrange(values) for _ in range(6)) for _ in range(40)})
        order = rng.sample(range(6), rng.randint(1, 5))
        reference = sorted({tuple(row[j] for j in order) for row in wide})
        a, b = np.array(reference, order="F"), np.array(wide, order="F")
        loose = list(SubsetsByRows(a, b, WorkMeter(10**9), exact=False).sets())
        assert loose == [
            list(kept)
            for kept in combinations(range(6), len(order))
            if len({tuple(row[j] for j in kept) for row in wide}) == len(reference)
        ]
        strict = list(SubsetsByRows(a, b, WorkMeter(10**9), exact=True).sets())
        assert sorted(order) in strict
        assert all(kept in loose for kept in strict)


def test_too_many_sets_are_not_begun_and_the_limit_holds() -> None:
    wide = np.asfortranarray(np.random.default_rng(1).integers(0, 2, (500, 14)))
    assert not SubsetsByRows(wide[:9, :7], wide, WorkMeter(100), exact=True).possible
    with pytest.raises(OutOfWork):
        list(SubsetsByRows(wide[:300, :7], wide, WorkMeter(100), exact=True).sets())
