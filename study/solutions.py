"""Solutions are judged: what a subject declared is held against the scenario's solution set, the rows of its `solution.sql`.

A solution is right where it holds all values of one row, in any order, among any other words; where the set has a column `part`,
a row of every part (docs/how-to/prepare-a-domain.md). Pure.
"""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from corpus.analysis.distribution import survival_median
from session.values.answers import Table

_WORDS = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)?")
PART = "part"


class Rightness(StrEnum):
    """The judgement on a declared solution: `wrong form` has some values of a row but not all; `none` was never declared."""

    RIGHT = "right"
    WRONG = "wrong"
    WRONG_FORM = "wrong form"
    NONE = "none"
    UNJUDGED = "no solution set"


def judge(declared: str | None, rows: Table | None) -> Rightness:
    """Hold a declared solution against the rows of a solution set.

    >>> judge("United, flight 0201", Table(("airline", "number"), (("UNITED", 201),)))
    <Rightness.RIGHT: 'right'>
    >>> judge("flight 201", Table(("airline", "number"), (("UNITED", 201),)))
    <Rightness.WRONG_FORM: 'wrong form'>
    """
    if not declared:
        return Rightness.NONE
    if rows is None:
        return Rightness.UNJUDGED
    said = _tokens(declared)
    parts: dict[str, list[list[list[str]]]] = {}
    for row in rows.rows:
        by_part = bool(rows.columns) and rows.columns[0].lower() == PART
        wanted = [_tokens(_text(value)) for value in (row[1:] if by_part else row) if value is not None]
        parts.setdefault(_text(row[0]) if by_part else "", []).append(wanted)
    if not parts:
        return Rightness.WRONG
    if all(any(all(_within(value, said) for value in row) for row in group) for group in parts.values()):
        return Rightness.RIGHT
    some = any(_within(value, said) for group in parts.values() for row in group for value in row if value)
    return Rightness.WRONG_FORM if some and _incomplete(parts.values(), said) else Rightness.WRONG


def _incomplete(groups: Iterable[Sequence[Sequence[Sequence[str]]]], said: Sequence[str]) -> bool:
    """Return whether what was said fits a row as far as it goes: every word of it that could be a value is one of that row."""
    numbers = [word for word in said if word[0].isdigit()]
    rows = [row for group in groups for row in group]
    known = {word for row in rows for value in row for word in value}
    return all(word in known for word in numbers)


def _within(value: Sequence[str], said: Sequence[str]) -> bool:
    return any(list(said[n : n + len(value)]) == list(value) for n in range(len(said) - len(value) + 1))


def _tokens(text: str) -> list[str]:
    """Words and numbers in small letters; zeros in front of a number, and behind its point, do not count."""
    return [_number(word) if word[0].isdigit() else word for word in _WORDS.findall(text.lower())]


def _number(word: str) -> str:
    whole, _, rest = word.partition(".")
    rest = rest.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")


def _text(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


class Attempted(msgspec.Struct, frozen=True):
    """One subject-scenario: `finished` where it was ended, not broken off; `seconds` to the solution, or without one."""

    session: str
    speaker: str
    condition: str
    scenario: str
    finished: bool
    solution: str
    verdict: Rightness
    seconds: float

    @property
    def given(self) -> bool:
        return bool(self.solution)

    @property
    def correct(self) -> bool:
        return self.verdict is Rightness.RIGHT


class Solved(msgspec.Struct, frozen=True):
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


def solved(attempts: Iterable[Attempted], *, failures: bool = False) -> list[Solved]:
    """Count by scenario. Those without a right solution are censored at their time; with `failures` they never end at all."""
    groups: dict[str, list[Attempted]] = {}
    for attempt in attempts:
        groups.setdefault(attempt.scenario, []).append(attempt)
    return [_solved(name, own, failures=failures) for name, own in sorted(groups.items())]


def _solved(name: str, own: Sequence[Attempted], *, failures: bool) -> Solved:
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
    return Solved(
        name, len(own), sum(attempt.finished for attempt in own), sum(attempt.given for attempt in own), right,
        count(Rightness.WRONG), count(Rightness.WRONG_FORM), count(Rightness.NONE),
        None if median is None else median / 60, flag,
    )  # fmt: skip
