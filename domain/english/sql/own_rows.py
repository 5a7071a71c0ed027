"""Comparisons of a row with the row of the same table to which it refers: whoever earns more than his boss."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, exists

from domain.english.model.domain import DomainModel, read_path
from domain.english.model.meaning import Compared
from domain.english.sql.comparisons import Frame


def beyond_its_own(model: DomainModel, compared: Compared, frame: Frame, there: Frame) -> ColumnElement[bool]:
    """Return whether a column is above or below that of the row in `there` to which an attribute leads."""
    steps = read_path(model.attribute[compared.through].select[0]).steps
    own, value = frame.column(compared.column), there.column(compared.column)
    on = [frame.column(left) == there.column(right) for left, right in steps[0].pairs]
    return exists().where(*on, beyond(own, value, compared.op))


def beyond(column: ColumnElement[Any], other: ColumnElement[Any], op: str) -> ColumnElement[bool]:
    """The column above or below another."""
    return column > other if op == ">" else column < other
