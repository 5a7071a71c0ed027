"""Nouns that belong to a name and are not heads: "first national bank", "clerks in the sales team"."""

from __future__ import annotations

from collections.abc import Sequence

from domain.english.model.domain import DomainModel
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.value_kinds import accepted

_PLACING = frozenset(["in", "of", "from", "for", "at", "within", "to", "by", "inside"])
_ARTICLES = frozenset(["the", "a", "an", "our", "their", "that", "this"])


def completes_a_name(model: DomainModel, nodes: Sequence[Node], at: int) -> bool:
    """Return whether a noun that could be a head only completes the name before it: "the day shift"."""
    name = nodes[at].item.name("entity")
    before = nodes[at - 1].values if at else ()
    if _pairs(model, nodes, at) or (at and _pairs(model, nodes, at - 1)):
        return True
    kinds = {v.kind for v in before if v.kind in model.kind}
    if name and name in {n for kind in kinds for n in (model.kind[kind].asks, kind)}:
        return True
    if name and at and not nodes[at].values and any(model.flag[s.name].leads for s in nodes[at - 1].item.all("flag")):
        return True  # "heads of departments"
    return bool(name and kinds) and _placed(model, nodes, at, name)


def _placed(model: DomainModel, nodes: Sequence[Node], at: int, name: str) -> bool:
    """Return whether the noun completes the name of a place or group: "how many clerks does the sales team have"."""
    table = model.entity[name].table
    if not any(
        v.kind in model.kind and model.kind[v.kind].column.startswith(f"{table}.") for v in nodes[at - 1].values
    ):
        return False
    start = at - 1
    while start > 0 and nodes[start - 1].item.words in _ARTICLES:
        start -= 1
    other = any(
        (n.has("entity") and n.item.name("entity") != name)
        or (n.has("asked") and not n.has("entity"))
        or any(model.flag[s.name].of != name for s in n.item.all("flag"))
        or any(_of_others(model, v.kind, table) for v in n.values)
        for n in nodes[:start]
    )
    placed = start > 0 and bool(_PLACING & {*nodes[start - 1].item.words.split()})
    counted = any(n.has("count") for n in nodes[:start])
    return other and (placed or counted)


def _of_others(model: DomainModel, kind: str, table: str) -> bool:
    return kind in model.kind and not model.kind[kind].column.startswith(f"{table}.")


def _pairs(model: DomainModel, nodes: Sequence[Node], at: int) -> bool:
    """Return whether a noun that could be a head is a value of the attribute named right after it."""
    node = nodes[at]
    after = [s.name for n in nodes[at + 1 : at + 2] for s in n.item.all("asked")]
    kinds = {v.kind for v in node.values if v.kind in model.kind}
    return node.has("asked") and any(kinds & accepted(model.attribute[name]) for name in after)
