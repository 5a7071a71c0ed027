from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from rehearsal.session_run import speech
from session.audio.fake import Samples
from session.study.extras import ENDPOINTERS, endpointer, missing
from session.study.settings import Profile
from session.values.clock import Stamp
from session.values.vocabulary import RecordingControl
from subject.capture.endpointer import Decision, EndPointer, EndPointing
from subject.capture.speech_detectors import MissingDetectorError, PocketsphinxDetector, SileroDetector, detector
from tests.subject.bench import BLOCK, RATE, Bench, LoudnessDetector, noise

AT = Stamp("subject", 0, 0)


def frames(pointer: EndPointer, sound: Samples, take: str = "T1", letter: str = "s") -> None:
    for at in range(0, len(sound), 317):
        pointer.frame(take, letter, at, sound[at : at + 317].tobytes())


def spoken() -> Samples:
    return np.concatenate([np.zeros(RATE, np.int16), noise(RATE), np.zeros(2 * RATE, np.int16)])


def test_the_end_of_speech_ends_the_take_once_and_says_how_long_the_decision_took() -> None:
    decisions: list[Decision] = []
    pointer = EndPointer(LoudnessDetector, RATE, decisions.append)
    frames(pointer, spoken())
    [decision] = decisions
    assert decision.last_speech is not None
    assert abs(decision.last_speech - 2 * RATE) <= 480
    assert decision.decided_at - decision.last_speech == pytest.approx(RATE / 2, abs=480)
    assert decision.why.startswith("end of speech, found after 0.5")


def test_each_take_is_followed_from_its_own_beginning_and_other_channels_not_at_all() -> None:
    decisions: list[Decision] = []
    pointer = EndPointer(LoudnessDetector, RATE, decisions.append)
    frames(pointer, spoken()[: RATE + 100], "T1")
    frames(pointer, noise(2 * RATE), "T2", letter="c")
    frames(pointer, spoken(), "T2")
    assert [decision.take for decision in decisions] == ["T2"]


def test_someone_who_says_nothing_is_not_waited_for_for_ever() -> None:
    decisions: list[Decision] = []
    frames(EndPointer(LoudnessDetector, RATE, decisions.append, patience_s=2.0), np.zeros(4 * RATE, np.int16))
    assert [(decision.last_speech, decision.why) for decision in decisions] == [(None, "no speech within 2.0 s")]


