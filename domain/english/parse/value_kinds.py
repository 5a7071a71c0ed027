"""The kinds of value that an attribute accepts: a bare hour as a time of day, a small number as an age."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from domain.english.model.domain import Attribute, DomainModel
from domain.english.model.meaning import Value
from domain.english.parse.combine_comparisons import Node

_OLDEST, _THIS = 120, (" month", " month)")
_ONE_DAY = 3
_FIRST_YEAR, _FIRST_RECENT, _LAST_YEAR = 1000, 1900, 2100
_IN_YEARS, _OF_YEARS = frozenset(["in", "during", "since"]), frozenset(["of", "from", "for"])
_DETERMINING = frozenset(
    ["", "the", "a", "our", "your", "which", "what", "any", "all", "all the", "of the", "show me the"]
)


def accepted(attribute: Attribute) -> frozenset[str]:
    """Return the kinds of value that an attribute can take, including those that convert to a kind it accepts."""
    kinds = set(attribute.accepts)
    if "number" in kinds:
        kinds |= {"digits", "money"}
    if "clock" in kinds:
        kinds |= {"maybe clock"}
    if "years" in kinds:
        kinds |= {"number"}
    return frozenset(kinds)


def kind_for(attribute: Attribute, value: Value) -> str | None:
    """Return the kind under which an attribute takes a value, or None.

    "This month" is either a range of dates or a calendar month of every year; the attribute's first kind decides, as for
    a birthday.
    """
    if value.say.endswith(_THIS) and {"month", "date"} <= {*attribute.accepts}:
        first = next(kind for kind in attribute.accepts if kind in {"month", "date"})
        return value.kind if value.kind == first else None
    if value.kind in attribute.accepts:
        parted = "," in attribute.accepts[value.kind]  # the date is stored in separate year, month and day columns
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


def starts_new_condition(
    model: DomainModel, values: Sequence[Value], value: Value, before: AbstractSet[str], others: Sequence[str]
) -> bool:
    """Return whether an ambiguous name should start a new condition rather than replace an earlier one.

    That is so if its kind is not in `before`, the kinds given earlier, and one of the attributes `others` takes the name
    without a cue.
    """
    kinds = {v.kind for v in values if v.kind in model.kind} - {value.kind}
    if value.kind not in model.kind or value.kind in before:
        return False
    return any(model.attribute[name].default and kinds & {*model.attribute[name].accepts} for name in others)


def as_kind(value: Value, kind: str) -> Value:
    """Return the value as one of the given kind."""
    return value if value.kind == kind else Value(kind, value.data, value.op, value.say)


def ends_route(nodes: Sequence[Node], at: int, kind: str) -> bool:
    """Return whether a name right after another of the same kind is the other end of a route, rather than where the first one
    is: "Austin Washington", unlike "Portland Oregon"."""
    alike = any(v.kind == kind for v in nodes[at].values)
    return alike and len([n for n in nodes if any(v.kind == kind for v in n.values)]) == 2


def is_said_as_year(model: DomainModel, nodes: Sequence[Node], at: int, name: str) -> bool:
    """Return whether the words around a number take it as a year, and this attribute takes none: "born in 1926" is no
    department, "sold in 2023" no price, and the wines of 2019, or the 2019 wines, have no number 2019."""
    if not any(v.kind == "year" and v.op == "=" for v in nodes[at].values):
        return False
    led = [sense.name for sense in nodes[at - 1].item.all("cue")] if at else []
    if name not in led and any("year" in model.attribute[other].accepts for other in led):
        return True
    if "year" in model.attribute[name].accepts or not _is_recent(nodes[at]):
        return False
    before, after = nodes[at - 1].item.words if at else "", nodes[at + 1] if at + 1 < len(nodes) else None
    if before in _IN_YEARS:
        return True
    if not any({"year"} == {"year", "date"} & {*a.accepts} for a in model.attribute.values()):
        return False
    if before in _OF_YEARS:
        return at > 1 and nodes[at - 2].has("entity")
    told = after is not None and not any(sense.name == name for sense in after.item.all("trailing"))
    return told and before in _DETERMINING and after is not None and bool(after.values or after.has("entity"))


def _is_recent(node: Node) -> bool:
    return any(v.kind == "year" and all(_FIRST_RECENT <= int(n) < _LAST_YEAR for n in v.data) for v in node.values)


def is_led_by_in(nodes: Sequence[Node], at: int) -> bool:
    """Return whether "in" stands right before a number that can be a year: "hired in 1975"."""
    return (
        any(v.kind == "year" for v in nodes[at].values)
        and at > 0
        and nodes[at - 1].item.words in {"in", "in the", "since"}
    )
