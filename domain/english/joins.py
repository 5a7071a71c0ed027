"""How tables hang together: the shortest way between two of them over keys and what the domain declares."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from sqlalchemy import MetaData

from domain.english.model import DomainError, DomainModel, Step, read_path


class JoinPlanner:
    """Finds the equalities that connect tables; declared joins win over found ones. Unchanged once built."""

    def __init__(self, model: DomainModel, schema: MetaData) -> None:
        self._declared: dict[frozenset[str], tuple[Step, ...]] = {}
        self._edges: dict[str, list[Step]] = {}
        for join in model.join:
            path = read_path(join.path)
            steps = (*path.steps, *_last(path.end))
            self._check(schema, steps)
            self._declared[frozenset(join.tables)] = steps
            if len(steps) == 1:
                self._edge(steps[0])
        for table in schema.tables.values():
            for key in table.foreign_keys:
                left = f"{table.name}.{key.parent.name}"
                right = f"{key.column.table.name}.{key.column.name}"
                self._edge(Step(left, right))

    def _check(self, schema: MetaData, steps: Iterable[Step]) -> None:
        for step in steps:
            for side in (step.left, step.right):
                table, _, column = side.partition(".")
                if table not in schema.tables or column not in schema.tables[table].c:
                    raise DomainError(f"[[join]] {side!r}: the database has no such column")

    def _edge(self, step: Step) -> None:
        self._edges.setdefault(table_of(step.left), []).append(step)
        self._edges.setdefault(table_of(step.right), []).append(Step(step.right, step.left))

    def connect(self, base: str, wanted: Iterable[str]) -> tuple[Step, ...]:
        """Equalities that join every wanted table to `base`, each with its left side already there."""
        here = [base]
        steps: list[Step] = []
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
        """Whether a way exists at all."""
        try:
            self._way([base], table)
        except DomainError:
            return False
        return True

    def _way(self, here: list[str], table: str) -> tuple[Step, ...]:
        for start in here:
            steps = self._declared.get(frozenset((start, table)))
            if steps:
                return steps if table_of(steps[0].left) == start else _reversed(steps)
        before: dict[str, Step | None] = dict.fromkeys(here)
        queue = deque(here)
        while queue:
            at = queue.popleft()
            if at == table:
                break
            for step in self._edges.get(at, []):
                if table_of(step.right) not in before:
                    before[table_of(step.right)] = step
                    queue.append(table_of(step.right))
        if table not in before:
            raise DomainError(f"no join leads from {', '.join(here)} to {table}; declare one under [[join]]")
        way: list[Step] = []
        step_ = before[table]
        while step_ is not None:
            way.append(step_)
            step_ = before[table_of(step_.left)]
        return tuple(reversed(way))


def table_of(column: str) -> str:
    return column.partition(".")[0]


def _last(end: str) -> tuple[Step, ...]:
    left, _, right = (side.strip() for side in end.partition("="))
    return (Step(left, right),) if right else ()


def _reversed(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    return tuple(Step(s.right, s.left) for s in reversed(steps))
