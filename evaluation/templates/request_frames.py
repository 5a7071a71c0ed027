"""Frames of requests: what the statements made of a wizard's sentences (`.win`) ask for, of what, under which conditions.

A system's understanding can be scored so without a database: its statements become frames too, and these are held against one
another slot by slot. Each interpretation is a frame of its own.
"""

from collections.abc import Iterator
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from corpus.formats import win
from corpus.formats.errors import FormatFault
from evaluation.templates.filled import Filled


def frames(folder: Path) -> list[Filled]:
    """Return the frames of all utterances of a folder or a corpus that have a `.win`, by the `.sql` beside it; of a folder
    without any `.win`, of every `.sql`. Raises `FormatFault`."""
    sentences = sorted(folder.rglob("*.win"))
    for path in sentences:
        win.parse(path.read_bytes(), str(path))
        if not path.with_suffix(".sql").is_file():
            raise FormatFault(str(path), 0, "no .sql beside it", "make it: curtain answers --sentences")
    statements = [path.with_suffix(".sql") for path in sentences] or sorted(folder.rglob("*.sql"))
    if not statements:
        raise FormatFault(
            str(folder), 0, "no request in it", "name a corpus with .win and .sql files, or a folder of .sql"
        )
    return [frame for path in statements for frame in _of_file(path)]


def _of_file(path: Path) -> Iterator[Filled]:
    try:
        parsed = [each for each in sqlglot.parse(path.read_text("utf-8"), read="sqlite") if each is not None]
    except (SqlglotError, UnicodeDecodeError) as error:
        found = str(error).splitlines()[0]
        raise FormatFault(str(path), 0, f"no SQL: {found}", "write a statement for each interpretation") from None
    for statement in parsed:
        names = _names(statement)
        fills = {
            "REQUEST": (path.stem.upper(),),
            "ASKS": tuple(dict.fromkeys(_text(each, names) for each in getattr(statement, "selects", ()))),
            "TABLES": tuple(dict.fromkeys(table.name.upper() for table in statement.find_all(exp.Table))),
            "CONDITIONS": tuple(dict.fromkeys(_text(each, names) for each in _conditions(statement))),
        }
        lines = dict.fromkeys(fills, 0)
        yield Filled(fills["REQUEST"][0], {name: values for name, values in fills.items() if values}, lines, str(path))


def _names(statement: exp.Expr) -> dict[str, str]:
    return {table.alias_or_name: table.name for table in statement.find_all(exp.Table)}


def _conditions(statement: exp.Expr) -> Iterator[exp.Expr]:
    """Yield what must hold, joins and conditions on groups too, each part of a conjunction by itself."""
    for clause in statement.find_all(exp.Where, exp.Having, exp.Join):
        condition = clause.args.get("on") if isinstance(clause, exp.Join) else clause.this
        if condition is not None:
            yield from (
                (each.unnest() for each in condition.flatten()) if isinstance(condition, exp.And) else (condition,)
            )


def _text(expression: exp.Expr, names: dict[str, str]) -> str:
    """An expression in capitals, aliases of tables resolved; the sides of an equation in order."""
    copy = expression.copy()
    for column in copy.find_all(exp.Column):
        if column.table in names:
            column.set("table", exp.to_identifier(names[column.table]))
    if isinstance(copy, exp.EQ):
        return " = ".join(sorted(side.sql("sqlite").upper() for side in (copy.left, copy.right)))
    return copy.unalias().sql("sqlite").upper()
