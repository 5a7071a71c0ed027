"""Meaning of a request, apart from its words and from SQL: frozen values that parsing makes and everything else reads."""

from __future__ import annotations

import msgspec

from domain.english.model.domain import DomainModel, Literal, read_path

Comparison = str  # one of = < > <= >= between around; a closed set checked where it is rendered


class Value(msgspec.Struct, frozen=True):
    """A value said in the request: literals in the order of the columns that hold them, and how it was said; of an amount
    also how many of the column's unit the unit said makes (60 for hours where minutes are held), else 0."""

    kind: str
    data: tuple[Literal, ...]
    op: Comparison = "="
    say: str = ""
    unit: float = 0


class Weighed(msgspec.Struct, frozen=True):
    """The attributes that a value could go to, with score and kind, the chosen one first; `at` is its node."""

    at: int
    attributes: tuple[tuple[float, str, str], ...]


class Condition(msgspec.Struct, frozen=True):
    """An attribute has one of these values (or, negated, none)."""

    attribute: str
    values: tuple[Value, ...]
    negated: bool = False


class Flagged(msgspec.Struct, frozen=True):
    """One of these flags holds (or, negated, none)."""

    flags: tuple[str, ...]
    negated: bool = False


class Extreme(msgspec.Struct, frozen=True):
    """Only the least or greatest by a column, among what meets the other conditions: the first `number` of them, with those
    that are level with the last, or those in `place` alone, "the second oldest"; with `each`, among those that share the value of
    this attribute, or belong to the same one of this entity."""

    superlative: str
    column: str
    pick: str
    say: str
    number: int = 1
    place: int = 1
    each: str = ""


class Having(msgspec.Struct, frozen=True):
    """So many of another entity that meet these conditions belong to it: "with more than five novels"; none when `op` is
    "none"; at least one, and each meets them, when it is "all". With an `aggregate` of an attribute of these, that is held
    against the number: "whose average price is over 20". With `than`, they are held against how many of that other sort there
    are: "more novels than plays". With the `op` "every", there is one for each of the things that `whole` means, by that
    `attribute`: "to all towns in Kent"."""

    entity: str
    op: Comparison
    number: int | float = 0
    conditions: tuple[Condition, ...] = ()
    flags: tuple[Flagged, ...] = ()
    aggregate: str = ""
    attribute: str = ""
    than: tuple[Flagged, ...] = ()
    whole: Meaning | None = None


class Compared(msgspec.Struct, frozen=True):
    """A column is above or below what it is in what `whole` means, or, with "=", the same: their average, or, of a named one,
    its own value; the greatest or least where several have that name, or are meant. With `through`, it is held against that of
    the row to which this attribute leads: somebody's own boss."""

    column: str
    op: Comparison
    aggregate: str
    whole: Meaning
    say: str = ""
    through: str = ""


class AnswerRows(msgspec.Struct, frozen=True):
    """Rows of an earlier answer, by their keys, and how they were referred to; `by_hand` says that only the wizard's own SQL
    tells what they are. Without keys they are not known."""

    entity: str
    keys: tuple[tuple[Literal, ...], ...]
    say: str
    by_hand: bool = False


class Meaning(msgspec.Struct, frozen=True):
    """A request understood: entities and attributes asked for, and which of them. Conditions on an attribute in `never`, and
    flags there, of another entity, hold of none of those that belong to what is asked for: "authors who did not write
    novels". `by` is the attribute for each value of which is counted: "books in each language". `named` says that the things
    themselves are asked for beside an attribute of theirs: "clerks and their salaries". What is asked for belongs to the
    `rows` of an earlier answer, or to what `inside` means: the wages of the youngest of those clerks; it is none of what
    `outside` means, and one of what any of `among` means: "the others", "both lists". `distinct` counts the different values
    of the attribute asked for."""

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


def said_in(meaning: Meaning) -> tuple[Condition, ...]:
    """All conditions, those of alternatives too."""
    return (*meaning.conditions, *(c for group in meaning.either for c in group))


def over_rows(model: DomainModel, condition: Condition) -> bool:
    """Return whether a row can meet such a condition by several rows of another table."""
    paths = [model.attribute[condition.attribute].accepts[v.kind] for v in condition.values]
    owner = model.entity[model.attribute[condition.attribute].of]
    steps = [read_path(path).steps[:1] for path in paths if path != "-"]
    return all(first and first[0].left in owner.key for first in steps)


def belonged_to(meaning: Meaning) -> list[str]:
    """The entities to which what is asked for belongs by reference."""
    return [
        *([meaning.rows.entity] if meaning.rows else []),
        *([meaning.inside.entities[0]] if meaning.inside else []),
    ]


def never_met(model: DomainModel, meaning: Meaning) -> tuple[Condition | Flagged, ...]:
    """Negated conditions and flags that nothing belonging to the one entity asked for may meet."""
    if len(meaning.entities) != 1 or meaning.per or meaning.aggregate or meaning.either:
        return ()
    far = [c for c in meaning.conditions if model.attribute[c.attribute].of not in meaning.entities]
    flags = [f for f in meaning.flags if all(model.flag[name].of not in meaning.entities for name in f.flags)]
    return (
        *(c for c in far if c.negated and c.attribute in meaning.never),
        *(f for f in flags if f.negated and {*f.flags} <= {*meaning.never}),
    )
