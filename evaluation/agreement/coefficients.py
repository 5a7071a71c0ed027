"""Coefficients of agreement over labels without an order: observed, by chance, and corrected for chance.

A table has one row a unit and one column a rater; None is where a rater said nothing. Cohen (1960), Fleiss (1971) and
Krippendorff (2011) are computed as published, and tests hold them to the published examples.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations

import msgspec
import numpy as np

Label = Hashable
Row = Sequence[Label | None]
ROUNDS = 1000


class Interval(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval by bootstrap over clusters; None where it cannot be computed."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        span = f" ({self.low:.3f} to {self.high:.3f})" if self.low is not None and self.high is not None else ""
        return f"{self.value:.3f}{span}"


def pairwise(table: Sequence[Row]) -> float | None:
    """Share of pairs of ratings of the same unit that agree."""
    same = pairs = 0
    for row in table:
        counts = Counter(label for label in row if label is not None)
        said = sum(counts.values())
        pairs += said * (said - 1)
        same += sum(count * (count - 1) for count in counts.values())
    return same / pairs if pairs else None


def unanimous(table: Sequence[Row]) -> float | None:
    """Share of the units rated by two or more of which all ratings agree."""
    return at_most_dissenting(table, 0)


def at_most_dissenting(table: Sequence[Row], dissenters: int) -> float | None:
    """Share of the units rated by two or more of which all but so many ratings agree."""
    rated = [[label for label in row if label is not None] for row in table]
    rated = [labels for labels in rated if len(labels) > 1]
    agreed = sum(max(Counter(labels).values()) >= len(labels) - dissenters for labels in rated)
    return agreed / len(rated) if rated else None


def cohen(first: Sequence[Label | None], second: Sequence[Label | None]) -> float | None:
    """Cohen's kappa of two raters over the units that both rated; None where chance alone would agree always.

    >>> round(cohen("yyyynnnnyn", "yyynnnnnyy"), 2)
    0.6
    """
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not pairs:
        return None
    observed = sum(a == b for a, b in pairs) / len(pairs)
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(one[label] * other[label] for label in one) / len(pairs) ** 2
    return _corrected(observed, chance)


def fleiss(table: Sequence[Row]) -> float | None:
    """Fleiss' kappa over the units that have the most ratings: it wants the same number of each. None without such."""
    counts = [Counter(label for label in row if label is not None) for row in table]
    most = max((sum(one.values()) for one in counts), default=0)
    units = [one for one in counts if sum(one.values()) == most]
    if most < 2 or not units:
        return None
    observed = sum(sum(n * n for n in one.values()) - most for one in units) / (len(units) * most * (most - 1))
    totals = sum(units, Counter[Label | None]())
    chance = sum((n / (len(units) * most)) ** 2 for n in totals.values())
    return _corrected(observed, chance)


def krippendorff(table: Sequence[Row]) -> float | None:
    """Krippendorff's alpha for nominal labels, ratings missing or not; None where no label differs anywhere."""
    within: Counter[Label] = Counter()
    disagreed = 0.0
    for row in table:
        counts = Counter(label for label in row if label is not None)
        said = sum(counts.values())
        if said < 2:
            continue
        within.update(counts)
        disagreed += (said * said - sum(n * n for n in counts.values())) / (said - 1)
    total = sum(within.values())
    expected = total * total - sum(n * n for n in within.values())
    if not expected:
        return None
    return 1 - (total - 1) * disagreed / expected


def _corrected(observed: float, chance: float) -> float | None:
    return (observed - chance) / (1 - chance) if chance < 1 else None


def with_interval(
    clusters: Sequence[Sequence[Row]], figure: Callable[[Sequence[Row]], float | None], seed: int, rounds: int = ROUNDS
) -> Interval:
    """A figure over all rows with the 95 % interval of a bootstrap that draws whole clusters, such as sessions."""
    value = figure([row for cluster in clusters for row in cluster])
    if value is None or len(clusters) < 2:
        return Interval(value)
    draws = np.random.default_rng(seed).integers(0, len(clusters), (rounds, len(clusters)))
    figures = [figure([row for at in draw for row in clusters[at]]) for draw in draws]
    known = [one for one in figures if one is not None]
    if not known:
        return Interval(value)
    low, high = np.quantile(known, (0.025, 0.975))
    return Interval(value, float(low), float(high))


class Agreement(msgspec.Struct, frozen=True):
    """Agreement on one question: how many units were rated twice or more, and every coefficient with its interval; `cohen` by
    pair of raters."""

    of: str
    units: int
    pairwise: Interval
    unanimous: Interval
    fleiss: Interval
    krippendorff: Interval
    cohen: dict[str, Interval]


def agreement(
    of: str, raters: Sequence[str], clusters: Sequence[Sequence[Row]], seed: int = 1, rounds: int = ROUNDS
) -> Agreement:
    """All coefficients over a table in clusters, whose columns are the `raters`."""

    def taken(figure: Callable[[Sequence[Row]], float | None]) -> Interval:
        return with_interval(clusters, figure, seed, rounds)

    def pair(one: int, other: int) -> Interval:
        return taken(lambda rows: cohen([row[one] for row in rows], [row[other] for row in rows]))

    rated = sum(sum(label is not None for label in row) > 1 for cluster in clusters for row in cluster)
    pairs = {f"{raters[one]}/{raters[other]}": pair(one, other) for one, other in combinations(range(len(raters)), 2)}
    known = {name: found for name, found in pairs.items() if found.value is not None}
    return Agreement(of, rated, taken(pairwise), taken(unanimous), taken(fleiss), taken(krippendorff), known)


def table_of(found: Sequence[Agreement]) -> list[str]:
    """The agreement as lines of a table for a terminal."""
    header = ("question", "units", "pairs agree", "all agree", "Fleiss", "Krippendorff")
    rows = [
        (
            one.of, str(one.units),
            *(str(figure) for figure in (one.pairwise, one.unanimous, one.fleiss, one.krippendorff)),
        )
        for one in found
    ]  # fmt: skip
    widths = [max(len(row[at]) for row in (header, *rows)) for at in range(len(header))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (header, *rows)
    ]
    kappas = [f"Cohen, {one.of}, {pair}: {figure}" for one in found for pair, figure in one.cohen.items()]
    return [*lines, *kappas, "95 % intervals by a bootstrap that draws whole sessions or dialogues"]
