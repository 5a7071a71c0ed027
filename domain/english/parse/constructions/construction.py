"""Constructions: phrases that change a meaning as a whole, such as "the three oldest", "more than the average".

Each is recognised by its own words, which are removed before the rest is parsed, and then changes the meaning of the
rest. If it does not apply, the words that depend on it count as not understood; a `strict` construction is never ignored.
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
    """Reads words as a request of their own; None if one of them is not understood.

    `head` holds the entities of a request that names none.
    """

    words: Callable[[Sequence[Node], Sequence[str]], Meaning | None]
    head: tuple[str, ...] = ()

    def __call__(self, nodes: Sequence[Node], entities: Sequence[str] = ()) -> Meaning | None:
        """Return the meaning of the nodes on their own."""
        return self.words(nodes, entities)


@dataclass(frozen=True)
class Construction:
    """The request without a construction's words, and the change they make to its meaning (None if they do not apply)."""

    nodes: tuple[Node, ...]
    change: Change
    words: str = ""
    strict: bool = False


Recogniser = Callable[[DomainModel, Sequence[Node], Read], Construction | None]


def without(nodes: Sequence[Node], places: AbstractSet[int]) -> tuple[Node, ...]:
    """Return the nodes without those at these places."""
    return tuple(node for at, node in enumerate(nodes) if at not in places)


def words_of(nodes: Sequence[Node], places: AbstractSet[int]) -> str:
    """Return the words of the nodes at these places."""
    return " ".join(nodes[at].item.words for at in sorted(places))


def asked_here(model: DomainModel, node: Node, owners: Sequence[str] = ()) -> str:
    """Return the attribute that a node names, of one of `owners` if any are given, else an empty string."""
    names = [s.name for s in node.item.all("asked") if model.attribute[s.name].select]
    return next((name for name in names if not owners or model.attribute[name].of in owners), "")


def column_of(model: DomainModel, attribute: str) -> str:
    """Return the column of an attribute if it is stored in its entity's own table, else an empty string."""
    about = model.attribute[attribute]
    paths = [*about.select, *(path for path in about.accepts.values() if not about.select)]
    table = model.entity[about.of].table
    own = [read_path(path).end for path in paths[:1] if ";" not in path and "|" not in path and "," not in path]
    return own[0] if own and own[0].startswith(f"{table}.") else ""


def of_entity(model: DomainModel, meaning: Meaning, entity: str) -> tuple[tuple[Condition, ...], tuple[Flagged, ...]]:
    """Return the conditions and flags of a meaning that restrict this entity."""
    conditions = tuple(c for c in meaning.conditions if model.attribute[c.attribute].of == entity)
    flags = tuple(f for f in meaning.flags if all(model.flag[name].of == entity for name in f.flags))
    return conditions, flags


def scoped(model: DomainModel, meaning: Meaning) -> Meaning:
    """Return the meaning with conditions on counted entities applied to the count: "more than two books in Norton"."""
    done = []
    for having in meaning.having:
        plain = not (having.conditions or having.flags or having.op == "all" or having.than)
        own, meaning = counting(model, meaning, having) if plain else (having, meaning)
        done.append(own)
    return msgspec.structs.replace(meaning, having=tuple(done))


def counting(model: DomainModel, meaning: Meaning, having: Having) -> tuple[Having, Meaning]:
    """Return the count restricted by the meaning's conditions on its entity, and the meaning without them."""
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
    """Return the entities and their conditions only: the rows over which an average is taken."""
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
    """Return whether a meaning has no restriction."""
    return not (said_in(meaning) or meaning.flags or meaning.extremes or meaning.having)


def after_fillers(nodes: Sequence[Node], at: int, *told: str) -> int:
    """Return the first place from `at` on that is not a filler; nodes with one of the senses `told` are not fillers."""
    while at < len(nodes) and is_filler(nodes[at]) and not any(map(nodes[at].has, told)):
        at += 1
    return at
