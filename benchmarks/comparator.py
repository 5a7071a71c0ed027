"""Benchmark of the comparator: the adversarial set, growth with rows and columns, a test of 1,002 requests, a peer.

    python -m benchmarks.comparator                 everything, as one table
    python -m benchmarks.comparator --peer PATH     beside `result_eq` of test-suite-sql-eval (PATH is its checkout)
    python -m benchmarks.comparator --search 600    look for worse pairs for ten minutes and print the worst as recipes

The set in `adversarial.json` is what such searches found worst (seeds 1993 to 1995); `expected` is the search's own verdict
by `near:apart`, checked against how the pair was made where that decides it. By `near:one` what was right stays right.
"""

import argparse
import importlib.util
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import msgspec

from benchmarks.adversarial import FAMILIES, SPOILS, AdversarialCase, Recipe, make
from benchmarks.beyond import cases
from benchmarks.beyond import timed as beyond
from corpus.formats.cas import Answer, Relation, Row
from evaluation.comparator.comparison import Verdict, compare, contains
from evaluation.comparator.options import Near, Options
from evaluation.comparator.work_limit import OutOfWork, WorkMeter

ResultEq = Callable[[list[Row], list[Row], bool], object]

REALS = ("chain", "steps", "mixture")
NEAR = {"chain": (28, 40, 60, 120), "mixture": (28, 40, 60, 120), "steps": (3, 8, 20)}
MOST = {("chain", 60): 8, ("chain", 120): 12, ("steps", 3): 8, ("steps", 8): 8}
"""By family and values, how many columns the search draws unless told `--whole` (docs/decisions, the comparator's limits)."""
SET = Path(__file__).with_name("adversarial.json")


class CommittedPair(msgspec.Struct, frozen=True):
    """A recipe of the committed set and its verdict."""

    recipe: Recipe
    expected: Verdict


def timed(pair: AdversarialCase, options: Options | None = None) -> tuple[float, int, Verdict]:
    """Seconds of processor time, steps of work and verdict of one comparison, values to verdict."""
    chosen = options or Options()
    meter = WorkMeter(chosen.work)
    start = time.process_time()
    try:
        found = contains(pair.reference, pair.answer, chosen, meter)
        verdict = Verdict.INCORRECT if found is None else Verdict.CORRECT
    except OutOfWork:
        verdict = Verdict.UNDECIDED
    return time.process_time() - start, meter.done, verdict


def drawn(rng: random.Random) -> Recipe:
    """A recipe by chance."""
    wide = rng.randint(2, 20)
    family = rng.choice(FAMILIES)
    return Recipe(
        family,
        rng.choice([40, 200, 1000, 4000, 10000]),
        rng.randint(1, wide),
        wide,
        drawn_values(family, rng),
        rng.choice(SPOILS),
        rng.randrange(1000),
    )


def bounded(recipe: Recipe) -> Recipe:
    """The recipe, or its like with fewer columns where alike columns of reals are known not to be decided in a second.

    To refute all mappings of many such columns is hard in itself (docs/decisions, the comparator's limits).
    """
    most = MOST.get((recipe.family, recipe.values), recipe.wide)
    if recipe.family == "chain" and recipe.spoil == "nothing":
        return recipe
    return msgspec.structs.replace(recipe, narrow=min(recipe.narrow, most), wide=min(recipe.wide, most))


def drawn_values(family: str, rng: random.Random) -> int:
    """How many values a column has; for reals from one tolerance in all to many tolerances."""
    if family in REALS:
        return rng.choice([*NEAR[family], *([1000, 5000, 30000] if family == "steps" else [2, 3, 1000, 5000, 30000])])
    return rng.choice([2, 2, 3, 5, 19, 100, 1000, 30000])


def changed(recipe: Recipe, rng: random.Random) -> Recipe:
    """A recipe with one part drawn again."""
    part = rng.choice(["rows", "narrow", "values", "spoil", "seed"])
    other = drawn(rng)
    value = min(recipe.wide, other.narrow) if part == "narrow" else getattr(other, part)
    if part == "values":
        value = drawn_values(recipe.family, rng)
    return msgspec.structs.replace(recipe, **{part: value})


