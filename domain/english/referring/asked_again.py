"""A question repeated for other rows: "and the second one" after the price of the first, "the other one's" after the job of the
youngest."""

from __future__ import annotations

import msgspec

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import AnswerRows, Condition, Meaning


def of_rows(model: DomainModel, last: Meaning, rows: AnswerRows) -> Meaning | None:
    """Return what the last request asked of a row, asked of these instead; None when it asked nothing of a row of their kind."""
    asks = last.attributes or last.count or last.aggregate or last.entities != (rows.entity,)
    if not asks or last.per or last.by or last.pick or not (last.rows or names_row(model, last, rows.entity)):
        return None
    if last.rows and (last.rows.by_hand or last.rows.entity != rows.entity):
        return None
    return msgspec.structs.replace(without_row(model, last, rows.entity), rows=rows)


def without_row(model: DomainModel, last: Meaning, entity: str) -> Meaning:
    """Return a request without what selects one row of an entity."""
    kept = tuple(c for c in last.conditions if not identifies(model, c, entity))
    inside = None if last.inside and last.inside.entities == (entity,) else last.inside
    extremes = () if last.entities == (entity,) else last.extremes
    rows = None if last.rows and last.rows.entity == entity else last.rows
    return msgspec.structs.replace(last, conditions=kept, inside=inside, extremes=extremes, rows=rows)


def names_row(model: DomainModel, meaning: Meaning, entity: str) -> bool:
    """Return whether a request names one row of an entity, or selects it."""
    named = any(identifies(model, c, entity) for c in meaning.conditions)
    within = meaning.inside is not None and meaning.inside.entities == (entity,) and bool(meaning.inside.extremes)
    return named or within or (meaning.entities == (entity,) and bool(meaning.extremes))


def identifies(model: DomainModel, condition: Condition, entity: str) -> bool:
    """Return whether a condition identifies a row of an entity by its name or key."""
    if condition.negated or len(condition.values) != 1 or condition.values[0].op != "=":
        return False
    kind = model.kind.get(condition.values[0].kind)
    about = model.entity[entity]
    if kind is None or kind.column.partition(".")[0] != about.table:
        return False
    parts = {column for other in model.kind.values() for pair in other.names if " " in pair for column in pair.split()}
    if kind.column in parts:
        return True
    path = model.attribute[condition.attribute].accepts.get(condition.values[0].kind, "")
    if about.key == (kind.column,) or any(" " in pair for pair in kind.names):
        return path == kind.column or ";" not in path or path.rpartition(";")[2].strip() == kind.column
    return kind.asks == entity
