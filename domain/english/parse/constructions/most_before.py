"""Superlatives over an earlier count or aggregate: "which has the most" after the clerks in each department."""

from __future__ import annotations

import re

import msgspec

from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Extreme, Meaning
from domain.english.parse.combine_comparisons import is_filler
from domain.english.parse.parser import Parsed

_MOST = re.compile(r"\b(?P<most>most|highest|largest|biggest|fewest|least|lowest|smallest)\b")
_COUNTS = frozenset(["most", "fewest", "least"])
_OF_THOSE = re.compile(
    r"^(?:(?:and|so|but) )?(?:which|what) [a-z]+(?: [a-z]+)?(?:"
    r" (?:has|have|had|does|do|did|gets|got|makes|made|flies|is|was)(?: the)? (?:most|fewest|least)"
    r"(?: of (?:them|those|these|it))?(?: then)?"
    r"| (?:do|does|did|are|were|have|had) (?:the )?(?:most|fewest|least) of (?:them|those|these)"
    r"(?: (?:have|use|come from|belong to|go to|are|is|in|on|with|at|from|of|been|to))*)$"
)
_FEW = frozenset(["fewest", "least", "lowest", "smallest"])
_THAT = re.compile(r"^(?:and )?(?:who|which|what)\b.*\b(?:that|it|this|so much|that much|as much)$")


def of_each(model: DomainModel, parsed: Parsed, before: Meaning, text: str) -> Meaning | None:
    """Return the superlative over the earlier request's groups or aggregate, or None if this request adds anything else."""
    plain, now = text.lower().strip(" ?.!"), parsed.meaning
    if now.conditions or now.flags or now.attributes or now.either or now.compared or now.having or now.per:
        return None
    if before.aggregate in {"max", "min"} and len(before.attributes) == 1 and _THAT.match(plain):
        return _who_has(model, parsed, before)
    found = _MOST.search(plain)
    if not found:
        return None
    pick = "min" if found["most"] in _FEW else "max"
    if found["most"] in _COUNTS and (most := _most_of_those(model, parsed, before, plain)):
        return msgspec.structs.replace(most, pick=pick)
    if not _nothing_else(parsed, before):
        return None
    if before.per and not before.aggregate:
        return msgspec.structs.replace(before, pick=pick)
    counted = before.having[0] if len(before.having) == 1 else None
    if (
        counted
        and not (counted.aggregate or counted.conditions or counted.flags or counted.than)
        and counted.op not in _WHOLE
    ):
        return msgspec.structs.replace(before, per=counted.entity, pick=pick)
    return None


def _most_of_those(model: DomainModel, parsed: Parsed, before: Meaning, plain: str) -> Meaning | None:
    """Return the entity with most of the earlier rows, or None: "which author has the most of them"."""
    (head, *others), counted = parsed.meaning.entities, before.entities[0]
    numbers = (
        before.per or before.by or before.pick or before.aggregate or before.extremes or before.having or before.never
    )
    named = [n.item.name("entity") for n in parsed.nodes if n.has("entity")]
    if (
        numbers
        or others
        or head == counted
        or named != [head]
        or len(before.entities) > 1
        or not _OF_THOSE.match(plain)
    ):
        return None
    if not tied(model, (head, counted)):
        return None
    plainly = Meaning((head,), per=counted, conditions=before.conditions, flags=before.flags, either=before.either)
    return msgspec.structs.replace(plainly, rows=before.rows, inside=before.inside, outside=before.outside)


def _nothing_else(parsed: Parsed, before: Meaning) -> bool:
    """Return whether a request names no entity but those that were counted for."""
    own = {*before.entities}
    said = (n for n in parsed.nodes if not (is_filler(n) or n.has("continue") or _MOST.search(n.item.words)))
    return all(node.has("ask") or (node.has("entity") and node.item.name("entity") in own) for node in said)


def _who_has(model: DomainModel, parsed: Parsed, before: Meaning) -> Meaning | None:
    """Return the rows that have the maximum or minimum asked for before."""
    attribute = model.attribute[before.attributes[0]]
    column = attribute.maximum if before.aggregate == "max" else attribute.minimum
    if not column or parsed.meaning.entities != before.entities:
        return None
    word = "highest" if before.aggregate == "max" else "lowest"
    most = Extreme(before.attributes[0], column, before.aggregate, f"{word} {before.attributes[0].replace('_', ' ')}")
    return msgspec.structs.replace(before, aggregate="", attributes=(), extremes=(most,))


_WHOLE = frozenset({"none", "all"})
