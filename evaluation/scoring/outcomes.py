"""From references and answers to outcomes and tables: systems, classes, sites, speakers, and who beats whom by luck.

Every request of the test counts for every system, so that denominators never differ: what a system does not answer
is *no answer*. Requests of class X are left out and counted.
"""

import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

import msgspec

from corpus.formats.cas import NoAnswer, Relation
from corpus.io.progress import counting
from evaluation.comparator.answer_input import check_maximum, explanations
from evaluation.comparator.comparison import Comparison, InputFault, Verdict, compare
from evaluation.comparator.options import Options
from evaluation.scoring.answer_files import CLASSES, Faults, PlacedAnswer, ScoredRequest, answer_faults
from evaluation.scoring.significance import mcnemar, permutation, speaker_interval
from evaluation.scoring.tally import Tally

OUTLIER = 3.5
CHANCE_PAIRS = 2000
CHANCE_WORK = 50_000
"""Steps of one of these comparisons; two thousand of them must not take longer than the test itself."""


class System(msgspec.Struct, frozen=True):
    """A system under test: its name, the site that made it (or nothing), and its answers."""

    name: str
    home: str
    answers: dict[str, PlacedAnswer]


class AnswerOutcome(msgspec.Struct, frozen=True):
    """Outcome of one answer; `why` explains a wrong one, `shown` is where the answer stands."""

    item: ScoredRequest
    verdict: Verdict
    why: str = ""
    shown: str = ""

    def weight(self, wrong: float) -> float:
        """Return its contribution to the weighted error."""
        return {Verdict.CORRECT: 0.0, Verdict.NO_ANSWER: 1.0}.get(self.verdict, wrong)


class SystemOutcomes(msgspec.Struct, frozen=True):
    """A system's outcomes over all requests that are scored, in the order of the test."""

    system: System
    outcomes: tuple[AnswerOutcome, ...]

    def tally(self, keep: Callable[[ScoredRequest], bool] = lambda item: True) -> Tally:
        """The tally over some of the requests."""
        return tally_of(outcome for outcome in self.outcomes if keep(outcome.item))

    def by(self, key: Callable[[ScoredRequest], str]) -> dict[str, Tally]:
        """Tallies by site, speaker or class, keys in order."""
        return self.by_each(lambda item: (key(item),))

    def by_each(self, keys: Callable[[ScoredRequest], Iterable[str]]) -> dict[str, Tally]:
        """Tallies by something of which a request may have several, such as tags; keys in order, empty ones left out."""
        groups: dict[str, list[AnswerOutcome]] = defaultdict(list)
        for outcome in self.outcomes:
            for key in keys(outcome.item):
                groups[key].append(outcome)
        return {name: tally_of(groups[name]) for name in sorted(groups) if name}

    def interval(self, weight: float, seed: int) -> tuple[float, float] | None:
        """95 % interval of the weighted error in per cent, speakers resampled; None where all of them fare alike: it
        would have no width."""
        groups: dict[str, list[float]] = defaultdict(list)
        for outcome in self.outcomes:
            groups[outcome.item.speaker].append(outcome.weight(weight))
        found = speaker_interval([(sum(values), len(values)) for values in groups.values()], seed=seed)
        return None if found is None or found[0] == found[1] else (100 * found[0], 100 * found[1])


def tally_of(outcomes: Iterable[AnswerOutcome]) -> Tally:
    """Count outcomes."""
    verdicts = [outcome.verdict for outcome in outcomes]
    return Tally(
        verdicts.count(Verdict.CORRECT),
        verdicts.count(Verdict.INCORRECT),
        verdicts.count(Verdict.NO_ANSWER),
        verdicts.count(Verdict.UNDECIDED),
    )


def scored_class(item: ScoredRequest) -> str:
    """A for what stands alone, D for what depends on context; X is not scored."""
    return CLASSES[item.category]


def score(
    items: Sequence[ScoredRequest], system: System, options: Options, err: TextIO | None = None
) -> SystemOutcomes:
    """Compare every request's answer; raises Faults naming each answer that cannot be scored. Progress goes to `err`."""
    faults = answer_faults(items, system.answers)
    if faults:
        raise Faults(faults)
    outcomes = []
    with counting(err, f"requests to {system.name}", len(items)) as tell:
        for done, item in enumerate(items):
            tell(done)
            if item.category == "X":
                continue
            try:
                outcomes.append(_outcome(item, system.answers.get(item.name), options))
            except InputFault as error:
                faults.append(f"references: {item.name}: {error}")
    if faults:
        raise Faults(faults)
    return SystemOutcomes(system, tuple(outcomes))


def _outcome(item: ScoredRequest, listed: PlacedAnswer | None, options: Options) -> AnswerOutcome:
    if item.reference is None:
        raise InputFault("there is no reference answer")
    if listed is None:
        return AnswerOutcome(item, Verdict.NO_ANSWER, "no answer was given")
    found: Comparison = compare(item.reference, listed.answer, item.maximum, options)
    if found.verdict is Verdict.UNDECIDED:
        why = f"undecided within {options.work} steps; raise the limit with --work"
        return AnswerOutcome(item, Verdict.UNDECIDED, why, listed.place)
    check_maximum(found, item.reference, item.maximum, options)
    reasons = explanations(found, item.reference, listed.answer, item.maximum, options)
    return AnswerOutcome(item, found.verdict, " | ".join(reason.text() for reason in reasons), listed.place)


