"""Atomic output directories: each appears complete or not at all, and an interrupted one is resumed.

An export takes minutes; half a corpus looks like a whole one. So the files are written into `.NAME.partial` beside the target,
which get the target's name when the last of them is there. Whoever is killed, interrupted or finds the disk full leaves that
directory; the next attempt at the same target keeps of it what is still right, byte by byte, and throws the rest away. Nothing is
ever overwritten.
"""

import fcntl
import hashlib
import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BufferedWriter, FileIO
from pathlib import Path

import msgspec

from corpus.formats import layout
from corpus.formats.errors import message_of
from corpus.formats.manifest import FileEntry, entry_of, is_in

_FILES = "files"
_DONE = "done.jsonl"
_HALF = re.compile(r"\..+\.\d+\.part")


class Refused(Exception):
    """The target cannot be written; the message says why and what to do."""


class Stopped(Refused):
    """The work was stopped from outside; what is written stays, and the same call continues with it."""


class _CompletedWork(msgspec.Struct):
    """One line of the record of completed work: a key, and the data that its writer needs on resuming."""

    key: str
    value: msgspec.Raw


class Files(ABC):
    """Files of one directory, wherever they are kept: each path once, with size and hash."""

    def __init__(self) -> None:
        self.files: dict[str, FileEntry] = {}

    def write(self, path: str, data: bytes, draft: bool = False, like: FileEntry | None = None) -> None:
        """A new file, with the marks of `like` if given; raises `Refused` when the directory has it already."""
        self.put(path, data, entry_of(data, draft, like))

    def put(self, path: str, data: bytes, entry: FileEntry) -> None:
        """Write a new file whose entry is known; raises as `write` does."""
        if path in self.files:
            raise Refused(f"two sessions lead to the same file {path}; give their speakers different ids")
        self.files[path] = entry
        self._put(path, data)

    def take_back(self, paths: Iterable[str]) -> None:
        """Remove files that were written: those of a session of which not all can be."""
        for path in paths:
            del self.files[path]
            self._drop(path)

    @abstractmethod
    def _put(self, path: str, data: bytes) -> None: ...

    @abstractmethod
    def _drop(self, path: str) -> None: ...


class Parcel(Files):
    """Files made by one process for another to write."""

    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, bytes] = {}

    def _put(self, path: str, data: bytes) -> None:
        self.data[path] = data

    def _drop(self, path: str) -> None:
        del self.data[path]


