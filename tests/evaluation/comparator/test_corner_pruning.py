"""Sets of columns by the corners of the cube of values, against trying all of them."""

import numpy as np
import pytest

from evaluation.comparator.corner_pruning import Corners
from evaluation.comparator.work_limit import OutOfWork, WorkMeter
from tests.evaluation.columns import instances


@pytest.mark.parametrize(("columns", "values"), [(7, 2), (9, 2), (6, 3)])
def test_no_set_that_holds_the_reference_is_lost_and_each_found_has_its_counts(columns: int, values: int) -> None:
    for instance in instances(columns, values):
        found = Corners(instance.a, instance.b, WorkMeter(10**9)).sets()
        assert found is not None
        sets = list(found)
        assert sorted(instance.order) in sets
        assert all(one in instance.alike for one in sets)


def test_corners_tell_what_counts_do_not() -> None:
    a = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]], order="F")
    b = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1]], order="F")
    found = Corners(a, b, WorkMeter(10**9)).sets()
    assert found is not None
    assert [0, 1, 2] not in list(found)


def test_many_values_or_columns_are_left_to_others_and_the_limit_holds() -> None:
    rng = np.random.default_rng(1)
    many, binary = (np.asfortranarray(rng.integers(0, size, (500, 14))) for size in (9, 2))
    assert not Corners(many[:9, :7], many, WorkMeter(100)).possible
    assert Corners(binary[:9, :7], binary, WorkMeter(100)).possible
    with pytest.raises(OutOfWork):
        Corners(binary[:300, :7], binary, WorkMeter(100)).sets()
