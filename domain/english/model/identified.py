"""The row that a condition identifies by a name or key."""

from __future__ import annotations

from domain.english.model.domain import DomainModel
from domain.english.model.meaning import Condition


def identified_table(model: DomainModel, condition: Condition) -> str:
    """Return the table whose row a condition identifies by name; empty when it identifies none."""
    value = condition.values[0]
    kind = model.kind.get(value.kind)
    if kind is None or value.op != "=":
        return ""
    table = kind.column.partition(".")[0]
    path = model.attribute[condition.attribute].accepts.get(value.kind, "")
    if any(entity.key == (kind.column,) for entity in model.entity.values()) and "." in path and ";" not in path:
        return table if path == kind.column else ""  # those whom Ann Lee supervises are not one row
    named = kind.asks in model.entity and model.entity[kind.asks].table == table
    return table if named or any(entity.key == (kind.column,) for entity in model.entity.values()) else ""
