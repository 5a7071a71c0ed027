"""Solutions are counted scenario by scenario, each judged by `study.rightness`. Pure."""

from collections.abc import Iterable, Sequence

import msgspec

from corpus.analysis.distribution import survival_median
from study.rightness import Rightness


class SolutionAttempt(msgspec.Struct, frozen=True):
    """One subject-scenario: `finished` where it was ended, not broken off; `seconds` to the solution, or without one; `further`
    is what a right solution holds beside its rows."""

    session: str
    speaker: str
    condition: str
    scenario: str
    finished: bool
    solution: str
    verdict: Rightness
    seconds: float
    further: tuple[str, ...] = ()

    @property
    def given(self) -> bool:
        return bool(self.solution)

    @property
    def correct(self) -> bool:
        return self.verdict is Rightness.RIGHT


class ScenarioSolutions(msgspec.Struct, frozen=True):
    """One scenario over its subjects; `minutes` is the median time to a right solution, None for fewer than half."""

    scenario: str
    subjects: int
    finished: int
    given: int
    right: int
    wrong: int
    wrong_form: int
    none: int
    minutes: float | None
    flag: str


FEWEST = 3
"""Subjects before a scenario is said to be too easy or too hard."""


def solved(attempts: Iterable[SolutionAttempt], *, failures: bool = False) -> list[ScenarioSolutions]:
    """Count by scenario. Those without a right solution are censored at their time; with `failures` they never end at all."""
    groups: dict[str, list[SolutionAttempt]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.scenario, []).append(attempt)
    return [_solved(name, own, failures=failures) for name, own in sorted(groups.items())]


def _solved(name: str, own: Sequence[SolutionAttempt], *, failures: bool) -> ScenarioSolutions:
    def count(verdict: Rightness) -> int:
        return sum(attempt.verdict is verdict for attempt in own)

    longest = max((attempt.seconds for attempt in own), default=0.0) + 1
    times = [(one.seconds if one.correct or not failures else longest, not one.correct) for one in own]
    median, right = survival_median(times), count(Rightness.RIGHT)
    judged = sum(attempt.verdict is not Rightness.UNJUDGED for attempt in own)
    flag = ""
    if judged < len(own):
        flag = "no solution set"
    elif len(own) >= FEWEST and right in (0, len(own)):
        flag = "EVERYBODY solves it" if right else "NOBODY solves it"
    return ScenarioSolutions(
        name, len(own), sum(attempt.finished for attempt in own), sum(attempt.given for attempt in own), right,
        count(Rightness.WRONG), count(Rightness.WRONG_FORM), count(Rightness.NONE),
        None if median is None else median / 60, flag,
    )  # fmt: skip
