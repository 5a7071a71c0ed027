"""A study folder as an export sees it: its store, its recordings, the files of its protocol."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from corpus.source import Collected
from session import opening
from session.events import ClockCompared, Recorded
from session.recordings import Recordings
from session.store import Store, StoreUnavailable
from session.studyfolder import Study
from session.versions import DamagedEvent, NewerEvent

_UNREADABLE = (DamagedEvent, NewerEvent, StoreUnavailable)


class _Opening(msgspec.Struct):
    """The part of a stored `SessionOpened` that a corpus keeps as it was written."""

    protocol: msgspec.Raw


class StudySource:
    """Sessions one at a time, the oldest first; `only` restricts them to some."""

    def __init__(self, store: Store, recordings: Recordings, files: dict[str, Path], only: Iterable[str] = ()) -> None:
        self._store = store
        self._recordings = recordings
        self._files = files
        self._only = frozenset(only)

    @property
    def names(self) -> list[str]:
        """The names of the sessions, in their order."""
        return [name for name in opening.sessions(self._store) if not self._only or name in self._only]

    def sessions(self) -> Iterator[Collected]:
        """All sessions, each held against its chain; what cannot be read of one says so there and stops no other."""
        for name in self.names:
            yield self._collected(name)

    def _collected(self, name: str) -> Collected:
        try:
            facts, damage = self._store.read(name), self._store.verify(name)
            protocol, head = self._protocol(name), self._store.head(name)
        except _UNREADABLE as error:
            return Collected(name, (), unreadable=str(error))
        compared, broken = self._compared(f"{name}/links")
        return Collected(name, [*facts, *compared], head, (*damage, *broken), protocol=protocol)

    def _compared(self, links: str) -> tuple[list[Recorded], list[str]]:
        """The comparisons of clocks, which are kept in the stream of a session's links, and what is wrong with them."""
        try:
            found = [each for each in self._store.read(links) if isinstance(each.event, ClockCompared)]
            return found, self._store.verify(links)
        except _UNREADABLE as error:
            return [], [f"{error}; no clocks could be compared"]

    def _protocol(self, name: str) -> bytes:
        """As stored: what a later release adds to a protocol with a default was not in this session's."""
        for stored in self._store.raw(name)[:1]:
            try:
                return bytes(msgspec.json.decode(stored.payload or b"", type=_Opening).protocol)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                break
        return b""

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """The samples of a sealed take; None for one that is not complete, or whose name is none."""
        try:
            return self._recordings.path(session, take, letter).read_bytes()
        except (FileNotFoundError, ValueError):
            return None

    def protocol_file(self, sha256: str) -> bytes | None:
        """The file as it was when the session was opened, if it still is."""
        path = self._files.get(sha256)
        return path.read_bytes() if path else None


def files_by_hash(study: Study) -> dict[str, Path]:
    """The files of the protocols of a study's sessions by their SHA-256, and those of the protocol as it is now."""
    kept = {path.name: path for path in opening.protocols(study.folder).glob("*") if not path.suffix}
    return kept | {sha256: study.folder / name for name, sha256 in study.files.items()}


def source_of(study: Study, store: Store, only: Iterable[str] = ()) -> StudySource:
    """The source of a study's export; the store stays the caller's to close."""
    return StudySource(store, Recordings(study.recordings), files_by_hash(study), only)
