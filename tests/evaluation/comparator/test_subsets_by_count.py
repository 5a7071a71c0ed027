"""Sets of columns that can be the reference's, against trying all of them."""

import numpy as np
import pytest

from evaluation.comparator.subsets_by_count import SubsetsByCount
from evaluation.comparator.work_limit import OutOfWork, WorkMeter
from tests.evaluation.columns import instances


@pytest.mark.parametrize(("columns", "values"), [(7, 2), (9, 2), (5, 3)])
def test_the_sets_found_are_those_with_the_same_tuples_and_counts(columns: int, values: int) -> None:
    for instance in instances(columns, values):
        found = list(SubsetsByCount(instance.a, instance.b, WorkMeter(10**9)).sets())
        assert sorted(instance.order) in found
        assert all(kept in instance.alike for kept in found)
        assert values == 2 or sorted(found) == instance.alike


def test_the_search_for_sets_stops_at_the_work_limit() -> None:
    rng = np.random.default_rng(1)
    wide = np.asfortranarray(np.unique(rng.integers(0, 2, (500, 14)), axis=0))
    with pytest.raises(OutOfWork):
        list(SubsetsByCount(wide[:300, :7], wide, WorkMeter(100)).sets())
