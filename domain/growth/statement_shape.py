"""Shape of a statement, which tells apart statements that return the same rows by chance, such as all of one book and the
cheapest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec
import sqlglot
from sqlglot import exp

from session.values.answers import Table

_OPS = {exp.GT: ">", exp.LT: "<", exp.GTE: ">=", exp.LTE: "<=", exp.Between: "between", exp.NEQ: "not", exp.Not: "not"}


class StatementShape(msgspec.Struct, frozen=True):
    """The aggregates, comparisons and negations of a statement, and the number of values it selects by."""

    calculates: frozenset[str] = frozenset()
    compares: frozenset[str] = frozenset()
    chosen_by: int = 0
    limited: bool = False


@lru_cache(maxsize=1 << 14)
def shape_of(statement: str, dialect: str) -> StatementShape | None:
    """Return the shape of a statement; None for what is not SQL."""
    tree = _parsed(statement, dialect)
    if tree is None:
        return None
    return StatementShape(
        frozenset(found.key for found in tree.find_all(exp.AggFunc)),
        frozenset(_OPS[type(found)] for found in tree.find_all(*_OPS)),
        len(_literals_in(tree)),
        tree.find(exp.Limit) is not None,
    )


def literals_of(statement: str, dialect: str) -> set[str]:
    """Return the literals of a statement in lower case; empty for what is not SQL."""
    tree = _parsed(statement, dialect)
    return set() if tree is None else _literals_in(tree)


def _parsed(statement: str, dialect: str) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(statement, read=dialect)
    except sqlglot.errors.SqlglotError:
        return None


def _literals_in(tree: exp.Expr) -> set[str]:
    return {literal.name.lower() for literal in tree.find_all(exp.Literal)}


def same_rows(sent: Table, found: Table, minimal: Sequence[str]) -> bool:
    """Return whether the rows are the same in the minimal columns, or in the columns that were sent, by name."""
    names = [column.lower() for column in found.columns]
    rows = {tuple(map(str, row)) for row in sent.rows}
    at = [names.index(column.lower()) for column in minimal if column.lower() in names] or list(range(len(names)))
    if {tuple(sorted(row)) for row in rows} == {tuple(sorted(str(row[n]) for n in at)) for row in found.rows}:
        return True
    columns = [column.lower() for column in sent.columns]
    if not {*columns} <= {*names}:
        return False
    return rows == {tuple(str(row[names.index(column)]) for column in columns) for row in found.rows}
