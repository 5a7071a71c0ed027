"""Quantifiers over related rows: numbers, "only", "all", "both", "neither".

"Departments with more than ten engineers", "with only men", "where everyone is a clerk", "authors with books in both
Norton and Sutton", "who are neither clerks nor secretaries".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Flagged, Having, Meaning, over_rows
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import (
    Change,
    Construction,
    Read,
    after_fillers,
    counting,
    of_entity,
    without,
    words_of,
)
from domain.english.parse.constructions.each_of import of_the_first
from domain.english.parse.tagger import Item, Sense

_HAVING = frozenset(["with", "have", "has", "had", "having", "that", "who", "which", "employ", "employs", "there are"])
_EVERYONE = frozenset(["everyone", "everybody"])
_ALL = frozenset(["all", "every", "all the", "all of"])
_BEING = frozenset(["is", "are", "was", "were"])
_WHERE = frozenset(["where", "whose", "in", "which", "that", "have", "has", "with"])


def flag_count(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a count of related rows that a flag describes: "with more than ten engineers"."""
    for at in range(1, len(nodes) - 1):
        number = next((v for v in nodes[at].values if v.kind == "number" and not v.unit), None)
        after = after_fillers(nodes, at + 1, "flag")
        flag = nodes[after].item.name("flag") if after < len(nodes) else ""
        led = nodes[at - 1].item.words in _HAVING
        if number is None or not flag or nodes[after].has("entity") or not (led or nodes[at].compared):
            continue
        if not (nodes[at].compared or number.op == "=") or isinstance(number.data[0], str):
            continue
        gone = {*range(at, after + 1)}
        while min(gone) > 0 and nodes[min(gone) - 1].item.words in _HAVING - {"who", "which"}:
            gone.add(min(gone) - 1)
        having = Having(model.flag[flag].of, number.op, number.data[0], flags=(Flagged((flag,)),))
        if not _of_another(read, nodes[:at], having.entity):
            continue
        if nodes[after + 1 : after + 2] and nodes[after + 1].item.name("entity") == having.entity:
            gone.add(after + 1)
        change = partial(_counted, model, having)
        return Construction(without(nodes, gone), change, words_of(nodes, {at, after}), strict=True)
    return None


