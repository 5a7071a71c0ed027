"""Statements that count or aggregate per group.

`filled` adds FROM and WHERE to a selection; `own` are the columns to group by. Rows are counted once per key, however
often a join repeats them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Label, Select, func, select

Filled = Callable[[Select[Any]], Select[Any]]


def tallied(
    own: Sequence[ColumnElement[Any]], other: Sequence[ColumnElement[Any]], filled: Filled
) -> tuple[Select[Any], Sequence[ColumnElement[Any]], Label[int]]:
    """Return a statement that counts distinct keys `other` for each `own`, the grouping columns in it, and the count."""
    if len(other) == 1:
        counted = func.count(other[0].distinct()).label("count")
        return filled(select(*own, counted)).group_by(*own), own, counted
    parts = [c.label(f"part_{n}") for n, c in enumerate(other)]
    rows = filled(select(*own, *parts)).distinct().subquery()
    columns = list(rows.c)[: len(own)]
    # COUNT ignores the NULL keys of outer rows.
    counted = func.count(rows.c.part_0).label("count")
    return select(*columns, counted).group_by(*columns), columns, counted


def aggregated(
    own: Sequence[ColumnElement[Any]],
    other: Sequence[ColumnElement[Any]],
    value: ColumnElement[Any],
    name: str,
    filled: Filled,
) -> tuple[Select[Any], Sequence[ColumnElement[Any]], Label[Any]]:
    """Return a statement with the avg, sum, max or min of a value over rows with keys `other`, for each `own`."""
    parts = [c.label(f"part_{n}") for n, c in enumerate((*other, value))]
    rows = filled(select(*own, *parts)).distinct().subquery()
    columns = list(rows.c)[: len(own)]
    whole = getattr(func, name)(list(rows.c)[-1]).label(name)
    return select(*columns, whole).group_by(*columns), columns, whole
