"""Kinds under which an attribute takes a value: a bare hour as a time of day, a small number as years of somebody."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import Attribute, DomainModel
from domain.english.model.meaning import Value

_OLDEST, _THIS = 120, (" month", " month)")
_ONE_DAY = 3
_FIRST_YEAR, _LAST_YEAR = 1000, 2100


def accepted(attribute: Attribute) -> frozenset[str]:
    kinds = set(attribute.accepts)
    if "number" in kinds:
        kinds |= {"digits", "money"}
    if "clock" in kinds:
        kinds |= {"maybe clock"}
    if "years" in kinds:
        kinds |= {"number"}
    return frozenset(kinds)


def kind_for(attribute: Attribute, value: Value) -> str | None:
    """The kind under which an attribute takes a value, if it does. "This month" is a stretch of days, and a month of every year
    where that is named first: a birthday."""
    if value.say.endswith(_THIS) and {"month", "date"} <= {*attribute.accepts}:
        first = next(kind for kind in attribute.accepts if kind in {"month", "date"})
        return value.kind if value.kind == first else None
    if value.kind in attribute.accepts:
        parted = "," in attribute.accepts[value.kind]  # a day in columns of its own for year, month and day
        return None if parted and value.kind == "date" and len(value.data) > _ONE_DAY else value.kind
    if value.kind == "maybe clock" and "clock" in attribute.accepts:
        return "clock"
    if value.kind == "number" and "years" in attribute.accepts and _an_age(value):
        return "years"
    if value.kind in {"number", "money"} and "number" in attribute.accepts:
        return "number"
    if value.kind == "number" and "money" in attribute.accepts and value.op != "=":
        return "money"
    if value.kind in {"digits", "number"} and value.op == "=" and "code" in attribute.accepts:
        return "code"
    if value.kind == "digits" and "year" in attribute.accepts and _a_year(value):
        return "year"
    return None


def _a_year(value: Value) -> bool:
    return all(isinstance(n, int) and _FIRST_YEAR <= n < _LAST_YEAR for n in value.data)


def _an_age(value: Value) -> bool:
    return all(isinstance(n, int) and 0 < n <= _OLDEST for n in value.data)


def of_another_sort(
    model: DomainModel, values: Sequence[Value], value: Value, before: AbstractSet[str], others: Sequence[str]
) -> bool:
    """Return whether a name of several things is of another sort than what was said `before`, and one of the attributes `others`
    takes it without a word that leads to it."""
    kinds = {v.kind for v in values if v.kind in model.kind} - {value.kind}
    if value.kind not in model.kind or value.kind in before:
        return False
    return any(model.attribute[name].default and kinds & {*model.attribute[name].accepts} for name in others)


def as_kind(value: Value, kind: str) -> Value:
    return value if value.kind == kind else Value(kind, value.data, value.op, value.say)
