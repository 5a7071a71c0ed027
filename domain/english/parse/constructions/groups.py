"""Groups: aggregates per group, the most common value, and groups selected by an aggregate.

"Average salary by job title", "the most common major", "which job title has the fewest women", "departments whose average
salary is over 40000", "the division with the highest average salary".
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel, read_path, tied
from domain.english.model.meaning import Flagged, Having, Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import Construction, Read, asked_here, column_of, without, words_of
from domain.english.parse.heads import COUNTED_MOST

_EACH = frozenset(["each", "every", "per", "by"])
_LED = frozenset(["for", "in", "on", "at", "of", "with", "to", "within", "across", "from"])
_OFTEN = frozenset(["common", "frequent", "often", "frequently", "numerous"])
_OCCURRING = frozenset(
    ["is", "are", "comes", "come", "up", "occurs", "occur", "appears", "appear", "seen", "happens", "the"]
)
_LINKS = frozenset(
    ["is", "are", "of", "whose", "with", "with the", "has", "have", "having", "the", "a", "an", "where", "that"]
)
_HAVING = _LINKS - {"is", "are", "of"}
_OWNED = frozenset(["their", "its", "the", "also"])
_IN_EACH = frozenset(["in", "of", "for", "on", "at", "in the", "each", "each of them", "it", "them", "have", "has"])
_AMOUNTS = frozenset({"avg", "sum", "max", "min"})
_DIFFERENT = frozenset(["different", "distinct", "unique", "various"])


def by_attribute(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise an attribute to group a count or aggregate by: "by job title", "on each shift"."""
    for at in range(1, len(nodes)):
        led = nodes[at - 1].item.words
        if led not in _EACH or nodes[at].values or nodes[at].has("entity") or not asked_here(model, nodes[at]):
            continue
        first = at - 2 if at > 1 and nodes[at - 2].item.words in _LED and led != "by" else at - 1
        gone = frozenset(range(first, at + 1))

        def change(meaning: Meaning, node: Node = nodes[at]) -> Meaning | None:
            name = asked_here(model, node, meaning.entities) or _further(model, node, meaning.entities)
            numbers = meaning.count or meaning.aggregate in _AMOUNTS
            if not name or not numbers or meaning.per or meaning.by or len(meaning.entities) != 1:
                return None
            return msgspec.structs.replace(meaning, by=name, count=False)

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def _further(model: DomainModel, node: Node, entities: Sequence[str]) -> str:
    """Return the attribute that a node names of the only thing that each row belongs to: sales per kind of client."""
    names = [name for name in (asked_here(model, node),) if name and entities]
    owners = {model.entity[model.attribute[name].of].table for name in names}
    there = [
        read_path(path).steps
        for a in model.attribute.values()
        for path in a.select
        if a.of == entities[0] and not a.each and read_path(path).end.partition(".")[0] in owners
    ]
    key = {*model.entity[entities[0]].key} if entities else set[str]()
    return names[0] if any(len(steps) == 1 and steps[0].left not in key for steps in there) else ""


