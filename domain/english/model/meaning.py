"""The meaning of a request, independent of its words and of SQL: frozen values that the parser creates."""

from __future__ import annotations

import msgspec

from domain.english.model.domain import DomainModel, Literal, read_path

Comparison = str  # one of = < > <= >= between around; a closed set checked where it is rendered


class Value(msgspec.Struct, frozen=True):
    """A value in a request: literals in the order of their columns, and its wording.

    `unit` is the size of an amount's unit in the unit of the column (60 for hours in a column of minutes), else 0.
    """

    kind: str
    data: tuple[Literal, ...]
    op: Comparison = "="
    say: str = ""
    unit: float = 0


class Weighed(msgspec.Struct, frozen=True):
    """The attributes that a value could be attached to, with score and kind, best first; `at` is the index of its node."""

    at: int
    attributes: tuple[tuple[float, str, str], ...]


class Condition(msgspec.Struct, frozen=True):
    """An attribute has one of these values, or none of them if negated."""

    attribute: str
    values: tuple[Value, ...]
    negated: bool = False


class Flagged(msgspec.Struct, frozen=True):
    """One of these flags holds, or none of them if negated."""

    flags: tuple[str, ...]
    negated: bool = False


class Extreme(msgspec.Struct, frozen=True):
    """A superlative: the rows with the minimum or maximum of a column among those that meet the other conditions.

    The first `number` rows are kept, including ties with the last; or only those in `place` ("the second oldest"). With
    `each`, rows are ranked within groups that share this attribute or entity.
    """

    superlative: str
    column: str
    pick: str
    say: str
    number: int = 1
    place: int = 1
    each: str = ""


class Having(msgspec.Struct, frozen=True):
    """A condition on the number of related rows that meet `conditions` and `flags`: "with more than five novels".

    The `op` "none" requires that there are none, "all" that there is one and each meets them, and "every" that there is
    one for each row of `whole`, by `attribute` ("to all towns in Kent"). With `aggregate`, the aggregate of `attribute`
    is compared instead of the count ("whose average price is over 20"); with `than`, the count is compared with that of
    another category ("more novels than plays").
    """

    entity: str
    op: Comparison
    number: int | float = 0
    conditions: tuple[Condition, ...] = ()
    flags: tuple[Flagged, ...] = ()
    aggregate: str = ""
    attribute: str = ""
    than: tuple[Flagged, ...] = ()
    whole: Meaning | None = None
    """The rows of which a share is taken; all when None."""


class Compared(msgspec.Struct, frozen=True):
    """A comparison of a column with its value in the rows of `whole`: their average, maximum or minimum, or any for "=".

    With `through`, it is compared with the row that this attribute refers to: one's own boss.
    """

    column: str
    op: Comparison
    aggregate: str
    whole: Meaning
    say: str = ""
    through: str = ""


class AnswerRows(msgspec.Struct, frozen=True):
    """Rows of an earlier answer, by their keys, and the phrase that refers to them.

    `by_hand` marks rows that are defined by SQL the wizard wrote. Without keys the rows are unknown.
    """

    entity: str
    keys: tuple[tuple[Literal, ...], ...]
    say: str
    by_hand: bool = False


class Meaning(msgspec.Struct, frozen=True):
    """The entities and attributes that a request asks for, and its restrictions.

    `never` names attributes and flags whose negated conditions hold for all related rows: "authors who did not write
    novels". `by` is an attribute to group by: "books in each language". `named` returns the entities along with their
    attribute: "clerks and their salaries". `rows` restricts the answer to rows related to an earlier answer, `inside` to
    those related to another meaning ("the wages of the youngest of those clerks"); `outside` excludes a meaning ("the
    others"), and `among` requires one of several ("both lists"). `distinct` counts the different values of the attribute. `span`
    (day, month or year) groups by the part of the date in `by`.
    """

    entities: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    count: bool = False
    conditions: tuple[Condition, ...] = ()
    flags: tuple[Flagged, ...] = ()
    extremes: tuple[Extreme, ...] = ()
    aggregate: str = ""
    per: str = ""
    pick: str = ""
    either: tuple[tuple[Condition, ...], ...] = ()
    having: tuple[Having, ...] = ()
    never: tuple[str, ...] = ()
    by: str = ""
    named: bool = False
    rows: AnswerRows | None = None
    inside: Meaning | None = None
    compared: tuple[Compared, ...] = ()
    distinct: bool = False
    outside: Meaning | None = None
    among: tuple[Meaning, ...] = ()
    whole: Meaning | None = None
    span: str = ""


def said_in(meaning: Meaning) -> tuple[Condition, ...]:
    """Return all conditions, including those of alternatives."""
    return (*meaning.conditions, *(c for group in meaning.either for c in group))


def over_rows(model: DomainModel, condition: Condition) -> bool:
    """Return whether several rows of another table can meet the condition for one row."""
    paths = [model.attribute[condition.attribute].accepts[v.kind] for v in condition.values]
    owner = model.entity[model.attribute[condition.attribute].of]
    steps = [read_path(path).steps[:1] for path in paths if path != "-"]
    return all(first and first[0].left in owner.key for first in steps)


def belonged_to(meaning: Meaning) -> list[str]:
    """Return the entities whose rows the answer must be related to."""
    return [
        *([meaning.rows.entity] if meaning.rows else []),
        *([meaning.inside.entities[0]] if meaning.inside else []),
    ]


def never_met(model: DomainModel, meaning: Meaning) -> tuple[Condition | Flagged, ...]:
    """Return the negated conditions and flags that no related row may meet, for a meaning with a single entity."""
    if len(meaning.entities) != 1 or meaning.per or meaning.aggregate or meaning.either:
        return ()
    far = [c for c in meaning.conditions if model.attribute[c.attribute].of not in meaning.entities]
    flags = [f for f in meaning.flags if all(model.flag[name].of not in meaning.entities for name in f.flags)]
    return (
        *(c for c in far if c.negated and c.attribute in meaning.never),
        *(f for f in flags if f.negated and {*f.flags} <= {*meaning.never}),
    )


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
