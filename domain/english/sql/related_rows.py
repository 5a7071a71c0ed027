"""Tests on related rows: their number, whether all of them meet a condition, and their aggregates.

Rows are counted once per key, however often a join repeats them. A NULL does not meet a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, not_, select, union_all
from sqlalchemy.sql import FromClause

from domain.english.model.domain import Conventions, DomainError, DomainModel, JoinStep, reached_columns, read_path
from domain.english.model.meaning import Having, Meaning, Value
from domain.english.sql.comparisons import Frame, Frames, compare
from domain.english.sql.join_planner import JoinPlanner, table_of
from domain.english.sql.where import Conditions, among


@dataclass(frozen=True)
class RelatedRows:
    """Renders these tests for one statement."""

    model: DomainModel
    use: Conventions
    planner: JoinPlanner
    frames: Frames
    conditions: Conditions
    filled: Callable[[Select[Any], Meaning, Frame], Select[Any]]

    def test(self, name: str, having: Having, frame: Frame) -> ColumnElement[bool]:
        """Return whether a row of the entity `name` in `frame` has related rows as `having` requires."""
        if having.aggregate:
            return self._aggregate_meets(name, having, frame)
        if having.whole:
            return self._each_reached(name, having, having.whole, frame)
        if having.than:
            return self._more_than(name, having, frame)
        inner = self.frames.another()
        own, key, theirs = (keys(self.model, *pair) for pair in ((name, frame), (name, inner), (having.entity, inner)))
        rows = self._rows(select(*key), name, having, inner)
        if having.op == "none":
            return not_(among(own, rows.where(*(column.is_not(None) for column in theirs))))
        if having.op == "all":
            return and_(among(own, rows), not_(among(own, self._failing(name, having))))
        counted: ColumnElement[int] = func.count(theirs[0].distinct())
        if len(theirs) > 1:
            named = [column.label(f"part_{n}") for n, column in enumerate((*key, *theirs))]
            groups = self._rows(select(*named), name, having, inner).distinct().subquery()
            key = [groups.c[f"part_{n}"] for n in range(len(key))]
            rows, counted = select(*key), func.count()
        few = having.op in {"<", "<=", "by"}
        opposite = _OPPOSITE[having.op] if few else having.op
        fits = compare(counted, Value("number", (having.number,), opposite), self.use)
        found = among(own, rows.group_by(*key).having(fits))
        return not_(found) if few else found

    def _rows(self, selected: Select[Any], name: str, having: Having, inner: Frame) -> Select[Any]:
        """Return the joined rows of both entities that meet the conditions."""
        base, other = self.model.entity[name].table, self.model.entity[having.entity].table
        source = joined(inner, base, self.planner.connect(base, [other]))
        return selected.select_from(source).where(*self._met(having, inner))

    def _met(self, having: Having, inner: Frame) -> list[ColumnElement[bool]]:
        said = {name for flagged in having.flags for name in flagged.flags}
        tests = [self.conditions.condition(c, inner, said) for c in having.conditions]
        tests += [self.conditions.flagged(f, inner) for f in having.flags]
        return tests + [self.conditions.test(text, inner) for text in self.model.entity[having.entity].where]

    def _failing(self, name: str, having: Having) -> Select[Any]:
        """Return the keys with a related row that does not meet the conditions."""
        inner, met = self.frames.another(), self.frames.another()
        base, other = self.model.entity[name].table, self.model.entity[having.entity].table
        source = joined(inner, base, self.planner.connect(base, [other]))
        theirs, those = keys(self.model, having.entity, inner), keys(self.model, having.entity, met)
        meeting = select(*those).where(*self._met(having, met))
        there = select(*keys(self.model, name, inner)).select_from(source)
        return there.where(*(column.is_not(None) for column in theirs), not_(among(theirs, meeting)))

    def _more_than(self, name: str, having: Having, frame: Frame) -> ColumnElement[bool]:
        """Return whether there are more related rows of one category than of another."""
        inner = self.frames.another()
        own, key, theirs = (keys(self.model, *pair) for pair in ((name, frame), (name, inner), (having.entity, inner)))
        if len(theirs) > 1:
            raise DomainError(f"{having.entity}: rows with a key of several columns are not held against each other")
        plain = Having(having.entity, having.op, conditions=having.conditions)
        sorts = [and_(*(self.conditions.flagged(f, inner) for f in flags)) for flags in (having.flags, having.than)]
        first, second = (func.count(case((sort, theirs[0])).distinct()) for sort in sorts)
        more = first > second if having.op == ">" else first < second
        return among(own, self._rows(select(*key), name, plain, inner).group_by(*key).having(more))

    def _each_reached(self, name: str, having: Having, whole: Meaning, frame: Frame) -> ColumnElement[bool]:
        """Return whether the related rows lead to every row of `whole`: authors read in all towns of Kent."""
        base, other = self.model.entity[name].table, self.model.entity[having.entity].table
        there = self.frames.another()
        column, paths = reached_columns(self.model, having.attribute, whole.entities[0])
        wanted = self.filled(select(there.column(column).label("wanted")), whole, there).distinct().subquery()
        ways = []
        for path in paths:
            inner = self.frames.another()
            source, here = joined(inner, base, self.planner.connect(base, [other])), inner
            for step in path.steps:
                beyond = self.frames.another()
                on = and_(*(here.column(left) == beyond.column(right) for left, right in step.pairs))
                source, here = source.join(beyond.table(table_of(step.right)), on), beyond
            named = [c.label(f"part_{n}") for n, c in enumerate(keys(self.model, name, inner))]
            found = select(*named, here.column(path.end).label("held")).select_from(source)
            ways.append(found.where(*self._met(having, inner)))
        pairs = union_all(*ways).subquery()
        parts = list(pairs.c)[:-1]
        rows = select(*parts).where(pairs.c.held.in_(select(wanted.c.wanted))).group_by(*parts)
        number = select(func.count(wanted.c.wanted)).scalar_subquery()
        return among(keys(self.model, name, frame), rows.having(func.count(pairs.c.held.distinct()) == number))

    def _aggregate_meets(self, name: str, having: Having, frame: Frame) -> ColumnElement[bool]:
        """Return whether an aggregate over the related rows meets the bound."""
        inner = self.frames.another()
        own, key, theirs = (keys(self.model, *pair) for pair in ((name, frame), (name, inner), (having.entity, inner)))
        value = inner.column(own_column(self.model, having.attribute))
        named = [column.label(f"part_{n}") for n, column in enumerate((*key, *theirs, value))]
        groups = self._rows(select(*named), name, having, inner).distinct().subquery()
        parts = list(groups.c)
        whole = getattr(func, having.aggregate)(parts[-1])
        fits = compare(whole, Value("number", (having.number,), having.op), self.use)
        return among(own, select(*parts[: len(key)]).group_by(*parts[: len(key)]).having(fits))


def keys(model: DomainModel, entity: str, frame: Frame) -> list[ColumnElement[Any]]:
    """Return the key columns of an entity in a frame."""
    return [frame.column(name) for name in model.entity[entity].key]


def own_column(model: DomainModel, attribute: str) -> str:
    """Return the column of an attribute in its entity's own table; raise DomainError if it has none."""
    paths = model.attribute[attribute].select
    if len(paths) != 1 or ";" in paths[0]:
        raise DomainError(f"{attribute}: it is no column of one table")
    return read_path(paths[0]).end


