import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wizard.audio.jitter_buffer import JitterBuffer, Samples

RATE = 16_000
FRAME = 320


def noise(samples: int, loud: int = 8_000, seed: int = 1) -> Samples:
    return np.random.default_rng(seed).integers(-loud, loud, samples).astype(np.int16)


def feed(buffer: JitterBuffer, sound: Samples, first: int = 0, take: str = "T1") -> None:
    for at in range(0, len(sound), FRAME):
        buffer.push(take, first + at, sound[at : at + FRAME])


def test_nothing_is_heard_before_40_ms_are_there_and_then_every_sample_in_order() -> None:
    buffer, sound = JitterBuffer(RATE), noise(50 * FRAME)
    heard = []
    for at in range(0, len(sound), FRAME):
        buffer.push("T1", at, sound[at : at + FRAME])
        heard.append(buffer.pull(FRAME))
    buffer.finish("T1")
    heard += [buffer.pull(FRAME) for _ in range(3)]
    assert not np.concatenate(heard[:1]).any()
    assert np.array_equal(np.concatenate(heard)[FRAME : FRAME + len(sound)], sound)
    assert (buffer.underruns, buffer.dropped, buffer.bridged) == (0, 0, 0)


def test_running_dry_lets_the_buffer_grow_to_60_ms_and_no_further() -> None:
    buffer = JitterBuffer(RATE)
    assert buffer.target_ms == 40
    for number in range(5):
        feed(buffer, noise(4 * FRAME), first=number * 4 * FRAME)
        for _ in range(6):
            buffer.pull(FRAME)
    assert buffer.underruns == 5
    assert buffer.target_ms == 60


def test_after_ten_calm_seconds_it_returns_to_40_ms() -> None:
    buffer = JitterBuffer(RATE)
    feed(buffer, noise(2 * FRAME))
    for _ in range(4):
        buffer.pull(FRAME)
    assert buffer.target_ms == 50
    for number in range(600):
        buffer.push("T1", (2 + number) * FRAME, noise(FRAME))
        buffer.pull(FRAME)
    assert buffer.target_ms == 40


def test_too_much_waiting_is_left_out_where_it_is_silent_and_only_there() -> None:
    buffer = JitterBuffer(RATE)
    speech, pause = noise(8 * FRAME), noise(8 * FRAME, loud=10)
    feed(buffer, np.concatenate([pause, speech]))
    buffer.finish("T1")
    heard = np.concatenate([buffer.pull(FRAME) for _ in range(20)])
    assert buffer.trimmed >= 5 * FRAME
    loud = np.flatnonzero(np.abs(heard.astype(int)) > 10)
    assert len(np.flatnonzero(np.abs(speech.astype(int)) > 10)) == len(loud)


def test_loud_speech_is_never_trimmed() -> None:
    buffer = JitterBuffer(RATE)
    feed(buffer, noise(18 * FRAME))
    for _ in range(10):
        buffer.pull(FRAME)
    assert buffer.trimmed == 0


def test_what_piled_up_while_the_link_was_cut_is_dropped_for_the_ear() -> None:
    buffer = JitterBuffer(RATE)
    feed(buffer, noise(5 * FRAME))
    buffer.pull(FRAME)
    feed(buffer, noise(250 * FRAME, seed=2), first=5 * FRAME)
    assert buffer.buffered_ms <= 400
    assert buffer.dropped > 200 * FRAME


def test_frames_that_come_late_or_twice_are_not_heard_again() -> None:
    buffer, sound = JitterBuffer(RATE), noise(6 * FRAME)
    feed(buffer, sound[: 4 * FRAME])
    feed(buffer, sound)
    buffer.finish("T1")
    heard = np.concatenate([buffer.pull(FRAME) for _ in range(7)])
    assert np.array_equal(heard[: 6 * FRAME], sound)
    assert buffer.dropped == 4 * FRAME


def test_a_late_frame_of_an_earlier_take_is_not_heard_in_the_next() -> None:
    buffer = JitterBuffer(RATE)
    feed(buffer, noise(3 * FRAME), take="T1")
    feed(buffer, noise(3 * FRAME), take="T2")
    before = buffer.buffered_ms
    feed(buffer, noise(3 * FRAME), first=3 * FRAME, take="T1")
    assert buffer.buffered_ms == before


def test_a_hole_is_bridged_by_a_little_silence() -> None:
    buffer = JitterBuffer(RATE)
    feed(buffer, noise(3 * FRAME))
    feed(buffer, noise(3 * FRAME), first=100 * FRAME)
    assert buffer.bridged == 2 * FRAME
    assert buffer.buffered_ms == 160


def drifting(ppm: float, seconds: int = 120) -> JitterBuffer:
    buffer, sound = JitterBuffer(RATE), noise(FRAME)
    sent, due = 0, 0.0
    for _ in range(seconds * 50):
        due += 1.0 + ppm * 1e-6
        while sent < due:
            buffer.push("T1", sent * FRAME, sound)
            sent += 1
        buffer.pull(FRAME)
    return buffer


@pytest.mark.parametrize("ppm", [-500.0, -100.0, 0.0, 100.0, 500.0])
def test_drift_between_sound_cards_neither_drains_nor_fills_the_buffer(ppm: float) -> None:
    buffer = drifting(ppm)
    assert buffer.underruns <= 2  # until it has grown from 40 to 60 ms
    assert buffer.dropped == buffer.trimmed == 0
    assert buffer.buffered_ms < 90


@given(st.lists(st.integers(0, 4), min_size=1, max_size=80), st.sampled_from([8_000, 16_000, 44_100]))
@settings(max_examples=60)
def test_every_sample_is_heard_dropped_trimmed_or_still_waiting(bursts: list[int], out_rate: int) -> None:
    buffer = JitterBuffer(RATE, out_rate)
    sent = heard = 0
    for burst in bursts:
        for _ in range(burst):
            buffer.push("T1", sent, noise(FRAME, seed=sent))
            sent += FRAME
        before = buffer._held + buffer.trimmed
        assert len(buffer.pull(160)) == 160
        heard += before - buffer._held - buffer.trimmed
    assert heard + buffer.dropped + buffer.trimmed + buffer._held == sent
    assert buffer._held == sum(map(len, buffer._parts))


def test_another_rate_at_the_loudspeaker_keeps_the_pitch() -> None:
    buffer = JitterBuffer(8_000, 16_000, longest_ms=2_000)
    tone = np.rint(8_000 * np.sin(2 * np.pi * 400 * np.arange(8_000) / 8_000)).astype(np.int16)
    buffer.push("T1", 0, tone)
    buffer.finish("T1")
    heard = buffer.pull(8_192)
    spectrum = np.abs(np.fft.rfft(heard * np.hanning(len(heard))))
    assert abs(float(np.argmax(spectrum)) * 16_000 / len(heard) - 400) < 6
