"""Nested requests: "who works in the department with the most women"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel, tied
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.constructions.construction import Construction, Read, words_of
from domain.english.parse.heads import COUNTED_MOST

_LED = frozenset(["of", "in", "by", "on", "for", "at", "with", "from", "to"])
_RELATIVE = frozenset(["with", "with the", "that", "which", "has", "have", "having", "the", "where", "of", "whose"])


def within(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a related entity that is selected by a count or average of its own."""
    for at in range(2, len(nodes) - 2):
        led = nodes[at - 1].item.words.partition(" ")[0] in _LED
        name = nodes[at].item.name("entity")
        if not (led and name) or nodes[at].values or not any(_asks(n, name) for n in nodes[: at - 1]):
            continue
        after = at + 1
        while after < len(nodes) and nodes[after].item.words in _RELATIVE:
            after += 1
        if after == at + 1 or after + 1 >= len(nodes) or not _quantified(nodes, after):
            continue
        inner = nodes[at:]

        def change(meaning: Meaning, inner: Sequence[Node] = inner, name: str = name) -> Meaning | None:
            found = read(inner, (name,))
            told = found is not None and (found.count or (found.attributes and not found.aggregate))
            plain = found is not None and found.entities == (name,) and not told
            if found is None or not plain or not (found.pick or found.having) or meaning.inside or meaning.rows:
                return None
            if name in meaning.entities or not tied(model, (*meaning.entities, name)):
                return None
            return msgspec.structs.replace(meaning, inside=found)

        return Construction(tuple(nodes[: at - 1]), change, words_of(nodes, {at, after}), strict=True)
    return None


def _asks(node: Node, name: str) -> bool:
    named = node.item.name("entity")
    return bool(named and named != name) or node.has("asked") or node.has("flag")


def _quantified(nodes: Sequence[Node], at: int) -> bool:
    """Return whether a count or an extreme average follows."""
    counted = nodes[at + 1].has("entity") or nodes[at + 1].has("flag")
    averaged = nodes[at].has("extreme") and nodes[at + 1].item.name("aggregate") == "avg"
    number = any(v.kind == "number" for v in nodes[at].values) and nodes[at].compared
    return averaged or (counted and (nodes[at].item.words in COUNTED_MOST or number))
