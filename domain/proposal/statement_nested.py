"""Conditions of a statement with a SELECT inside: the least and greatest, comparisons with the average or with another, what
belongs to something, and what is absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from sqlglot import exp

from domain.english.dialogue.references import MOST_ROWS
from domain.english.model.domain import leads_back
from domain.english.model.meaning import AnswerRows, Compared, Condition, Extreme, Flagged, Having, Meaning
from domain.english.model.path_names import spelt
from domain.proposal.domain_paths import column_path
from domain.proposal.statement_conditions import DomainKnowledge, Scoped, TestReader, bare
from domain.proposal.statement_parts_of_meaning import Choice, Inside, Outside, Part, Unread
from domain.proposal.statement_scope import ColumnMention, Node, Selections, conjuncts
from domain.proposal.statement_tests import Levels, Tested, tests_of

_MOST_VALUES = 40
_MORE = {exp.GT: ">", exp.GTE: ">", exp.LT: "<", exp.LTE: "<"}
_COUNTED = {exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<=", exp.EQ: "="}
_AGGREGATES = {exp.Avg: "avg", exp.Min: "min", exp.Max: "max"}
_SAID = {"max": "highest", "min": "lowest"}
Read = Callable[[Any, str], list[Meaning]]
"""Returns the meanings of a SELECT by itself, about things of the named table where one is named."""


class NestedReader:
    """Reads all conditions of one selection, about the things of `entity` whose table is `root`."""

    def __init__(
        self, known: DomainKnowledge, selections: Selections, root: Node | None, entity: str, read: Read
    ) -> None:
        self.known, self.selections, self.root, self.entity, self.read = known, selections, root, entity, read
        self.paths, self.model, self.tables = known.paths, known.paths.model, selections.tables
        self.tests = TestReader(known, selections, root, entity)

    def choices(self, conditions: Sequence[Scoped]) -> list[list[Choice]]:
        """Return the ways to read each condition."""
        tests: list[Tested] = []
        found: list[list[Choice]] = []
        least: list[Scoped] = []
        for condition, at in conditions:
            plain = tests_of(self.tables, condition, at)
            if any(test.other and test.other.node != test.place.node for test in plain):
                found.append([*self._than_its_own(plain[0])])
            elif plain:
                tests += plain
            elif _picks(condition):
                least.append((condition, at))
            else:
                found.append(self._nested(condition, at))
        found += self._tested(tests)
        others = {part for ways in found for choice in ways[:1] for part in choice}
        return [*found, *(self._least(condition, at, others) for condition, at in least)]

    def _tested(self, tests: Sequence[Tested]) -> list[list[Choice]]:
        """Return the readings of tests; columns without words in the domain are read as the rows that meet the test."""
        found = self.tests.choices(tests)
        if all(found):
            return found
        silent = [test for test in tests if test.column not in self.paths.spoken_of and test.place.node == self.root]
        rows = self._meeting([test.tree for test in silent]) if silent else None
        found = self.tests.choices([test for test in tests if test not in silent])
        return [*found, [(Inside(Meaning((self.entity,), rows=rows)),)]] if rows else [*found, []]

    def _meeting(self, conditions: Sequence[Any]) -> AnswerRows | None:
        """Return the rows that meet conditions on the table of what is asked for."""
        about = self.model.entity[self.entity]
        keys = [exp.column(spelt(column.rpartition(".")[2])) for column in about.key]
        plain = [bare(condition) for condition in conditions]
        select = exp.select(*keys).from_(about.table).where(*plain)
        rows = tuple(dict.fromkeys(tuple(row) for row in self.known.look(select.sql(dialect=self.known.dialect))))
        said = " and ".join(condition.sql(dialect=self.known.dialect) for condition in plain)
        return AnswerRows(self.entity, rows, f"the {about.many} with {said}") if 0 < len(rows) <= MOST_ROWS else None

    def _nested(self, condition: Any, at: Levels) -> list[Choice]:
        if type(condition) in _COUNTED and condition.this.unnest().find(exp.Count):
            return [*self._numbered(condition, at)]
        if isinstance(condition, exp.Or):
            return self.tests.either(condition, at)
        if isinstance(condition, exp.Not):
            return [*self._absent(condition.this.unnest(), at)]
        if type(condition) in _MORE:
            found = [*self._compared(condition, at)]
        elif isinstance(condition, exp.In) and isinstance(condition.this, exp.Column) and condition.args.get("query"):
            found = [*self._inside(condition, at)]
        else:
            raise Unread
        return [*found, *self._evaluated(condition, at)]

    # the least and greatest

    def _least(self, condition: Any, at: Levels, others: set[Part]) -> list[Choice]:
        place, (pick, inner) = self.tables.place(condition.this, at), _picked(condition)
        if place is None:
            raise Unread
        extreme = self.extreme(place, pick)
        below = [part for meaning in self.read(_of_rows(inner), self._table())[:1] for part in _parts(meaning)]
        found: list[Choice] = []
        if extreme and (below or not inner.args.get("where")):
            if {*below} == others or not below:
                found.append((extreme,))
            inside = Meaning((self.entity,), **_limits(below), extremes=(extreme,))
            found += [(Inside(inside),), (extreme,)] if {*below} != others else []
        elif extreme:
            found.append((extreme,))
        return [*found, *self._evaluated(condition, at)]

    def extreme(self, place: ColumnMention, pick: str, number: int = 1, which: int = 1) -> Extreme | None:
        """Return the least or greatest by a column, by the domain's word for it."""
        column = f"{place.table}.{place.column}"
        for name, most in self.model.superlative.items():
            if most.pick == pick and column in {most.column.get(self.entity), *most.with_flag.values()}:
                return Extreme(name, column, pick, most.say or name, number, which)
        for name, most in self.model.superlative.items():
            if most.pick == pick and column in most.column.values():
                return Extreme(name, column, pick, most.say or name, number, which)
        for name, attribute in self.model.attribute.items():
            if column == (attribute.minimum if pick == "min" else attribute.maximum):
                return Extreme(name, column, pick, f"{_SAID[pick]} {name.replace('_', ' ')}", number, which)
        said = f"{_SAID[pick]} {place.column.replace('_', ' ')}"
        return Extreme("", column, pick, said, number, which)

    def _table(self) -> str:
        return self.model.entity[self.entity].table

    # comparisons

    def _compared(self, condition: Any, at: Levels) -> Iterator[Choice]:
        place = self.tables.place(condition.this, at) if isinstance(condition.this, exp.Column) else None
        inner = condition.expression.unnest()
        if place is None or not isinstance(inner, exp.Select) or len(inner.expressions) != 1:
            return
        made, op = inner.expressions[0].unalias(), _MORE[type(condition)]
        aggregate = next((said for kind, said in _AGGREGATES.items() if isinstance(made, kind)), "")
        if not aggregate and made.find(exp.AggFunc):
            return
        column = made.this if aggregate else made
        if not isinstance(column, exp.Column) or column.name != place.column:
            return
        for whole in self.read(_of_rows(inner), place.table)[:2]:
            of = f"{place.table}.{place.column}"
            said = f"{place.column.replace('_', ' ')} {'above' if op == '>' else 'below'}"
            yield (Compared(of, op, aggregate or ("max" if op == ">" else "min"), whole, said),)

    def _than_its_own(self, test: Tested) -> Iterator[Choice]:
        """Yield a comparison with the row to which an attribute leads: more than their own boss."""
        if test.other is None or test.other.column != test.place.column:
            return
        turned = {">": "<", "<": ">"}
        for place, other, op in ((test.place, test.other, test.op), (test.other, test.place, turned.get(test.op, ""))):
            steps = next((steps for node, steps in self.tables.ways(other.node) if node == place.node), ())
            for name, attribute in self.model.attribute.items() if op in turned and len(steps) == 1 else ():
                ways = [column_path(text) for text in attribute.select]
                if place.node == self.root and leads_back(attribute) and any(way[0] == steps for way in ways):
                    said = f"{place.column.replace('_', ' ')} {'above' if op == '>' else 'below'}"
                    whole = Meaning((self.entity,))
                    yield (Compared(f"{place.table}.{place.column}", op, "", whole, said, through=name),)

    # what belongs to something, and what is absent

    def _inside(self, condition: Any, at: Levels) -> Iterator[Choice]:
        inner = condition.args["query"].unnest()
        if not isinstance(inner, exp.Select) or len(inner.expressions) != 1:
            return
        place = self.tables.place(condition.this, at)
        for meaning in self.read(inner, ""):
            if place and not (meaning.attributes or meaning.count or meaning.aggregate or meaning.rows):
                yield (Inside(meaning),)

    def _absent(self, inside: Any, at: Levels) -> Iterator[Choice]:
        if isinstance(inside, exp.And):
            yield from self._denied([(one, at) for one in conjuncts(inside)])
            return
        before = {*self.tables.mentioned}
        rest = [*self.selections.leading(inside, at)]
        there = [node for node in self.tables.mentioned if node not in before]
        if any(condition is inside for condition, _ in rest):
            for choice in self._nested(inside, at):
                if len(choice) == 1 and isinstance(choice[0], Inside) and choice[0].whole.entities == (self.entity,):
                    yield (Outside(choice[0].whole),)
            yield from self._evaluated(exp.Not(this=inside), at)
            return
        with suppress(Unread):  # what cannot be said of it can still be known by its values
            yield from self._absent_there(rest, there, before)
        yield from self._evaluated(exp.Not(this=inside), at)

    def _absent_there(self, rest: Sequence[Scoped], there: Sequence[Node], before: set[Node]) -> Iterator[Choice]:
        denied = [*self._denied(rest)]
        far = [one for one in denied if isinstance(one[0], Condition) and self._is_far(one[0])]
        yield from (one for one in denied if one not in far)
        if not rest:
            yield from ((msgspec.structs.replace(flag, negated=True),) for flag in self.tests.flags_of_joins(before))
        choices = self.choices(rest)
        parts = [part for ways in choices for part in (ways[0] if ways else (None,))]
        if not any(part is None for part in parts):
            limits = [part for part in parts if part is not None]
            yield from self._without(there, limits)
            if limits and all(isinstance(part, Condition | Flagged) for part in limits):
                yield (Outside(Meaning((self.entity,), **_limits(limits))),)
        yield from far

    def _is_far(self, condition: Condition) -> bool:
        return self.model.attribute[condition.attribute].of != self.entity

    def _denied(self, conditions: Sequence[Scoped]) -> Iterator[Choice]:
        """Yield the denial of a single condition."""
        choices = self.choices(conditions)
        if len(choices) == 1:
            for choice in choices[0]:
                if len(choice) == 1 and isinstance(choice[0], Condition | Flagged) and not choice[0].negated:
                    yield (msgspec.structs.replace(choice[0], negated=True),)

    def _without(self, there: Sequence[Node], parts: Sequence[Part]) -> Iterator[Choice]:
        """Yield that nothing of another sort, of which this holds, belongs to it."""
        for node in there:
            for name, entity in self.model.entity.items():
                conditions = tuple(part for part in parts if isinstance(part, Condition))
                flags = tuple(part for part in parts if isinstance(part, Flagged))
                whole = len(conditions) + len(flags) == len(parts)
                if whole and name != self.entity and entity.table == self.tables.mentioned[node]:
                    yield (Having(name, "none", 0, conditions, flags),)

    def _numbered(self, condition: Any, at: Levels) -> Iterator[Choice]:
        """Yield that so many of another sort belong to it: (SELECT COUNT(*) …) >= 5."""
        select, number = condition.this.unnest(), condition.expression.unnest()
        if not isinstance(select, exp.Select) or not isinstance(number, exp.Literal) or select.args.get("group"):
            raise Unread
        before = {*self.tables.mentioned}
        rest, _ = self.selections.open(select, at)
        parts = [part for ways in self.choices(rest) for part in ways[0]]
        for node in [node for node in self.tables.mentioned if node not in before][:1]:
            for choice in self._without([node], parts):
                having = choice[0]
                if isinstance(having, Having):
                    yield (msgspec.structs.replace(having, op=_COUNTED[type(condition)], number=int(number.name)),)

    def _evaluated(self, condition: Any, at: Levels) -> Iterator[Choice]:
        """Yield the condition with the values that its SELECT has, where that depends on nothing outside."""
        negated = isinstance(condition, exp.Not)
        inside = condition.this if negated else condition
        if not isinstance(inside, exp.In) and type(inside) not in {*_MORE, exp.EQ}:
            return
        query = inside.args.get("query") if isinstance(inside, exp.In) else inside.expression
        if query is None or not isinstance(query.unnest(), exp.Query):
            return
        rows = self.known.look(query.unnest().sql(dialect=self.known.dialect))
        values = list(dict.fromkeys(row[0] for row in rows if row and isinstance(row[0], str | int | float)))
        if not 0 < len(values) <= _MOST_VALUES or (not isinstance(inside, exp.In) and len(values) > 1):
            return
        literals = [exp.convert(value) for value in values]
        if isinstance(inside, exp.In):
            told = exp.In(this=inside.this.copy(), expressions=literals)
            tree = exp.Not(this=told) if negated else told
        else:
            tree = type(inside)(this=inside.this.copy(), expression=literals[0])
        for ways in self.tests.choices(tests_of(self.tables, tree, at)):
            yield from ways


