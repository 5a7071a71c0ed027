"""Values as numbers."""

import numpy as np
import pytest

from evaluation.comparator.value_codes import distinct


@pytest.mark.parametrize("values", [[], [0], [3, 3], [0, 2, 1, 2], [-1, 5, -1]])
def test_different_values_are_counted_once_in_order(values: list[int]) -> None:
    assert distinct(np.array(values, dtype=np.int64)).tolist() == sorted(set(values))
    unsigned = [abs(value) for value in values]
    assert distinct(np.array(unsigned, dtype=np.uint64)).tolist() == sorted(set(unsigned))
