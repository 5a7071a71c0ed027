"""Alternative attachments of a value, where the request is ambiguous.

Two cases: a second attribute scored about as high and has no other condition ("hired in June, leaving on Sunday after
four"); or another value stands between the cue and its value ("returned to Norton by Ann Lee on Friday").
"""

from __future__ import annotations

import re

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition, Meaning, Value, Weighed
from domain.english.parse.combine_comparisons import Node
from domain.english.parse.parser import Parsed
from domain.english.parse.value_kinds import as_kind, kind_for

_CLOSE = 1.0
_CONTAINS = re.compile(r"(?P<column>\w+\.\w+) contains '(?P<text>[^']+)'")
_ACROSS = (12.0, 19.5)
"""The range of scores of a value separated from its cue by another value."""


def alternative_attachment(model: DomainModel, parsed: Parsed, meaning: Meaning) -> Meaning | None:
    """Return the meaning with one value attached to its second-best attribute, or None.

    The closest scores win; failing those, the last value that is far from its cue.
    """
    near: list[tuple[float, Meaning]] = []
    across: list[Meaning] = []
    for weighed in parsed.weighed:
        best, name, _ = weighed.attributes[0]
        other = next((way for way in weighed.attributes[1:] if way[1] != name and _counts(model, way)), None)
        if other is None or _implied_by_other(model, name, other[1]):
            continue
        if (moved := _moved(model, meaning, parsed.nodes[weighed.at], weighed, other)) is None:
            continue
        if best - other[0] < _CLOSE:
            near.append((best - other[0], moved))
        elif _ACROSS[0] < best < _ACROSS[1]:
            across.append(moved)
    if near:
        return min(near, key=lambda way: way[0])[1]
    return across[-1] if across else None


def _counts(model: DomainModel, way: tuple[float, str, str]) -> bool:
    """Return whether a condition on the attribute affects the rows."""
    return model.attribute[way[1]].accepts.get(way[2]) != "-"


def literal_name(model: DomainModel, meaning: Meaning, text: str) -> Meaning | None:
    """Return the meaning with a category word of the text read as the name of a single value, or None.

    "Clerks" usually includes senior clerks; this reading leaves them out. What an earlier request said is settled.
    """
    for flagged in meaning.flags:
        tests = [test for name in flagged.flags for test in model.flag[name].where]
        found = _CONTAINS.fullmatch(tests[0]) if len(tests) == 1 and not flagged.negated else None
        others = [test for f in meaning.flags if f != flagged for name in f.flags for test in model.flag[name].where]
        said_now = any(word in text.lower() for name in flagged.flags for word in model.flag[name].words)
        if found is None or not said_now or any(found["column"] in test for test in others):
            continue  # "senior clerks" are specified further already
        for name, attribute in model.attribute.items():
            kind = next((k for k, path in attribute.accepts.items() if path == found["column"]), "")
            if kind in model.kind:
                said = Condition(name, (Value(kind, (found["text"],), say=f"{found['text'].title()} alone"),))
                left = tuple(other for other in meaning.flags if other != flagged)
                return msgspec.structs.replace(meaning, conditions=(*meaning.conditions, said), flags=left)
    return None


def _implied_by_other(model: DomainModel, name: str, other: str) -> bool:
    """Return whether one attribute is only implied by the other."""
    return model.attribute[name].follows == other or model.attribute[other].follows == name


def _moved(
    model: DomainModel, meaning: Meaning, node: Node, weighed: Weighed, other: tuple[float, str, str]
) -> Meaning | None:
    """Return the meaning with a node's value moved to another attribute; None if that attribute has a condition already."""
    _, name, _ = weighed.attributes[0]
    _, into, kind = other
    value = next((v for v in node.values if kind_for(model.attribute[into], v) == kind), None)
    places = [at for at, c in enumerate(meaning.conditions) if _holds(model, c, name, node)]
    if value is None or not places or any(c.attribute == into for c in meaning.conditions):
        return None
    held = meaning.conditions[places[0]]
    values = tuple(as_kind(value, kind) if _is_of(v, node) else v for v in held.values)
    if any(v.kind not in model.attribute[into].accepts for v in values):
        return None  # "on Monday or around ten": the other attribute takes no such value
    changed = [*meaning.conditions]
    changed[places[0]] = Condition(into, values, held.negated)
    brought = [c for c in changed if model.attribute[c.attribute].follows != name]
    return msgspec.structs.replace(meaning, conditions=tuple(brought))


def _holds(model: DomainModel, condition: Condition, name: str, node: Node) -> bool:
    own = condition.attribute in {name, model.attribute[name].stands_for}
    return own and any(_is_of(value, node) for value in condition.values)


def _is_of(value: Value, node: Node) -> bool:
    return any(value.data == given.data for given in node.values)
