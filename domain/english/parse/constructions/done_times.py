"""Counts of what was done to a thing: "films that were shown at least six times", "boats rented twice"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Having, Meaning
from domain.english.model.path_names import tables_in
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.constructions.construction import Construction, Read, counting, without, words_of

_ADVERBS = {"once": 1, "twice": 2, "thrice": 3}
_TIMES = frozenset(["time", "times"])
_BETWEEN = 3  # so many words may stand between the verb and the number: "rented by Ann more than twice"


def done_so_often(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a verb for an event with how often it happened."""
    for at, node in enumerate(nodes):
        number, gone = _number(nodes, at)
        verb = next((p for p in range(at - 1, max(-1, at - 1 - _BETWEEN), -1) if nodes[p].has("verb")), None)
        if number is None or verb is None or nodes[verb].values or node.item.name("extreme"):
            continue
        having = Having(nodes[verb].item.name("verb"), *number)
        rest = without(nodes, gone | {verb})
        return Construction(rest, partial(_happened, model, having), words_of(nodes, gone), strict=True)
    return None


def _number(nodes: Sequence[Node], at: int) -> tuple[tuple[str, int] | None, frozenset[int]]:
    """Return the comparison and the number that "at least six times" or "more than twice" states here, and its places."""
    if nodes[at].item.words in _ADVERBS:
        before = nodes[at - 1].item if at else None
        op = before.name("compare") if before else ""
        only = before is not None and before.words in {"only", "just", "exactly"}
        return (op or "=", _ADVERBS[nodes[at].item.words]), frozenset([at, at - 1] if op or only else [at])
    value = next((v for v in nodes[at].values if v.kind == "number"), None)
    if value is None or [n.item.words in _TIMES for n in nodes[at + 1 : at + 2]] != [True]:
        return None, frozenset()
    return (value.op, int(value.data[0])), frozenset([at, at + 1])


def _happened(model: DomainModel, having: Having, meaning: Meaning) -> Meaning | None:
    """Return the meaning of the rows to which this happened so often."""
    if having.entity in meaning.entities or not tied(model, (*meaning.entities, having.entity)):
        return None
    table = model.entity[having.entity].table
    paths = (model.attribute[c.attribute].accepts.get(v.kind, "") for c in meaning.conditions for v in c.values)
    if any(table in tables_in(path) and ";" in path for path in paths):
        return None  # "shown twice at the Odeon": the place limits what is counted, by a path of the film's
    own, rest = counting(model, meaning, having)
    return msgspec.structs.replace(rest, having=(*rest.having, own))