class Staging(Files):
    """The partial directory. With `resumed`, it may already hold files; `mode` is that of the files."""

    def __init__(self, partial: Path, resumed: bool = False, mode: int = 0o666) -> None:
        super().__init__()
        self._mode = mode
        self.root = partial / _FILES
        self._below = f"{self.root}/"
        self._resumed = resumed
        self._record = partial / _DONE
        self._done = _recorded(self._record) if resumed else {}
        self._folders: set[str] = set()
        self._progress: Callable[[int], None] = lambda _: None

    def tell(self, progress: Callable[[int], None]) -> None:
        """Report the number of files written to `progress` after each one."""
        self._progress = progress

    def unpack(self, parcel: Parcel) -> None:
        """Write what another process has made."""
        for path, data in parcel.data.items():
            self.put(path, data, parcel.files[path])

    def _put(self, path: str, data: bytes) -> None:
        if not (self._resumed and self._held(path, len(data)) == data):
            self._write(path, data)
        self._progress(len(self.files))

    def keep(self, path: str, entry: FileEntry) -> bool:
        """Return whether an earlier attempt wrote exactly the file of this entry; it counts as written then."""
        if not self._resumed or path in self.files:
            return False
        data = self._held(path, entry.bytes)
        if data is None or hashlib.sha256(data).hexdigest() != entry.sha256:
            return False
        self.files[path] = entry
        self._progress(len(self.files))
        return True

    def remember(self, key: str, value: object) -> None:
        """Record that something is done, with the data that a later attempt needs."""
        line = msgspec.json.encode(_CompletedWork(key, msgspec.Raw(msgspec.json.encode(value))))
        with self._record.open("ab") as file:
            file.write(b"\n" + line)  # the end comes first, so that a line that was cut off spoils no other

    @property
    def remembered(self) -> frozenset[str]:
        """The keys of all that an earlier attempt recorded."""
        return frozenset(self._done)

    def recall(self, key: str) -> bytes:
        """Return what an earlier attempt recorded under this key, as JSON; empty if there is nothing."""
        return self._done.get(key, b"")

    def _drop(self, path: str) -> None:
        (self.root / path).unlink()

    def sweep(self) -> None:
        """Remove what an earlier attempt wrote and this one did not."""
        if not self._resumed:
            return
        for folder, names, found in os.walk(self.root, topdown=False):
            below = Path(folder)
            for name in found:
                if (below / name).relative_to(self.root).as_posix() not in self.files:
                    (below / name).unlink()
            for name in names:
                if not any((below / name).iterdir()):
                    (below / name).rmdir()

    def _held(self, path: str, size: int) -> bytes | None:
        target = self.root / path
        try:
            return target.read_bytes() if target.lstat().st_size == size else None
        except OSError:
            return None

    def _write(self, path: str, data: bytes) -> None:
        target = f"{self._below}{path}"
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            (self.root / folder).mkdir(parents=True, exist_ok=True)
            self._folders.add(folder)
        if self._resumed:
            Path(target).unlink(missing_ok=True)
        with FileIO(target, "x", opener=self._open) as file:
            while data:  # the system may take a part
                data = data[file.write(data) :]

    def write_parts(self, path: str, parts: Iterable[bytes]) -> None:
        """A new file of which the bytes come in parts; raises as `write` does. Only where nothing is resumed."""
        if path in self.files:
            raise Refused(f"two sessions lead to the same file {path}; give their speakers different ids")
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        digest, size = hashlib.sha256(), 0
        with FileIO(f"{self._below}{path}", "x", opener=self._open) as raw, BufferedWriter(raw) as file:
            for part in parts:
                digest.update(part)
                size += file.write(part)
        self.files[path] = FileEntry(size, digest.hexdigest())

    def copy(self, path: str, data: bytes) -> None:
        """Write a new file whose entry somebody else keeps."""
        self._write(path, data)

    def _open(self, path: str, flags: int) -> int:
        return os.open(path, flags, self._mode)


def partial_of(target: Path) -> Path:
    """Return the partial directory of `target`."""
    return target.parent / f".{target.name}.partial"


def is_partial(folder: Path) -> bool:
    """Return whether this is a partial directory, live or abandoned, and holds nothing else."""
    held = {path.name for path in folder.iterdir()}
    return folder.name.endswith(".partial") and bool(held) and held <= {_FILES, _DONE}


def stopped(error: BaseException, *targets: Path) -> str:
    """Return the message for an interrupted write of `targets`: why it stopped, and where to resume if anything was kept."""
    kept = [str(partial) for target in targets if (partial := partial_of(target)).is_dir()]
    reason = message_of(error) or "interrupted"
    return (
        f"{reason}; partial output is kept in {', '.join(kept)}; run the same command to continue\n"
        if kept
        else f"{reason}\n"
    )


def reopen(target: Path) -> None:
    """Turn a finished directory, or file, back into a partial one, if it exists: for an intermediate result, or one to be
    deleted."""
    partial = partial_of(target)
    if target.exists() and not target.is_symlink() and not (partial.exists() and any(partial.iterdir())):
        partial.mkdir(mode=0o700, exist_ok=True)
        target.rename(partial / _FILES)


@contextmanager
def meanwhile(folder: Path) -> Iterator[None]:
    """Delete `folder` when the block ends, except after an interrupt or a system error, so that the work can be resumed."""
    try:
        yield
    except (KeyboardInterrupt, OSError, Stopped):
        raise
    except BaseException:
        discard(folder)
        raise
    discard(folder)


