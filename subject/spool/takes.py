"""Takes that the subject's disk still holds because the hub has not confirmed them: through crashes, restarts and cut links.

The spool lies over the directory into which the recorder writes (`subject.capture.take_file`). A channel may go only when the
hub has confirmed its count of samples and their SHA-256. Everything else stays and can be read by sample range, a take that is
still being written included.
"""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from session.audio.devices import WIDTH
from session.events import AudioTroubled, RecordingStarted, RecordingStopped
from session.values.clock import Clock, Stamp, stamp
from session.values.vocabulary import AudioTrouble
from subject.capture.take_file import (
    STEM,
    NoRoom,
    SealedTake,
    TakeHeader,
    UnreadableFile,
    measured,
    pcm_path,
    read_sealed,
    recover,
    stem,
)

_SIDECAR, _PCM, _CONFIRMED = ".json", ".pcm", ".confirmed"

LeftBehind = RecordingStarted | AudioTroubled | RecordingStopped


class SpoolError(Exception):
    """The spool cannot be used; the message names the folder and the remedy."""


class Spool:
    """Channels of takes that the hub has not confirmed, in the order of their names (a ULID's order is that of time).

    One process at a time: a second one is refused with `SpoolError`. Starting costs one look at the directory; nothing later
    depends on how much it holds.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        try:
            directory.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(directory / "in-use", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise SpoolError(
                f"{directory}: recordings cannot be kept here ({error.strerror}). Make it writable"
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._lock)
            raise SpoolError(f"{directory}: another terminal records into it. Close that one first") from error
        self._kept: dict[tuple[str, str], None] = {}
        try:
            self._scan()
        except OSError as error:
            self.close()
            raise SpoolError(
                f"{directory}: its recordings cannot be listed ({error.strerror}). Make it readable"
            ) from error

    def _scan(self) -> None:
        names = sorted(entry.name for entry in os.scandir(self.directory))
        for name in names:
            if name.endswith(_CONFIRMED) and STEM.fullmatch(name.removesuffix(_CONFIRMED)):
                self._forget(name.removesuffix(_CONFIRMED))
            elif name.endswith(_SIDECAR) and STEM.fullmatch(name.removesuffix(_SIDECAR)):
                take, _, letter = name.removesuffix(_SIDECAR).rpartition(".")
                self._kept[take, letter] = None

    def close(self) -> None:
        """Let another process have the directory."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def recover(self) -> list[SealedTake | UnreadableFile]:
        """Seal what a crash left unfinished; to be called before anything is recorded. Raises SpoolError on a full disk."""
        try:
            found = list(recover(self.directory))
        except NoRoom as error:
            raise SpoolError(
                f"{self.directory}: the last run left recordings that are not finished, and there is no room to finish them "
                f"({error}). Nothing is lost: make room on this disk, then start again"
            ) from error
        for sealed in found:
            if isinstance(sealed, SealedTake):
                self.add(sealed)
        return found

    def add(self, sealed: SealedTake) -> None:
        """A channel has been sealed; one without a sample has no file to keep."""
        if sealed.samples:
            self._kept[sealed.header.take, sealed.header.letter] = None

    def __len__(self) -> int:
        return len(self._kept)

    def unconfirmed(self) -> Iterator[tuple[str, str]]:
        """(take, letter) of every channel that is kept, oldest first."""
        yield from tuple(self._kept)

    def sealed(self, take: str, letter: str) -> SealedTake:
        """Return the seal of a kept channel; where its sidecar is damaged, count and hash are taken from the samples.

        Raises KeyError for a channel that is not kept, OSError when its samples cannot be read.
        """
        if (take, letter) not in self._kept:
            raise KeyError(f"{take}.{letter}")
        name = stem(take, letter)
        try:
            return read_sealed(self.directory, name)
        except ValueError:
            return measured(TakeHeader(take, letter, 0, "", Stamp("", 0, 0)), self.directory / (name + _PCM))

    def read(self, take: str, letter: str, start: int, samples: int) -> bytes:
        """Samples `start` to `start + samples - 1`, or as many of them as there are, as 16-bit little-endian bytes.

        Raises KeyError when nothing of that channel is on the disk.
        """
        path = pcm_path(self.directory, take, letter)
        if path is None:
            raise KeyError(f"{take}.{letter}")
        try:
            file = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            return self.read(take, letter, start, samples)
        try:
            data = os.pread(file, samples * WIDTH, start * WIDTH)
        finally:
            os.close(file)
        return data[: len(data) // WIDTH * WIDTH]

    def confirm(self, take: str, letter: str, samples: int, sha256: str) -> bool:
        """Delete the channel if the hub holds exactly this many samples with this hash; False keeps it.

        A channel that is not kept any more was confirmed before: True. Where the disk refuses, now or when the take ended, the
        channel is kept too, and goes when it is confirmed again at the next start.
        """
        if (take, letter) not in self._kept:
            return pcm_path(self.directory, take, letter) is None
        name = stem(take, letter)
        try:
            sealed = self.sealed(take, letter)
            if (sealed.samples, sealed.sha256) != (samples, sha256):
                return False
            (self.directory / (name + _SIDECAR)).rename(self.directory / (name + _CONFIRMED))
            self._forget(name)
        except OSError:
            return False
        del self._kept[take, letter]
        return True

    def _forget(self, name: str) -> None:
        (self.directory / (name + _PCM)).unlink(missing_ok=True)
        (self.directory / (name + _CONFIRMED)).unlink(missing_ok=True)

    def left_behind(self, clock: Clock) -> Iterator[LeftBehind | UnreadableFile]:
        """Yield the report at start-up of every take that is kept, after `recover`: how it began, and how it ended.

        The reports may have been made before the crash, so give them identifiers that follow from the take. A channel whose
        samples cannot be read is left alone and named.
        """
        takes: dict[str, list[SealedTake]] = {}
        for take, letter in self._kept:
            try:
                (self.directory / (stem(take, letter) + _PCM)).stat()
                takes.setdefault(take, []).append(self.sealed(take, letter))
            except OSError as error:
                path = self.directory / (stem(take, letter) + _PCM)
                yield UnreadableFile(
                    path, f"{path}: the samples that its sidecar describes cannot be read ({error.strerror})"
                )
        yield from _stopped({take: channels for take, channels in takes.items() if channels}, clock)


def _stopped(takes: dict[str, list[SealedTake]], clock: Clock) -> Iterator[LeftBehind]:
    for take, channels in takes.items():
        channels.sort(key=lambda sealed: (sealed.header.letter != "s", sealed.header.letter))
        if (first := channels[0].header).rate:
            described = tuple(sealed.header.channel(first) for sealed in channels)
            yield RecordingStarted(
                at=first.anchor,
                take=take,
                channels=described,
                pre_roll=first.pre_roll,
                uncertainty=first.uncertainty_ns,
            )
        for sealed in channels:
            if sealed.recovered:
                yield _recovered(sealed, clock)
        yield RecordingStopped(
            at=stamp(clock),
            take=take,
            tail=channels[0].ending.tail,
            recovered=any(sealed.recovered for sealed in channels),
            sealed=tuple(sealed.as_sealed for sealed in channels),
        )


def _recovered(sealed: SealedTake, clock: Clock) -> AudioTroubled:
    detail = "the program ended in the middle of the take" + ("; half a sample was cut off" if sealed.torn else "")
    return AudioTroubled(
        at=stamp(clock),
        take=sealed.header.take,
        trouble=AudioTrouble.RECOVERED,
        letter=sealed.header.letter,
        at_sample=sealed.samples,
        detail=detail,
    )
