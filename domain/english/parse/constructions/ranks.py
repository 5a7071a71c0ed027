"""Ranks: "the three oldest clerks", "the first two", "the second cheapest"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Extreme, Meaning
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.constructions.construction import Construction, Read, column_of, without

_MOST = 50


def ranked(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a number or an ordinal next to a superlative."""
    for at, node in enumerate(nodes):
        number, ordinal = (_whole(node, kind) for kind in ("number", "ordinal"))
        before = at > 0 and _picks(nodes[at - 1])
        after = at + 1 < len(nodes) and _picks(nodes[at + 1])
        pick = _TOP.get(nodes[at - 1].item.words, "") if at else ""
        if pick and number:
            return Construction(without(nodes, {at - 1, at}), partial(_topmost, model, number, pick), pick, strict=True)
        if number and (after or (before and _things(nodes, at + 1))):
            # in "the first two", "first" is not an ordinal
            plain = [Node(n.item) if place == at - 1 and before else n for place, n in enumerate(nodes)]
            return Construction(without(plain, {at}), partial(_with_rank, model, number, 1))
        if ordinal and after and not _picks(node):
            return Construction(without(nodes, {at}), partial(_with_rank, model, 1, ordinal))
    return None


def _whole(node: Node, kind: str) -> int:
    """Return the uncompared number of a node if it is two or more, else 0."""
    found = [v.data[0] for v in node.values if v.kind == kind and v.op == "=" and not v.unit]
    said = found[0] if found and not node.compared else 0
    return said if isinstance(said, int) and 2 <= said <= _MOST else 0


def _picks(node: Node) -> bool:
    return node.has("superlative") or node.has("extreme")


def _things(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a ranked noun follows, or nothing at all."""
    return at >= len(nodes) or any(nodes[at].has(what) for what in ("entity", "flag", "fill"))


def _with_rank(model: DomainModel, number: int, place: int, meaning: Meaning) -> Meaning | None:
    amount = meaning.aggregate if meaning.aggregate in {"max", "min"} and len(meaning.attributes) == 1 else ""
    if amount and not meaning.extremes and (column := column_of(model, name := meaning.attributes[0])):
        # "the two highest salaries" are two rows, not an aggregate
        meaning = msgspec.structs.replace(
            meaning, aggregate="", extremes=(Extreme(name, column, amount, _SAID[amount]),)
        )
    if len(meaning.extremes) != 1 or meaning.count or meaning.aggregate or meaning.per or meaning.by:
        return None
    extreme = msgspec.structs.replace(meaning.extremes[0], number=number, place=place)
    return msgspec.structs.replace(meaning, extremes=(extreme,))


def _topmost(model: DomainModel, number: int, pick: str, meaning: Meaning) -> Meaning | None:
    """Rank the requested attribute itself: "the top five salaries"."""
    if meaning.aggregate or meaning.extremes or len(meaning.attributes) != 1:
        return None
    return _with_rank(model, number, 1, msgspec.structs.replace(meaning, aggregate=pick))


_TOP = {"top": "max", "bottom": "min"}
_SAID = {"max": "highest", "min": "lowest"}
