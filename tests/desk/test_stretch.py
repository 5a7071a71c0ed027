import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.stretch import Samples, stretch, stretched

RATE = 16_000


def tone(hertz: float, seconds: float = 2.0) -> Samples:
    return np.rint(12_000 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)).astype(np.int16)


def pitch(samples: Samples) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.argmax(spectrum)) * RATE / len(samples)


@pytest.mark.parametrize("speed", [0.5, 0.7, 0.9, 1.3])
@pytest.mark.parametrize("hertz", [110.0, 220.0, 1_000.0])
def test_slower_speech_lasts_longer_and_keeps_its_pitch(speed: float, hertz: float) -> None:
    slow = stretch(tone(hertz), speed, RATE)
    assert abs(len(slow) - 2 * RATE / speed) < RATE * 0.03
    assert abs(pitch(slow[RATE // 2 : -RATE // 2]) - hertz) < 2.0


def test_no_click_is_added_to_a_steady_tone() -> None:
    slow = stretch(tone(220.0), 0.7, RATE).astype(int)
    steepest = np.abs(np.diff(tone(220.0).astype(int))).max()
    assert np.abs(np.diff(slow[: -RATE // 4])).max() < 1.5 * steepest
    loudness = np.sqrt(np.mean(slow[RATE // 4 : -RATE // 4] ** 2.0))
    assert abs(loudness - 12_000 / np.sqrt(2)) < 600


def test_at_speed_1_nothing_is_touched() -> None:
    sound = tone(300.0)
    assert np.array_equal(stretch(sound, 1.0, RATE), sound)


@given(st.integers(0, 4_000), st.sampled_from([0.4, 0.7, 1.0, 2.5]), st.sampled_from([8_000, 16_000, 48_000]))
def test_any_length_goes_through_in_short_pieces(length: int, speed: float, rate: int) -> None:
    sound = np.random.default_rng(length).integers(-3_000, 3_000, length).astype(np.int16)
    pieces = list(stretched(sound, speed, rate))
    hop = rate * 15 // 1000
    assert all(0 < len(piece) <= hop for piece in pieces)
    total = sum(map(len, pieces))
    short = length < 4 * hop or speed == 1.0
    assert total == length if short else abs(total - length / speed) <= hop


@pytest.mark.parametrize("speed", [0.0, 0.3, 3.0, float("nan")])
def test_a_speed_that_nobody_understands_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match=r"0\.4 to 2\.5"):
        stretched(tone(200.0), speed, RATE)
