import itertools
import threading

import numpy as np
import pytest

from session.audio.devices import DeviceError
from session.audio.fake import (
    FaultyMicrophone,
    FileLoudspeaker,
    FileMicrophone,
    Overflow,
    Refuse,
    Samples,
    Stall,
    Unplug,
)
from session.values.clock import SECOND, ManualClock, ScaledClock
from tests.session.stalls import jitter

BLOCK = 320
Block = tuple[bytes, int, bool, int | None]


class Ear:
    """What a microphone delivered."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.gone: list[str] = []

    def on_block(self, data: bytes, frames: int, overflowed: bool, stamp: int | None) -> None:
        self.blocks.append((data, frames, overflowed, stamp))

    def heard(self) -> Samples:
        return np.frombuffer(b"".join(block[0] for block in self.blocks), dtype="<i2")


def ramp(samples: int) -> Samples:
    return np.arange(1, samples + 1).astype(np.int16)


def listen(microphone: FileMicrophone | FaultyMicrophone) -> Ear:
    ear = Ear()
    microphone.start(ear.on_block, ear.gone.append)
    return ear


def test_speech_follows_speech_and_silence_follows_that() -> None:
    microphone = FileMicrophone(ManualClock())
    ear, spoken = listen(microphone), []
    assert microphone.say(ramp(500), lambda: spoken.append(len(ear.blocks))) == 500 / 16_000
    microphone.say(ramp(100), lambda: spoken.append(len(ear.blocks)))
    assert microphone.speaking
    microphone.step(3)
    assert np.array_equal(ear.heard(), np.concatenate([ramp(500), ramp(100), np.zeros(360, np.int16)]))
    assert spoken == [2, 2]
    assert not microphone.speaking


def test_stamps_are_exact_on_the_clock_it_was_given() -> None:
    clock = ManualClock(mono=5 * SECOND)
    microphone = FileMicrophone(clock)
    ear = listen(microphone)
    microphone.step(50)
    assert ear.blocks[-1][3] == 6 * SECOND
    assert microphone.due_ns() == 6 * SECOND + SECOND // 50


def test_drift_stretches_the_stamps() -> None:
    microphone = FileMicrophone(ManualClock(), drift_ppm=1_000.0)
    ear = listen(microphone)
    microphone.step(50)
    assert ear.blocks[-1][3] == SECOND + SECOND // 1_000


def test_the_noise_floor_is_faint_and_the_same_each_time() -> None:
    def silence() -> Samples:
        microphone = FileMicrophone(ManualClock(), floor=8)
        ear = listen(microphone)
        microphone.step(20)
        return ear.heard()

    assert 4 < np.abs(silence()).max() <= 8
    assert np.array_equal(silence(), silence())


def test_channels_are_interleaved_and_wrong_shapes_refused() -> None:
    microphone = FileMicrophone(ManualClock(), channels=2)
    ear = listen(microphone)
    microphone.say(np.stack([ramp(320), -ramp(320)], axis=1))
    microphone.step()
    assert np.array_equal(ear.heard().reshape(-1, 2)[:, 1], -ramp(320))
    with pytest.raises(ValueError, match="2 channels"):
        microphone.say(np.zeros((10, 3), np.int16))


def test_paced_it_delivers_from_its_own_thread_in_scaled_time() -> None:
    clock, done = ScaledClock("fast", 40.0), threading.Event()
    microphone = FileMicrophone(clock, pace=40.0)
    microphone.say(ramp(16_000), done.set)
    began = clock.monotonic_ns()
    ear = listen(microphone)
    assert done.wait(120)
    microphone.close()
    assert clock.monotonic_ns() - began >= SECOND
    assert np.array_equal(ear.heard()[:16_000], ramp(16_000))
    delivered = len(ear.blocks)
    microphone.step()
    assert len(ear.blocks) == delivered


@pytest.mark.parametrize("hidden", [False, True])
def test_an_overflow_loses_blocks_and_flags_the_next(hidden: bool) -> None:
    microphone = FaultyMicrophone(inner := FileMicrophone(ManualClock()), [Overflow(1, 2, hidden)])
    inner.say(ramp(1_600))
    ear = listen(microphone)
    inner.step(5)
    assert [block[2] for block in ear.blocks] == [False, not hidden, False]
    assert microphone.lost == [(320, 320), (640, 320)]
    assert np.array_equal(ear.heard(), np.concatenate([ramp(320), ramp(1_600)[960:]]))


def test_a_stall_delays_and_loses_nothing() -> None:
    microphone = FaultyMicrophone(inner := FileMicrophone(ManualClock()), [Stall(1, 3)], blind=True)
    inner.say(ramp(1_600))
    ear = listen(microphone)
    inner.step(4)
    assert len(ear.blocks) == 1
    inner.step(1)
    assert np.array_equal(ear.heard(), ramp(1_600))
    assert {block[3] for block in ear.blocks} == {None}


def test_unplugged_is_said_once_and_then_nothing_comes() -> None:
    microphone = FaultyMicrophone(inner := FileMicrophone(ManualClock()), [Unplug(2)])
    ear = listen(microphone)
    inner.step(5)
    assert len(ear.blocks) == 2
    assert len(ear.gone) == 1


def test_a_refusal_is_an_error_with_a_remedy() -> None:
    with pytest.raises(DeviceError, match="Choose another rate"):
        listen(FaultyMicrophone(FileMicrophone(ManualClock()), [Refuse()]))


def test_jitter_is_the_same_for_the_same_seed_and_never_overlaps() -> None:
    assert jitter(1, 100) == jitter(1, 100) != jitter(2, 100)
    stalls = jitter(3, 200)
    assert all(one.at + one.blocks <= other.at for one, other in itertools.pairwise(stalls))


def test_the_loudspeaker_keeps_what_would_have_been_heard() -> None:
    loudspeaker = FileLoudspeaker(blocksize=2)
    assert len(loudspeaker.step()) == 0
    loudspeaker.start(lambda count: ramp(count).tobytes(), lambda reason: None)
    loudspeaker.step(2)
    assert loudspeaker.heard().tolist() == [1, 2, 1, 2]
