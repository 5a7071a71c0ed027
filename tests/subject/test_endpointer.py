from pathlib import Path

import numpy as np
import pytest

from session.fake_audio import Samples
from subject.endpointer import Decision, EndPointer, MissingDetectorError, PocketsphinxDetector
from tests.subject.bench import BLOCK, RATE, Bench, noise


class LoudnessDetector:
    """Speech is what is loud; half a second of quiet ends it."""

    frame_bytes = 960

    def __init__(self) -> None:
        self.heard = False
        self._at = self._last = 0

    def feed(self, frame: bytes) -> float | None:
        self._at += len(frame) // 2
        if np.abs(np.frombuffer(frame, dtype="<i2").astype(int)).max() > 1_000:
            self.heard, self._last = True, self._at
        return self._last / RATE if self.heard and self._at - self._last >= RATE // 2 else None


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


def test_without_the_extra_the_line_to_type_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("subject.endpointer.importlib.import_module", missing)
    with pytest.raises(MissingDetectorError, match=r"curtain-woz\[recogniser\]"):
        PocketsphinxDetector(RATE)


def test_the_detector_of_pocketsphinx_finds_the_end_of_a_vowel_like_sound() -> None:
    pytest.importorskip("pocketsphinx", reason="the recogniser extra is not installed")
    time = np.arange(RATE) / RATE
    buzz = sum(np.sin(2 * np.pi * 120 * harmonic * time) / harmonic for harmonic in range(1, 25))
    quiet = np.random.default_rng(2).normal(0, 15, 4 * RATE)
    quiet[RATE : 2 * RATE] += 6_000 * buzz * (1 + 0.5 * np.sin(2 * np.pi * 4 * time))
    decisions: list[Decision] = []
    pointer = EndPointer(lambda: PocketsphinxDetector(RATE), RATE, decisions.append)
    frames(pointer, np.clip(quiet, -32_768, 32_767).astype(np.int16))
    [decision] = decisions
    assert decision.last_speech is not None
    assert abs(decision.last_speech - 2 * RATE) < 0.4 * RATE
    assert decision.decided_at - decision.last_speech < 1.2 * RATE
