"""`curtain backup`: a copy of a study on another disk, made while sessions run, verified, and restored by one command.

Databases that change are copied by SQLite itself, which sees one moment of them; other files, and a domain's database, whose seal
holds for its bytes, are copied where they are new or have changed, and every copy is read back. What a withdrawal has erased in
the study goes from the copy too. The copy is a study folder.
"""

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TextIO

import msgspec

from domain.database.build import seal_path
from session.collection.open_session import session_names
from session.store.event_store import UNREADABLE, Store
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.values.clock import Clock

LEDGER = ".backup.json"
"""In the copy: its files with size, time of change and SHA-256. In the study: when and where the last copy was made."""
_DATABASES = (".sqlite", ".db")
_SIDE = ("-wal", "-shm", "-journal")
_CHUNK = 1 << 20


class Copied(msgspec.Struct, frozen=True):
    """A file of a copy; `changed` is the original's time of change in nanoseconds."""

    size: int
    changed: int
    sha256: str


class LastBackup(msgspec.Struct, frozen=True):
    """The note in the study of its last copy."""

    at_ns: int
    where: str


class BackupFault(Exception):
    """No copy could be made or restored; the message says why and what to do."""


def backup_command(study: str, target: str, *, restore: bool, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Copy the study to `target`, or with `restore` the copy at `target` to the new folder `study`; 2 where that fails."""
    try:
        if restore:
            count = restored(Path(target), Path(study))
            out.write(f"{study}: {count} files restored and verified\n")
        else:
            new, all_ = backed_up(Path(study), Path(target), clock)
            out.write(f"{target}: {new} files copied, {all_} in all, verified\n")
            out.write(f"restore it with: curtain backup NEW_STUDY {target} --restore\n")
            if url := load(Path(study)).settings.recordings:
                out.write(f"Not in the copy: the recordings in {url}. Copy them with that storage's own tools.\n")
    except (BackupFault, StudyError, OSError, sqlite3.Error, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    return 0


def backed_up(study: Path, target: Path, clock: Clock) -> tuple[int, int]:
    """Bring the copy at `target` up to date; how many files were copied, and are there. Raises BackupFault, OSError."""
    found = load(study)
    if study.resolve() in target.resolve().parents or target.resolve() == study.resolve():
        raise BackupFault(f"{target} would be in the study itself; name a folder on another disk")
    if target.exists() and any(target.iterdir()) and not (target / LEDGER).is_file():
        raise BackupFault(f"{target} is not a copy of a study and not empty; name a new folder")
    target.mkdir(parents=True, exist_ok=True)
    before = _ledger(target)
    with closing(Store(found.store_url)) as store:
        erased = {name for name in session_names(store) if _is_erased(store, name)}
    events = _store_file(found.store_url)
    ledger: dict[str, Copied] = {}
    new = 0
    for path in _files(study):
        name = path.relative_to(study).as_posix()
        stat = path.stat()
        known = before.get(name)
        if known and (known.size, known.changed) == (stat.st_size, stat.st_mtime_ns) and (target / name).is_file():
            ledger[name] = known
            continue
        ledger[name] = (
            _database(path, target / name, chains=path.resolve() == events)
            if path.suffix in _DATABASES and not seal_path(path).exists()
            else _copy(path, target / name)
        )
        new += 1
    for name, known in before.items():
        if name in ledger:
            continue
        parts = Path(name).parts
        if len(parts) > 1 and parts[0] == "recordings" and parts[1] in erased:
            (target / name).unlink(missing_ok=True)
        elif (target / name).is_file():
            ledger[name] = known  # lost in the study, kept here
    _write(target / LEDGER, msgspec.json.format(msgspec.json.encode(ledger)))
    _write(study / LEDGER, msgspec.json.encode(LastBackup(clock.wall_ns(), str(target.resolve()))))
    return new, len(ledger)


def restored(source: Path, study: Path) -> int:
    """Make the new folder `study` of the copy at `source`, every file verified; how many there are. Raises BackupFault."""
    if study.exists():
        raise BackupFault(f"{study} exists already; name a new folder, nothing is overwritten")
    if not (source / LEDGER).is_file():
        raise BackupFault(f"{source} is not a copy that `curtain backup` made: there is no {LEDGER} in it")
    ledger = _ledger(source)
    for name, known in ledger.items():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise BackupFault(f"{source / LEDGER} names {name}, which is outside; it was changed")
        if not (source / name).is_file() or _sha256(source / name) != known.sha256:
            raise BackupFault(f"{source / name} differs from the copied file; use another copy")
    draft = study.with_name(f".{study.name}.partial")
    shutil.rmtree(draft, ignore_errors=True)
    for name in ledger:
        (draft / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, draft / name)
    draft.rename(study)
    load(study)
    return len(ledger)


def last_backup(study: Path) -> LastBackup | None:
    """Return when and where the last copy of a study was made, if one was."""
    try:
        return msgspec.json.decode((study / LEDGER).read_bytes(), type=LastBackup)
    except (OSError, msgspec.MsgspecError):
        return None


def _is_erased(store: Store, name: str) -> bool:
    return any(type(recorded.event).__name__ == "SpeakerWithdrawn" for recorded in store.read(name)[-1:])


def _files(study: Path) -> Iterator[Path]:
    """Return what a study cannot do without: all but locks, logs of the database and what is being written."""
    for path in sorted(study.rglob("*")):
        name = path.name
        if (
            path.is_file()
            and not path.is_symlink()
            and name != LEDGER
            and not name.endswith((*_SIDE, ".partial", ".part"))
        ):
            yield path


def _database(path: Path, target: Path, *, chains: bool) -> Copied:
    """Copy a database as it is at one moment, others writing to it meanwhile."""
    stat = path.stat()
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.partial")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    with (
        closing(sqlite3.connect(f"file:{path.resolve()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(part)) as copy,
    ):
        source.backup(copy)
        if (found := copy.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
            raise BackupFault(f"{path} is damaged: {found}; restore an earlier copy")
    if chains:
        _check_chains(part)
    with closing(sqlite3.connect(part)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, whole by itself
    part.replace(target)
    wal = path.with_name(f"{path.name}-wal")
    busy = wal.exists() and wal.stat().st_size > 0  # what its log holds is not in its time of change
    return Copied(stat.st_size, -1 if busy else stat.st_mtime_ns, _sha256(target))


def _copy(path: Path, target: Path) -> Copied:
    stat = path.stat()
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.partial")
    digest = hashlib.sha256()
    with path.open("rb") as source, part.open("wb") as copy:
        os.fchmod(copy.fileno(), stat.st_mode & 0o777)
        while block := source.read(_CHUNK):
            digest.update(block)
            copy.write(block)
        copy.flush()
        os.fsync(copy.fileno())
    if _sha256(part) != digest.hexdigest():
        part.unlink()
        raise BackupFault(f"{target} was not read back as it was written; that disk is at fault")
    part.replace(target)
    return Copied(stat.st_size, stat.st_mtime_ns, digest.hexdigest())


def _check_chains(copy: Path) -> None:
    """Check every chain of a copied store; raises BackupFault."""
    with closing(Store(f"sqlite:///{copy.resolve()}")) as store:
        if wrong := [problem for info in store.streams() for problem in store.verify(info.stream)]:
            raise BackupFault(f"{copy}: {wrong[0]}; the copy is not good")


def _store_file(url: str) -> Path | None:
    """Return the file of the events, None if a server keeps them."""
    scheme, _, path = url.partition(":///")
    return Path(path).resolve() if scheme.startswith("sqlite") else None


def _ledger(folder: Path) -> dict[str, Copied]:
    try:
        return msgspec.json.decode((folder / LEDGER).read_bytes(), type=dict[str, Copied])
    except FileNotFoundError:
        return {}
    except msgspec.MsgspecError as error:
        raise BackupFault(f"{folder / LEDGER} cannot be read: {error}; name a new folder") from error


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f"{path.name}.partial")
    part.write_bytes(data)
    part.replace(path)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
