"""Warnings about reference answers that are legal but probably not intended.

The ratio 45 of 423 is printed as 0.1064 in the corpus of 1989; a system that answers the exact ratio is wrong by that.
"""

from collections.abc import Iterable
from typing import TextIO

import sqlglot
from sqlglot import exp

from corpus.formats.cas import Answer
from corpus.formats.cas_values import rounded
from evaluation.comparator.options import Options
from session.values.sanitize import inert

VALUES, WARNINGS = 3, 20


def rounds(statement: str, dialect: str) -> bool:
    """Return whether a statement rounds what it selects; the values of any other are as exact as the database has them."""
    tree = sqlglot.parse_one(statement, read=dialect)
    casts = [node for node in tree.find_all(exp.Cast) if node.to.this == exp.DataType.Type.DECIMAL]
    return bool(casts) or tree.find(exp.Round) is not None


def warn_of_rounding(references: Iterable[tuple[str, Answer | None]], options: Options, err: TextIO) -> None:
    """Write a warning for each reference, named by its place, that looks rounded; only a number of those past the first 20."""
    if options.digits is not None:
        return
    flagged = [
        (place, found) for place, one in references if one is not None and (found := rounded(one, options.epsilon))
    ]
    for place, found in flagged[:WARNINGS]:
        values = ", ".join(found[:VALUES]) + (f" and {len(found) - VALUES} more" if len(found) > VALUES else "")
        print(f"warning: {inert(place)}: looks rounded: {values}; the exact value could be scored wrong", file=err)
    if len(flagged) > WARNINGS:
        print(f"warning: {len(flagged) - WARNINGS} more references look rounded", file=err)
