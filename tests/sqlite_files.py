"""SQLite databases in files, as tests of domains and of answers want them."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path


def fill(path: Path, script: str, tables: Mapping[str, Sequence[Sequence[object]]]) -> str:
    """Make a database by this SQL, with these rows of its tables, at `path`, which must not exist; gives its URL."""
    if path.exists():
        raise FileExistsError(path)
    with closing(sqlite3.connect(path)) as link:
        link.executescript(script)
        for table, rows in tables.items():
            link.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        link.commit()
    return f"sqlite:///{path}"
