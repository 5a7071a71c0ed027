"""Look at a statement as a tree before a server sees it, and write it again from that tree.

The second of two fences (the first is the role that the server knows), and the one that can say in words what is
wrong. sqlglot reads the statement; what it cannot read is refused, so that nothing passes by being odd. The server is
given what was read, not what was typed: a quotation mark that the two read differently hides nothing.
"""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.sandbox.cte_expansion import growth
from domain.sandbox.database_schema import Schema
from domain.sandbox.name_resolution import NameScope, Resolver
from domain.sandbox.name_spelling import spell_names
from domain.sandbox.number_growth import check_numbers
from domain.sandbox.statement_guard import Limits, tokens
from session.values.answers import FailureKind, QueryFailure

_READING = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery)
_NEVER = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Command, exp.Into, exp.Lock)
_DIALECT = "postgres"
_PIECE = 1_024  # characters of a number or of a column's text
_TEXTS = 16  # memory of a row's texts, in answers of the largest size


def approved(sql: str, schema: Schema, home: str, limits: Limits) -> str:
    """Return a statement that does the same as `sql`, for the server to run; raises `QueryFailure`.

    It is one reading statement over the tables of `schema`, which are in the server's schema `home`.
    """
    tree = _parsed(sql)
    spell_names(tree)
    _check_size(sql, tree, limits)
    Resolver(sql, schema, home, limits).query(tree, NameScope())
    return tree.sql(_DIALECT, comments=False)


def _parsed(sql: str) -> exp.Expression:
    try:
        parsed = [statement for statement in sqlglot.parse(sql, read=_DIALECT) if statement is not None]
    except SqlglotError as error:
        raise QueryFailure(FailureKind.SYNTAX, f"The query is not well formed: {_first_line(error)}.") from error
    if not parsed:
        raise QueryFailure(FailureKind.SYNTAX, "There is no query here: type a SELECT statement.")
    if len(parsed) > 1:
        raise QueryFailure(FailureKind.FORBIDDEN, "Only one statement at a time: remove what follows the semicolon.")
    tree = parsed[0]
    if not isinstance(tree, _READING) or tree.find(*_NEVER) is not None:
        raise QueryFailure(FailureKind.FORBIDDEN, "The database is read-only here; use SELECT.")
    return tree


def _first_line(error: SqlglotError) -> str:
    detail = getattr(error, "errors", None)
    if detail:
        return f"{detail[0].get('description', '')} near {detail[0].get('highlight', '')!r}".rstrip(".")
    return str(error).split("\n")[0].rstrip(".")[:200]


def _check_size(sql: str, tree: exp.Expression, limits: Limits) -> None:
    if sum(1 for _ in tree.find_all(exp.SetOperation)) >= limits.compounds:
        raise QueryFailure(
            FailureKind.TOO_LARGE, f"The query unites more than {limits.compounds} selections; use fewer."
        )
    longest = max((len(literal.name) for literal in tree.find_all(exp.Literal)), default=0)
    grown = growth(list(tokens(sql)))
    check_numbers(tree, grown)
    joined = sum(1 for _ in tree.find_all(exp.DPipe))
    # Whatever a chain of || makes on its way is kept until the row is done, so that memory grows with its square.
    made = max(longest, _PIECE) * joined**2 * grown
    if longest * grown > limits.bytes or made > _TEXTS * limits.bytes:
        raise QueryFailure(FailureKind.TOO_LARGE, "The query creates texts that are too long.")
