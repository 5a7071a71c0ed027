"""A corpus whose manifest's entries lie in a table on disk: they are a large part of the memory that a large corpus takes."""

import sqlite3
from collections.abc import ItemsView, Iterable, Iterator, MutableMapping
from pathlib import Path

import msgspec

from corpus.dataset import initial
from corpus.dataset.reader import Corpus
from corpus.formats.manifest import FileEntry, Manifest, is_initial
from corpus.verify.rules.manifest_stream import read_manifest
from corpus.verify.rules.scratch_tables import ListedFiles, with_files

_entry = msgspec.msgpack.Decoder(FileEntry)


def corpus_in(root: Path, tables: sqlite3.Connection) -> Corpus:
    """The corpus at `root`, its entries in the `tables` where they can be; raises what `Corpus` raises. One at a time."""
    read = derived_in(root, tables) if is_initial(root) else manifest_in(root, tables)
    return Corpus(root) if read is None else Corpus(root, read)


def manifest_in(root: Path, tables: sqlite3.Connection) -> Manifest | None:
    """The manifest of the corpus at `root`, its entries in the `tables`; None if it must be read in one piece."""
    listed = CorpusFiles(tables)
    listed.fill({})
    streamed = read_manifest(root, listed)
    return None if streamed is None else with_files(streamed, listed)


def derived_in(root: Path, tables: sqlite3.Connection, known: Iterable[tuple[str, FileEntry]] = ()) -> Manifest:
    """The manifest that initial data would have, its entries in the `tables`; raises what `initial.manifest_of` raises. What is
    `known` of files that are there is not read for it."""
    listed = CorpusFiles(tables)
    listed.fill({})
    listed.add(known)
    return initial.manifest_of(root, listed, listed)


class CorpusFiles(ListedFiles, MutableMapping[str, FileEntry]):
    """The entries of a corpus's manifest, which are gone through as fast as those of a dictionary."""

    def __setitem__(self, path: str, entry: FileEntry) -> None:
        del self[path]
        self.add([(path, entry)])

    def __delitem__(self, path: str) -> None:
        self._tables.execute("DELETE FROM listed WHERE path = ?", (path,))

    def items(self) -> ItemsView[str, FileEntry]:
        return _Entries(self)

    def all(self) -> Iterator[tuple[str, FileEntry]]:
        """Each path with its entry, in their order."""
        for path, packed in self._tables.execute("SELECT path, entry FROM listed ORDER BY path"):
            yield path, _entry.decode(packed)


class _Entries(ItemsView[str, FileEntry]):
    def __init__(self, files: CorpusFiles) -> None:
        super().__init__(files)
        self._files = files

    def __iter__(self) -> Iterator[tuple[str, FileEntry]]:
        return self._files.all()
