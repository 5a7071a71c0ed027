from hypothesis import given
from hypothesis import strategies as st

from session.values.clock import MILLISECOND, SECOND
from subject.capture.stream_clock import MissingSound, StreamClock

RATE = 16_000
BLOCK = 320
BLOCK_NS = BLOCK * SECOND // RATE


def feed(
    clock: StreamClock, blocks: int, *, first: int = 0, late_ns: int = 0, jitter: list[int] | None = None
) -> list[MissingSound]:
    """Blocks in time, or late by so much, or by as much as `jitter` says in turn; what was found missing."""
    found = []
    for number in range(first, first + blocks):
        late = late_ns + (jitter[number % len(jitter)] if jitter else 0)
        missing = clock.feed((number + 1) * BLOCK, (number + 1) * BLOCK_NS + late)
        if missing is not None:
            found.append(missing)
    return found


def test_samples_and_moments_are_each_others_inverse() -> None:
    clock = StreamClock(RATE)
    feed(clock, 100)
    assert clock.time_of(16_000) == SECOND
    assert clock.sample_at(SECOND) == 16_000


@given(st.lists(st.integers(0, 40 * MILLISECOND), min_size=5, max_size=60))
def test_jitter_of_arrival_does_not_move_the_anchor_beyond_the_stated_uncertainty(jitter: list[int]) -> None:
    clock = StreamClock(RATE)
    assert feed(clock, 400, jitter=jitter) == []
    truth = min(jitter)
    assert clock.time_of(0) - truth <= clock.uncertainty_ns + 1
    assert clock.time_of(0) >= 0


def test_a_device_latency_moves_the_moment_back_and_is_part_of_the_uncertainty() -> None:
    clock = StreamClock(RATE, latency_ns=40 * MILLISECOND)
    feed(clock, 10)
    assert clock.time_of(0) == -40 * MILLISECOND
    assert clock.uncertainty_ns >= 40 * MILLISECOND


def test_a_stream_that_stays_behind_has_lost_sound_at_the_place_where_it_fell_behind() -> None:
    clock = StreamClock(RATE)
    assert feed(clock, 100) == []
    assert feed(clock, 120, first=100, late_ns=SECOND) == [MissingSound(101 * BLOCK, RATE)]
    assert feed(clock, 300, first=220, late_ns=SECOND) == []
    assert clock.time_of(320 * BLOCK) == 320 * BLOCK_NS + SECOND


def test_a_stream_that_catches_up_has_lost_nothing() -> None:
    clock = StreamClock(RATE)
    feed(clock, 100)
    assert feed(clock, 80, first=100, late_ns=SECOND) == []
    assert feed(clock, 300, first=180) == []
    assert clock.time_of(0) == 0


def test_a_loss_near_the_end_is_settled_on_request() -> None:
    clock = StreamClock(RATE)
    feed(clock, 100)
    feed(clock, 20, first=100, late_ns=SECOND // 2)
    assert clock.settle() == MissingSound(101 * BLOCK, RATE // 2)
    assert clock.settle() is None


def test_a_single_lost_block_is_found_within_ten_seconds_or_two_if_the_device_said_so() -> None:
    silent, reported = StreamClock(RATE), StreamClock(RATE)
    for clock in (silent, reported):
        feed(clock, 100)
    reported.suspect()
    assert feed(reported, 102, first=100, late_ns=BLOCK_NS) == [MissingSound(101 * BLOCK, BLOCK)]
    assert feed(silent, 500, first=100, late_ns=BLOCK_NS) == []
    assert feed(silent, 2, first=600, late_ns=BLOCK_NS) == [MissingSound(101 * BLOCK, BLOCK)]


def test_a_false_alarm_of_the_device_is_forgotten() -> None:
    clock = StreamClock(RATE)
    feed(clock, 100)
    clock.suspect()
    assert feed(clock, 300, first=100) == []
    assert feed(clock, 300, first=400, late_ns=10 * MILLISECOND) == []


def test_a_loss_that_is_known_already_is_not_found_again() -> None:
    clock = StreamClock(RATE)
    feed(clock, 100)
    clock.skip(RATE)
    assert feed(clock, 300, first=100, late_ns=SECOND) == []


def test_drift_is_no_loss_and_is_measured() -> None:
    clock = StreamClock(RATE)
    for number in range(1, 50 * 120):
        assert clock.feed(number * BLOCK, round(number * BLOCK_NS * 1.000_2)) is None
    drift = clock.drift_ppm()
    assert drift is not None
    assert abs(drift - 200) < 5


def test_drift_is_unknown_after_a_moment() -> None:
    clock = StreamClock(RATE)
    feed(clock, 100)
    assert clock.drift_ppm() is None
