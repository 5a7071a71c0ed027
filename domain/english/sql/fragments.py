"""SQL fragments of principles, compiled to conditions: placeholders filled in, constant arithmetic evaluated.

Supported are comparisons, AND, OR, BETWEEN, the four arithmetic operations and the remainder.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import sqlglot
from sqlalchemy import ColumnElement, and_, or_
from sqlglot import exp
from sqlglot.errors import SqlglotError

from domain.english.model.domain import DomainError

_OPERATIONS: Mapping[type[Any], Callable[[Any, Any], Any]] = {
    exp.EQ: operator.eq,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.And: and_,
    exp.Or: or_,
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.Div: operator.truediv,
    exp.Mod: operator.mod,
}
_COMPARISONS = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE)


def compile_fragments(
    fragments: Sequence[str], blanks: Mapping[str, Any], held: Callable[[Any], Any] = lambda n: n
) -> Any:
    """Return the condition that any of the fragments holds; raise DomainError for an unsupported one.

    `held` converts a number to what the column stores.
    """
    parts = [_made(_parsed(fragment), blanks, held) for fragment in fragments]
    return or_(*parts) if len(parts) > 1 else parts[0]


@lru_cache(maxsize=256)
def _parsed(fragment: str) -> Any:
    try:
        return sqlglot.parse_one(fragment.replace("{", "blank_").replace("}", ""), read="sqlite")
    except SqlglotError as error:
        raise DomainError(f"the fragment {fragment!r} cannot be read: {error}") from error


def _made(tree: Any, blanks: Mapping[str, Any], held: Callable[[Any], Any]) -> Any:
    match tree:
        case exp.Paren():
            return _made(tree.this, blanks, held)
        case exp.Literal():
            return Decimal(tree.name) if "." in tree.name else int(tree.name)
        case exp.Column() if tree.name.removeprefix("blank_") in blanks:
            return blanks[tree.name.removeprefix("blank_")]
        case exp.Between():
            low, high = (_value(tree.args[end], blanks, held) for end in ("low", "high"))
            found: ColumnElement[bool] = _made(tree.this, blanks, held).between(low, high)
            return found
    operation = _OPERATIONS.get(type(tree))
    if operation is None:
        raise DomainError(f"the fragment {tree.sql()!r} of a principle has what cannot be followed")
    made = _value if isinstance(tree, _COMPARISONS) else _made
    return operation(made(tree.this, blanks, held), made(tree.expression, blanks, held))


def _value(tree: Any, blanks: Mapping[str, Any], held: Callable[[Any], Any]) -> Any:
    """Return one side of a comparison; a number is converted to what the column stores."""
    found = _made(tree, blanks, held)
    return found if isinstance(found, ColumnElement) else held(found)
