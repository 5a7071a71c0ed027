"""The meaning of a statement that a wizard wrote by hand, so that the next request can continue from it: "and on Sunday"
after SQL for Saturday's trains.

A statement is read into the algebra of requests: things, what is asked of them, conditions, the least or greatest, numbers for
each of something. Where it can be read in several ways, these come one after the other, the likeliest first; whether one
returns the same rows is checked by the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.english.dialogue.references import MOST_ROWS
from domain.english.model.meaning import AnswerRows, Flagged, Having, Meaning
from domain.english.model.path_names import spelt
from domain.proposal.domain_paths import ColumnPath, shortest
from domain.proposal.normal_statement import normal_form
from domain.proposal.statement_conditions import DomainKnowledge, Scoped
from domain.proposal.statement_groups import grouped
from domain.proposal.statement_nested import NestedReader
from domain.proposal.statement_parts_of_meaning import Choice, Unread, meanings
from domain.proposal.statement_scope import ColumnMention, Node, Selections

_AGGREGATES = {exp.Avg: "avg", exp.Sum: "sum", exp.Min: "min", exp.Max: "max"}
_MOST = 24


class StatementProjection(msgspec.Struct, frozen=True):
    """The projection of a selection: things of an entity, whose table is `root`, and what is asked of them."""

    root: Node
    entity: str
    attributes: tuple[str, ...] = ()
    count: bool = False
    aggregate: str = ""
    distinct: bool = False
    named: bool = False
    most: tuple[ColumnMention, str] | None = None
    """The column of which the least or greatest is asked for, and which of the two."""

    @property
    def meaning(self) -> Meaning:
        """Return the request without its conditions."""
        return Meaning(
            (self.entity,), self.attributes, self.count, aggregate=self.aggregate, named=self.named,
            distinct=self.distinct,
        )  # fmt: skip


class StatementMeaning:
    """Reads the statements of one domain over its database."""

    def __init__(self, known: DomainKnowledge) -> None:
        self.known, self.paths, self.model = known, known.paths, known.paths.model

    def meanings(self, sql: str) -> Iterator[tuple[Meaning, str]]:
        """Yield the meanings that a statement can have, the likeliest first; none if a part has no equivalent in the domain. Each
        has the statement whose rows it must return, which is another one if only whether there are any was asked."""
        try:
            (tree,) = sqlglot.parse(sql, read=self.known.dialect)
            tree = normal_form(tree) if isinstance(tree, exp.Select) else tree
        except (SqlglotError, RecursionError, ValueError):
            return
        seen: list[Meaning] = []
        tree, listed = self._listed(tree)
        rows = listed.sql(dialect=self.known.dialect) if listed is not None else sql
        try:
            for meaning in self._whole(tree):
                if meaning not in seen:
                    seen.append(meaning)
                    yield meaning, rows
                if len(seen) >= _MOST:
                    return
        except Unread:
            return

    def asked(self, sql: str) -> Iterator[tuple[Meaning, str, str]]:
        """Yield what a statement can ask for, without its conditions, each with the statement of the keys of its rows, and that
        whose rows it must return."""
        try:
            tree, listed = self._listed(normal_form(sqlglot.parse_one(sql, read=self.known.dialect)))
            if not isinstance(tree, exp.Select):
                return
            probe = Selections(self.paths.schema)
            _, here = probe.open(tree, ())
            for one in dict.fromkeys(self._asked(probe, tree)):
                keys = self._keys_at(tree, one, probe, here)
                if keys is not None and not one.most:
                    rows = listed.sql(dialect=self.known.dialect) if listed is not None else sql
                    yield one.meaning, keys.sql(dialect=self.known.dialect), rows
        except (SqlglotError, RecursionError, ValueError, AttributeError, Unread):
            return

    def _keys_at(
        self, select: Any, asked: StatementProjection, selections: Selections, here: tuple[int, ...]
    ) -> Any | None:
        """Return the statement with the keys of its rows selected in place of the columns shown."""
        keys = [spelt(column.rpartition(".")[2]) for column in self.model.entity[asked.entity].key]
        if (
            asked.root[0] != here[-1]
            or selections.tables.mentioned[asked.root] != self.model.entity[asked.entity].table
        ):
            return None
        group = select.args.get("group")
        if group is not None and not {*keys} <= {one.name for one in group.expressions if isinstance(one, exp.Column)}:
            return None
        copied = select.copy()
        copied.set("expressions", [exp.column(key, table=asked.root[1]) for key in keys])
        copied.set("distinct", None)
        return copied

    def _listed(self, tree: Any) -> tuple[Any, Any | None]:
        """Return the statement to read, and another one if its rows are those that the meaning must return: the things of which
        only whether there are any was asked, or only those that have so much of something, without how much that is."""
        if not isinstance(tree, exp.Select):
            return tree, None
        lone = tree.expressions[0].unalias() if len(tree.expressions) == 1 else None
        lone = lone.this.unnest() if isinstance(lone, exp.Not) else lone
        if isinstance(lone, exp.Exists) and isinstance(lone.this, exp.Select):
            shown = lone.this.copy()
            if not any(isinstance(one.unalias(), exp.Column) for one in shown.expressions):
                shown.set("expressions", self._keys(shown))
            return shown, shown
        group, having = tree.args.get("group"), tree.args.get("having")
        counted = any(one.find(exp.AggFunc) for one in tree.expressions)
        if group and having and counted and having.find(exp.Select) is None:
            shown = tree.copy()
            shown.set("expressions", [one.copy() for one in group.expressions])
            return tree, shown
        return tree, None

    def _keys(self, select: Any) -> list[Any]:
        """Return the key columns of a selection's first table."""
        from_ = select.args.get("from_") or select.args.get("from")
        table = from_.this if from_ is not None else None
        entity = next(iter(self._entities(table.name)), "") if isinstance(table, exp.Table) else ""
        if not entity or table is None:
            return [exp.Star()]
        columns = [spelt(column.rpartition(".")[2]) for column in self.model.entity[entity].key]
        return [exp.column(column, table=table.alias_or_name) for column in columns]

    def _whole(self, tree: Any) -> Iterator[Meaning]:
        if isinstance(tree, exp.Select):
            yield from self._select(tree)
        elif isinstance(tree, exp.SetOperation):
            yield from self._combined(tree)

    def _combined(self, tree: Any) -> Iterator[Meaning]:
        """Yield the meanings of UNION and EXCEPT."""
        first, second = (next(self._whole(normal_form(side.unnest())), None) for side in (tree.this, tree.expression))
        if first is None or second is None or first.entities != second.entities:
            return
        if isinstance(tree, exp.Union):
            yield Meaning(first.entities, first.attributes, among=(first, second))
        elif isinstance(tree, exp.Except):
            yield msgspec.structs.replace(first, outside=second)
        else:
            yield msgspec.structs.replace(first, inside=second)

    def _select(self, select: Any, table: str = "") -> Iterator[Meaning]:
        """Yield the meanings of a selection, about things of the table where one is named."""
        probe = Selections(self.paths.schema)
        probe.open(select, ())
        if probe.tables.first is None:
            return
        if select.args.get("group") or select.args.get("having"):
            yield from grouped(self.known, select, self._read)
            return
        asked = [*(self._rows_of(probe, table) if table else self._asked(probe, select))]
        for one in dict.fromkeys(asked):
            try:
                yield from self._limited(select, one)
            except (Unread, RecursionError):
                continue

    def _read(self, select: Any, table: str) -> list[Meaning]:
        """Return the meanings of a nested selection."""
        try:
            return [meaning for meaning, _ in zip(self._select(select, table), range(3), strict=False)]
        except Unread:
            return []

    def _limited(self, select: Any, asked: StatementProjection) -> Iterator[Meaning]:
        selections = Selections(self.paths.schema)
        conditions, here = selections.open(select, ())
        reader = NestedReader(self.known, selections, asked.root, asked.entity, self._read)
        nodes = {*selections.tables.mentioned}
        choices = reader.choices(conditions)
        plain = asked.meaning
        if asked.most and (extreme := reader.extreme(*asked.most)):
            plain = msgspec.structs.replace(plain, extremes=(extreme,))
        if ranked := self._ranked(select, reader, here):
            choices.append(ranked)
        flags = [
            f for f in reader.tests.flags_of_joins({*selections.tables.mentioned} - nodes) if not _told(f, choices)
        ]
        yield from meanings(self.model, plain, [*choices, *([[(flag,) for flag in flags]] if flags else [])])
        yield from meanings(self.model, plain, choices) if flags else ()
        if idle := [*self._idle(selections, asked, conditions)]:
            yield from meanings(self.model, plain, [*choices, [(having,) for having in idle]])

    def _ranked(self, select: Any, reader: NestedReader, here: tuple[int, ...]) -> list[Choice]:
        """Return the readings of ORDER BY with LIMIT: the first by a column, or the rows themselves."""
        limit, order, offset = (select.args.get(part) for part in ("limit", "order", "offset"))
        if limit is None:
            return []
        by = order.expressions[0] if order is not None else None
        found: list[Choice] = []
        counted = False
        if by is not None and isinstance(by.this, exp.Column) and isinstance(limit.expression, exp.Literal):
            place = reader.tables.place(by.this, here)
            number, which = int(limit.expression.name), int(offset.expression.name) + 1 if offset else 1
            key = place is not None and f"{place.table}.{place.column}" in self.model.entity[reader.entity].key
            if place is not None and not key and (number == 1 or which == 1):
                extreme = reader.extreme(place, "max" if by.args.get("desc") else "min", number, which)
                found += [(extreme,)] if extreme else []
            counted = key and number == 1
        rows = self._own_rows(select, reader, here, by_hand=not counted)
        return [*found, *([(rows,)] if rows else [])]

    def _own_rows(
        self, select: Any, reader: NestedReader, here: tuple[int, ...], *, by_hand: bool
    ) -> AnswerRows | None:
        """Return the rows of a selection, by their keys."""
        if reader.root is None:
            return None
        copied = self._keys_at(select, StatementProjection(reader.root, reader.entity), reader.selections, here)
        if copied is None:
            return None
        rows = self.known.look(copied.sql(dialect=self.known.dialect))
        found = tuple(dict.fromkeys(tuple(row) for row in rows))
        said = f"{self.model.entity[reader.entity].many} {', '.join(' '.join(map(str, key)) for key in found)}"
        return AnswerRows(reader.entity, found, said, by_hand) if 0 < len(found) <= MOST_ROWS else None

    def _idle(
        self, selections: Selections, asked: StatementProjection, conditions: Sequence[Scoped]
    ) -> Iterator[Having]:
        """Yield the condition that another table has a matching row, if the statement says no more about it."""
        named = {selections.tables.place(c, at) for tree, at in conditions for c in tree.find_all(exp.Column)}
        used = {place.node for place in named if place}
        for node, table in selections.tables.mentioned.items():
            if node != asked.root and node not in used and selections.tables.degree(node) == 1:
                for name, entity in self.model.entity.items():
                    if entity.table == table and name != asked.entity:
                        yield Having(name, ">=", 1)

    # what is asked for

    def _rows_of(self, selections: Selections, table: str) -> Iterator[StatementProjection]:
        nodes = [node for node, name in selections.tables.mentioned.items() if name == table]
        for node in nodes[:1]:
            for entity in self._entities(table):
                yield StatementProjection(node, entity)

    def _entities(self, table: str) -> list[str]:
        found = [name for name, entity in self.model.entity.items() if entity.table == table]
        return sorted(found, key=lambda name: bool(self.model.entity[name].where))

    def _asked(self, selections: Selections, select: Any) -> Iterator[StatementProjection]:
        here = (1,)
        columns = [_bare(one) for one in select.expressions]
        first = selections.tables.first
        lone = columns[0] if len(columns) == 1 else None
        if first is None:
            return
        if isinstance(lone, exp.Count):
            yield from self._counted(selections, lone, here)
            return
        aggregate = next((said for kind, said in _AGGREGATES.items() if isinstance(lone, kind)), "")
        if lone is not None and aggregate:
            columns = [lone.this.unnest()]
        if any(isinstance(one, exp.Star) for one in columns) or all(isinstance(one, exp.Literal) for one in columns):
            yield from (
                StatementProjection(first, entity) for entity in self._entities(selections.tables.mentioned[first])
            )
            return
        places = [selections.tables.place(one, here) if isinstance(one, exp.Column) else None for one in columns]
        known = [place for place in places if place]
        if len(known) < len(places):
            raise Unread
        nodes = [*dict.fromkeys((*(place.node for place in known), first, *selections.tables.mentioned))]
        yield from self._of_columns(selections, known, aggregate, nodes)

    def _counted(self, selections: Selections, count: Any, here: tuple[int, ...]) -> Iterator[StatementProjection]:
        column = count.find(exp.Column)
        place = selections.tables.place(column, here) if column is not None else None
        if place is None:
            for node, table in selections.tables.mentioned.items():
                yield from (StatementProjection(node, entity, count=True) for entity in self._entities(table))
            return
        own = f"{place.table}.{place.column}"
        for entity in self._entities(place.table):
            if own in map(spelt, self.model.entity[entity].key):
                yield StatementProjection(place.node, entity, count=True)
        yield from (StatementProjection(place.node, entity, count=True) for entity in self.paths.refers.get(own, ()))
        for name, ways in self.paths.asked.items():
            if ways[0] == ((), own) and count.find(exp.Distinct):
                yield StatementProjection(place.node, self.model.attribute[name].of, (name,), distinct=True)
        yield from (StatementProjection(place.node, entity, count=True) for entity in self._entities(place.table))

    def _of_columns(
        self, selections: Selections, places: Sequence[ColumnMention], aggregate: str, nodes: Sequence[Node]
    ) -> Iterator[StatementProjection]:
        """Yield what plain columns, or an aggregate of one, can ask for, seen from each table."""
        columns = [f"{place.table}.{place.column}" for place in places]
        weak: list[StatementProjection] = []
        for node in nodes:
            ways = [self._way(selections, node, place) for place in places]
            for entity in self._entities(selections.tables.mentioned[node]):
                about = self.model.entity[entity]
                key, shown = {*map(spelt, about.key)}, {*map(spelt, (*about.key, *about.display))}
                own = [way for way in ways if way is not None]
                if len(own) < len(ways):
                    continue
                asked = [way for way in own if way[0] or way[1] not in key]
                attributes = self._attributes(entity, asked)
                if aggregate:
                    attributes = self._attributes(entity, own)
                    if attributes and len(attributes) == 1:
                        yield StatementProjection(node, entity, attributes, aggregate=aggregate)
                    elif aggregate in {"min", "max"} and node == places[0].node:
                        yield StatementProjection(node, entity, most=(places[0], aggregate))
                elif attributes is not None:
                    one = StatementProjection(
                        node, entity, attributes, named=bool(attributes) and len(asked) < len(own)
                    )
                    if node in {place.node for place in places} or attributes:
                        yield one
                    else:
                        weak.append(one)
                elif all(not way[0] and way[1] in shown for way in own):
                    yield StatementProjection(node, entity)
        if len(places) == 1 and not aggregate:
            for entity in self.paths.refers.get(columns[0], ()):
                yield StatementProjection(places[0].node, entity)
        yield from weak

    def _way(self, selections: Selections, node: Node, place: ColumnMention) -> ColumnPath | None:
        steps = next((steps for other, steps in selections.tables.ways(place.node) if other == node), None)
        return None if steps is None else shortest(steps, f"{place.table}.{place.column}")

    def _attributes(self, entity: str, ways: Sequence[ColumnPath]) -> tuple[str, ...] | None:
        """Return the attributes that select exactly these columns; None if a column has none."""
        found: list[str] = []
        left = list(ways)
        own = {name: asked for name, asked in self.paths.asked.items() if self.model.attribute[name].of == entity}
        while left:
            fitting = [name for name, asked in own.items() if left[0] in asked and name not in found]
            if not fitting:
                return None
            best = max(fitting, key=lambda name: (len({*own[name]} & {*left}), -len(own[name])))
            found.append(best)
            left = [way for way in left if way not in own[best]]
        return tuple(found)


def _told(flag: Flagged, choices: Sequence[Sequence[Choice]]) -> bool:
    return any(flag in choice for ways in choices for choice in ways)


def _bare(tree: Any) -> Any:
    """Return a selected expression without its alias and without rounding."""
    tree = tree.unalias().unnest()
    while isinstance(tree, exp.Round | exp.Cast):
        tree = tree.this.unnest()
    return tree


def same_rows(ours: Sequence[Sequence[Any]], theirs: Sequence[Sequence[Any]]) -> bool:
    """Return whether two answers have the same rows: each of theirs is part of one of ours, and each of ours contains one of
    theirs."""
    one, other = ({frozenset(map(_plain, row)) for row in rows} for rows in (ours, theirs))
    return all(any(row <= held for held in one) for row in other) and all(
        any(row <= held for row in other) for held in one
    )


def _plain(cell: object) -> str:
    return f"{cell:.2f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell)
