"""Friedman's two-way analysis of variance by ranks, sc_stats' ANOVAR: do any of several systems, or of several speakers, differ?

Each speaker's error rates rank the systems, each system's the speakers. Where one differs from chance, pairs are
distinguished by their sums of ranks, so strictly that all pairs together err once in twenty (Daniel 1978).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import erfc, exp, lgamma, log, sqrt

import msgspec

LEVEL = 0.05
SYSTEMS, SPEAKERS = "systems", "speakers"
MOST_PAIRED = 500
LEAST_ADJUSTMENT = 0.5
"""The adjustment for ties below which sc_stats warns."""
FEW_RANKINGS = 5
"""Rankings from which the statistic is about that of chi square."""
_SHOWN = 20


class RankedPair(msgspec.Struct, frozen=True):
    """Two that differ by more than chance, and the p of that over all pairs."""

    better: str
    worse: str
    p: float


class RankVariance(msgspec.Struct, frozen=True):
    """The analysis over `systems` or `speakers`: Friedman's statistic divided by the adjustment for ties, its degrees of freedom
    and its p; `sums` are those of the ranks, lowest error first; `pairs` are those that differ, of at most MOST_PAIRED names."""

    over: str
    statistic: float
    adjustment: float
    freedom: int
    p: float
    rankings: int
    sums: dict[str, float]
    pairs: tuple[RankedPair, ...] = ()

    def p_between(self, first: str, second: str) -> float:
        """Return the p of two sums of ranks, times the number of pairs."""
        treated = len(self.sums)
        z = abs(self.sums[first] - self.sums[second]) / sqrt(self.rankings * treated * (treated + 1) / 6)
        return min(1.0, treated * (treated - 1) / 2 * erfc(z / sqrt(2)))


def rank_variances(rates: Mapping[str, Mapping[str, float]]) -> list[RankVariance]:
    """Return the analyses over systems and over speakers of rates by system and speaker; none below two of either."""
    speakers = list(next(iter(rates.values()), {}))
    if len(rates) < 2 or len(speakers) < 2:
        return []
    by_speaker = {who: {system: rates[system][who] for system in rates} for who in speakers}
    return [friedman(SYSTEMS, by_speaker), friedman(SPEAKERS, rates)]


def friedman(over: str, blocks: Mapping[str, Mapping[str, float]]) -> RankVariance:
    """Return the analysis of what every block has a value of.

    >>> found = friedman("systems", {"s1": {"A": 1, "B": 2, "C": 3}, "s2": {"A": 1, "B": 3, "C": 3}})
    >>> round(found.statistic, 3), round(found.adjustment, 3), found.sums
    (3.714, 0.875, {'A': 2.0, 'B': 4.5, 'C': 5.5})
    """
    names = list(next(iter(blocks.values())))
    ranked = [dict(zip(names, ranks([block[name] for name in names]), strict=True)) for block in blocks.values()]
    count, treated = len(ranked), len(names)
    sums = {name: sum(block[name] for block in ranked) for name in names}
    ties = sum(often**3 - often for block in ranked for often in Counter(block.values()).values())
    adjustment = 1 - ties / (count * treated * (treated**2 - 1))
    raw = 12 * sum(each**2 for each in sums.values()) / (count * treated * (treated + 1)) - 3 * count * (treated + 1)
    statistic = max(0.0, raw / adjustment) if adjustment else 0.0
    p = chi_square_tail(statistic, treated - 1)
    best_first = dict(sorted(sums.items(), key=lambda item: item[1]))
    found = RankVariance(over, statistic, adjustment, treated - 1, p, count, best_first)
    if p >= LEVEL or treated > MOST_PAIRED:
        return found
    pairs = (RankedPair(better, worse, found.p_between(better, worse)) for better, worse in combinations(best_first, 2))
    return msgspec.structs.replace(found, pairs=tuple(pair for pair in pairs if pair.p < LEVEL))


def ranks(values: Sequence[float]) -> list[float]:
    """Return ranks from 1; values that are equal but for a millionth share the mean of theirs."""
    rounded = [round(value, 6) for value in values]
    ordered = sorted(rounded)
    first: dict[float, int] = {}
    last: dict[float, int] = {}
    for place, value in enumerate(ordered, 1):
        first.setdefault(value, place)
        last[value] = place
    return [(first[value] + last[value]) / 2 for value in rounded]


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the probability that chi square is larger than a value.

    >>> round(chi_square_tail(5.991, 2), 4), round(chi_square_tail(15.507, 8), 4), round(chi_square_tail(3.841, 1), 4)
    (0.05, 0.05, 0.05)
    """
    half = value / 2
    tail, done = (erfc(sqrt(half)), 1) if freedom % 2 else (exp(-half), 2)
    while done < freedom:
        tail += exp(done / 2 * log(half) - half - lgamma(done / 2 + 1)) if half else 0.0
        done += 2
    return min(1.0, tail)


def render(variances: Sequence[RankVariance], title: str) -> Iterator[str]:
    """Yield the lines of both analyses; nothing if there are none."""
    if not variances:
        return
    yield ""
    yield f"Friedman's two-way analysis of variance by ranks: {title}"
    for each in variances:
        verdict = (
            f"at least one of the {each.over} differs" if each.p < LEVEL else f"no difference between the {each.over}"
        )
        yield (
            f"  {each.over} alike?  X2_r {each.statistic:.3f} (df {each.freedom}, ties adjustment {each.adjustment:.3f}), "
            f"p {each.p:.4f}: {verdict}"
        )
        yield from (
            f"    {pair.better} before {pair.worse}, p {pair.p:.4f} over all pairs" for pair in each.pairs[:_SHOWN]
        )
        if len(each.pairs) > _SHOWN:
            yield f"    and {len(each.pairs) - _SHOWN} more pairs"


def remarks(variances: Sequence[RankVariance]) -> Iterator[str]:
    """Yield, for reports, where a difference rests on few rankings, or on ties."""
    for each in variances:
        if each.adjustment < LEAST_ADJUSTMENT and each.p < LEVEL:
            yield f"The analysis of variance over {each.over} rests on ties, which exaggerate its statistic."
        if each.rankings < FEW_RANKINGS and each.p < LEVEL:
            ranked = "speaker" if each.over == SYSTEMS else "system"
            yield (
                f"The analysis of variance over {each.over} ranks them by {each.rankings} {ranked}s alone; below {FEW_RANKINGS} "
                "its p is a rough one."
            )
