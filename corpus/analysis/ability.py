"""Judgement on whether a reply kept to the written ability of the system: whether it answers requests in scope, and refuses
the rest.

A request is within where an annotator has classified it as answerable, otherwise as the wizard marked its scope; of others
nobody can tell. A failure ("unable", "not heard") keeps to the ability: it is what such a system would say of a request
within.
"""

from enum import StrEnum

from corpus.analysis.attempts import OUTSIDE
from corpus.analysis.turns import Turn
from session.values.vocabulary import ResponseClass, Scope

ANSWERABLE = ("A", "D")


class Ability(StrEnum):
    """Place of a reply: within the ability, beyond it (rows for a request outside), or short of it (a request within that
    was refused as one outside)."""

    KEPT = "kept"
    BEYOND = "beyond"
    SHORT = "short"


def ability_of(turn: Turn) -> Ability | None:
    """Return where the first reply lies; None without one, or where nobody said what the request was."""
    if not turn.answered:
        return None
    if turn.evaluation in ANSWERABLE or (not turn.evaluation and turn.scope == Scope.IN):
        return Ability.SHORT if turn.reason in OUTSIDE else Ability.KEPT
    if turn.scope in (Scope.OUT, Scope.META):
        return Ability.BEYOND if turn.response == ResponseClass.ANSWER else Ability.KEPT
    return None
