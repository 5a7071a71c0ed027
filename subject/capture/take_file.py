"""A take on the subject's disk, written so that a crash at any moment costs no sample that was reported written.

Beside `<take>.<letter>.pcm.part`, raw samples appended without a buffer, lies `<take>.<letter>.json.part`, written before the
first sample: rate, microphone, the moment of sample 0. A finished channel gets its final sidecar `.json` (count, SHA-256) by
write, sync and rename, and only then loses its `.part`. Whatever `.part` a crash leaves behind is sealed at the next start
and marked recovered. Nothing is overwritten, nothing is deleted but the sidecar that a final one replaced.
"""

import contextlib
import errno
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from session.audio.devices import WIDTH
from session.values.clock import Stamp
from session.values.vocabulary import Channel, Sealed

STEM = re.compile(r"[0-9A-Za-z_-]{1,64}\.[a-z]")
_PCM, _PART, _JSON, _JSON_PART = ".pcm", ".pcm.part", ".json", ".json.part"


class TakeHeader(msgspec.Struct, frozen=True):
    """Header of a channel, known when its first sample is written; `anchor` is the moment of sample 0, captured within
    `uncertainty_ns` of it; `start` is its number in the microphone's stream."""

    take: str
    letter: str
    rate: int
    microphone: str
    anchor: Stamp
    uncertainty_ns: int = 0
    start: int = 0
    pre_roll: int = 0

    def channel(self, primary: "TakeHeader") -> Channel:
        """Return what the hub is told of this channel when it begins, beside the primary one."""
        return Channel(self.letter, self.microphone, self.rate, self.anchor.mono - primary.anchor.mono)


class ChannelEnd(msgspec.Struct, frozen=True):
    """End of a channel: `overflows` as the device flagged them, `tail` samples after the release, `drift_ppm` how much slower
    than nominal the device's clock ran (None if the stream was too short to tell)."""

    discarded: bool = False
    overflows: int = 0
    tail: int = 0
    drift_ppm: float | None = None


class SealedTake(msgspec.Struct, frozen=True):
    """A finished channel: its header, its count of samples and their SHA-256 (hexadecimal, over the raw little-endian bytes).

    `recovered` says that a crash ended it; `torn` counts bytes of a half-written last sample that were cut off; `lost`
    counts samples that the disk refused.
    """

    header: TakeHeader
    samples: int
    sha256: str
    ending: ChannelEnd = ChannelEnd()
    recovered: bool = False
    torn: int = 0
    lost: int = 0

    @property
    def as_sealed(self) -> Sealed:
        """Return what the hub is told of this channel at its end."""
        return Sealed(self.header.letter, self.samples, self.sha256, self.ending.drift_ppm)


class UnreadableFile(msgspec.Struct, frozen=True):
    """A file that recovery could not make sense of and left where it is; `problem` says why and what to do."""

    path: Path
    problem: str


def stem(take: str, letter: str) -> str:
    """The name that the files of one channel share; raises ValueError for an id that is not a file name."""
    name = f"{take}.{letter}"
    if not STEM.fullmatch(name):
        raise ValueError(
            f"take {take!r}, channel {letter!r}: an id has 1 to 64 letters, digits, - or _, a channel is one of a-z"
        )
    return name


def pcm_path(directory: Path, take: str, letter: str) -> Path | None:
    """Return where the samples lie, finished or still being written; None if there are none."""
    name = stem(take, letter)
    for ending in (_PCM, _PART):
        if (directory / (name + ending)).exists():
            return directory / (name + ending)
    return None


