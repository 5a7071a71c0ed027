import numpy as np
import pytest

from session.audio.devices import DeviceError, Fill, OnGone
from session.audio.fake import FileLoudspeaker, Samples
from wizard.audio.monitor import Monitor

RATE = 16_000
FRAME = 320


class Ears:
    """A monitor over a loudspeaker that is stepped by hand."""

    def __init__(self, rate: int = RATE) -> None:
        self.loudspeaker = FileLoudspeaker(rate, FRAME)
        self.monitor = Monitor(lambda: self.loudspeaker)
        self.monitor.open()

    def speak(self, sound: Samples, take: str = "T1", letter: str = "s") -> Samples:
        heard = []
        for at in range(0, len(sound), FRAME):
            self.monitor.frame(take, letter, at, sound[at : at + FRAME].astype("<i2").tobytes())
            heard.append(self.loudspeaker.step())
        self.monitor.finish(take)
        return np.concatenate([*heard, self.loudspeaker.step(4)])


def noise(samples: int) -> Samples:
    return np.random.default_rng(4).integers(-8_000, 8_000, samples).astype(np.int16)


def test_what_the_subject_says_is_heard_one_buffer_later() -> None:
    sound = noise(30 * FRAME)
    heard = Ears().speak(sound)
    assert np.array_equal(heard[FRAME : FRAME + len(sound)], sound)


def test_only_the_chosen_channel_is_heard() -> None:
    assert not Ears().speak(noise(30 * FRAME), letter="c").any()


def test_the_last_take_again_is_the_same_sound() -> None:
    ears, sound = Ears(), noise(30 * FRAME)
    ears.speak(sound)
    assert ears.monitor.replay() == pytest.approx(len(sound) / RATE)
    assert np.array_equal(ears.loudspeaker.step(30), sound)
    ears.loudspeaker.step(1)
    assert not ears.monitor.replaying


def test_the_last_take_slower_lasts_longer() -> None:
    ears, sound = Ears(), noise(100 * FRAME)
    ears.speak(sound)
    assert ears.monitor.replay(0.7) == pytest.approx(len(sound) / RATE / 0.7)
    heard = ears.loudspeaker.step(200)
    last = int(np.flatnonzero(heard)[-1])
    assert abs(last - len(sound) / 0.7) < 2 * FRAME


def test_live_speech_interrupts_a_replay() -> None:
    ears, sound = Ears(), noise(30 * FRAME)
    ears.speak(sound)
    ears.monitor.replay()
    ears.loudspeaker.step(3)
    heard = ears.speak(sound[::-1], take="T2")
    assert np.array_equal(heard[FRAME : FRAME + len(sound)], sound[::-1])


def test_what_a_cut_link_left_neither_ends_a_replay_nor_takes_the_place_of_the_last_take() -> None:
    ears, sound = Ears(), noise(30 * FRAME)
    ears.speak(noise(5 * FRAME), take="T1")
    for at in range(0, 20 * FRAME, FRAME):
        ears.monitor.frame("T2", "s", at, sound[at : at + FRAME].astype("<i2").tobytes())
        ears.monitor.frame("T1", "s", at + 5 * FRAME, bytes(2 * FRAME))
    ears.monitor.finish("T2")
    ears.monitor.replay()
    ears.loudspeaker.step(2)
    for at in range(20 * FRAME, 30 * FRAME, FRAME):
        ears.monitor.frame("T2", "s", at, sound[at : at + FRAME].astype("<i2").tobytes())
        ears.monitor.frame("T1", "s", at, bytes(2 * FRAME))
    assert ears.monitor.replaying
    assert ears.monitor.replay() == pytest.approx(len(sound) / RATE)
    assert np.array_equal(ears.loudspeaker.step(30), sound)


def test_a_replay_can_be_stopped_and_there_may_be_nothing_to_replay() -> None:
    ears = Ears()
    assert ears.monitor.replay() == 0.0
    ears.speak(noise(30 * FRAME))
    ears.monitor.replay()
    ears.monitor.stop_replay()
    assert not ears.loudspeaker.step(3).any()


def test_the_whole_take_from_the_hub_can_be_played_in_place_of_the_copy() -> None:
    ears, whole = Ears(), noise(10 * FRAME)
    ears.monitor.replay(pcm=whole.astype("<i2").tobytes())
    assert np.array_equal(ears.loudspeaker.step(10), whole)


def test_muted_is_silent_and_volume_scales_without_wrapping() -> None:
    ears = Ears()
    ears.monitor.volume = 10.0
    heard = ears.speak(noise(20 * FRAME))
    assert heard.max() == 32_767
    ears.monitor.muted = True
    assert not ears.speak(noise(20 * FRAME), take="T2").any()


def test_a_take_at_another_rate_is_heard_at_its_own_pitch() -> None:
    ears = Ears(rate=48_000)
    ears.monitor.expect("T1", 8_000)
    tone = np.rint(8_000 * np.sin(2 * np.pi * 400 * np.arange(8_000) / 8_000)).astype(np.int16)
    ears.monitor.frame("T1", "s", 0, tone[:3_000].astype("<i2").tobytes())
    ears.monitor.finish("T1")
    heard = ears.loudspeaker.step(30)
    spectrum = np.abs(np.fft.rfft(heard * np.hanning(len(heard))))
    assert abs(float(np.argmax(spectrum)) * 48_000 / len(heard) - 400) < 6


class _Broken:
    name, rate, latency_ns = "headphones", RATE, 0

    def __init__(self) -> None:
        self.closed = 0

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        raise DeviceError("headphones: taken by another program")

    def close(self) -> None:
        self.closed += 1


def test_a_loudspeaker_that_cannot_be_opened_is_given_back_and_named() -> None:
    broken = _Broken()
    monitor = Monitor(lambda: broken)
    with pytest.raises(DeviceError, match="another program"):
        monitor.open()
    assert broken.closed == 1
    assert not monitor.listening


def test_frames_without_a_loudspeaker_do_no_harm() -> None:
    monitor = Monitor(lambda: FileLoudspeaker())
    for at in range(0, 200 * FRAME, FRAME):
        monitor.frame("T1", "s", at, noise(FRAME).tobytes())
    assert monitor.buffer.buffered_ms <= 400
