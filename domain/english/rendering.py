"""From meaning to one SQLAlchemy statement.

The entities and attributes asked for are joined in FROM; what is only said of them becomes nested IN conditions, so
that a value reached over three tables can be negated, or be one of several, without multiplying rows. A superlative is
a comparison with MIN or MAX over the same conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, MetaData, Select, and_, func, not_, or_, select
from sqlalchemy.sql import FromClause

from domain.english.comparing import Frame, apply_test, compare, day_before
from domain.english.elapsed import YearsSince
from domain.english.joins import JoinPlanner, table_of
from domain.english.meaning import Condition, Extreme, Flagged, Having, Meaning, Value
from domain.english.model import (
    Attribute,
    Conventions,
    DomainModel,
    JoinPath,
    Step,
    read_path,
    read_test,
)


class Renderer:
    """Turns meanings into statements for one database and one set of conventions. Unchanged once built."""

    def __init__(
        self, model: DomainModel, schema: MetaData, planner: JoinPlanner, use: Conventions, today: date
    ) -> None:
        self._model = model
        self._schema = schema
        self._planner = planner
        self._use = use
        self._today = today

    def render(self, meaning: Meaning) -> tuple[Select[Any], tuple[str, ...]]:
        """The statement and the names of its minimal columns; DomainError when something cannot be joined."""
        return _Statement(self._model, self._schema, self._planner, self._use, self._today).build(meaning)


class _Statement:
    def __init__(
        self, model: DomainModel, schema: MetaData, planner: JoinPlanner, use: Conventions, today: date
    ) -> None:
        self._model = model
        self._schema = schema
        self._planner = planner
        self._use = use
        self._today = today
        self._aliases = 0

    def _frame(self) -> Frame:
        self._aliases += 1
        return Frame(self._schema, self._aliases)

    def build(self, meaning: Meaning) -> tuple[Select[Any], tuple[str, ...]]:
        frame = Frame(self._schema, 0)
        if far := self._never(meaning):
            return self._without(meaning, far)
        if meaning.per:
            return self._counted_per(meaning, frame)
        if meaning.count:
            key = frame.column(self._model.entity[meaning.entities[0]].key[0])
            statement = select(func.count(key.distinct()).label("count"))
            return self._filled(statement, meaning, frame), ("count",)
        if meaning.aggregate == "share":
            return self._share(meaning, frame)
        minimal, more = self._columns(meaning)
        if meaning.aggregate:
            return self._aggregated(meaning, frame, minimal[0])
        names = list(dict.fromkeys((*minimal, *more)))
        labels = _labels(names)
        held = [frame.column(n).label(labels[n]) for n in names if "." in n]
        statement = select(*held, *self._computed(names, frame))
        return self._filled(statement, meaning, frame).distinct(), tuple(labels[n] for n in dict.fromkeys(minimal))

    def _never(self, meaning: Meaning) -> tuple[Condition, ...]:
        """Negated conditions that nothing belonging to the one entity asked for may meet."""
        plain = len(meaning.entities) == 1 and len(self._model.entity[meaning.entities[0]].key) == 1
        if not plain or meaning.per or meaning.aggregate or meaning.either:
            return ()
        return tuple(
            c for c in meaning.conditions
            if c.negated and c.attribute in meaning.never and self._model.attribute[c.attribute].of not in meaning.entities
        )  # fmt: skip

    def _without(self, meaning: Meaning, far: Sequence[Condition]) -> tuple[Select[Any], tuple[str, ...]]:
        """Those of whom it does not hold: all, but those of whom it does."""
        entity = self._model.entity[meaning.entities[0]]
        own = [c for c in meaning.conditions if self._model.attribute[c.attribute].of in meaning.entities]
        others = [c for c in meaning.conditions if c not in own and c not in far]
        met = (*others, *(msgspec.structs.replace(c, negated=False) for c in far))
        whose = Meaning(meaning.entities, conditions=met)
        excluded = self.build(whose)[0].subquery()
        kept = msgspec.structs.replace(meaning, conditions=tuple(own), never=())
        statement, minimal = self.build(kept)
        key = self._schema.tables[entity.table].c[entity.key[0].rpartition(".")[2]]
        return statement.where(key.not_in(select(excluded.c[key.name]))), minimal

    def _computed(self, names: Sequence[str], frame: Frame) -> list[ColumnElement[Any]]:
        """Attributes that no column holds: how many rows refer to this one, how many years have passed."""
        found: list[ColumnElement[Any]] = []
        for name in names:
            attribute = self._model.attribute.get(name)
            if attribute and attribute.tally:
                step = read_path(f"{attribute.tally}; x").steps[0]
                inner = self._frame()
                rows = select(func.count()).select_from(inner.table(table_of(step.right)))
                rows = rows.where(inner.column(step.right) == frame.column(step.left))
                found.append(rows.scalar_subquery().label(name))
            elif attribute:
                found.append(YearsSince(frame.column(attribute.years_since), self._today).label(name))
        return found

    def _share(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """Those that meet the conditions, of all there are, as a ratio (1989: not times 100)."""
        key = self._model.entity[meaning.entities[0]].key[0]
        part = self._filled(select(func.count(frame.column(key).distinct())), meaning, frame).scalar_subquery()
        whole = self._frame()
        total = select(func.count(whole.column(key).distinct())).scalar_subquery()
        return select((1.0 * part / total).label("share")), ("share",)

    def _counted_per(self, meaning: Meaning, frame: Frame) -> tuple[Select[Any], tuple[str, ...]]:
        """How many of the second entity each of the first has, the most first."""
        entity = self._model.entity[meaning.entities[0]]
        key = [frame.column(k) for k in entity.key]
        shown = [frame.column(c) for c in entity.display if table_of(c) == entity.table]
        counted = func.count(frame.column(self._model.entity[meaning.per].key[0]).distinct()).label("count")
        statement = self._filled(select(*key, *shown, counted), meaning, frame)
        names = tuple(k.rpartition(".")[2] for k in entity.key)
        if meaning.pick:
            statement = statement.having(counted.element == self._most(meaning))
        return statement.group_by(*key, *shown).order_by(counted.desc(), *key), (*names, "count")

    def _most(self, meaning: Meaning) -> ColumnElement[Any]:
        """The greatest or least of these numbers."""
        frame = self._frame()
        key = [frame.column(k) for k in self._model.entity[meaning.entities[0]].key]
        number = func.count(frame.column(self._model.entity[meaning.per].key[0]).distinct()).label("count")
        numbers = self._filled(select(number), meaning, frame).group_by(*key).subquery()
        return select(getattr(func, meaning.pick)(numbers.c.count)).scalar_subquery()

    def _aggregated(self, meaning: Meaning, frame: Frame, column: str) -> tuple[Select[Any], tuple[str, ...]]:
        key = [frame.column(k) for k in self._model.entity[meaning.entities[0]].key]
        rows = self._filled(select(*key, frame.column(column).label("value")), meaning, frame).distinct().subquery()
        name = meaning.aggregate
        return select(getattr(func, name)(rows.c.value).label(name)), (name,)

    def _columns(self, meaning: Meaning) -> tuple[list[str], list[str]]:
        """Minimal columns, then those for the screen."""
        minimal: list[str] = []
        more: list[str] = []
        for name in meaning.attributes:
            attribute = self._model.attribute[name]
            minimal += [read_path(path).end for path in attribute.select]
            minimal += [name] if attribute.tally or attribute.years_since else []
        for name in meaning.entities:
            entity = self._model.entity[name]
            (more if meaning.attributes and self._secondary(name, meaning) else minimal).extend(
                entity.minimal or entity.key
            )
            more += entity.display
        concerned = set(self._tables(meaning))
        more += [k for e in self._model.entity.values() if e.table in concerned for k in e.key]
        for extreme in meaning.extremes:
            superlative = self._model.superlative.get(extreme.superlative)
            more += superlative.show if superlative and extreme.column in superlative.column.values() else ()
        return minimal, more

    def _secondary(self, name: str, meaning: Meaning) -> bool:
        return any(self._model.attribute[a].of == name for a in meaning.attributes)

    def _concerned(self, meaning: Meaning) -> list[str]:
        """The tables that the conditions and the last superlative need, whatever is asked for."""
        model = self._model
        base = table_of(meaning.extremes[-1].column)
        tables = [base, *(t for e in model.entity.values() if e.table == base for t in e.needs)]
        tables += [model.entity[model.attribute[c.attribute].of].table for c in _said(meaning)]
        tables += [model.entity[model.flag[f].of].table for flagged in meaning.flags for f in flagged.flags]
        tables += [table_of(e.column) for e in meaning.extremes]
        tables += [model.entity[name].table for name in meaning.entities if model.entity[name].where]
        return list(dict.fromkeys(tables))

    def _tables(self, meaning: Meaning) -> list[str]:
        """Every table that must stand in FROM, that of the first entity first."""
        model = self._model
        tables = [model.entity[name].table for name in (*meaning.entities, *filter(None, [meaning.per]))]
        for name in meaning.entities:
            tables += model.entity[name].needs
            tables += [table_of(c) for c in model.entity[name].display]
        tables += [model.entity[model.attribute[c.attribute].of].table for c in _said(meaning)]
        tables += [model.entity[model.flag[f].of].table for flagged in meaning.flags for f in flagged.flags]
        tables += [table_of(e.column) for e in meaning.extremes]
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
                steps += [s for s in read_path(text).steps if s not in steps]
        statement = statement.select_from(self._joined(frame, tables[0], steps))
        statement = statement.where(*self._where(meaning, frame))
        for extreme in meaning.extremes:
            statement = statement.where(frame.column(extreme.column) == self._least(meaning, extreme))
        return statement

    def _joined(self, frame: Frame, base: str, steps: Sequence[Step]) -> FromClause:
        source: FromClause = frame.table(base)
        here = {base}
        for step in steps:
            new = table_of(step.right)
            if new in here:
                continue
            source = source.join(frame.table(new), frame.column(step.left) == frame.column(step.right))
            here.add(new)
        return source

    def _least(self, meaning: Meaning, extreme: Extreme) -> Any:
        frame = self._frame()
        pick = func.min if extreme.pick == "min" else func.max
        earlier = meaning.extremes[: meaning.extremes.index(extreme)]
        inner = Meaning(
            meaning.entities, meaning.attributes, False, meaning.conditions, meaning.flags,
            (*earlier, Extreme(extreme.superlative, extreme.column, extreme.pick, "")), either=meaning.either,
        )  # fmt: skip
        statement = select(pick(frame.column(extreme.column)))
        tables = self._concerned(inner)
        steps = self._planner.connect(tables[0], tables[1:])
        statement = statement.select_from(self._joined(frame, tables[0], steps))
        statement = statement.where(*self._where(meaning, frame))
        for other in earlier:
            statement = statement.where(frame.column(other.column) == self._least(meaning, other))
        return statement.scalar_subquery()

    # conditions

    def _where(self, meaning: Meaning, frame: Frame) -> list[ColumnElement[bool]]:
        said = {name for flagged in meaning.flags for name in flagged.flags}
        tests = [self._condition(c, frame, said) for c in meaning.conditions if not self._idle(c)]
        if meaning.either:
            tests.append(or_(*(and_(*(self._condition(c, frame) for c in group)) for group in meaning.either)))
        tests += [self._flagged(f, frame) for f in meaning.flags]
        tests += [self._having(meaning.entities[0], h, frame) for h in meaning.having]
        for name in meaning.entities:
            tests += [self._test(text, frame) for text in self._model.entity[name].where]
        for name in meaning.attributes:
            tests += [self._test(text, frame) for text in self._model.attribute[name].where]
        return tests

    def _having(self, name: str, having: Having, frame: Frame) -> ColumnElement[bool]:
        """Whether so many rows of another entity hang on this one."""
        entity, other = self._model.entity[name], self._model.entity[having.entity]
        inner = self._frame()
        key = inner.column(entity.key[0])
        source = self._joined(inner, entity.table, self._planner.connect(entity.table, [other.table]))
        rows = select(key).select_from(source)
        if having.op == "none":
            return frame.column(entity.key[0]).not_in(rows.where(inner.column(other.key[0]).is_not(None)))
        counted = func.count(inner.column(other.key[0]).distinct())
        few = having.op in {"<", "<=", "by"}
        fits = compare(
            counted, Value("number", (having.number,), _OPPOSITE[having.op] if few else having.op), self._use
        )
        found = frame.column(entity.key[0]).in_(rows.group_by(key).having(fits))
        return not_(found) if few else found

    def _idle(self, condition: Condition) -> bool:
        """Whether the domain understands what was said but has nothing to compare it with: path "-"."""
        accepts = self._model.attribute[condition.attribute].accepts
        return all(accepts[v.kind] == "-" for v in condition.values)

    def _condition(
        self, condition: Condition, frame: Frame, said: AbstractSet[str] = frozenset()
    ) -> ColumnElement[bool]:
        attribute = self._model.attribute[condition.attribute]
        instead = next((path for flag, path in attribute.with_flag.items() if flag in said), None)
        by_kind: dict[str, list[Value]] = {}
        for value in condition.values:
            by_kind.setdefault(value.kind, []).append(value)
        tests = [
            self._reach(read_path(path), values, frame)
            for kind, values in by_kind.items()
            for path in (instead or attribute.accepts[kind]).split("|")
        ]
        test = or_(*tests) if len(tests) > 1 else tests[0]
        if attribute.overnight and condition.values[0].kind in self._use.overnight:
            test = self._overnight(attribute, condition, test, frame)
        return not_(test) if condition.negated else test

    def _overnight(
        self, attribute: Attribute, condition: Condition, test: ColumnElement[bool], frame: Frame
    ) -> ColumnElement[bool]:
        """A day on which something ends: what goes past midnight began the day before."""
        late = or_(*(and_(*(self._test(t, frame) for t in way.split("&"))) for way in attribute.overnight.split("|")))
        kind = condition.values[0].kind
        before = [day_before(v) for v in condition.values]
        return or_(and_(late, self._reach(read_path(attribute.accepts[kind]), before, frame)), and_(not_(late), test))

    def _reach(self, path: JoinPath, values: Sequence[Value], frame: Frame) -> ColumnElement[bool]:
        if not path.steps:
            return self._compare(path.end, values, frame)
        step, rest = path.steps[0], JoinPath(path.steps[1:], path.end)
        inner = self._frame()
        nested = select(inner.column(step.right)).where(self._reach(rest, values, inner))
        return frame.column(step.left).in_(nested)

    def _flagged(self, flagged: Flagged, frame: Frame) -> ColumnElement[bool]:
        tests = [and_(*(self._test(text, frame) for text in self._model.flag[name].where)) for name in flagged.flags]
        test = or_(*tests) if len(tests) > 1 else tests[0]
        return not_(test) if flagged.negated else test

    def _test(self, text: str, frame: Frame) -> ColumnElement[bool]:
        path = read_path(text) if ";" in text else JoinPath((), text)
        if path.steps:
            step, rest = path.steps[0], "; ".join(text.split(";")[1:])
            inner = self._frame()
            nested = select(inner.column(step.right)).where(self._test(rest, inner))
            return frame.column(step.left).in_(nested)
        return apply_test(read_test(path.end), frame)

    def _compare(self, end: str, values: Sequence[Value], frame: Frame) -> ColumnElement[bool]:
        columns = [frame.column(c.strip()) for c in end.split(",")]
        if len(columns) > 1:
            return or_(*(and_(*(c == v for c, v in zip(columns, value.data, strict=True))) for value in values))
        if all(v.op == "=" and v.kind not in {"clock", "date", "year"} for v in values):
            literals = list(dict.fromkeys(v.data[0] for v in values))
            return columns[0].in_(literals) if len(literals) > 1 else columns[0] == literals[0]
        tests = [compare(columns[0], value, self._use) for value in values]
        return or_(*tests) if len(tests) > 1 else tests[0]


_OPPOSITE = {"<": ">=", "<=": ">", "by": ">"}  # whoever has none has fewer, too


def _said(meaning: Meaning) -> tuple[Condition, ...]:
    """All conditions, those of alternatives too."""
    return (*meaning.conditions, *(c for group in meaning.either for c in group))


def _labels(names: Sequence[str]) -> dict[str, str]:
    """Columns under their own name, or table_column where two would have the same."""
    short = [name.rpartition(".")[2] for name in names]
    return {n: n.replace(".", "_") if short.count(s) > 1 else s for n, s in zip(names, short, strict=True)}
