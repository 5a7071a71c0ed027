"""Phrases at the end of a request that change its projection: "on average", "with what they make"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import Construction, Read, without


def trailing_average(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise "on average" after a question for a single quantity."""
    *_, last = nodes
    if len(nodes) < 3 or last.item.name("aggregate") != "avg" or nodes[-2].item.words != "on":
        return None

    def change(meaning: Meaning) -> Meaning | None:
        numbers = {"number", "money", "years"} & {
            k for name in meaning.attributes for k in model.attribute[name].accepts
        }
        if len(meaning.attributes) != 1 or not numbers or meaning.aggregate or meaning.count or meaning.extremes:
            return None
        return msgspec.structs.replace(meaning, aggregate="avg", named=False)

    places = {len(nodes) - 2, len(nodes) - 1}
    return Construction(without(nodes, places), change, "on average", strict=True)


def added_attribute(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """Recognise a clause that adds an attribute to the entities: "with what they make", "and when they were born"."""
    *_, last = nodes
    at = next((n for n, node in enumerate(nodes[:-1]) if node.item.words in _ASKED), 0)
    led = nodes[at - 1] if at > 1 else None
    if led is None or not (led.has("and") or led.item.words in _BESIDE) or last.values or at + 1 >= len(nodes) - 1:
        return None
    between = nodes[at + 1 : -1]
    if not any(n.item.words in _THEY for n in between) or not all(map(is_filler, between)):
        return None
    place = nodes[at].item.words == "where"
    names = [s.name for what in ("cue", "asked") for s in last.item.all(what) if model.attribute[s.name].select]
    names.sort(key=lambda name: bool(_PLACED & {*model.attribute[name].cues}) != place)

    def change(meaning: Meaning) -> Meaning | None:
        told = next((name for name in names if model.attribute[name].of in meaning.entities), "")
        if not told or meaning.count or meaning.aggregate or meaning.attributes:
            return None
        return msgspec.structs.replace(meaning, attributes=(told,), named=True)

    places = {*range(at - 1, len(nodes))}
    words = " ".join(node.item.words for node in nodes[at - 1 :])
    return Construction(without(nodes, places), change, words, strict=True)


_ASKED = frozenset(["what", "how much", "when", "where", "how old"])
_BESIDE = frozenset(["with", "and", "plus", "along with", "together with", "as well as"])
_PLACED = frozenset(["in", "at", "from"])
_THEY = frozenset(["they", "he", "she", "it", "each", "each of them", "they are", "they were", "of them"])
