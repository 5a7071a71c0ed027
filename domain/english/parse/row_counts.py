"""Numbers that count rows of what is asked for, and are no value of a column: "two boats", "at least three concerts"."""

from __future__ import annotations

from collections.abc import Container, Sequence

from domain.english.parse.combine_comparisons import Node

_PLAIN_NUMBERS = frozenset({"number", "maybe clock", "digits", "ordinal", "year"})
_BOUNDED = frozenset({"number", "maybe clock"})


def is_row_count(nodes: Sequence[Node], at: int, heads: Container[int], entities: Container[str]) -> bool:
    """Return whether a number says how many rows of the heads at these places, or of these entities, are wanted."""
    node, following = nodes[at], nodes[at + 1 : at + 2]
    if not node.values or (at > 0 and (nodes[at - 1].has("cue") or nodes[at - 1].has("entity"))):
        return False
    if node.compared:  # "venues where we gave at least three concerts"
        counts = all(v.kind in _BOUNDED and v.op != "around" for v in node.values)
        return counts and any(n.item.name("entity") in entities and not n.values for n in following)
    plain = all(v.op == "=" and v.kind in _PLAIN_NUMBERS for v in node.values)
    round_ = all(
        v.data[0] % 100 == 0 for v in node.values if v.kind == "maybe clock" and not isinstance(v.data[0], str)
    )
    after = following[0].item.words if at + 1 in heads and following[0].has("entity") else ""
    return plain and round_ and after.endswith("s")
