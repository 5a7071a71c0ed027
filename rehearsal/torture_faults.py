"""What goes wrong in a torture run, as the processes feel it: full disks, stepped clocks, frames that come twice or too early.

The scheduler outside writes a few bytes into a shared file, the weather; every process reads them at each write, send and look
at the clock. Nothing in the product knows of it: the calls are wrapped in the tortured processes alone.
"""

import errno
import mmap
import os
import random
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from session.clock import SystemClock
from session.network import Uplink
from session.store import Store, StoreUnavailable
from session.wire import Sound
from subject.takefile import TakeFile

_FORM = struct.Struct("<???xd")


class Weather:
    """The hub's disk full, the subject's disk full, the run nearly over, and by how many seconds wall clocks were set."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_FORM.size))
        with path.open("r+b") as file:
            self._bytes = mmap.mmap(file.fileno(), _FORM.size)

    def _read(self) -> tuple[bool, bool, bool, float]:
        return _FORM.unpack(self._bytes[:])

    @property
    def hub_full(self) -> bool:
        return self._read()[0]

    @property
    def subject_full(self) -> bool:
        return self._read()[1]

    @property
    def over(self) -> bool:
        return self._read()[2]

    @property
    def stepped(self) -> float:
        return self._read()[3]

    def change(
        self, *, hub_full: bool | None = None, subject_full: bool | None = None, over: bool = False, step: float = 0.0
    ) -> None:
        """Only what is named changes; `step` adds up."""
        hub, subject, done, stepped = self._read()
        hub = hub if hub_full is None else hub_full
        subject = subject if subject_full is None else subject_full
        self._bytes[:] = _FORM.pack(hub, subject, done or over, stepped + step)


class SteppedClock(SystemClock):
    """The machine's clock, its wall part set forward and back by the weather."""

    def __init__(self, name: str, weather: Weather) -> None:
        super().__init__(name)
        self._weather = weather

    def wall_ns(self) -> int:
        return time.time_ns() + round(self._weather.stepped * 1e9)


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
    append = Store.append

    def refusing(self: Store, *arguments: Any) -> Any:
        if weather.hub_full:
            raise StoreUnavailable("The store has no space left on its disk; free some. The events were not recorded.")
        return append(self, *arguments)

    Store.append = refusing  # type: ignore[method-assign, assignment]
    os.pwrite = _refusing(os.pwrite, lambda: weather.hub_full)


def fill_subject(weather: Weather) -> None:
    """Let the spool and the journal refuse while the weather says so."""
    os.write = _refusing(os.write, lambda: weather.subject_full)


def count_written(ledger: Ledger) -> None:
    """Note how many samples of each channel the disk is said to hold."""
    flush = TakeFile.flush

    def noting(self: TakeFile) -> None:
        flush(self)
        ledger.note("written", self.header.take, self.header.letter, self.written)

    TakeFile.flush = noting  # type: ignore[method-assign]


def repeat_and_disorder(random_: random.Random) -> None:
    """Send every tenth piece of sound twice, and every tenth after its successor; every tenth command twice."""
    give, sound = Uplink.give, Uplink.sound
    held: list[Sound] = []

    def giving(self: Uplink, command: Any) -> None:
        give(self, command)
        if random_.random() < 0.1:
            give(self, command)

    def sounding(self: Uplink, piece: Sound) -> None:
        fate = random_.random()
        if fate < 0.1 and not held:
            held.append(piece)
            return
        sound(self, piece)
        if fate > 0.9:
            sound(self, piece)
        while held:
            sound(self, held.pop())

    Uplink.give = giving  # type: ignore[method-assign]
    Uplink.sound = sounding  # type: ignore[method-assign, assignment]
