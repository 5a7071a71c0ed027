"""Judgements of several raters as one, by a model of how reliable each of them is (Dawid & Skene 1979).

Every rater has a table of how often each true label is called what; the true labels and these tables are estimated together by
expectation and maximisation, from the majority on. A rater who errs often counts for less.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

Label = Hashable
STEPS = 100
CLOSE = 1e-7
SMOOTHING = 0.01
"""Added to every count, so that a rater who never erred yet is not held to be infallible."""


class Combined(msgspec.Struct, frozen=True):
    """The probability of each label for every unit, in the order of `labels`, and the estimated share of right labels for
    every rater."""

    labels: tuple[Label, ...]
    posterior: tuple[tuple[float, ...], ...]
    reliability: Mapping[str, float]

    def label(self, unit: int) -> Label:
        """The likeliest label of a unit."""
        row = self.posterior[unit]
        return self.labels[row.index(max(row))]

    def certainty(self, unit: int) -> float:
        """The probability of that label."""
        return max(self.posterior[unit])


def combine(table: Sequence[Sequence[Label | None]], raters: Sequence[str]) -> Combined:
    """The likeliest labels of a table with one row a unit and one column a rater, None if nothing was said."""
    labels = tuple(sorted({label for row in table for label in row if label is not None}, key=str))
    if not labels:
        return Combined((), tuple(() for _ in table), dict.fromkeys(raters, 0.0))
    said = np.zeros((len(table), len(raters), len(labels)))
    for unit, row in enumerate(table):
        for rater, label in enumerate(row):
            if label is not None:
                said[unit, rater, labels.index(label)] = 1.0
    truth = said.sum(axis=1) + SMOOTHING
    truth /= truth.sum(axis=1, keepdims=True)
    confusion = _confusion(truth, said)
    for _ in range(STEPS):
        likelihood = np.log(truth.mean(axis=0) + 1e-300) + np.einsum("irk,rlk->il", said, np.log(confusion))
        after = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
        after /= after.sum(axis=1, keepdims=True)
        confusion = _confusion(after, said)
        moved = float(np.abs(after - truth).max())
        truth = after
        if moved < CLOSE:
            break
    shares = truth.mean(axis=0)
    reliability = {name: float(shares @ np.diagonal(confusion[at])) for at, name in enumerate(raters)}
    return Combined(labels, tuple(tuple(float(p) for p in row) for row in truth), reliability)


def _confusion(truth: npt.NDArray[np.float64], said: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    counts = np.einsum("il,irk->rlk", truth, said) + SMOOTHING
    found: npt.NDArray[np.float64] = counts / counts.sum(axis=2, keepdims=True)
    return found


def majority(row: Sequence[Label | None]) -> Label | None:
    """The label that more than half of those gave who said anything; None if none has a majority.

    >>> majority(["a", "a", "b"]), majority(["a", "b"])
    ('a', None)
    """
    counts = Counter(label for label in row if label is not None)
    if not counts:
        return None
    label, count = counts.most_common(1)[0]
    return label if 2 * count > sum(counts.values()) else None