def discard(folder: Path) -> None:
    """Delete a folder that Curtain made. Its manifest goes last, so that the next call recognises one half deleted."""
    for path in [path for path in folder.iterdir() if path.name != layout.MANIFEST]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    shutil.rmtree(folder)


@contextmanager
def staged(target: Path) -> Iterator[Staging]:
    """Yield a `Staging`; on leaving, its files become `target`.

    When it is interrupted, or the system refuses something (a full disk), what was written stays for the next attempt; any
    other exception removes it. Raises `Refused` when `target` exists or its parent does not, or when another person is
    writing it.
    """
    refuse_existing(target)
    refuse_nowhere(target)
    partial = partial_of(target)
    with _owned(partial, target):
        resumed = (partial / _FILES).is_dir()
        if not resumed:
            (partial / _FILES).mkdir()
        with meanwhile(partial):
            staging = Staging(partial, resumed)
            yield staging
            refuse_existing(target)
            staging.sweep()
            staging.root.chmod(0o777 & ~_umask())
            staging.root.rename(target)


@contextmanager
def _owned(partial: Path, target: Path) -> Iterator[None]:
    """Create the partial directory if necessary, and lock it."""
    partial.mkdir(mode=0o700, exist_ok=True)
    handle = os.open(partial, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid != os.geteuid():
            raise Refused(f"{partial} belongs to another program; remove it or choose another directory than {target}")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(f"{target} is being written by another process; wait for it") from None
        yield
    finally:
        os.close(handle)


def _recorded(path: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for line in path.read_bytes().splitlines() if path.is_file() else ():
        try:
            done = msgspec.json.decode(line, type=_CompletedWork)
        except msgspec.DecodeError:  # the line that was being written when the process was killed
            continue
        found[done.key] = bytes(done.value)
    return found


@contextmanager
def locked(root: Path, wait: bool = True) -> Iterator[None]:
    """One at a time, across programs; the lock is on the directory itself, so that no file of ours is in it.

    Without `wait` raises BlockingIOError if another person is at it.
    """
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def in_use(root: Path) -> bool:
    """Return whether somebody has the directory `locked`, or writes it as the partial one of a `staged`."""
    try:
        with locked(root, wait=False):
            return False
    except BlockingIOError:
        return True


def replace(path: Path, data: bytes) -> None:
    """Replace a file atomically."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def drop_halves(path: Path) -> None:
    """Delete the temporary files that a killed `replace` of this file left. The caller must have the directory to itself."""
    for half in path.parent.glob(f".{path.name}.*.part"):
        if _HALF.fullmatch(half.name) and half.is_file():
            half.unlink()


def is_corpus(folder: Path) -> bool:
    """Return whether a folder is an exported corpus, and not a study; raises `Refused` for what is neither."""
    if is_in(folder):
        return True
    if not (folder / "study.toml").is_file():
        raise Refused(
            f"{folder} is neither a study nor a corpus: it has neither study.toml nor {layout.MANIFEST}; name one that has"
        )
    return False


def refuse_existing(target: Path) -> None:
    """Raise `Refused` when `target` exists, or would lie within a corpus."""
    if target.exists() or target.is_symlink():
        raise Refused(f"{target} exists already; choose another directory, nothing is overwritten")
    for folder in target.resolve().parents:
        if is_in(folder) and (folder / layout.SPEAKER_TABLE).is_file():
            raise Refused(f"{target} would be within the corpus {folder}; choose a directory beside it")


def refuse_nowhere(target: Path) -> None:
    """Raise `Refused` when the parent of `target` does not exist."""
    if not target.parent.is_dir():
        raise Refused(f"{target.parent} is not a directory; make it first")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def link_or_copy(source: Path, target: Path) -> None:
    """Make `target` a hard link to `source`, or a copy where the file system has none; its folder is made too."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)
