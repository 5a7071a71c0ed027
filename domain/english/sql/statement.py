"""From meaning to one SQLAlchemy statement.

The entities and attributes asked for are joined in FROM; conditions on other tables become nested INs, so that they can
be negated or combined without multiplying rows. A superlative is a comparison with MIN or MAX over the same conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, MetaData, Select, and_, func, not_, or_, select, tuple_
from sqlalchemy.sql import FromClause

from domain.english.model.date_forms import as_iso, as_sorted, span_of
from domain.english.model.domain import Conventions, DomainError, DomainModel, JoinStep, read_path
from domain.english.model.meaning import (
    Compared,
    Condition,
    Extreme,
    Flagged,
    Meaning,
    belonged_to,
    never_met,
    said_in,
)
from domain.english.model.path_names import spelt
from domain.english.sql.by_dialect import YearsSince
from domain.english.sql.comparisons import Frame, Frames, beyond, compared_with_referent, counted
from domain.english.sql.fragments import compile_fragments
from domain.english.sql.grouping import aggregated, tallied
from domain.english.sql.join_planner import JoinPlanner, labels, table_of
from domain.english.sql.related_rows import RelatedRows, group_columns, joined, keys, onward, own_column, ranked_tables
from domain.english.sql.where import Conditions, among


@dataclass(frozen=True)
class Renderer:
    """Renders meanings as statements for one database, one set of conventions and one day."""

    model: DomainModel
    schema: MetaData
    planner: JoinPlanner
    use: Conventions
    today: date

    def render(self, meaning: Meaning) -> tuple[Select[Any], tuple[str, ...]]:
        """Return the statement and the names of its minimal columns; raise DomainError if tables cannot be joined."""
        return _Statement(self).build(meaning)


class _Statement:
    def __init__(self, by: Renderer) -> None:
        self._model = by.model
        self._schema = by.schema
        self._planner = by.planner
        self._use = by.use
        self._today = by.today
        self._frames = Frames(by.schema)
        self._conditions = Conditions(by.model, by.use, self._frames, by.today)
        self._related = RelatedRows(by.model, by.use, by.planner, self._frames, self._conditions, self._filled)
        self._aside: dict[tuple[JoinStep, ...], Frame] = {}

    def build(self, meaning: Meaning) -> tuple[Select[Any], tuple[str, ...]]:
        frame = Frame(self._schema, 0)
        if never := never_met(self._model, meaning):
            return self._without(meaning, never)
        if meaning.per or meaning.by:
            return (self._for_each if meaning.per else self._by_value)(meaning, frame)
        if meaning.count:
            key = keys(self._model, meaning.entities[0], frame)
            return self._counted(key, lambda s: self._filled(s, meaning, frame)), ("count",)
        if meaning.aggregate == "share":
            return self._share(meaning, frame)
        self._aside = self._set_aside(meaning)
        minimal, more = self._columns(meaning)
        if meaning.aggregate or meaning.distinct:
            return self._aggregated(meaning, frame, minimal[0])
        names = list(dict.fromkeys((*minimal, *more)))
        called = labels(names)
        held = [self._held(n, frame).label(called[n]) for n in names if "." in n]
        statement = select(*held, *self._computed(names, frame))
        return self._filled(statement, meaning, frame).distinct(), tuple(called[n] for n in dict.fromkeys(minimal))

    def _set_aside(self, meaning: Meaning) -> dict[tuple[JoinStep, ...], Frame]:
        """Return separate frames for paths to a table already in FROM: a member's guardian is another member."""
        taken = set(self._tables(meaning))
        aside: dict[tuple[JoinStep, ...], Frame] = {}
        known: set[tuple[JoinStep, ...]] = set()
        for name in meaning.attributes:
            for steps in (read_path(text).steps for text in self._model.attribute[name].select):
                there = {table_of(step.right) for step in steps}
                if steps not in known and there & taken:
                    aside[steps] = self._frames.another()
                known.add(steps)
                taken |= there
        return aside

    def _held(self, name: str, frame: Frame) -> ColumnElement[Any]:
        """Return a column of the main tables, or the one at the end of a path with a frame of its own."""
        path = read_path(name)
        return (self._aside[path.steps] if path.steps else frame).column(path.end)

    def _counted(self, key: Sequence[ColumnElement[Any]], filled: Callable[[Select[Any]], Select[Any]]) -> Select[Any]:
        """Return a statement that counts the distinct keys in the rows of `filled`."""
        if len(key) == 1:
            return filled(select(func.count(key[0].distinct()).label("count")))
        return select(func.count().label("count")).select_from(filled(select(*key)).distinct().subquery())

    def _without(self, meaning: Meaning, never: Sequence[Condition | Flagged]) -> tuple[Select[Any], tuple[str, ...]]:
        """Return the statement for conditions that no related row may meet: all rows but those with such a related row."""
        own = tuple(c for c in meaning.conditions if self._model.attribute[c.attribute].of in meaning.entities)
        others = [c for c in meaning.conditions if c not in own and c not in never]
        met = (*others, *(msgspec.structs.replace(c, negated=False) for c in meaning.conditions if c in never))
        flags = tuple(msgspec.structs.replace(f, negated=False) for f in meaning.flags if f in never)
        frame = self._frames.another()
        whose = Meaning(meaning.entities, conditions=met, flags=flags)
        excluded = self._filled(select(*keys(self._model, meaning.entities[0], frame)), whose, frame)
        left = tuple(f for f in meaning.flags if f not in never)
        kept = msgspec.structs.replace(meaning, conditions=own, flags=left, never=())
        statement, minimal = self.build(kept)
        key = keys(self._model, meaning.entities[0], Frame(self._schema, 0))
        return statement.where(not_(among(key, excluded))), minimal

    def _computed(self, names: Sequence[str], frame: Frame) -> list[ColumnElement[Any]]:
        """Return attributes that no column stores: the number of referring rows, the years since a date."""
        found: list[ColumnElement[Any]] = []
        for name in names:
            attribute = self._model.attribute.get(name)
            if attribute and (tally := attribute.tally):
                found.append(counted(self._frames, frame, tally).label(name))
            elif attribute and (since := attribute.years_since):
                found.append(YearsSince(as_iso(frame.column(since)), self._today).label(name))
        return found

    def _share(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Return the ratio of rows that meet the conditions to all rows (1989: not multiplied by 100)."""
        name, whole = meaning.entities[0], self._frames.another()
        part = self._counted(
            keys(self._model, name, frame), lambda s: self._filled(s, meaning, frame)
        ).scalar_subquery()
        among, key = meaning.whole, keys(self._model, name, whole)
        total = self._counted(key, lambda s: self._filled(s, among, whole) if among else s).scalar_subquery()
        rule = self._use.rules.get("share", ("1.0 * {part} / {whole}",))
        return select(compile_fragments(rule, {"part": part, "whole": total}).label("share")), ("share",)

    def _for_each(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Return the count or aggregate of the second entity for each row of the first, highest first."""
        own = self._shown(meaning.entities[0], frame)
        names = tuple(spelt(k.rpartition(".")[2]) for k in self._model.entity[meaning.entities[0]].key)
        return self._divided(meaning, own, names, meaning.per, frame)

    def _by_value(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Return the count or aggregate for each value of the attribute to group by."""
        told = msgspec.structs.replace(meaning, attributes=(meaning.by,), count=False)
        self._aside = self._set_aside(told)
        names = self._columns(told)[0][: len(self._model.attribute[meaning.by].select)]
        span, called = meaning.span, dict.fromkeys(names, meaning.span) if meaning.span else labels(names)
        own: list[ColumnElement[Any]] = [span_of(self._held(n, frame), span).label(called[n]) for n in names]
        # Rows with the same name form separate groups.
        steps = [read_path(path).steps[:1] for path in self._model.attribute[meaning.by].select]
        apart = dict.fromkeys(left for first in steps for step in first for left, _ in step.pairs)
        own += [frame.column(name) for name in apart]
        both = msgspec.structs.replace(told, attributes=(meaning.by, *meaning.attributes))
        return self._divided(both, own, tuple(called.values()), meaning.entities[0], frame)

    def _divided(
        self, meaning: Meaning, own: Sequence[ColumnElement[Any]], names: tuple[str, ...], of: str, frame: Frame
    ) -> tuple[Select[Any], tuple[str, ...]]:
        """Return the count or aggregate of the entity `of` for each `own`, or for picked groups only."""
        other, name = keys(self._model, of, frame), meaning.aggregate or "count"

        def filled(selected: Select[Any]) -> Select[Any]:
            return self._filled(selected, meaning, frame)

        if meaning.aggregate and not meaning.attributes:
            raise DomainError("no amount is named for the groups")
        value = frame.column(own_column(self._model, meaning.attributes[-1])) if meaning.aggregate else None
        statement, columns, number = (
            tallied(own, other, filled) if value is None else aggregated(own, other, value, name, filled)
        )
        if meaning.pick:
            whole = msgspec.structs.replace(meaning, pick="")
            numbers = (self._by_value if meaning.by else self._for_each)(whole, self._frames.another())[0].subquery()
            most = select(getattr(func, meaning.pick)(numbers.c[name])).scalar_subquery()
            statement = statement.having(number.element == most)
        order = [number.desc(), *columns[: len(names)]] if name == "count" or meaning.pick else columns[:1]
        return statement.order_by(*order), (*names, name)

    def _shown(self, name: str, frame: Frame) -> list[ColumnElement[Any]]:
        entity = self._model.entity[name]
        shown = [frame.column(c) for c in entity.display if table_of(c) == entity.table and c not in entity.key]
        return [*keys(self._model, name, frame), *shown]

    def _aggregated(self, meaning: Meaning, frame: Frame, column: str) -> tuple[Select[Any], tuple[str, ...]]:
        key = keys(self._model, meaning.entities[0], frame)
        label = "aggregated" if any(part.name == "value" for part in key) else "value"
        value = as_sorted(self._held(column, frame)) if "." in column else self._computed([column], frame)[0]
        rows = self._filled(select(*key, value.label(label)), meaning, frame).distinct().subquery()
        if meaning.distinct:
            return select(func.count(rows.c[label].distinct()).label("count")), ("count",)
        return select(getattr(func, meaning.aggregate)(rows.c[label]).label(meaning.aggregate)), (meaning.aggregate,)

    def _columns(self, meaning: Meaning) -> tuple[list[str], list[str]]:
        """Return the minimal columns, then the additional ones for display."""
        minimal, more = list[str](), list[str]()
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
            shown = superlative.show if superlative and extreme.column in superlative.column.values() else ()
            more += tuple(column for column in shown if table_of(column) == table_of(extreme.column))
        return minimal, more

    def _identifying(self, name: str) -> tuple[str, ...]:
        return (entity := self._model.entity[name]).minimal or entity.key

    def _secondary(self, name: str, meaning: Meaning) -> bool:
        return any(self._model.attribute[a].of == name for a in meaning.attributes)

    def _concerned(self, meaning: Meaning) -> list[str]:
        """Return the tables that the conditions and the last superlative need, whatever is asked for."""
        model = self._model
        base = table_of(meaning.extremes[-1].column)
        tables = [base, *(t for e in model.entity.values() if e.table == base for t in e.needs)]
        tables += [model.entity[model.attribute[c.attribute].of].table for c in said_in(meaning)]
        tables += [model.entity[model.flag[f].of].table for flagged in meaning.flags for f in flagged.flags]
        tables += ranked_tables(model, meaning)
        tables += [model.entity[name].table for name in belonged_to(meaning)]
        tables += [model.entity[name].table for name in meaning.entities if model.entity[name].where or meaning.having]
        tables += [table_of(c.column) for c in meaning.compared]
        return list(dict.fromkeys(tables))

    def _tables(self, meaning: Meaning) -> list[str]:
        """Return every table that must be in FROM, that of the first entity first."""
        model = self._model
        tables = [model.entity[name].table for name in (*meaning.entities, *filter(None, [meaning.per]))]
        for name in meaning.entities:
            tables += model.entity[name].needs
            tables += [table_of(c) for c in model.entity[name].display]
        tables += [model.entity[model.attribute[c.attribute].of].table for c in said_in(meaning)]
        tables += [model.entity[model.flag[f].of].table for flagged in meaning.flags for f in flagged.flags]
        tables += ranked_tables(model, meaning)
        tables += [table_of(c.column) for c in meaning.compared]
        tables += [model.entity[name].table for name in belonged_to(meaning)]
        for name in meaning.attributes:
            attribute = model.attribute[name]
            tables.append(model.entity[attribute.of].table)
            tables += [table_of(p) for p in attribute.select if ";" not in p]
        return list(dict.fromkeys(tables))

    def _filled(self, statement: Select[Any], meaning: Meaning, frame: Frame) -> Select[Any]:
        """Return the statement with the meaning's FROM and WHERE, in the tables of `frame`."""
        tables = self._tables(meaning)
        steps = list(self._planner.connect(tables[0], tables[1:]))
        for name in meaning.attributes:
            for text in self._model.attribute[name].select:
                path = read_path(text)
                steps += [s for s in path.steps if s not in steps and path.steps not in self._aside]
        source = joined(frame, tables[0], steps)
        for way, other in self._aside.items():
            source = self._joined_aside(source, way, frame, other)
        statement = statement.select_from(source).where(*self._where(meaning, frame, onward(tables[0], steps)))
        return statement.where(*(self._ranks_first(meaning, extreme, frame) for extreme in meaning.extremes))

    def _joined_aside(self, source: FromClause, way: Sequence[JoinStep], frame: Frame, other: Frame) -> FromClause:
        here = frame
        for step in way:
            on = and_(*(here.column(left) == other.column(right) for left, right in step.pairs))
            source = source.join(other.table(table_of(step.right)), on)
            here = other
        return source

    def _ranks_first(self, meaning: Meaning, extreme: Extreme, frame: Frame) -> ColumnElement[bool]:
        """Return whether the row ranks first, or among the first, of the rows that meet the other conditions."""
        there = self._frames.another()
        column, value = self._ranked(extreme, frame), self._ranked(extreme, there)
        picked = func.min(value) if extreme.pick == "min" else func.max(value)
        if extreme.each:
            here, group = (group_columns(self._model, extreme.each, place) for place in (frame, there))
            rows = self._ranked_rows(select(*group, picked), meaning, extreme, there).group_by(*group)
            return among([*here, column], rows)
        if extreme.number == extreme.place == 1:
            return column == self._ranked_rows(select(picked), meaning, extreme, there).scalar_subquery()
        own = next((e for e in self._model.entity.values() if e.table == table_of(extreme.column)), None)
        parts = [there.column(name).label(f"part_{n}") for n, name in enumerate(own.key if own else ())]
        parts = parts if extreme.place == 1 else []  # "the second oldest" has the second lowest distinct date
        rows = self._ranked_rows(select(*parts, value.label("ranked")), meaning, extreme, there).where(
            value.is_not(None)
        )
        ranked = rows.distinct().subquery().c.ranked
        first = select(ranked).order_by(ranked if extreme.pick == "min" else ranked.desc())
        if extreme.place > 1:
            return column == first.limit(1).offset(extreme.place - 1).scalar_subquery()
        return column.in_(select(first.limit(extreme.number).subquery().c.ranked))

    def _ranked(self, extreme: Extreme, frame: Frame) -> ColumnElement[Any]:
        """Return what a superlative ranks by: a column, or the number of rows that refer to the row."""
        attribute = self._model.attribute.get(extreme.column.rpartition(".")[2])
        tally = attribute.tally if attribute else ""
        return counted(self._frames, frame, tally) if tally else as_sorted(frame.column(extreme.column))

    def _ranked_rows(self, selected: Select[Any], meaning: Meaning, extreme: Extreme, frame: Frame) -> Select[Any]:
        """Return the selection with FROM and WHERE of the rows that a superlative ranks."""
        earlier = meaning.extremes[: meaning.extremes.index(extreme)]
        tables = self._concerned(msgspec.structs.replace(meaning, extremes=(*earlier, extreme)))
        steps = self._planner.connect(tables[0], tables[1:])
        rows = [way for step in onward(tables[0], steps) for way in (step, step.back)]
        statement = selected.select_from(joined(frame, tables[0], steps)).where(*self._where(meaning, frame, rows))
        return statement.where(*(self._ranks_first(meaning, other, frame) for other in earlier))

    def _beyond(self, compared: Compared, frame: Frame) -> ColumnElement[bool]:
        """Return the comparison of a column with an aggregate over other rows, or with any of their values for "="."""
        there, aside = self._frames.another(), self._aside
        if compared.through:
            return compared_with_referent(self._model, compared, frame, there)
        self._aside = {}
        named = [*keys(self._model, compared.whole.entities[0], there), there.column(compared.column)]
        parts = [column.label(f"part_{n}") for n, column in enumerate(named)]
        rows = self._filled(select(*parts), compared.whole, there).distinct().subquery()
        self._aside = aside
        column, value = frame.column(compared.column), list(rows.c)[-1]
        if compared.op == "=":
            return column.in_(select(value))
        return beyond(column, select(getattr(func, compared.aggregate)(value)).scalar_subquery(), compared.op)

    def _where(self, meaning: Meaning, frame: Frame, joined: Sequence[JoinStep]) -> list[ColumnElement[bool]]:
        """Return the tests of a meaning; `joined` are the steps that connect the tables of the frame."""
        said = {name for flagged in meaning.flags for name in flagged.flags}
        apart = [c for c in meaning.conditions if not self._conditions.idle(c)]
        tests, apart = ([], apart) if joined else self._conditions.combined_tests(apart, frame, said)
        tests += [self._conditions.condition(c, frame, said, self._in_row(c, apart, joined)) for c in apart]
        if meaning.either:
            tests.append(or_(*(self._all_of(group, meaning, frame, joined) for group in meaning.either)))
        tests += [self._conditions.flagged(f, frame) for f in meaning.flags]
        tests += [self._related.test(meaning.entities[0], h, frame) for h in meaning.having]
        tests += [self._beyond(c, frame) for c in meaning.compared]
        tests += self._belonging(meaning, frame)
        held = [text for name in meaning.entities for text in self._model.entity[name].where]
        held += [text for name in meaning.attributes for text in self._model.attribute[name].where]
        return [*tests, *(self._conditions.test(text, frame) for text in held)]

    def _all_of(
        self, group: Sequence[Condition], meaning: Meaning, frame: Frame, joined: Sequence[JoinStep]
    ) -> ColumnElement[bool]:
        said = (*meaning.conditions, *group)
        return and_(*(self._conditions.condition(c, frame, joined=self._in_row(c, said, joined)) for c in group))

    def _in_row(self, held: Condition, said: Sequence[Condition], joined: Sequence[JoinStep]) -> frozenset[JoinStep]:
        """Return the steps along which a condition applies to joined rows: wagons placed on track 3 *at Westmoor*.
        Negated and repeated conditions apply to other rows."""
        if held.negated or [c.attribute for c in said].count(held.attribute) > 1:
            return frozenset()
        return frozenset(joined)

    def _belonging(self, meaning: Meaning, frame: Frame) -> list[ColumnElement[bool]]:
        """Return the tests that relate a row to an earlier answer or to another meaning."""
        tests: list[ColumnElement[bool]] = []
        if rows := meaning.rows:
            own = keys(self._model, rows.entity, frame)
            held = [key[0] for key in rows.keys]
            tests.append(own[0].in_(held) if len(own) == 1 else tuple_(*own).in_(rows.keys))
        if meaning.inside:
            tests.append(self._one_of(meaning.inside, frame))
        if meaning.outside:
            tests.append(not_(self._one_of(meaning.outside, frame)))
        if meaning.among:
            tests.append(or_(*(self._one_of(inner, frame) for inner in meaning.among)))
        return tests

    def _one_of(self, inner: Meaning, frame: Frame) -> ColumnElement[bool]:
        """Return whether the row is related to the answer of another meaning."""
        if never_met(self._model, inner):
            raise DomainError(f"{inner.entities[0]}: what nothing of it meets is no part of another request")
        there, aside = self._frames.another(), self._aside
        self._aside = {}
        name = inner.entities[0]
        if inner.per:
            picked = self._for_each(inner, there)[0].order_by(None).subquery()
            found = select(*list(picked.c)[: len(self._model.entity[name].key)])
        else:
            found = self._filled(select(*keys(self._model, name, there)), inner, there)
        self._aside = aside
        return among(keys(self._model, name, frame), found)
