"""Columns and rows narrowed down together, and patterns of dense maxima: the verdicts are those of trying all mappings."""

import random

import pytest

from corpus.formats.cas import Answer, Relation, Row
from evaluation.comparator.comparison import Verdict, compare
from evaluation.comparator.options import Options
from tests.evaluation.oracle import maximum_holds, minimum_holds


def drawn(rng: random.Random, columns: int, rows: int, values: int) -> list[Row]:
    return [tuple(rng.randrange(values) for _ in range(columns)) for _ in range(rows)]


def answer(rows: list[Row]) -> Answer:
    return Answer((Relation(tuple(rows)),))


@pytest.fixture(autouse=True)
def without_the_first_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.comparator.search_plan.FIRST_TRY", 0)
    monkeypatch.setattr("evaluation.comparator.comparison.quickly", lambda *_: None)


@pytest.mark.parametrize("values", [2, 3])
@pytest.mark.parametrize("seed", range(150))
def test_both_bounds_are_met_where_trying_all_mappings_says_so(seed: int, values: int) -> None:
    rng = random.Random(seed)
    wide, narrow = rng.randint(2, 5), rng.randint(1, 4)
    most = drawn(rng, wide, rng.randint(3, 14), values)
    kept = rng.sample(range(wide), min(narrow, wide))
    given = [tuple(row[j] for j in kept) for row in rng.sample(most, rng.randint(2, len(most)))]
    if rng.random() < 0.5:
        given[0] = tuple(1 - min(1, value) for value in given[0])  # type: ignore[operator, type-var]
    asked = rng.randint(1, 1 + len(kept) // 2)
    least = [row[:asked] for row in given]
    other = drawn(rng, len(least[0]), len(least), values) if rng.random() < 0.3 else least
    found = compare(answer(other), answer(given), answer(most)).verdict
    right = minimum_holds(other, given, Options()) and maximum_holds(given, most, Options())
    assert found is (Verdict.CORRECT if right else Verdict.INCORRECT)
