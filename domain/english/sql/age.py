"""Years between a date in the database and a given day, in the words of each database.

Dates are kept as ISO text or as dates; SQL has no common way to subtract them.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Double, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

DAYS_A_YEAR = 365.25


class YearsSince(FunctionElement[float]):
    """How many years (of 365.25 days) lie between a column's date and `today`."""

    type = Double()
    name = "years_since"
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any], today: date) -> None:
        super().__init__(column, literal(today.isoformat()))


@compiles(YearsSince)
def _by_dates(element: YearsSince, compiler: SQLCompiler, **options: Any) -> str:
    then, now = (compiler.process(part, **options) for part in element.clauses)
    return f"((CAST({now} AS DATE) - CAST({then} AS DATE)) / {DAYS_A_YEAR})"


@compiles(YearsSince, "sqlite")
def _by_julian_days(element: YearsSince, compiler: SQLCompiler, **options: Any) -> str:
    then, now = (compiler.process(part, **options) for part in element.clauses)
    return f"((julianday({now}) - julianday({then})) / {DAYS_A_YEAR})"
