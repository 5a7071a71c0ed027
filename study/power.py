"""Power of a design by simulation: how many subjects it takes to see that one level of a factor takes longer than another.

Times of tasks are about log-normal, so that all of it is done on logarithms, and an effect is a ratio. Each simulated study has
the study's own slots, visits and scenarios; subjects and their single times vary as those of a pilot did. The test is two-sided,
on the subjects' differences for a factor within subjects and on their means for one between; its critical value comes from
studies simulated without the effect, so that no distribution has to be assumed for it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from session.study.assignment import assign
from session.study.design import Design, Factor, round_size
from study.solutions import SolutionAttempt

ROUNDS = 2000
ALPHA = 0.05
MOST = 400
"""Subjects beyond which nothing is tried."""
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class PowerError(ValueError):
    """Error: a simulation is impossible, with the reason and the remedy."""


class Spread(msgspec.Struct, frozen=True):
    """Standard deviations of log times: of subjects' means, and of single times around these; of `subjects` and `times`."""

    subject: float
    residual: float
    subjects: int = 0
    times: int = 0


class PowerEstimate(msgspec.Struct, frozen=True):
    """So many subjects find the effect with this probability, of `ROUNDS` simulated studies."""

    subjects: int
    power: float


def spread_of(attempts: Iterable[SolutionAttempt]) -> Spread:
    """Estimate the spread from times of scenarios that were finished, by analysis of variance, scenario and condition taken out.

    Raises `PowerError` for fewer than two subjects with two scenarios each.
    """
    found = [one for one in attempts if one.finished and one.seconds > 0]
    cells = {key: n for n, key in enumerate(sorted({(one.scenario, one.condition) for one in found}))}
    who = {key: n for n, key in enumerate(sorted({one.speaker for one in found}))}
    subject = np.array([who[one.speaker] for one in found], dtype=np.intp)
    cell = np.array([cells[one.scenario, one.condition] for one in found], dtype=np.intp)
    several = int((np.bincount(subject, minlength=len(who)) > 1).sum()) if found else 0
    free = len(found) - len(who) - len(cells) + 1
    if several < 2 or free < 1:
        raise PowerError(
            f"{len(found)} finished scenarios of {len(who)} subjects do not tell how times vary: hold a pilot of at least two "
            "subjects with two scenarios each, or give the standard deviations of log times: --spread SUBJECT RESIDUAL"
        )
    times = np.log(np.array([one.seconds for one in found]))
    inside = np.zeros((len(found), len(who) + len(cells)))
    inside[np.arange(len(found)), subject] = 1
    inside[np.arange(len(found)), len(who) + cell] = 1
    left = times - inside @ np.linalg.lstsq(inside, times, rcond=None)[0]
    residual = float(left @ left) / free
    of_cells = inside[:, len(who) :]
    plain = times - of_cells @ np.linalg.lstsq(of_cells, times, rcond=None)[0]
    between = (float(plain @ plain) - float(left @ left)) / max(len(who) - 1, 1)
    each = len(found) / len(who)
    return Spread(math.sqrt(max(0.0, (between - residual) / each)), math.sqrt(residual), len(who), len(found))


