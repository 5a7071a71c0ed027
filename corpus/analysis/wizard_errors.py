"""Errors of wizards: how many of the replies of each were marked as wrong, and how long they took, with intervals."""

from collections.abc import Iterable

import msgspec

from corpus.analysis.distribution import spread, wilson
from corpus.analysis.turns import Turn


class WizardRow(msgspec.Struct, frozen=True):
    """One wizard: utterances with a reply, those marked as wrong, per cent with its 95 % interval, median seconds to a reply."""

    wizard: str
    replies: int
    wrong: int
    percent: float
    low: float
    high: float
    seconds: float | None


def wizard_rows(found: Iterable[tuple[str, Turn]]) -> list[WizardRow]:
    """Count by wizard; `found` are the wizard of each turn, and the turn."""
    groups: dict[str, list[Turn]] = {}
    for wizard, turn in found:
        if wizard and turn.answered:
            groups.setdefault(wizard, []).append(turn)
    return [_row(wizard, turns) for wizard, turns in sorted(groups.items())]


def _row(wizard: str, turns: list[Turn]) -> WizardRow:
    wrong = sum(turn.marked_wrong for turn in turns)
    low, high = wilson(wrong / len(turns), len(turns))
    took = spread(turn.stage("reply") for turn in turns)
    percent = 100 * wrong / len(turns)
    return WizardRow(wizard, len(turns), wrong, percent, 100 * low, 100 * high, took.median if took else None)
