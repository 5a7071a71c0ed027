"""Tables of one verification that grow with the corpus: they are in a file without a name, not in memory.

What is known of a file, and what must be compared with other files, is a few hundred bytes for each of millions. SQLite keeps
two megabytes of its pages in memory, and the system removes the file when it is closed or its process is killed.
"""

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import cast

import msgspec

from corpus.formats.manifest import FileEntry, Manifest
from corpus.io.staging import Refused

_SCHEMA = (
    "PRAGMA journal_mode = OFF",
    "CREATE TABLE file (path TEXT PRIMARY KEY, bytes INTEGER, apart INTEGER) WITHOUT ROWID",
    "CREATE TABLE listed (path TEXT PRIMARY KEY, bytes INTEGER, marked INTEGER, entry BLOB) WITHOUT ROWID",
    "CREATE TABLE link (file TEXT, path TEXT)",
    "CREATE TABLE take (take BLOB, path TEXT, line INTEGER)",
    "CREATE TABLE sound (digest BLOB, path TEXT)",
    "CREATE TABLE log (path TEXT, session BLOB, speaker BLOB, summary BLOB)",
    "CREATE TABLE utterance (name TEXT PRIMARY KEY, apart INTEGER) WITHOUT ROWID",
    "CREATE TABLE draft (path TEXT PRIMARY KEY, answer TEXT, version TEXT, digest BLOB) WITHOUT ROWID",
    "CREATE TABLE answered (answer TEXT PRIMARY KEY, version BLOB, rows INTEGER, digest BLOB, worth BLOB) WITHOUT ROWID",
    "BEGIN",  # never ended: nobody reads them afterwards
)
_WAITING = 512
_WIDEST = 1 << 62
_entry, _packed = msgspec.msgpack.Decoder(FileEntry), msgspec.msgpack.Encoder().encode


@contextmanager
def scratch_tables() -> Iterator[sqlite3.Connection]:
    """Yield a database of its own; raises `Refused` if there is no room for it."""
    try:
        connection = sqlite3.connect("", isolation_level=None)
        try:
            for statement in _SCHEMA:
                connection.execute(statement)
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        place = tempfile.gettempdir()
        raise Refused(f"the data about the corpus cannot be stored: {error}; make room in {place}") from None


