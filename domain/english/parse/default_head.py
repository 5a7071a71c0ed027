"""The default head of a request that names no entity: "women over seventy", "what opens in Norton"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from domain.english.model.domain import DomainModel, leads_back
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.projections import ranked_entity

_PEOPLE = frozenset(["people", "persons", "folks"])


def default_head(model: DomainModel, nodes: Sequence[Node]) -> str:
    """Return the entity that the request's values, verbs or superlatives imply, else the domain's main entity."""
    named = [v for n in nodes for v in n.values if v.kind in model.kind]
    asked = {model.kind[v.kind].asks for v in named}
    if most := ranked_entity(model, nodes, {v.kind for v in named}, asked - {""}):
        return most
    if len(asked) == 1 and asked != {""} and not any(n.has("cue") for n in nodes) and not _is_route(model, nodes):
        return next(iter(asked))
    for node in nodes:
        for sense in node.item.all("cue"):
            if leads_back(attribute := model.attribute[sense.name]):
                return attribute.of
        for sense in node.item.all("superlative"):
            columns = model.superlative[sense.name].column
            if columns and model.domain.entity not in columns:
                return next(iter(columns))
    if any(n.has("verb") for n in nodes):  # the name is the verb's subject or object, not the head
        return model.domain.entity
    tables = {model.kind[v.kind].column.partition(".")[0] for v in named}
    said = any(_PEOPLE & {*n.item.words.split()} for n in nodes)
    whose = [name for name, entity in model.entity.items() if said and "who" in entity.words and entity.table in tables]
    return whose[0] if len(whose) == 1 else _people(model, tables) or model.domain.entity


def _is_route(model: DomainModel, nodes: Sequence[Node]) -> bool:
    """Return whether two adjacent names are the ends of a route: "Bonn Kiel"."""
    ends = [name for swap in model.swap.values() for name in swap.exchange if model.attribute[name].default]
    kinds = {kind for name in ends for kind in model.attribute[name].accepts}
    placed = [bool(kinds & {v.kind for v in n.values}) for n in nodes]
    return len(ends) > 1 and any(map(all, pairwise(placed)))


def _people(model: DomainModel, tables: set[str]) -> str:
    """Return the only entity that the values can describe: "how many women over seventy" are patients, not appointments."""
    persons = {k.column.partition(".")[0] for k in model.kind.values() if any(" " in pair for pair in k.names)}
    persons |= {entity.table for entity in model.entity.values() if "who" in entity.words}
    whose = [name for name, entity in model.entity.items() if {entity.table} == tables and not entity.where]
    return whose[0] if len(whose) == 1 and tables <= persons else ""
