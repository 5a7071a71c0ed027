"""The meaning of a statement that a wizard wrote by hand, so that the next request can continue from it: "and on Sunday"
after SQL for Saturday's trains.

A statement is read only as a whole: entities and projection, conditions on paths that `domain.toml` knows, and superlatives
of these. Of any other statement only the rows are known. The caller verifies by `same_rows` that the meaning returns the same
rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Condition, Extreme, Flagged, Meaning, Value
from domain.english.model.value_index import Named, Phrase, phrase
from domain.english.parse.combine_comparisons import compared
from domain.english.text.times import clock_words
from domain.proposal.domain_words import Path, step
from domain.proposal.statement_parts import literal_of
from domain.proposal.statement_scope import ColumnMention, Selections
from domain.sandbox.database_schema import Schema

_OPS = {exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
_AGGREGATES = {exp.Avg: "avg", exp.Sum: "sum", exp.Min: "min", exp.Max: "max"}
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_LONGEST_CODE = 3
_MOST_TESTS = 2


def meaning_of(
    sql: str, dialect: str, schema: Schema, model: DomainModel, names: Mapping[Phrase, Sequence[Named]]
) -> Meaning | None:
    """Return the meaning of a statement, or None if a part of it cannot be expressed in the domain; `names` are the names of
    values."""
    try:
        (tree,) = sqlglot.parse(sql, read=dialect)
        if not isinstance(tree, exp.Select) or any(
            tree.args.get(part) for part in ("group", "having", "limit", "with_")
        ):
            return None
        return _Meant(model, Selections(schema), names).read(tree)
    except (SqlglotError, RecursionError, ValueError, _Unread):
        return None


def same_rows(ours: Sequence[Sequence[Any]], theirs: Sequence[Sequence[Any]]) -> bool:
    """Return whether two answers contain the same rows: each row of one is included in a row of the other, and vice versa."""
    one, other = ({frozenset(map(str, row)) for row in rows} for rows in (ours, theirs))
    return all(any(row <= held for held in one) for row in other) and all(
        any(row <= held for row in other) for held in one
    )


class _Unread(Exception):
    """Raised for a part of the statement that the domain cannot express."""


class _Meant:
    """Reads a SELECT and the subqueries that only join to it."""

    def __init__(self, model: DomainModel, selections: Selections, names: Mapping[Phrase, Sequence[Named]]) -> None:
        self._names = names
        self._model, self._selections, self._tables = model, selections, selections.tables
        self._paths: dict[Path, list[tuple[str, str]]] = {}
        for name, attribute in model.attribute.items():
            for kind, text in attribute.accepts.items():
                if ";" in text or "." in text:
                    self._paths.setdefault(_path(text), []).append((name, kind))

    def read(self, select: Any) -> Meaning:
        conditions, here = self._selections.open(select, ())
        columns = [*self._projection(select, here)]
        entity, attributes, count, aggregate = self._entity_and_projection(select, columns)
        said: list[Condition] = []
        flags: list[Flagged] = []
        extremes: list[Extreme] = []
        whole = {self._without_aliases(condition) for condition, _ in conditions}
        conditions, persons = self._person_names(conditions, entity)
        said += persons
        for condition, at in conditions:
            if flag := self._flag(condition, at):
                flags.append(flag)
            elif most := self._superlative(condition, at, entity, whole):
                extremes.append(most)
            else:
                said.append(self._condition(condition, at, entity))
        return Meaning(
            (entity,), attributes, count, conditions=tuple(said), flags=tuple(flags), extremes=tuple(extremes),
            aggregate=aggregate,
        )  # fmt: skip

    def _person_names(
        self, conditions: Sequence[tuple[Any, tuple[int, ...]]], entity: str
    ) -> tuple[list[tuple[Any, tuple[int, ...]]], list[Condition]]:
        """Return the conditions other than those on a person's name, and a condition for each of these names."""
        spelt = {}
        for condition, at in conditions:
            value = literal_of(condition.expression) if isinstance(condition, exp.EQ) else None
            named = isinstance(value, str) and isinstance(condition.this, exp.Column)
            place = self._tables.place(condition.this, at) if named else None
            if place is not None:
                spelt[f"{place.table}.{place.column}"] = (condition, str(value), place)
        found: list[Condition] = []
        gone: set[int] = set()
        for name, kind in self._model.kind.items():
            for columns in (pair.split() for pair in kind.names if " " in pair):
                if not {*columns} <= {*spelt}:
                    continue
                said = " ".join(spelt[column][1] for column in columns)
                value = next((n.value for n in self._names.get(phrase(said), ()) if n.kind == name), None)
                _, _, place = spelt[columns[0]]
                key = ColumnMention(place.node, place.table, kind.column.rpartition(".")[2])
                way = next((way for way in self._ways(key, entity) if way[1] == name), None)
                if value is None or way is None:
                    raise _Unread
                found.append(Condition(way[0], (Value(name, (value,), say=said.title()),)))
                gone |= {id(spelt[column][0]) for column in columns}
        return [(condition, at) for condition, at in conditions if id(condition) not in gone], found

    def _projection(self, select: Any, here: tuple[int, ...]) -> Iterator[tuple[Any, ColumnMention | None]]:
        for column in select.expressions:
            bare = column.unalias()
            inside = bare.find(exp.Column)
            yield bare, self._tables.place(inside, here) if inside is not None else None

    def _entity_and_projection(
        self, select: Any, columns: Sequence[tuple[Any, ColumnMention | None]]
    ) -> tuple[str, tuple[str, ...], bool, str]:
        """Return the entity, the projected attributes, whether rows are counted, and the aggregate."""
        first = self._tables.mentioned[self._tables.first] if self._tables.first else ""
        named = [f"{place.table}.{place.column}" for _, place in columns if place]
        lone = columns[0][0] if len(columns) == 1 else None
        counted = isinstance(lone, exp.Count)
        aggregate = next((said for kind, said in _AGGREGATES.items() if isinstance(lone, kind)), "")
        plain = all(isinstance(bare, exp.Column) for bare, _ in columns)
        tables = [*dict.fromkeys((*(place.table for _, place in columns if place), first))]
        for table in tables:
            for entity in (n for n, e in self._model.entity.items() if e.table == table and not e.where):
                about = self._model.entity[entity]
                key = set(about.key)
                if counted and (not named or key <= {*named}) and table == (tables[0] if named else first):
                    return entity, (), True, ""
                asked = [n for n in named if n not in key]
                found = self._attribute(entity, asked)
                if aggregate and found:
                    return entity, found, False, aggregate
                if plain and key <= {*named}:
                    return entity, found, False, ""
                if plain and found and not set(named) <= {*about.display}:
                    return entity, found, False, ""
                if plain and set(named) <= {*about.display, *key}:
                    return entity, (), False, ""
                if plain and found:
                    return entity, found, False, ""
        raise _Unread

    def _attribute(self, entity: str, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the attribute of an entity that projects exactly these columns."""
        for name, attribute in self._model.attribute.items():
            own = [read_path(path).end for path in attribute.select]
            if attribute.of == entity and own and own == [*columns]:
                return (name,)
        return ()

    def _flag(self, condition: Any, at: tuple[int, ...]) -> Flagged | None:
        """Return the flag that tests exactly this condition, or None."""
        negated = isinstance(condition, exp.Not)
        inside = condition.this.unnest() if negated else condition
        column = inside.this if isinstance(inside, exp.Binary) else None
        value = literal_of(inside.expression) if isinstance(inside, exp.Binary) else None
        place = self._tables.place(column, at) if isinstance(column, exp.Column) else None
        op = _OPS.get(type(inside), "")
        if place is None or value is None or not op:
            return None
        shown = f"'{value}'" if isinstance(value, str) else f"{value}"
        test = f"{place.table}.{place.column} {'!=' if op == '<>' else op} {shown}"
        for name, flag in self._model.flag.items():
            tests = [" ".join(text.rpartition(";")[2].split()) for text in flag.where]
            # one of a flag's two tests stands for both; `same_rows` verifies it
            if test in tests and len(tests) <= _MOST_TESTS:
                return Flagged((name,), negated)
        return None

    def _superlative(self, condition: Any, at: tuple[int, ...], entity: str, whole: set[str]) -> Extreme | None:
        """Return the superlative that a condition expresses over the requested rows, or None."""
        if not isinstance(condition, exp.EQ) or not isinstance(condition.expression, exp.Subquery):
            return None
        column = condition.this
        inner, place = (
            condition.expression.this,
            self._tables.place(column, at) if isinstance(column, exp.Column) else None,
        )
        made = inner.expressions[0].unalias() if isinstance(inner, exp.Select) and len(inner.expressions) == 1 else None
        pick = "min" if isinstance(made, exp.Min) else "max" if isinstance(made, exp.Max) else ""
        if (
            place is None
            or not pick
            or not isinstance(made, exp.Min | exp.Max)
            or not isinstance(made.this, exp.Column)
        ):
            return None
        conditions, _ = self._selections.open(inner, at)
        if {self._without_aliases(one) for one, _ in conditions} != whole - {self._without_aliases(condition)}:
            raise _Unread
        column = f"{place.table}.{place.column}"
        for name, most in self._model.superlative.items():
            if most.pick == pick and most.column.get(entity) == column:
                return Extreme(name, column, pick, most.words[0])
        raise _Unread

    def _condition(self, condition: Any, at: tuple[int, ...], entity: str) -> Condition:
        negated = isinstance(condition, exp.Not)
        inside = condition.this.unnest() if negated else condition
        column, op, held = self._compared(inside)
        place = self._tables.place(column, at) if isinstance(column, exp.Column) else None
        literals = [literal_of(one) for one in held]
        if place is None or not literals or any(one is None for one in literals):
            raise _Unread
        for name, kind in self._ways(place, entity):
            values = [*self._values(kind, op, [one for one in literals if one is not None])]
            if values:
                return Condition(name, tuple(values), negated != (op == "<>"))
        raise _Unread

    def _compared(self, tree: Any) -> tuple[Any, str, list[Any]]:
        if isinstance(tree, exp.Between):
            return tree.this, "between", [tree.args["low"], tree.args["high"]]
        if isinstance(tree, exp.In) and tree.expressions:
            return tree.this, "=", tree.expressions
        op = _OPS.get(type(tree))
        if op is None:
            raise _Unread
        return tree.this, op, [tree.expression]

    def _ways(self, place: ColumnMention, entity: str) -> Iterator[tuple[str, str]]:
        """Return the attributes and kinds that can constrain a column, those of the requested entity first."""
        found = [way for _, path in self._tables.paths(place) for way in self._paths.get(path, ())]
        return iter(sorted(found, key=lambda way: self._model.attribute[way[0]].of != entity))

    def _values(self, kind: str, op: str, literals: Sequence[str | float]) -> Iterator[Value]:
        plain = "=" if op == "<>" else op
        if kind in self._model.kind or kind == "weekday":
            if plain == "=":
                yield from (Value(kind, (one,), say=_name(one)) for one in literals)
            return
        texts = all(isinstance(one, str) for one in literals)
        if kind == "clock" and not texts:
            yield from self._times(plain, [int(one) for one in literals])
        elif kind in {"year", "date"} and texts:
            yield from _days(kind, plain, [str(one) for one in literals])
        elif kind in {"number", "money", "code"} and not texts:
            yield _numbered(kind, plain, [float(one) for one in literals])

    def _times(self, op: str, times: Sequence[int]) -> Iterator[Value]:
        if op != "between":
            yield _worded(Value("clock", (times[0], 1), "=", clock_words(times[0])), op)
            return
        for name, period in self._model.period.items():
            if (period.begin, period.end) == (times[0], times[1]):
                yield Value("clock", (times[0], times[1]), "period", name.replace("_", " "))
                return
        said = f"between {clock_words(times[0])} and {clock_words(times[1])}"
        yield Value("clock", (times[0], times[1]), "between", said)

    def _without_aliases(self, condition: Any) -> str:
        """Return a condition without its table aliases."""
        copied = condition.copy()
        for column in [*copied.find_all(exp.Column)]:
            column.set("table", None)
        return str(copied.sql())


def _days(kind: str, op: str, texts: Sequence[str]) -> Iterator[Value]:
    found = [match for text in texts if (match := _DAY.fullmatch(text))]
    if len(found) != len(texts) or (op == "=" and kind == "year"):
        return
    days = [tuple(map(int, match.groups())) for match in found]
    if kind == "date":
        data = tuple(number for day in days for number in day)
        if op == "between":
            yield Value("date", data, "=", f"from {texts[0]} to {texts[1]}")
        else:
            yield _worded(Value("date", data, "=", texts[0]), op)
        return
    year, *rest = days[0]
    turned = {(">=", 1): (">=", year), ("<", 1): ("<", year), (">", 12): (">", year), ("<=", 12): ("<=", year)}
    if rest in ([1, 1], [12, 31]) and (bound := turned.get((op, rest[0]))):
        yield _worded(Value("year", (bound[1],), "=", str(bound[1])), bound[0])


def _numbered(kind: str, op: str, numbers: Sequence[float]) -> Value:
    data = tuple(int(n) if n.is_integer() else n for n in numbers)
    if op == "between":
        return Value(kind, data, "between", f"between {data[0]} and {data[1]}")
    return _worded(Value(kind, data[:1], "=", str(data[0])), op)


def _worded(value: Value, op: str) -> Value:
    return value if op == "=" else Value(value.kind, value.data, op, compared(value, op))


def _name(value: str | float) -> str:
    text = str(value)
    return text.title() if text.isupper() and len(text) > _LONGEST_CODE else text


def _path(text: str) -> Path:
    path = read_path(text)
    return tuple(step(*pair) for one in path.steps for pair in one.pairs), path.end