class FileSizes(Mapping[str, int]):
    """Sizes of the files of a corpus in bytes by their paths, in the order of these."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self._tables = tables
        self._waiting: list[tuple[str, int, bool]] = []
        self._links: list[tuple[str, str]] = []
        self._count = 0

    def keep(self, path: str, size: int, apart: bool) -> None:
        """Add a file, each once; `apart` says that it is outside the speech directories."""
        self._waiting.append((path, size, apart))
        self._count += 1
        if len(self._waiting) >= _WAITING:
            self._settle()

    def link(self, path: str, file: str) -> None:
        """Note that a file, which has further names, is the one that the system calls `file`."""
        self._links.append((file, path))
        if len(self._links) >= _WAITING:
            self._settle()

    def linked(self) -> Iterator[tuple[str, str]]:
        """The files that are the same as another one here, each with the first of these, in the order of the notes."""
        self._settle()
        firsts: dict[str, str] = {}
        several = "SELECT file FROM link GROUP BY file HAVING count(*) > 1"
        for file, path in self._tables.execute(f"SELECT file, path FROM link WHERE file IN ({several}) ORDER BY rowid"):
            if (first := firsts.setdefault(file, path)) != path:
                yield path, first

    def apart(self, below: str = "") -> Iterator[str]:
        """The files outside the speech directories whose paths begin so."""
        self._settle()
        where = "SELECT path FROM file WHERE apart AND path >= ? ORDER BY path"
        for (path,) in self._tables.execute(where, (below,)):
            if not path.startswith(below):
                return
            yield path

    def _settle(self) -> None:
        if self._waiting:
            self._tables.executemany("INSERT INTO file VALUES (?, ?, ?)", self._waiting)
            self._waiting.clear()
        if self._links:
            self._tables.executemany("INSERT INTO link VALUES (?, ?)", self._links)
            self._links.clear()

    def __getitem__(self, path: str) -> int:
        self._settle()
        found = self._tables.execute("SELECT bytes FROM file WHERE path = ?", (path,)).fetchone()
        if found is None:
            raise KeyError(path)
        size: int = found[0]
        return size

    def __iter__(self) -> Iterator[str]:
        self._settle()
        for (path,) in self._tables.execute("SELECT path FROM file ORDER BY path"):
            yield path

    def __len__(self) -> int:
        return self._count

    def unlike(self) -> Iterator[tuple[str, int | None]]:
        """The files that a manifest lists, with their sizes, where these are others than it says; None: there is no such file."""
        self._settle()
        yield from self._tables.execute(
            "SELECT listed.path, file.bytes FROM listed LEFT JOIN file USING (path)"
            " WHERE file.bytes IS NULL OR file.bytes <> listed.bytes"
        )

    def unlisted(self) -> Iterator[str]:
        """The files that no manifest lists."""
        self._settle()
        both = "SELECT file.path FROM file LEFT JOIN listed USING (path) WHERE listed.path IS NULL"
        for (path,) in self._tables.execute(both):
            yield path


class ListedFiles(Mapping[str, FileEntry]):
    """Entries of a manifest by the paths of their files, in the order of these."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self._tables = tables

    def add(self, entries: Iterable[tuple[str, FileEntry]]) -> None:
        """Add entries; raises `sqlite3.IntegrityError` for a path that is there."""
        rows = (
            (path, min(entry.bytes, _WIDEST), bool(entry.masked or entry.work or entry.draft), _packed(entry))
            for path, entry in entries
        )
        self._tables.executemany("INSERT INTO listed VALUES (?, ?, ?, ?)", rows)

    def fill(self, entries: Mapping[str, FileEntry]) -> None:
        """Let these be the entries, and no others."""
        self._tables.execute("DELETE FROM listed")
        self.add(entries.items())

    def below(self, directory: str) -> dict[str, FileEntry]:
        """The entries of the files of one directory, and of those within it."""
        rows = self._tables.execute(
            "SELECT path, entry FROM listed WHERE path > ? AND path < ?", (f"{directory}/", f"{directory}0")
        )  # 0 is the character after the slash
        return {path: _entry.decode(entry) for path, entry in rows}

    def __getitem__(self, path: str) -> FileEntry:
        found = self._tables.execute("SELECT entry FROM listed WHERE path = ?", (path,)).fetchone()
        if found is None:
            raise KeyError(path)
        return _entry.decode(found[0])

    def __contains__(self, path: object) -> bool:
        return self._tables.execute("SELECT 1 FROM listed WHERE path = ?", (path,)).fetchone() is not None

    def __iter__(self) -> Iterator[str]:
        for (path,) in self._tables.execute("SELECT path FROM listed ORDER BY path"):
            yield path

    def __len__(self) -> int:
        count: int = self._tables.execute("SELECT count(*) FROM listed").fetchone()[0]
        return count

    def marked(self) -> Iterator[tuple[str, FileEntry]]:
        """The entries that say more of a file than what it is: that it is a draft, who made it, what of it is masked."""
        for path, entry in self._tables.execute("SELECT path, entry FROM listed WHERE marked ORDER BY path"):
            yield path, _entry.decode(entry)


def with_files(manifest: Manifest, files: ListedFiles) -> Manifest:
    """A manifest whose entries are these: they are asked for as those of a dictionary."""
    return msgspec.structs.replace(manifest, files=cast(dict[str, FileEntry], files))


def marked(manifest: Manifest) -> Iterator[tuple[str, FileEntry]]:
    """The entries that say more of a file than what it is."""
    files: Mapping[str, FileEntry] = manifest.files
    return files.marked() if isinstance(files, ListedFiles) else iter(files.items())


def of_directory(manifest: Manifest | None, directory: str) -> dict[str, FileEntry]:
    """The entries of the files of one directory, and of those within it."""
    if manifest is None:
        return {}
    files: Mapping[str, FileEntry] = manifest.files
    if isinstance(files, ListedFiles):
        return files.below(directory)
    return {path: entry for path, entry in files.items() if path.startswith(f"{directory}/")}
