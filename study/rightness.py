"""Rightness of a declared solution: it is compared with the scenario's solution set, the rows of its `solution.sql`.

A solution is right where it holds all values of one row, in any order, among any other words; where the set has a column `part`,
a row of every part (docs/how-to/prepare-a-domain.md). Pure.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

from session.values.answers import Table

_WORDS = re.compile(r"[^\W\d_]+|[0-9]+(?:\.[0-9]+)?")
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
    said, parts = _tokens(declared), _parts(rows)
    if not parts:
        return Rightness.WRONG
    if all(any(all(_within(value, said) for value in row) for row in group) for group in parts.values()):
        return Rightness.RIGHT
    some = any(_within(value, said) for group in parts.values() for row in group for value in row if value)
    return Rightness.WRONG_FORM if some and _incomplete(parts.values(), said) else Rightness.WRONG


def _parts(rows: Table) -> dict[str, list[list[list[str]]]]:
    """The rows of each part (one without a name where there are none), each as its values."""
    parts: dict[str, list[list[list[str]]]] = {}
    for row in rows.rows:
        by_part = bool(rows.columns) and rows.columns[0].lower() == PART
        wanted = [_tokens(_text(value)) for value in (row[1:] if by_part else row) if value is not None]
        parts.setdefault(_text(row[0]) if by_part else "", []).append(wanted)
    return parts


def further(declared: str, rows: Table) -> tuple[str, ...]:
    """Return what a right solution holds beside its rows: other numbers, and values of rows that it does not hold whole. They
    may contradict it, or say more of the same; only a person can tell.

    >>> flights = Table(("airline", "number"), (("UNITED", 201), ("DELTA", 7)))
    >>> further("United 201, or Delta 999", flights)
    ('999', 'delta')
    >>> further("United 201 or Delta 7", flights)
    ()
    """
    said = _tokens(declared)
    every = [row for group in _parts(rows).values() for row in group]
    held = {word for row in every if all(_within(value, said) for value in row) for value in row for word in value}
    numbers = [word for word in said if word[0].isdigit() and word not in held]
    others = [" ".join(value) for row in every for value in row if _within(value, said) and not held.issuperset(value)]
    return tuple(dict.fromkeys([*numbers, *(text for text in others if text not in numbers)]))


def _incomplete(groups: Iterable[Sequence[Sequence[Sequence[str]]]], said: Sequence[str]) -> bool:
    """Return whether what was said fits as far as it goes: all its numbers are of one row (of every part), with a value of it."""
    numbers = frozenset(word for word in said if word[0].isdigit())
    left = {numbers}
    for group in groups:
        rows = [frozenset(word for value in row for word in value) for row in group]
        left |= {rest - row for rest in left for row in rows}
    return frozenset() in left


def _within(value: Sequence[str], said: Sequence[str]) -> bool:
    return any(list(said[n : n + len(value)]) == list(value) for n in range(len(said) - len(value) + 1))


def _tokens(text: str) -> list[str]:
    """Words and numbers in small letters; zeros in front of a number, and behind its point, do not count."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return [_number(word) if word[0].isdigit() else word for word in _WORDS.findall(plain)]


def _number(word: str) -> str:
    whole, _, rest = word.partition(".")
    rest = rest.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")


def _text(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