def _picks(condition: Any) -> bool:
    """Return whether a column is held against the least or greatest of it."""
    if not isinstance(condition, exp.EQ) or not isinstance(condition.this, exp.Column):
        return False
    inner = condition.expression.unnest()
    made = inner.expressions[0].unalias() if isinstance(inner, exp.Select) and len(inner.expressions) == 1 else None
    return isinstance(made, exp.Min | exp.Max) and isinstance(made.this, exp.Column)


def _picked(condition: Any) -> tuple[str, Any]:
    inner = condition.expression.unnest()
    return ("min" if isinstance(inner.expressions[0].unalias(), exp.Min) else "max"), inner


def _of_rows(select: Any) -> Any:
    """Return a copy of a selection that selects whole rows."""
    copied = select.copy()
    copied.set("expressions", [exp.Star()])
    return copied


def _parts(meaning: Meaning) -> list[Part]:
    if meaning.having or meaning.compared or meaning.either or meaning.inside or meaning.outside or meaning.extremes:
        raise Unread
    return [*meaning.conditions, *meaning.flags, *([meaning.rows] if meaning.rows else [])]


def _limits(parts: Sequence[Part]) -> dict[str, Any]:
    return {
        "conditions": tuple(part for part in parts if isinstance(part, Condition)),
        "flags": tuple(part for part in parts if isinstance(part, Flagged)),
    }
