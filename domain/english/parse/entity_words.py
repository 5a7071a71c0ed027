"""Words that name more than one entity, disambiguated by the rest of the request.

"Who earns most" means the entity that has wages, even if patients and nurses are people too. A "who" right after the head
is a relative pronoun: "customers who live in London".

Verbs relate two entities through a table: films "rented" have rentals, "never ordered" means without orders. A negated
verb is read as the absence of its entity; any other verb must be covered by the meaning, or it counts as not understood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from domain.english.model.domain import Attribute, DomainModel
from domain.english.model.path_names import tables_in
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.tagger import Sense

_NAMED = 9
_ANYTHING = frozenset(["anything", "any", "something", "one", "yet", "ever"])
_PLACED = frozenset(["in", "on", "at", "of", "with", "to"])
_SPAN = 4


def with_one_entity(model: DomainModel, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return the nodes, each with at most one entity."""
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
    spoken = [{*_spoken_of(model, n, nodes[p + 1 : p + 2])} for p, n in enumerate(nodes) if p != at]
    told = {name: sum(name in entities for entities in spoken) for name in names}
    if who:
        called = {name for n in others for name in _called(model, n, named=True)}
        elsewhere = any(_asks_of_others(model, n, names) for n in others)
        told = {
            name: number + _NAMED * any(n.item.name("entity") == name for n in others) for name, number in told.items()
        }
        told = {name: 0 if elsewhere or name in called else number for name, number in told.items()}
        told = {name: number and number + _referred(model, name, others) for name, number in told.items()}
        if not any(told.values()) and not elsewhere:
            told = {name: _referred(model, name, others) for name in names if name not in called}
    most = max(told.values(), default=0)
    best = [name for name in names if told.get(name, 0) == most]
    if who and (not most or len(best) > 1):
        named = any(True for n in nodes[at + 1 : at + 2] for _ in _called(model, n, named=True))
        plain = named or node.item.words in {"who is", "who are"}
        return _naming(node, frozenset(), "" if plain else "who")
    return _naming(node, {best[0]})


def _referred(model: DomainModel, name: str, nodes: Sequence[Node]) -> int:
    """Return how many mentioned entities have a foreign key to this entity or from it: who has a loan is a member."""
    table = model.entity[name].table
    named = {model.entity[s.name].table for n in nodes for s in n.item.senses if s.what in {"entity", "verb"}} - {table}
    return sum(
        any(_joins(a, model.entity[a.of].table, table, other) for a in model.attribute.values()) for other in named
    )


def _joins(attribute: Attribute, table: str, one: str, other: str) -> bool:
    """Return whether an attribute of one of two tables leads to the other in one join."""
    if table not in {one, other}:
        return False
    paths = (*attribute.accepts.values(), *attribute.select)
    return any(path.count(";") == 1 and {*tables_in(path)} == {one, other} for path in paths)


def _naming(node: Node, names: AbstractSet[str], words: str = "") -> Node:
    """Return the node with only these entities; "who was" without any becomes a plain "who"."""
    senses = tuple(s for s in node.item.senses if s.what != "entity" or s.name in names)
    item = msgspec.structs.replace(node.item, senses=senses, words=words or node.item.words)
    return msgspec.structs.replace(node, item=item)


def _spoken_of(model: DomainModel, node: Node, after: Sequence[Node]) -> Iterator[str]:
    """Yield the entities that a node can describe; a name in `after` limits what the verb can mean."""
    named = {v.kind for n in after for v in n.values if v.kind in model.kind}
    for sense in node.item.senses:
        if sense.what in {"cue", "asked", "trailing"}:
            attribute = model.attribute[sense.name]
            fits = not named or named & {*attribute.accepts}
            if fits and any(";" not in path for path in (*attribute.accepts.values(), *attribute.select)):
                yield attribute.of  # in its own table, not in a related one
        elif sense.what == "flag":
            yield model.flag[sense.name].of
        elif sense.what == "superlative":
            yield from model.superlative[sense.name].column
    yield from _called(model, node)


def _asks_of_others(model: DomainModel, node: Node, names: Sequence[str]) -> bool:
    """Return whether a node names an attribute that none of these entities has: the mark of an exam."""
    owners = {model.attribute[sense.name].of for sense in node.item.all("asked")}
    return bool(owners) and not owners & {*names}


def _called(model: DomainModel, node: Node, named: bool = False) -> Iterator[str]:
    """Yield the entities that have a node's value in their own table; with `named`, only those identified by it."""
    kinds = [model.kind[value.kind] for value in node.values if value.kind in model.kind]
    for name, entity in model.entity.items():
        own = [kind for kind in kinds if kind.column.startswith(f"{entity.table}.")]
        if any(kind.asks == name or kind.names or not named for kind in own):
            yield name


def negated_verbs(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return the nodes with negated verbs replaced: "never rented" becomes "without rentals"."""
    done = list(nodes)
    for at, node in enumerate(nodes):
        if node.has("not") and (place := _in_any(nodes, at)):
            done[at] = Node(msgspec.structs.replace(node.item, words="without"))
            return (*done[: at + 1], *done[place:])
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


def _in_any(nodes: Sequence[Node], at: int) -> int:
    """Return the index of the entity in "not in any club", or 0."""
    words = [node.item.words for node in nodes[at + 1 : at + 5]]
    words = words[1:] if words[:1] == ["been"] else words
    place = at + 1 + (len(nodes[at + 1 : at + 5]) - len(words)) + 2
    led = words[:1] and words[0] in _PLACED and words[1:2] == ["any"]
    return place if led and place < len(nodes) and nodes[place].has("entity") and not nodes[place].values else 0


def idle_verbs(nodes: Sequence[Node], entities: AbstractSet[str]) -> Iterator[int]:
    """Yield the indices of verbs that relate to none of these entities."""
    for at, node in enumerate(nodes):
        told = {sense.what for sense in node.item.senses} <= {"verb", "fill"} and not node.values
        if node.has("verb") and told and node.item.name("verb") not in entities:
            yield at
