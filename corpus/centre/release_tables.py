"""The items of a release in tables on disk: those that may go out, those that did, and which of them are new.

An item is some hundred bytes in memory, and a release may have hundreds of thousands.
"""

import sqlite3
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from pathlib import Path
from typing import NamedTuple

import msgspec

from corpus.centre.release_listing import ReleasedItem
from corpus.formats import layout
from corpus.formats.manifest import FileEntry

_SCHEMA = (
    "CREATE TABLE present (path TEXT PRIMARY KEY, root INTEGER, sha256 TEXT, entry BLOB) WITHOUT ROWID",
    "CREATE TABLE known (path TEXT PRIMARY KEY, release TEXT, sha256 TEXT, entry BLOB) WITHOUT ROWID",
    "CREATE TABLE fresh (path TEXT PRIMARY KEY, root INTEGER, sha256 TEXT, entry BLOB, before TEXT, was TEXT)"
    " WITHOUT ROWID",
)
_NEW = (
    "INSERT INTO fresh SELECT path, root, present.sha256, present.entry, release, known.sha256"
    " FROM present LEFT JOIN known USING (path)"
    " WHERE known.path IS NULL OR (known.sha256 <> present.sha256 AND NOT is_protocol(path))"
)
_GONE = (
    "SELECT path FROM known LEFT JOIN present USING (path)"
    f" WHERE present.path IS NULL AND NOT (path >= '{layout.PROTOCOLS}/' AND path < '{layout.PROTOCOLS}0') ORDER BY path"
)
_entry, _packed = msgspec.msgpack.Decoder(FileEntry), msgspec.msgpack.Encoder().encode


class FreshItem(NamedTuple):
    """An item that goes out: its path, its SHA-256, and, where it was corrected, the release that has the form before, and the
    SHA-256 of that."""

    path: str
    sha256: str
    before: str | None
    was: str | None


