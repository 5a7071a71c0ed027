"""The real PortAudio path over PulseAudio null sinks: what is played into one is what the microphone hears, bit by bit."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from session.audio import DeviceError, SoundDeviceLoudspeaker, SoundDeviceMicrophone, list_devices
from session.clock import SystemClock, stamp
from session.events import AudioTroubled, Event, RecordingStarted, RecordingStopped
from session.fake_audio import Samples
from subject.intake import Input
from subject.recorder import Recorder

pytestmark = [
    pytest.mark.pulse,
    pytest.mark.skipif(
        not os.environ.get("CURTAIN_PULSE"), reason="CURTAIN_PULSE is not set: no PulseAudio server with null sinks"
    ),
]

RATE = 16_000
HEAD = RATE // 5


class Player:
    """Plays samples once into the sink that the microphone listens to; silence before and after."""

    def __init__(self, samples: Samples) -> None:
        self._samples, self._at = samples, 0
        self._marks: list[tuple[int, threading.Event]] = []
        self._loudspeaker = SoundDeviceLoudspeaker("pulse", RATE)
        self._loudspeaker.start(self._fill, lambda reason: None)

    def _fill(self, count: int) -> bytes:
        piece = self._samples[self._at : self._at + count]
        self._at += count
        for sample, reached in self._marks:
            if self._at >= sample:
                reached.set()
        return np.pad(piece, (0, count - len(piece))).astype("<i2").tobytes()

    def play_to(self, sample: int) -> None:
        """Return when sample number `sample` has been given to the device."""
        reached = threading.Event()
        self._marks.append((sample, reached))
        assert reached.wait(20), f"sample {sample} was never played"

    def close(self) -> None:
        self._loudspeaker.close()


class Desk:
    """A recorder over the real path, its facts, and a signal when the first sound has come."""

    def __init__(self, directory: Path) -> None:
        self.clock, self.facts, self.directory = SystemClock("desk"), list[Event](), directory
        self.running, self.stopped = threading.Event(), threading.Event()
        self.recorder = Recorder(
            [Input(lambda: SoundDeviceMicrophone("pulse", RATE))],
            self.clock,
            directory,
            self._fact,
            on_level=lambda level: self.running.set(),
        )

    def _fact(self, fact: Event) -> None:
        self.facts.append(fact)
        if isinstance(fact, RecordingStopped):
            self.stopped.set()

    def samples(self) -> Samples:
        return np.frombuffer((self.directory / "T1.s.pcm").read_bytes(), dtype="<i2")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("PULSE_SOURCE", "mic_in.monitor")
    monkeypatch.setenv("PULSE_SINK", "mic_in")
    desk = Desk(tmp_path)
    desk.recorder.open()
    assert desk.running.wait(10), "the microphone gave nothing"
    yield desk
    desk.recorder.close()


def noise(seconds: float) -> Samples:
    sound = np.random.default_rng(1992).integers(-20_000, 20_000, int(seconds * RATE)).astype(np.int16)
    return np.concatenate([np.zeros(HEAD, np.int16), sound])


def place(part: Samples, whole: Samples) -> int:
    """Where `part` begins in `whole`; -1 if nowhere."""
    found = np.flatnonzero(whole[: len(whole) - len(part) + 1] == part[0])
    return next((int(at) for at in found if np.array_equal(whole[at : at + len(part)], part)), -1)


def test_every_sample_of_what_is_played_is_in_the_take(desk: Desk) -> None:
    played = noise(3.0)
    assert desk.recorder.press("T1", stamp(desk.clock)) == "T1"
    player = Player(played)
    player.play_to(len(played) + RATE // 5)
    desk.recorder.release("T1", stamp(desk.clock))
    assert desk.stopped.wait(5)
    player.close()
    sound = played[HEAD:]
    assert place(sound, desk.samples()) >= 0
    assert [fact.detail for fact in desk.facts if isinstance(fact, AudioTroubled) and fact.samples > RATE] == []


def test_a_word_under_way_at_the_press_keeps_what_came_before_it(desk: Desk) -> None:
    played = noise(6.0)
    player = Player(played)
    player.play_to(HEAD + RATE)
    desk.recorder.press("T1", stamp(desk.clock))
    player.play_to(HEAD + 2 * RATE)
    desk.recorder.release("T1", stamp(desk.clock))
    assert desk.stopped.wait(5)
    player.close()
    samples = desk.samples()
    assert place(samples, played) >= 0
    [started] = [fact for fact in desk.facts if isinstance(fact, RecordingStarted)]
    assert RATE * 0.25 <= started.pre_roll <= RATE * 0.31
    assert abs(len(samples) - 1.6 * RATE) < 0.2 * RATE


def test_a_device_that_is_not_there_is_one_clear_error(desk: Desk) -> None:
    assert any(device.name == "pulse" for device in list_devices())
    with pytest.raises(DeviceError, match="curtain doctor"):
        SoundDeviceMicrophone("a microphone that nobody has")
