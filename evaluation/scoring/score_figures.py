"""The figures of a test as data: everything that the text, the JSON and the page show, computed once.

Every table carries what it was computed with (the signature), an interval is beside every rate, and the report says what such
scores cannot say.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from corpus.analysis.attempts import AttemptShares
from corpus.analysis.distribution import half_width
from evaluation.comparator.comparison import Verdict
from evaluation.comparator.options import Options
from evaluation.scoring.outcomes import (
    AnswerOutcome,
    Home,
    Rivalry,
    SystemOutcomes,
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


class ScoreRow(msgspec.Struct, frozen=True):
    """One row of a table; all but the counts in per cent, half-widths and intervals at 95 %.

    `right_half_width` is that of the papers, 1.96·√(e(1−e)/n), and none if all or nothing is right: it would be 0.
    """

    group: str
    right: int
    wrong: int
    none: int
    undecided: int
    total: int
    right_share: float | None
    right_half_width: float | None
    right_interval: tuple[float, float] | None
    wrong_share: float | None
    weighted_error: float | None
    weighted_interval: tuple[float, float] | None
    score: float | None


class Breakdown(msgspec.Struct, frozen=True):
    """A system's results by what is known of the requests: `name` says by what, such as `site` or `tag`."""

    name: str
    lines: tuple[ScoreRow, ...]


class MatrixRow(msgspec.Struct, frozen=True):
    """One system, or all together, on each site's requests and on all of them; `home` is the system's own site."""

    system: str
    home: str
    cells: tuple[ScoreRow, ...]


class Matrix(msgspec.Struct, frozen=True):
    """Systems by collecting sites, for the requests of one class (A or D) or of both (A+D)."""

    group: str
    sites: tuple[str, ...]
    rows: tuple[MatrixRow, ...]


class OutcomeRow(msgspec.Struct, frozen=True):
    """Outcome of one request, with all that is known of it, for one's own statistics."""

    utterance: str
    verdict: str
    why: str
    category: str
    speaker: str
    session: str
    site: str
    scenario: str
    sex: str
    tags: tuple[str, ...]
    after_failure: str


class SystemReport(msgspec.Struct, frozen=True):
    """The tables of one system, every outcome, and the interval of its weighted error over its `speakers`.

    `undecided_cost` is by how many points the weighted error would fall if all that is undecided were right.
    """

    name: str
    classes: tuple[ScoreRow, ...]
    breakdowns: tuple[Breakdown, ...]
    speakers: int
    speaker_interval: tuple[float, float] | None
    independent_difference: float | None
    undecided_cost: float
    chance: float | None
    outcomes: tuple[OutcomeRow, ...]
    lucky: tuple[str, ...] = ()
    before: tuple[ScoreRow, ...] = ()
    adjudicated: tuple[tuple[str, str, str], ...] = ()

    @property
    def failures(self) -> tuple[OutcomeRow, ...]:
        """The outcomes that are not right."""
        return tuple(outcome for outcome in self.outcomes if outcome.verdict != Verdict.CORRECT)


class ScoreReport(msgspec.Struct, frozen=True):
    """A whole test; `excluded` counts requests of class X, `yes_no` is the share of requests that a Boolean answers."""

    signature: str
    weight: float
    requests: int
    excluded: int
    yes_no: float
    systems: tuple[SystemReport, ...]
    matrices: tuple[Matrix, ...]
    rivalries: tuple[Rivalry, ...]
    homes: tuple[Home, ...]
    outliers: tuple[str, ...]
    collected: AttemptShares | None = None
    limits: tuple[str, ...] = LIMITS


class ScoredSystem(msgspec.Struct, frozen=True):
    """A system scored: with the final references, before adjudication if there was one, and on perturbed databases."""

    final: SystemOutcomes
    before: SystemOutcomes | None = None
    variants: tuple[SystemOutcomes, ...] = ()


def build(
    runs: Sequence[ScoredSystem],
    excluded: int,
    options: Options,
    weight: float,
    seed: int,
    collected: AttemptShares | None = None,
) -> ScoreReport:
    """Return all tables of a test; every system has been scored on the same requests, `collected` with such shares answered."""
    finals = [run.final for run in runs]
    items = [outcome.item for outcome in finals[0].outcomes] if finals else []
    maximum = any(item.maximum is not None for item in items)
    return ScoreReport(
        signature=f"{options.signature(maximum=maximum)}|w:{weight:g}|na:count|und:wrong|seed:{seed}",
        weight=weight,
        requests=len(items),
        excluded=excluded,
        yes_no=100 * sum(is_yes_no(item) for item in items) / len(items) if items else 0.0,
        systems=tuple(_system(run, options, weight, seed) for run in runs),
        matrices=tuple(_matrices(finals, weight)),
        rivalries=tuple(rivalry(one, two, weight, seed) for one, two in combinations(finals, 2)),
        homes=tuple(home_advantages(finals, weight)),
        outliers=tuple(outlier_sites(finals, weight)),
        collected=collected,
    )


