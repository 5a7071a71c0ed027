"""Repairs of a delivery until they are on record: in a table on disk, for initial data need one for every utterance."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator

from corpus.centre.facts import FileRepaired

MOVED = "moved to "
"""How the way of a repair begins by which a file got another path."""
_SCHEMA = (
    "DROP TABLE IF EXISTS repaired",
    "CREATE TABLE repaired (path TEXT, rule TEXT, how TEXT, before TEXT, after TEXT)",
    "CREATE INDEX repaired_path ON repaired (path)",
)


class KeptRepairs:
    """Repairs in the order in which they were made; they are those of `delivery` when they are asked for."""

    def __init__(self, tables: sqlite3.Connection, delivery: str) -> None:
        self._tables = tables
        self.delivery = delivery
        for statement in _SCHEMA:
            tables.execute(statement)

    def add(self, facts: Iterable[FileRepaired]) -> None:
        """Take repairs in as they are made."""
        for fact in facts:
            row = (fact.path, fact.rule, fact.how, fact.before, fact.after)
            self._tables.execute("INSERT INTO repaired VALUES (?, ?, ?, ?, ?)", row)

    def drop_unchanged(self) -> None:
        """Leave out what made the same file again in its place."""
        self._tables.execute(f"DELETE FROM repaired WHERE before = after AND how NOT LIKE '{MOVED}%'")

    def __iter__(self) -> Iterator[FileRepaired]:
        for row in self._tables.execute("SELECT path, rule, how, before, after FROM repaired ORDER BY rowid"):
            yield FileRepaired(self.delivery, *row)

    def __len__(self) -> int:
        count: int = self._tables.execute("SELECT count(*) FROM repaired").fetchone()[0]
        return count

    @property
    def paths(self) -> "RepairedPaths":
        """The paths of the files that were repaired."""
        return RepairedPaths(self._tables)


class RepairedPaths(Collection[str]):
    """Paths of the files that were repaired, each once."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self._tables = tables

    def __contains__(self, path: object) -> bool:
        return self._tables.execute("SELECT 1 FROM repaired WHERE path = ?", (path,)).fetchone() is not None

    def __iter__(self) -> Iterator[str]:
        for (path,) in self._tables.execute("SELECT DISTINCT path FROM repaired ORDER BY path"):
            yield path

    def __len__(self) -> int:
        count: int = self._tables.execute("SELECT count(DISTINCT path) FROM repaired").fetchone()[0]
        return count
