"""The archive by which a site delivers: `delivery.json`, then every file, in a tar that the same corpus always makes byte by
byte.

`delivery.json` lists every file with its SHA-256, and bears a signature where site and centre share a key. What tells of the
whole comes first, so that the centre can verify the speech while it arrives.
"""

import fcntl
import hashlib
import hmac
import io
import os
import re
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, BinaryIO

import msgspec

from corpus.dataset.reader import Corpus, speech_name
from corpus.formats import layout
from corpus.io.staging import Refused
from corpus.verify.rules.scratch_tables import scratch_tables
from session.study.study_file import SITE

LISTING = "delivery.json"
FORMAT = "curtain-delivery-1"
ANNOTATED = frozenset({"sro", "wav", "log"})
"""Types of the files that annotations are about."""
ANNOTATIONS = frozenset({*layout.ANSWER_TYPES, "cat"})
SITES = re.compile(rf"{SITE.pattern}(?:\+{SITE.pattern}){{0,9}}")
"""One site, or those whose data a corpus puts together: these names stand in paths, reports and on screens."""


_LACKING = (
    " that is an annotation: what lies beside the speech is in it when curtain annotate --out has made a new corpus"
)


class ArchiveRefused(Refused):
    """Nobody may take an archive in, for what it holds or who sent it; the message says why and what to do."""


