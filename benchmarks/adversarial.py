"""Pairs of relations that make a comparison hard, each made again from a few numbers.

What is hard is known from three directions: columns that no count tells apart (orthogonal arrays, codes, cyclic squares),
near-misses that look right until the last column, and reals whose tolerances overlap in chains. A recipe names one of
these families and its parameters; `make` gives the reference, the answer, and that it is right where that is
known from how it was made.
"""

import random
from decimal import Decimal

import msgspec

from corpus.formats.cas import Relation, Row, Value


class Recipe(msgspec.Struct, frozen=True):
    """Recipe for one pair: rows and columns of the reference (`narrow`) and of the answer (`wide`), values, spoiling."""

    family: str
    rows: int
    narrow: int
    wide: int
    values: int
    spoil: str
    seed: int


class AdversarialCase(msgspec.Struct, frozen=True):
    """The reference and the answer; `right` is None if only a search can tell."""

    reference: Relation
    answer: Relation
    right: bool | None


Grid = list[list[int]]
FAMILIES = ("random", "balanced", "cyclic", "array", "code", "skewed", "sorted", "chain", "steps", "mixture")
SPOILS = ("nothing", "cell", "swap", "row", "drop", "other")


def _random(recipe: Recipe, rng: random.Random) -> Grid:
    return [[rng.randrange(recipe.values) for _ in range(recipe.wide)] for _ in range(recipe.rows)]


def _balanced(recipe: Recipe, rng: random.Random) -> Grid:
    """Every column holds every value equally often, in an order of its own."""
    columns = []
    for _ in range(recipe.wide):
        column = [place % recipe.values for place in range(recipe.rows)]
        rng.shuffle(column)
        columns.append(column)
    return [list(row) for row in zip(*columns, strict=True)]


def _cyclic(recipe: Recipe, rng: random.Random) -> Grid:
    """The columns are one sequence, turned: every turn of all columns is an automorphism."""
    base = [rng.randrange(recipe.values) for _ in range(recipe.wide)]
    bases = [base] + [
        [rng.randrange(recipe.values) for _ in base] for _ in range(max(0, recipe.rows // recipe.wide - 1))
    ]
    return [[one[(row + j) % recipe.wide] for j in range(recipe.wide)] for one in bases for row in range(recipe.wide)]


def _prime(limit: int) -> int:
    return max(p for p in range(2, max(3, limit + 1)) if all(p % d for d in range(2, p)))


def _array(recipe: Recipe, rng: random.Random) -> Grid:
    """Polynomials of low degree at distinct points: any few columns hold all combinations equally often."""
    prime = _prime(max(2, recipe.values))
    degree = 1
    while prime ** (degree + 1) <= recipe.rows:
        degree += 1
    points = rng.sample(range(prime), recipe.wide) if recipe.wide <= prime else [j % prime for j in range(recipe.wide)]
    scales = [rng.randrange(1, prime) for _ in range(recipe.wide)]
    rows = []
    for number in range(prime**degree):
        parts = [number // prime**power % prime for power in range(degree)]
        rows.append(
            [
                scale * sum(part * point**power for power, part in enumerate(parts)) % prime
                for point, scale in zip(points, scales, strict=True)
            ]
        )
    return rows


def _code(recipe: Recipe, rng: random.Random) -> Grid:
    """Return all words of a binary linear code."""
    size = max(1, min(recipe.rows.bit_length() - 1, 13))
    basis = [[rng.randrange(2) for _ in range(recipe.wide)] for _ in range(size)]
    rows = [[0] * recipe.wide]
    for word in basis:
        rows += [[x ^ y for x, y in zip(row, word, strict=True)] for row in rows]
    return rows


def _skewed(recipe: Recipe, rng: random.Random) -> Grid:
    """Nearly all zeros."""
    return [[int(rng.randrange(recipe.values * 4) == 0) for _ in range(recipe.wide)] for _ in range(recipe.rows)]


def _sorted(recipe: Recipe, rng: random.Random) -> Grid:
    """Thresholds of one variable: columns that contain each other."""
    grid = []
    for _ in range(recipe.rows):
        level = rng.randrange(recipe.wide * recipe.values)
        grid.append([int(level > j * recipe.values) for j in range(recipe.wide)])
    return grid


_GRIDS = {
    "random": _random,
    "balanced": _balanced,
    "cyclic": _cyclic,
    "array": _array,
    "code": _code,
    "skewed": _skewed,
    "sorted": _sorted,
    "chain": _random,
    "steps": _random,
    "mixture": _random,
}


def make(recipe: Recipe) -> AdversarialCase:
    """The pair that a recipe describes; the same on every machine."""
    rng = random.Random(f"{recipe}")
    wide = _GRIDS[recipe.family](recipe, rng)
    order = rng.sample(range(recipe.wide), recipe.narrow)
    kinds = [_kind(recipe.family, j) for j in range(recipe.wide)]
    source = _GRIDS[recipe.family](recipe, rng) if recipe.spoil == "other" else wide
    narrow = [[row[j] for j in order] for row in source]
    rng.shuffle(narrow)
    spoilt = _spoil(narrow, recipe, rng)
    reference = _relation(narrow, [kinds[j] for j in order], rng, jitter=False)
    answer = _relation(wide, kinds, rng, jitter=True)
    exact = not spoilt and set(kinds) == {"whole"}
    return AdversarialCase(reference, answer, True if exact else None)


def _spoil(grid: Grid, recipe: Recipe, rng: random.Random) -> bool:
    """Change the reference a little; whether it was changed at all."""
    one, two = rng.randrange(len(grid)), rng.randrange(len(grid))
    j = rng.randrange(recipe.narrow)
    if recipe.spoil == "cell":
        grid[one][j] = (grid[one][j] + 1) % max(2, recipe.values)
    elif recipe.spoil == "swap":
        grid[one][j], grid[two][j] = grid[two][j], grid[one][j]
    elif recipe.spoil == "row":
        grid.append([rng.choice(grid)[place] for place in range(recipe.narrow)])
    elif recipe.spoil == "drop" and len(grid) > 1:
        grid.pop(one)
    return recipe.spoil != "nothing"


def _kind(family: str, j: int) -> str:
    if family == "mixture":
        return "chain" if j % 2 else "whole"
    return family if family in ("chain", "steps") else "whole"


def _relation(grid: Grid, kinds: list[str], rng: random.Random, *, jitter: bool) -> Relation:
    rows: list[Row] = [tuple(_value(*pair, rng, jitter) for pair in zip(row, kinds, strict=True)) for row in grid]
    return Relation(tuple(rows))


def _value(value: int, kind: str, rng: random.Random, jitter: bool) -> Value:
    if kind == "chain":
        moved = rng.randrange(-40, 41) if jitter else 0
        return Decimal(10_000_000 + 37 * value + moved * 10) / 10_000_000
    if kind == "steps":
        moved = rng.randrange(-1, 2) if jitter else 0
        return Decimal(100_000 + 8 * (value + moved)) / 100_000
    return value