class TakeFile:
    """One channel being written. `hold` never fails; `flush`, `sync` and `seal` may raise OSError and can be tried again:
    samples that the disk refused wait in memory. `written` counts those that reached the file, `waiting` those that have not.
    """

    def __init__(self, directory: Path, header: TakeHeader) -> None:
        self.header = header
        self._directory = directory
        self._name = stem(header.take, header.letter)
        self._waiting = bytearray()
        self._hash = hashlib.sha256()
        self._bytes = 0
        self._file: int | None = None

    @property
    def written(self) -> int:
        """Whole samples that the file holds."""
        return self._bytes // WIDTH

    @property
    def waiting(self) -> int:
        """Samples that the file does not hold yet."""
        return (self._bytes + len(self._waiting)) // WIDTH - self.written

    def hold(self, data: bytes) -> None:
        """Take in samples that come after all others."""
        self._waiting += data

    def flush(self) -> None:
        """Write what waits; the system has it when this returns, the disk after `sync`."""
        while self._waiting:
            file = self._opened()
            count = os.write(file, self._waiting)
            self._hash.update(bytes(self._waiting[:count]))
            del self._waiting[:count]
            self._bytes += count

    def _opened(self) -> int:
        if self._file is None:
            _check_free(self._directory / (self._name + _PCM))
            sidecar = self._directory / (self._name + _JSON_PART)
            if not sidecar.exists():
                write_once(sidecar, msgspec.json.encode(self.header))
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
            self._file = os.open(self._directory / (self._name + _PART), flags, 0o600)
            sync_directory(self._directory)
        return self._file

    def sync(self) -> None:
        """Have the disk hold every sample."""
        self.flush()
        if self._file is not None:
            os.fsync(self._file)

    def seal(self, ending: ChannelEnd) -> SealedTake:
        """Turn the file into a finished one; a channel without a sample leaves no file and counts 0."""
        self.sync()
        sealed = SealedTake(self.header, self.written, self._hash.hexdigest(), ending)
        self._finish(sealed)
        return sealed

    def give_up(self, ending: ChannelEnd) -> SealedTake:
        """Seal what reached the disk although it refuses the rest; `lost` in the result counts that.

        Never raises OSError: where even the sidecar is refused, the file stays unfinished for `recover`.
        """
        lost, torn = self.waiting, self._bytes % WIDTH
        self._waiting.clear()
        digest = self._hash.hexdigest()
        with contextlib.suppress(OSError):
            if torn and self._file is not None:
                os.ftruncate(self._file, self.written * WIDTH)
                digest = _digest(self._directory / (self._name + _PART))
        sealed = SealedTake(self.header, self.written, digest, ending, torn=torn, lost=lost)
        with contextlib.suppress(OSError):
            self._finish(sealed)
        self.close()
        return sealed

    def _finish(self, sealed: SealedTake) -> None:
        if self._file is not None:
            finish(self._directory, self._name, sealed)
            self.close()

    def close(self) -> None:
        """Let go of the file without finishing it; `recover` will."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def finish(directory: Path, name: str, sealed: SealedTake) -> None:
    """Final sidecar, then the final name, then the preliminary sidecar goes; each step can be repeated after a crash."""
    _check_free(directory / (name + _PCM))
    if not (directory / (name + _JSON)).exists():
        write_once(directory / (name + _JSON), msgspec.json.encode(sealed))
    (directory / (name + _PART)).rename(directory / (name + _PCM))
    sync_directory(directory)
    (directory / (name + _JSON_PART)).unlink(missing_ok=True)


def write_once(path: Path, data: bytes) -> None:
    """A whole file or none: temporary name, sync, rename; raises FileExistsError rather than replace a file."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.unlink(missing_ok=True)
    with temporary.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    _check_free(path)
    temporary.rename(path)


def _check_free(path: Path) -> None:
    if path.exists():
        raise FileExistsError(errno.EEXIST, "already exists and is not replaced", str(path))


def sync_directory(directory: Path) -> None:
    """Have the disk hold the names in the directory."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_sealed(directory: Path, name: str) -> SealedTake:
    """The final sidecar; raises OSError, or ValueError naming the file."""
    path = directory / (name + _JSON)
    try:
        return msgspec.json.decode(path.read_bytes(), type=SealedTake)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{path}: not the sidecar of a take ({error}); keep the file and ask for help") from error


class NoRoom(Exception):
    """The disk has no room for what must be written before anything else; in the system's words."""


@contextlib.contextmanager
def _room() -> Iterator[None]:
    """A disk that is full now will not be later: what could not be done then must not be passed over."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise NoRoom(error.strerror) from error
        raise


def recover(directory: Path) -> Iterator[SealedTake | UnreadableFile]:
    """Seal every channel that a crash left unfinished, in the order of their names; nothing is thrown away.

    Raises NoRoom if the disk is full; the same call finishes the work when it is not.
    """
    for sidecar in sorted(directory.glob("*" + _JSON_PART)):
        name = sidecar.name.removesuffix(_JSON_PART)
        if (directory / (name + _PCM)).exists() and (directory / (name + _JSON)).exists():
            sidecar.unlink()
        else:
            with _room():
                (directory / (name + _PART)).touch()
    for part in sorted(directory.glob("*" + _PART)):
        try:
            with _room():
                sealed = _recover(directory, part.name.removesuffix(_PART), part)
            yield sealed
        except (OSError, ValueError) as error:
            yield UnreadableFile(part, f"{part}: left as it is: {error}")


def _recover(directory: Path, name: str, part: Path) -> SealedTake:
    if (directory / (name + _JSON)).exists():
        sealed = read_sealed(directory, name)
        if (sealed.samples, sealed.sha256) != (part.stat().st_size // WIDTH, _digest(part)):
            raise ValueError("its sidecar names another count or hash")
    else:
        sealed = _unfinished(directory / (name + _JSON_PART), part)
    finish(directory, name, sealed)
    return sealed


def _unfinished(sidecar: Path, part: Path) -> SealedTake:
    try:
        header = msgspec.json.decode(sidecar.read_bytes(), type=TakeHeader)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{sidecar.name} is damaged ({error})") from error
    torn = part.stat().st_size % WIDTH
    if torn:
        os.truncate(part, part.stat().st_size - torn)
    return msgspec.structs.replace(measured(header, part), torn=torn)


def measured(header: TakeHeader, path: Path) -> SealedTake:
    """A recovered take with the count and the hash that its samples have; raises OSError."""
    return SealedTake(header, path.stat().st_size // WIDTH, _digest(path), recovered=True)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
