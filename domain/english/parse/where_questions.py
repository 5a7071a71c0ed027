"""Questions with a bare "where": "where is Ann", "where does the Tour start"."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import DomainModel
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.projections import Projection

_PLACES = (
    "address", "location", "place", "venue", "site", "town", "city", "village", "building", "gallery", "room", "country",
    "region",
)  # fmt: skip
"""Words that mark an attribute as a place, most specific first."""
_BEING = frozenset(["is", "are", "was", "were", "does", "do", "did"])


def place_projection(model: DomainModel, nodes: Sequence[Node], owners: AbstractSet[str]) -> Projection | None:
    """Return the projection for the place of a named entity, or of an event there; it takes no other words, such as "except"."""
    words = " ".join(node.item.words for node in nodes[:2]).split()
    if words[:1] != ["where"] or not _BEING & {*words[1:2]}:
        return None
    if any(node.has("entity") or node.has("asked") for node in nodes) or not any(node.values for node in nodes):
        return None
    rest = [node for node in nodes[1:] if not (node.values or is_filler(node) or node.item.words in _BEING)]
    told = {word for node in rest for word in node.item.words.split()}
    own = [(name, a) for name, a in model.attribute.items() if a.of in owners and a.select and ";" not in a.select[0]]
    own = [(name, a) for name, a in own if {*a.accepts} & {*model.kind}]
    for place in _PLACES:
        for name, attribute in own:
            parts = [{*said.split()} for said in attribute.words]
            if any(place in said and (not rest or told & said) for said in parts):
                event = [node for node in rest if {*node.item.words.split()} & set().union(*parts)]
                return Projection((attribute.of,), (name,), at=frozenset(_told_at(nodes, event)))
    return None


def _told_at(nodes: Sequence[Node], rest: Sequence[Node]) -> list[int]:
    """Return the indices of the nodes that state the projection."""
    return [0, *(at for at, node in enumerate(nodes) if node in rest)]
