"""Readings of requests, and what the annotation of one says about others: ambiguity, arithmetic, and what depends on what.

A request is ambiguous if and only if the SQL of two of its readings differs (Boisen & Bates 1992, appendix B 1.4); that the
answers happen to be equal does not matter. Whatever depends on an unevaluable request is unevaluable itself
(MADCOW 1993, section 5), but a request that depends on the first stays evaluable when one between is not.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Sum, exp.Avg)


class UnreadableSql(ValueError):
    """SQL that cannot be read."""


def normal(sql: str, *, dialect: str = "sqlite") -> str:
    """SQL so that statements that differ only in names of aliases, order of conditions, case or layout are the same."""
    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError as error:
        raise UnreadableSql(str(error).splitlines()[0]) from error
    tree = tree.copy()
    aliases: dict[str, str] = {}
    for table in tree.find_all(exp.Table, bfs=False):
        name, alias = table.name.lower(), table.alias_or_name.lower()
        aliases[alias] = f"{name}#{sum(1 for other in aliases.values() if other.startswith(name + '#'))}"
        table.set("alias", None)
        table.set("this", exp.to_identifier(aliases[alias]))
    for identifier in tree.find_all(exp.Identifier):
        name = identifier.name.lower()
        holder = identifier.parent
        column = isinstance(holder, exp.Column) and holder.args.get("table") is identifier
        identifier.set("this", aliases.get(name, name) if column else name)
        identifier.set("quoted", False)
    for equation in list(tree.find_all(exp.EQ)):
        if equation.expression.sql() < equation.this.sql():
            equation.replace(exp.EQ(this=equation.expression.copy(), expression=equation.this.copy()))
    _order(tree, exp.And)
    _order(tree, exp.Or)
    return tree.sql()


def _order(tree: Any, kind: type[exp.And] | type[exp.Or]) -> None:
    """Put the parts of every AND or OR in order; sqlglot names the type of its trees differently between versions."""
    for condition in list(tree.find_all(kind)):
        if isinstance(condition.parent, kind):
            continue
        pieces = sorted((piece.copy() for piece in condition.flatten()), key=lambda piece: str(piece.sql()))
        whole = pieces[0]
        for piece in pieces[1:]:
            whole = kind(this=whole, expression=piece)
        condition.replace(whole)


def distinct(readings: Sequence[str], *, dialect: str = "sqlite") -> list[str]:
    """The readings whose SQL differs, in their order; more than one means that the request is ambiguous."""
    found: dict[str, str] = {}
    for sql in readings:
        found.setdefault(normal(sql, dialect=dialect), sql)
    return list(found.values())


def arithmetic(sql: str, *, dialect: str = "sqlite") -> list[str]:
    """Arithmetic that the principles of 1992 do not allow (2.16); comparing, counting, least and greatest are allowed."""
    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError as error:
        raise UnreadableSql(str(error).splitlines()[0]) from error
    found = [node for node in tree.walk() if isinstance(node, _ARITHMETIC)]
    return [node.sql() for node in found if not (isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal))]


class Query(msgspec.Struct, frozen=True):
    """A request of a session: its class, the earlier requests of which any one gives its context, and whether it replies.

    A reply to a question of the system is unevaluable whatever its class: no other system has asked that question
    (MADCOW 1993, section 3).
    """

    name: str
    category: str
    context: tuple[str, ...] = ()
    responding: bool = False


def unevaluable(queries: Sequence[Query]) -> Mapping[str, str]:
    """For every request that is X by itself or by what it depends on, why; queries in the order of the session.

    Raises ValueError for a pointer to a request that has not come before.
    """
    found: dict[str, str] = {}
    known: set[str] = set()
    for query in queries:
        strangers = [name for name in query.context if name not in known]
        if strangers:
            raise ValueError(f"{query.name} depends on {', '.join(strangers)}, which did not come before it")
        known.add(query.name)
        if query.category == "X":
            found[query.name] = "class X"
        elif query.responding:
            found[query.name] = "it responds to a question of the system; class it X"
        elif query.context and all(name in found for name in query.context):
            found[query.name] = f"depends on {' and '.join(query.context)}, which is not evaluable"
    return found
