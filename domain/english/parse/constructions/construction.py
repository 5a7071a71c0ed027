"""Constructions that say more than one condition at a time: "the three oldest", "by job title", "more than the average".

Each is found by its own words, which leave the request before the rest is parsed, and then changes the meaning of the rest.
Where it cannot, what depends on it is not understood; a construction that is `strict` is never passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import msgspec

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Flagged, Having, Meaning, said_in
from domain.english.parse.combine_comparisons import Node, is_filler

Change = Callable[[Meaning], Meaning | None]


@dataclass(frozen=True)
class Read:
    """Reads some words as a request of their own about these entities; None where a word of them finds no place. `head` is
    what the request is about if it names nothing."""

    words: Callable[[Sequence[Node], Sequence[str]], Meaning | None]
    head: tuple[str, ...] = ()

    def __call__(self, nodes: Sequence[Node], entities: Sequence[str] = ()) -> Meaning | None:
        """Return what the nodes mean by themselves."""
        return self.words(nodes, entities)


@dataclass(frozen=True)
class Construction:
    """The request without the words of a construction, and what these make of its meaning; None where they do not fit it."""

    nodes: tuple[Node, ...]
    change: Change
    words: str = ""
    strict: bool = False


Recogniser = Callable[[DomainModel, Sequence[Node], Read], Construction | None]


def without(nodes: Sequence[Node], places: AbstractSet[int]) -> tuple[Node, ...]:
    """The nodes but for those at these places."""
    return tuple(node for at, node in enumerate(nodes) if at not in places)


def words_of(nodes: Sequence[Node], places: AbstractSet[int]) -> str:
    """The words of the nodes at these places."""
    return " ".join(nodes[at].item.words for at in sorted(places))


def asked_here(model: DomainModel, node: Node, owners: Sequence[str] = ()) -> str:
    """The attribute that a node names by itself, of one of the owners where there are any; empty for none."""
    names = [s.name for s in node.item.all("asked") if model.attribute[s.name].select]
    return next((name for name in names if not owners or model.attribute[name].of in owners), "")


def column_of(model: DomainModel, attribute: str) -> str:
    """The column that an attribute is, of the table of its entity; empty where it is none or another thing."""
    about = model.attribute[attribute]
    paths = [*about.select, *(path for path in about.accepts.values() if not about.select)]
    table = model.entity[about.of].table
    own = [read_path(path).end for path in paths[:1] if ";" not in path and "|" not in path and "," not in path]
    return own[0] if own and own[0].startswith(f"{table}.") else ""


def of_entity(model: DomainModel, meaning: Meaning, entity: str) -> tuple[tuple[Condition, ...], tuple[Flagged, ...]]:
    """The conditions and flags of a meaning that say something of this entity."""
    conditions = tuple(c for c in meaning.conditions if model.attribute[c.attribute].of == entity)
    flags = tuple(f for f in meaning.flags if all(model.flag[name].of == entity for name in f.flags))
    return conditions, flags


def scoped(model: DomainModel, meaning: Meaning) -> Meaning:
    """The meaning with what is said of things that are counted held against these: "authors with more than two books in
    Norton" have as many there."""
    done = []
    for having in meaning.having:
        plain = not (having.conditions or having.flags or having.op == "all" or having.than)
        own, meaning = counting(model, meaning, having) if plain else (having, meaning)
        done.append(own)
    return msgspec.structs.replace(meaning, having=tuple(done))


def counting(model: DomainModel, meaning: Meaning, having: Having) -> tuple[Having, Meaning]:
    """The things counted with what the meaning says of them, and the meaning without it."""
    either = any(model.attribute[c.attribute].of == having.entity for group in meaning.either for c in group)
    if having.entity in meaning.entities or either:
        return having, meaning
    conditions, flags = of_entity(model, meaning, having.entity)
    rest = msgspec.structs.replace(
        meaning,
        conditions=tuple(c for c in meaning.conditions if c not in conditions),
        flags=tuple(f for f in meaning.flags if f not in flags),
    )
    own = msgspec.structs.replace(having, conditions=(*having.conditions, *conditions), flags=(*having.flags, *flags))
    return own, rest


def narrowing(meaning: Meaning) -> Meaning:
    """The things asked for and their conditions, and nothing that is made of them: that among which an average is taken."""
    return Meaning(
        meaning.entities[:1],
        conditions=meaning.conditions,
        flags=meaning.flags,
        either=meaning.either,
        having=meaning.having,
        rows=meaning.rows,
        inside=meaning.inside,
    )


def bare(meaning: Meaning) -> bool:
    """Return whether nothing narrows what is asked for."""
    return not (said_in(meaning) or meaning.flags or meaning.extremes or meaning.having)


def after_fillers(nodes: Sequence[Node], at: int, *told: str) -> int:
    """The first place from `at` on that does not merely fill; what can be one of `told` is no filler here."""
    while at < len(nodes) and is_filler(nodes[at]) and not any(map(nodes[at].has, told)):
        at += 1
    return at
