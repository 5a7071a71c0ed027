"""Looks at a statement as a tree before a server sees it: one query, the domain's tables, plain functions.

The second of two fences (the first is the role that the server knows), and the one that can say in words what is
wrong. sqlglot reads the statement; what it cannot read is refused, so that nothing passes by being odd.
"""

from collections.abc import Collection

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.sandbox.statement_guard import FUNCTIONS, Limits, refused_function, refused_table
from session.values.answers import FailureKind, QueryFailure

_READING = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery)
_NEVER = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Command, exp.Into, exp.Lock)
_NO_CALLS = (exp.And, exp.Or, exp.Xor, exp.Case, exp.If, exp.Cast, exp.Exists, exp.Array)
_SAME = {"arrayagg": "array_agg", "groupconcat": "group_concat", "stringagg": "string_agg", "ceil": "ceil"}


def check_parsed(sql: str, dialect: str, tables: Collection[str], limits: Limits) -> None:
    """Refuses all but one reading statement over `tables`; raises `QueryFailure`."""
    try:
        parsed = [each for each in sqlglot.parse(sql, read=dialect) if each is not None]
    except SqlglotError as error:
        raise QueryFailure(FailureKind.SYNTAX, f"The query is not well formed: {_first_line(error)}.") from error
    if not parsed:
        raise QueryFailure(FailureKind.SYNTAX, "There is no query here: type a SELECT statement.")
    if len(parsed) > 1:
        raise QueryFailure(FailureKind.FORBIDDEN, "Only one statement at a time: remove what follows the semicolon.")
    tree = parsed[0]
    if not isinstance(tree, _READING) or any(True for _ in tree.find_all(*_NEVER)):
        raise QueryFailure(FailureKind.FORBIDDEN, "The database is only read here, by SELECT.")
    _check_size(tree, limits)
    _check_functions(tree)
    _check_tables(tree, tables)


def _first_line(error: SqlglotError) -> str:
    detail = getattr(error, "errors", None)
    if detail:
        return f"{detail[0].get('description', '')} near {detail[0].get('highlight', '')!r}".rstrip(".")
    return str(error).split("\n")[0].rstrip(".")[:200]


def _check_size(tree: exp.Expression, limits: Limits) -> None:
    if sum(1 for _ in tree.find_all(exp.SetOperation)) >= limits.compounds:
        raise QueryFailure(
            FailureKind.TOO_LARGE, f"The query unites more than {limits.compounds} selections; use fewer."
        )
    for like in tree.find_all(exp.Like, exp.ILike, exp.SimilarTo, exp.RegexpLike, exp.RegexpILike):
        if isinstance(like, exp.Like | exp.ILike) and _short(like.expression, limits.pattern_characters):
            continue
        raise QueryFailure(FailureKind.TOO_LARGE, "A pattern must be a short text after LIKE.")


def _short(pattern: exp.Expression, longest: int) -> bool:
    return isinstance(pattern, exp.Literal | exp.Column) and len(pattern.name) <= longest


def _check_functions(tree: exp.Expression) -> None:
    for call in tree.find_all(exp.Func):
        if isinstance(call, _NO_CALLS):
            continue
        name = call.name if isinstance(call, exp.Anonymous) else call.sql_name()
        if isinstance(call.parent, exp.Dot) or _SAME.get(name.lower(), name.lower()) not in FUNCTIONS:
            raise refused_function(name.lower())


def _check_tables(tree: exp.Expression, tables: Collection[str]) -> None:
    known = {name.casefold() for name in tables} | {each.alias.casefold() for each in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier):
            raise refused_function(table.this.sql() if table.this else "")
        outside = bool(table.catalog) or table.db.casefold() not in ("", "public")
        system = table.name.casefold().startswith("pg_")
        if outside or (system and table.name.casefold() not in known):
            raise refused_table(".".join(filter(None, (table.catalog, table.db, table.name))))
