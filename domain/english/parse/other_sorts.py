"""Names of another sort than the one spoken of before: "the Alaska ones" of flights from San Diego are none from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Value
from domain.english.parse.combine_comparisons import Node


def of_another_sort(
    model: DomainModel, head: Sequence[str], before: Mapping[str, AbstractSet[str]], node: Node, value: Value, name: str
) -> bool:
    """Return whether a name is rather of something that was not spoken of than a name of another sort put for the one before:
    Alaska is an airline and San Diego a city and no state. `before` tells of which kinds each attribute was."""
    kinds = {v.kind for v in node.values if v.kind in model.kind} - {value.kind}
    if value.kind not in model.kind or value.kind in before[name]:
        return False
    return any(
        a.default and a.of in head and other not in before and kinds & {*a.accepts}
        for other, a in model.attribute.items()
    )
