"""Contrasts: "departments with engineers but no clerks", "authors read in Norton but not in Sutton".

An affirmed and a negated condition on the same column cannot both refer to one row, as the first would imply the second.
They require one row that meets the first, and no row that meets what the second denies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Flagged, Having, Meaning
from domain.english.parse.combine_comparisons import Node, is_filler
from domain.english.parse.constructions.construction import of_entity

_COLUMN = re.compile(r"\b[a-z_]\w*\.\w+")
Part = Condition | Flagged


def contrasted(model: DomainModel, nodes: Sequence[Node], meaning: Meaning) -> Meaning:
    """Return the meaning with contrasting conditions turned into conditions on separate related rows."""
    numbers = meaning.per or meaning.by or meaning.aggregate or meaning.either or meaning.never
    if numbers or len(meaning.entities) != 1:
        return meaning
    said: tuple[Part, ...] = (*meaning.conditions, *meaning.flags)
    owners = dict.fromkeys(_owner(model, part) for part in said)
    for entity in owners:
        if not entity or entity in meaning.entities:
            continue
        conditions, flags = of_entity(model, meaning, entity)
        here: tuple[Part, ...] = (*conditions, *flags)
        denied = [part for part in here if part.negated]
        held = [part for part in here if not part.negated]
        if not any(columns_of(model, one) & columns_of(model, other) for one in denied for other in held):
            continue
        rows = [_rows(entity, held, ">=", 1)]
        rows += [_rows(entity, [_affirmed(model, nodes, part, held)], "none", 0) for part in denied]
        meaning = msgspec.structs.replace(
            meaning,
            conditions=tuple(c for c in meaning.conditions if c not in conditions),
            flags=tuple(f for f in meaning.flags if f not in flags),
            having=(*meaning.having, *rows),
        )
    return meaning


def _owner(model: DomainModel, part: Part) -> str:
    if isinstance(part, Condition):
        return model.attribute[part.attribute].of
    return model.flag[part.flags[0]].of


def columns_of(model: DomainModel, part: Part) -> set[str]:
    """Return the columns that a condition or flag restricts."""
    if isinstance(part, Condition):
        paths = [model.attribute[part.attribute].accepts[v.kind] for v in part.values]
        return {
            column for path in paths if path != "-" for column in _COLUMN.findall(read_path(path.split("|")[0]).end)
        }
    return {column for name in part.flags for test in model.flag[name].where for column in _COLUMN.findall(test)}


def _rows(entity: str, parts: Sequence[Part], op: str, number: int) -> Having:
    conditions = tuple(part for part in parts if isinstance(part, Condition))
    flags = tuple(part for part in parts if isinstance(part, Flagged))
    return Having(entity, op, number, conditions, flags)


def _affirmed(model: DomainModel, nodes: Sequence[Node], part: Part, held: Sequence[Part]) -> Part:
    """Return a negated condition without its negation; a name without a cue takes the role of the one it contrasts with."""
    if isinstance(part, Flagged):
        return Flagged(part.flags)
    alike = [c for c in held if isinstance(c, Condition) and columns_of(model, c) & columns_of(model, part)]
    kinds = {v.kind for v in part.values}
    role = next((c.attribute for c in alike if kinds <= {*model.attribute[c.attribute].accepts}), part.attribute)
    return Condition(part.attribute if _introduced(nodes, part) else role, part.values)


def _introduced(nodes: Sequence[Node], condition: Condition) -> bool:
    """Return whether a cue precedes the condition's value."""
    places = [at for at, node in enumerate(nodes) if {*node.values} & {*condition.values}]
    at = places[-1] - 1 if places else -1
    while at >= 0 and is_filler(nodes[at]) and not nodes[at].has("cue"):
        at -= 1
    return at >= 0 and nodes[at].has("cue")
