"""Statements with groups as meanings: a number for each of something, what has the most of something, and what has so many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from sqlglot import exp

from domain.english.model.meaning import Condition, Flagged, Having, Meaning
from domain.proposal.domain_paths import shortest
from domain.proposal.statement_conditions import DomainKnowledge
from domain.proposal.statement_nested import NestedReader
from domain.proposal.statement_parts_of_meaning import Choice, Unread, meanings
from domain.proposal.statement_scope import ColumnMention, Node, Selections, conjuncts

_AGGREGATES = {exp.Avg: "avg", exp.Sum: "sum", exp.Min: "min", exp.Max: "max"}
_OPS = {exp.EQ: "=", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
Read = Callable[[Any, str], list[Meaning]]


class _Number(msgspec.Struct, frozen=True):
    """What is computed for each group: a number of rows, or an aggregate of a column."""

    aggregate: str = ""
    place: ColumnMention | None = None


def grouped(known: DomainKnowledge, select: Any, read: Read) -> Iterator[Meaning]:
    """Yield the meanings of a selection with groups."""
    yield from _Groups(known, select, read).meanings()


class _Groups:
    def __init__(self, known: DomainKnowledge, select: Any, read: Read) -> None:
        self.known, self.select, self.read = known, select, read
        self.paths, self.model = known.paths, known.paths.model
        self.selections = Selections(self.paths.schema)
        self.conditions, self.here = self.selections.open(select, ())
        self.tables = self.selections.tables

    def meanings(self) -> Iterator[Meaning]:
        group = self.select.args.get("group")
        columns = [self.tables.place(one, self.here) for one in (group.expressions if group else ())]
        number = self._number()
        if number is None or not columns or any(column is None for column in columns):
            raise Unread
        pick, bounds = self._picked()
        places = [column for column in columns if column]
        for entity, node in self._counted(number, places):
            attribute = self._attribute(number, entity, node)
            if number.aggregate and attribute is None:
                continue
            reader = NestedReader(self.known, self._again(), node, entity, self.read)
            try:
                choices = reader.choices(self.conditions_again)
            except Unread:
                continue
            told = (attribute,) if attribute else ()
            for divided in self._divided_by(places):
                if divided != entity and bounds is None:
                    plain = Meaning((divided,), told, aggregate=number.aggregate, per=entity, pick=pick)
                    yield from meanings(self.model, plain, choices)
                elif divided != entity and bounds:
                    yield from self._bounded(divided, entity, number, attribute or "", bounds, choices)
            by = self._by(entity, node, places)
            if by and bounds is None:
                plain = Meaning((entity,), told, aggregate=number.aggregate, by=by, pick=pick)
                yield from meanings(self.model, plain, choices)

    def _again(self) -> Selections:
        selections = Selections(self.paths.schema)
        self.conditions_again, _ = selections.open(self.select, ())
        return selections

    def _number(self) -> _Number | None:
        """Return what is computed for each group, whether it is selected, compared or sorted by."""
        having, order = self.select.args.get("having"), self.select.args.get("order")
        trees = [*self.select.expressions, *([having] if having else []), *([order] if order else [])]
        for tree in trees:
            for made in tree.find_all(exp.AggFunc):
                if isinstance(made, exp.Count):
                    column = made.find(exp.Column)
                    return _Number("", self.tables.place(column, self.here) if column is not None else None)
                aggregate = next((said for kind, said in _AGGREGATES.items() if isinstance(made, kind)), "")
                column = made.this.unnest()
                place = self.tables.place(column, self.here) if isinstance(column, exp.Column) else None
                return _Number(aggregate, place) if aggregate and place else None
        return None

    def _picked(self) -> tuple[str, list[tuple[str, float]] | None]:
        """Return whether the groups with the most or the least are picked, otherwise the bounds of their number."""
        limit, order, having = (self.select.args.get(part) for part in ("limit", "order", "having"))
        if limit is not None:
            by = order.expressions[0] if order is not None else None
            if having or by is None or limit.expression.name != "1" or by.this.find(exp.AggFunc) is None:
                raise Unread
            return ("max" if by.args.get("desc") else "min"), None
        if having is None:
            return "", None
        bounds: list[tuple[str, float]] = []
        for test in conjuncts(having.this):
            if type(test) not in _OPS or test.this.find(exp.AggFunc) is None:
                raise Unread
            right = test.expression.unnest()
            if isinstance(right, exp.Literal):
                bounds.append((_OPS[type(test)], float(right.name)))
            elif isinstance(test, exp.EQ) and isinstance(right, exp.Select):
                return self._most(right), None
            elif isinstance(test, exp.GTE | exp.LTE) and right.find(exp.Select) and right.find(exp.Count):
                return ("max" if isinstance(test, exp.GTE) else "min"), None
            else:
                raise Unread
        return "", bounds

    def _most(self, select: Any) -> str:
        made = select.expressions[0].unalias()
        order = select.args.get("order")
        if isinstance(made, exp.Max | exp.Min):
            return "max" if isinstance(made, exp.Max) else "min"
        if order is not None and select.args.get("limit") is not None:
            return "max" if order.expressions[0].args.get("desc") else "min"
        raise Unread

    def _counted(self, number: _Number, places: Sequence[ColumnMention]) -> Iterator[tuple[str, Node]]:
        """Yield the entities of which there is a number for each group."""
        divided_by = {f"{place.table}.{place.column}" for place in places}
        if number.place is not None:
            for entity in self.paths.refers.get(f"{number.place.table}.{number.place.column}", ()):
                yield entity, number.place.node
            nodes = [number.place.node]
        else:
            nodes = [node for node in self.tables.mentioned if node[0] == self.here[-1]]
            divided = {place.node for place in places}
            nodes.sort(key=lambda node: node in divided and len(nodes) > 1)
        for node in nodes:
            own = [
                name
                for name, entity in self.model.entity.items()
                if entity.table == self.tables.mentioned[node] and not entity.where
            ]
            yield from ((name, node) for name in own)
            if not own:  # what only ties two things together is counted as one of them
                for column, key in self.paths.keys.get(self.tables.mentioned[node], ()):
                    yield from ((name, node) for name in self.paths.refers[key] if column not in divided_by)

    def _attribute(self, number: _Number, entity: str, node: Node) -> str | None:
        if number.place is None or not number.aggregate:
            return None
        wanted = f"{number.place.table}.{number.place.column}"
        for name, ways in self.paths.asked.items():
            if self.model.attribute[name].of == entity and ways == [((), wanted)]:
                return name
        return None

    def _divided_by(self, places: Sequence[ColumnMention]) -> list[str]:
        """Return the entities by which the rows are grouped."""
        found: list[str] = []
        for place in places:
            column = f"{place.table}.{place.column}"
            found += self.paths.refers.get(column, ())
            found += [name for name, e in self.model.entity.items() if e.table == place.table and column in e.display]
        return list(dict.fromkeys(found))

    def _by(self, entity: str, node: Node, places: Sequence[ColumnMention]) -> str:
        """Return the attribute of the counted things by whose values they are grouped."""
        ways = []
        for place in places:
            steps = next((steps for other, steps in self.tables.ways(place.node) if other == node), None)
            if steps is None:
                return ""
            ways.append(shortest(steps, f"{place.table}.{place.column}"))
        own = ((n, w) for n, w in self.paths.asked.items() if self.model.attribute[n].of == entity)
        return next((name for name, asked in own if {*ways} <= {*asked}), "")

    def _bounded(
        self,
        divided: str,
        entity: str,
        number: _Number,
        attribute: str,
        bounds: Sequence[tuple[str, float]],
        choices: Sequence[Sequence[Choice]],
    ) -> Iterator[Meaning]:
        parts = [part for ways in choices for part in ways[0]]
        if not all(isinstance(part, Condition | Flagged) for part in parts):
            return
        conditions = tuple(part for part in parts if isinstance(part, Condition))
        flags = tuple(part for part in parts if isinstance(part, Flagged))
        having = tuple(
            Having(entity, op, int(n) if n.is_integer() else n, conditions, flags, number.aggregate, attribute)
            for op, n in bounds
        )
        own = tuple(c for c in conditions if self.model.attribute[c.attribute].of != entity)
        flagged = tuple(f for f in flags if any(self.model.flag[name].of != entity for name in f.flags))
        if own or flagged:
            rest = tuple(c for c in conditions if c not in own)
            left = tuple(f for f in flags if f not in flagged)
            counted = tuple(msgspec.structs.replace(h, conditions=rest, flags=left) for h in having)
            yield Meaning((divided,), conditions=own, flags=flagged, having=counted)
        yield Meaning((divided,), having=having)
