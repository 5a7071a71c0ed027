"""A study folder as an export sees it: its store, its recordings, the files of its protocol."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from corpus.source import Collected
from session import opening
from session.events import ClockCompared, Recorded
from session.recordings import Recordings
from session.store import Store
from session.studyfolder import Study


class StudySource:
    """Sessions one at a time, the oldest first; `only` restricts them to some."""

    def __init__(self, store: Store, recordings: Recordings, files: dict[str, Path], only: Iterable[str] = ()) -> None:
        self._store = store
        self._recordings = recordings
        self._files = files
        self._only = frozenset(only)

    def sessions(self) -> Iterator[Collected]:
        """All sessions; raises what the store raises for events that it cannot read."""
        for name in opening.sessions(self._store):
            if not self._only or name in self._only:
                yield Collected(name, self._facts(name), self._store.head(name))

    def _facts(self, name: str) -> list[Recorded]:
        """The session's facts, and behind them the comparisons of clocks, which are kept in the stream of its links."""
        links = self._store.read(f"{name}/links")
        return [*self._store.read(name), *(each for each in links if isinstance(each.event, ClockCompared))]

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
