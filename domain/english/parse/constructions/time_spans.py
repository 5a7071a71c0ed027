"""Groups by spans of time: "callouts per year", "how many screenings each day", "which month had the fewest sales"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.constructions.construction import Construction, Read, without, words_of
from domain.english.parse.heads import COUNTED_MOST

_EACH = frozenset(["per", "by", "each", "every"])
_LED = frozenset(["for", "in", "on", "of", "within", "during", "broken down", "down"])
_SPANS = {"day": "day", "date": "day", "month": "month", "year": "year"}
_WHICH = frozenset(["which", "what", "in which", "in what", "on which", "on what"])
_HAVING = frozenset(
    ["had", "has", "saw", "were", "was", "did", "we", "the", "with the", "with", "have", "there", "brought"]
)


def by_span(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a span of time that a count or an aggregate is asked for: "per year", "on each day", "by month"."""
    for at in range(1, len(nodes)):
        led, span = nodes[at - 1].item.words, _SPANS.get(nodes[at].item.words, "")
        if led not in _EACH or not span:
            continue
        first = at - 2 if at > 1 and nodes[at - 2].item.words in _LED else at - 1
        gone = frozenset(range(first, at + 1))

        def change(meaning: Meaning, span: str = span) -> Meaning | None:
            numbers = meaning.count or meaning.aggregate in {"avg", "sum", "min", "max"} or _plain(meaning)
            return _divided(model, meaning, span, "") if numbers else None

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def span_with_most(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a span of time with the most or fewest rows: "which year had the most sales"."""
    for at in range(1, len(nodes) - 2):
        span = _SPANS.get(nodes[at].item.words, "") if nodes[at - 1].item.words in _WHICH | {"the", "year"} else ""
        most = next((place for place in range(at + 1, len(nodes)) if nodes[place].item.words in COUNTED_MOST), 0)
        if not span or not most or not {n.item.words for n in nodes[at + 1 : most]} <= _HAVING:
            continue
        if most + 1 == len(nodes) or not nodes[most + 1].has("entity"):
            continue
        gone = frozenset(range(at - 1, most + 1))
        pick = "min" if "fewest" in nodes[most].item.words else "max"

        def change(meaning: Meaning, span: str = span, pick: str = pick) -> Meaning | None:
            return _divided(model, meaning, span, pick) if _plain(meaning) else None

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def _plain(meaning: Meaning) -> bool:
    return not (meaning.count or meaning.aggregate or meaning.attributes or meaning.extremes)


def _divided(model: DomainModel, meaning: Meaning, span: str, pick: str) -> Meaning | None:
    """Return the meaning for each span of the date of its rows; None if they have no such date, or several."""
    if meaning.per or meaning.by or len(meaning.entities) != 1:
        return None
    own = {n: a for n, a in model.attribute.items() if a.of == meaning.entities[0] and len(a.select) == 1}
    dated = [n for n, a in own.items() if "date" in a.accepts and "month" in a.accepts and ";" not in a.select[0]]
    told = [n for n in dated if own[n].default] or dated
    if len(told) != 1:
        return None
    return msgspec.structs.replace(meaning, by=told[0], span=span, pick=pick, count=False)
