"""Shorter names for columns and what they sort: the kind of a client for `clientKind`, soil and kind of soil for `soilType`."""

from __future__ import annotations

from domain.learn.column_wording import columns_alike
from domain.learn.names_in_words import in_words
from domain.learn.schema_wording import both, is_keylike, is_participle, singular, unit_of
from domain.learn.survey import ColumnFacts, Survey, TableFacts

_SORTS = frozenset(["type", "kind", "style", "category", "sort", "class", "variety", "genre", "make", "form"])
_SORTING = ("kind", "type", "sort")
_TELLING_NOTHING = frozenset(
    ["id", "number", "code", "key", "date", "time", "at", "on", "by", "to", "of", "in", "description"]
)


def short_names(facts: Survey, table: TableFacts, column: ColumnFacts) -> list[str]:
    """Return the forms of a column's name without what goes without saying, where no table and no other column of its table is
    called so: "kind" for the client's `clientKind`, "country" for `home_country`."""
    words, own = in_words(column.name), singular(in_words(table.name))
    if column.holds not in {"text", "code"} or " " not in words or facts.is_reference(table.name, column.name):
        return []
    head, _, last = words.rpartition(" ")
    found = [*sorts_of(head), *both(head)] if last in _SORTS and head not in {own, own.rpartition(" ")[2]} else []
    bare = words.removeprefix(f"{own} ")
    found += both(bare) if bare != words else []
    found += both(last) if not (last in _TELLING_NOTHING or last.endswith("ing") or is_participle(last)) else []
    others = [c for c in table.columns if c.name != column.name]
    taken = {form for c in others for form in both(in_words(c.name).rpartition(" ")[2])}
    taken |= {form for c in others for form in both(in_words(c.name))}
    taken |= {form for t in facts.tables for form in both(in_words(t.name))}
    return [form for form in dict.fromkeys(found) if form not in taken]


def counted_units(table: TableFacts, column: ColumnFacts) -> list[str]:
    """Return the unit of a quantity that is the only one in it, as "how many kilos" asks for it, and what was so dealt with:
    bottles for `bottles_made`."""
    words = in_words(column.name)
    if column.holds != "number" or is_keylike(column.name) or column.name in table.key:
        return []
    others = {singular(w) for c in table.columns if c.name != column.name for w in in_words(c.name).split()}
    first, _, last = words.partition(" ")
    told = both(first) if is_participle(last) and singular(first) not in others else []
    told += columns_alike(first) if told else []
    unit = unit_of(column.name)
    alone = unit and [unit_of(c.name) for c in table.columns].count(unit) == 1
    return [*told, *([word for word in unit[1] if word.endswith("s") and unit[1][word] == 1] if unit and alone else [])]


def sorted_things(table: TableFacts, column: ColumnFacts) -> list[str]:
    """Return what a column that sorts the rows of its table is called with the name of the table: kind of vehicle."""
    words, own = in_words(column.name).removesuffix(" code"), singular(in_words(table.name))
    sorts = column.holds in {"text", "code"} and words.removeprefix(f"{own} ") in _SORTS
    return [*sorts_of(own), *both(f"{own} type")] if sorts else []


def is_sort(column: ColumnFacts) -> bool:
    """Return whether a column sorts its rows, or tells what people are: a type, a job."""
    return bool((_SORTS | {"job", "role", "position", "rank", "grade"}) & {*in_words(column.name).split()})


def sorts_of(noun: str) -> list[str]:
    """Return "kind of soil", "types of soil" and the like."""
    return [f"{form} of {thing}" for sort in _SORTING for form in both(sort) for thing in both(noun)]
