"""Words that name more than one entity: which of them a request means is told by what else it says.

"Who earns most" is whoever has wages, where patients and nurses are people too; a "who" right behind what is asked for asks for
nobody else: "customers who live in London" are no employees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.parse.combine_comparisons import Node


def settled_words(model: DomainModel, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """The nodes, each with one entity at most."""
    return tuple(_settled(model, nodes, at) for at in range(len(nodes)))


def _settled(model: DomainModel, nodes: Sequence[Node], at: int) -> Node:
    node = nodes[at]
    names = [sense.name for sense in node.item.all("entity")]
    who = node.item.words.partition(" ")[0] == "who"
    before = nodes[at - 1].item.name("entity") if at else ""
    if who and names and before and before not in names:
        return _naming(node, frozenset())
    if len(names) < 2:
        return node
    others = [n for place, n in enumerate(nodes) if place != at]
    told = {name: sum(name in set(_spoken_of(model, n)) for n in others) for name in names}
    if who:
        called = {name for n in others for name in _called(model, n, named=True)}
        told = {name: 0 if name in called else number for name, number in told.items()}
    most = max(told.values())
    best = [name for name in names if told[name] == most]
    if who and (not most or len(best) > 1):
        named = any(True for n in nodes[at + 1 : at + 2] for _ in _called(model, n, named=True))
        return _naming(node, frozenset(), "" if named else "who")
    return _naming(node, {best[0]})


def _naming(node: Node, names: AbstractSet[str], words: str = "") -> Node:
    """The node with these entities alone; "who was", of which nobody knows who it could be, is a plain "who"."""
    senses = tuple(s for s in node.item.senses if s.what != "entity" or s.name in names)
    item = msgspec.structs.replace(node.item, senses=senses, words=words or node.item.words)
    return msgspec.structs.replace(node, item=item)


def _spoken_of(model: DomainModel, node: Node) -> Iterator[str]:
    """The entities of which a node can say something."""
    for sense in node.item.senses:
        if sense.what in {"cue", "asked", "trailing"}:
            yield model.attribute[sense.name].of
        elif sense.what == "flag":
            yield model.flag[sense.name].of
        elif sense.what == "superlative":
            yield from model.superlative[sense.name].column
    yield from _called(model, node)


def _called(model: DomainModel, node: Node, named: bool = False) -> Iterator[str]:
    """The entities of which a node is a value of their own, or only those of which it is the name."""
    kinds = [model.kind[value.kind] for value in node.values if value.kind in model.kind]
    for name, entity in model.entity.items():
        own = [kind for kind in kinds if kind.column.startswith(f"{entity.table}.")]
        if any(kind.asks == name or kind.names or not named for kind in own):
            yield name
