"""Coefficients of agreement over labels without an order: observed, by chance, and corrected for chance.

A table has one row a unit and one column a rater; None is where a rater said nothing. Cohen (1960), Fleiss (1971) and
Krippendorff (2011) are computed as published, and tests hold them to the published examples.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

Label = Hashable
Row = Sequence[Label | None]
Vector = npt.NDArray[np.float64]
ROUNDS = 1000


class Interval(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval by bootstrap over clusters; None if it cannot be computed."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.value is None:
            return "–"
        span = f" ({self.low:.3f} to {self.high:.3f})" if self.low is not None and self.high is not None else ""
        return f"{self.value:.3f}{span}"


class Figure(NamedTuple):
    """A coefficient as a function of sums over rows, so that a table drawn again from clusters needs no second look at its
    rows.

    `sums` gives the vector of one cluster, for labels numbered by the mapping; `value` the coefficient of a summed vector.
    """

    sums: Callable[[Sequence[Row], Mapping[Label, int]], Vector]
    value: Callable[[Vector], float | None]


def _counted(row: Row) -> Counter[Label]:
    return Counter(label for label in row if label is not None)


def _ratio(found: Vector) -> float | None:
    return float(found[0] / found[1]) if found[1] else None


def _pairs(rows: Sequence[Row], _: Mapping[Label, int]) -> Vector:
    same = pairs = 0
    for counts in map(_counted, rows):
        said = sum(counts.values())
        pairs += said * (said - 1)
        same += sum(count * (count - 1) for count in counts.values())
    return np.array([same, pairs], float)


PAIRWISE = Figure(_pairs, _ratio)


def _all_but(dissenters: int) -> Figure:
    def sums(rows: Sequence[Row], _: Mapping[Label, int]) -> Vector:
        rated = [counts for counts in map(_counted, rows) if sum(counts.values()) > 1]
        agreed = sum(max(counts.values()) >= sum(counts.values()) - dissenters for counts in rated)
        return np.array([agreed, len(rated)], float)

    return Figure(sums, _ratio)


UNANIMOUS = _all_but(0)


def _cohen(one: int, other: int) -> Figure:
    def sums(rows: Sequence[Row], numbers: Mapping[Label, int]) -> Vector:
        found = np.zeros(2 + 2 * len(numbers))
        for row in rows:
            a, b = row[one], row[other]
            if a is not None and b is not None:
                found[0] += a == b
                found[1] += 1
                found[2 + numbers[a]] += 1
                found[2 + len(numbers) + numbers[b]] += 1
        return found

    def value(found: Vector) -> float | None:
        if not found[1]:
            return None
        first, second = np.split(found[2:], 2)
        return _corrected(found[0] / found[1], first @ second / found[1] ** 2)

    return Figure(sums, value)


def _fleiss(ratings: int) -> Figure:
    """Over the units of so many ratings."""

    def sums(rows: Sequence[Row], numbers: Mapping[Label, int]) -> Vector:
        found = np.zeros(2 + len(numbers))
        for counts in map(_counted, rows):
            if sum(counts.values()) == ratings:
                found[0] += sum(n * n for n in counts.values()) - ratings
                found[1] += 1
                for label, n in counts.items():
                    found[2 + numbers[label]] += n
        return found

    def value(found: Vector) -> float | None:
        if ratings < 2 or not found[1]:
            return None
        observed = found[0] / (found[1] * ratings * (ratings - 1))
        return _corrected(observed, float(np.square(found[2:] / (found[1] * ratings)).sum()))

    return Figure(sums, value)


def _alpha(rows: Sequence[Row], numbers: Mapping[Label, int]) -> Vector:
    found = np.zeros(1 + len(numbers))
    for counts in map(_counted, rows):
        said = sum(counts.values())
        if said > 1:
            found[0] += (said * said - sum(n * n for n in counts.values())) / (said - 1)
            for label, n in counts.items():
                found[1 + numbers[label]] += n
    return found


def _alpha_value(found: Vector) -> float | None:
    total = found[1:].sum()
    expected = total * total - np.square(found[1:]).sum()
    return float(1 - (total - 1) * found[0] / expected) if expected else None


KRIPPENDORFF = Figure(_alpha, _alpha_value)


def _corrected(observed: float, chance: float) -> float | None:
    return float((observed - chance) / (1 - chance)) if chance < 1 else None


def _numbered(table: Iterable[Row]) -> dict[Label, int]:
    labels = dict.fromkeys(label for row in table for label in row if label is not None)
    return {label: number for number, label in enumerate(labels)}


def _of(figure: Figure, table: Sequence[Row]) -> float | None:
    return figure.value(figure.sums(table, _numbered(table)))


def pairwise(table: Sequence[Row]) -> float | None:
    """Share of pairs of ratings of the same unit that agree."""
    return _of(PAIRWISE, table)


def unanimous(table: Sequence[Row]) -> float | None:
    """Share of the units rated by two or more of which all ratings agree."""
    return _of(UNANIMOUS, table)


def at_most_dissenting(table: Sequence[Row], dissenters: int) -> float | None:
    """Share of the units rated by two or more of which all but so many ratings agree."""
    return _of(_all_but(dissenters), table)


def cohen(first: Sequence[Label | None], second: Sequence[Label | None]) -> float | None:
    """Cohen's kappa of two raters over the units that both rated; None if chance alone would agree always.

    >>> round(cohen("yyyynnnnyn", "yyynnnnnyy"), 2)
    0.6
    """
    return _of(_cohen(0, 1), list(zip(first, second, strict=True)))


def fleiss(table: Sequence[Row]) -> float | None:
    """Fleiss' kappa over the units that have the most ratings: it needs the same number of each. None without such."""
    return _of(_fleiss(_most(table)), table)


