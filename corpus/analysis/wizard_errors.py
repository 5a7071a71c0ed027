"""Errors of wizards: how many replies of each were wrong, kept to the ability, and how long they took; with intervals.

A reply is an error where the wizard marked it as wrong, or where the rows that were sent are not those of the reference answer.
"""

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import msgspec

from corpus.analysis.ability import Ability, ability_of
from corpus.analysis.distribution import spread, wilson
from corpus.analysis.turns import Course, Turn

Right = Mapping[str, bool]
"""Of utterances by name: whether the rows that were sent are those of the reference answer."""
THIRDS = ("first", "middle", "last")
FEWEST = 2
"""Times that are needed before their ratio has an interval."""


class WizardRow(msgspec.Struct, frozen=True):
    """One wizard: utterances with a reply, those marked as wrong, per cent with its 95 % interval, median seconds to a reply,
    utterances an hour of scenario time, and subjects an hour of their visits."""

    wizard: str
    replies: int
    wrong: int
    percent: float
    low: float
    high: float
    seconds: float | None
    queries_per_hour: float | None = None
    subjects_per_hour: float | None = None


class ComparedRow(msgspec.Struct, frozen=True):
    """One wizard against the reference answers: replies that were compared, right ones, per cent with its 95 % interval."""

    wizard: str
    compared: int
    right: int
    percent: float
    low: float
    high: float


class AbilityRow(msgspec.Struct, frozen=True):
    """One wizard and the written ability: replies of which it can be told, those beyond and short of it, per cent that kept
    to it with its 95 % interval."""

    wizard: str
    told: int
    beyond: int
    short: int
    percent: float
    low: float
    high: float


class DriftRow(msgspec.Struct, frozen=True):
    """A third of a wizard's replies, in the order in which they were given: errors in per cent with the 95 % interval, median
    seconds, and what was chosen: per cent of replies that were canned, and fillers for each reply."""

    wizard: str
    third: str
    replies: int
    percent: float
    low: float
    high: float
    seconds: float | None
    canned: float
    fillers: float


class PairRow(msgspec.Struct, frozen=True):
    """One wizard against another: difference of their errors in percentage points (Newcombe 1998), and ratio of their mean
    times (of the logarithms), each with its 95 % interval."""

    wizard: str
    other: str
    points: float
    points_low: float
    points_high: float
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None


class WizardFigures(msgspec.Struct, frozen=True):
    """Figures of wizards' errors."""

    rows: list[WizardRow] = []
    compared: list[ComparedRow] = []
    ability: list[AbilityRow] = []
    drift: list[DriftRow] = []
    pairs: list[PairRow] = []


def wizard_figures(courses: Iterable[Course], right: Right) -> WizardFigures:
    """Count by wizard; `right` are the replies that were compared with reference answers."""
    groups: dict[str, list[Course]] = {}
    for course in courses:
        if course.header.get("Wizard"):
            groups.setdefault(course.header["Wizard"], []).append(course)
    ordered = {name: sorted(own, key=lambda course: course.began.at) for name, own in sorted(groups.items())}
    turns = {
        name: replied
        for name, own in ordered.items()
        if (replied := [turn for course in own for turn in course.turns if turn.answered])
    }
    return WizardFigures(
        [_row(name, replied, ordered[name]) for name, replied in turns.items()],
        [
            ComparedRow(name, len(known), sum(known), *_share(sum(known), len(known)))
            for name, replied in turns.items()
            if (known := [right[turn.stem] for turn in replied if turn.stem in right])
        ],
        [row for name, replied in turns.items() if (row := _ability(name, replied))],
        [row for name, replied in turns.items() for row in _drift(name, replied, right)],
        [_pair(one, other, turns[one], turns[other], right) for one, other in combinations(turns, 2)],
    )


def _share(count: int, of: int) -> tuple[float, float, float]:
    low, high = wilson(count / of, of)
    return 100 * count / of, 100 * low, 100 * high


