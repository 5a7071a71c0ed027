"""Questions that their reading does not answer, prepositions without an object, and numbers that are no value of a column.

"What was prescribed to Ann Lee" is not answered by Ann Lee, nor "who is in Emma" by a book of that name. "From Bonn to
and where" lacks a place, as happens when a word is misrecognised.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Meaning
from domain.english.parse.combine_comparisons import Node, is_filler

_ASKING = frozenset(["what", "who", "whom", "whose", "when", "where", "why", "how"])
_NAMING = frozenset(["name", "names", "of", "is", "are", "was", "were", "the", "a", "an", "about", "all", "all the"])
_LEADING = frozenset(["to", "from", "at", "on", "in", "by", "with", "between", "via", "through", "into"])
_WAYS = frozenset(["to", "from"])
_PLAIN_NUMBERS = frozenset({"number", "maybe clock", "digits", "ordinal", "year"})
_BOUNDED = frozenset({"number", "maybe clock"})
_DOING = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "does",
        "do",
        "did",
        "can",
        "could",
        "will",
        "would",
        "has",
        "have",
        "had",
        "that",
        "i",
        "we",
    ]
)


def echoed(model: DomainModel, nodes: Sequence[Node], meaning: Meaning) -> Iterator[int]:
    """Yield the words of a question whose reading only repeats the name in it."""
    opening = nodes[0].item.words.split()
    if opening[0] not in _ASKING or not _only_named(model, meaning):
        return
    if opening == ["whose"] and any(n.has("entity") for n in nodes[1:2]):
        yield 0  # "whose apiary is the sawmill" asks for its owner
        return
    named = next((at for at, node in enumerate(nodes) if any(v.kind in model.kind for v in node.values)), 0)
    if any(node.has(what) for node in nodes for what in ("explain", "entity", "hint")):
        return
    for at in range(named):
        words = {*(nodes[at].item.words.split() if at else opening[1:])}
        if not (words <= _NAMING or nodes[at].has("ask")):
            yield at


def _only_named(model: DomainModel, meaning: Meaning) -> bool:
    """Return whether a meaning is a single entity selected by its name."""
    more = (meaning.attributes, meaning.count, meaning.aggregate, meaning.flags, meaning.extremes, meaning.having)
    if any((*more, meaning.per, meaning.by, meaning.either, meaning.compared)) or len(meaning.conditions) != 1:
        return False
    table = model.entity[meaning.entities[0]].table
    condition = meaning.conditions[0]
    accepts = model.attribute[condition.attribute].accepts
    return all(
        v.kind in model.kind and accepts.get(v.kind, "").startswith(f"{table}.") and ";" not in accepts[v.kind]
        for v in condition.values
    )


def stranded(nodes: Sequence[Node]) -> Iterator[int]:
    """Yield prepositions without an object: "from Bonn to and where", "from to Bonn", "from Bonn to".

    Coordination ("to and from Bonn") and stranding in a question ("which towns do they go to") are regular.
    """
    for at, node in enumerate(nodes):
        if node.item.words not in _LEADING or node.values:
            continue
        after = nodes[at + 1 : at + 3]
        if not after:
            before = nodes[at - 1 : at]
            asked = any(_DOING & {*n.item.words.split()} for n in nodes[:at])
            if before and not asked and (before[0].values or before[0].has("and") or before[0].has("or")):
                yield at
        elif after[0].has("and") or after[0].has("or"):
            if not (after[1:] and (after[1].has("cue") or after[1].item.words in _LEADING or after[1].values)):
                yield at
        elif node.item.words in _WAYS and after[0].item.words in _WAYS:
            yield at


def mismatched_names(model: DomainModel, nodes: Sequence[Node], meaning: Meaning) -> Iterator[int]:
    """Yield names that do not fit the flag before them: in "runs accounting", no department "accounting" exists."""
    for at, node in enumerate(nodes):
        leads = {name for sense in node.item.all("flag") for name in model.flag[sense.name].leads}
        after = at + 1
        while after < len(nodes) and is_filler(nodes[after]):
            after += 1
        named = [v for n in nodes[after : after + 1] for v in n.values if v.kind in model.kind]
        met = [c for c in meaning.conditions if c.attribute in leads and {*c.values} & {*named}]
        if leads and named and not met:
            yield after
        elif leads and not any(n.values or n.has("entity") or n.has("cue") for n in nodes[after:]):
            yield at  # "who runs the whole place"


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
