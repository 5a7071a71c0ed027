"""The real PortAudio path over PulseAudio null sinks: what is played into one is what the microphone hears, bit by bit.

On a busy machine the player stutters; so what counts is what another client of the sound server has heard meanwhile.
"""

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from session.audio.devices import DeviceError, Microphone, SoundDeviceLoudspeaker, SoundDeviceMicrophone, list_devices
from session.audio.fake import Samples
from session.events import AudioTroubled, Event, RecordingStarted, RecordingStopped
from session.values.clock import SystemClock, stamp
from subject.capture.input import Input
from subject.capture.level import Level
from subject.capture.recorder import Recorder
from subject.capture.take_file import SealedTake

pytestmark = [
    pytest.mark.pulse,
    pytest.mark.skipif(
        not os.environ.get("CURTAIN_PULSE"), reason="CURTAIN_PULSE is not set: no PulseAudio server with null sinks"
    ),
]

RATE = 16_000
HEAD = RATE // 5
COMBINED_NS = 50_000_000
"""What the sound server's combined sink may put between its two halves; it keeps it steady."""


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
        assert reached.wait(60), f"sample {sample} was never played"

    def close(self) -> None:
        self._loudspeaker.close()


class Witness:
    """Another client of the sound server that hears the same source; the server keeps for it what it is too slow to take."""

    def __init__(self, source: str) -> None:
        command = ["parec", "--raw", f"--rate={RATE}", "--channels=1", "--format=s16le", f"--device={source}"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self._heard = self._more(RATE // 10)

    def _more(self, count: int) -> Samples:
        assert self._process.stdout
        data = self._process.stdout.read(count * 2)
        assert len(data) == count * 2, "the sound server lets nobody hear any more"
        return np.frombuffer(data, dtype="<i2")

    def to_its_end(self) -> Samples:
        """All the sound up to the silence after it."""
        while not self._heard.any() or self._heard[-2 * RATE :].any():
            assert len(self._heard) < 60 * RATE, "nothing was played, or without an end"
            self._heard = np.concatenate([self._heard, self._more(RATE // 10)])
        return np.trim_zeros(self._heard)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def witness(desk: "Desk") -> Iterator[Witness]:
    made = Witness("mic_in.monitor")
    yield made
    made.close()


class Desk:
    """A recorder over the real path, its facts, and a signal when the first sound has come."""

    def __init__(self, directory: Path, inputs: Sequence[Input]) -> None:
        self.clock, self.facts, self.directory = SystemClock("desk"), list[Event](), directory
        self.running, self.stopped = threading.Event(), threading.Event()
        self._heard, self._all = set[str](), set("".join(given.letters for given in inputs))
        self.recorder = Recorder(inputs, self.clock, directory, self._fact, on_level=self._level)

    def _level(self, level: Level) -> None:
        self._heard.add(level.letter)
        if self._heard == self._all:
            self.running.set()

    def _fact(self, fact: Event) -> None:
        self.facts.append(fact)
        if isinstance(fact, RecordingStopped):
            self.stopped.set()

    def samples(self, letter: str = "s") -> Samples:
        return np.frombuffer((self.directory / f"T1.{letter}.pcm").read_bytes(), dtype="<i2")

    def sidecar(self, letter: str) -> SealedTake:
        return msgspec.json.decode((self.directory / f"T1.{letter}.json").read_bytes(), type=SealedTake)


def heard_from(source: str, rate: int) -> Callable[[], Microphone]:
    """A microphone of its own for a source of the sound server, which tells its clients apart by their environment."""

    def opener() -> Microphone:
        before = os.environ.get("PULSE_SOURCE")
        os.environ["PULSE_SOURCE"] = source
        try:
            return SoundDeviceMicrophone("pulse", rate)
        finally:
            if before is None:
                del os.environ["PULSE_SOURCE"]
            else:
                os.environ["PULSE_SOURCE"] = before

    return opener


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("PULSE_SOURCE", "mic_in.monitor")
    monkeypatch.setenv("PULSE_SINK", "mic_in")
    desk = Desk(tmp_path, [Input(lambda: SoundDeviceMicrophone("pulse", RATE))])
    desk.recorder.open()
    assert desk.running.wait(60), "the microphone gave nothing"
    yield desk
    desk.recorder.close()


def noise(seconds: float) -> Samples:
    sound = np.random.default_rng(1992).integers(-20_000, 20_000, int(seconds * RATE)).astype(np.int16)
    return np.concatenate([np.zeros(HEAD, np.int16), sound])


def place(part: Samples, whole: Samples) -> int:
    """Where `part` begins in `whole`; -1 if nowhere."""
    found = np.flatnonzero(whole[: len(whole) - len(part) + 1] == part[0])
    return next((int(at) for at in found if np.array_equal(whole[at : at + len(part)], part)), -1)


def test_every_sample_of_what_is_played_is_in_the_take(desk: Desk, witness: Witness) -> None:
    played = noise(3.0)
    assert desk.recorder.press("T1", stamp(desk.clock)) == "T1"
    player = Player(played)
    player.play_to(len(played) + RATE // 5)
    desk.recorder.release("T1", stamp(desk.clock))
    assert desk.stopped.wait(60)
    player.close()
    heard = witness.to_its_end()
    assert np.isin(heard, played).all()
    assert np.array_equal(np.trim_zeros(desk.samples()), heard)
    assert [fact.detail for fact in desk.facts if isinstance(fact, AudioTroubled) and fact.samples > RATE] == []


def test_a_word_under_way_at_the_press_keeps_what_came_before_it(desk: Desk, witness: Witness) -> None:
    played = noise(6.0)
    player = Player(played)
    player.play_to(HEAD + RATE)
    desk.recorder.press("T1", stamp(desk.clock))
    player.play_to(HEAD + 2 * RATE)
    desk.recorder.release("T1", stamp(desk.clock))
    assert desk.stopped.wait(60)
    player.close()
    samples = desk.samples()
    assert place(np.trim_zeros(samples), witness.to_its_end()) >= 0
    [started] = [fact for fact in desk.facts if isinstance(fact, RecordingStarted)]
    assert RATE * 0.25 <= started.pre_roll <= RATE * 0.31
    assert abs(np.count_nonzero(samples) - 1.6 * RATE) < 0.8 * RATE


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Desk]:
    """A headset at 16 kHz and a telephone at 8 kHz, each a null sink; what is played is heard by both."""
    pactl = ["pactl", "load-module"]
    loaded = [
        subprocess.run([*pactl, *module], check=True, capture_output=True, text=True).stdout.strip()
        for module in (
            ("module-null-sink", "sink_name=telephone", "rate=8000", "channels=1", "format=s16le"),
            ("module-combine-sink", "sink_name=room", "slaves=mic_in,telephone", "rate=16000", "channels=1"),
        )
    ]
    inputs = [
        Input(heard_from("mic_in.monitor", RATE)), Input(heard_from("telephone.monitor", RATE // 2), "c"),
    ]  # fmt: skip
    desk = Desk(tmp_path, inputs)
    try:
        desk.recorder.open()
        assert desk.running.wait(60), "one of the microphones gave nothing"
        yield desk
    finally:
        desk.recorder.close()
        for module in reversed(loaded):
            subprocess.run(["pactl", "unload-module", module], check=True)


def clicks(samples: Samples) -> list[int]:
    """Where the pulses of the marker are."""
    places = np.flatnonzero(np.abs(samples.astype(int)) > 8_000)
    return [int(place) for place in places[np.insert(np.diff(places) > 800, 0, True)]] if len(places) else []


def test_a_marker_pulse_is_at_the_same_place_in_both_channels(both: Desk) -> None:
    played = np.zeros(4 * RATE, np.int16)
    for second in (1, 2, 3):
        played[second * RATE : second * RATE + 16] = 25_000
    both.recorder.press("T1", stamp(both.clock))
    # By a client that gives the server all of it at once: a stutter in one of the two channels would move their pulses apart.
    command = ["paplay", "--raw", f"--rate={RATE}", "--channels=1", "--format=s16le", "--device=room"]
    subprocess.run(command, input=np.pad(played, (0, RATE // 2)).astype("<i2").tobytes(), check=True, timeout=60)
    both.recorder.release("T1", stamp(both.clock))
    assert both.stopped.wait(60)
    headers = [both.sidecar(letter).header for letter in "sc"]
    assert [(header.letter, header.rate) for header in headers] == [("s", RATE), ("c", RATE // 2)]
    moments = [
        [header.anchor.mono + place * 10**9 // header.rate for place in clicks(both.samples(header.letter))]
        for header in headers
    ]
    assert [len(moment) for moment in moments] == [3, 3]
    allowed = sum(header.uncertainty_ns for header in headers) + COMBINED_NS
    assert all(abs(one - other) <= allowed for one, other in zip(*moments, strict=True)), (moments, allowed)
    steps = [np.diff(moment) for moment in moments]
    assert all(abs(one - other) < 10**9 // 200 for one, other in zip(*steps, strict=True)), steps


def test_a_device_that_is_not_there_is_one_clear_error(desk: Desk) -> None:
    assert any(device.name == "pulse" for device in list_devices())
    with pytest.raises(DeviceError, match="curtain doctor"):
        SoundDeviceMicrophone("a microphone that nobody has")