def simulate(
    design: Design, factors: Mapping[str, Factor], name: str, ratio: float, spread: Spread, seed: int, power: float
) -> list[PowerEstimate]:
    """Try growing numbers of subjects, whole rounds of the design, until the last level of a factor, taking `ratio` times as
    long as the first, is found with this power; the last entry is the answer, unless it stays below.

    Raises `PowerError` if the design has nothing to compare.
    """
    found: list[PowerEstimate] = []
    step, apart = round_size(design, factors), scenarios_apart(design, factors, name, seed)
    at = step * -(-4 // step)  # a spread wants two subjects under each level
    while at <= MOST:
        found.append(PowerEstimate(at, _power(design, factors, name, math.log(ratio), spread, seed, at, apart=apart)))
        if found[-1].power >= power:
            return found
        at += max(step, step * round(at * 0.15 / step))
    return found


def _power(
    design: Design, factors: Mapping[str, Factor], name: str, effect: float, spread: Spread, seed: int, subjects: int,
    *, apart: bool,
) -> float:  # fmt: skip
    levels = list(factors[name].levels)
    first, last = levels[0], levels[-1]
    who, side, scenario = _observations(design, factors, name, (first, last), seed, subjects)
    if len(set(side)) < 2:
        raise PowerError(f"{subjects} subjects have no scenario under both {first} and {last} of {name}")
    subject, late, within = np.array(who), np.array(side) == last, factors[name].within
    kept, contrasts = _contrasts(subject, late, subjects, within=within)
    seen = contrasts if apart else contrasts @ _without_scenarios(scenario)
    draw = np.random.default_rng([seed, subjects])
    values = (spread.subject * draw.standard_normal((ROUNDS, subjects))[:, subject]) @ seen.T
    values += (spread.residual * draw.standard_normal((ROUNDS, len(who)))) @ seen.T
    group = np.isin(kept, subject[late])
    without, with_it = (
        _paired(found) if within else _unpaired(found, group) for found in (values, values + effect * (seen @ late))
    )
    return float(np.mean(with_it > np.quantile(without, 1 - ALPHA)))


def scenarios_apart(design: Design, factors: Mapping[str, Factor], name: str, seed: int) -> bool:
    """Return whether no scenario is worked on under both the first and the last level of a factor, as where each has a domain of
    its own: then an effect cannot be told from how hard the scenarios are, whose means are not taken out."""
    levels = list(factors[name].levels)
    whole = round_size(design, factors)
    _, side, scenario = _observations(design, factors, name, (levels[0], levels[-1]), seed, whole)
    return len(set(zip(scenario, side, strict=True))) == len(set(scenario)) and len(set(side)) > 1


def _observations(
    design: Design, factors: Mapping[str, Factor], name: str, levels: tuple[str, str], seed: int, subjects: int
) -> tuple[list[int], list[str], list[str]]:
    """The subject, the level and the scenario of each time under one of the two levels, as the slots of the design have them."""
    who: list[int] = []
    side: list[str] = []
    scenario: list[str] = []
    for slot in range(1, subjects + 1):
        for visit in assign(design, factors, seed, slot).visits:
            for held, own in visit.every or [("", visit.levels)]:
                if own.get(name) in levels:
                    who.append(slot - 1)
                    side.append(own[name])
                    scenario.append(held)
    return who, side, scenario


def _without_scenarios(scenario: Sequence[str]) -> Floats:
    """The projection that takes the mean of each scenario out."""
    place = {name: n for n, name in enumerate(dict.fromkeys(scenario))}
    of = np.zeros((len(scenario), len(place)))
    of[np.arange(len(scenario)), [place[name] for name in scenario]] = 1
    out: Floats = np.eye(len(scenario)) - of @ np.diag(1 / of.sum(axis=0)) @ of.T
    return out


def _contrasts(who: np.ndarray, late: np.ndarray, subjects: int, *, within: bool) -> tuple[list[int], Floats]:
    """The subjects that can be compared, and a row for each: the difference of the means of both levels, or the mean of all."""
    rows: dict[int, Floats] = {}
    for subject in range(subjects):
        own = who == subject
        if not within and own.any():
            rows[subject] = own / own.sum()
        elif within and (own & late).any() and (own & ~late).any():
            rows[subject] = (own & late) / (own & late).sum() - (own & ~late) / (own & ~late).sum()
    return [*rows], np.array([*rows.values()], dtype=np.float64)


def _paired(values: Floats) -> Floats:
    """The size of Student's t of the subjects' differences, for each simulated study."""
    error = values.std(axis=1, ddof=1) / math.sqrt(values.shape[1])
    size: Floats = np.abs(values.mean(axis=1)) / np.maximum(error, 1e-300)
    return size


def _unpaired(values: Floats, group: np.ndarray) -> Floats:
    """The size of Student's t between two groups of subjects, with a pooled variance."""
    one, other = values[:, group], values[:, ~group]
    n, m = one.shape[1], other.shape[1]
    pooled = (one.var(axis=1, ddof=1) * (n - 1) + other.var(axis=1, ddof=1) * (m - 1)) / (n + m - 2)
    size: Floats = np.abs(one.mean(axis=1) - other.mean(axis=1)) / np.maximum(np.sqrt(pooled * (1 / n + 1 / m)), 1e-300)
    return size
