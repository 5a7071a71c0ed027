"""Scopes of a statement: the tables its columns belong to, and the equalities that join them.

A subquery in a condition (`x IN (SELECT y …)`) that only leads to another table is treated as a join, and its conditions as
outer ones, so that equivalent statements get the same paraphrase.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from sqlglot import exp

from domain.proposal.domain_words import Path, step
from domain.sandbox.database_schema import Schema

Node = tuple[int, str]
"""One mention of a table: the number of its SELECT, and its name there."""


Equality = tuple[str, str]
"""Two columns that are equal, each as "table.column"."""


class ColumnMention(msgspec.Struct, frozen=True):
    """A column of a table mention."""

    node: Node
    table: str
    column: str


class Tables:
    """The table mentions of a statement, and the equalities between them."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._names = {name.casefold(): name for name in schema.table_names}
        self.mentioned: dict[Node, str] = {}
        self._ties: dict[Node, list[tuple[Node, Equality]]] = {}

    def mention(self, node: Node, table: str) -> None:
        """Record a table mention, under its own name if the schema does not have it."""
        self.mentioned[node] = self._names.get(table.casefold(), table)

    def tie(self, one: ColumnMention, other: ColumnMention) -> None:
        """Record that two columns are equal."""
        here, there = (f"{place.table}.{place.column}" for place in (one, other))
        self._ties.setdefault(one.node, []).append((other.node, (here, there)))
        self._ties.setdefault(other.node, []).append((one.node, (there, here)))

    @property
    def first(self) -> Node | None:
        """Return the first table of a statement."""
        return next(iter(self.mentioned), None)

    def degree(self, node: Node) -> int:
        """Count the equalities that involve a table."""
        return len(self._ties.get(node, ()))

    def place(self, column: Any, levels: Sequence[int]) -> ColumnMention | None:
        """Return the column's mention as visible from the innermost of `levels`, or None if it is unknown."""
        for level in reversed(levels):
            here = [node for node in self.mentioned if node[0] == level]
            for node in here:
                table = self.mentioned[node]
                known = {name.casefold(): name for name in self._schema.columns_of(table)}
                meant = (
                    column.table.casefold() == node[1].casefold() if column.table else column.name.casefold() in known
                )
                if meant:
                    return ColumnMention(node, table, known.get(column.name.casefold(), column.name))
        return None

    def shared(self, level: int, joined: Any) -> list[str]:
        """Return the columns that a table of a SELECT has in common with those named before it: a NATURAL JOIN equates them."""
        nodes = [node for node in self.mentioned if node[0] == level]
        node = (level, joined.alias_or_name)
        earlier = nodes[: nodes.index(node)] if node in nodes else []
        known = {name.casefold() for one in earlier for name in self._schema.columns_of(self.mentioned[one])}
        return [name for name in self._schema.columns_of(self.mentioned.get(node, "")) if name.casefold() in known]

    def paths(self, place: ColumnMention) -> Iterator[tuple[Node, Path]]:
        """Yield the shortest path to a column from its own table and from every table joined to it, the nearest first, each
        with its start."""
        for node, steps in self.ways(place.node):
            yield node, (tuple(step(*pair) for pair in steps), f"{place.table}.{place.column}")

    def ways(self, end: Node) -> Iterator[tuple[Node, tuple[Equality, ...]]]:
        """Yield the shortest way to a table from itself and from every table joined to it, the nearest first; each equality
        has the column of the table that comes first on its left."""
        ways: dict[Node, tuple[Equality, ...]] = {end: ()}
        waiting = deque([end])
        while waiting:
            node = waiting.popleft()
            yield node, ways[node]
            for other, (here, there) in self._ties.get(node, ()):
                if other not in ways:
                    ways[other] = ((there, here), *ways[node])
                    waiting.append(other)


class Selections:
    """Resolves the SELECTs of a statement one by one: their tables, and the conditions that are not joins."""

    def __init__(self, schema: Schema) -> None:
        self.tables = Tables(schema)
        self._level = 0

    def open(self, select: Any, levels: tuple[int, ...]) -> tuple[list[tuple[Any, tuple[int, ...]]], tuple[int, ...]]:
        """Record the tables of a SELECT and of the subqueries that only join to it; return its conditions, each with its
        scope, and the scope itself."""
        self._level += 1
        here = (*levels, self._level)
        joins = select.args.get("joins") or []
        from_ = select.args.get("from_") or select.args.get("from")
        sources = [tree.this for tree in (from_, *joins) if tree is not None]
        for source in sources:
            if isinstance(source, exp.Table):
                self.tables.mention((self._level, source.alias_or_name), source.name)
        found: list[tuple[Any, tuple[int, ...]]] = []
        where = select.args.get("where")
        asked = [join.args.get("on") for join in joins] + [where.this if where else None]
        for condition in (one for tree in asked for one in conjuncts(tree)):
            found += self.leading(condition, here)
        for join in joins:
            names = [name.name for name in join.args.get("using") or ()]
            for name in self.tables.shared(self._level, join.this) if join.args.get("method") == "NATURAL" else names:
                self._tie_by_name(name, here)
        found += [(source, here) for source in sources if isinstance(source, exp.Subquery)]
        return found, here

    def leading(self, condition: Any, here: tuple[int, ...]) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """Yield what remains of a condition once its joins are recorded."""
        if (
            isinstance(condition, exp.EQ)
            and isinstance(condition.this, exp.Column)
            and isinstance(condition.expression, exp.Column)
        ):
            one, other = self.tables.place(condition.this, here), self.tables.place(condition.expression, here)
            if one and other and one.node != other.node:
                self.tables.tie(one, other)
                return
        if (select := inner(condition)) is not None:
            conditions, within = self.open(select, here)
            outer = self.tables.place(condition.this, here) if isinstance(condition, exp.In) else None
            end = self.tables.place(select.expressions[0].unalias(), within) if outer else None
            if outer and end:
                self.tables.tie(outer, end)
            if isinstance(condition, exp.Exists) or (outer and end):
                yield from conditions
                return
        yield condition, here

    def _tie_by_name(self, name: str, here: tuple[int, ...]) -> None:
        found = [
            place
            for node in self.tables.mentioned
            if node[0] == here[-1] and (place := self.tables.place(exp.column(name, table=node[1]), here))
        ]
        for one, other in pairwise(found):
            self.tables.tie(one, other)


def conjuncts(condition: Any) -> Iterator[Any]:
    """Yield the operands of a conjunction."""
    if isinstance(condition, exp.Paren):
        yield from conjuncts(condition.this)
    elif isinstance(condition, exp.And):
        yield from conjuncts(condition.this)
        yield from conjuncts(condition.expression)
    elif condition is not None:
        yield condition


def inner(condition: Any) -> Any | None:
    """Return the subquery of a condition that acts as a join: one column, without groups, aggregates or limits; else None."""
    if isinstance(condition, exp.Exists):
        select = condition.this
    elif isinstance(condition, exp.In) and isinstance(condition.this, exp.Column):
        query = condition.args.get("query")
        select = query.this if isinstance(query, exp.Subquery) else query
    else:
        return None
    if not isinstance(select, exp.Select) or any(
        select.args.get(name) for name in ("group", "having", "limit", "with_")
    ):
        return None
    if isinstance(condition, exp.In) and (
        len(select.expressions) != 1 or not isinstance(select.expressions[0].unalias(), exp.Column)
    ):
        return None
    return select
