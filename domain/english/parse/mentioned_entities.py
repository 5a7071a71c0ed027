"""Entities that a request mentions without asking for them: loans by "borrowed", results by "did not finish".

A condition is attached to a mentioned entity rather than to another relation of the head: the books that Ann borrowed are
those of her loans, not those she reserved.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Value
from domain.english.parse.combine_comparisons import Node, is_filler

_PREFERRED, _AS_GOOD = 4.0, 3.0


def mentioned(model: DomainModel, nodes: Sequence[Node], head: Sequence[str]) -> frozenset[str]:
    """Return the entities of the request's verbs and flags, without those of the head."""
    senses = [sense for node in nodes if not node.values for sense in node.item.senses]
    verbs = {sense.name for sense in senses if sense.what == "verb"}
    return frozenset(verbs | {model.flag[sense.name].of for sense in senses if sense.what == "flag"}) - {*head}


def preferred(model: DomainModel, name: str, kind: str, told: AbstractSet[str], head: Sequence[str]) -> float:
    """Return the bonus for attaching a value to a mentioned entity, given only if the head has no such value itself."""
    if model.attribute[name].of not in told:
        return 0.0
    own = (a.accepts.get(kind, ";") for a in model.attribute.values() if a.of in head)
    return 0.0 if any(";" not in path for path in own) else _PREFERRED


def is_year(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a number is a year introduced by a preposition: "how many visitors in 2017"."""
    led = at > 0 and nodes[at - 1].item.words in {"in", "during", "for", "since"}
    return led and any(value.kind == "year" for value in nodes[at].values)


def only_or(nodes: Sequence[Node], first: int, second: int) -> bool:
    """Return whether only "or" and filler words stand between two nodes."""
    between = nodes[first + 1 : second]
    return len(between) <= 2 and any(n.has("or") for n in between) and all(n.has("or") or is_filler(n) for n in between)


def is_related(model: DomainModel, head: Sequence[str], entity: str) -> bool:
    """Return whether what is asked for can be restricted by an entity."""
    related = [(name, model.entity[name].related) for name in head]
    return any(entity == name or others is None or entity in others for name, others in related)


def likeliest(
    model: DomainModel,
    scored: Sequence[tuple[float, str, Value]],
    taken: AbstractSet[str],
    joined: str,
    after: Sequence[Node],
) -> tuple[float, str, Value]:
    """Return the best attachment of a value. A name that is not joined to an earlier one goes to another attribute than that, if
    only one name can be there ("Canadian films in French"); one right before a noun, `after`, is its own if it can be."""
    best = max(scored, key=lambda s: s[0])
    if described := next(
        (model.entity[n.item.name("entity")].table for n in after if n.has("entity") and not n.values), ""
    ):
        theirs = [s for s in scored if s[0] > best[0] - _AS_GOOD and s[2].kind in model.kind]
        theirs = [s for s in theirs if model.kind[s[2].kind].column.partition(".")[0] == described]
        best = max(theirs, key=lambda s: s[0]) if theirs else best
    attribute, kind = model.attribute[best[1]], best[2].kind
    one = kind in model.kind and not (attribute.each or attribute.repeated or attribute.after)
    if joined or best[1] not in taken or not one or ";" in attribute.accepts[kind]:
        return best
    near = [s for s in scored if s[0] > best[0] - _AS_GOOD]
    other = [s for s in near if s[1] not in taken and s[2].kind in model.kind and s[2].kind != kind]
    other = [s for s in other if ";" not in model.attribute[s[1]].accepts[s[2].kind]]
    return max(other, key=lambda s: s[0]) if other else best
