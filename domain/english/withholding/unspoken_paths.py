"""Signs that a reading goes by rows that nobody spoke of.

"How many people died" is not the number of volunteers at call-outs with casualties who died, and a call-out that took more than
five hours is none where one helper was out so long.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Meaning, Value
from domain.english.parse.combine_comparisons import Node, is_filler

_ANYBODY = frozenset(["people", "person", "persons", "who", "anyone", "anybody", "everyone", "everybody"])
_FAR = 3  # steps: through a table between two things it takes two to pass from one to the other


def goes_unspoken(model: DomainModel, nodes: Sequence[Node], meaning: Meaning) -> bool:
    """Return whether a condition is on rows of something not spoken of: far from what is asked for, or an amount of it."""
    named = {sense.name for node in nodes for what in ("entity", "verb", "hint") for sense in node.item.all(what)}
    named |= {model.flag[sense.name].of for node in nodes for sense in node.item.all("flag")} | {*meaning.entities}
    tables = {model.entity[name].table for name in named if name in model.entity}
    anybody = any(n.item.words in _ANYBODY for n in nodes if n.item.name("entity") in meaning.entities)
    return any(
        _unspoken(model, condition, value, tables, meaning, anybody) and not _led_to(nodes, condition)
        for condition in meaning.conditions
        for value in condition.values
    )


def _unspoken(
    model: DomainModel, condition: Condition, value: Value, tables: AbstractSet[str], meaning: Meaning, anybody: bool
) -> bool:
    attribute = model.attribute[condition.attribute]
    text = attribute.accepts.get(value.kind, "-")
    if text == "-" or "|" in text or "," in text:
        return False
    path = read_path(text)
    if path.end.partition(".")[0] in tables:
        return False
    if value.kind in model.unit or value.kind == "years":
        belongs = value.kind != "years" and _belongs(model, meaning.entities[0], attribute.of)
        return attribute.of not in meaning.entities and not belongs
    kind = model.kind.get(value.kind)
    return anybody and kind is not None and not (kind.asks or kind.explains or kind.names) and len(path.steps) >= _FAR


def _led_to(nodes: Sequence[Node], condition: Condition) -> bool:
    """Return whether a word of its own, no preposition, leads to the value."""
    return any(
        sense.name == condition.attribute
        for node in nodes
        if not (node.values or is_filler(node) or node.has("compare"))
        for what in ("cue", "trailing", "asked")
        for sense in node.item.all(what)
    )


def _belongs(model: DomainModel, head: str, other: str) -> bool:
    """Return whether each row of `head` refers to one of `other`: a hive stands in one apiary, whose height is the hive's."""
    table, key = model.entity[other].table, {*model.entity[head].key}
    ways = (read_path(p) for a in model.attribute.values() if a.of == head and not a.each for p in a.select)
    return any(way.steps and way.steps[0].left not in key and way.end.partition(".")[0] == table for way in ways)
