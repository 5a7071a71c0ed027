import numpy as np
import pytest

from session.audio.devices import DeviceError
from session.audio.fake import FaultyMicrophone, FileLoudspeaker, FileMicrophone, Overflow, Refuse, Samples
from session.values.clock import ManualClock, ScaledClock
from subject.capture.sound_check import judge, listen, play

RATE = 16_000


def speech(loudness: float, room: float = 20.0, seconds: float = 3.0) -> Samples:
    """A second of noise in the middle of a quiet room."""
    random = np.random.default_rng(3)
    sound = random.normal(0, room, int(seconds * RATE))
    sound[RATE : 2 * RATE] += random.normal(0, loudness, RATE)
    return np.clip(sound, -32_768, 32_767).astype(np.int16)


def test_a_good_microphone_has_no_problem_and_its_levels_are_right() -> None:
    check = judge("headset", speech(2_000), RATE)
    assert list(check.problems()) == []
    assert check.speech_db == pytest.approx(20 * np.log10(2_000 / 32_768), abs=1.5)
    assert check.noise_db == pytest.approx(20 * np.log10(20 / 32_768), abs=1.5)
    assert check.seconds == 3.0


@pytest.mark.parametrize(
    ("samples", "word"),
    [
        (np.zeros(3 * RATE, np.int16), "muted or broken"),
        (np.zeros(0, np.int16), "no sound at all"),
        (speech(30_000), "clipped"),
        (speech(40, room=2), "too faint"),
        (speech(2_000, room=1_500), "above the noise"),
    ],
)
def test_each_fault_is_one_problem_with_its_remedy(samples: Samples, word: str) -> None:
    [problem] = judge("headset", samples, RATE).problems()
    assert word in problem
    assert problem.startswith("headset: ")


def test_of_two_channels_the_worse_counts() -> None:
    both = np.stack([speech(2_000), np.zeros(3 * RATE, np.int16)], axis=1)
    assert judge("box", both, RATE).dead


def test_three_seconds_are_listened_to_and_overflows_counted() -> None:
    clock = ScaledClock("fast", 50.0)
    inner = FileMicrophone(clock, pace=50.0)
    inner.say(speech(2_000))
    microphone = FaultyMicrophone(inner, [Overflow(100)])
    samples, overflows = listen(microphone, 3.0)
    assert samples.shape == (3 * RATE, 1)
    assert overflows == 1


def test_a_microphone_that_gives_nothing_is_not_waited_for_long() -> None:
    samples, _ = listen(FileMicrophone(ManualClock()), 0.01, patience=0.01)
    assert len(samples) == 0
    with pytest.raises(DeviceError):
        listen(FaultyMicrophone(FileMicrophone(ManualClock()), [Refuse()]))


def test_what_was_heard_is_played_back_whole() -> None:
    loudspeaker, said, ended = FileLoudspeaker(), speech(2_000, seconds=2.01), list[bool]()
    play(loudspeaker, said, lambda: ended.append(True))
    loudspeaker.step(101)
    assert np.array_equal(loudspeaker.heard()[: len(said)], said)
    assert ended == []
    loudspeaker.step(20)
    assert ended == [True]