def group_columns(model: DomainModel, name: str, frame: Frame) -> list[ColumnElement[Any]]:
    """Return the columns that define a group: the key of an entity, or an attribute."""
    return keys(model, name, frame) if name in model.entity else [frame.column(own_column(model, name))]


def ranked_tables(model: DomainModel, meaning: Meaning) -> list[str]:
    """Return the tables of the superlatives' columns and of their groups."""
    names = [e.each for e in meaning.extremes if e.each]
    owners = [name if name in model.entity else model.attribute[name].of for name in names]
    return [*(table_of(e.column) for e in meaning.extremes), *(model.entity[name].table for name in owners)]


def joined(frame: Frame, base: str, steps: Sequence[JoinStep]) -> FromClause:
    """Return the tables of a frame, joined from `base` along the steps."""
    source: FromClause = frame.table(base)
    for step in onward(base, steps):
        on = and_(*(frame.column(left) == frame.column(right) for left, right in step.pairs))
        source = source.join(frame.table(table_of(step.right)), on)
    return source


def onward(base: str, steps: Sequence[JoinStep]) -> list[JoinStep]:
    """Return the steps that add a table, each table once."""
    here = {base}
    found = []
    for step in steps:
        if table_of(step.right) not in here:
            here.add(table_of(step.right))
            found.append(step)
    return found


_OPPOSITE = {"<": ">=", "<=": ">", "by": ">"}  # negated, so that rows without related rows count as fewer
