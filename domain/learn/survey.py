"""Survey of a database: its keys, its declared or likely joins, and what each column holds.

It reads only counts and small samples, by statements that every SQL database understands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from itertools import combinations
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, MetaData, Table, distinct, func, select, type_coerce
from sqlalchemy.types import Boolean, Integer, NullType, Numeric

from domain.english.model.date_forms import date_form
from domain.english.model.domain import JoinStep
from domain.english.model.path_names import column_called, written
from domain.english.model.reflection import broken_references, is_view
from domain.english.sql.join_planner import step_of, table_of
from domain.learn.names_in_words import in_words
from domain.learn.schema_wording import is_boolean, is_keylike, singular, without_key_ending

_SAMPLE = 400
_SHORTEST, _FEWEST = 2, 4  # least letters of a name, and least number of names, to guess a reference from
_LONG = 48
_FEW_COLUMNS, _MOST_IN_KEYS = 2, 6
_ANYTHING = frozenset(
    ["name", "title", "number", "date", "year", "type", "status", "description", "label", "value", "id"]
)
"""Column names too common to indicate a reference."""
_CLOCK = re.compile(r"([01]\d|2[0-4]):[0-5]\d(:[0-5]\d(\.\d+)?)?")


class ColumnFacts(msgspec.Struct, frozen=True):
    """A column: `holds` is number, text, code, long text, date, clock (a time of day), flag or nothing; `missing` tells
    whether some rows have no value, `whole` whether its type is integer, `timed` whether its dates have times of day."""

    name: str
    holds: str
    distinct: int
    sample: tuple[Any, ...]
    missing: bool = False
    whole: bool = False
    timed: bool = False


class TableFacts(msgspec.Struct, frozen=True):
    """A table or view: its key columns, its columns, and the number of rows."""

    name: str
    key: tuple[str, ...]
    columns: tuple[ColumnFacts, ...]
    rows: int
    view: bool = False

    def column(self, name: str) -> ColumnFacts:
        return next(c for c in self.columns if c.name == name)


class Survey(msgspec.Struct, frozen=True):
    """All tables, the joins between them, each over a whole key, and which of these are guessed; `broken` are references to
    missing tables. Names are spelled as in paths."""

    tables: tuple[TableFacts, ...]
    joins: tuple[JoinStep, ...]
    guessed: tuple[JoinStep, ...]
    broken: tuple[tuple[str, str], ...] = ()

    def table(self, name: str) -> TableFacts:
        return next(t for t in self.tables if t.name == name)

    def is_reference(self, table: str, column: str) -> bool:
        """Return whether a column is a foreign key."""
        return any(left == f"{table}.{column}" for j in self.joins for left, _ in j.pairs)

    def is_link(self, table: TableFacts) -> bool:
        """Return whether a table is a pure link table."""
        return (
            not table.view
            and len(table.columns) >= 2
            and all(self.is_reference(table.name, c.name) for c in table.columns)
        )


def survey(schema: MetaData, link: Connection) -> Survey:
    """Survey a database; empty tables are left out, since they tell nothing."""
    tables = tuple(t for t in (_table(table, link) for table in schema.tables.values()) if t.rows)
    names = {t.name for t in tables}
    declared = tuple(
        step_of(key)
        for table in schema.tables.values()
        for key in sorted(table.foreign_key_constraints, key=lambda key: (key.column_keys, key.referred_table.name))
        if {written(table.name), written(key.referred_table.name)} <= names
    )
    declared = (*declared, *_implied(declared))
    guessed = tuple(_guesses(tables, declared, schema, link))
    return Survey(tables, (*declared, *guessed), guessed, tuple(broken_references(schema)))


def _table(table: Table, link: Connection) -> TableFacts:
    rows = link.execute(select(func.count()).select_from(table)).scalar_one()
    columns = tuple(_column(column, link) for column in table.columns) if rows else ()
    key = tuple(written(column.name) for column in table.primary_key) or _likely_key(columns, rows)
    if len(key) == len(columns) > _FEW_COLUMNS:
        key = _compound_key(table, columns, rows, link) or tuple(c.name for c in columns if not c.missing) or key
    return TableFacts(written(table.name), key, columns, rows, is_view(table))


def _compound_key(table: Table, columns: Sequence[ColumnFacts], rows: int, link: Connection) -> tuple[str, ...]:
    """Return the first two or three columns that together tell the rows apart, none of which is ever empty."""
    pairs = zip(table.columns, columns, strict=True)
    held = [(c, f) for c, f in pairs if not f.missing and f.holds in {"number", "text", "code", "date"}][:_MOST_IN_KEYS]
    for width in (2, 3):
        for parts in combinations(held, width):
            apart = select(*(c for c, _ in parts)).distinct().subquery()
            if link.execute(select(func.count()).select_from(apart)).scalar_one() == rows:
                return tuple(f.name for _, f in parts)
    return ()


def _likely_key(columns: Sequence[ColumnFacts], rows: int) -> tuple[str, ...]:
    unique = [
        c
        for n, c in enumerate(columns)
        if c.distinct == rows
        and (c.holds in {"text", "code"} or (c.holds == "number" and (not n or is_keylike(c.name))))
    ]
    unique.sort(key=lambda c: not is_keylike(c.name))
    return (unique[0].name,) if unique else tuple(c.name for c in columns)


def _column(column: Column[Any], link: Connection) -> ColumnFacts:
    count = link.execute(select(func.count(distinct(column)))).scalar_one()
    # The stored values: a column declared as a date may hold any text.
    raw = select(type_coerce(column, NullType())).where(column.is_not(None)).distinct().limit(_SAMPLE)
    values = link.execute(raw).scalars()
    sample = tuple(values)
    empty = link.execute(select(column).where(column.is_(None)).limit(1)).first() is not None
    form, holds = date_form(sample), _holds(column, sample)
    timed = holds == "date" and (form.timed if form else any(isinstance(v, datetime) for v in sample))
    return ColumnFacts(written(column.name), holds, count, sample, empty, isinstance(column.type, Integer), timed)


def _holds(column: Column[Any], sample: Sequence[Any]) -> str:
    if not sample:
        return "nothing"
    if isinstance(column.type, Boolean) or {str(v).lower() for v in sample} <= {"y", "n", "yes", "no", "true", "false"}:
        return "flag"
    if {*map(str, sample)} == {"0", "1"} and is_boolean(column.name):
        return "flag"
    if all(_is_date(v) for v in sample) or (len(sample) >= _FEWEST and date_form(sample)):
        return "date"
    if all(isinstance(v, time) or (isinstance(v, str) and _CLOCK.fullmatch(v)) for v in sample):
        return "clock"
    if isinstance(column.type, Integer | Numeric) or all(isinstance(v, int | float) for v in sample):
        return "number"
    texts = [str(v) for v in sample]
    if sum(len(t) for t in texts) > _LONG * len(texts):
        return "long text"
    return "code" if max(len(t) for t in texts) <= 2 else "text"


def _is_date(value: Any) -> bool:
    try:
        return isinstance(value, date) or (
            isinstance(value, str) and bool(date.fromisoformat(value[:10])) and len(value) >= 10
        )
    except ValueError:
        return False


def _implied(declared: Sequence[JoinStep]) -> Iterator[JoinStep]:
    """Yield references implied by a composite key: a duty in the shift of a ward is a duty in that ward."""
    single = {step.left: step for step in declared if not step.also}
    for left, right in dict.fromkeys(pair for step in declared if step.also for pair in step.pairs):
        if right in single and left not in single and table_of(single[right].right) != table_of(left):
            yield JoinStep(left, single[right].right)


def _guesses(
    tables: Sequence[TableFacts], declared: Sequence[JoinStep], schema: MetaData, link: Connection
) -> Iterator[JoinStep]:
    """Yield undeclared references: a column named like another table or its single key, whose values all occur there."""
    known = {left for step in declared for left, _ in step.pairs}
    for table in tables:
        for column in table.columns:
            if f"{table.name}.{column.name}" in known or column.holds in {
                "nothing",
                "flag",
                "date",
                "clock",
                "long text",
            }:
                continue
            for other in tables:
                if other.name == table.name or other.view or len(other.key) != 1 or table.key == (column.name,):
                    continue
                if (_named_alike(column.name, other) or _same_names(column, other)) and _contained(
                    table, column, other, schema, link
                ):
                    yield JoinStep(f"{table.name}.{column.name}", f"{other.name}.{other.key[0]}")
                    break


def _same_names(column: ColumnFacts, other: TableFacts) -> bool:
    """Return whether a column of names may refer to another table's names: the borrower of a loan is one of the
    institutions."""
    key = other.column(other.key[0])
    long = [value for value in column.sample if isinstance(value, str) and len(value) > _SHORTEST]
    return column.holds == key.holds == "text" and len(long) == len(column.sample) and column.distinct >= _FEWEST


def _named_alike(column: str, other: TableFacts) -> bool:
    key = other.key[0].lower()
    bare = without_key_ending(column).lower()
    names = {other.name.lower(), singular(other.name.lower())}
    named = bare in names or (is_keylike(column) and any(bare.endswith(f"_{name}") for name in names))
    return named or (column.lower() == key and in_words(column) not in _ANYTHING)


def _contained(table: TableFacts, column: ColumnFacts, other: TableFacts, schema: MetaData, link: Connection) -> bool:
    here = column_called(schema, f"{table.name}.{column.name}")
    there = column_called(schema, f"{other.name}.{other.key[0]}")
    if here is None or there is None:
        return False
    strangers = select(func.count()).where(here.is_not(None), here.not_in(select(there)))
    return link.execute(strangers).scalar_one() == 0
