"""From meaning to one SQLAlchemy statement.

The entities and attributes asked for are joined in FROM; what is only said of them becomes nested IN conditions, so
that a value reached over three tables can be negated, or be one of several, without multiplying rows. A superlative is
a comparison with MIN or MAX over the same conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, MetaData, Select, and_, func, not_, or_, select, tuple_
from sqlalchemy.sql import FromClause

from domain.english.model.domain import Conventions, DomainError, DomainModel, Step, read_path
from domain.english.model.meaning import (
    Condition,
    Extreme,
    Flagged,
    Having,
    Meaning,
    Value,
    belonged_to,
    never_met,
    said_in,
)
from domain.english.sql.by_dialect import YearsSince
from domain.english.sql.comparisons import Frame, Frames, compare
from domain.english.sql.fragments import followed
from domain.english.sql.grouping import aggregated, tallied
from domain.english.sql.join_planner import JoinPlanner, labels, table_of
from domain.english.sql.where import Conditions, among


@dataclass(frozen=True)
class Renderer:
    """Turns meanings into statements for one database and one set of conventions, on one day."""

    model: DomainModel
    schema: MetaData
    planner: JoinPlanner
    use: Conventions
    today: date

    def render(self, meaning: Meaning) -> tuple[Select[Any], tuple[str, ...]]:
        """The statement and the names of its minimal columns; DomainError when something cannot be joined."""
        return _Statement(self).build(meaning)


class _Statement:
    def __init__(self, by: Renderer) -> None:
        self._model = by.model
        self._schema = by.schema
        self._planner = by.planner
        self._use = by.use
        self._today = by.today
        self._frames = Frames(by.schema)
        self._conditions = Conditions(by.model, by.use, self._frames)
        self._aside: dict[tuple[Step, ...], Frame] = {}

    def build(self, meaning: Meaning) -> tuple[Select[Any], tuple[str, ...]]:
        frame = Frame(self._schema, 0)
        if never := never_met(self._model, meaning):
            return self._without(meaning, never)
        if meaning.per:
            return (self._aggregated_per if meaning.aggregate else self._counted_per)(meaning, frame)
        if meaning.by:
            return self._counted_by(meaning, frame)
        if meaning.count:
            key = self._key(meaning.entities[0], frame)
            return self._counted(key, lambda s: self._filled(s, meaning, frame)), ("count",)
        if meaning.aggregate == "share":
            return self._share(meaning, frame)
        self._aside = self._set_aside(meaning)
        minimal, more = self._columns(meaning)
        if meaning.aggregate:
            return self._aggregated(meaning, frame, minimal[0])
        names = list(dict.fromkeys((*minimal, *more)))
        called = labels(names)
        held = [self._held(n, frame).label(called[n]) for n in names if "." in n]
        statement = select(*held, *self._computed(names, frame))
        return self._filled(statement, meaning, frame).distinct(), tuple(called[n] for n in dict.fromkeys(minimal))

    def _set_aside(self, meaning: Meaning) -> dict[tuple[Step, ...], Frame]:
        """Ways to what is asked for that lead to a table which stands in FROM for something else, each with tables of its
        own: the guardian of a member is another member, the town of birth is not that of death."""
        taken = set(self._tables(meaning))
        aside: dict[tuple[Step, ...], Frame] = {}
        known: set[tuple[Step, ...]] = set()
        for name in meaning.attributes:
            for steps in (read_path(text).steps for text in self._model.attribute[name].select):
                there = {table_of(step.right) for step in steps}
                if steps not in known and there & taken:
                    aside[steps] = self._frames.another()
                known.add(steps)
                taken |= there
        return aside

    def _held(self, name: str, frame: Frame) -> ColumnElement[Any]:
        """A column of the main tables, or the one at the end of a path that was set aside."""
        path = read_path(name)
        return (self._aside[path.steps] if path.steps else frame).column(path.end)

    def _key(self, entity: str, frame: Frame) -> list[ColumnElement[Any]]:
        return [frame.column(name) for name in self._model.entity[entity].key]

    def _counted(self, key: Sequence[ColumnElement[Any]], filled: Callable[[Select[Any]], Select[Any]]) -> Select[Any]:
        """Return how many different keys the rows have that `filled` puts under a selection."""
        if len(key) == 1:
            return filled(select(func.count(key[0].distinct()).label("count")))
        return select(func.count().label("count")).select_from(filled(select(*key)).distinct().subquery())

    def _without(self, meaning: Meaning, never: Sequence[Condition | Flagged]) -> tuple[Select[Any], tuple[str, ...]]:
        """Those of whom it does not hold: all, but those of whom it does."""
        entity = self._model.entity[meaning.entities[0]]
        own = tuple(c for c in meaning.conditions if self._model.attribute[c.attribute].of in meaning.entities)
        others = [c for c in meaning.conditions if c not in own and c not in never]
        met = (*others, *(msgspec.structs.replace(c, negated=False) for c in meaning.conditions if c in never))
        flags = tuple(msgspec.structs.replace(f, negated=False) for f in meaning.flags if f in never)
        frame = self._frames.another()
        whose = Meaning(meaning.entities, conditions=met, flags=flags)
        excluded = self._filled(select(*self._key(meaning.entities[0], frame)), whose, frame)
        left = tuple(f for f in meaning.flags if f not in never)
        kept = msgspec.structs.replace(meaning, conditions=own, flags=left, never=())
        statement, minimal = self.build(kept)
        key = [self._schema.tables[entity.table].c[name.rpartition(".")[2]] for name in entity.key]
        return statement.where(not_(among(key, excluded))), minimal

    def _computed(self, names: Sequence[str], frame: Frame) -> list[ColumnElement[Any]]:
        """Attributes that no column holds: how many rows refer to this one, how many years have passed."""
        found: list[ColumnElement[Any]] = []
        for name in names:
            attribute = self._model.attribute.get(name)
            if attribute and attribute.tally:
                step = read_path(f"{attribute.tally}; x").steps[0]
                inner = self._frames.another()
                rows = select(func.count()).select_from(inner.table(table_of(step.right)))
                rows = rows.where(*(inner.column(right) == frame.column(left) for left, right in step.pairs))
                found.append(rows.scalar_subquery().label(name))
            elif attribute:
                found.append(YearsSince(frame.column(attribute.years_since), self._today).label(name))
        return found

    def _share(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Those that meet the conditions, of all there are, as a ratio (1989: not times 100)."""
        name, whole = meaning.entities[0], self._frames.another()
        part = self._counted(self._key(name, frame), lambda s: self._filled(s, meaning, frame)).scalar_subquery()
        total = self._counted(self._key(name, whole), lambda s: s).scalar_subquery()
        rule = self._use.rules.get("share", ("1.0 * {part} / {whole}",))
        return select(followed(rule, {"part": part, "whole": total}).label("share")), ("share",)

    def _counted_per(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Return how many of the second entity each of the first has, the most first."""
        own = self._shown(meaning.entities[0], frame)
        other = self._key(meaning.per, frame)
        statement, columns, counted = tallied(own, other, lambda s: self._filled(s, meaning, frame))
        names = tuple(k.rpartition(".")[2] for k in self._model.entity[meaning.entities[0]].key)
        if meaning.pick:
            statement = statement.having(counted.element == self._most(meaning))
        return statement.order_by(counted.desc(), *columns[: len(names)]), (*names, "count")

    def _shown(self, name: str, frame: Frame) -> list[ColumnElement[Any]]:
        entity = self._model.entity[name]
        shown = [frame.column(c) for c in entity.display if table_of(c) == entity.table and c not in entity.key]
        return [*self._key(name, frame), *shown]

    def _aggregated_per(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Return the average, sum, most or least of an attribute of the second entity for each of the first."""
        name, paths = meaning.aggregate, [p for a in meaning.attributes for p in self._model.attribute[a].select]
        if len(paths) != 1 or ";" in paths[0]:
            raise DomainError(f"{', '.join(meaning.attributes)}: it is no column of one table")
        own = self._shown(meaning.entities[0], frame)
        value, other = frame.column(paths[0]), self._key(meaning.per, frame)
        statement = aggregated(own, other, value, name, lambda s: self._filled(s, meaning, frame))
        return statement, (*(k.rpartition(".")[2] for k in self._model.entity[meaning.entities[0]].key), name)

    def _counted_by(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Return how many there are for each value of an attribute, the most first."""
        divided = msgspec.structs.replace(meaning, attributes=(meaning.by,), count=False)
        self._aside = self._set_aside(divided)
        names = self._columns(divided)[0][: len(self._model.attribute[meaning.by].select)]
        called = labels(names)
        own: list[ColumnElement[Any]] = [self._held(name, frame).label(called[name]) for name in names]
        # Two of one name are two.
        steps = [read_path(path).steps[:1] for path in self._model.attribute[meaning.by].select]
        apart = dict.fromkeys(left for first in steps for step in first for left, _ in step.pairs)
        own += [frame.column(name) for name in apart]
        other = self._key(meaning.entities[0], frame)
        statement, columns, counted = tallied(own, other, lambda s: self._filled(s, divided, frame))
        return statement.order_by(counted.desc(), *columns), (*called.values(), "count")

    def _most(self, meaning: Meaning) -> ColumnElement[Any]:
        """The greatest or least of these numbers."""
        frame = self._frames.another()
        key, other = self._key(meaning.entities[0], frame), self._key(meaning.per, frame)
        numbers = tallied(key, other, lambda s: self._filled(s, meaning, frame))[0].subquery()
        return select(getattr(func, meaning.pick)(numbers.c.count)).scalar_subquery()

    def _aggregated(self, meaning: Meaning, frame: Frame, column: str) -> tuple[Select[Any], tuple[str, ...]]:
        key = self._key(meaning.entities[0], frame)
        label = "aggregated" if any(part.name == "value" for part in key) else "value"
        rows = self._filled(select(*key, self._held(column, frame).label(label)), meaning, frame).distinct().subquery()
        return select(getattr(func, meaning.aggregate)(rows.c[label]).label(meaning.aggregate)), (meaning.aggregate,)

    def _columns(self, meaning: Meaning) -> tuple[list[str], list[str]]:
        """Minimal columns, then those for the screen."""
        minimal: list[str] = []
        more: list[str] = []
        if meaning.named:
            minimal += [key for name in meaning.entities for key in self._identifying(name)]
        for name in meaning.attributes:
            attribute = self._model.attribute[name]
            for text in attribute.select:
                path = read_path(text)
                minimal.append(text if path.steps in self._aside else path.end)
                more += [left for step in path.steps[:1] for left, _ in step.pairs]
            minimal += [name] if attribute.tally or attribute.years_since else []
        for name in meaning.entities:
            entity = self._model.entity[name]
            (more if meaning.attributes and self._secondary(name, meaning) else minimal).extend(self._identifying(name))
            more += entity.display
        concerned = set(self._tables(meaning))
        more += [k for e in self._model.entity.values() if e.table in concerned for k in e.key]
        for extreme in meaning.extremes:
            superlative = self._model.superlative.get(extreme.superlative)
            more += superlative.show if superlative and extreme.column in superlative.column.values() else ()
        return minimal, more

    def _identifying(self, name: str) -> tuple[str, ...]:
        entity = self._model.entity[name]
        return entity.minimal or entity.key

    def _secondary(self, name: str, meaning: Meaning) -> bool:
        return any(self._model.attribute[a].of == name for a in meaning.attributes)

    def _concerned(self, meaning: Meaning) -> list[str]:
        """The tables that the conditions and the last superlative need, whatever is asked for."""
        model = self._model
        base = table_of(meaning.extremes[-1].column)
        tables = [base, *(t for e in model.entity.values() if e.table == base for t in e.needs)]
        tables += [model.entity[model.attribute[c.attribute].of].table for c in said_in(meaning)]
        tables += [model.entity[model.flag[f].of].table for flagged in meaning.flags for f in flagged.flags]
        tables += [table_of(e.column) for e in meaning.extremes]
        tables += [model.entity[name].table for name in belonged_to(meaning)]
        tables += [model.entity[name].table for name in meaning.entities if model.entity[name].where]
        return list(dict.fromkeys(tables))

    def _tables(self, meaning: Meaning) -> list[str]:
        """Every table that must stand in FROM, that of the first entity first."""
        model = self._model
        tables = [model.entity[name].table for name in (*meaning.entities, *filter(None, [meaning.per]))]
        for name in meaning.entities:
            tables += model.entity[name].needs
            tables += [table_of(c) for c in model.entity[name].display]
        tables += [model.entity[model.attribute[c.attribute].of].table for c in said_in(meaning)]
        tables += [model.entity[model.flag[f].of].table for flagged in meaning.flags for f in flagged.flags]
        tables += [table_of(e.column) for e in meaning.extremes]
        tables += [model.entity[name].table for name in belonged_to(meaning)]
        for name in meaning.attributes:
            attribute = model.attribute[name]
            tables.append(model.entity[attribute.of].table)
            tables += [table_of(p) for p in attribute.select if ";" not in p]
        return list(dict.fromkeys(tables))

    def _filled(self, statement: Select[Any], meaning: Meaning, frame: Frame) -> Select[Any]:
        """FROM and WHERE of the meaning, in the tables of `frame`."""
        tables = self._tables(meaning)
        steps = list(self._planner.connect(tables[0], tables[1:]))
        for name in meaning.attributes:
            for text in self._model.attribute[name].select:
                path = read_path(text)
                steps += [s for s in path.steps if s not in steps and path.steps not in self._aside]
        source = self._joined(frame, tables[0], steps)
        for way, other in self._aside.items():
            source = self._joined_aside(source, way, frame, other)
        statement = statement.select_from(source)
        statement = statement.where(*self._where(meaning, frame, _onward(tables[0], steps)))
        for extreme in meaning.extremes:
            statement = statement.where(frame.column(extreme.column) == self._least(meaning, extreme))
        return statement

    def _joined(self, frame: Frame, base: str, steps: Sequence[Step]) -> FromClause:
        source: FromClause = frame.table(base)
        for step in _onward(base, steps):
            on = and_(*(frame.column(left) == frame.column(right) for left, right in step.pairs))
            source = source.join(frame.table(table_of(step.right)), on)
        return source

    def _joined_aside(self, source: FromClause, way: Sequence[Step], frame: Frame, other: Frame) -> FromClause:
        here = frame
        for step in way:
            on = and_(*(here.column(left) == other.column(right) for left, right in step.pairs))
            source = source.join(other.table(table_of(step.right)), on)
            here = other
        return source

    def _least(self, meaning: Meaning, extreme: Extreme) -> Any:
        frame = self._frames.another()
        pick = func.min if extreme.pick == "min" else func.max
        earlier = meaning.extremes[: meaning.extremes.index(extreme)]
        inner = Meaning(
            meaning.entities, meaning.attributes, False, meaning.conditions, meaning.flags,
            (*earlier, Extreme(extreme.superlative, extreme.column, extreme.pick, "")), either=meaning.either,
            rows=meaning.rows, inside=meaning.inside,
        )  # fmt: skip
        statement = select(pick(frame.column(extreme.column)))
        tables = self._concerned(inner)
        steps = self._planner.connect(tables[0], tables[1:])
        statement = statement.select_from(self._joined(frame, tables[0], steps))
        statement = statement.where(*self._where(meaning, frame, _onward(tables[0], steps)))
        for other in earlier:
            statement = statement.where(frame.column(other.column) == self._least(meaning, other))
        return statement.scalar_subquery()

    def _where(self, meaning: Meaning, frame: Frame, joined: Sequence[Step]) -> list[ColumnElement[bool]]:
        """`joined` are the steps by which the tables of the frame hang together."""
        said = {name for flagged in meaning.flags for name in flagged.flags}
        apart = [c for c in meaning.conditions if not self._conditions.idle(c)]
        tests, apart = ([], apart) if joined else self._conditions.of_one_row(apart, frame, said)
        tests += [self._conditions.condition(c, frame, said, self._of_one_row(c, apart, joined)) for c in apart]
        if meaning.either:
            tests.append(or_(*(self._all_of(group, meaning, frame, joined) for group in meaning.either)))
        tests += [self._conditions.flagged(f, frame) for f in meaning.flags]
        tests += [self._having(meaning.entities[0], h, frame) for h in meaning.having]
        tests += self._belonging(meaning, frame)
        for name in meaning.entities:
            tests += [self._conditions.test(text, frame) for text in self._model.entity[name].where]
        for name in meaning.attributes:
            tests += [self._conditions.test(text, frame) for text in self._model.attribute[name].where]
        return tests

    def _all_of(
        self, group: Sequence[Condition], meaning: Meaning, frame: Frame, joined: Sequence[Step]
    ) -> ColumnElement[bool]:
        said = (*meaning.conditions, *group)
        return and_(*(self._conditions.condition(c, frame, joined=self._of_one_row(c, said, joined)) for c in group))

    def _of_one_row(self, condition: Condition, said: Sequence[Condition], joined: Sequence[Step]) -> frozenset[Step]:
        """The steps along which a condition is one on the rows that are joined: wagons placed on track 3 *at Westmoor*. What is
        denied, or said twice, is not of the same row."""
        if condition.negated or [c.attribute for c in said].count(condition.attribute) > 1:
            return frozenset()
        return frozenset(joined)

    def _belonging(self, meaning: Meaning, frame: Frame) -> list[ColumnElement[bool]]:
        """Tests that the row belongs to rows of an earlier answer, or to what another request means."""
        tests: list[ColumnElement[bool]] = []
        if rows := meaning.rows:
            own = self._key(rows.entity, frame)
            held = [key[0] for key in rows.keys]
            tests.append(own[0].in_(held) if len(own) == 1 else tuple_(*own).in_(rows.keys))
        if inner := meaning.inside:
            there, aside = self._frames.another(), self._aside
            self._aside = {}
            name = inner.entities[0]
            found = self._filled(select(*self._key(name, there)), inner, there)
            self._aside = aside
            tests.append(among(self._key(name, frame), found))
        return tests

    def _having(self, name: str, having: Having, frame: Frame) -> ColumnElement[bool]:
        """Return whether so many rows of another entity hang on this one."""
        entity, other = self._model.entity[name], self._model.entity[having.entity]
        inner = self._frames.another()
        key, own = self._key(name, inner), self._key(name, frame)
        theirs = self._key(having.entity, inner)
        source = self._joined(inner, entity.table, self._planner.connect(entity.table, [other.table]))
        rows = select(*key).select_from(source)
        if having.op == "none":
            return not_(among(own, rows.where(*(column.is_not(None) for column in theirs))))
        counted: ColumnElement[int] = func.count(theirs[0].distinct())
        if len(theirs) > 1:
            named = [column.label(f"part_{n}") for n, column in enumerate((*key, *theirs))]
            groups = select(*named).select_from(source).distinct().subquery()
            key = [groups.c[f"part_{n}"] for n in range(len(key))]
            rows, counted = select(*key), func.count()
        few = having.op in {"<", "<=", "by"}
        fits = compare(
            counted, Value("number", (having.number,), _OPPOSITE[having.op] if few else having.op), self._use
        )
        found = among(own, rows.group_by(*key).having(fits))
        return not_(found) if few else found


_OPPOSITE = {"<": ">=", "<=": ">", "by": ">"}  # whoever has none has fewer, too


def _onward(base: str, steps: Sequence[Step]) -> list[Step]:
    """Those steps by which another table comes in, each table once."""
    here = {base}
    found = []
    for step in steps:
        if table_of(step.right) not in here:
            here.add(table_of(step.right))
            found.append(step)
    return found