def test_it_ends_a_take_of_the_recorder_and_costs_no_sample(tmp_path: Path) -> None:
    decisions: list[Decision] = []

    def decided(decision: Decision) -> None:
        decisions.append(decision)
        bench.recorder.release(decision.take, bench.now())

    pointer = EndPointer(LoudnessDetector, RATE, decided)
    bench = Bench(tmp_path, speak=False, on_frame=pointer.frame)
    bench.open()
    bench.run(50)
    bench.press()
    bench.source.say(noise(RATE))
    bench.run(200)
    assert len(decisions) == 1
    assert bench.recorder.recording is None
    samples = bench.samples()
    said = int(np.flatnonzero(samples)[0])
    assert np.array_equal(samples[said : said + RATE], noise(RATE))
    assert abs(len(samples) - (4_800 + RATE + RATE // 2 + 4_800)) <= 2 * BLOCK


class Recording:
    """A recorder that writes down what is asked of it."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def open(self) -> None:
        self.calls.append("open")

    def press(self, take: str, at: Stamp) -> str:
        self.calls.append(f"press {take}")
        return "T1"

    def release(self, take: str, at: Stamp, *, tail: bool = True) -> None:
        self.calls.append(f"release {take}")

    def discard(self, take: str) -> None:
        self.calls.append(f"discard {take}")


def test_a_take_pressed_again_within_its_tail_is_listened_to_again() -> None:
    decisions: list[Decision] = []
    pointing = EndPointing(Recording(), EndPointer(LoudnessDetector, RATE, decisions.append), lambda: None)
    sound = spoken()
    for round_ in range(2):
        assert pointing.press(f"T{round_ + 1}", AT) == "T1"
        for at in range(0, len(sound), 320):
            pointing.frame("T1", "s", round_ * len(sound) + at, sound[at : at + 320].tobytes())
    pointing.close()
    assert [decision.take for decision in decisions] == ["T1", "T1"]
    assert [decision.last_speech for decision in decisions] == [
        pytest.approx(2 * RATE, abs=480), pytest.approx(len(sound) + 2 * RATE, abs=480),
    ]  # fmt: skip


def test_a_recorder_with_an_end_pointer_is_still_the_recorder() -> None:
    recording = Recording()
    pointing = EndPointing(recording, EndPointer(LoudnessDetector, RATE, lambda decision: None), lambda: None)
    pointing.open()
    pointing.press("T1", AT)
    pointing.release("T1", AT)
    pointing.discard("T1")
    pointing.close()
    assert recording.calls == ["open", "press T1", "release T1", "discard T1"]


def test_a_detector_that_fails_is_told_of_once_and_the_take_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(LoudnessDetector):
        def feed(self, frame: bytes) -> float | None:
            raise RuntimeError("no such model")

    told: list[bool] = []
    pointing = EndPointing(Recording(), EndPointer(Broken, RATE, lambda decision: None), lambda: told.append(True))
    for at in range(0, 3_200, 320):
        pointing.frame("T1", "s", at, bytes(640))
    pointing.close()
    assert told == [True]
    assert capfd.readouterr().err.count("RuntimeError: no such model") == 1


# --- the end-pointers that people install, on recorded speech ------------------------------------------------------------------

LINES = ("boston-denver", "weather", "which-airline", "cheapest-fare")


def recorded(line: str, rate: int) -> tuple[Samples, int]:
    """A quiet room, a line of the shipped play, a quiet room; and the sample after which nothing is said."""
    said = speech(line)[:: RATE // rate] if rate < RATE else np.repeat(speech(line), rate // RATE)
    room = np.random.default_rng(5).normal(0, 12, len(said) + 4 * rate)
    room[rate : rate + len(said)] += said
    loud = np.flatnonzero(np.abs(said.astype(int)) > 500)
    return np.clip(room, -32_768, 32_767).astype(np.int16), rate + int(loud[-1])


def need(name: str) -> None:
    for package in ENDPOINTERS[name]:
        if find_spec(package) is None:
            pytest.skip(f"{package} is not installed")


@pytest.mark.endpointer
@pytest.mark.parametrize("name", ENDPOINTERS)
@pytest.mark.parametrize("rate", [8_000, 16_000, 48_000])
def test_the_end_of_recorded_speech_is_found(name: str, rate: int) -> None:
    need(name)
    kind = {"pocketsphinx": PocketsphinxDetector, "silero": SileroDetector}[name]
    for line in LINES:
        decisions: list[Decision] = []
        sound, end = recorded(line, rate)
        frames(EndPointer(lambda: kind(rate), rate, decisions.append), sound)
        [decision] = decisions
        assert decision.detector == name
        assert decision.last_speech is not None
        assert abs(decision.last_speech - end) < 0.5 * rate, line
        assert 0.3 * rate < decision.decided_at - end < 1.5 * rate, line


@pytest.mark.endpointer
@pytest.mark.parametrize("name", ENDPOINTERS)
def test_a_quiet_room_is_no_speech(name: str) -> None:
    need(name)
    kind = {"pocketsphinx": PocketsphinxDetector, "silero": SileroDetector}[name]
    decisions: list[Decision] = []
    room = np.random.default_rng(5).normal(0, 12, 9 * RATE).astype(np.int16)
    frames(EndPointer(lambda: kind(RATE), RATE, decisions.append), room)
    assert [decision.last_speech for decision in decisions] == [None]


def test_the_preferred_one_of_those_installed_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"pocketsphinx"}
    monkeypatch.setattr("session.study.extras.find_spec", lambda package: package if package in installed else None)
    assert endpointer() == "pocketsphinx"
    installed |= {"silero_vad"}
    assert endpointer() == "pocketsphinx", "the model alone cannot be run"
    installed |= {"onnxruntime"}
    assert endpointer() == "silero"


def test_without_any_the_line_to_type_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session.study.extras.find_spec", lambda package: None)
    with pytest.raises(MissingDetectorError, match=r"curtain-woz\[recogniser\]"):
        detector(RATE)
    profile = Profile(name="SRI", recording=RecordingControl.ENDPOINTED)
    assert "curtain-woz[recogniser]" in missing(profile)
    assert missing(Profile(name="BBN")) == ""


def test_a_rate_that_no_end_pointer_knows_is_said() -> None:
    with pytest.raises(MissingDetectorError, match="44100 Hz"):
        detector(44_100)
