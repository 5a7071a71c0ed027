"""Faults of a torture run as the processes experience them: full disks, stepped clocks, a microphone that stalls or
overflows.

The scheduler outside writes a few bytes into a shared file, the weather; every process reads them at each write, each block
and each look at the clock. Nothing in the product knows of it: the calls are wrapped in the tortured processes alone. Where the
disks are real file systems that can be filled, theirs are not wrapped.
"""

import errno
import mmap
import os
import struct
import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from session.audio.devices import OnBlock
from session.audio.fake import FileMicrophone
from session.store.event_store import Store, StoreUnavailable
from session.store.types import Write
from session.values.clock import SystemClock
from subject.capture.take_file import TakeFile

FACTOR, INVERSE, PERIOD = 40_503, pow(40_503, -1, 65_536), 65_536


class WeatherByte(IntEnum):
    """Switches of faults, each a byte that is 0 or 1."""

    HUB_FULL = 0
    SUBJECT_FULL = 1
    STALLED = 2
    DEAF = 3
    OVER = 4


_STEPPED = struct.Struct("<8xd")


class Weather:
    """A file that all processes look at: the sky, and by how many seconds wall clocks were set."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_STEPPED.size))
        with path.open("r+b") as file:
            self._bytes = mmap.mmap(file.fileno(), _STEPPED.size)

    def __contains__(self, sky: WeatherByte) -> bool:
        return bool(self._bytes[sky])

    def set(self, sky: WeatherByte, present: bool) -> None:
        self._bytes[sky] = present

    @property
    def over(self) -> bool:
        """Return whether the run is nearly over."""
        return WeatherByte.OVER in self

    @property
    def stepped(self) -> float:
        seconds: float = _STEPPED.unpack(self._bytes[:])[0]
        return seconds

    def step(self, seconds: float) -> None:
        """Set wall clocks forward, or back."""
        self._bytes[8:] = struct.pack("<d", self.stepped + seconds)


class SteppedClock(SystemClock):
    """The machine's clock, its wall part set forward and back by the weather."""

    def __init__(self, name: str, weather: Weather) -> None:
        super().__init__(name)
        self._weather = weather

    def wall_ns(self) -> int:
        return time.time_ns() + round(self._weather.stepped * 1e9)


class Numbered(FileMicrophone):
    """Every sample tells its place in the stream; `weather` may hold blocks back, or lose them and flag an overflow."""

    def __init__(self, *arguments: Any, weather: Weather | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._weather = weather

    def start(self, on_block: OnBlock, on_gone: Callable[[str], None]) -> None:
        place, lost, waiting = 0, False, list[tuple[bytes, int, bool, int | None]]()

        def numbered(data: bytes, frames: int, overflowed: bool, captured: int | None) -> None:
            nonlocal place, lost
            block = pattern(place, frames)
            place += frames
            if self._weather is not None and WeatherByte.DEAF in self._weather:
                lost = True
                return
            waiting.append((block, frames, lost, captured))
            lost = False
            if self._weather is not None and WeatherByte.STALLED in self._weather:
                return
            while waiting:
                on_block(*waiting.pop(0))

        super().start(numbered, on_gone)


def pattern(first: int, count: int) -> bytes:
    """Samples `first` and those after it, little-endian."""
    places = np.arange(first, first + count, dtype=np.int64)
    return ((places * FACTOR + 12_345) % PERIOD).astype("<u2").tobytes()


def places(pcm: bytes) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """The place of each sample in its stream, modulo 65,536."""
    values = np.frombuffer(pcm, "<u2").astype(np.int64)
    return (values - 12_345) * INVERSE % PERIOD


class Ledger:
    """Lines that outlive their process: what it knew to be safe at that moment."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._write = os.write

    def note(self, *words: object) -> None:
        self._write(self._file, (" ".join(map(str, words)) + "\n").encode())


def _refusing(call: Callable[..., int], full: Callable[[], bool]) -> Callable[..., int]:
    def wrapped(*arguments: Any) -> int:
        if full():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return call(*arguments)

    return wrapped


def fill_hub(weather: Weather) -> None:
    """Let the hub's recordings and store refuse while the weather says so."""
    append = Store.append_together

    def refusing(self: Store, writes: Sequence[Write]) -> Any:
        if WeatherByte.HUB_FULL in weather:
            why = "The store has no space left on its disk; free some. The events were not recorded."
            return [StoreUnavailable(why) for _ in writes]
        return append(self, writes)

    Store.append_together = refusing  # type: ignore[method-assign]
    os.pwrite = _refusing(os.pwrite, lambda: WeatherByte.HUB_FULL in weather)


def fill_subject(weather: Weather) -> None:
    """Let the spool and the journal refuse while the weather says so."""
    os.write = _refusing(os.write, lambda: WeatherByte.SUBJECT_FULL in weather)


def count_written(ledger: Ledger) -> None:
    """Note how many samples of each channel the disk is said to hold."""
    flush = TakeFile.flush

    def noting(self: TakeFile) -> None:
        flush(self)
        ledger.note("written", self.header.take, self.header.letter, self.written)

    TakeFile.flush = noting  # type: ignore[method-assign]
