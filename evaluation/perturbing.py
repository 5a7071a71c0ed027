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

    Keys, and columns whose names end in _id, _code or _codes, stay. The same seed gives the same copy. Raises Unfit.
    """
    if not source.is_file():
        raise Unfit(f"{source}: there is no such database")
    if target.exists():
        raise Unfit(f"{target} exists already; name another file, nothing is overwritten")
    changed: list[str] = []
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old, closing(sqlite3.connect(target)) as new:
        try:
            old.backup(new)
            for table, columns in _free_columns(new):
                for column in columns:
                    _shuffle(new, table, column, random.Random(f"{seed} {table} {column}"))
                    changed.append(f"{table}.{column}")
            new.commit()
        except sqlite3.DatabaseError as error:
            raise Unfit(f"{source}: {error}") from error
    return changed


def _free_columns(database: sqlite3.Connection) -> Iterator[tuple[str, list[str]]]:
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    for table in names:
        columns = database.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
        linking = {row[3] for row in database.execute("SELECT * FROM pragma_foreign_key_list(?)", (table,))}
        yield table, [name for name, key in columns if not key and name not in linking and not name.endswith(LINKS)]


def _shuffle(database: sqlite3.Connection, table: str, column: str, rng: random.Random) -> None:
    home, name = _quoted(table), _quoted(column)
    rows = database.execute(f"SELECT rowid, {name} FROM {home} ORDER BY rowid").fetchall()
    values = [value for _, value in rows]
    rng.shuffle(values)
    pairs = [(value, row) for (row, _), value in zip(rows, values, strict=True)]
    database.executemany(f"UPDATE {home} SET {name} = ? WHERE rowid = ?", pairs)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
