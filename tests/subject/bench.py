"""A recorder on a bench: a stepped microphone under a manual clock, and everything that came out."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import numpy as np

from session.audio.fake import Fault, FaultyMicrophone, FileMicrophone, Samples
from session.events import AudioTroubled, Event, RecordingStarted, RecordingStopped
from session.values.clock import ManualClock, Stamp, stamp
from session.values.vocabulary import AudioTrouble
from subject.capture.channel_take import OnFrame
from subject.capture.input import Input
from subject.capture.level import Level
from subject.capture.recorder import Recorder
from subject.capture.recording_settings import RecordingSettings
from subject.capture.take_file import SealedTake

RATE = 16_000
BLOCK = 320


def noise(samples: int, seed: int = 7, channels: int = 0) -> Samples:
    """Loud, never clipped, never silent, all of it different."""
    shape = (samples, channels) if channels else samples
    return np.random.default_rng(seed).integers(-20_000, 20_000, shape).astype(np.int16)


class Bench:
    """Time passes in blocks: `run` advances the clock by a block, delivers it, and has the writer work."""

    def __init__(
        self,
        directory: Path,
        *,
        faults: Iterable[Fault] = (),
        blind: bool = False,
        settings: RecordingSettings = RecordingSettings(),
        take_over: bool = False,
        goes_on: bool = True,
        channels: int = 1,
        letters: str = "s",
        drift_ppm: float = 0.0,
        speak: bool = True,
        more: Callable[["Bench"], list[Input]] | None = None,
        on_frame: OnFrame | None = None,
    ) -> None:
        self.clock = ManualClock()
        self.directory = directory
        self.facts: list[Event] = []
        self.frames: list[tuple[str, str, int, bytes]] = []
        self.levels: list[Level] = []
        self.sealed: list[SealedTake] = []
        self.source = FileMicrophone(self.clock, RATE, channels, BLOCK, drift_ppm=drift_ppm)
        self.spare = FileMicrophone(self.clock, RATE, channels, BLOCK, name="the default device")
        self.microphone = FaultyMicrophone(self.source, faults, blind=blind)
        self.stepped = [self.source]
        self.spoken = noise(RATE * 60, channels=channels if channels > 1 else 0)
        self.opened = 0
        inputs = [Input(self._open, letters, self._take_over if take_over else None, goes_on)]
        inputs += more(self) if more else []
        self.recorder = Recorder(
            inputs,
            self.clock,
            directory,
            self.facts.append,
            settings=settings,
            on_level=self.levels.append,
            on_frame=on_frame or (lambda *frame: self.frames.append(frame)),
            on_sealed=self.sealed.append,
        )
        if speak:
            self.source.say(self.spoken)

    def _open(self) -> FaultyMicrophone:
        self.opened += 1
        return self.microphone

    def _take_over(self) -> FileMicrophone:
        self.stepped = [*self.stepped, self.spare]
        return self.spare

    def open(self) -> "Bench":
        """Open the microphones."""
        self.recorder.open(threaded=False)
        return self

    def run(self, blocks: int) -> None:
        """Let blocks of time pass."""
        for _ in range(blocks):
            self.clock.advance(BLOCK / RATE)
            for microphone in self.stepped:
                while microphone.due_ns() <= self.clock.monotonic_ns():
                    microphone.step()
            self.recorder.step()

    def now(self) -> Stamp:
        """Return the time of the desk."""
        return stamp(self.clock)

    def press(self, take: str = "T1") -> str:
        """Press the talk button; return the take that is being recorded."""
        current = self.recorder.press(take, self.now())
        self.recorder.step()
        return current

    def release(self, take: str = "T1") -> None:
        """Release the talk button."""
        self.recorder.release(take, self.now())
        self.recorder.step()

    def take(self, *, before: int = 50, talking: int = 100, after: int = 30, name: str = "T1") -> None:
        """A second before the press, two seconds of talking, and time for the tail."""
        self.run(before)
        current = self.press(name)
        self.run(talking)
        self.release(current)
        self.run(after)

    def samples(self, take: str = "T1", letter: str = "s") -> Samples:
        """Return the samples that were written of a take."""
        return np.frombuffer((self.directory / f"{take}.{letter}.pcm").read_bytes(), dtype="<i2")

    def started(self) -> list[RecordingStarted]:
        """Return the reports that a recording started."""
        return [fact for fact in self.facts if isinstance(fact, RecordingStarted)]

    def stopped(self) -> list[RecordingStopped]:
        """Return the reports that a recording stopped."""
        return [fact for fact in self.facts if isinstance(fact, RecordingStopped)]

    def troubles(self, kind: AudioTrouble | None = None) -> list[AudioTroubled]:
        """Return the reports of trouble, or those of one kind."""
        troubles = [fact for fact in self.facts if isinstance(fact, AudioTroubled)]
        return [fact for fact in troubles if kind is None or fact.trouble is kind]


class LoudnessDetector:
    """Speech is what is loud; half a second of quiet ends it."""

    name = "loudness"
    frame_bytes = 960

    def __init__(self) -> None:
        self.heard = False
        self._at = self._last = 0

    def feed(self, frame: bytes) -> float | None:
        self._at += len(frame) // 2
        if np.abs(np.frombuffer(frame, dtype="<i2").astype(int)).max() > 1_000:
            self.heard, self._last = True, self._at
        return self._last / RATE if self.heard and self._at - self._last >= RATE // 2 else None


def sidecar(path: Path) -> SealedTake:
    """Return the seals that were written beside a take."""
    return msgspec.json.decode(path.read_bytes(), type=SealedTake)
