"""Size of the numbers that a statement can make on a server, before one is made.

PostgreSQL keeps up to 131,072 digits before the point, needs a quarter of a second to multiply two numbers of half
that, and looks at neither clock nor orders until the row is done. Numbers come from what is written as a number, from
texts that are read as one ('1e65000'), and from multiplying; what they can cost at most is estimated here, from above.
"""

import re
from collections.abc import Iterable

from sqlglot import exp

from session.values.answers import FailureKind, QueryFailure

_LONGEST_NUMBER = 50  # digits as written
_LARGEST_EXPONENT = 308  # that of double precision
_COMMON_NUMBER = 20  # digits of a column's values: those of a large integer
_MOST_DIGITS = 131_072
_MOST_STEPS = 500_000_000  # in one row; about half a second
_DIGITS_AT_ONCE = 4
_NUMBER_IN_TEXT = re.compile(r"\s*[+-]?(?P<digits>[\w.]*?)(?:[eE](?P<exponent>[+-]?[\d_]+))?\s*", re.ASCII)
_EXPONENT_IN_TEXT = re.compile(r"[\d.][eE][+-]?\d{3}", re.ASCII)
_EXACT = exp.DataType.Type.DECIMAL


def check_numbers(tree: exp.Expression, grown: int) -> None:
    """Refuse numbers that are too large, and products that could become so; `grown` is `cte_expansion.growth`'s."""
    literals = [each for each in tree.find_all(exp.Literal) if not (each.is_string and _is_compared(each))]
    digits = max((_digits(literal) for literal in literals), default=0)
    multiplied = sum(1 for _ in tree.find_all(exp.Mul, exp.Div, exp.Mod)) * grown
    if multiplied and _makes_exponents(tree, literals):
        raise QueryFailure(
            FailureKind.TOO_LARGE,
            "A number made from texts may be too large to multiply; cast it to double precision.",
        )
    words = min(_MOST_DIGITS, max(digits, _COMMON_NUMBER) * (multiplied + 1)) // _DIGITS_AT_ONCE
    if multiplied * words**2 > _MOST_STEPS:
        raise QueryFailure(FailureKind.TOO_LARGE, "The query multiplies numbers until they are too large.")


def _is_compared(literal: exp.Literal) -> bool:
    """Return whether a text is only compared, as the code '9E3456' is, and becomes no part of a number."""
    return isinstance(literal.parent, exp.Predicate)


def _digits(literal: exp.Literal) -> int:
    """Return how many digits a number has that is written, or that a text would be read as; 0 for other texts."""
    found = _NUMBER_IN_TEXT.fullmatch(literal.name)
    if found is None or not (found["digits"][:1].isdecimal() or found["digits"][:1] == "."):
        return 0
    exponent = (found["exponent"] or "0").replace("_", "").lstrip("+-")
    large = len(exponent) > len(str(_LARGEST_EXPONENT)) or int(exponent or 0) > _LARGEST_EXPONENT
    if not literal.is_string and (large or len(found["digits"]) > _LONGEST_NUMBER):
        raise QueryFailure(FailureKind.TOO_LARGE, "A number of the query is too large.")
    return _MOST_DIGITS if large else len(found["digits"]) + int(exponent or 0)


def _makes_exponents(tree: exp.Expression, literals: Iterable[exp.Literal]) -> bool:
    """Return whether texts might be put together, or taken apart, into a number with an exponent of any size."""
    exact = (cast for cast in tree.find_all(exp.Cast) if cast.args["to"].this is _EXACT)
    if all(isinstance(cast.this.unnest(), exp.Literal) for cast in exact):
        return False
    made = tree.find(exp.DPipe) is not None
    return made or (
        tree.find(exp.Substring) is not None and any(_EXPONENT_IN_TEXT.search(each.name) for each in literals)
    )
