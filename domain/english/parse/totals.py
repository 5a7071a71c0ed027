"""Questions for a total: "how many beds are there", "how many points has Ann", "how much did we earn in fees".

A numeric column is summed unless the request mentions the rows it belongs to: "how many beds do the rooms have" asks for
the beds of each room.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import Attribute, DomainModel
from domain.english.parse.combine_comparisons import Node, is_filler

_BEFORE, _DURATION = 4, frozenset(["minute", "minutes"])
_OF_THEM = frozenset(["they", "those", "these", "them", "it", "that", "she", "he"])


def asks_for_total(model: DomainModel, nodes: Sequence[Node], places: Sequence[int]) -> bool:
    """Return whether the request asks for the sum of an attribute named at one of these places."""
    return any(_asks_for_total(model, nodes, at) for at in places)


def _asks_for_total(model: DomainModel, nodes: Sequence[Node], at: int) -> bool:
    attributes = [model.attribute[sense.name] for sense in nodes[at].item.all("asked")]
    said = nodes[at].item.words
    amounts = {name for name, unit in model.unit.items() if said in unit.words and not _DURATION & {*unit.words}}
    own = [attribute for attribute in attributes if adds_up(attribute) or amounts & {*attribute.accepts}]
    if not own or not _how_much(nodes, at) or not nodes[at].item.words.endswith("s"):
        return False
    owners = {attribute.of for attribute in attributes}
    return not any(_speaks_of(model, node, owners) for place, node in enumerate(nodes) if place != at)


def adds_up(attribute: Attribute) -> bool:
    """Return whether an attribute is a count or an amount of money, as opposed to a measurement or an identifier."""
    kinds = {*attribute.accepts}
    return bool(kinds & {"number", "money"}) and kinds <= {"number", "money"} and not attribute.years_since


def _how_much(nodes: Sequence[Node], at: int) -> bool:
    """Return whether "how many" directly precedes the noun, or "how much" an amount of money anywhere before it."""
    if nodes[at].item.words.startswith("how many"):
        return True
    for node in reversed(nodes[max(0, at - _BEFORE) : at]):
        if node.item.words.startswith("how many"):
            return True
        if not is_filler(node):
            break
    words = " ".join(node.item.words for node in nodes[:at])
    return "how much" in words and nodes[at - 1].item.words in {"in", "on", "from", "of"}


def _speaks_of(model: DomainModel, node: Node, owners: AbstractSet[str]) -> bool:
    """Return whether a node mentions the owners of the amount, by noun, pronoun or name."""
    if node.item.words in _OF_THEM or node.item.name("entity") in owners:
        return True
    named = [model.kind[value.kind] for value in node.values if value.kind in model.kind]
    return any(kind.asks in owners for kind in named if kind.asks)