def search(seconds: float, seed: int, keep: int, *, whole: bool = False) -> list[tuple[float, Recipe, Verdict]]:
    """The worst pairs that a seeded climb finds in this time; only `whole` draws what is known to be out of reach."""
    rng = random.Random(seed)
    worst: list[tuple[float, Recipe, Verdict]] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        recipe = changed(rng.choice(worst)[1], rng) if worst and rng.random() < 0.6 else drawn(rng)
        recipe = recipe if whole else bounded(recipe)
        took, _, verdict = timed(make(recipe))
        if recipe not in [one for _, one, _ in worst]:
            worst.append((took, recipe, verdict))
        worst.sort(key=lambda one: -one[0])
        counts: dict[str, int] = {}
        for one in list(worst):
            counts[one[1].family] = counts.get(one[1].family, 0) + 1
            if counts[one[1].family] > max(4, keep // len(FAMILIES)):
                worst.remove(one)
    return worst[:keep]


def committed() -> list[CommittedPair]:
    """The adversarial set that is beside this file."""
    return msgspec.json.decode(SET.read_bytes(), type=list[CommittedPair])


def adversarial(repeat: int) -> Iterator[tuple[CommittedPair, Near, float, Verdict]]:
    """The set, each pair `repeat` times by both rules: the best time and the verdict."""
    for known in committed():
        pair = make(known.recipe)
        for near in Near:
            runs = [timed(pair, Options(near=near)) for _ in range(repeat)]
            yield known, near, min(run[0] for run in runs), runs[0][2]


def kept(known: CommittedPair, near: Near, verdict: Verdict) -> bool:
    """Return whether a verdict is the recorded one, or, where near tuples are one, not worse."""
    if near is Near.ONE and known.expected is Verdict.INCORRECT:
        return verdict is not Verdict.UNDECIDED
    return verdict is known.expected


def growth() -> list[tuple[str, float]]:
    """Near-misses of random yes/no columns, by columns at 200 rows and by rows at 7 columns."""
    rows = [
        (f"{columns} columns x 200 rows", Recipe("random", 200, columns, columns, 2, "other", 1))
        for columns in (3, 4, 5, 6, 7, 10, 14, 20)
    ]
    rows += [
        (f"7 columns x {count} rows", Recipe("random", count, 7, 7, 2, "other", 1)) for count in (20, 200, 2000, 20000)
    ]
    rows += [
        (f"20 columns x {count} rows", Recipe("random", count, 20, 20, 2, "swap", 1)) for count in (100, 1000, 10000)
    ]
    return [(name, min(timed(make(recipe))[0] for _ in range(3))) for name, recipe in rows]


def whole_test(requests: int = 1002) -> float:
    """Seconds of processor time for a test of this many requests with both bounds, answers of everyday size."""
    rng = random.Random(1992)
    work = []
    for _ in range(requests):
        size = rng.choice([1, 1, 2, 3, 5, 8, 15, 30])
        most = tuple(
            (rng.randrange(1000, 99999), rng.choice(["AB", "CD", "EF"]), rng.randrange(2400), rng.choice("PQR"))
            for _ in range(size)
        )
        least = tuple(row[:1] for row in most)
        given = tuple((row[2], row[0]) for row in most)
        work.append([Answer((Relation(rows),)) for rows in (least, given, most)])
    start = time.process_time()
    for least_answer, given_answer, most_answer in work:
        compare(least_answer, given_answer, most_answer)
    return time.process_time() - start


CASES: list[tuple[str, list[Row], list[Row]]] = [
    ("a column more than asked", [(1,), (2,)], [(1, "A"), (2, "B")]),
    ("columns in another order", [(1, "A"), (2, "B")], [("A", 1), ("B", 2)]),
    ("a row twice", [("A",)], [("A",), ("A",)]),
    ("a real within the tolerance", [(Decimal("0.3"),)], [(Decimal("0.30000000000000004"),)]),
    ("1 for true", [(True,)], [(1,)]),
    ("a row that is missing", [(1,), (2,)], [(1,)]),
]
"""What the two mean by the same answer, on small cases."""


class SideBySide(msgspec.Struct, frozen=True):
    """One pair given to both: whether each says that the answer is right, and the seconds of processor time it took."""

    name: str
    ours: bool
    seconds: float
    theirs: bool
    their_seconds: float


def load_peer(path: Path) -> ResultEq:
    """`result_eq(result1, result2, order_matters)` of `exec_eval.py` in a checkout; raises ImportError."""
    spec = importlib.util.spec_from_file_location("exec_eval", path / "exec_eval.py")
    if spec is None or spec.loader is None or not (path / "exec_eval.py").is_file():
        raise ImportError(f"{path}: there is no exec_eval.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path))
    found: ResultEq | None = getattr(module, "result_eq", None)
    if found is None:
        raise ImportError(f"{path}/exec_eval.py has no result_eq")
    return found


def peer(path: Path, columns: Sequence[int] = (3, 4, 5, 6, 7)) -> list[SideBySide]:
    """`result_eq` of the peer and ours on the same pairs: near-misses of yes/no columns, and small cases."""
    result_eq = load_peer(path)
    pairs = [
        (name, AdversarialCase(Relation(tuple(least)), Relation(tuple(given)), None)) for name, least, given in CASES
    ]
    for count in columns:
        pairs.append((f"{count} columns x 200 rows", make(Recipe("random", 200, count, count, 2, "other", 1))))
    rows = []
    for name, pair in pairs:
        seconds, _, verdict = timed(pair)
        start = time.process_time()
        theirs = result_eq(list(pair.reference.rows), list(pair.answer.rows), False)
        took = time.process_time() - start
        rows.append(SideBySide(name, verdict is Verdict.CORRECT, seconds, bool(theirs), took))
    return rows


def main() -> int:
    """Print the figures; 1 when a pair of the set takes over a second, is undecided or changed its verdict."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peer", type=Path)
    parser.add_argument("--search", type=float, metavar="SECONDS")
    parser.add_argument(
        "--whole", action="store_true", help="search also where no decision within a second is promised"
    )
    parser.add_argument("--seed", type=int, default=1992)
    parser.add_argument("--keep", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=3)
    chosen = parser.parse_args()
    if chosen.search:
        worst = search(chosen.search, chosen.seed, chosen.keep, whole=chosen.whole)
        found = [CommittedPair(recipe, verdict) for _, recipe, verdict in worst]
        print(json.dumps(msgspec.to_builtins(found), indent=1))
        return 0
    slow = 0
    for known, near, took, verdict in adversarial(chosen.repeat):
        bad = took >= 1 or not kept(known, near, verdict)
        slow += bad
        recipe = known.recipe
        shape = f"{recipe.narrow} of {recipe.wide} columns x {recipe.rows} rows, {recipe.values} values, {recipe.spoil}"
        print(f"{'!' if bad else ' '} {took:7.3f} s  {verdict:10} near:{near:5} {recipe.family:9} {shape}")
    for case in cases():
        took, verdict = beyond(case)
        bad = verdict is Verdict.UNDECIDED or case.expected not in (None, verdict)
        slow += bad
        print(f"{'!' if bad or took >= 1 else ' '} {took:7.3f} s  {verdict:10} beyond    {case.name}")
    for name, took in growth():
        print(f"  {took:7.4f} s  growth     {name}")
    print(f"  {whole_test():7.3f} s  1,002 requests with both bounds")
    if chosen.peer:
        try:
            for row in peer(chosen.peer):
                said = " : ".join("right" if right else "wrong" for right in (row.ours, row.theirs))
                print(f"  {row.seconds:7.4f} s  result_eq {row.their_seconds:7.4f} s  {said}  {row.name}")
        except ImportError as error:
            print(f"  result_eq skipped: {error}", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
