import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.time_stretch import Samples, stretched

RATE = 16_000
Floats = npt.NDArray[np.float64]


def tone(hertz: float, seconds: float = 2.0) -> Samples:
    return np.rint(12_000 * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)).astype(np.int16)


def stretch(samples: Samples, speed: float, rate: int) -> Samples:
    return np.concatenate([*stretched(samples, speed, rate)])


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


@given(st.integers(0, 4_000), st.sampled_from([0.4, 0.7, 1.0, 2.5, 8.0]), st.sampled_from([8_000, 16_000, 48_000]))
def test_any_length_goes_through_in_short_pieces(length: int, speed: float, rate: int) -> None:
    sound = np.random.default_rng(length).integers(-3_000, 3_000, length).astype(np.int16)
    pieces = list(stretched(sound, speed, rate))
    hop = rate * 15 // 1000
    assert all(0 < len(piece) <= hop for piece in pieces)
    total = sum(map(len, pieces))
    short = length < 4 * hop or speed == 1.0
    assert total == length if short else abs(total - length / speed) <= hop


@pytest.mark.parametrize("speed", [0.0, 0.3, 8.1, float("nan")])
def test_a_speed_that_nobody_understands_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match=r"0\.4 to 8"):
        stretched(tone(200.0), speed, RATE)


def voice(seconds: float) -> tuple[Samples, Floats]:
    """A vowel whose pitch glides and wavers as a speaker's does; the samples, and the pitch in hertz at each of them."""
    time = np.arange(int(seconds * RATE)) / RATE
    hertz = 140 + 30 * np.sin(2 * np.pi * 0.25 * time) + np.sin(2 * np.pi * 5 * time)
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    sound = np.zeros(len(time))
    for harmonic in range(1, 22):
        formants = sum(
            gain / (1 + ((harmonic * hertz - centre) / width) ** 2)
            for centre, width, gain in ((600, 90, 1.0), (1_200, 120, 0.6), (2_500, 200, 0.3))
        )
        sound += formants * np.sin(harmonic * phase)
    return np.rint(9_000 * sound / np.abs(sound).max()).astype(np.int16), hertz


def pitches(samples: Samples, places: Floats, hertz: Floats) -> Floats:
    """Pitch in hertz at these places, within a quarter of the `hertz` that are due there: by autocorrelation of 50 ms, the
    lag refined by a parabola through the peak."""
    width, found = RATE // 20, []
    for at, due in zip(places.astype(int) - width // 2, hertz, strict=True):
        shortest, longest = int(RATE / due / 1.25), int(RATE / due * 1.25)
        window = samples[at : at + width + longest].astype(float)
        likeness = np.array(
            [
                window[:width] @ window[lag : lag + width] / (np.linalg.norm(window[lag : lag + width]) + 1)
                for lag in range(shortest, longest)
            ]
        )
        peak = int(np.argmax(likeness[1:-1])) + 1
        left, middle, right = likeness[peak - 1 : peak + 2]
        found.append(RATE / (shortest + peak + 0.5 * (left - right) / (left - 2 * middle + right)))
    return np.array(found)


@pytest.mark.parametrize("speed", [0.5, 0.7, 0.85])
def test_a_voice_that_is_slowed_keeps_its_melody_within_2_percent(speed: float) -> None:
    sound, hertz = voice(3.0)
    slow = stretch(sound, speed, RATE)
    places = np.arange(RATE // 4, len(slow) - RATE // 4, RATE // 10).astype(float)
    due = hertz[(places * speed).astype(int)]
    wrong = np.abs(pitches(slow, places, due) / due - 1)
    assert np.median(wrong) < 0.01
    assert np.quantile(wrong, 0.95) < 0.02


def test_a_voice_that_is_slowed_keeps_its_timbre() -> None:
    sound, _ = voice(3.0)
    slow = stretch(sound, 0.7, RATE)

    def spectrum(samples: Samples) -> Floats:
        frames = samples[: len(samples) // 512 * 512].reshape(-1, 512) * np.hanning(512)
        power = (np.abs(np.fft.rfft(frames)) ** 2).mean(axis=0)
        bands = power[1:129].reshape(16, 8).sum(axis=1)
        return np.asarray(10 * np.log10(bands / bands.sum() + 1e-6))

    loud = spectrum(sound) > -30
    assert np.abs(spectrum(slow) - spectrum(sound))[loud].max() < 1.5
