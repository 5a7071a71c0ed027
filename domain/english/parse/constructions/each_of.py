"""Conditions on each of several values, or on none: "read in all towns of Kent", "that serve neither Norton nor Sutton"."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import partial

import msgspec

from domain.english.model.domain import DomainError, DomainModel, reached_columns, tied
from domain.english.model.meaning import Condition, Flagged, Having, Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import Construction, Read, of_entity, words_of

_ALL = frozenset(["all", "every", "all the", "all of", "all of the", "every one of", "every single"])
_PLACED = frozenset(["in", "of", "near"])
_RELATING = frozenset(["that", "which", "whom", "who"])


def every_row(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a relation to every row of a set: "read in all towns of Kent"."""
    for at in range(1, len(nodes) - 1):
        name = nodes[at + 1].item.name("entity")
        if nodes[at].item.words not in _ALL or not name or nodes[at + 1].values:
            continue
        attributes = _leading(model, nodes[at - 1], name)
        placed = any(n.item.words in _PLACED for n in nodes[at + 2 : at + 3]) and any(n.values for n in nodes[at + 3 :])
        others = [n.item.name("entity") for n in nodes[:at] if n.has("entity")] or [*read.head]
        if not attributes or not others or others[0] == name:
            continue
        whole, end = _whole(read, nodes, at + 1, name)
        change = partial(_each_reached, model, whole, attributes, placed)
        rest = (*nodes[: at - 1], *nodes[end:])
        return Construction(rest, change, words_of(nodes, {at, at + 1}), strict=True)
    return None


def _whole(read: Read, nodes: Sequence[Node], at: int, name: str) -> tuple[Meaning | None, int]:
    """Return the set meant by "all" and where its words end.

    The longest readable phrase wins; in "all towns in Kent on Sundays", "on Sundays" is a condition on something else.
    """
    for end in range(len(nodes), at, -1):
        whole = read(nodes[at:end], (name,))
        if (
            whole
            and whole.entities == (name,)
            and not (whole.attributes or whole.count or whole.per or whole.aggregate)
        ):
            return whole, end
    return None, len(nodes)


def _each_reached(
    model: DomainModel, whole: Meaning | None, attributes: Sequence[str], placed: bool, meaning: Meaning
) -> Meaning | None:
    meaning = of_the_first(model, meaning, {model.attribute[a].of for a in attributes})
    about = [a for a in attributes if model.attribute[a].of not in meaning.entities]
    if len(about) < len(attributes):  # if a book is in a single town, "books in all towns" are in any of them
        return None if placed else meaning
    chosen = next((a for a in about if tied(model, (*meaning.entities, model.attribute[a].of))), "")
    if whole is None or not chosen or len(meaning.entities) != 1:
        return None
    owner = model.attribute[chosen].of
    conditions, flags = of_entity(model, meaning, owner)
    having = Having(owner, "every", 1, conditions, flags, attribute=chosen, whole=whole)
    kept = tuple(c for c in meaning.conditions if c not in conditions)
    left = tuple(f for f in meaning.flags if f not in flags)
    return msgspec.structs.replace(meaning, conditions=kept, flags=left, having=(*meaning.having, having))


def of_the_first(model: DomainModel, meaning: Meaning, owners: AbstractSet[str]) -> Meaning:
    """Return the meaning with only the first of two entities as its head, if the other carries a condition."""
    first, *others = meaning.entities
    told = len(others) == 1 and others[0] in owners and not (meaning.attributes or meaning.per or meaning.extremes)
    return msgspec.structs.replace(meaning, entities=(first,)) if told and tied(model, (first, *others)) else meaning


def _leading(model: DomainModel, node: Node, entity: str) -> list[str]:
    """Return the attributes introduced by a word whose values name rows of the entity, those with a single role first."""
    found = []
    for sense in (*node.item.all("cue"), *node.item.all("asked")):
        try:
            reached_columns(model, sense.name, entity)
        except DomainError:
            continue
        found.append(sense.name)
    return sorted(dict.fromkeys(found), key=lambda name: "|" in "".join(model.attribute[name].accepts.values()))


