"""Single tests of a statement: one column held against literals, in the order in which they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlglot import exp

from domain.proposal.statement_parts import literal_of
from domain.proposal.statement_scope import ColumnMention, Node, Tables

_OPS = {exp.EQ: "=", exp.NEQ: "<>", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
_PARTS_OF_DATES = {"%m": "month", "%Y": "year"}
_PIECES_OF_DATES = {("6", "2"): "month", ("1", "4"): "year"}
Levels = tuple[int, ...]


class Tested(msgspec.Struct, frozen=True, eq=False):
    """A test of a column; `part` names the part of a date that is tested, `other` the column on its right."""

    place: ColumnMention
    op: str
    values: tuple[str | int | float, ...]
    tree: Any
    other: ColumnMention | None = None
    part: str = ""

    @property
    def column(self) -> str:
        return f"{self.place.table}.{self.place.column}"

    @property
    def texts(self) -> list[str]:
        return [str(value) for value in self.values]


def tests_of(tables: Tables, tree: Any, at: Levels) -> list[Tested]:
    """Return a condition as tests which must all hold; nothing if it is none."""
    if isinstance(tree, exp.Between):
        ends = tree.args["low"], tree.args["high"]
        tests = [_compared(tables, tree.this, op, (end,), tree, at) for op, end in zip((">=", "<="), ends, strict=True)]
        return [test for test in tests if test] if all(tests) else []
    found = _test(tables, tree, at)
    return [found] if found else []


def _test(tables: Tables, tree: Any, at: Levels) -> Tested | None:
    negated = isinstance(tree, exp.Not)
    inside = tree.this.unnest() if negated else tree
    if isinstance(inside, exp.In) and inside.expressions:
        return _compared(tables, inside.this, "<>" if negated else "=", inside.expressions, tree, at)
    if isinstance(inside, exp.Like):
        return _like(tables, inside, negated, tree, at)
    if isinstance(inside, exp.Is) and isinstance(inside.expression, exp.Null):
        place = tables.place(inside.this, at) if isinstance(inside.this, exp.Column) else None
        return Tested(place, "is not null" if negated else "is null", (), tree) if place else None
    op = _OPS.get(type(inside), "")
    return None if negated or not op else _compared(tables, inside.this, op, (inside.expression,), tree, at)


def _compared(tables: Tables, left: Any, op: str, right: Sequence[Any], tree: Any, at: Levels) -> Tested | None:
    column, part = _dated(left)
    place = tables.place(column, at) if isinstance(column, exp.Column) else None
    if place is None:
        return None
    if len(right) == 1 and isinstance(right[0].unnest(), exp.Column) and not part:
        other = tables.place(right[0].unnest(), at)
        return Tested(place, op, (), tree, other) if other else None
    literals = [literal_of(one.unnest()) for one in right]
    if any(one is None for one in literals):
        return None
    return Tested(place, op, tuple(one for one in literals if one is not None), tree, part=part)


def _dated(tree: Any) -> tuple[Any, str]:
    """Return the column of an expression, and the part of its date that the expression takes."""
    tree = tree.unnest()
    while isinstance(tree, exp.Cast | exp.TsOrDsToTimestamp | exp.Date | exp.TsOrDsToDate):
        tree = tree.this.unnest()
    if isinstance(tree, exp.TimeToStr):
        return _dated(tree.this)[0], _PARTS_OF_DATES.get(tree.args["format"].name, "?")
    if isinstance(tree, exp.Substring) and tree.args.get("length") is not None:
        return _dated(tree.this)[0], _PIECES_OF_DATES.get((tree.args["start"].name, tree.args["length"].name), "?")
    return tree, ""


def _like(tables: Tables, inside: Any, negated: bool, tree: Any, at: Levels) -> Tested | None:
    place = tables.place(inside.this, at) if isinstance(inside.this, exp.Column) else None
    if place is None or not isinstance(inside.expression, exp.Literal):
        return None
    text = inside.expression.name
    if len(text) == len("1956-%") and text[:4].isdigit() and text[4:] == "-%":
        return Tested(place, "<>" if negated else "=", (text[:4],), tree, part="year")
    return Tested(place, "not like" if negated else "like", (text,), tree)


def by_column(tests: Sequence[Tested]) -> Iterator[list[Tested]]:
    """Yield the tests of one column of one table together."""
    groups: dict[tuple[Node, str, str], list[Tested]] = {}
    for test in tests:
        groups.setdefault((test.place.node, test.place.column, test.part), []).append(test)
    yield from groups.values()
