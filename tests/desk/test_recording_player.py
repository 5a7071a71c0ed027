import numpy as np
import pytest

from desk.recording_player import PAUSE_S, Player, Samples
from session.audio.devices import DeviceError, Fill, Loudspeaker, OnGone
from session.audio.fake import FileLoudspeaker

RATE = 16_000
BLOCK = 320


def noise(samples: int) -> Samples:
    return np.random.default_rng(4).integers(1, 8_000, samples).astype(np.int16)


class Ears:
    """A player with a recording of 20 blocks over a loudspeaker that is stepped by hand."""

    def __init__(self, rate: int = RATE) -> None:
        self.loudspeaker = FileLoudspeaker(rate, BLOCK)
        self.player = Player(lambda: self.loudspeaker)
        self.player.open()
        self.sound = noise(20 * BLOCK)
        self.player.load(self.sound, RATE)


def test_a_recording_is_heard_as_it_is_and_then_there_is_silence() -> None:
    ears = Ears()
    assert ears.player.play()
    assert np.array_equal(ears.loudspeaker.step(20), ears.sound)
    assert not ears.loudspeaker.step(2).any()
    assert not ears.player.playing


def test_the_place_that_is_heard_is_known() -> None:
    ears = Ears()
    ears.player.play(BLOCK)
    ears.loudspeaker.step(3)
    assert ears.player.position == 4 * BLOCK
    ears.player.stop()
    assert ears.player.position == 4 * BLOCK
    assert not ears.loudspeaker.step().any()


def test_a_stretch_is_played_over_and_over_with_a_pause_between() -> None:
    ears = Ears()
    ears.player.play(BLOCK, 3 * BLOCK, loop=True)
    pause = round(PAUSE_S * RATE)
    heard = ears.loudspeaker.step(40)
    stretch = ears.sound[BLOCK : 3 * BLOCK]
    assert np.array_equal(heard[: 2 * BLOCK], stretch)
    assert not heard[2 * BLOCK : 2 * BLOCK + pause].any()
    assert np.array_equal(heard[2 * BLOCK + pause :][: 2 * BLOCK], stretch)
    assert ears.player.playing


def test_in_the_pause_of_a_loop_the_place_is_not_before_the_recording() -> None:
    ears = Ears()
    ears.player.play(0, 2 * BLOCK, loop=True)
    places = []
    for _ in range(60):
        ears.loudspeaker.step()
        places.append(ears.player.position)
    assert min(places) >= 0
    assert max(places) == 2 * BLOCK


def test_slower_lasts_longer_and_ends_at_the_same_place() -> None:
    ears = Ears()
    ears.player.play(speed=0.5)
    ears.loudspeaker.step(20)
    assert ears.player.playing
    assert abs(ears.player.position - 10 * BLOCK) <= BLOCK
    ears.loudspeaker.step(25)
    assert not ears.player.playing
    assert ears.player.position == 20 * BLOCK


def test_a_device_of_another_rate_plays_as_long() -> None:
    ears = Ears(48_000)
    ears.player.play()
    heard = ears.loudspeaker.step(70)
    assert abs(int(np.flatnonzero(heard)[-1]) - 3 * len(ears.sound)) < 2 * BLOCK


def test_nothing_is_played_where_there_is_nothing() -> None:
    ears = Ears()
    assert not ears.player.play(20 * BLOCK)
    assert not ears.player.play(5, 5)
    ears.player.close()
    assert not ears.player.play()


def test_a_speed_that_cannot_be_understood_is_refused() -> None:
    with pytest.raises(ValueError):
        Ears().player.play(speed=0.1)


class _Broken(FileLoudspeaker):
    closed = False

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        raise DeviceError("no")

    def close(self) -> None:
        self.closed = True


def test_a_loudspeaker_that_does_not_start_is_given_back() -> None:
    broken = _Broken()

    def opener() -> Loudspeaker:
        return broken

    player = Player(opener)
    with pytest.raises(DeviceError):
        player.open()
    assert broken.closed
    assert not player.open_now


def test_a_loudspeaker_that_is_unplugged_leaves_a_silent_player() -> None:
    ears = Ears()
    ears.player.play()
    ears.player._gone("unplugged")
    assert not ears.player.playing
    assert not ears.player.open_now
