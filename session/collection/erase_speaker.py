"""A person takes back consent: what a study holds of that person goes, and the proof that nothing else was touched stays.

The payloads in the store are erased and scrubbed (`session.store.event_store`); recordings, the spools that this machine
keeps, and technical logs are deleted. The pseudonym stays taken, the chain stays valid, no other name changes. Every step may
be repeated: after a crash, or where another program was in the way, the same call finishes the work.
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from session import events as e
from session.annotation.store import WORK_FILE
from session.collection import open_session, roster
from session.collection.study_lock import StudyInUse
from session.collection.take_archive import archive_at
from session.store.event_store import Store
from session.store.leases import live_hubs
from session.study.folder import Study
from session.study.settings import LEARNT
from session.values.clock import Clock, stamp
from session.values.names import check_id

TECHNICAL_LOGS = ("wizard.log",)
_BESIDE = ("{}", "{}.new", "{}.old", ".{}.partial", ".{}.new.partial")
"""What lies in a folder of sessions: each by its name, and what is left where the making of a second copy was interrupted."""
_OF_DATABASE = ("", "-wal", "-shm", "-journal")
IN_USE = "in-use"
REMOVALS = "removals.json"


class Erased(msgspec.Struct, frozen=True):
    """Erased: sessions of the person, payloads in the store, files; `traces` are files that still name the person's takes."""

    sessions: tuple[str, ...]
    payloads: int
    files: int
    traces: tuple[Path, ...]


def sessions_of(store: Store, speaker: str) -> list[str]:
    """The sessions of a speaker, those already erased included; raises what the store raises."""
    found: list[str] = []
    for name in open_session.session_names(store):
        for record in store.read(name):
            opened = isinstance(record.event, e.SessionOpened) and record.event.speaker.id == speaker
            if opened or (isinstance(record.event, e.SpeakerWithdrawn) and record.event.speaker == speaker):
                found.append(name)
                break
    return found


def takes_of(store: Store, sessions: Iterable[str]) -> set[str]:
    """The ids of all takes of some sessions."""
    return {
        str(take) for name in sessions for record in store.read(name) if (take := getattr(record.event, "take", ""))
    }


def erase(study: Study, store: Store, speaker: str, spools: Sequence[Path], clock: Clock) -> Erased:
    """Erase everything of `speaker` from a study and from `spools`, folders that hold one folder a session.

    Raises `StudyInUse` before anything is touched while a desk records into one of them, or, with recordings on object storage,
    while any hub lives; StoreUnavailable, SecondWriter or OSError where a part could not be done: then call it again.
    """
    archive = archive_at(study.settings.recordings)
    if archive is not None and (alive := live_hubs(store)):
        raise StudyInUse(
            f"{study.folder}: {alive[0]} serves this study; close every hub, then withdraw (one that died counts for 3 seconds)"
        )
    sessions = sessions_of(store, speaker)
    takes = takes_of(store, sessions)
    folders = [root / beside.format(check_id(name)) for root in spools for name in sessions for beside in _BESIDE]
    with _nobody_in(folders):
        own = roster.stream_of(speaker)
        streams = [
            info.stream
            for info in store.streams()
            if info.stream == own or any(info.stream.partition("/")[0] == name for name in sessions)
        ]
        fact = e.SpeakerWithdrawn(speaker=speaker, erased=0)
        payloads = store.withdraw(streams, "experimenter", stamp(clock), fact)
        files = sum(_remove(study.recordings / check_id(name)) for name in sessions)
        if archive is not None:
            files += sum(archive.erase(check_id(name)) for name in sessions)
        files += sum(_remove(folder) for folder in folders)
        files += sum(_remove(study.folder / name) for name in TECHNICAL_LOGS)
        # What a recogniser has learnt holds words of whoever spoke; the next hub makes it anew, without hers.
        files += _remove(study.folder / LEARNT)
    database = Path(study.store_url.partition(":///")[2]).name
    known = (REMOVALS, *(f"{name}{ending}" for name in filter(None, (database, WORK_FILE)) for ending in _OF_DATABASE))
    return Erased(tuple(sessions), payloads, files, tuple(_traces(study.folder, takes, known)))


@contextmanager
def _nobody_in(folders: Sequence[Path]) -> Iterator[None]:
    """Hold the locks of the spools, so that no terminal records into one meanwhile."""
    held: list[int] = []
    try:
        for folder in folders:
            lock = folder / IN_USE
            if lock.exists():
                held.append(os.open(lock, os.O_RDWR))
                _lock(held[-1], folder)
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise StudyInUse(f"{folder}: a subject's terminal records into it; close it, then withdraw") from error


def _remove(path: Path) -> int:
    """Delete a file or a folder; how many files it was. What is a link goes as a link."""
    if path.is_symlink() or path.is_file():
        path.unlink()
        return 1
    if not path.is_dir():
        return 0
    count = sum(len(files) for _, _, files in os.walk(path))
    try:
        shutil.rmtree(path)
    except OSError as error:  # names the file alone, not where it lies
        raise OSError(error.errno, error.strerror, str(path)) from error
    return count


def _traces(folder: Path, takes: set[str], known: Sequence[str]) -> Iterator[Path]:
    """Files below `folder` in which one of the takes is named: exports and copies that somebody put there.

    Sound is left out, and what keeps ids for good: the files named in `known`, which are the stores and the removal list.
    """
    names = [take.encode() for take in sorted(takes) if len(take) > 8]  # what is shorter stands anywhere by chance
    for path in sorted(folder.rglob("*")):
        searched = path.is_file() and path.suffix not in (".pcm", ".wav") and path.name not in known
        data = path.read_bytes() if searched and names else b""
        if any(name in data for name in names):
            yield path
