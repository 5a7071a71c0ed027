"""Takes at the hub: what arrives of them, in any order and more than once, until every sample is there and hashes as it should.

`recordings/<session>/<take>.<letter>.pcm.part` grows by raw 16-bit little-endian samples at their own places. While they come
in order nothing else is written; a piece that leaves a hole is announced in `….holes` first, so that after a kill only what
is surely in the file counts; after a loss of power the hash decides. The finished take is hashed, synchronised and renamed to
`….pcm`; from then on it is never touched. What the system says is beside, in `spoken/<sha256>.pcm`. With an archive, both are
kept there under the same names, and a finished take leaves this disk.
"""

import hashlib
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Collection
from pathlib import Path

from session.collection.sample_ranges import Span, punched, without
from session.collection.take_archive import TakeArchive, archive_at
from session.collection.unconfirmed_sound import ComingSessions
from session.study.folder import Study
from session.values.names import check_id

WIDTH = 2
OPEN_FILES = 256
ARCHIVED_HERE = 256
SPOKEN = "spoken"
PIECE = 1 << 20
_RECORD = re.compile(rb"([-+]) (\d{1,12}) (\d{1,12});")


class StudyFull(OSError):
    """The study's recordings are as many as it allows, and the session has ended."""


class ChannelFile:
    """One channel of one take on its way to the disk; every call may raise OSError and can be tried again."""

    def __init__(self, folder: Path, name: str) -> None:
        self.final = folder / f"{name}.pcm"
        self._part = folder / f"{name}.pcm.part"
        self._journal = folder / f"{name}.holes"
        self._notes = folder / f"{name}.mismatch"
        self._lock = threading.Lock()
        self._file: int | None = None
        self._sealing = False
        self.sealed = self.final.exists()
        self._samples = self._part.stat().st_size // WIDTH if self._part.exists() else 0
        self._holes = self._remembered()

    def write(self, first: int, pcm: bytes) -> None:
        """Keep samples from number `first` on; what already exists is written again, a sealed take stays as it is."""
        with self._lock:
            if self.sealed or self._sealing or not pcm:
                return
            if first > self._samples:
                hole = (self._samples, first - self._samples)
                self._remember(b"-", hole)
                self._holes = [*self._holes, hole]
                self._samples = first
            count = self._put(first, pcm)
            rest = without(self._holes, (first, count))
            if rest != self._holes:
                self._remember(b"+", (first, count))
                self._holes = rest

    def missing(self, samples: int) -> list[Span]:
        """Return the ranges that a take of `samples` lacks."""
        with self._lock:
            if self.sealed:
                return []
            lacking = [*self._holes, (self._samples, max(0, samples - self._samples))]
        return [(first, min(count, samples - first)) for first, count in lacking if count and first < samples]

    def read(self, first: int, count: int) -> bytes:
        """Samples as far as they have come, holes as silence."""
        path = self.final if self.sealed else self._part
        try:
            with path.open("rb") as file:
                file.seek(first * WIDTH)
                return file.read(count * WIDTH if count >= 0 else -1)
        except FileNotFoundError:
            return b""

    def seal(self, samples: int, sha256: str) -> bool:
        """Return whether the take is complete, hashes to `sha256` and is under its final name now.

        When it does not, it is put aside with a note, and all of it is missing again.
        """
        with self._lock:
            self._sealing = True
        try:
            path = self.final if self.sealed else self._part
            same_length = not self.sealed or path.stat().st_size == samples * WIDTH
            found = _hash(path, samples) if same_length else ""
            with self._lock:
                if found != sha256:
                    self._put_aside(path, samples, sha256, found)
                elif not self.sealed:
                    self._finish(samples)
            return found == sha256
        finally:
            self._sealing = False

    def close(self) -> None:
        """Give the file back to the system; the next write opens it again."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _opened(self) -> int:
        if self._file is None:
            self._part.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._file

    def _put(self, first: int, pcm: bytes) -> int:
        """Write all of `pcm`; how far the file reaches is noted even when the disk fills up in the middle."""
        file, done = self._opened(), 0
        try:
            while done < len(pcm):
                done += os.pwrite(file, pcm[done:], first * WIDTH + done)
        finally:
            self._samples = max(self._samples, first + done // WIDTH)
        return len(pcm) // WIDTH

    def _remember(self, sign: bytes, span: Span) -> None:
        self._part.parent.mkdir(parents=True, exist_ok=True)
        record = b"%s %d %d;\n" % (sign, *span)
        with self._journal.open("ab", buffering=0) as journal:
            if journal.write(b"\n" + record) != len(record) + 1:
                raise OSError(28, os.strerror(28), str(self._journal))

    def _remembered(self) -> list[Span]:
        """The holes by the journal; a record that was cut off by a crash announces nothing that was done."""
        holes: list[Span] = []
        if self._journal.exists():
            for line in self._journal.read_bytes().splitlines():
                if found := _RECORD.fullmatch(line):
                    span = (int(found[2]), int(found[3]))
                    holes = punched(holes, span) if found[1] == b"-" else without(holes, span)
        return without(holes, (self._samples, 1 << 62))

    def _finish(self, samples: int) -> None:
        file = self._opened()
        try:
            os.ftruncate(file, samples * WIDTH)
            os.fsync(file)
        except OSError:
            self._samples, self._holes = 0, []  # what the disk holds now is unknown, so all of it is asked for again
            raise
        self._close()
        if self.final.exists():
            raise FileExistsError(17, "a take of this name exists already", str(self.final))
        self._part.rename(self.final)
        _sync_folder(self.final.parent)
        self.sealed = True
        self._journal.unlink(missing_ok=True)

    def _put_aside(self, path: Path, samples: int, wanted: str, found: str) -> None:
        """Begin again. The first copy that did not agree is kept beside, and every one that had been sealed."""
        self.final.parent.mkdir(parents=True, exist_ok=True)
        with self._notes.open("a", encoding="ascii") as notes:
            notes.write(f"{samples} samples hash to {found or 'nothing, some are missing'}; announced was {wanted}\n")
        self._close()
        earlier = len(list(self.final.parent.glob(f"{self.final.name}.aside*")))
        if path.exists() and (self.sealed or not earlier):
            path.rename(self.final.with_name(f"{self.final.name}.aside{earlier + 1}"))
        else:
            path.unlink(missing_ok=True)
        self._journal.unlink(missing_ok=True)
        self.sealed, self._samples, self._holes = False, 0, []


class Recordings:
    """The takes of a study, under `root` and, finished, in `archive`, if there is one.

    One hub at a time; calls for different takes do not wait for one another. Of the sessions in `shut` nothing more is kept.
    """

    def __init__(self, root: Path, archive: TakeArchive | None = None) -> None:
        self.root = root
        self.archive = archive
        self._lock = threading.Lock()
        self._parts: dict[tuple[str, str, str], ChannelFile] = {}
        self._open: OrderedDict[tuple[str, str, str], ChannelFile] = OrderedDict()
        self._archived_here: OrderedDict[Path, None] = OrderedDict()
        self._coming = ComingSessions(root)
        self.shut: Collection[str] = ()

    def write(self, session: str, take: str, letter: str, first_sample: int, pcm: bytes) -> None:
        """Keep a piece of a take; doing it again does no harm. Raises OSError when the disk cannot take it, StudyFull where the
        study allows no more of this session, and ValueError for a name that is none, a negative place or half a sample."""
        if first_sample < 0 or len(pcm) % WIDTH:
            raise ValueError(f"take {take}: {len(pcm)} bytes at sample {first_sample} are no whole samples")
        if session in self.shut:
            raise StudyFull
        part = self._part(session, take, letter)
        self._coming.mark(session)
        part.write(first_sample, pcm)

    def missing(self, session: str, take: str, letter: str, samples: int) -> list[Span]:
        """(first, count) of everything that lacks of a take of `samples`."""
        return self._part(session, take, letter).missing(samples)

    def seal(self, session: str, take: str, letter: str, samples: int, sha256: str) -> bool:
        """Give the complete take its final name if it hashes to `sha256` (hexadecimal). If not, the copy is put aside with a
        note and all of the take is missing again. Blocks while it hashes and sends it to the archive; raises OSError."""
        part = self._part(session, take, letter)
        agrees = part.seal(samples, sha256.lower())
        if agrees and self.archive is not None:
            self._put(self.archive, f"{session}/{part.final.name}", part.final, sha256.lower())
        if agrees:
            self._coming.forget(session)
            with self._lock:  # its name on the disk is all that is needed from now on
                self._parts.pop((session, take, letter), None)
                self._open.pop((session, take, letter), None)
        return agrees

    def read(self, session: str, take: str, letter: str, first: int = 0, count: int = -1) -> bytes:
        """Samples as far as they have come, whether sealed or not; holes are silence; to the end without a `count`."""
        found = self._part(session, take, letter).read(first, count)
        if found or self.archive is None:
            return found
        try:
            end = count * WIDTH if count >= 0 else -1
            return self.archive.read(f"{session}/{_stem(take, letter)}.pcm", first * WIDTH, end)
        except FileNotFoundError:
            return b""

    def pcm(self, session: str, take: str, letter: str) -> bytes:
        """Return all samples of a sealed take, 16-bit little-endian; raises FileNotFoundError while it is not complete,
        OSError."""
        name = f"{_stem(take, letter)}.pcm"
        try:
            return self._finished(session, name)
        except FileNotFoundError:
            where = str(self._folder(session) / name)
            raise FileNotFoundError(2, "this take is not complete at the hub", where) from None

    def _finished(self, session: str, name: str) -> bytes:
        """The bytes of a finished file, from this disk or else from the archive; raises FileNotFoundError, OSError."""
        try:
            return (self._folder(session) / name).read_bytes()
        except FileNotFoundError:
            if self.archive is None:
                raise
        return self.archive.read(f"{session}/{name}")

    def takes(self, session: str) -> list[tuple[str, str]]:
        """(take, letter) of every sealed channel, by name."""
        names = {path.name for path in self._folder(session).glob("*.pcm")}
        if self.archive is not None:
            names |= {name.removeprefix(f"{session}/") for name in self.archive.names(session)}
        found = sorted(name.split(".") for name in names if "/" not in name)
        return [(name[0], name[1]) for name in found if len(name) == 3 and name[2] == "pcm"]

    def keep_spoken(self, session: str, pcm: bytes) -> str:
        """Keep a sound that the system speaks, under the SHA-256 that is returned; one that already exists stays as it is."""
        sha256 = hashlib.sha256(pcm).hexdigest()
        path = self._spoken(session, sha256)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(f"{sha256}.{threading.get_ident()}.part")
            try:
                with draft.open("wb") as file:
                    file.write(pcm)
                    file.flush()
                    os.fsync(file.fileno())
                draft.rename(path)
            finally:
                draft.unlink(missing_ok=True)
            _sync_folder(path.parent)
        return sha256

    def archive_spoken(self, session: str, sha256: str) -> None:
        """Archive such a sound, if there is an archive and it is here; raises OSError, and can be tried again."""
        path = self._spoken(session, sha256)
        if self.archive is not None and path not in self._archived_here and path.exists():
            self._put(self.archive, f"{session}/{SPOKEN}/{path.name}", path, sha256)

    def _put(self, archive: TakeArchive, name: str, path: Path, sha256: str) -> None:
        """Archive a file. The latest stay here too: a wizard hears an utterance again without waiting for a network."""
        archive.put(name, path, sha256)
        with self._lock:
            self._archived_here[path] = None
            self._archived_here.move_to_end(path)
            left = [self._archived_here.popitem(last=False)[0] for _ in range(len(self._archived_here) - ARCHIVED_HERE)]
        for each in left:
            each.unlink(missing_ok=True)

    def spoken(self, session: str, sha256: str) -> bytes | None:
        """A sound that the system spoke; None if it is not here, or is not what it was."""
        try:
            pcm = self._finished(session, f"{SPOKEN}/{self._spoken(session, sha256).name}")
        except FileNotFoundError:
            return None
        return pcm if hashlib.sha256(pcm).hexdigest() == sha256 else None

    def _spoken(self, session: str, sha256: str) -> Path:
        if not re.fullmatch("[0-9a-f]{64}", sha256):
            raise ValueError(f"{sha256!r} is not a SHA-256")
        return self._folder(session) / SPOKEN / f"{sha256}.pcm"

    def close(self) -> None:
        """Close all files; what has been written stays, here or in the archive."""
        with self._lock:
            while self._archived_here:
                self._archived_here.popitem()[0].unlink(missing_ok=True)
            for part in self._parts.values():
                part.close()
            self._open.clear()

    def _folder(self, session: str) -> Path:
        return self.root / check_id(session)

    def _part(self, session: str, take: str, letter: str) -> ChannelFile:
        key = (session, take, letter)
        with self._lock:
            part = self._parts.get(key)
            if part is None:
                part = self._parts[key] = ChannelFile(self._folder(session), _stem(take, letter))
            self._open[key] = part
            self._open.move_to_end(key)
            if len(self._open) > OPEN_FILES:
                self._open.popitem(last=False)[1].close()
        return part


def recordings_of(study: Study) -> Recordings:
    """Return a study's recordings, wherever it keeps them; raises `StudyError` if that cannot be reached at all."""
    return Recordings(study.recordings, archive_at(study.settings.recordings))


def _stem(take: str, letter: str) -> str:
    if not re.fullmatch("[a-z]", letter):
        raise ValueError(f"{letter!r} is not a channel: one of the letters a to z")
    return f"{check_id(take)}.{letter}"


def _hash(path: Path, samples: int) -> str:
    """SHA-256 over the first `samples`; empty when there are not so many."""
    digest, left = hashlib.sha256(), samples * WIDTH
    if not path.exists():
        return "" if left else digest.hexdigest()
    with path.open("rb", buffering=0) as file:
        while left and (piece := file.read(min(left, PIECE))):
            digest.update(piece)
            left -= len(piece)
    return digest.hexdigest() if not left else ""


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
