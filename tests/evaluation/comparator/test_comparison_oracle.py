"""The fast comparator and the spelt-out one agree on everything small."""

import random
from decimal import Decimal

import pytest

from corpus.formats.cas import Answer, Relation, Row, Value
from evaluation.comparator.column_candidates import candidates
from evaluation.comparator.comparison import Verdict, compare
from evaluation.comparator.options import Integers, Near, Options
from evaluation.comparator.search_plan import find
from evaluation.comparator.value_codes import PairCodes
from evaluation.comparator.work_limit import WorkMeter
from tests import THOROUGH
from tests.evaluation.oracle import maximum_holds, minimum_holds

OPTIONS = [
    Options(),
    Options(trim=False, tolerance="0"),
    Options(tolerance="0.3"),
    Options(tolerance="0.3", near=Near.APART),
    Options(integers=Integers.TOLERANT, tolerance="0.25"),
    Options(tolerance="digits:1"),
    Options(tolerance="digits:1", near=Near.APART),
    Options(tolerance="digits:2", integers=Integers.TOLERANT),
]


def pairs() -> int:
    """How many are drawn."""
    return 700 if THOROUGH else 140


POOLS: list[list[Value]] = [
    [True, False],
    ["A", "B", " A", "1"],
    [1, 2],
    [1, 2, 3, None],
    [Decimal(x) for x in ("1.0", "1.2", "1.4", "1.6", "2.0")],
    [10, 11, Decimal("10.0"), Decimal("10.9"), Decimal("12.5"), 13, None],
    [Decimal(x) for x in ("-1.0", "-1.2", "0.0", "0.1", "-0.9")],
]


def relation(rng: random.Random, pools: list[list[Value]], rows: int) -> tuple[Row, ...]:
    return tuple(tuple(rng.choice(pool) for pool in pools) for _ in range(rows))


def jitter(rng: random.Random, value: Value) -> Value:
    if isinstance(value, Decimal) and rng.random() < 0.5:
        return value * (1 + Decimal(rng.choice(["0.2", "-0.15", "0.05", "0.00005"])))
    return value


def related(rng: random.Random, least: tuple[Row, ...]) -> tuple[Row, ...]:
    """The reference with its columns mixed, some added, some rows doubled, some values moved: often right, often not."""
    extra = rng.randrange(3)
    order = rng.sample(range(len(least[0]) + extra), len(least[0]) + extra)
    rows: list[Row] = []
    pool = rng.choice(POOLS)
    for row in least:
        for _ in range(rng.choice([1, 1, 2])):
            wide = [*(jitter(rng, value) for value in row), *(rng.choice(pool) for _ in range(extra))]
            rows.append(tuple(wide[place] for place in order))
    if rng.random() < 0.4:
        spoilt = rng.randrange(len(rows))
        other = rng.randrange(len(rows))
        place = rng.randrange(len(order))
        row = list(rows[spoilt])  # type: ignore[assignment]
        row[place] = rows[other][place]  # type: ignore[index]
        rows[spoilt] = tuple(row)
    rng.shuffle(rows)
    return tuple(rows)


def searched(a: tuple[Row, ...], b: tuple[Row, ...], options: Options, *, both: bool) -> bool:
    """The full search, without the short way that small relations take."""
    coding, free = candidates(PairCodes(a, b, options, a_is_reference=both), both=both)
    return find(coding, WorkMeter(10**9), both=both, candidates=free) is not None


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_minimum_and_maximum_agree_with_the_oracle(options: Options) -> None:
    rng = random.Random(f"oracle {options}")
    outcomes = {True: 0, False: 0}
    drawn = pairs()
    for _ in range(drawn):
        pools = [rng.choice(POOLS) for _ in range(rng.randint(1, 3))]
        if rng.random() < 0.4:
            pools = [pools[0]] * len(pools)
        least = relation(rng, pools, rng.randint(1, 5))
        given = related(rng, least) if rng.random() < 0.8 else relation(rng, pools + pools[:1], rng.randint(1, 6))
        expected = minimum_holds(least, given, options)
        found = compare(Answer((Relation(least),)), Answer((Relation(given),)), options=options)
        outcomes[expected] += 1
        assert (found.verdict is Verdict.CORRECT) == expected, (least, given)
        if len(given[0]) >= len(least[0]):
            assert searched(least, given, options, both=True) == expected, (least, given)
            assert searched(least, given, options, both=False) == maximum_holds(least, given, options), (least, given)
    assert min(outcomes.values()) > drawn // 10, outcomes


def test_both_bounds_agree_with_the_oracle() -> None:
    rng = random.Random("bounds")
    outcomes = {True: 0, False: 0}
    drawn = pairs()
    for _ in range(drawn):
        pools = [rng.choice(POOLS) for _ in range(rng.randint(2, 4))]
        most = relation(rng, pools, rng.randint(1, 4))
        kept = rng.sample(range(len(pools)), rng.randint(1, len(pools)))
        least = tuple(tuple(row[j] for j in kept[:1]) for row in most)
        given = tuple(tuple(row[j] for j in kept) for row in most)
        if rng.random() < 0.5:
            given = related(rng, given)
        expected = minimum_holds(least, given, Options()) and maximum_holds(given, most, Options())
        found = compare(Answer((Relation(least),)), Answer((Relation(given),)), Answer((Relation(most),)))
        outcomes[expected] += 1
        assert (found.verdict is Verdict.CORRECT) == expected, (least, given, most)
    assert min(outcomes.values()) > drawn // 10, outcomes