class Rivalry(msgspec.Struct, frozen=True):
    """Two systems on the same requests: right by just one of them, and how likely chance alone is."""

    first: str
    second: str
    only_first: int
    only_second: int
    mcnemar: float
    permutation: float


def rivalry(first: SystemOutcomes, second: SystemOutcomes, weight: float, seed: int) -> Rivalry:
    """McNemar on right or not, and a permutation test on the weights by session."""
    sessions: dict[str, list[float]] = defaultdict(list)
    only = [0, 0]
    for one, two in zip(first.outcomes, second.outcomes, strict=True):
        right = (one.verdict is Verdict.CORRECT, two.verdict is Verdict.CORRECT)
        only[0] += right == (True, False)
        only[1] += right == (False, True)
        sessions[one.item.session].append(one.weight(weight) - two.weight(weight))
    chance = permutation(sessions, seed=seed)
    return Rivalry(first.system.name, second.system.name, only[0], only[1], mcnemar(*only), chance)


class Home(msgspec.Struct, frozen=True):
    """Advantage of a system on its own site's requests over elsewhere, beyond that of all others there.

    In points of weighted error; positive is an advantage at home. None if there is nobody to compare with.
    """

    system: str
    site: str
    advantage: float | None


def home_advantages(systems: Sequence[SystemOutcomes], weight: float) -> list[Home]:
    """For every system with a home site among the sites of the test."""
    found = []
    for one in systems:
        home = one.system.home
        if any(outcome.item.site == home for outcome in one.outcomes):
            own = _easier(one, home, weight)
            others = [_easier(other, home, weight) for other in systems if other is not one]
            known = [value for value in others if value is not None]
            advantage = own - statistics.mean(known) if own is not None and known else None
            found.append(Home(one.system.name, home, advantage))
    return found


def _easier(scored: SystemOutcomes, site: str, weight: float) -> float | None:
    here = scored.tally(lambda item: item.site == site).weighted_error(weight)
    there = scored.tally(lambda item: item.site != site).weighted_error(weight)
    return None if here is None or there is None else there - here


def outlier_sites(systems: Sequence[SystemOutcomes], weight: float) -> list[str]:
    """Sites whose requests are unlike the others': robust z of the pooled weighted error above 3.5."""
    pooled: dict[str, Tally] = defaultdict(Tally)
    for one in systems:
        for site, tally in one.by(lambda item: item.site).items():
            pooled[site] += tally
    errors = {site: tally.weighted_error(weight) or 0.0 for site, tally in pooled.items()}
    if len(errors) < 3:
        return []
    middle = statistics.median(errors.values())
    spread = statistics.median(abs(error - middle) for error in errors.values())
    far = {site: abs(error - middle) for site, error in errors.items()}
    return sorted(site for site, away in far.items() if away > 0 and 0.6745 * away > OUTLIER * spread)


def is_yes_no(item: ScoredRequest) -> bool:
    """Return whether a Boolean alone would be right."""
    alternatives = item.reference.alternatives if item.reference else ()
    return any(
        isinstance(one, Relation) and len(one.rows) == 1 and isinstance(one.rows[0][0], bool) and one.arity == 1
        for one in alternatives
    )


def chance(scored: SystemOutcomes, options: Options, seed: int) -> float | None:
    """Per cent of the system's answers that would pass for another request of the test, drawn with a seed.

    Pairs that take long to decide are left out of the share.
    """
    given = [
        (item, scored.system.answers[item.name].answer)
        for item in (o.item for o in scored.outcomes)
        if item.name in scored.system.answers
    ]
    given = [(item, answer) for item, answer in given if not isinstance(answer.single, NoAnswer)]
    others = len(given) - 1
    pairs = range(len(given) * others)
    drawn = pairs if len(pairs) <= CHANCE_PAIRS else random.Random(seed).sample(pairs, CHANCE_PAIRS)
    quick = msgspec.structs.replace(options, work=min(options.work, CHANCE_WORK))
    verdicts = []
    for one, other in (divmod(pair, others) for pair in drawn):
        item, answer = given[one][0], given[other + (other >= one)][1]
        if item.reference is not None:
            verdicts.append(compare(item.reference, answer, item.maximum, quick).verdict)
    decided = [verdict for verdict in verdicts if verdict is not Verdict.UNDECIDED]
    return 100 * decided.count(Verdict.CORRECT) / len(decided) if decided else None


def by_luck(base: SystemOutcomes, variants: Sequence[SystemOutcomes]) -> list[str]:
    """Requests answered rightly on the database of the test and not on every perturbed one."""
    right = (Verdict.CORRECT, Verdict.UNDECIDED)
    wrong = {outcome.item.name for one in variants for outcome in one.outcomes if outcome.verdict not in right}
    return [o.item.name for o in base.outcomes if o.verdict is Verdict.CORRECT and o.item.name in wrong]
