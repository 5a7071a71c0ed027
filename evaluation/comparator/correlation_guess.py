"""A first guess at which column is which under a tolerance, from how columns vary together.

Where many columns of reals are alike and most values fit most others, a search learns nothing until it is deep. But an
answer that is right has moved each value a little only, and with it how a column is spread and how two columns vary
together; the mapping under which these agree best is found by exchanging columns as long as that helps. It is only a
guess: what it says is checked as every mapping is.
"""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from evaluation.comparator.value_codes import Codes

Reals = npt.NDArray[np.float64]
MARKS = np.linspace(0.02, 0.98, 17)


def guess(a: Codes, b: Codes, starts: int, seed: int = 1992) -> list[list[int]]:
    """Mappings from the columns of `a` into those of `b`, the likeliest first; at most `starts`, none twice."""
    middle, scale = a.mean(), a.std() + 1.0
    a_like, b_like = (_Likeness((rows - middle) / scale) for rows in (a, b))
    rng = np.random.default_rng(seed)
    first = _nearest(a_like, b_like)
    found: dict[tuple[int, ...], float] = {}
    for start in range(starts):
        order = first if start == 0 else rng.permutation(b.shape[1])
        places, strain = _exchanged(a_like, b_like, order)
        found.setdefault(tuple(places[: a.shape[1]].tolist()), strain)
    return [list(places) for places in sorted(found, key=found.__getitem__)]


class _Likeness:
    """Return what is kept roughly when values move a little: the spread of each column, and moments of each two."""

    def __init__(self, rows: Reals) -> None:
        self.spread = np.quantile(rows, MARKS, axis=0).T
        centred = rows - rows.mean(axis=0)
        squares = centred**2 - (centred**2).mean(axis=0)
        count = np.sqrt(len(rows))
        both = ((centred, centred), (centred, squares), (squares, squares))
        # not `@`: the threads of a linear algebra library take longer to wake than this takes
        self.pairs = np.stack([np.einsum("ri,rj->ij", one, two) for one, two in both]) / count
        for moment in self.pairs:
            np.fill_diagonal(moment, 0.0)


def _nearest(a: _Likeness, b: _Likeness) -> npt.NDArray[np.int64]:
    """Columns of `b` by the nearest spread, greedily; those that are left over follow."""
    far = np.abs(a.spread[:, None] - b.spread[None]).sum(axis=-1)
    places = np.full(len(far), -1)
    for _ in range(len(far)):
        i, j = np.unravel_index(int(np.argmin(far)), far.shape)
        places[i] = j
        far[i, :] = far[:, j] = np.inf
    rest = [j for j in range(far.shape[1]) if j not in places]
    return np.array([*places.tolist(), *rest], dtype=np.int64)


def _exchanged(a: _Likeness, b: _Likeness, order: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], float]:
    """Exchange two columns as long as that brings the likenesses together."""
    narrow = len(a.spread)
    places, strain = order.copy(), _strain(a, b, order[:narrow])
    better = True
    while better:
        better = False
        for one, two in combinations(range(len(places)), 2):
            if one >= narrow:
                break
            places[one], places[two] = places[two], places[one]
            now = _strain(a, b, places[:narrow])
            if now < strain - 1e-9:
                strain, better = now, True
            else:
                places[one], places[two] = places[two], places[one]
    return places, strain


def _strain(a: _Likeness, b: _Likeness, places: npt.NDArray[np.int64]) -> float:
    pairs = a.pairs - b.pairs[:, places[:, None], places]
    return float(np.square(pairs).sum() + np.square(a.spread - b.spread[places]).sum())
