"""Databases that differ from the domain's in everything but their shape, to show answers that are right by luck.

Flights to Denver on Tuesday and on Wednesday are the same flights when all are daily (MADCOW 1993, section 3): a system
that hears the wrong day is right. In a copy where the values of every describing column have changed places, such an
answer differs from the reference. Keys and codes, by which tables hang together, stay.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

LINKS = ("_id", "_code", "_codes")


class Unfit(ValueError):
    """A database that cannot be perturbed, or a target that exists."""


def perturb(source: Path, target: Path, seed: int) -> list[str]:
    """Copy a SQLite database with values shuffled within their columns; the columns changed, as table.column.

    Keys, columns whose names end in _id, _code or _codes, and names that differ in every row stay. The same seed gives the same
    copy. Raises Unfit.
    """
    if not source.is_file():
        raise Unfit(f"{source}: there is no such database")
    if target.exists():
        raise Unfit(f"{target} exists already; name another file, nothing is overwritten")
    changed: list[str] = []
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            new.execute("PRAGMA synchronous = OFF")
            old.backup(new)
            for table, key, columns in _free_columns(new):
                if columns:
                    _shuffle(new, table, key, columns, seed)
                changed += [f"{table}.{column}" for column in columns]
            new.commit()
    except sqlite3.DatabaseError as error:
        raise Unfit(f"{source}: {error}") from error
    return changed


def _free_columns(database: sqlite3.Connection) -> Iterator[tuple[str, list[str], list[str]]]:
    """Every table with what tells its rows apart (the key, or SQLite's own number) and the columns to shuffle."""
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for table in names:
        if table.startswith("sqlite_"):
            continue
        columns = database.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
        linking = {row[3] for row in database.execute("SELECT * FROM pragma_foreign_key_list(?)", (table,))}
        free = [name for name, key in columns if not key and name not in linking and not name.endswith(LINKS)]
        if len(free) < len(columns):  # there is a key or a code that could be asked for by name
            free = [name for name in free if not _names_rows(database, table, name)]
        yield table, [name for name, key in columns if key] or ["rowid"], free


def _names_rows(database: sqlite3.Connection, table: str, column: str) -> bool:
    """Return whether a column names the rows, as an airline's name does its code: text, and another in every row.

    To ask by the name is then to ask by the code, which a copy that shuffled names against codes would call luck.
    """
    count = f"SELECT COUNT(*), COUNT(DISTINCT {_quoted(column)}), SUM(typeof({_quoted(column)}) = 'text') FROM {_quoted(table)}"
    rows, different, texts = database.execute(count).fetchone()
    return bool(rows > 1 and rows == different == texts)


def _shuffle(database: sqlite3.Connection, table: str, key: list[str], columns: list[str], seed: int) -> None:
    home, names = _quoted(table), [_quoted(column) for column in columns]
    order = ["rowid"] if key == ["rowid"] else [_quoted(one) for one in key]
    rows = database.execute(f"SELECT {', '.join(names + order)} FROM {home} ORDER BY {', '.join(order)}").fetchall()
    if not rows:
        return
    places = list(zip(*rows, strict=True))
    mixed = [list(values) for values in places[: len(columns)]]
    for column, values in zip(columns, mixed, strict=True):
        random.Random(f"{seed} {table} {column}").shuffle(values)
    settings, where = (", ".join(f"{name} = ?" for name in names), " AND ".join(f"{one} IS ?" for one in order))
    database.executemany(
        f"UPDATE {home} SET {settings} WHERE {where}", zip(*mixed, *places[len(columns) :], strict=True)
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
