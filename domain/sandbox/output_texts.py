"""Texts that a statement itself puts on the screen, beside what it reads from the database: literals and names of columns.

A wizard who may not write to the subject could write a sentence into a statement; conditions show nothing, so what they compare
with is no such text.
"""

import re
from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

_CONDITIONS = (
    exp.Where, exp.Having, exp.Group, exp.Order, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like, exp.ILike, exp.In,
    exp.Between, exp.Is, exp.Not, exp.And, exp.Or, exp.Exists, exp.Escape, exp.Glob,
)  # fmt: skip
_QUOTED = re.compile(r"'((?:[^']|'')*)'|\"((?:[^\"]|\"\")*)\"")


def output_texts(sql: str, dialect: str) -> tuple[str, ...]:
    """Return the texts, each once, in their order; of a statement that cannot be read, all that is in quotes.

    >>> sorted(output_texts("SELECT name AS city, 'ask for names' FROM city WHERE state = 'CO'", "sqlite"))
    ['ask for names', 'city']
    """
    try:
        statements = [tree for tree in sqlglot.parse(sql, read=dialect) if tree is not None]
    except (SqlglotError, RecursionError):
        return tuple(dict.fromkeys(one or other for one, other in _QUOTED.findall(sql)))
    found = (text for tree in statements for text in _of(tree))
    return tuple(dict.fromkeys(text for text in found if text.strip()))


def _of(tree: exp.Expr) -> Iterator[str]:
    for node in tree.walk():
        if isinstance(node, exp.Literal) and node.is_string and not _compared(node):
            yield str(node.this)
        elif isinstance(node, exp.HexString):
            yield _decoded(str(node.this))
        elif isinstance(node, exp.Alias):
            yield node.alias
        elif isinstance(node, exp.TableAlias):
            yield from (column.name for column in node.args.get("columns") or ())
        elif isinstance(node, exp.Column) and _unread(node):
            yield node.name
        elif isinstance(node, exp.Select):
            yield from _headings(node)


def _headings(select: exp.Select) -> Iterator[str]:
    """Yield the string literals and comments of unnamed columns, since such a column's name repeats its expression."""
    for column in select.expressions:
        if not isinstance(column, exp.Alias | exp.Column | exp.Star):
            for node in column.walk():
                yield from node.comments or ()
                if isinstance(node, exp.Literal) and node.is_string:
                    yield str(node.this)


def _decoded(digits: str) -> str:
    try:
        return bytes.fromhex(digits).decode("utf-8", "replace")
    except ValueError:
        return digits


def _unread(column: exp.Column) -> bool:
    """Return whether what reads as a column may be a text: SQLite takes a name in double quotes that no table has for one."""
    name = column.this
    return isinstance(name, exp.Identifier) and bool(name.quoted) and not column.table and not _compared(column)


def _compared(node: exp.Expr) -> bool:
    """Return whether a node only decides which rows there are, or what is true."""
    child, parent = node, node.parent
    while parent is not None:
        if isinstance(parent, _CONDITIONS) or (isinstance(parent, exp.Join) and child.arg_key == "on"):
            return True
        child, parent = parent, parent.parent
    return False
