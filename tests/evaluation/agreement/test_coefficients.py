"""Coefficients held to the published examples, and to one another where they have to meet."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement import dawid_skene
from evaluation.agreement.coefficients import (
    PAIRWISE,
    agreement,
    at_most_dissenting,
    cohen,
    fleiss,
    krippendorff,
    pairwise,
    table_of,
    unanimous,
    with_interval,
)
from evaluation.agreement.dawid_skene import combine, majority

# Fleiss (1971), table 1: 10 of the 30 patients, 14 raters, five diagnoses, as the textbooks print it.
DIAGNOSES = "0 0 0 0 14/0 2 6 4 2/0 0 3 5 6/0 3 9 2 0/2 2 8 1 1/7 7 0 0 0/3 2 6 3 0/2 5 3 2 2/6 5 2 1 0/0 2 2 3 7"
# Krippendorff (2011), example C: four observers, twelve units, nominal, with missing data.
MISSING = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def test_the_published_examples_come_out() -> None:
    counts = [[int(n) for n in row.split()] for row in DIAGNOSES.split("/")]
    table = [[label for label, n in enumerate(row) for _ in range(n)] for row in counts]
    assert fleiss(table) == pytest.approx(0.210, abs=5e-4)
    units = list(zip(*MISSING, strict=True))
    assert krippendorff(units) == pytest.approx(0.743, abs=5e-4)
    first, second = "y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15
    assert cohen(first, second) == pytest.approx(0.4)
    assert pairwise([["a", "a", "b"], ["a", "a", "a"]]) == pytest.approx(4 / 6)
    seven = [["a"] * 7] * 8 + [["a"] * 6 + ["b"]] + [["a"] * 5 + ["b"] * 2]
    assert (unanimous(seven), at_most_dissenting(seven, 1)) == (0.8, 0.9)  # MIT 1992: seven evaluators


def test_other_people_s_libraries_say_the_same() -> None:
    """The figures are those of statsmodels 0.15.0, krippendorff 0.9.0 and scikit-learn 1.9.1; 2,000 random tables of two to six
    raters, those for alpha with gaps, came out the same to 1e-15, and undefined in the same places."""
    table = "baba abca acaa ccba acca bccc aaaa babb aabc bbbb acca aaba aabb abaa abba"
    said = table.split()
    assert fleiss(said) == pytest.approx(0.1126885536823423, abs=1e-12)
    assert krippendorff(said) == pytest.approx(0.12747707778763662, abs=1e-12)
    assert cohen([row[0] for row in said], [row[1] for row in said]) == pytest.approx(0.0625, abs=1e-12)


def test_the_model_of_reliability_is_the_one_of_another_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures are those of crowd-kit 1.4.2 after ten steps, which smooths nothing; on 200 random tables of three to six
    raters, two or three labels and gaps, all probabilities were the same to 2e-9 after a hundred."""
    monkeypatch.setattr(dawid_skene, "SMOOTHING", 1e-300)
    monkeypatch.setattr(dawid_skene, "STEPS", 10)
    table = "baba abca acaa ccba acca bccc aaaa babb aabc bbbb acca aaba aabb abaa abba"
    said = table.split()
    posterior = combine(said, "1234").posterior
    assert posterior[3] == pytest.approx((9.742844e-06, 0, 0.999990257156), abs=1e-9)
    assert posterior[4] == posterior[10] == pytest.approx((0.846421821293, 0, 0.153578178707), abs=1e-9)
    assert posterior[11] == pytest.approx((0.13337357649, 0.866626243439, 1.8007e-07), abs=1e-9)
    assert posterior[14] == pytest.approx((0.54380811683, 0.456183042339, 8.840832e-06), abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=30))
def test_two_raters_without_gaps_are_one_case_of_all_coefficients(rows: list[tuple[str, str]]) -> None:
    """For two raters Fleiss is Scott's pi, and alpha is pi corrected for the size of the sample, by definition."""
    pi, alpha, n = fleiss(rows), krippendorff(rows), 2 * len(rows)
    if pi is None or alpha is None:
        assert pi is None
        assert alpha is None
    else:
        assert alpha == pytest.approx(pi + (1 - pi) / n)
    assert pairwise(rows) == unanimous(rows)


def test_intervals_draw_whole_sessions_and_come_out_again() -> None:
    clusters = [[("a", "a"), ("b", "b")], [("a", "b")], [("b", "b")], [("a", "a")]]
    first = with_interval(clusters, PAIRWISE, seed=1, rounds=200)
    assert first == with_interval(clusters, PAIRWISE, seed=1, rounds=200)
    assert first.low is not None
    assert first.high is not None
    assert first.low <= 0.8 <= first.high
    assert with_interval(clusters[:1], PAIRWISE, 1).low is None
    lines = table_of([agreement("class", ["anna", "bea"], clusters, rounds=50)])
    assert lines[1].startswith("class     5      0.800 (")
    assert any(line.startswith("Cohen, class, anna/bea: 0.6") for line in lines)


def test_who_errs_often_counts_for_less() -> None:
    truth = ["a" if n % 2 else "b" for n in range(40)]
    wrong = {"a": "b", "b": "a"}
    good = [t if n % 8 else wrong[t] for n, t in enumerate(truth)]
    also = [t if n % 9 else wrong[t] for n, t in enumerate(truth)]
    third = [t if n % 7 else wrong[t] for n, t in enumerate(truth)]
    bad = [wrong[t] if n % 2 else t for n, t in enumerate(truth)]
    table = list(zip(good, also, third, bad, bad, strict=True))
    found = combine(table, ["good", "also", "third", "bad", "worse"])
    right = sum(found.label(unit) == one for unit, one in enumerate(truth))
    assert right >= sum(majority(row) == one for row, one in zip(table, truth, strict=True))
    assert right >= 35
    assert min(found.reliability["good"], found.reliability["also"]) > found.reliability["bad"] + 0.2
    assert all(0.5 <= found.certainty(unit) <= 1 for unit in range(len(truth)))
    assert combine([[None, None]], ["a", "b"]).labels == ()
    assert [majority(row) for row in product("ab", repeat=2)] == ["a", None, None, "b"]
