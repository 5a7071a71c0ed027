"""Join planning: the shortest path between two tables over foreign keys and declared joins."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Column, ForeignKeyConstraint, MetaData

from domain.english.model.domain import DomainError, DomainModel, JoinStep, read_path, read_step
from domain.english.model.path_names import column_called, spelt, written
from domain.english.model.reflection import is_view

_FAR = 99


class JoinPlanner:
    """Finds the joins that connect tables; immutable once built.

    A declared join costs half a step, a foreign key one. Two keys between the same tables are ambiguous.
    """

    def __init__(self, model: DomainModel, schema: MetaData) -> None:
        self._views = {written(table.name) for table in schema.tables.values() if is_view(table)}
        self._edges: dict[str, list[tuple[float, tuple[JoinStep, ...]]]] = {}
        for join in model.join:
            path = read_path(join.path)
            steps = (*path.steps, *_last(path.end))
            self._check(schema, steps)
            self._edge(0.5, steps)
        declared = {frozenset((table_of(s[0].left), table_of(s[-1].right))) for e in self._edges.values() for _, s in e}
        self._open: dict[frozenset[str], list[str]] = {}
        for table in schema.tables.values():
            constraints = sorted(table.foreign_key_constraints, key=lambda c: tuple(c.column_keys))
            for constraint in constraints:
                self._edge(1.0, (step_of(constraint),))
                pair = frozenset((written(table.name), written(constraint.referred_table.name)))
                if pair not in declared:
                    self._open.setdefault(pair, []).append(step_of(constraint).left)

    def _check(self, schema: MetaData, steps: Iterable[JoinStep]) -> None:
        for step in steps:
            for side in (side for pair in step.pairs for side in pair):
                if column_called(schema, side) is None:
                    raise DomainError(f"[[join]] {side!r}: the database has no such column")

    def _edge(self, cost: float, steps: tuple[JoinStep, ...]) -> None:
        self._edges.setdefault(table_of(steps[0].left), []).append((cost, steps))
        self._edges.setdefault(table_of(steps[-1].right), []).append((cost, _reversed(steps)))

    def connect(self, base: str, wanted: Iterable[str]) -> tuple[JoinStep, ...]:
        """Return the steps that join every wanted table to `base`, in an order in which each left side is present."""
        here = [base]
        steps: list[JoinStep] = []
        for table in wanted:
            if table in here:
                continue
            for step in self._way(here, table):
                new = table_of(step.right)
                if new not in here:
                    here.append(new)
                    steps.append(step)
        return tuple(steps)

    def connected(self, base: str, table: str) -> bool:
        """Return whether a join path exists."""
        try:
            self._way([base], table)
        except DomainError:
            return False
        return True

    def distance(self, base: str, table: str) -> int:
        """Return the number of joins between two tables; 99 where no path exists."""
        if base == table:
            return 0
        return len(self._way([base], table)) if self.connected(base, table) else _FAR

    def _way(self, here: list[str], table: str) -> tuple[JoinStep, ...]:
        """Return the cheapest path from any table already present; ties go to the one declared first."""
        count = 0
        queue: list[tuple[float, int, str, tuple[JoinStep, ...]]] = [
            (0.0, n, start, ()) for n, start in enumerate(here)
        ]
        done: set[str] = set()
        while queue:
            cost, _, at, way = heapq.heappop(queue)
            if at == table:
                return self._only_way(way)
            if at in done:
                continue
            done.add(at)
            if at in self._views and way:
                continue
            for more, steps in self._edges.get(at, []):
                count += 1
                heapq.heappush(queue, (cost + more, len(here) + count, table_of(steps[-1].right), (*way, *steps)))
        raise DomainError(f"no join leads from {', '.join(here)} to {table}; declare one under [[join]]")

    def _only_way(self, way: tuple[JoinStep, ...]) -> tuple[JoinStep, ...]:
        """Return the path; raise DomainError if one of its tables refers to the other by two keys ("from" or "to")."""
        for step in way:
            pair = frozenset((table_of(step.left), table_of(step.right)))
            if len(columns := self._open.get(pair, [])) > 1:
                ways = " or ".join(columns)
                raise DomainError(f"{' and '.join(sorted(pair))} are joined by {ways}; declare one under [[join]]")
        return way


def table_of(column: str) -> str:
    return column.partition(".")[0]


def step_of(constraint: ForeignKeyConstraint) -> JoinStep:
    """Return the step along a foreign key, over all of its columns."""
    (left, right), *also = ((_written(key.parent), _written(key.column)) for key in constraint.elements)
    return JoinStep(left, right, tuple(also))


def _written(column: Column[Any]) -> str:
    return f"{written(column.table.name)}.{written(column.name)}"


def _last(end: str) -> tuple[JoinStep, ...]:
    return (read_step(end),) if "=" in end else ()


def _reversed(steps: tuple[JoinStep, ...]) -> tuple[JoinStep, ...]:
    return tuple(s.back for s in reversed(steps))


def labels(names: Sequence[str]) -> dict[str, str]:
    """Return a label for each column: its name, with its table or the column that refers to it if not unique."""
    short = [spelt(name.rpartition(".")[2]) for name in names]
    return {n: _longer(n) if short.count(s) > 1 else s for n, s in zip(names, short, strict=True)}


def _longer(name: str) -> str:
    path = read_path(name)
    before = path.steps[0].left.rpartition(".")[2] if path.steps else table_of(name)
    return spelt(f"{before}_{path.end.rpartition('.')[2]}")
