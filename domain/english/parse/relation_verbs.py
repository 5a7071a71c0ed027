"""Verbs that say of two things what a table holds: films "rented" have rentals, who "never ordered" has no orders.

A verb that is denied is read as its entity wanting; else it must be on the way of what is said, or it was not understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.tagger import Sense

_ANYTHING = frozenset(["anything", "any", "something", "one", "yet", "ever"])
_SPAN = 4


def denied_verbs(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The nodes with "never rented" and "have not ordered anything" as "without rentals" and "without orders"."""
    done = list(nodes)
    for at, node in enumerate(nodes):
        entity = node.item.name("verb")
        if not entity or node.values or node.has("entity") or node.has("flag"):
            continue
        before = at - 1
        while before > 0 and at - before < _SPAN and is_filler(nodes[before]):
            before -= 1
        if before >= 0 and nodes[before].has("not") and not nodes[before].values:
            denial = msgspec.structs.replace(nodes[before].item, words="without")
            done[before] = Node(denial)
            done[at] = Node(msgspec.structs.replace(node.item, senses=(Sense("entity", entity),)))
            if at + 2 >= len(nodes) and all(n.item.words in _ANYTHING for n in nodes[at + 1 :]):
                return tuple(done[: at + 1])
    return tuple(done)


def idle_verbs(nodes: Sequence[Node], entities: AbstractSet[str]) -> Iterator[int]:
    """The verbs that speak of none of these entities."""
    for at, node in enumerate(nodes):
        told = {sense.what for sense in node.item.senses} <= {"verb", "fill"} and not node.values
        if node.has("verb") and told and node.item.name("verb") not in entities:
            yield at
