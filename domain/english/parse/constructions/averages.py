"""Averages told by the end of a request: "what do clerks earn on average"."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.constructions.construction import Construction, Read, without


def at_the_end(model: DomainModel, nodes: Sequence[Node], read: Read) -> Construction | None:
    """The average of the one amount that is asked for."""
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
