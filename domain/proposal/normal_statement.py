"""Statements in a normal form: the same condition always reads alike, however a wizard wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sqlglot import exp

_TURNED = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ, exp.NEQ: exp.NEQ}
_DENIED = {exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.GT: exp.LTE, exp.GTE: exp.LT, exp.LT: exp.GTE, exp.LTE: exp.GT}


def normal_form(tree: Any) -> Any:
    """Return a statement in normal form; the given one is not changed."""
    tree = _without_names(tree.copy())
    for select in [*tree.find_all(exp.Select)]:
        _outer_joins(select)
    return tree.transform(_normal)


def alternatives(tree: Any) -> Iterator[Any]:
    """Yield the conditions of which one must hold."""
    if isinstance(tree, exp.Paren):
        yield from alternatives(tree.this)
    elif isinstance(tree, exp.Or):
        yield from alternatives(tree.this)
        yield from alternatives(tree.expression)
    else:
        yield tree


def _normal(node: Any) -> Any:
    kind = type(node)
    if kind in _TURNED:
        left, right = node.this.unnest(), node.expression.unnest()
        if isinstance(left, exp.StrPosition) and isinstance(right, exp.Literal) and right.name in {"0", "1"}:
            part = left.args["substr"]
            like = exp.Like(this=left.this, expression=exp.Literal.string(f"%{part.name}%"))
            if isinstance(part, exp.Literal) and kind in {exp.GT, exp.GTE}:
                return like
            if isinstance(part, exp.Literal) and kind in {exp.EQ, exp.LT} and (kind is exp.LT or right.name == "0"):
                return exp.Not(this=like)
        if isinstance(left, exp.Literal | exp.Select | exp.Subquery) and not isinstance(right, exp.Literal):
            return _normal(_TURNED[kind](this=node.expression, expression=node.this))
        if kind in {exp.EQ, exp.NEQ} and isinstance(node.expression, exp.Subquery):
            inner = node.expression.unnest()
            aggregates = isinstance(inner, exp.Select) and inner.expressions[0].find(exp.AggFunc)
            if isinstance(left, exp.Column) and isinstance(inner, exp.Select) and not aggregates:
                found = exp.In(this=left, query=exp.Subquery(this=inner))
                return found if kind is exp.EQ else exp.Not(this=found)
    if isinstance(node, exp.Not):
        inside = node.this.unnest()
        if type(inside) in _DENIED:
            return _normal(_DENIED[type(inside)](this=inside.this, expression=inside.expression))
        if isinstance(inside, exp.Not):
            return inside.this
    if isinstance(node, exp.Or):
        return _one_of(node)
    return node


def _one_of(tree: Any) -> Any:
    """Return "x = 1 OR x = 2" as "x IN (1, 2)"."""
    parts = [part.unnest() for part in alternatives(tree)]
    values: list[Any] = []
    for part in parts:
        if isinstance(part, exp.EQ) and isinstance(part.expression, exp.Literal):
            values.append(part.expression)
        elif isinstance(part, exp.In) and part.expressions:
            values += part.expressions
        else:
            return tree
    if len({str(part.this) for part in parts}) != 1:
        return tree
    return exp.In(this=parts[0].this.copy(), expressions=[value.copy() for value in values])


def _without_names(tree: Any) -> Any:
    """Return a statement with the selections that it names by WITH in the places where they are named."""
    named = tree.args.get("with_") or tree.args.get("with")
    if named is None:
        return tree
    tree.set("with_" if tree.args.get("with_") else "with", None)
    for one in named.expressions:
        for table in [*tree.find_all(exp.Table)]:
            if table.name == one.alias:
                alias = exp.TableAlias(this=exp.to_identifier(table.alias_or_name))
                table.replace(exp.Subquery(this=one.this.copy(), alias=alias))
    return tree


def _outer_joins(select: Any) -> None:
    """Remove the outer joins of a selection: what must be absent there becomes NOT EXISTS, what is not mentioned is left out."""
    for join in [*(select.args.get("joins") or ())]:
        on = join.args.get("on")
        if join.args.get("side") != "LEFT" or not isinstance(join.this, exp.Table) or on is None:
            continue
        name = join.this.alias_or_name
        where = select.args.get("where")
        absent = [test for test in (where.find_all(exp.Is) if where else ()) if _absent(test, name)]
        if absent:
            there = exp.select("1").from_(join.this.copy()).where(on.copy())
            absent[0].replace(exp.Not(this=exp.Exists(this=there)))
            join.pop()
        elif not any(column.table == name for column in _outside(select, join)):
            join.pop()


def _absent(test: Any, name: str) -> bool:
    plain = isinstance(test.this, exp.Column) and isinstance(test.expression, exp.Null)
    return plain and test.this.table == name and not isinstance(test.parent, exp.Not)


def _outside(select: Any, join: Any) -> Iterable[Any]:
    return (column for column in select.find_all(exp.Column) if column.find_ancestor(exp.Join) is not join)