def _row(wizard: str, turns: Sequence[Turn], courses: Sequence[Course]) -> WizardRow:
    wrong = sum(turn.marked_wrong for turn in turns)
    took = spread(turn.stage("reply") for turn in turns)
    return WizardRow(
        wizard, len(turns), wrong, *_share(wrong, len(turns)), took.median if took else None,
        queries_per_hour(courses), subjects_per_hour(courses),
    )  # fmt: skip


def _ability(wizard: str, turns: Sequence[Turn]) -> AbilityRow | None:
    found = [place for turn in turns if (place := ability_of(turn)) is not None]
    if not found:
        return None
    beyond, short = found.count(Ability.BEYOND), found.count(Ability.SHORT)
    return AbilityRow(wizard, len(found), beyond, short, *_share(len(found) - beyond - short, len(found)))


def is_error(turn: Turn, right: Right) -> bool:
    """Return whether the reply is known to be wrong."""
    return turn.marked_wrong or right.get(turn.stem) is False


def _drift(wizard: str, turns: Sequence[Turn], right: Right) -> Iterable[DriftRow]:
    size = len(turns) / len(THIRDS)
    for place, third in enumerate(THIRDS):
        own = turns[round(place * size) : round((place + 1) * size)]
        if len(turns) < len(THIRDS) or not own:
            continue
        took = spread(turn.stage("reply") for turn in own)
        yield DriftRow(
            wizard, third, len(own), *_share(sum(is_error(turn, right) for turn in own), len(own)),
            took.median if took else None, 100 * sum(bool(turn.canned) for turn in own) / len(own),
            sum(turn.fillers for turn in own) / len(own),
        )  # fmt: skip


def _pair(wizard: str, other: str, mine: Sequence[Turn], theirs: Sequence[Turn], right: Right) -> PairRow:
    shares, intervals = [], []
    for turns in (mine, theirs):
        wrong = sum(is_error(turn, right) for turn in turns)
        shares.append(wrong / len(turns))
        intervals.append(wilson(wrong / len(turns), len(turns)))
    points, low, high = newcombe(shares[0], intervals[0], shares[1], intervals[1])
    return PairRow(wizard, other, 100 * points, 100 * low, 100 * high, *_ratio(_times(mine), _times(theirs)))


def newcombe(
    one: float, of_one: tuple[float, float], other: float, of_other: tuple[float, float]
) -> tuple[float, float, float]:
    """Return the difference of two shares with its interval, from their score intervals (Newcombe 1998, method 10).

    >>> difference, low, high = newcombe(56 / 70, wilson(56 / 70, 70), 48 / 80, wilson(48 / 80, 80))
    >>> round(difference, 4), round(low, 4), round(high, 4)
    (0.2, 0.0524, 0.3339)
    """
    low = math.hypot(one - of_one[0], of_other[1] - other)
    high = math.hypot(of_one[1] - one, other - of_other[0])
    return one - other, one - other - low, one - other + high


def _times(turns: Sequence[Turn]) -> list[float]:
    found = (turn.stage("reply") for turn in turns)
    return [math.log(seconds) for seconds in found if seconds]


def _ratio(mine: Sequence[float], theirs: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    if min(len(mine), len(theirs)) < FEWEST:
        return None, None, None
    difference = statistics.fmean(mine) - statistics.fmean(theirs)
    width = 1.96 * math.sqrt(statistics.variance(mine) / len(mine) + statistics.variance(theirs) / len(theirs))
    return math.exp(difference), math.exp(difference - width), math.exp(difference + width)


def queries_per_hour(found: Sequence[Course]) -> float | None:
    """Utterances in an hour of work on scenarios, pauses left out."""
    hours = sum(course.time_s for course in found) / 3600
    return sum(len(course.turns) for course in found) / hours if hours else None


def subjects_per_hour(found: Sequence[Course]) -> float | None:
    """Visits in an hour from the first scenario's start to the last one's end, what is between them with it."""
    visits: dict[str, list[int]] = {}
    for course in found:
        visits.setdefault(course.header["Session"], []).extend((course.began.at, course.until.at))
    hours = sum(max(times) - min(times) for times in visits.values()) / 3600e6
    return len(visits) / hours if hours else None
