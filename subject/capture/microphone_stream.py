"""One microphone's stream: how many samples there were, when they were captured, and the little that is kept outside takes."""

import numpy as np

from session.audio.devices import DeviceError, Microphone
from session.values.clock import Clock, Stamp, stamp
from subject.capture.input import Input
from subject.capture.level import Level
from subject.capture.level_meter import SampleMeter, Samples
from subject.capture.pre_roll import PreRoll
from subject.capture.stream_clock import MissingSound, StreamClock

_HEALTHY_LAG_MS = 250


class Intake:
    """The stream of one input, through however many microphones it comes; `total` counts its samples."""

    def __init__(self, source: Input, clock: Clock, pre_roll_ms: int) -> None:
        self.source, self.letters = source, source.letters
        self.microphone: Microphone | None = None
        self.rings: dict[str, PreRoll] = {}
        self.meters: dict[str, SampleMeter] = {}
        self.clock = StreamClock(1)
        self.rate = self.total = self.openings = self.missing = 0
        self.opened_ns = self.tried_ns = 0
        self.gone = self.stalled = False
        self._clock, self._pre_roll_ms = clock, pre_roll_ms
        self._before: StreamClock | None = None

    def adopt(self, microphone: Microphone) -> None:
        """Take in this microphone's blocks from now on; raises `DeviceError` if it does not fit."""
        if microphone.channels != len(self.letters):
            raise DeviceError(
                f"{microphone.name!r} has {microphone.channels} channels for the letters {self.letters!r}: "
                "name a letter for each in the profile"
            )
        if self.microphone is None:
            self._prepare(microphone.rate)
        elif microphone.rate != self.rate:
            raise DeviceError(
                f"{microphone.name!r} runs at {microphone.rate} Hz and cannot continue a take at {self.rate} Hz"
            )
        else:
            self._before = self.clock
        self.microphone = microphone
        self.clock = StreamClock(self.rate, microphone.latency_ns)
        self.opened_ns = self.tried_ns = self._clock.monotonic_ns()
        self.openings += 1
        self.gone = self.stalled = False

    def _prepare(self, rate: int) -> None:
        self.rate = rate
        self.rings = {letter: PreRoll(rate * self._pre_roll_ms // 1000) for letter in self.letters}
        self.meters = {letter: SampleMeter(letter, rate) for letter in self.letters}

    def advance(self, frames: int, captured_ns: int) -> MissingSound | None:
        """Count a block whose last frame was captured then."""
        self.total += frames
        return self.clock.feed(self.total, captured_ns)

    def silent_ns(self, now: int) -> int:
        """Return how long nothing has come."""
        return now - (self.clock.last_arrival_ns if self.clock.running else self.opened_ns)

    def columns(self, data: bytes) -> dict[str, bytes]:
        """The channels of an interleaved block."""
        if len(self.letters) == 1:
            return {self.letters: data}
        frames = np.frombuffer(data, dtype="<i2").reshape(-1, len(self.letters))
        return {letter: frames[:, column].tobytes() for column, letter in enumerate(self.letters)}

    @property
    def name(self) -> str:
        """The microphone's name, empty before there is one."""
        return "" if self.microphone is None else self.microphone.name

    def place_of(self, at: Stamp) -> int:
        """The number in the stream of the sample captured then; the next one to come, if nothing has come yet."""
        return self.clock.sample_at(at.mono) if self.clock.running else self.total

    def begin(self, letter: str, pressed: Stamp, stale: bool, spoken_until: Stamp | None) -> tuple[int, int, bytes]:
        """The first sample of a take (its number in the stream), the press's distance from it, the pre-roll's samples.

        Of a stream that seems to lag by more than it healthily can, or may just have lost sound, the whole ring is taken: rather
        too much than a first phoneme too little, but nothing that was captured while the system was heard. A stale ring belongs
        to another time, and nothing of it is taken.
        """
        ring = self.rings[letter]
        press = self.place_of(pressed)
        healthy = not self.clock.behind and 0 <= press - ring.end <= self.rate * _HEALTHY_LAG_MS // 1000
        start = (press if healthy else ring.end) - ring.capacity
        quiet = self.place_of(spoken_until) + 1 if spoken_until is not None else start
        start = ring.end if stale else min(max(start, quiet, ring.start), ring.end)
        return start, max(0, press - start), ring.take_from(start)

    def anchor(self, sample: int) -> Stamp:
        """The moment at which that sample of the stream was captured."""
        now = stamp(self._clock)
        mono = self.clock.time_of(sample) if self.clock.running else now.mono
        return Stamp(now.clock, mono, now.wall - (now.mono - mono))

    def missing_since_change(self, frames: int, captured_ns: int) -> int:
        """Samples that passed between the last block of the previous microphone and this, the first of the new one."""
        before, self._before = self._before, None
        if before is None or not before.running:
            return 0
        return max(0, before.sample_at(captured_ns) - frames - self.total)

    def levels(self, columns: dict[str, bytes]) -> list[Level]:
        """Return the levels that the meters show after these samples."""
        found = []
        for letter, data in columns.items():
            samples: Samples = np.frombuffer(data, dtype="<i2").astype(np.int16, copy=False)
            level = self.meters[letter].feed(self.total, samples)
            if level is not None:
                found.append(level)
        return found
