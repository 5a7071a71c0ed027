"""Tables of a statement: where its columns come from, and over which equalities one gets from a table to another.

A selection within a condition (`x IN (SELECT y …)`) that only leads on is a step like a join: what holds inside is said as if it
stood outside, so that the same request is said in the same words however its statement is written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlglot import exp

from domain.proposal.domain_words import Path, step
from domain.sandbox.database_schema import Schema

Node = tuple[int, str]
"""A table as it is mentioned once: the number of the selection, and its name there."""


class ColumnMention(msgspec.Struct, frozen=True):
    """A column of one mention of a table."""

    node: Node
    table: str
    column: str


class Tables:
    """All mentions of tables in one statement, and the equalities between them."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._names = {name.casefold(): name for name in schema.table_names}
        self.mentioned: dict[Node, str] = {}
        self._ties: dict[Node, list[tuple[Node, str]]] = {}

    def mention(self, node: Node, table: str) -> None:
        """Take note of a table; of one that the schema has not, as it is called."""
        self.mentioned[node] = self._names.get(table.casefold(), table)

    def tie(self, one: ColumnMention, other: ColumnMention) -> None:
        """Take note that two columns are equal."""
        said = step(f"{one.table}.{one.column}", f"{other.table}.{other.column}")
        self._ties.setdefault(one.node, []).append((other.node, said))
        self._ties.setdefault(other.node, []).append((one.node, said))

    @property
    def first(self) -> Node | None:
        """The table that a statement begins with."""
        return next(iter(self.mentioned), None)

    def degree(self, node: Node) -> int:
        """Count the equalities that lead to or from a table."""
        return len(self._ties.get(node, ()))

    def place(self, column: Any, levels: Sequence[int]) -> ColumnMention | None:
        """The table of a column, seen from the innermost of `levels`; None where there is none that is known."""
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

    def paths(self, place: ColumnMention) -> Iterator[tuple[Node, Path]]:
        """The shortest way to a column from its own table and from every other that is tied to it, the nearest first, each with
        the table where it begins."""
        end = f"{place.table}.{place.column}"
        ways: dict[Node, tuple[str, ...]] = {place.node: ()}
        waiting = deque([place.node])
        while waiting:
            node = waiting.popleft()
            yield node, (ways[node], end)
            for other, said in self._ties.get(node, ()):
                if other not in ways:
                    ways[other] = (said, *ways[node])
                    waiting.append(other)


def conjuncts(condition: Any) -> Iterator[Any]:
    """Yield the conditions that must hold together, one by one."""
    if isinstance(condition, exp.Paren):
        yield from conjuncts(condition.this)
    elif isinstance(condition, exp.And):
        yield from conjuncts(condition.this)
        yield from conjuncts(condition.expression)
    elif condition is not None:
        yield condition


def inner(condition: Any) -> Any | None:
    """The selection of a condition that only leads on from its column: one column, without groups, numbers or limits."""
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