def all_of_another(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise "schools that all clerks attended", which a meaning cannot express, as not understood."""
    for at in range(2, len(nodes) - 1):
        said = nodes[at].item.words in _ALL and nodes[at - 1].item.words in _RELATING
        flag = nodes[at + 1].item.name("flag")
        owner = nodes[at + 1].item.name("entity") or (model.flag[flag].of if flag else "")
        before = [n.item.name("entity") for n in nodes[: at - 1] if n.has("entity")]
        if said and owner and before and owner not in before:
            return Construction(tuple(nodes), lambda meaning: None, words_of(nodes, {at, at + 1}), strict=True)
    return None


def neither(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise that no related row has either value: "neither Norton nor Sutton"."""
    words = [n.item.words for n in nodes]
    at = words.index("neither") if "neither" in words else len(nodes)
    then = words.index("nor", at) if "nor" in words[at:] else len(nodes)
    one, other = (_told(nodes, place) for place in (at + 1, then + 1))
    if not 0 < at < one < then < other < len(nodes) or {*range(at, other + 1)} & {*_cues_between(nodes, at, other)}:
        return None
    kinds = {v.kind for v in nodes[one].values} & {v.kind for v in nodes[other].values}
    if not kinds and not (nodes[one].has("flag") or nodes[other].has("flag")):
        return None
    first, second = (_alone(nodes, place, kinds) for place in (one, other))
    apart = [(*nodes[:at], node, *nodes[other + 1 :]) for node in (first, second)]

    def change(meaning: Meaning) -> Meaning | None:
        return _denied(model, meaning, read(apart[1], ()))

    return Construction(apart[0], change, "neither", strict=True)


def _told(nodes: Sequence[Node], at: int) -> int:
    """Return the first place from `at` on that has a value or flag, or is not a filler."""
    while at < len(nodes) and is_filler(nodes[at]) and not (nodes[at].values or nodes[at].has("flag")):
        at += 1
    return at


def _cues_between(nodes: Sequence[Node], at: int, end: int) -> list[int]:
    """Return the places of cues that introduce the second value separately from the first."""
    return [n for n in range(at, end) if nodes[n].has("cue") and not (nodes[n].values or nodes[n].has("not"))]


def _alone(nodes: Sequence[Node], place: int, kinds: set[str]) -> Node:
    """Return the node with only its values of these kinds."""
    node = nodes[place]
    return Node(node.item, tuple(v for v in node.values if v.kind in kinds), node.compared) if kinds else node


def _denied(model: DomainModel, meaning: Meaning, other: Meaning | None) -> Meaning | None:
    """Return a meaning that negates the conditions in which two readings differ."""
    if other is None or other.entities != meaning.entities or meaning.either or other.either or meaning.never:
        return None
    said: list[Condition | Flagged] = []
    for mine, theirs in ((meaning, other), (other, meaning)):
        said += [c for c in mine.conditions if c not in theirs.conditions]
        said += [f for f in mine.flags if f not in theirs.flags]
    if len(said) != 2 or any(part.negated for part in said):
        return None
    kept = tuple(c for c in meaning.conditions if c not in said)
    left = tuple(f for f in meaning.flags if f not in said)
    rest = msgspec.structs.replace(meaning, conditions=kept, flags=left)
    owners = [_owner(model, part) for part in said]
    if owners[0] != owners[1]:
        return None
    rest = meaning = of_the_first(model, rest, {owners[0]})
    if owners[0] in meaning.entities:
        denied = [msgspec.structs.replace(part, negated=True) for part in said]
        conditions = tuple(c for c in denied if isinstance(c, Condition))
        flags = tuple(f for f in denied if isinstance(f, Flagged))
        return msgspec.structs.replace(rest, conditions=(*kept, *conditions), flags=(*left, *flags))
    held, flags = of_entity(model, rest, owners[0])
    havings = [
        Having(owners[0], "none", 0, (*held, *((part,) if isinstance(part, Condition) else ())),
               (*flags, *((part,) if isinstance(part, Flagged) else ())))
        for part in said
    ]  # fmt: skip
    rest = msgspec.structs.replace(
        rest,
        conditions=tuple(c for c in kept if c not in held),
        flags=tuple(f for f in left if f not in flags),
        having=(*rest.having, *havings),
    )
    return rest if tied(model, (*rest.entities, owners[0])) else None


def _owner(model: DomainModel, part: Condition | Flagged) -> str:
    return model.attribute[part.attribute].of if isinstance(part, Condition) else model.flag[part.flags[0]].of