def krippendorff(table: Sequence[Row]) -> float | None:
    """Krippendorff's alpha for nominal labels, ratings missing or not; None if no label differs anywhere."""
    return _of(KRIPPENDORFF, table)


def _most(table: Iterable[Row]) -> int:
    return max((sum(label is not None for label in row) for row in table), default=0)


def with_interval(clusters: Sequence[Sequence[Row]], figure: Figure, seed: int, rounds: int = ROUNDS) -> Interval:
    """A figure over all rows with the 95 % interval of a bootstrap that draws whole clusters, such as sessions."""
    numbers = _numbered(row for cluster in clusters for row in cluster)
    sums = np.array([figure.sums(cluster, numbers) for cluster in clusters])
    value = figure.value(sums.sum(axis=0)) if len(clusters) else None
    if value is None or len(clusters) < 2:
        return Interval(value)
    draws = np.random.default_rng(seed).integers(0, len(clusters), (rounds, len(clusters)))
    times = np.array([np.bincount(draw, minlength=len(clusters)) for draw in draws])
    known = [one for one in map(figure.value, times @ sums) if one is not None]
    if not known:
        return Interval(value)
    low, high = np.quantile(known, (0.025, 0.975))
    return Interval(value, float(low), float(high))


FEW_CLUSTERS = 8
"""Fewer sessions or dialogues than these are no sample of sessions: what is drawn from them anew is much the same every time."""


class Agreement(msgspec.Struct, frozen=True):
    """Agreement on one question: how many units were rated twice or more, and every coefficient with its interval; `cohen` by
    pair of raters, `all_but_one` where there are more than two; `clusters` are the sessions or dialogues with such units."""

    of: str
    units: int
    pairwise: Interval
    unanimous: Interval
    fleiss: Interval
    krippendorff: Interval
    cohen: dict[str, Interval]
    all_but_one: Interval = Interval(None)
    clusters: int = 0


def agreement(
    of: str, raters: Sequence[str], clusters: Sequence[Sequence[Row]], seed: int = 1, rounds: int = ROUNDS
) -> Agreement:
    """Return all coefficients over a table in clusters, whose columns are the `raters`."""

    def taken(figure: Figure) -> Interval:
        return with_interval(clusters, figure, seed, rounds)

    rated = sum(sum(label is not None for label in row) > 1 for cluster in clusters for row in cluster)
    pairs = {
        f"{raters[one]}/{raters[other]}": taken(_cohen(one, other))
        for one, other in combinations(range(len(raters)), 2)
    }
    known = {name: found for name, found in pairs.items() if found.value is not None}
    nearly = taken(_all_but(1)) if len(raters) > 2 else Interval(None)
    fixed = _fleiss(_most(row for cluster in clusters for row in cluster))
    drawn = sum(any(sum(label is not None for label in row) > 1 for row in cluster) for cluster in clusters)
    figures = taken(PAIRWISE), taken(UNANIMOUS), taken(fixed), taken(KRIPPENDORFF)
    return Agreement(of, rated, *figures, known, nearly, drawn)


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
    nearly = [f"all but one agree, {one.of}: {one.all_but_one}" for one in found if one.all_but_one.value is not None]
    drawn = max((one.clusters for one in found), default=0)
    few = f"; with only {drawn} of them none can be trusted" if 0 < drawn < FEW_CLUSTERS else ""
    return [*lines, *nearly, *kappas, f"95 % intervals by a bootstrap that draws whole sessions or dialogues{few}"]