class DeliveryListing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A delivery as its site describes it: `files` gives the SHA-256 of each; `release` is the one whose annotations these are,
    empty for a corpus, and `about` the SHA-256 of the words, the sound and the logs on which they were made. `signature` is the
    HMAC-SHA256 of all the rest under the key that site and centre share."""

    site: str
    label: str
    files: dict[str, str]
    release: str = ""
    signature: str = ""
    format: str = FORMAT
    about: dict[str, str] | msgspec.UnsetType = msgspec.UNSET

    @property
    def content(self) -> str:
        """A hash over names and contents of all files: two deliveries of the same have the same."""
        return content_of(sorted(self.files.items()))


def content_of(files: Iterable[tuple[str, str]]) -> str:
    """A hash over names and hashes of files, which come in the order of their names."""
    found = hashlib.sha256()
    for path, sha256 in files:
        found.update(f"{sha256}  {path}\n".encode())
    return found.hexdigest()


def signature_of(listing: DeliveryListing, files: Iterable[tuple[str, str]], key: bytes) -> str:
    """The signature under a key of a listing with these files, which come in the order of their names."""
    bare = msgspec.json.encode(msgspec.structs.replace(listing, files={}, signature=""))
    head, _, tail = bare.partition(b'"files":{}')  # in a text these quotes would be escaped
    signed = hmac.new(key, head + b'"files":{', hashlib.sha256)
    for number, (path, sha256) in enumerate(files):
        signed.update((b"," if number else b"") + msgspec.json.encode({path: sha256})[1:-1])
    signed.update(b"}" + tail)
    return signed.hexdigest()


class PackedDelivery(msgspec.Struct, frozen=True):
    """Result of packing: the label, the number of files, and the hash over them."""

    label: str
    files: int
    content: str


def pack(
    corpus: Corpus,
    target: Path,
    label: str,
    release: str = "",
    key: bytes = b"",
    progress: Callable[[int], None] = lambda _: None,
    site: str = "",
) -> PackedDelivery:
    """Write a corpus to the archive `target`, or with `release` the annotations that are of that release alone; `site` delivers,
    by default the one of the data.

    Raises `Refused`, `FormatFault` for a file that is not the one that the manifest lists; then there is no archive.
    """
    if target.exists() or target.is_symlink():
        raise Refused(f"{target} exists already; choose another name, nothing is overwritten")
    if not target.parent.is_dir():
        raise Refused(f"{target.parent} is no directory; make it first")
    with scratch_tables() as tables:
        packing = _PackedFiles(tables, corpus, release)
        if not len(packing):
            raise Refused(f"{corpus.root} has nothing to deliver" + (_LACKING if release else ""))
        if (corpus.root / layout.MANIFEST).is_file() and not release:
            packing.add_manifest(corpus.root)
        sites = site or "+".join(sorted({entry.site for entry in corpus.manifest.sessions}))
        if not SITES.fullmatch(sites):
            raise Refused(
                f"{sites!r} is not a site: two to eight small letters and digits, as in study.toml; name it with --site"
            )
        listing = DeliveryListing(sites, label, {}, release, about={} if release else msgspec.UNSET)
        if key:
            listing = msgspec.structs.replace(listing, signature=packing.signature(listing, key))
        held = Corpus(corpus.root, corpus.manifest, held=True)
        with _drafted(target) as file, tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
            with tempfile.TemporaryFile() as listed:
                listed.writelines(packing.listing(listing))
                _add(tar, LISTING, listed)
            for count, path in enumerate(packing.in_turn(), start=1):
                with (
                    (corpus.root / path).open("rb") if path == layout.MANIFEST else io.BytesIO(held.read(path)) as data
                ):
                    _add(tar, path, data)
                progress(count)
        return PackedDelivery(label, len(packing), content_of(packing.files()))


_SCHEMA = (
    "CREATE TABLE packed (path TEXT PRIMARY KEY, sha256 TEXT, speech INTEGER, directory TEXT) WITHOUT ROWID",
    "CREATE TABLE unit (speaker TEXT, scenario INTEGER, utterance INTEGER, PRIMARY KEY (speaker, scenario, utterance))"
    " WITHOUT ROWID",
    "CREATE TABLE about (path TEXT PRIMARY KEY, sha256 TEXT) WITHOUT ROWID",
)
_ROWS = 512
_OPENS, _CLOSES = b'{\n "": {\n', b"\n }\n}"


class _PackedFiles:
    """The files that go into an archive, with their hashes, and those that they are about: in tables on disk, for there may be
    millions."""

    def __init__(self, tables: sqlite3.Connection, corpus: Corpus, release: str) -> None:
        self._tables = tables
        for statement in _SCHEMA:
            tables.execute(statement)
        listed = corpus.manifest.files
        rows = ((path, entry.sha256, *_turn(path)) for path, entry in listed.items() if _goes(path, release))
        tables.executemany("INSERT INTO packed VALUES (?, ?, ?, ?)", rows)
        if release:
            units = (unit for path, _ in self.files() for unit in units_of(path))
            tables.executemany("INSERT OR IGNORE INTO unit VALUES (?, ?, ?)", units)
            speech = (
                (path, entry.sha256)
                for path, entry in listed.items()
                if path.rpartition(".")[2] in ANNOTATED and self._is_told_of(path)
            )
            tables.executemany("INSERT INTO about VALUES (?, ?)", speech)

    def _is_told_of(self, path: str) -> bool:
        """Return whether an annotation is about the words, the sound or the log at this path."""
        if (name := speech_name(path)) is None:
            return False
        one = "SELECT 1 FROM unit WHERE speaker = ? AND scenario = ? AND utterance = ?"
        return self._tables.execute(one, name.key).fetchone() is not None

    def add_manifest(self, root: Path) -> None:
        """Take the manifest in, which lists all files but itself."""
        with (root / layout.MANIFEST).open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        row = (layout.MANIFEST, sha256, *_turn(layout.MANIFEST))
        self._tables.execute("INSERT OR REPLACE INTO packed VALUES (?, ?, ?, ?)", row)

    def __len__(self) -> int:
        count: int = self._tables.execute("SELECT count(*) FROM packed").fetchone()[0]
        return count

    def files(self) -> Iterator[tuple[str, str]]:
        """The paths with their hashes, in the order of the paths."""
        yield from self._tables.execute("SELECT path, sha256 FROM packed ORDER BY path")

    def in_turn(self) -> Iterator[str]:
        """The paths in the order of the archive."""
        for (path,) in self._tables.execute("SELECT path FROM packed ORDER BY speech, directory, path"):
            yield path

    def _about(self) -> Iterator[tuple[str, str]]:
        yield from self._tables.execute("SELECT path, sha256 FROM about ORDER BY path")

    def listing(self, listing: DeliveryListing) -> Iterator[bytes]:
        """The bytes of a listing with these files, piece by piece; the manifest, which lists the others, is the last."""
        whole = msgspec.json.format(msgspec.json.encode(listing), indent=1) + b"\n"
        head, files, tail = whole.partition(b'\n "files": {}')  # in a text a line end would be escaped
        yield head + files[:-2]
        last = "SELECT path, sha256 FROM packed ORDER BY path = ?, path"
        yield from _lines(self._tables.execute(last, (layout.MANIFEST,)))
        if listing.about is not msgspec.UNSET:
            head, about, tail = tail.partition(b'\n "about": {}')
            yield head + about[:-2]
            yield from _lines(self._about())
        yield tail

    def signature(self, listing: DeliveryListing, key: bytes) -> str:
        """The signature under a key of a listing with these files."""
        about = dict(self._about()) if listing.about is not msgspec.UNSET else msgspec.UNSET
        return signature_of(msgspec.structs.replace(listing, about=about), self.files(), key)


def _lines(hashes: Iterator[tuple[str, str]]) -> Iterator[bytes]:
    """The lines of a part of a listing."""
    opens = b"{\n"
    while some := dict(islice(hashes, _ROWS)):
        yield opens + msgspec.json.format(msgspec.json.encode({"": some}), indent=1)[len(_OPENS) : -len(_CLOSES)]
        opens = b",\n"
    yield b"{}" if opens == b"{\n" else b"\n }"


def units_of(path: str) -> list[tuple[str, int, int]]:
    """The utterance of an annotation, and the subject-scenario that it is in."""
    name = speech_name(path)
    return [name.key, (*name.scenario, 0)] if name is not None else []


@contextmanager
def _drafted(target: Path) -> Iterator[BinaryIO]:
    """Yields a file of a hidden name, which becomes `target`, or nothing when the block fails.

    Raises `Refused` where another program writes the same: both would write into one file, and the second find it gone.
    """
    draft = target.with_name(f".{target.name}.part")
    with draft.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = _is(draft, file) and not target.exists()
        except BlockingIOError:
            mine = False
        if not mine:
            raise Refused(f"another program is writing {target}, or has just written it")
        try:
            file.truncate(0)  # of a call that was killed
            file.seek(0)
            yield file
            file.flush()
            draft.rename(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _is(path: Path, file: BinaryIO) -> bool:
    """Return whether a file is the one of this name yet."""
    return path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno()))


def _turn(path: str) -> tuple[bool, str]:
    """Where a file stands in the archive: what tells of the whole before the speech, and this directory by directory."""
    return path.partition("/")[0] in layout.SPEECH, path.rpartition("/")[0]


def _goes(path: str, release: str) -> bool:
    return not release or (path.partition("/")[0] in layout.SPEECH and path.rpartition(".")[2] in ANNOTATIONS)


def _add(tar: tarfile.TarFile, name: str, data: IO[bytes]) -> None:
    member = tarfile.TarInfo(name)
    member.size = data.seek(0, os.SEEK_END)
    data.seek(0)
    tar.addfile(member, data)
    tar.getmembers().clear()  # which would be held up to the end