def _matrices(finals: Sequence[SystemOutcomes], weight: float) -> Iterator[Matrix]:
    """The matrix of all requests and, where there are both classes, of each."""
    sites = tuple(finals[0].by(lambda item: item.site)) if finals else ()
    classes = list(finals[0].by(scored_class)) if finals else []
    for group in ["A+D", *(classes if len(classes) > 1 else [])]:
        tallies = [[_of(scored, group, site) for site in (*sites, None)] for scored in finals]
        rows = [
            _matrix_row(scored.system.name, scored.system.home, row, sites, weight)
            for scored, row in zip(finals, tallies, strict=True)
        ]
        if len(finals) > 1:
            together = [sum(column, Tally()) for column in zip(*tallies, strict=True)]
            rows.append(_matrix_row("all systems", "", together, sites, weight))
        yield Matrix(group, sites, tuple(rows))


def _of(scored: SystemOutcomes, group: str, site: str | None) -> Tally:
    """The tally of one class or of both on one site's requests or on all."""
    return scored.tally(lambda item: group in ("A+D", scored_class(item)) and site in (None, item.site))


def _matrix_row(name: str, home: str, tallies: Sequence[Tally], sites: Sequence[str], weight: float) -> MatrixRow:
    cells = zip((*sites, "all"), tallies, strict=True)
    return MatrixRow(name, home, tuple(line(site, tally, weight) for site, tally in cells))


def line(group: str, tally: Tally, weight: float) -> ScoreRow:
    """A tally as a row of a table."""
    between = 0 < tally.right < tally.total
    width = 100 * half_width(tally.right / tally.total, tally.total) if between else None
    return ScoreRow(
        group=group,
        right=tally.right,
        wrong=tally.wrong,
        none=tally.none,
        undecided=tally.undecided,
        total=tally.total,
        right_share=tally.share(tally.right),
        right_half_width=width,
        right_interval=tally.right_interval(),
        wrong_share=tally.share(tally.wrong),
        weighted_error=tally.weighted_error(weight),
        weighted_interval=tally.weighted_interval(weight),
        score=tally.score(weight),
    )


def _classes(scored: SystemOutcomes, weight: float) -> tuple[ScoreRow, ...]:
    """Categories of 1989 where there are any, then A, D and both."""
    own = scored.by(lambda item: item.category)
    rows = [line(name, tally, weight) for name, tally in own.items() if name.isdigit()]
    rows += [line(name, tally, weight) for name, tally in scored.by(scored_class).items()]
    return (*rows, line("A+D", scored.tally(), weight))


_FAILED = {"yes": "after a failure", "no": "after an answer"}


def _breakdowns(scored: SystemOutcomes, weight: float) -> Iterator[Breakdown]:
    """Results by site, speaker and whatever else is known of some requests."""
    found = {
        "site": scored.by(lambda item: item.site),
        "speaker": scored.by(lambda item: item.speaker),
        "sex": scored.by(lambda item: item.sex),
        "scenario": scored.by(lambda item: item.scenario),
        "tag": scored.by_each(lambda item: item.tags),
        "turn": scored.by(lambda item: _FAILED.get(item.after_failure, "")),
    }
    for name, tallies in found.items():
        if tallies and (name != "site" or len(tallies) > 1):
            yield Breakdown(name, tuple(line(group, tally, weight) for group, tally in tallies.items()))


def _system(run: ScoredSystem, options: Options, weight: float, seed: int) -> SystemReport:
    scored = run.final
    whole = scored.tally()
    failed = whole.total - whole.right
    between = 0 < failed < whole.total
    return SystemReport(
        name=scored.system.name,
        classes=_classes(scored, weight),
        breakdowns=tuple(_breakdowns(scored, weight)),
        speakers=len(scored.by(lambda item: item.speaker)),
        speaker_interval=scored.interval(weight, seed),
        independent_difference=100 * difference_half_width(failed / whole.total, whole.total) if between else None,
        undecided_cost=weight * (whole.share(whole.undecided) or 0.0),
        chance=chance(scored, options, seed),
        outcomes=tuple(_outcome_row(outcome) for outcome in scored.outcomes),
        lucky=tuple(by_luck(scored, run.variants)),
        before=_classes(run.before, weight) if run.before else (),
        adjudicated=tuple(_changes(run.before, scored)) if run.before else (),
    )


def _outcome_row(outcome: AnswerOutcome) -> OutcomeRow:
    item = outcome.item
    known = (item.category, item.speaker, item.session, item.site, item.scenario, item.sex, item.tags)
    return OutcomeRow(item.name, str(outcome.verdict), outcome.why, *known, item.after_failure)


def _changes(before: SystemOutcomes, after: SystemOutcomes) -> list[tuple[str, str, str]]:
    """List what adjudication changed: the request, its verdict before and after; `not scored` where it is of one only."""
    first = {outcome.item.name: str(outcome.verdict) for outcome in before.outcomes}
    second = {outcome.item.name: str(outcome.verdict) for outcome in after.outcomes}
    names = sorted({*first, *second})
    pairs = [(name, first.get(name, "not scored"), second.get(name, "not scored")) for name in names]
    return [pair for pair in pairs if pair[1] != pair[2]]
