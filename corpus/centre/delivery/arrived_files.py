"""Files of an archive that is being unpacked, and those that its listing and its manifest name.

There may be millions, and a path with its hashes is some hundred bytes: they lie in tables on disk, and memory does not grow with
a delivery. A listing is read line by line where it is as `curtain deliver` writes it, and in one piece otherwise.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import msgspec

from corpus.centre.corpus_tables import CorpusFiles, corpus_in, derived_in, manifest_in
from corpus.centre.delivery.delivery_archive import DeliveryListing
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.manifest import FileEntry, Manifest
from corpus.io.packed_files import UnpackedFile
from corpus.verify.rules.scratch_tables import FileSizes

_IN_SPEECH = " OR ".join(f"(path >= '{mode}/' AND path < '{mode}0')" for mode in sorted(layout.SPEECH))
_SCHEMA = (
    "CREATE TABLE arrived (path TEXT PRIMARY KEY, bytes INTEGER, sha256 TEXT, header TEXT) WITHOUT ROWID",
    "DROP TABLE file",  # what is known of the size of a file is here
    f"CREATE VIEW file AS SELECT path, bytes, NOT ({_IN_SPEECH}) AS apart FROM arrived",
    "CREATE TABLE sent (path TEXT PRIMARY KEY, sha256 TEXT) WITHOUT ROWID",
)
_WAITING = 512
_OPENS, _CLOSES = b' "files": {\n', (b" },\n", b" }\n")
_entry = msgspec.msgpack.Decoder(FileEntry)
_hashes = msgspec.json.Decoder(dict[str, str])


class ArrivedFiles(Mapping[str, str]):
    """The hashes of the files of an archive by their paths, in the order of these; as long as the `tables` are open."""

    def __init__(self, tables: sqlite3.Connection) -> None:
        self.tables = self._tables = tables
        self._waiting: list[UnpackedFile] = []
        self._count = 0
        self.is_verified = False  # while they arrived, and what was seen is in the tables
        self._corpus: Corpus | None = None
        self._manifest: Manifest | None = None
        self.derived: Manifest | None = None  # of initial data, until they have a manifest of their own
        for statement in _SCHEMA:
            tables.execute(statement)

    def keep(self, file: UnpackedFile) -> None:
        """Add a file, each once."""
        self._waiting.append(file)
        self._count += 1
        if len(self._waiting) >= _WAITING:
            self.settle()

    def drop(self, path: str) -> None:
        """Forget a file: the listing itself is none of the corpus."""
        self.settle()
        self._count -= self._tables.execute("DELETE FROM arrived WHERE path = ?", (path,)).rowcount

    def lift(self, folder: str) -> None:
        """Take the name of the one folder in which all lie off their paths."""
        self.settle()
        self._tables.execute("UPDATE arrived SET path = substr(path, ?)", (len(folder) + 1,))

    def settle(self) -> None:
        """Let the tables have all that is known."""
        if self._waiting:
            rows = [(file.path, file.size, file.sha256, file.header) for file in self._waiting]
            self._tables.executemany("INSERT INTO arrived VALUES (?, ?, ?, ?)", rows)
            self._waiting.clear()

    def __getitem__(self, path: str) -> str:
        self.settle()
        found = self._tables.execute("SELECT sha256 FROM arrived WHERE path = ?", (path,)).fetchone()
        if found is None:
            raise KeyError(path)
        sha256: str = found[0]
        return sha256

    def __iter__(self) -> Iterator[str]:
        self.settle()
        for (path,) in self._tables.execute("SELECT path FROM arrived ORDER BY path"):
            yield path

    def __len__(self) -> int:
        return self._count

    def hashes(self) -> Iterator[tuple[str, str]]:
        """The paths with their hashes."""
        self.settle()
        yield from self._tables.execute("SELECT path, sha256 FROM arrived ORDER BY path")

    def derive(self, root: Path) -> Manifest:
        """The manifest that the initial data at `root` would have, its entries in a table; raises what `derived_in` raises."""
        self.derived = derived_in(root, self._tables, self._entries())
        return self.derived

    def _entries(self) -> Iterator[tuple[str, FileEntry]]:
        """The paths with what a manifest says of files that bear no marks."""
        self.settle()
        for path, size, sha256, header in self._tables.execute("SELECT * FROM arrived ORDER BY path"):
            yield path, FileEntry(size, sha256, header=header)

    def read_listing(self, path: Path) -> DeliveryListing:
        """The listing without its files, which go to a table; raises what `msgspec` raises."""
        with path.open("rb") as file:
            head, found = b"", False
            for line in file:
                if found := line == _OPENS:
                    break
                head += line
            try:
                if found and (tail := self._listed(file)) is not None:
                    return msgspec.json.decode(head + b'"files": {}' + tail, type=DeliveryListing)
            except msgspec.DecodeError:
                pass  # what is wrong with the whole is told by reading the whole
        listing = msgspec.json.decode(path.read_bytes(), type=DeliveryListing)
        self._tables.execute("DELETE FROM sent")
        self._tables.executemany("INSERT INTO sent VALUES (?, ?)", listing.files.items())
        return msgspec.structs.replace(listing, files={})

    def _listed(self, lines: Iterator[bytes]) -> bytes | None:
        """Read the lines of a listing's files; return what comes behind them, None where they do not end as they should."""
        while part := [*islice(lines, _WAITING)]:
            end = next((at for at, line in enumerate(part) if line in _CLOSES), None)
            some = part[:end]
            if some:
                pairs = _hashes.decode(b"{%b}" % b"".join(some).rstrip(b",\n"))
                self._tables.executemany("INSERT OR REPLACE INTO sent VALUES (?, ?)", pairs.items())
            if end is not None:
                return part[end].strip()[1:] + b"".join(part[end + 1 :]) + b"".join(lines)
        return None

    def sent(self) -> Iterator[tuple[str, str]]:
        """The files by the listing, with their hashes."""
        yield from self._tables.execute("SELECT path, sha256 FROM sent ORDER BY path")

    def has_logs(self, number: int) -> bool:
        """Return whether there are as many logs by the listing, or among what has arrived where there is no listing."""
        self.settle()
        named = "SELECT path FROM sent UNION ALL SELECT path FROM arrived WHERE NOT EXISTS (SELECT 1 FROM sent)"
        some = self._tables.execute(f"SELECT 1 FROM ({named}) WHERE path LIKE '%.log' LIMIT ?", (number,))
        return len(some.fetchall()) == number

    def unlike(self) -> tuple[str, str] | None:
        """The first file that is not as the listing says, with what is wrong with it; None where all are."""
        self.settle()
        lost = self._tables.execute(
            "SELECT path, arrived.sha256 IS NULL FROM sent LEFT JOIN arrived USING (path)"
            " WHERE arrived.sha256 IS NOT sent.sha256 ORDER BY path LIMIT 1"
        ).fetchone()
        surplus = self._tables.execute(
            "SELECT path FROM arrived LEFT JOIN sent USING (path) WHERE sent.path IS NULL ORDER BY path LIMIT 1"
        ).fetchone()
        if lost is not None and (surplus is None or lost[0] < surplus[0]):
            return lost[0], "is missing" if lost[1] else "was changed"
        return (surplus[0], "is in no list") if surplus is not None else None

    def corpus(self, root: Path, changed: bool = False) -> Corpus:
        """The corpus at `root`, whose manifest's entries lie in a table where they can; raises what `Corpus` raises. It is read
        once, and again where it was `changed` since."""
        if self._corpus is None or changed:
            read = None if changed else self._manifest
            self._corpus = corpus_in(root, self._tables) if read is None else Corpus(root, read)
        return self._corpus

    def read_manifest(self, root: Path) -> Manifest | None:
        """The manifest of the corpus at `root`, its entries in a table; None if it must be read in one piece."""
        self._manifest = manifest_in(root, self._tables)
        return self._manifest

    def sizes(self) -> "ArrivedSizes":
        """The sizes of the files, for whoever surveys what was unpacked."""
        return ArrivedSizes(self)

    def altered(self, listed: Mapping[str, FileEntry]) -> Iterator[str]:
        """The files that are not those which a manifest lists."""
        self.settle()
        if not isinstance(listed, CorpusFiles):
            CorpusFiles(self._tables).fill(listed)
        both = (
            "SELECT listed.path, entry, sha256, header FROM listed LEFT JOIN arrived USING (path) ORDER BY listed.path"
        )
        for path, packed, sha256, header in self._tables.execute(both):
            entry = _entry.decode(packed)
            if (sha256, header or "") != (entry.sha256, entry.header):
                yield path


class ArrivedSizes(FileSizes):
    """Sizes of the files that were unpacked, which need not be kept once more."""

    def __init__(self, files: ArrivedFiles) -> None:
        super().__init__(files.tables)
        self._files = files

    def keep(self, path: str, size: int, apart: bool) -> None:
        """Count a file that was found."""
        self._count += 1

    def _settle(self) -> None:
        super()._settle()
        self._files.settle()
