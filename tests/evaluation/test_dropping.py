"""Sets of columns that can be the reference's, against trying all of them."""

import random
from itertools import combinations

import numpy as np
import pytest

from evaluation.dropping import Dropping
from evaluation.metering import Meter, OutOfWork


@pytest.mark.parametrize(("columns", "values"), [(7, 2), (9, 2), (5, 3)])
def test_the_sets_found_are_those_with_the_same_tuples_and_counts(columns: int, values: int) -> None:
    rng = random.Random(columns)
    for _ in range(12):
        wide = sorted({tuple(rng.randrange(values) for _ in range(columns)) for _ in range(60)})
        narrow = rng.randint(2, columns - 1)
        order = rng.sample(range(columns), narrow)
        reference = sorted({tuple(row[j] for j in order) for row in wide})
        a, b = np.array(reference, order="F"), np.array(wide, order="F")
        found = list(Dropping(a, b, Meter(10**9)).sets())
        assert sorted(order) in found
        alike = [
            list(kept)
            for kept in combinations(range(columns), narrow)
            if kept_alike(reference, [tuple(row[j] for j in kept) for row in wide])
        ]
        assert all(kept in alike for kept in found)
        assert values == 2 or sorted(found) == alike


def kept_alike(reference: list[tuple[int, ...]], reduced: list[tuple[int, ...]]) -> bool:
    distinct = set(reduced)

    def profile(rows: set[tuple[int, ...]]) -> list[list[int]]:
        return sorted(sorted(column) for column in zip(*rows, strict=True))

    return len(distinct) == len(reference) and profile(distinct) == profile(set(reference))


def test_the_search_for_sets_stops_at_the_work_limit() -> None:
    rng = np.random.default_rng(1)
    wide = np.asfortranarray(np.unique(rng.integers(0, 2, (500, 14)), axis=0))
    with pytest.raises(OutOfWork):
        list(Dropping(wide[:300, :7], wide, Meter(100)).sets())
