"""Random rows, some of their columns as the reference, and by trying all: which other columns look like it."""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray


class Instance:
    """`a` are the columns `order` of `b`, sorted; `alike` are the sets of as many columns of `b` with the same counts."""

    def __init__(self, rng: random.Random, columns: int, values: int) -> None:
        wide = sorted({tuple(rng.randrange(values) for _ in range(columns)) for _ in range(60)})
        narrow = rng.randint(2, columns - 1)
        self.order = rng.sample(range(columns), narrow)
        reference = sorted({tuple(row[j] for j in self.order) for row in wide})
        self.a: NDArray[np.int64] = np.array(reference, order="F")
        self.b: NDArray[np.int64] = np.array(wide, order="F")
        every = [list(kept) for kept in combinations(range(columns), narrow)]
        self.alike = [kept for kept in every if _alike(set(reference), {tuple(row[j] for j in kept) for row in wide})]


def instances(columns: int, values: int) -> Iterator[Instance]:
    """A dozen, the same each time."""
    rng = random.Random(columns)
    return (Instance(rng, columns, values) for _ in range(12))


def _alike(reference: set[tuple[int, ...]], reduced: set[tuple[int, ...]]) -> bool:
    return len(reduced) == len(reference) and _profile(reduced) == _profile(reference)


def _profile(rows: set[tuple[int, ...]]) -> list[list[int]]:
    return sorted(sorted(column) for column in zip(*rows, strict=True))
