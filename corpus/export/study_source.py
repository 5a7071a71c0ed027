"""A study folder as an export sees it: its store, its recordings, the files of its protocol."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path

import msgspec

from corpus.export.source import Collected
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused
from session.collection import open_session
from session.collection.recordings import Recordings, recordings_of
from session.collection.study_lock import shared_lock
from session.collection.take_archive import archive_at
from session.events import ClockCompared, Recorded
from session.store import hash_chain
from session.store.event_store import UNREADABLE, Store
from session.store.hash_chain import StoredEvent
from session.study.folder import Study
from session.study.metadata import Metadata
from session.study.toml_reader import StudyError

FAULTS = (FormatFault, Refused, StudyError, *UNREADABLE, OSError)
"""The errors that stop an export of a study."""
_State = tuple[str, Path, str, dict[str, Path], frozenset[str]]


class _Opening(msgspec.Struct):
    """The part of a stored `SessionOpened` that a corpus keeps as it was written."""

    protocol: msgspec.Raw


class StudySource:
    """Sessions one at a time, the oldest first; `only` restricts them to some. In another process it opens the store when it
    needs it, for reading alone; the study must be there under the same path."""

    def __init__(self, store: Store, recordings: Recordings, files: dict[str, Path], only: Iterable[str] = ()) -> None:
        self._opened: Store | None = store
        self._url = store.reading_url
        self._recordings = recordings
        self._files = files
        self._only = frozenset(only)

    def __getstate__(self) -> _State:
        files = {sha256: path.resolve() for sha256, path in self._files.items()}
        archive = self._recordings.archive
        return self._url, self._recordings.root.resolve(), archive.url if archive else "", files, self._only

    def __setstate__(self, state: _State) -> None:
        self._url, root, archive, self._files, self._only = state
        self._opened, self._recordings = None, Recordings(root, archive_at(archive))

    @property
    def _store(self) -> Store:
        if self._opened is None:
            self._opened = Store(self._url)
        return self._opened

    @property
    def names(self) -> list[str]:
        """The names of the sessions, in their order."""
        return [name for name in open_session.session_names(self._store) if not self._only or name in self._only]

    def head(self, name: str) -> str:
        """The last digest of a session's chain, in hexadecimal."""
        return self._store.head(name)

    def collected(self, name: str) -> Collected:
        """A session compared with its chain; what cannot be read of it is said there, so that it stops no other."""
        try:
            stored = self._store.raw(name)
            facts = [self._store.recorded(fact) for fact in stored]
        except UNREADABLE as error:
            return Collected(name, (), unreadable=str(error))
        compared, broken = self._compared(f"{name}/links")
        head = stored[-1].digest.hex() if stored else ""
        damage = (*hash_chain.findings(stored), *broken)
        found = [*facts, *compared]
        return Collected(name, found, head, damage, protocol=_protocol(stored), origin=self._origin)

    @cached_property
    def _origin(self) -> str:
        """The digest of the event with which the store began: random, and forever the same."""
        return min(((info.began, info.first) for info in self._store.streams() if info.began), default=(0, ""))[1]

    def _compared(self, links: str) -> tuple[list[Recorded], list[str]]:
        """The comparisons of clocks, which are kept in the stream of a session's links, and what is wrong with them."""
        try:
            stored = self._store.raw(links)
            found = [self._store.recorded(fact) for fact in stored]
        except UNREADABLE as error:
            return [], [f"{error}; no clocks could be compared"]
        return [record for record in found if isinstance(record.event, ClockCompared)], hash_chain.findings(stored)

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """The samples of a sealed take; None for one that is not complete, or whose name is none."""
        try:
            return self._recordings.pcm(session, take, letter)
        except (FileNotFoundError, ValueError):
            return None

    def spoken(self, session: str, sha256: str) -> bytes | None:
        """Return what the system said, or None."""
        return self._recordings.spoken(session, sha256)

    def protocol_file(self, sha256: str) -> bytes | None:
        """The file as it was when the session was opened, if it still is."""
        path = self._files.get(sha256)
        return path.read_bytes() if path else None


def _protocol(stored: Sequence[StoredEvent]) -> bytes:
    """As stored: what a later release adds to a protocol with a default was not in this session's."""
    for first in stored[:1]:
        try:
            return bytes(msgspec.json.decode(first.payload or b"", type=_Opening).protocol)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            break
    return b""


def files_by_hash(study: Study) -> dict[str, Path]:
    """The files of the protocols of a study's sessions by their SHA-256, and those of the protocol as it is now."""
    kept = {path.name: path for path in open_session.protocols_folder(study.folder).glob("*") if not path.suffix}
    return kept | {sha256: study.folder / name for name, sha256 in study.files.items()}


@contextmanager
def reading(study: Study) -> Iterator[Store]:
    """The store of a study that is exported: nobody withdraws meanwhile. Raises StoreUnavailable, OSError."""
    with shared_lock(study.folder), closing(Store(study.store_url)) as store:
        yield store


def source_of(study: Study, store: Store, only: Iterable[str] = ()) -> StudySource:
    """The source of a study's export; the store stays the caller's to close."""
    return StudySource(store, recordings_of(study), files_by_hash(study), only)


def asked_of(study: Study, store: Store, only: Sequence[str]) -> StudySource:
    """Return the source of the sessions that are asked for; raises `Refused` for a session that the study has not."""
    source = source_of(study, store, only)
    if strange := sorted({*only} - {*source.names}):
        raise Refused(f"{study.folder} has no session {strange[0]}; `curtain sessions {study.folder}` lists them")
    return source


def stated_in(study: Study) -> dict[str, Metadata]:
    """Return what the study states of its corpus, by site; nothing if `[metadata]` is not there. Speech is in the language of
    the screens, if no other is named."""
    stated = study.settings.metadata
    if stated == Metadata():
        return {}
    return {study.site: msgspec.structs.replace(stated, language=stated.language or study.settings.language)}
