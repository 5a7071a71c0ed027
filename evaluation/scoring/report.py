"""The figures of a test as data: everything that the text, the JSON and the page show, computed once.

Every table carries what it was computed with (the signature), an interval stands beside every rate, and the report
says what such scores cannot say.
"""

from collections.abc import Sequence
from itertools import combinations

import msgspec

from corpus.analysis.attempts import Shares
from corpus.analysis.distribution import half_width
from evaluation.comparator.compare import Verdict
from evaluation.comparator.options import Options
from evaluation.scoring.score import (
    Home,
    Outcome,
    Rivalry,
    Scored,
    by_luck,
    chance,
    home_advantages,
    is_yes_no,
    outlier_sites,
    rivalry,
    scored_class,
)
from evaluation.scoring.tally import Tally, difference_half_width

LIMITS = (
    "Answers are compared, not judged: a useful answer that is not the reference counts as wrong, without partial credit.",
    "An answer can be right for a wrong reason; perturbed databases (--variants) show some of these.",
    "Recorded sessions punish a system that asks back, and carry traces of the system that collected them.",
    "Speed counts for nothing here, and single pairs of request and answer measure little of a dialogue.",
)


class Line(msgspec.Struct, frozen=True):
    """One row of a table; all but the counts in per cent, half-widths at 95 %."""

    group: str
    right: int
    wrong: int
    none: int
    total: int
    right_share: float | None
    right_half_width: float | None
    weighted_error: float | None
    weighted_half_width: float | None
    score: float | None


class Cell(msgspec.Struct, frozen=True):
    """One system on one site's requests; `home` marks the system's own site."""

    site: str
    total: int
    right_share: float | None
    wrong_share: float | None
    weighted_error: float | None
    home: bool


class SystemReport(msgspec.Struct, frozen=True):
    """All tables of one system, the interval of its weighted error over speakers, and its wrong answers explained."""

    name: str
    classes: tuple[Line, ...]
    sites: tuple[Line, ...]
    speakers: tuple[Line, ...]
    matrix: tuple[Cell, ...]
    speaker_interval: tuple[float, float] | None
    independent_difference: float | None
    chance: float | None
    failures: tuple[tuple[str, str, str], ...]
    lucky: tuple[str, ...] = ()
    before: tuple[Line, ...] = ()
    adjudicated: tuple[tuple[str, str, str], ...] = ()


class Report(msgspec.Struct, frozen=True):
    """A whole test; `excluded` counts requests of class X, `yes_no` is the share of requests that a Boolean answers.

    `everyone` holds all systems together, site by site, and last over all sites; empty for one system.
    """

    signature: str
    weight: float
    requests: int
    excluded: int
    yes_no: float
    systems: tuple[SystemReport, ...]
    rivalries: tuple[Rivalry, ...]
    homes: tuple[Home, ...]
    outliers: tuple[str, ...]
    everyone: tuple[Line, ...] = ()
    collected: Shares | None = None
    limits: tuple[str, ...] = LIMITS


class Run(msgspec.Struct, frozen=True):
    """A system scored: with the final references, before adjudication if there was one, and on perturbed databases."""

    final: Scored
    before: Scored | None = None
    variants: tuple[Scored, ...] = ()


def build(
    runs: Sequence[Run],
    excluded: int,
    options: Options,
    weight: float,
    seed: int,
    collected: Shares | None = None,
) -> Report:
    """All tables of a test; every system has been scored on the same requests, `collected` with such shares answered."""
    finals = [run.final for run in runs]
    items = [outcome.item for outcome in finals[0].outcomes] if finals else []
    maximum = any(item.maximum is not None for item in items)
    return Report(
        signature=f"{options.signature(maximum=maximum)}|w:{weight:g}|na:count|seed:{seed}",
        weight=weight,
        requests=len(items),
        excluded=excluded,
        yes_no=100 * sum(is_yes_no(item) for item in items) / len(items) if items else 0.0,
        systems=tuple(_system(run, options, weight, seed) for run in runs),
        rivalries=tuple(rivalry(one, two, weight, seed) for one, two in combinations(finals, 2)),
        homes=tuple(home_advantages(finals, weight)),
        outliers=tuple(outlier_sites(finals, weight)),
        everyone=_everyone(finals, weight) if len(finals) > 1 else (),
        collected=collected,
    )


def _everyone(finals: Sequence[Scored], weight: float) -> tuple[Line, ...]:
    together: dict[str, Tally] = {}
    for scored in finals:
        for site, tally in scored.by(lambda item: item.site).items():
            together[site] = together.get(site, Tally()) + tally
    rows = [line(site, tally, weight) for site, tally in together.items()]
    return (*rows, line("all", sum(together.values(), Tally()), weight))


def line(group: str, tally: Tally, weight: float) -> Line:
    """A tally as a row of a table."""
    share = tally.share(tally.right)
    width = 100 * half_width(tally.right / tally.total, tally.total) if tally.total else None
    return Line(
        group,
        tally.right,
        tally.wrong,
        tally.none,
        tally.total,
        share,
        width,
        tally.weighted_error(weight),
        tally.weighted_half_width(weight),
        tally.score(weight),
    )


def _classes(scored: Scored, weight: float) -> tuple[Line, ...]:
    """Categories of 1989 where there are any, then A, D and both."""
    own = scored.by(lambda item: item.category)
    rows = [line(name, tally, weight) for name, tally in own.items() if name.isdigit()]
    rows += [line(name, tally, weight) for name, tally in scored.by(scored_class).items()]
    return (*rows, line("A+D", scored.tally(), weight))


def _system(run: Run, options: Options, weight: float, seed: int) -> SystemReport:
    scored = run.final
    sites = scored.by(lambda item: item.site)
    whole = scored.tally()
    error = (whole.wrong + whole.none) / whole.total if whole.total else 0.0
    return SystemReport(
        name=scored.system.name,
        classes=_classes(scored, weight),
        sites=tuple(line(site, tally, weight) for site, tally in sites.items()),
        speakers=tuple(line(name, tally, weight) for name, tally in scored.by(lambda item: item.speaker).items()),
        matrix=tuple(_cell(site, tally, weight, scored.system.home) for site, tally in sites.items()),
        speaker_interval=scored.interval(weight, seed),
        independent_difference=100 * difference_half_width(error, whole.total) if whole.total else None,
        chance=chance(scored, options, seed),
        failures=tuple(_failure(outcome) for outcome in scored.outcomes if outcome.verdict is not Verdict.CORRECT),
        lucky=tuple(by_luck(scored, run.variants)),
        before=_classes(run.before, weight) if run.before else (),
        adjudicated=tuple(_changes(run.before, scored)) if run.before else (),
    )


def _cell(site: str, tally: Tally, weight: float, home: str) -> Cell:
    shares = tally.share(tally.right), tally.share(tally.wrong)
    return Cell(site, tally.total, *shares, tally.weighted_error(weight), site == home)


def _failure(outcome: Outcome) -> tuple[str, str, str]:
    return outcome.item.name, str(outcome.verdict), outcome.why


def _changes(before: Scored, after: Scored) -> list[tuple[str, str, str]]:
    """What adjudication changed: the request, its verdict before and after; `not scored` where it is of one only."""
    first = {outcome.item.name: str(outcome.verdict) for outcome in before.outcomes}
    second = {outcome.item.name: str(outcome.verdict) for outcome in after.outcomes}
    names = sorted({*first, *second})
    pairs = [(name, first.get(name, "not scored"), second.get(name, "not scored")) for name in names]
    return [pair for pair in pairs if pair[1] != pair[2]]
