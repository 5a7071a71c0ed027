"""Makes the two databases."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.domain.strangers import lending, maintenance

SOURCES = {"lending": lending, "maintenance": maintenance}


def build(name: str, path: Path, seed: int = 1989) -> str:
    """Make the database `name` at `path`, which must not exist; gives its URL."""
    if path.exists():
        raise FileExistsError(path)
    source = SOURCES[name]
    with closing(sqlite3.connect(path)) as link:
        link.executescript(source.SCHEMA)
        for table, rows in source.rows(random.Random(seed)).items():
            link.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        link.commit()
    return f"sqlite:///{path}"
