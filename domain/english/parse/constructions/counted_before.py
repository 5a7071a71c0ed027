"""Changes to an earlier count: "more than ten" or "what about men", after departments with more than three women."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Flagged, Having, Meaning
from domain.english.parse.constructions.contrasts import Part, columns_of
from domain.english.text.numbers import NUMBER_WORDS
from domain.english.text.tokens import read_words

P = TypeVar("P", Condition, Flagged)
_BOUNDS = frozenset({"<", "<=", ">", ">=", "="})
_BOUNDING = frozenset(
    [
        "more",
        "than",
        "over",
        "under",
        "at",
        "least",
        "most",
        "fewer",
        "less",
        "and",
        "or",
        "only",
        "those",
        "these",
        "with",
        "the",
        "ones",
        "exactly",
        "but",
        "no",
        "make",
        "it",
        "what",
        "about",
        "above",
        "below",
        "where",
        "is",
        "are",
        "of",
        "them",
    ]
)


def counted_otherwise(model: DomainModel, now: Meaning, before: Meaning, text: str) -> Meaning | None:
    """Return the earlier meaning with another number or another category counted; None if the request says more or less."""
    if now.extremes or now.having or now.either or now.attributes or now.compared or now.count:
        return None
    return _another_number(now, before, text) or _another_sort(model, now, before)


def _another_number(now: Meaning, before: Meaning, text: str) -> Meaning | None:
    held = [h for h in before.having if h.op in _BOUNDS and not h.than]
    words = {token.text for token in read_words(text) if not token.text.isdigit()}
    values = now.conditions[0].values if len(now.conditions) == 1 and not now.conditions[0].negated else ()
    if words - _BOUNDING - NUMBER_WORDS or now.flags or len(held) != 1 or len(values) != 1:
        return None
    number = values[0].data[0]
    if values[0].kind not in {"number", "money"} or values[0].op not in _BOUNDS or isinstance(number, str):
        return None
    return _with(before, held[0], msgspec.structs.replace(held[0], op=values[0].op, number=number))


def _another_sort(model: DomainModel, now: Meaning, before: Meaning) -> Meaning | None:
    said: tuple[Part, ...] = (*now.conditions, *now.flags)
    if len(said) != 1 or len(before.having) != 1 or before.having[0].than:
        return None
    part, having = said[0], before.having[0]
    if part.negated:
        return None  # "without programmers" after those without scientists leaves out more
    if isinstance(part, Condition):
        conditions = _replaced(model, having.conditions, part)
        other = msgspec.structs.replace(having, conditions=conditions) if conditions else None
    else:
        flags = _replaced(model, having.flags, part)
        other = msgspec.structs.replace(having, flags=flags) if flags else None
    return _with(before, having, other) if other else None


def _replaced(model: DomainModel, parts: Sequence[P], part: P) -> tuple[P, ...]:
    """Return the parts with `part` in place of the one on the same column; empty if there is none."""
    alike = [p for p in parts if columns_of(model, p) == columns_of(model, part)]
    return tuple(part if p in alike else p for p in parts) if len(alike) == 1 else ()


def _with(before: Meaning, old: Having, new: Having) -> Meaning:
    return msgspec.structs.replace(before, having=tuple(new if h == old else h for h in before.having))
