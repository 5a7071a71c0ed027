"""Tests of whether a difference between scores is more than chance.

Requests of one speaker resemble each other (per cent correct of one system ranged from 75 to 10 over speakers), so that
intervals resample speakers and the permutation test exchanges whole sessions. All draws come from a seed: the same
input gives the same figures.
"""

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np

RESAMPLES = 10_000
_DRAWN_AT_ONCE = 10_000_000


def speaker_interval(
    groups: Sequence[tuple[float, int]], *, seed: int, resamples: int = RESAMPLES
) -> tuple[float, float] | None:
    """95 % interval of a pooled rate by resampling speakers; `groups` holds per speaker the sum and the count.

    In the units of sum over count; None when there are fewer than two speakers.
    """
    if len(groups) < 2:
        return None
    sums = np.array([total for total, _ in groups], dtype=float)
    counts = np.array([count for _, count in groups], dtype=float)
    rng = np.random.default_rng(seed)
    rates = np.empty(resamples)
    rows = max(1, _DRAWN_AT_ONCE // len(groups))
    for first in range(0, resamples, rows):
        drawn = rng.integers(0, len(groups), (min(rows, resamples - first), len(groups)))
        rates[first : first + rows] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(rates, [0.025, 0.975])
    return float(low), float(high)


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p of McNemar's test on the requests that just one of two systems got right."""
    discordant = only_first + only_second
    tail = sum(comb(discordant, k) for k in range(min(only_first, only_second) + 1))
    return float(min(1.0, 2 * tail / 2**discordant))


def permutation(differences: Mapping[str, Sequence[float]], *, seed: int, resamples: int = RESAMPLES) -> float:
    """Two-sided p of a paired permutation test: the signs of whole sessions' differences are exchanged.

    `differences` holds per session first system minus second, request by request. All sign patterns up to 14 sessions,
    otherwise `resamples` drawn ones with the observed one added.
    """
    sums = np.array([sum(values) for values in differences.values()], dtype=float)
    observed = abs(float(sums.sum()))
    if len(sums) <= 14:
        patterns = np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1
        totals = np.abs(((2 * patterns - 1) * sums).sum(axis=1))
        return float((totals >= observed - 1e-9).mean())
    rng = np.random.default_rng(seed)
    signs = 2 * rng.integers(0, 2, (resamples, len(sums))) - 1
    reached = int((np.abs((signs * sums).sum(axis=1)) >= observed - 1e-9).sum())
    return (reached + 1) / (resamples + 1)