def count_comparison(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a comparison of two counts: "with more women than men"."""
    for at in range(1, len(nodes) - 3):
        op = {"more": ">", "fewer": "<", "less": "<"}.get(nodes[at].item.words, "")
        flags = [nodes[place].item.name("flag") for place in (at + 1, at + 3)]
        if not op or not all(flags) or nodes[at + 2].item.words != "than":
            continue
        owners = {model.flag[flag].of for flag in flags}
        if len(owners) != 1 or not _of_another(read, nodes[:at], *owners):
            continue
        one, other = ((Flagged((flag,)),) for flag in flags)
        gone = {*range(at, at + 4)}
        while min(gone) > 0 and nodes[min(gone) - 1].item.words in _HAVING - {"who", "which"}:
            gone.add(min(gone) - 1)
        change = partial(_counted, model, Having(owners.pop(), op, flags=one, than=other))
        return Construction(without(nodes, gone), change, words_of(nodes, {at, at + 1, at + 3}), strict=True)
    return None


def _counted(model: DomainModel, having: Having, meaning: Meaning) -> Meaning | None:
    """Return the meaning with a count, restricted by the meaning's conditions on the counted entity."""
    if having.entity in meaning.entities or not tied(model, (*meaning.entities, having.entity)):
        return None
    if having.than:
        flags = of_entity(model, meaning, having.entity)[1]
        if flags:
            return None
    own, rest = counting(model, meaning, having)
    return msgspec.structs.replace(rest, having=(*rest.having, own))


def only(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise that related rows exist and all have a flag: "with only men"."""
    for at, node in enumerate(nodes):
        after = after_fillers(nodes, at + 1, "flag")
        led = node.item.words == "only" and at > 0 and nodes[at - 1].item.words in _HAVING
        flag = nodes[after].item.name("flag") if after < len(nodes) and led else ""
        if not flag or nodes[after].values or not _of_another(read, nodes[:at], model.flag[flag].of):
            continue
        gone = {at, after}
        having = Having(model.flag[flag].of, "all", flags=(Flagged((flag,)),))
        return Construction(without(nodes, gone), _added(model, [having]), words_of(nodes, gone), strict=True)
    return None


def only_where(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise that the conditions after "only" hold for all related rows: "that are only in Norton"."""
    for at, node in enumerate(nodes):
        after = nodes[at + 1 : at + 3]
        if node.item.words != "only" or not any(n.has("cue") and not n.values for n in after[:1]):
            continue
        if not any(n.values for n in after[1:]) or any(n.values or n.has("flag") for n in nodes[:at]):
            continue

        def change(meaning: Meaning, having: bool = any(n.item.words in _WHERE for n in nodes[:at])) -> Meaning | None:
            owners = {model.attribute[c.attribute].of for c in meaning.conditions}
            meaning = of_the_first(model, meaning, owners) if having else meaning
            far = owners - {*meaning.entities}
            if not far:
                return meaning  # "only in Norton" adds nothing to a condition on the head
            if len(far) != 1 or meaning.either:
                return None
            conditions, flags = of_entity(model, meaning, entity := far.pop())
            if any(c.negated for c in conditions):
                return None
            rest = msgspec.structs.replace(
                meaning,
                conditions=tuple(c for c in meaning.conditions if c not in conditions),
                flags=tuple(f for f in meaning.flags if f not in flags),
            )
            return _added(model, [Having(entity, "all", conditions=conditions, flags=flags)])(rest)

        return Construction(without(nodes, {at}), change, "only")
    return None


def all_have_flag(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise that all related rows have a flag: "where everyone is a woman", "whose books are all novels"."""
    for at in range(1, len(nodes) - 2):
        whole = nodes[at].item.words in _EVERYONE
        every = nodes[at].item.words in _ALL and nodes[at + 1].has("entity")
        being = at + 1 if whole else at + 2
        if not (whole or every) or being >= len(nodes) or nodes[being].item.words not in _BEING:
            continue
        said = after_fillers(nodes, being + 1, "flag")
        flag = nodes[said].item.name("flag") if said < len(nodes) else ""
        if not flag or not _of_another(read, nodes[:at], model.flag[flag].of):
            continue
        gone = {*range(at, said + 1)}
        while min(gone) > 0 and nodes[min(gone) - 1].item.words in _WHERE:
            gone.add(min(gone) - 1)
        having = Having(model.flag[flag].of, "all", flags=(Flagged((flag,)),))
        return Construction(without(nodes, gone), _added(model, [having]), words_of(nodes, gone), strict=True)
    return None


def both(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise two flags or values that each hold for some related row: "both engineers and clerks"."""
    for at, node in enumerate(nodes):
        first = after_fillers(nodes, at + 1, "flag")
        second = after_fillers(nodes, first + 2, "flag")
        if not node.has("both") or second >= len(nodes) or not nodes[first + 1].has("and"):
            continue
        one, other = nodes[first], nodes[second]
        flags = [n.item.name("flag") for n in (one, other)]
        if all(flags) and not (one.values or other.values):
            havings = [Having(model.flag[f].of, ">=", 1, flags=(Flagged((f,)),)) for f in flags]
            gone = {*range(at, second + 1)}
            while min(gone) > 0 and nodes[min(gone) - 1].item.words in {"with", "have", "has", "having", "that"}:
                gone.add(min(gone) - 1)
            # as heads, "both novels and plays" may be of either category
            apart_from = all(_of_another(read, nodes[:at], model.flag[f].of) for f in flags)
            return Construction(without(nodes, gone), _added(model, havings), words_of(nodes, gone), strict=apart_from)
        if {v.kind for v in one.values if v.kind in model.kind} & {v.kind for v in other.values}:
            apart = [without(nodes, {*range(at, second + 1)} - {kept}) for kept in (first, second)]

            def change(meaning: Meaning, apart: Sequence[Sequence[Node]] = apart) -> Meaning | None:
                return _each_met(model, meaning, read(apart[1], ()))

            return Construction(apart[0], change)
    return None


def _each_met(model: DomainModel, meaning: Meaning, other: Meaning | None) -> Meaning | None:
    """Return a meaning that requires a row for each of two readings that differ in one condition."""
    if other is None or other.entities != meaning.entities or meaning.either or other.either:
        return None
    one = [c for c in meaning.conditions if c not in other.conditions]
    two = [c for c in other.conditions if c not in meaning.conditions]
    if len(one) != 1 or len(two) != 1 or one[0].attribute != two[0].attribute or one[0].negated or two[0].negated:
        return None
    entity = model.attribute[one[0].attribute].of
    if entity in meaning.entities:
        several = all(over_rows(model, c) for c in (one[0], two[0]))
        return msgspec.structs.replace(meaning, conditions=(*meaning.conditions, two[0])) if several else None
    held, flags = of_entity(model, meaning, entity)
    also = tuple(c for c in held if c not in one)
    havings = [Having(entity, ">=", 1, conditions=(*also, c), flags=flags) for c in (one[0], two[0])]
    rest = msgspec.structs.replace(
        meaning,
        conditions=tuple(c for c in meaning.conditions if c not in held),
        flags=tuple(f for f in meaning.flags if f not in flags),
    )
    return _added(model, havings)(rest)


def inexpressible_count(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise counts that a meaning cannot express: "at least two degrees from Norton", or two counts at once."""
    counts = [at for at, n in enumerate(nodes) if n.has("count") and not is_filler(n)]
    if len(counts) > 1:
        return Construction(tuple(nodes), lambda meaning: None, nodes[counts[-1]].item.words, strict=True)
    for at in range(len(nodes) - 1):
        bound = any(v.kind == "number" and not v.unit for v in nodes[at].values)
        first = nodes[at + 1].item.words.partition(" ")[0]
        named = any(first in entity.words and first.endswith("s") for entity in model.entity.values())
        if bound and named and not nodes[at + 1].has("entity") and not nodes[at + 1].values:
            return Construction(tuple(nodes), lambda meaning: None, words_of(nodes, {at, at + 1}), strict=True)
    return None


def neither(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return the nodes with "neither … nor" replaced by two negations."""
    words = [n.item.words for n in nodes]
    if "neither" not in words or "nor" not in words[words.index("neither") :]:
        return tuple(nodes)
    return tuple(_denying(n) if n.item.words in {"neither", "nor"} else n for n in nodes)


def _denying(node: Node) -> Node:
    return Node(Item(node.item.start, node.item.end, (Sense("not"),), node.item.words))


def _added(model: DomainModel, havings: Sequence[Having]) -> Change:
    """Return the change that adds conditions on related rows."""

    def change(meaning: Meaning) -> Meaning | None:
        owners = {having.entity for having in havings}
        if owners & {*meaning.entities} or not all(tied(model, (*meaning.entities, owner)) for owner in owners):
            return None
        return msgspec.structs.replace(meaning, having=(*meaning.having, *havings))

    return change


def _of_another(read: Read, nodes: Sequence[Node], owner: str) -> bool:
    """Return whether an entity other than the owner is named before, or was asked for."""
    named = [n.item.name("entity") for n in nodes if n.has("entity")]
    return any(name != owner for name in named or read.head)
