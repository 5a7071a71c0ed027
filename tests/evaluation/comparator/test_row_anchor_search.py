"""Asking where rows go finds a mapping exactly where there is one, and refutes what a search by columns gives up."""

import random
from decimal import Decimal
from itertools import permutations

import pytest

from benchmarks.adversarial import Recipe, make
from benchmarks.comparator import timed
from corpus.formats.cas import Row
from evaluation.comparator.column_candidates import candidates
from evaluation.comparator.column_search import Search
from evaluation.comparator.comparison import Verdict
from evaluation.comparator.options import Options
from evaluation.comparator.value_codes import PairCodes
from evaluation.comparator.work_limit import GaveUp, OutOfWork, WorkMeter
from tests.evaluation.oracle import maximum_holds, minimum_holds

LOOSE = Options(tolerance="0.1")


def relation(rng: random.Random, rows: int, columns: int) -> tuple[Row, ...]:
    return tuple(tuple(Decimal(rng.randrange(100, 160)) / 100 for _ in range(columns)) for _ in range(rows))


def moved(rng: random.Random, rows: tuple[Row, ...], wide: int) -> tuple[Row, ...]:
    order = rng.sample(range(wide), wide)
    fresh = []
    for row in rows:
        values = [value * Decimal(rng.choice(["1", "1.05", "0.95"])) for value in row if isinstance(value, Decimal)]
        values += [Decimal(rng.randrange(100, 160)) / 100 for _ in range(wide - len(values))]
        fresh.append(tuple(values[place] for place in order))
    return tuple(fresh)


@pytest.mark.parametrize("both", [True, False])
def test_anchors_agree_with_the_oracle(both: bool) -> None:
    rng = random.Random(f"anchors {both}")
    outcomes = {True: 0, False: 0}
    for _ in range(120):
        narrow = rng.randint(2, 4)
        wide = narrow + rng.randrange(2)
        a = relation(rng, rng.randint(3, 6), narrow)
        b = moved(rng, a, wide) if rng.random() < 0.5 else relation(rng, len(a), wide)
        expected = (minimum_holds if both else maximum_holds)(a, b, LOOSE)
        coding, open_ = candidates(PairCodes(a, b, LOOSE, a_is_reference=both), both=both)
        if not coding.fuzzy:
            continue  # settled before anchors are asked
        found = all(open_) and Search(coding, open_, WorkMeter(10**8), both=both).anchored() is not None
        outcomes[expected] += 1
        assert found == expected, (a, b)
    assert min(outcomes.values()) > 15, outcomes


def test_columns_that_have_one_place_between_them_have_no_mapping() -> None:
    a: tuple[Row, ...] = ((Decimal("1.0"), Decimal("1.05")), (Decimal("1.5"), Decimal("1.45")))
    b: tuple[Row, ...] = ((Decimal("1.02"), Decimal("9.0")), (Decimal("1.48"), Decimal("9.1")))
    coding = PairCodes(a, b, LOOSE, a_is_reference=True)
    assert Search(coding, [[0], [0]], WorkMeter(10**6), both=True).anchored() is None


def test_every_mapping_is_found_among_those_that_hold() -> None:
    rng = random.Random(4)
    a = relation(rng, 5, 4)
    b = moved(rng, a, 4)
    coding, open_ = candidates(PairCodes(a, b, LOOSE, a_is_reference=True), both=True)
    found = Search(coding, open_, WorkMeter(10**8), both=True).anchored()
    right = [
        places
        for places in permutations(range(4))
        if minimum_holds(a, [tuple(row[j] for j in places) for row in b], LOOSE)
    ]
    assert found is not None
    assert tuple(coding.b_columns[j] for j in found) in right


@pytest.mark.parametrize(("rows", "columns", "spoil"), [(1000, 12, "other"), (200, 20, "other"), (1000, 14, "swap")])
def test_unlike_answers_of_many_alike_columns_are_refuted(rows: int, columns: int, spoil: str) -> None:
    pair = make(Recipe("chain", rows, columns, columns, 120, spoil, 1))
    assert timed(pair, Options(work=1_000_000))[2] is Verdict.INCORRECT


def test_a_meter_tells_a_try_given_up_from_the_end_of_all_work() -> None:
    meter = WorkMeter(100)
    with pytest.raises(GaveUp), meter.at_most(10):
        meter.add(20)
    assert (meter.done, meter.limit) == (20, 100)
    with pytest.raises(OutOfWork), meter.at_most(1000):
        meter.add(90)
    assert meter.limit == 100
