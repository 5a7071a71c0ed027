"""Lets the wizard hear the subject as it happens, and the last take again, slower if need be.

A thin edge between the link (frames come in the event loop's thread), the loudspeaker (its thread asks for samples) and two
pure parts: the jitter buffer and the stretcher. What is heard is a copy; nothing here can hold up or harm the recording.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from desk.time_stretch import at_rate, stretched
from session.audio.devices import Loudspeaker, sounding
from wizard.audio.jitter_buffer import JitterBuffer

Samples = npt.NDArray[np.int16]

FULL_SCALE = 32768
LONGEST_REPLAY_S = 600
EARLIER = 256
"""Takes that are known to be over: of more than these nothing goes up any more."""


class Monitor:
    """Plays one channel (`letter`) live and takes over again; `open` it before anything can be heard.

    `on_gone`, called in the device's thread, learns that the loudspeaker is gone; listening can be opened again.
    """

    def __init__(
        self, opener: Callable[[], Loudspeaker], *, letter: str = "s", on_gone: Callable[[str], None] | None = None
    ) -> None:
        self.muted = False
        self.volume = 1.0
        self._opener, self._letter, self._on_gone = opener, letter, on_gone
        self._lock = threading.Lock()
        self._loudspeaker: Loudspeaker | None = None
        self.peak = 0.0
        """Of the newest frame, 1.0 at full scale."""
        self._out_rate = self._rate = 16_000
        self._buffer = JitterBuffer(self._rate)
        self._last = _LastTake()
        self._replay: Iterator[Samples] | None = None
        self._rest: Samples = np.zeros(0, np.int16)

    def open(self) -> None:
        """Open the loudspeaker; raises `DeviceError`."""
        self.close()
        loudspeaker = self._opener()
        with self._lock:
            self._out_rate = loudspeaker.rate
            self._buffer = JitterBuffer(self._rate, self._out_rate)
        self._loudspeaker = sounding(loudspeaker, self.fill, self._gone)

    def close(self) -> None:
        """Give the loudspeaker back; closing twice does no harm."""
        loudspeaker, self._loudspeaker = self._loudspeaker, None
        if loudspeaker is not None:
            loudspeaker.close()

    @property
    def listening(self) -> bool:
        """Return whether a loudspeaker is open."""
        return self._loudspeaker is not None

    @property
    def replaying(self) -> bool:
        """Return whether a take is being played again."""
        return self._replay is not None

    @property
    def buffer(self) -> JitterBuffer:
        """For figures: how much waits, how often it ran dry."""
        return self._buffer

    def expect(self, take: str, rate: int) -> None:
        """A take begins, its sound at `rate` Hz."""
        with self._lock:
            if rate != self._rate:
                self._rate = rate
                self._buffer = JitterBuffer(rate, self._out_rate)
            self._last.begin(take)

    def frame(self, take: str, letter: str, first: int, pcm: bytes) -> None:
        """16-bit little-endian samples from number `first` on. A replay gives way to what is said now, not to what a cut link
        left of the last take or of an earlier one."""
        if letter != self._letter:
            return
        samples = np.frombuffer(pcm, dtype="<i2").astype(np.int16)
        self.peak = float(np.abs(samples.astype(np.int32)).max()) / FULL_SCALE if samples.size else 0.0
        with self._lock:
            self._last.add(take, first, samples, LONGEST_REPLAY_S * self._rate)
            if self._last.goes_on(take):
                self._replay = None
            self._buffer.push(take, first, samples)

    def finish(self, take: str) -> None:
        """The take has ended: its rest is played out."""
        with self._lock:
            self._last.finish(take)
            self._buffer.finish(take)

    def replay(self, speed: float = 1.0, pcm: bytes | None = None) -> float:
        """Play the last take again, or the given samples at its rate; gives how many seconds that takes, 0 if there are none.

        Raises ValueError for a speed outside 0.4 to 2.5.
        """
        with self._lock:
            samples = self._last.samples() if pcm is None else np.frombuffer(pcm, dtype="<i2").astype(np.int16)
            samples = at_rate(samples, self._rate, self._out_rate)
            pieces = stretched(samples, speed, self._out_rate)
            if not len(samples):
                return 0.0
            self._buffer.clear()
            self._replay, self._rest = pieces, np.zeros(0, np.int16)
            return len(samples) / self._out_rate / speed

    def stop_replay(self) -> None:
        """Be silent again."""
        with self._lock:
            self._replay = None

    def fill(self, count: int) -> bytes:
        """The loudspeaker's next `count` samples."""
        with self._lock:
            heard = self._replayed(count) if self._replay is not None else self._buffer.pull(count)
        if self.muted:
            heard = np.zeros(count, np.int16)
        elif self.volume != 1.0:
            heard = _louder(heard, self.volume)
        return heard.astype("<i2").tobytes()

    def _replayed(self, count: int) -> Samples:
        parts, found = [self._rest], len(self._rest)
        while found < count and self._replay is not None:
            piece = next(self._replay, None)
            if piece is None:
                self._replay = None
                piece = np.zeros(count - found, np.int16)
            parts.append(piece)
            found += len(piece)
        sound = np.concatenate(parts)
        self._rest = sound[count:]
        return sound[:count]

    def _gone(self, reason: str) -> None:
        if self._on_gone is not None:
            self._on_gone(reason)


class _LastTake:
    """The sound of the last take as far as it was heard live, each sample at its place."""

    def __init__(self) -> None:
        self._take = ""
        self._finished = False
        self._parts: dict[int, Samples] = {}
        self._before: deque[str] = deque(maxlen=EARLIER)

    def begin(self, take: str) -> None:
        if take != self._take and take not in self._before:
            self._before.append(self._take)
            self._take, self._finished, self._parts = take, False, {}

    def goes_on(self, take: str) -> bool:
        """Return whether that is the last take, and the subject still speaks."""
        return take == self._take and not self._finished

    def finish(self, take: str) -> None:
        self._finished = self._finished or take == self._take

    def add(self, take: str, first: int, samples: Samples, longest: int) -> None:
        self.begin(take)
        if take == self._take and first + len(samples) <= longest:
            self._parts[first] = samples

    def samples(self) -> Samples:
        if not self._parts:
            return np.zeros(0, np.int16)
        sound = np.zeros(max(first + len(part) for first, part in self._parts.items()), np.int16)
        for first, part in self._parts.items():
            sound[first : first + len(part)] = part
        return sound


def _louder(samples: Samples, factor: float) -> Samples:
    louder: Samples = np.clip(samples * factor, -32_768, 32_767).astype(np.int16)
    return louder
