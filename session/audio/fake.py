"""Recorded speech in place of the sound card, and a sound card that misbehaves on purpose.

A rehearsal drives the real capture path with speech from files; tests step the same microphone by hand. The faults that a
lab sees (overflow, stall, unplugging, drift, jitter, a refused rate) cannot be had from a healthy machine at will, and some
sound servers hide them, so `FaultyMicrophone` makes them, and keeps a ledger of what it lost to compare a recording with.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from session.audio.devices import DeviceError, Fill, Microphone, OnBlock, OnGone, check_format
from session.values.clock import SECOND

Samples = npt.NDArray[np.int16]


class MonotonicClock(Protocol):
    """Clock that a paced device reads."""

    def monotonic_ns(self) -> int: ...


class _Speech:
    """The remaining speech of one utterance; `done` is called once its last block was delivered."""

    def __init__(self, frames: Samples, done: Callable[[], None] | None) -> None:
        self.frames, self.done, self.at = frames, done, 0


class FileMicrophone:
    """Delivers given samples in blocks, silence between them: paced by a clock in a thread (`paced`), or by `step`.

    The blocks carry exact stamps: frame n was captured at the start plus n / rate seconds of the clock, stretched by
    `drift_ppm` parts in a million. `floor` is the amplitude of the noise (in units of the last bit) between utterances, so
    that a healthy microphone is not taken for a dead one.
    """

    latency_ns = 0

    def __init__(
        self,
        clock: MonotonicClock,
        rate: int = 16_000,
        channels: int = 1,
        blocksize: int = 320,
        *,
        pace: float = 0.0,
        name: str = "recorded speech",
        floor: int = 0,
        drift_ppm: float = 0.0,
    ) -> None:
        check_format(rate, channels)
        self.name, self.rate, self.channels, self.blocksize = name, rate, channels, blocksize
        self.delivered = 0
        self._clock, self._pace, self._drift = clock, pace, 1.0 + drift_ppm * 1e-6
        self._noise = (
            np.random.default_rng(1992).integers(-floor, floor + 1, (8 * blocksize, channels)).astype(np.int16)
        )
        self._speech: deque[_Speech] = deque()
        self._lock = threading.Lock()
        self._quit = threading.Event()
        self._thread: threading.Thread | None = None
        self._on_block: OnBlock | None = None
        self._origin = 0

    def say(self, samples: npt.ArrayLike, done: Callable[[], None] | None = None) -> float:
        """Speak after what is being spoken; gives the duration in seconds of the clock.

        `samples` are 16-bit, shaped (n,) for every channel alike or (n, channels). `done` is called from the microphone's
        thread after the last block was delivered.
        """
        frames = np.asarray(samples, dtype=np.int16)
        if frames.ndim == 1:
            frames = np.repeat(frames[:, None], self.channels, axis=1)
        if frames.ndim != 2 or frames.shape[1] != self.channels:
            raise ValueError(f"samples of shape {frames.shape} for {self.channels} channels")
        with self._lock:
            self._speech.append(_Speech(frames, done))
        return len(frames) / self.rate

    @property
    def speaking(self) -> bool:
        """Return whether something given to `say` has not been delivered yet."""
        with self._lock:
            return bool(self._speech)

    def start(self, on_block: OnBlock, on_gone: OnGone) -> None:
        self._on_block = on_block
        self._origin = self._clock.monotonic_ns() - self._time_of(self.delivered)
        if self._pace:
            self._quit.clear()
            self._thread = threading.Thread(target=self._run, name=f"microphone {self.name}", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        self._quit.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None
        self._on_block = None

    def close(self) -> None:
        self.stop()

    def step(self, blocks: int = 1) -> None:
        """Deliver so many blocks at once, as if their time had come."""
        for _ in range(blocks):
            self._deliver()

    def due_ns(self) -> int:
        """Return the moment at which the next block is complete, on the clock."""
        return self._origin + self._time_of(self.delivered + self.blocksize)

    def _time_of(self, frame: int) -> int:
        return round(frame * SECOND * self._drift / self.rate)

    def _run(self) -> None:
        while not self._quit.is_set():
            wait = (self.due_ns() - self._clock.monotonic_ns()) / SECOND / self._pace
            if wait > 0 and self._quit.wait(wait):
                return
            self._deliver()

    def _deliver(self) -> None:
        block, finished = self._next_block()
        stamp = self.due_ns()
        self.delivered += self.blocksize
        if self._on_block is not None:
            self._on_block(block.astype("<i2").tobytes(), self.blocksize, False, stamp)
        for done in finished:
            done()

    def _next_block(self) -> tuple[Samples, list[Callable[[], None]]]:
        start = self.delivered % len(self._noise)
        block = np.take(self._noise, np.arange(start, start + self.blocksize), axis=0, mode="wrap")
        finished: list[Callable[[], None]] = []
        filled = 0
        with self._lock:
            while self._speech and filled < self.blocksize:
                speech = self._speech[0]
                part = speech.frames[speech.at : speech.at + self.blocksize - filled]
                block[filled : filled + len(part)] = part
                filled += len(part)
                speech.at += len(part)
                if speech.at >= len(speech.frames):
                    self._speech.popleft()
                    if speech.done is not None:
                        finished.append(speech.done)
        return block, finished


class Overflow(msgspec.Struct, frozen=True):
    """Blocks `at` to `at + blocks - 1` are lost; the next one says so unless `hidden`."""

    at: int
    blocks: int = 1
    hidden: bool = False


class Stall(msgspec.Struct, frozen=True):
    """Blocks `at` to `at + blocks - 1` are held back and arrive together with the one after them."""

    at: int
    blocks: int


class Unplug(msgspec.Struct, frozen=True):
    """From block `at` on nothing arrives any more."""

    at: int


class Refuse(msgspec.Struct, frozen=True):
    """The device cannot be started."""

    reason: str = "Invalid sample rate"


Fault = Overflow | Stall | Unplug | Refuse


class FaultyMicrophone:
    """Wraps a microphone and does to its blocks what the faults say; `lost` is the ledger: (first frame, frames) pairs.

    With `blind`, stamps are taken off the blocks, so that the receiver has only their arrival, as with PortAudio. Jitter is a
    sequence of short stalls.
    """

    def __init__(self, inner: Microphone, faults: Iterable[Fault], *, blind: bool = False) -> None:
        self.inner, self.faults, self.blind = inner, tuple(faults), blind
        self._unplugged = next((fault for fault in self.faults if isinstance(fault, Unplug)), None)
        self._fates = {
            block: fault
            for fault in reversed(self.faults)
            if isinstance(fault, Overflow | Stall)
            for block in range(fault.at, fault.at + fault.blocks)
        }
        self.name, self.rate, self.channels = inner.name, inner.rate, inner.channels
        self.latency_ns = inner.latency_ns
        self.lost: list[tuple[int, int]] = []
        self._block = self._frame = 0
        self._held: list[tuple[bytes, int, bool, int | None]] = []
        self._flag = self._gone = False

    def start(self, on_block: OnBlock, on_gone: OnGone) -> None:
        for fault in self.faults:
            if isinstance(fault, Refuse):
                raise DeviceError(f"microphone {self.name!r}: {fault.reason}. Choose another rate or another device")

        def receive(data: bytes, frames: int, overflowed: bool, stamp: int | None) -> None:
            self._receive(on_block, on_gone, (data, frames, overflowed, None if self.blind else stamp))

        self.inner.start(receive, on_gone)

    def stop(self) -> None:
        self.inner.stop()

    def close(self) -> None:
        self.inner.close()

    def _receive(self, on_block: OnBlock, on_gone: OnGone, block: tuple[bytes, int, bool, int | None]) -> None:
        number, self._block = self._block, self._block + 1
        first, self._frame = self._frame, self._frame + block[1]
        fate = self._unplugged if self._unplugged and number >= self._unplugged.at else self._fates.get(number)
        match fate:
            case Unplug():
                self.lost.append((first, block[1]))
                if not self._gone:
                    self._gone = True
                    on_gone(f"the microphone {self.name!r} stopped: unplugged")
            case Overflow():
                self.lost.append((first, block[1]))
                self._flag = self._flag or not fate.hidden
            case Stall():
                self._held.append(block)
            case _:
                held, self._held = self._held, []
                flag, self._flag = self._flag, False
                for data, frames, overflowed, stamp in (*held, block):
                    on_block(data, frames, overflowed or flag, stamp)
                    flag = False


class FileLoudspeaker:
    """Keeps what would have been heard; `step` is the device asking for its next block. With a `clock` and a `pace` it asks by
    itself, in a thread, as often as a sound card of that rate would."""

    latency_ns = 0

    def __init__(
        self,
        rate: int = 16_000,
        blocksize: int = 320,
        name: str = "no loudspeaker",
        *,
        clock: MonotonicClock | None = None,
        pace: float = 1.0,
    ) -> None:
        check_format(rate, 1)
        self.name, self.rate, self.blocksize = name, rate, blocksize
        self._clock, self._pace = clock, pace
        self._fill: Fill | None = None
        self._heard: list[bytes] = []
        self._quit = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        self._fill = fill
        if self._clock is not None:
            self._quit.clear()
            self._thread = threading.Thread(target=self._run, args=(self._clock,), name=self.name, daemon=True)
            self._thread.start()

    def close(self) -> None:
        self._quit.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None
        self._fill = None

    def _run(self, clock: MonotonicClock) -> None:
        origin, blocks = clock.monotonic_ns(), 0
        while not self._quit.is_set():
            due = origin + round((blocks + 1) * self.blocksize * SECOND / self.rate)
            wait = (due - clock.monotonic_ns()) / SECOND / self._pace
            if wait > 0 and self._quit.wait(wait):
                return
            self.step()
            blocks += 1

    def step(self, blocks: int = 1) -> Samples:
        """Ask for so many blocks and give what was heard."""
        if self._fill is None:
            return np.zeros(0, dtype=np.int16)
        heard = [self._fill(self.blocksize) for _ in range(blocks)]
        self._heard += heard
        return _samples(heard)

    def heard(self) -> Samples:
        """Everything since the start."""
        return _samples(self._heard)


def _samples(blocks: list[bytes]) -> Samples:
    data: npt.NDArray[Any] = np.frombuffer(b"".join(blocks), dtype="<i2")
    return data.astype(np.int16)
