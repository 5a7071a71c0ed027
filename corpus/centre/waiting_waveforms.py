"""Released waveforms that wait for a volume, in tables on disk: a centre may hold hundreds of thousands.

Each manifest is gone through once, whatever the number of its sessions.
"""

import mmap
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from corpus.centre.centre_state import CentreState, HeldSession
from corpus.centre.corpus_tables import corpus_in
from corpus.centre.ledger import VOLUMES, Centre
from corpus.dataset.reader import Corpus, speech_name
from corpus.release.utterance_status import RELEASE
from corpus.verify.rules.scratch_tables import scratch_tables

SECTOR = 2048
SYSTEM = 40 * SECTOR
"""System area, descriptors, path tables and the version of whatever writes the image."""
INDEX_HEAD = ";; volume {}: name here, path in the corpus, bytes, SHA-256"
_LINES = re.compile(rb";; volume [^\n]*\n(?:/[^\t\n]+\t[^\t\n]+\t[0-9]+\t[0-9a-f]{64}\n)*")
"""The index of a volume."""
_SCHEMA = (
    "CREATE TABLE wave (session TEXT, path TEXT, root INTEGER, bytes INTEGER, sha256 TEXT, PRIMARY KEY (session, path))"
    " WITHOUT ROWID",
    "CREATE TABLE written (path TEXT, sha256 TEXT, volume TEXT, PRIMARY KEY (path, sha256, volume)) WITHOUT ROWID",
    "CREATE TABLE carried (session TEXT, volume TEXT, PRIMARY KEY (session, volume)) WITHOUT ROWID",
)
_WAITING = (
    "SELECT DISTINCT session FROM wave WHERE NOT EXISTS"
    " (SELECT 1 FROM written JOIN carried USING (volume)"
    "  WHERE written.path = wave.path AND written.sha256 = wave.sha256 AND carried.session = wave.session)"
)


class VolumeWaveform(msgspec.Struct, frozen=True):
    """A waveform for a volume: where it lies, its path in the corpus, its bytes and its SHA-256."""

    source: Path
    path: str
    bytes: int
    sha256: str

    @property
    def name(self) -> str:
        """Its path on the volume, as level 1 allows it."""
        return name_on_volume(self.path)


class WaitingSession(NamedTuple):
    """A released session of which not every waveform is on a volume as it is now, with the bytes that all of them take."""

    held: HeldSession
    size: int


class WaitingWaveforms:
    """The waveforms of all released sessions; `sessions` are those that wait, by name."""

    def __init__(self, centre: Centre, tables: sqlite3.Connection) -> None:
        self._tables = tables
        self._roots = list[Path]()
        for statement in _SCHEMA:
            tables.execute(statement)
        centre_state = CentreState(centre)
        released = {
            held.session.session: held
            for held in centre_state.in_set(RELEASE)
            if held.session.session in centre_state.released
        }
        for state, root in centre_state.roots():
            if own := [held for held in released.values() if held.state == state]:
                self._offer(corpus_in(root, tables), own)
        on_volume = {name: volumes for name, volumes in centre_state.on_volume.items() if name in released}
        rows = ((name, volume) for name, volumes in on_volume.items() for volume in {*volumes})
        tables.executemany("INSERT INTO carried VALUES (?, ?)", rows)
        for volume in sorted({volume for volumes in on_volume.values() for volume in volumes}):
            lines = ((path, sha256, volume) for path, sha256 in index_of(centre, volume))
            tables.executemany("INSERT OR IGNORE INTO written VALUES (?, ?, ?)", lines)
        waits = {name for (name,) in tables.execute(_WAITING)}
        self.sessions = [WaitingSession(released[name], size_of(own)) for name, own in self._by_session(waits)]

    def _offer(self, corpus: Corpus, sessions: Iterable[HeldSession]) -> None:
        own = {
            (held.session.speaker, number): held.session.session
            for held in sessions
            for number in held.session.scenarios
        }
        root = len(self._roots)
        self._roots.append(corpus.root)
        names = (
            (path, entry, speech_name(path)) for path, entry in corpus.manifest.files.items() if path[-4:] == ".wav"
        )
        rows = (
            (session, path, root, entry.bytes, entry.sha256)
            for path, entry, name in names
            if name is not None and (session := own.get(name.scenario)) is not None
        )
        self._tables.executemany("INSERT INTO wave VALUES (?, ?, ?, ?, ?)", rows)

    def waves(self, sessions: Collection[WaitingSession]) -> Iterator[VolumeWaveform]:
        """The waveforms of some sessions, by session and path."""
        for _, own in self._by_session({entry.held.session.session for entry in sessions}):
            yield from own

    def drop(self, sessions: Collection[WaitingSession]) -> None:
        """Take out what has been written to a volume."""
        gone = {entry.held.session.session for entry in sessions}
        self.sessions = [entry for entry in self.sessions if entry.held.session.session not in gone]

    def _by_session(self, wanted: Collection[str]) -> Iterator[tuple[str, list[VolumeWaveform]]]:
        rows = self._tables.execute("SELECT session, path, root, bytes, sha256 FROM wave ORDER BY session, path")
        for session, own in groupby(rows, itemgetter(0)):
            if session in wanted:
                made = [
                    VolumeWaveform(self._roots[root] / path, path, size, sha256) for _, path, root, size, sha256 in own
                ]
                yield session, made


@contextmanager
def waiting_waveforms(centre: Centre) -> Iterator[WaitingWaveforms]:
    """Yields what waits at a centre; raises what `Corpus` raises."""
    with scratch_tables() as tables:
        yield WaitingWaveforms(centre, tables)


def name_on_volume(path: str) -> str:
    """The name that a waveform has on a volume, by its path in the corpus."""
    return "/" + path.upper()


def index_of(centre: Centre, volume: str) -> Iterator[tuple[str, str]]:
    """Path and SHA-256 of every waveform on a volume: by the index on the image, or the one beside it where that is kept
    elsewhere."""
    for line in index_on(centre.folder / VOLUMES / f"{volume}.iso").splitlines():
        if not line.startswith(b";"):
            _, name, _, sha256 = line.decode().split("\t")
            yield name, sha256


def index_on(image: Path) -> bytes:
    """The index on an image, empty if there is none: it begins a sector, and is as long as its lines go."""
    if not image.is_file():
        beside = image.with_suffix(".ndx")
        return beside.read_bytes() if beside.is_file() else b""
    head = INDEX_HEAD.format(image.stem).encode()
    with image.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        at = whole.find(head)
        while at % SECTOR:  # -1, too, is within a sector
            if at < 0:
                return b""
            at = whole.find(head, at + 1)
        found = _LINES.match(whole, at)
        return found[0] if found is not None else b""


def size_of(waves: list[VolumeWaveform]) -> int:
    """Bytes that waveforms take on a volume: whole sectors, with their directories and their lines of the index."""
    folders = {path for wave in waves for path in Path(wave.path).parents}
    lines = sum(len(wave.path) + len(wave.name) + 90 for wave in waves)
    sectors = sum(-(-wave.bytes // SECTOR) for wave in waves) + len(folders) * 2 + -(-lines // SECTOR)
    return (sectors + -(-len(waves) * 64 // SECTOR)) * SECTOR
