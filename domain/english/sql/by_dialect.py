"""Expressions that differ between databases: years since a date, and substring tests.

Dates are stored as ISO text or as dates, and SQL has no portable subtraction for them. LIKE ignores case in SQLite only.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Double, literal
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

DAYS_A_YEAR = 365.25


class YearsSince(FunctionElement[float]):
    """The number of years (of 365.25 days) between a column's date and `today`."""

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


class Contains(FunctionElement[bool]):
    """True if a column contains a substring; case-sensitive."""

    type = Boolean()
    name = "contains"
    inherit_cache = True

    def __init__(self, column: ColumnElement[Any], part: str) -> None:
        super().__init__(column, literal(part))


@compiles(Contains)
def _by_position(element: Contains, compiler: SQLCompiler, **options: Any) -> str:
    text, part = (compiler.process(clause, **options) for clause in element.clauses)
    return f"(position({part} in {text}) > 0)"


@compiles(Contains, "sqlite")
def _by_instr(element: Contains, compiler: SQLCompiler, **options: Any) -> str:
    text, part = (compiler.process(clause, **options) for clause in element.clauses)
    return f"(instr({text}, {part}) > 0)"
