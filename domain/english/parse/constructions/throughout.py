"""Universal and negated existential conditions on related rows.

"Branches without books by Ann Lee", "where nobody earns more than 40000", "where all clerks are over thirty".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Condition, Having, Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import Construction, Read, after_fillers, without, words_of

_NONE = frozenset(["no", "without", "not any", "none of", "without any"])
_NOBODY = frozenset(["nobody", "no one", "noone", "none"])
_EVERYBODY = frozenset(["everyone", "everybody"])
_ALL = frozenset(["all", "every", "all the", "all of", "all of the"])
_LEADING = frozenset(
    ["with", "have", "has", "had", "having", "that", "which", "where", "there are", "there is", "in", "whose", "are"]
)


def none_related(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise that no related row meets the conditions that follow: "no books from Norton"."""
    for at, node in enumerate(nodes):
        after = after_fillers(nodes, at + 1, "entity", "flag")
        if node.item.words not in _NONE or after >= len(nodes) or node.values:
            continue
        name = nodes[after].item.name("entity")
        if name and not nodes[after].values and not all(map(is_filler, nodes[after + 1 :])):
            if others := _lacking(model, nodes, read, at, after):
                return others
            return _held(model, nodes, read, at, name, nodes[after + 1 :], "none")
        # "no women over fifty": a flag names the rows
        flag = nodes[after].item.name("flag")
        if flag and any(n.values or n.has("flag") for n in nodes[after + 1 :]):
            return _held(model, nodes, read, at, model.flag[flag].of, nodes[after:], "none")
    return None


def _lacking(model: DomainModel, nodes: Sequence[Node], read: Read, at: int, after: int) -> Construction | None:
    """Return the construction where nothing that follows is said of the related rows: "no degree who were hired in 1956"."""
    name, rest = nodes[after].item.name("entity"), nodes[after + 1 :]
    told = read(rest, (model.domain.entity,))
    said = told is not None and not (told.count or told.attributes or told.having or told.extremes)
    if told is None or not said or name == model.domain.entity or told.entities != (model.domain.entity,):
        return None
    if not (told.conditions or told.flags) or any(_can_say(model, name, c) for c in told.conditions):
        return None
    gone = {*range(at, after + 1)}
    while min(gone) > 0 and nodes[min(gone) - 1].item.words in _LEADING:
        gone.add(min(gone) - 1)

    def change(meaning: Meaning) -> Meaning | None:
        if name in meaning.entities or not tied(model, (*meaning.entities, name)):
            return None
        return msgspec.structs.replace(meaning, having=(*meaning.having, Having(name, "none")))

    return Construction(without(nodes, gone), change, words_of(nodes, {at, after}), strict=True)


def _can_say(model: DomainModel, entity: str, condition: Condition) -> bool:
    """Return whether an entity has an attribute with such values: "no degrees from Norton" are degrees from there."""
    kinds = {v.kind for v in condition.values}
    return any(kinds & {*a.accepts} for a in model.attribute.values() if a.of == entity)


def all_related(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise that related rows exist and all meet the conditions that follow: "with only engineers over forty"."""
    for at in range(1, len(nodes)):
        after = after_fillers(nodes, at + 1, "flag")
        if nodes[at].item.words != "only" or nodes[at - 1].item.words not in _LEADING or after >= len(nodes):
            continue
        flag = nodes[after].item.name("flag")
        if flag and not nodes[after].values and any(n.values or n.has("flag") for n in nodes[after + 1 :]):
            return _held(model, nodes, read, at, model.flag[flag].of, nodes[after:], "all")
        name = nodes[after + 1].item.name("entity") if after + 1 < len(nodes) else ""
        if name and any(v.kind in model.kind for v in nodes[after].values):  # "only Jazz tracks"
            return _held(model, nodes, read, at, name, (nodes[after], *nodes[after + 2 :]), "all")
    return None


def all_people(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a condition on all people, or on none: "where nobody earns more than 40000"."""
    for at in range(1, len(nodes) - 1):
        words = " ".join(n.item.words for n in nodes[at : at + 2])
        none = next((n for n in (1, 2) if " ".join(node.item.words for node in nodes[at : at + n]) in _NOBODY), 0)
        whole = nodes[at].item.words in _EVERYBODY
        if not (none or whole) or not words:
            continue
        people = [
            name for name, entity in model.entity.items() if {"everyone", "everybody", "people"} & {*entity.words}
        ]
        if len(people) == 1:
            return _held(model, nodes, read, at, people[0], nodes[at + (none or 1) :], "none" if none else "all")
    return None


def all_of_entity(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a condition on all rows of an entity: "where all clerks earn more than 20000"."""
    for at in range(1, len(nodes) - 2):
        name = nodes[at + 1].item.name("entity")
        led = any(n.item.words in {"where", "in which", "whose"} for n in nodes[:at])
        if nodes[at].item.words in _ALL and name and led and not nodes[at + 1].values:
            return _held(model, nodes, read, at, name, nodes[at + 2 :], "all")
    return None


def _held(
    model: DomainModel, nodes: Sequence[Node], read: Read, at: int, name: str, rest: Sequence[Node], op: str
) -> Construction | None:
    """Return the construction that applies the rest to all related rows or to none; None if they are the head."""
    named = [n.item.name("entity") for n in nodes[:at] if n.has("entity") and n.item.name("entity") != name]
    if not (named or any(head != name for head in read.head)):
        return None
    told = read(rest, (name,))
    gone = {*range(at, len(nodes))}
    while min(gone) > 0 and nodes[min(gone) - 1].item.words in _LEADING:
        gone.add(min(gone) - 1)
    return Construction(
        without(nodes, gone), partial(_having, model, name, op, told), words_of(nodes, {at}), strict=True
    )


def _having(model: DomainModel, name: str, op: str, told: Meaning | None, meaning: Meaning) -> Meaning | None:
    if (
        told is None
        or told.entities != (name,)
        or name in meaning.entities
        or not tied(model, (*meaning.entities, name))
    ):
        return None
    plain = Meaning((name,), conditions=told.conditions, flags=told.flags)
    own = {*meaning.entities} & {model.attribute[c.attribute].of for c in told.conditions}
    if told != plain or own or not (told.conditions or told.flags):
        return None  # "books without loans by Ann Lee": the books are by her
    having = Having(name, "none" if op == "none" else "all", conditions=told.conditions, flags=told.flags)
    return msgspec.structs.replace(meaning, having=(*meaning.having, having))