def by_entity(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise an entity to group by, where only a flag names what is counted: "number of novels by author"."""
    for at in range(2, len(nodes)):
        name, led = nodes[at].item.name("entity"), nodes[at - 1].item.words in _EACH
        counts = any(n.has("count") for n in nodes[:at]) and not any(asked_here(model, n) for n in nodes[:at])
        said = [n.item.name("flag") for n in nodes[:at] if n.has("flag") and counts]
        alone = not any(n.has("entity") for place, n in enumerate(nodes) if place != at)
        one = not (
            nodes[at].item.words.endswith("s") or nodes[at].values or any(n.values for n in nodes[at + 1 : at + 2])
        )
        if not (name and led and said and alone and one) or model.flag[said[0]].of == name:
            continue

        def change(meaning: Meaning, name: str = name) -> Meaning | None:
            counted = meaning.entities[0]
            if not meaning.count or meaning.per or meaning.by or counted == name or not tied(model, (name, counted)):
                return None
            return msgspec.structs.replace(meaning, entities=(name,), per=counted, count=False)

        gone = {at - 1, at}
        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def with_aggregate(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise an aggregate in addition to the entities: "departments with their average salaries"."""
    for at in range(1, len(nodes) - 1):
        joined = nodes[at].has("and") or nodes[at].item.words == "with the"
        after = at + 1
        while after < len(nodes) and nodes[after].item.words in _OWNED:
            after += 1
        if not joined or after + 1 >= len(nodes) or not any(n.has("entity") for n in nodes[:at]):
            continue
        counts = nodes[after].has("count") and not is_filler(nodes[after])
        amount = nodes[after].item.name("aggregate")
        flag, entity = nodes[after + 1].item.name("flag"), nodes[after + 1].item.name("entity")
        whole = _AMOUNTS if nodes[at].has("and") else {"avg", "sum"}  # "with the highest price" is a superlative
        name = asked_here(model, nodes[after + 1]) if amount in whole else ""
        per = entity or (model.flag[flag].of if flag else "") if counts else ""
        if not (per or name):
            continue
        gone = {*range(at, after + 2)}
        while max(gone) + 1 < len(nodes) and nodes[max(gone) + 1].item.words in _IN_EACH:
            gone.add(max(gone) + 1)

        def change(
            meaning: Meaning, per: str = per, name: str = name, amount: str = amount, flag: str = flag
        ) -> Meaning | None:
            of = per or model.attribute[name].of
            plain = len(meaning.entities) == 1 and not (meaning.attributes or meaning.count or meaning.aggregate)
            if not plain or meaning.per or of in meaning.entities or not tied(model, (*meaning.entities, of)):
                return None
            if name and not column_of(model, name):
                return None
            flags = (*meaning.flags, Flagged((flag,))) if flag and per else meaning.flags
            told = (name,) if name else ()
            return msgspec.structs.replace(
                meaning, per=of, aggregate=amount if name else "", attributes=told, flags=flags
            )

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def two_amounts(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise two aggregates at once, which a meaning cannot express: "minimum and maximum salary"."""
    for at in range(len(nodes) - 2):
        both = all(n.item.name("aggregate") in _AMOUNTS for n in (nodes[at], nodes[at + 2])) and nodes[at + 1].has(
            "and"
        )
        if both and not asked_here(model, nodes[at]):
            return Construction(tuple(nodes), lambda meaning: None, words_of(nodes, {at, at + 1, at + 2}), strict=True)
    return None


def best_of_each(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a superlative within each group: "the oldest in each department"."""
    if not any(n.has("superlative") or n.has("extreme") for n in nodes):
        return None
    for at in range(2, len(nodes)):
        entity, name = nodes[at].item.name("entity"), asked_here(model, nodes[at])
        if nodes[at - 1].item.words not in _EACH - {"by"} or nodes[at].values or not (entity or name):
            continue
        first = at - 2 if nodes[at - 2].item.words in _LED else at - 1

        def change(meaning: Meaning, node: Node = nodes[at], entity: str = entity) -> Meaning | None:
            own = "" if entity else asked_here(model, node, meaning.entities)
            known = bool(own and column_of(model, own)) or bool(entity and entity not in meaning.entities)
            plain = len(meaning.extremes) == 1 and not (meaning.count or meaning.aggregate or meaning.per or meaning.by)
            if not known or not plain or (entity and not tied(model, (*meaning.entities, entity))):
                return None
            extreme = meaning.extremes[0]
            if extreme.number > 1 or extreme.place > 1:
                return None
            return msgspec.structs.replace(meaning, extremes=(msgspec.structs.replace(extreme, each=own or entity),))

        gone = frozenset(range(first, at + 1))
        rest = without(nodes, gone)
        if any(n.has("count") or n.item.name("aggregate") in _AMOUNTS for n in rest):
            return None
        return Construction(rest, change, words_of(nodes, gone), strict=True)
    return None


def most_common(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise the most frequent value: "the most common job title", "which diagnosis comes up most often"."""
    for at in range(len(nodes) - 1):
        pick, often = nodes[at].item.name("extreme"), nodes[at + 1].item.words
        if not pick or often not in _OFTEN:
            continue
        gone = {at, at + 1}
        place = at - 1
        while place > 0 and nodes[place].item.words in _OCCURRING:
            gone.add(place)
            place -= 1

        def change(meaning: Meaning, pick: str = pick) -> Meaning | None:
            if meaning.count or meaning.aggregate or meaning.per or meaning.extremes or len(meaning.entities) != 1:
                return None
            if len(meaning.attributes) == 1:
                return msgspec.structs.replace(meaning, by=meaning.attributes[0], attributes=(), pick=pick)
            main = model.domain.entity
            if meaning.attributes or main in meaning.entities or not tied(model, (*meaning.entities, main)):
                return None
            return msgspec.structs.replace(meaning, per=main, pick=pick)

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def most_counted_value(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise the attribute value with the highest or lowest count: "which job title has the most women"."""
    for at, node in enumerate(nodes):
        if node.item.words not in COUNTED_MOST or at + 1 >= len(nodes):
            continue
        counted = nodes[at + 1]
        flag = counted.item.name("flag")
        entity = counted.item.name("entity") or (model.flag[flag].of if flag else "")
        named = [n for n in nodes[:at] if asked_here(model, n, (entity,)) and not n.has("entity") and not n.values]
        if not entity or len(named) != 1:
            continue
        gone = {at, *(n for n in range(at) if nodes[n].item.words in _LINKS)}
        name = asked_here(model, named[0], (entity,))

        def change(meaning: Meaning, name: str = name, words: str = node.item.words) -> Meaning | None:
            owner = model.attribute[name].of
            if {*meaning.entities} != {owner} or meaning.count or meaning.aggregate or meaning.extremes:
                return None
            pick = "min" if "fewest" in words else "max"
            return msgspec.structs.replace(meaning, by=name, attributes=(), pick=pick)

        return Construction(without(nodes, gone), change)
    return None


def bound_on_average(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a bound on an average: "whose average salary is over 40000", "that pay more than 40000 on average"."""
    for at, node in enumerate(nodes):
        if node.item.name("aggregate") != "avg":
            continue
        after = _led_by(nodes, at + 2) if at + 2 < len(nodes) else at + 2
        name = asked_here(model, nodes[at + 1]) if at + 1 < len(nodes) else ""
        if name and after < len(nodes) and _bound(nodes[after]):
            gone = {at, at + 1, *range(at + 2, after + 1)}
            value = nodes[after]
        elif at > 1 and nodes[at - 1].item.words == "on" and _bound(nodes[at - 2]):
            value = nodes[at - 2]
            said = [n for n in range(max(0, at - 5), at - 2) if asked_here(model, nodes[n])]
            gone = {at, at - 1, at - 2, *said[-1:]}
            name = asked_here(model, nodes[said[-1]]) if said else ""
        else:
            continue
        while min(gone) > 0 and nodes[min(gone) - 1].item.words in _HAVING:
            gone.add(min(gone) - 1)

        def change(meaning: Meaning, name: str = name, value: Node = value) -> Meaning | None:
            owner = model.attribute[name].of if name else ""
            fits = owner and owner not in meaning.entities and column_of(model, name)
            if not fits or not tied(model, (*meaning.entities, owner)):
                return None
            bound = next(v for v in value.values if v.kind in _BOUNDED)
            number = bound.data[0] if not isinstance(bound.data[0], str) else 0
            having = Having(owner, bound.op, number, aggregate="avg", attribute=name)
            return msgspec.structs.replace(meaning, having=(*meaning.having, having))

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def best_on_average(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a superlative over an average: "the division with the highest average salary"."""
    for at in range(len(nodes) - 2):
        pick = nodes[at].item.name("extreme")
        name = asked_here(model, nodes[at + 2])
        if not pick or nodes[at + 1].item.name("aggregate") != "avg" or not name:
            continue
        gone = {at, at + 1, at + 2}
        while min(gone) > 0 and nodes[min(gone) - 1].item.words in _HAVING:
            gone.add(min(gone) - 1)

        def change(meaning: Meaning, name: str = name, pick: str = pick) -> Meaning | None:
            owner = model.attribute[name].of
            plain = len(meaning.entities) == 1 and not (meaning.count or meaning.attributes or meaning.extremes)
            if not plain or owner in meaning.entities or not column_of(model, name):
                return None
            if not tied(model, (*meaning.entities, owner)):
                return None
            return msgspec.structs.replace(meaning, per=owner, aggregate="avg", attributes=(name,), pick=pick)

        return Construction(without(nodes, gone), change, words_of(nodes, gone), strict=True)
    return None


def distinct_values(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a count of distinct values: "how many different job titles"."""
    for at, node in enumerate(nodes):
        counts = node.has("count") and not is_filler(node)
        said = node.item.words.rpartition(" ")[2] in _DIFFERENT
        after = at + 1 if said else at + 2
        if not counts or after >= len(nodes) or not (said or nodes[at + 1].item.words in _DIFFERENT):
            continue
        name = asked_here(model, nodes[after])
        if not name or nodes[after].has("entity"):
            continue

        def change(meaning: Meaning, name: str = name) -> Meaning | None:
            alone = meaning.attributes == (name,) and not (meaning.per or meaning.by)
            amount = meaning.aggregate if meaning.aggregate != "sum" else ""
            return (
                None
                if not alone or amount
                else msgspec.structs.replace(meaning, aggregate="", count=False, distinct=True)
            )

        gone = frozenset() if said else frozenset([at + 1])
        return Construction(without(nodes, gone), change, words_of(nodes, {at, after - 1}))
    return None


_BOUNDED = frozenset({"money", "number"})


def _led_by(nodes: Sequence[Node], at: int) -> int:
    """Return the place after words that connect a bound to its attribute: "is over"."""
    while at < len(nodes) and not nodes[at].values and (nodes[at].item.words in _LINKS or nodes[at].has("compare")):
        at += 1
    return at


def _bound(node: Node) -> bool:
    return node.compared and any(v.kind in _BOUNDED and v.op in {"<", "<=", ">", ">="} for v in node.values)
