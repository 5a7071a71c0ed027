"""Comparisons beyond the drawn set: answers within a maximum, designs, and numbers that do not fit a machine word.

`expected` is known from how a case is made; None if only the search tells.
"""

import random
import time
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec

from corpus.formats.cas import Answer, Relation
from evaluation.comparator.comparison import Verdict, compare

Rows = Sequence[Sequence[int | Decimal]]


class Case(msgspec.Struct, frozen=True):
    """A reference, an answer and, where there is one, the maximum."""

    name: str
    reference: Rows
    answer: Rows
    maximum: Rows | None = None
    expected: Verdict | None = None


def steiner(points: int) -> list[list[int]]:
    """The blocks of a Steiner triple system as rows of 0 and 1 (Bose 1939; `points` is 3 more than a multiple of 6)."""
    size = points // 3
    half = pow(2, -1, size)
    blocks = [(x, x + size, x + 2 * size) for x in range(size)]
    for level in range(3):
        base, above = level * size, (level + 1) % 3 * size
        blocks += [(x + base, y + base, (x + y) * half % size + above) for x in range(size) for y in range(x + 1, size)]
    return [[int(point in block) for point in range(points)] for block in blocks]


def within(columns: int, most: int, given: int, *, own: bool) -> Case:
    """An answer of yes/no columns and its maximum: rows of the maximum itself in another order of columns, or unrelated ones."""
    rng = random.Random(columns * most + given)
    maximum = [[rng.randrange(2) for _ in range(columns)] for _ in range(most)]
    order = rng.sample(range(columns), columns)
    other = [[rng.randrange(2) for _ in range(columns)] for _ in range(given)]
    answer = [[row[j] for j in order] for row in maximum[:given]] if own else other
    name = f"{columns} yes/no columns, {given} {'of its own' if own else 'other'} rows in a maximum of {most}"
    return Case(name, [row[:1] for row in answer], answer, maximum, Verdict.CORRECT if own else None)


def cases(rows: int = 10_000, longest: int = 10_000) -> Iterator[Case]:
    """Return all of them whose maximum has at most `longest` rows; `rows` is the size of the tables of numbers."""
    for columns, most, given in ((10, 300, 100), (12, 300, 100), (12, 10_000, 2_000), (12, 3_000, 1_000)):
        if most <= longest:
            yield within(columns, most, given, own=False)
            yield within(columns, most, given, own=True)
    yield within(20, 300, 100, own=True)
    if longest >= 10_000:
        yield within(20, 10_000, 5_000, own=True)
    rng = random.Random(1)
    design = steiner(15)
    for kept in (15, 12):
        order = rng.sample(range(15), kept)
        yield Case(
            f"Steiner system, {kept} of 15 points",
            [[r[j] for j in order] for r in design],
            design,
            None,
            Verdict.CORRECT,
        )
    for name, draw in (
        ("double-precision numbers", lambda: Decimal(repr(rng.random() * 100))),
        ("31-digit numbers", lambda: Decimal(rng.randrange(10**30, 10**31)).scaleb(-8)),
    ):
        table = [[draw() for _ in range(20)] for _ in range(rows)]
        order = rng.sample(range(20), 20)
        yield Case(f"{name}, 20 x {rows}", [[row[j] for j in order] for row in table], table, None, Verdict.CORRECT)


def timed(case: Case) -> tuple[float, Verdict]:
    """Seconds of processor time and the verdict."""
    reference, answer = _answer(case.reference), _answer(case.answer)
    maximum = None if case.maximum is None else _answer(case.maximum)
    start = time.process_time()
    verdict = compare(reference, answer, maximum).verdict
    return time.process_time() - start, verdict


def _answer(rows: Rows) -> Answer:
    return Answer((Relation(tuple(tuple(row) for row in rows)),))
