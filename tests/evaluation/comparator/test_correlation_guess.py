"""The first guess under a tolerance finds what was planted, and decides pairs on which a search alone gives up."""

import numpy as np
import pytest

from benchmarks.adversarial import Recipe, make
from benchmarks.comparator import timed
from evaluation.comparator.comparison import Verdict
from evaluation.comparator.correlation_guess import guess
from evaluation.comparator.options import Options


def test_columns_that_have_only_moved_a_little_are_found_again() -> None:
    rng = np.random.default_rng(5)
    a = np.asfortranarray(rng.integers(0, 1000, (300, 9)))
    order = rng.permutation(12)
    wide = np.hstack([a, rng.integers(0, 1000, (300, 3))])[:, order]
    b = np.asfortranarray(rng.permutation(wide + rng.integers(-60, 61, wide.shape)))
    places = guess(a, b, 1)[0]
    assert [int(order[place]) for place in places] == list(range(9))


def test_guesses_are_the_same_every_time_and_none_comes_twice() -> None:
    a = np.asfortranarray(np.random.default_rng(1).integers(0, 9, (20, 5)))
    found = guess(a, a, 6)
    assert found == guess(a, a, 6)
    assert found[0] == [0, 1, 2, 3, 4]
    assert len({tuple(places) for places in found}) == len(found)


@pytest.mark.parametrize(("rows", "narrow", "wide", "values"), [(300, 17, 17, 60), (40, 16, 20, 54), (200, 20, 20, 50)])
def test_many_alike_columns_a_tolerance_apart_are_decided(rows: int, narrow: int, wide: int, values: int) -> None:
    pair = make(Recipe("chain", rows, narrow, wide, values, "nothing", 1))
    assert timed(pair, Options(work=300_000))[2] is Verdict.CORRECT