class ReleaseTables:
    """The items of a release that is being made, in a database of its own."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self._tables = tables
        self._roots = list[Path]()
        tables.create_function("is_protocol", 1, layout.is_protocol, deterministic=True)
        for statement in _SCHEMA:
            tables.execute(statement)

    def offer(self, root: Path, items: Iterable[tuple[str, FileEntry]]) -> None:
        """Add items of the corpus at `root` that may go out; of two with one path the first does."""
        number = len(self._roots)
        self._roots.append(root)
        rows = ((path, number, entry.sha256, _packed(entry)) for path, entry in items)
        self._tables.executemany("INSERT OR IGNORE INTO present VALUES (?, ?, ?, ?)", rows)

    def add_release(self, name: str, items: Mapping[str, FileEntry]) -> None:
        """Add items of a release, in whose place those of earlier ones stood."""
        rows = ((path, name, entry.sha256, _packed(entry)) for path, entry in items.items())
        self._tables.executemany("INSERT OR REPLACE INTO known VALUES (?, ?, ?, ?)", rows)

    def drop(self, gone: Iterable[str]) -> None:
        """Forget items that a release has no more."""
        self._tables.executemany("DELETE FROM known WHERE path = ?", ((path,) for path in gone))

    def compare(self) -> tuple[str, ...]:
        """Find what is new or corrected, which `fresh` tells then; return the items that are gone, which are known no more."""
        self._tables.execute(_NEW)
        gone = tuple(path for (path,) in self._tables.execute(_GONE))
        self.drop(gone)
        return gone

    def fresh(self) -> Iterator[FreshItem]:
        """Yield the new or corrected items, by path."""
        for row in self._tables.execute("SELECT path, sha256, before, was FROM fresh ORDER BY path"):
            yield FreshItem(*row)

    def entries(self) -> Iterator[tuple[str, FileEntry]]:
        """Yield the paths with their entries."""
        for path, entry in self._tables.execute("SELECT path, entry FROM fresh ORDER BY path"):
            yield path, _entry.decode(entry)

    def replaces(self) -> Iterator[tuple[str, str]]:
        """Yield the corrected items, each with the release that holds its earlier form."""
        yield from self._tables.execute("SELECT path, before FROM fresh WHERE before IS NOT NULL ORDER BY path")

    def count(self, where: str = "TRUE") -> int:
        """Return how many are new or corrected, of those for which this condition holds."""
        found: int = self._tables.execute(f"SELECT count(*) FROM fresh WHERE {where}").fetchone()[0]
        return found

    def by_root(self) -> Iterator[tuple[Path, Iterator[tuple[str, FileEntry]]]]:
        """Yield each corpus with its new or corrected items."""
        for number, root in enumerate(self._roots):
            rows = self._tables.execute("SELECT path, entry FROM fresh WHERE root = ? ORDER BY path", (number,))
            yield root, ((path, _entry.decode(entry)) for path, entry in rows)

    def unchanged(self) -> Iterator[tuple[str, str, FileEntry]]:
        """Yield the unchanged logs and transcriptions: the release that holds each, its path, its entry."""
        rows = self._tables.execute(
            "SELECT release, path, known.entry FROM known LEFT JOIN fresh USING (path)"
            " WHERE fresh.path IS NULL AND (path LIKE '%.log' OR path LIKE '%.sro') ORDER BY release, path"
        )
        for release, path, entry in rows:
            yield release, path, _entry.decode(entry)

    def settle(self, name: str) -> "ReleasedItems":
        """Enter what is new as released under this name; return every item in its present form."""
        self._tables.execute("INSERT OR REPLACE INTO known SELECT path, ?, sha256, entry FROM fresh", (name,))
        return ReleasedItems(self._tables)


class ReleasedItems(Mapping[str, ReleasedItem]):
    """Every item in its present form, by path, in the order of the paths."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self._tables = tables

    def __getitem__(self, path: str) -> ReleasedItem:
        found = self._tables.execute("SELECT entry, release FROM known WHERE path = ?", (path,)).fetchone()
        if found is None:
            raise KeyError(path)
        return ReleasedItem(_entry.decode(found[0]), found[1])

    def __iter__(self) -> Iterator[str]:
        for (path,) in self._tables.execute("SELECT path FROM known ORDER BY path"):
            yield path

    def __len__(self) -> int:
        found: int = self._tables.execute("SELECT count(*) FROM known").fetchone()[0]
        return found

    def entries(self) -> Iterator[tuple[str, FileEntry]]:
        """Yield the items with their entries."""
        for path, entry in self._tables.execute("SELECT path, entry FROM known ORDER BY path"):
            yield path, _entry.decode(entry)

    def drafts(self) -> list[str]:
        """Return the utterances whose transcription is a draft, by their places."""
        rows = self._tables.execute("SELECT path, entry FROM known WHERE path LIKE '%.sro' ORDER BY path")
        return [path.removesuffix(".sro") for path, entry in rows if _entry.decode(entry).draft]


class ReleasedEntries(Mapping[str, FileEntry]):
    """The entries alone."""

    def __init__(self, items: ReleasedItems) -> None:
        self._items = items

    def __getitem__(self, path: str) -> FileEntry:
        return self._items[path].entry

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def items(self) -> ItemsView[str, FileEntry]:
        return _EntryRows(self, self._items)

    def values(self) -> ValuesView[FileEntry]:
        return _EntryValues(self, self._items)


class _EntryRows(ItemsView[str, FileEntry]):
    def __init__(self, entries: ReleasedEntries, items: ReleasedItems) -> None:
        super().__init__(entries)
        self._items = items

    def __iter__(self) -> Iterator[tuple[str, FileEntry]]:
        return self._items.entries()


class _EntryValues(ValuesView[FileEntry]):
    def __init__(self, entries: ReleasedEntries, items: ReleasedItems) -> None:
        super().__init__(entries)
        self._items = items

    def __iter__(self) -> Iterator[FileEntry]:
        return (entry for _, entry in self._items.entries())
