"""Player for close listening: from any position, a stretch repeatedly, slower at the same pitch.

It tells at every moment which sample is being heard, so that a screen can show the place. The loudspeaker's own thread asks for
sound; nothing here waits for it.
"""

import threading
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from desk.time_stretch import at_rate, stretched
from session.audio.devices import Loudspeaker, sounding
from session.values.clock import SECOND

Samples = npt.NDArray[np.int16]

PAUSE_S = 0.35
"""Silence between two rounds of a loop, so that its beginning is heard as one."""


class Player:
    """One recording at a time. Without a loudspeaker (`open` failed, or was never called) it is silent and says so."""

    def __init__(self, opener: Callable[[], Loudspeaker]) -> None:
        self._opener = opener
        self._lock = threading.Lock()
        self._loudspeaker: Loudspeaker | None = None
        self._out_rate = 16_000
        self._sound: Samples = np.zeros(0, np.int16)
        self._rate = 16_000
        self._pieces: Iterator[Samples] | None = None
        self._rest: Samples = np.zeros(0, np.int16)
        self._first = self._last = self._from = self._heard = 0
        self._speed = 1.0
        self._loop = False

    def open(self) -> None:
        """Open the loudspeaker; raises `DeviceError`."""
        self.close()
        loudspeaker = self._opener()
        self._out_rate = loudspeaker.rate
        self._loudspeaker = sounding(loudspeaker, self.fill, self._gone)

    def close(self) -> None:
        """Give the loudspeaker back; closing twice does no harm."""
        loudspeaker, self._loudspeaker = self._loudspeaker, None
        self.stop()
        if loudspeaker is not None:
            loudspeaker.close()

    @property
    def open_now(self) -> bool:
        """Return whether there is a loudspeaker."""
        return self._loudspeaker is not None

    @property
    def ahead_s(self) -> float:
        """Seconds that the loudspeaker is given sound before it is heard."""
        loudspeaker = self._loudspeaker
        return loudspeaker.latency_ns / SECOND if loudspeaker is not None else 0.0

    @property
    def playing(self) -> bool:
        """Return whether something is being heard."""
        return self._pieces is not None

    @property
    def position(self) -> int:
        """The sample of the recording that is being heard, or was heard last."""
        with self._lock:
            heard = round(max(0, self._heard) * self._speed * self._rate / self._out_rate)
            return min(self._from + heard, self._last)

    def load(self, sound: Samples, rate: int) -> None:
        """Take another recording, `rate` samples a second; playing ends."""
        with self._lock:
            self._pieces, self._sound, self._rate = None, sound, rate
            self._first = self._last = self._from = self._heard = 0

    def play(self, first: int = 0, last: int | None = None, *, speed: float = 1.0, loop: bool = False) -> bool:
        """Play samples `first` up to `last` (the end); False if there is nothing to be heard there or no loudspeaker.

        Raises ValueError for a speed outside 0.4 to 8.
        """
        with self._lock:
            end = len(self._sound) if last is None else min(last, len(self._sound))
            first = max(0, first)
            if first >= end or self._loudspeaker is None:
                return False
            self._first, self._last, self._speed, self._loop = first, end, speed, loop
            self._begin(first)
            return True

    def change(self, *, speed: float, loop: bool) -> None:
        """Play on from the place that is being heard, at another speed, or over and over or no longer; nothing in silence."""
        place = self.position
        with self._lock:
            if self._pieces is not None:
                self._speed, self._loop = speed, loop
                self._begin(min(place, self._last - 1))

    def seek(self, sample: int) -> None:
        """Be silent, at another place."""
        with self._lock:
            self._pieces = None
            self._first, self._last, self._heard = max(0, min(sample, len(self._sound))), len(self._sound), 0
            self._from = self._first

    def stop(self) -> None:
        """Be silent; the position stays where it is."""
        with self._lock:
            self._pieces = None

    def fill(self, count: int) -> bytes:
        """The loudspeaker's next `count` samples."""
        with self._lock:
            return self._next(count).astype("<i2").tobytes()

    def _begin(self, at: int) -> None:
        """A round from sample `at` on; the first one of a loop may begin within its stretch."""
        self._from = at
        sound = at_rate(self._sound[at : self._last], self._rate, self._out_rate)
        self._pieces = stretched(sound, self._speed, self._out_rate)
        self._rest, self._heard = np.zeros(0, np.int16), 0

    def _next(self, count: int) -> Samples:
        if self._pieces is None:
            return np.zeros(count, np.int16)
        parts, found = [self._rest], len(self._rest)
        while found < count:
            piece = next(self._pieces, None)
            if piece is None:
                self._rest = np.zeros(0, np.int16)
                return self._ended(np.concatenate(parts), count)
            parts.append(piece)
            found += len(piece)
        sound = np.concatenate(parts)
        self._rest = sound[count:]
        self._heard += count
        return sound[:count]

    def _ended(self, sound: Samples, count: int) -> Samples:
        self._pieces = None
        self._heard = round((self._last - self._from) / self._speed * self._out_rate / self._rate) + 1
        silence = count - len(sound)
        if self._loop:
            self._begin(self._first)
            self._rest = np.zeros(max(0, round(PAUSE_S * self._out_rate) - silence), np.int16)
            self._heard = -len(self._rest)
        return np.concatenate([sound, np.zeros(silence, np.int16)])

    def _gone(self, reason: str) -> None:
        self._loudspeaker = None
        self.stop()
