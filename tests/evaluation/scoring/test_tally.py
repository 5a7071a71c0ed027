"""Tallies and what is computed from them: the printed vectors, intervals, and tests of differences."""

from itertools import product
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.attempts import AttemptEnd, Try, attempt, shares
from corpus.analysis.distribution import half_width
from evaluation.scoring.significance import mcnemar, permutation, speaker_interval
from evaluation.scoring.tally import Tally, difference_half_width


@pytest.mark.parametrize(
    ("tally", "error", "score"),
    [
        (Tally(10, 0, 0), 0, 100),
        (Tally(0, 10, 0), 200, -100),
        (Tally(0, 0, 10), 100, 0),
        (Tally(5, 3, 2), 80, 20),
        (Tally(70, 10, 20), 40, 60),
    ],
)
def test_the_vectors_of_weighted_error(tally: Tally, error: float, score: float) -> None:
    assert tally.weighted_error() == error
    assert tally.score() == score


def test_the_weight_is_a_parameter() -> None:
    assert Tally(70, 10, 20).weighted_error(1.25) == 32.5
    assert Tally().weighted_error() is None


@pytest.mark.parametrize(("rate", "trials", "width"), [(0.45, 145, 0.0810), (0.55, 145, 0.0810), (0.18, 145, 0.0625)])
def test_the_half_width_of_note_3(rate: float, trials: int, width: float) -> None:
    assert round(half_width(rate, trials), 4) == width
    assert isclose(difference_half_width(rate, trials), 1.41421356 * half_width(rate, trials), rel_tol=1e-6)


def test_a_difference_needs_more_than_one_rate_does() -> None:
    assert round(difference_half_width(0.45, 145), 3) == 0.115


@given(st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=1, max_size=5))
def test_tallies_add_and_rates_are_taken_once(parts: list[tuple[int, int, int]]) -> None:
    whole = sum((Tally(*part) for part in parts), Tally())
    assert whole.total == sum(map(sum, parts))
    if whole.total:
        pooled = 100 * sum(none + 2 * wrong for _, wrong, none in parts) / whole.total
        assert isclose(whole.weighted_error() or 0.0, pooled)


def test_the_annotated_corpora_add_up() -> None:
    training = {
        "ATT": (457, 497, 295),
        "BBN": (858, 357, 312),
        "CMU": (562, 340, 594),
        "MIT": (663, 680, 414),
        "SRI": (676, 618, 184),
    }
    totals = [sum(column) for column in zip(*training.values(), strict=True)]
    assert totals == [3216, 2492, 1799]
    assert [round(100 * sum(row) / 7507, 1) for row in training.values()] == [16.6, 20.3, 19.9, 23.4, 19.7]
    assert [round(100 * total / 7507, 1) for total in totals] == [42.8, 33.2, 24.0]
    assert round(100 * (totals[0] + totals[1]) / 7507, 1) == 76.0
    test = {"ATT": (48, 41, 111), "BBN": (97, 27, 77), "CMU": (76, 66, 58), "MIT": (100, 67, 34), "SRI": (106, 46, 48)}
    totals = [sum(column) for column in zip(*test.values(), strict=True)]
    assert totals == [427, 247, 328]
    assert round(100 * (totals[0] + totals[1]) / 1002, 1) == 67.3


def test_both_shares_of_1989() -> None:
    ends = [attempt([Try(True)], in_scope=True)] * 67 + [attempt([Try(False), Try(True)], in_scope=True)] * 27
    found = shares([*ends, *[attempt([Try(False)], in_scope=True)] * 6, *[attempt([Try(True)], in_scope=False)] * 5])
    assert (round(found.unaided or 0, 1), round(found.with_wizard or 0, 1)) == (67.0, 94.0)
    assert found.text() == (
        "67.0 % at the first try (57.3 to 75.4), 94.0 % with the wizard (87.5 to 97.2), of 100 requests in scope; 5 out of scope"
    )
    assert attempt([], in_scope=True) is AttemptEnd.UNANSWERED
    assert shares([]).text() == "no request in scope"


def test_mcnemar_is_the_exact_binomial_test() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(0, 5) == mcnemar(5, 0) == 2 / 32
    assert isclose(mcnemar(1, 9), 2 * 11 / 1024)
    assert mcnemar(5, 5) == 1.0


def test_the_permutation_test_counts_all_sign_patterns_of_few_sessions() -> None:
    sums = {"a": [1.0, 1.0], "b": [3.0], "c": [-1.0], "d": [0.5]}
    values = [2.0, 3.0, -1.0, 0.5]
    reached = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) >= 4.5 for signs in product((1, -1), repeat=4)
    ]
    assert permutation(sums, seed=1) == sum(reached) / 16
    many = {str(n): [1.0] for n in range(20)}
    assert permutation(many, seed=1) == permutation(many, seed=1) < 0.001


def test_the_interval_of_speakers_is_reproducible_and_wider_when_they_differ() -> None:
    alike = speaker_interval([(5, 10)] * 8, seed=3)
    apart = speaker_interval([(0, 10), (10, 10)] * 4, seed=3)
    assert alike == (0.5, 0.5)
    assert apart is not None
    assert apart[0] < 0.3 < 0.7 < apart[1]
    assert speaker_interval([(0, 10), (10, 10)] * 4, seed=3) == apart
    assert speaker_interval([(1, 2)], seed=3) is None
