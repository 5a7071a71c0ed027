import numpy as np
import pytest

from annotator.playback import SPEEDS, Playback
from desk.recording_player import Player
from session.annotation.transcript import Stretch
from session.audio.devices import DeviceError
from session.audio.fake import FileLoudspeaker

RATE = 16_000
BLOCK = 320
LENGTH = 50 * BLOCK


class Ear:
    """A second of sound at hand, with a loudspeaker that is stepped by hand, or with none."""

    def __init__(self, loudspeaker: bool = True) -> None:
        self.loudspeaker = FileLoudspeaker(RATE, BLOCK)
        self.plugged_in = loudspeaker
        self.player = Player(self._opened)
        if loudspeaker:
            self.player.open()
        self.player.load(np.ones(LENGTH, np.int16), RATE)
        self.listening = Playback(self.player)
        self.listening.take(LENGTH, RATE)

    def _opened(self) -> FileLoudspeaker:
        if not self.plugged_in:
            raise DeviceError("no output device")
        return self.loudspeaker


def test_the_same_key_plays_and_stops() -> None:
    ear = Ear()
    assert ear.listening.play() == ""
    ear.loudspeaker.step(5)
    assert ear.listening.playing
    ear.listening.play()
    assert not ear.listening.playing
    assert ear.listening.position == 5 * BLOCK


def test_a_stretch_is_set_by_ear_and_is_what_is_played_then() -> None:
    ear = Ear()
    ear.listening.play()
    ear.loudspeaker.step(10)
    ear.listening.set_begin()
    ear.loudspeaker.step(10)
    ear.listening.set_end()
    assert ear.listening.stretch == Stretch(10 * BLOCK, 20 * BLOCK)
    ear.listening.play()
    ear.listening.play()
    assert np.count_nonzero(ear.loudspeaker.step(50)) == 10 * BLOCK


def test_an_end_before_the_begin_lets_the_begin_go_and_the_other_way_round() -> None:
    ear = Ear()
    ear.listening.play()
    ear.loudspeaker.step(20)
    ear.listening.set_begin()
    ear.listening.again(-0.2)
    ear.listening.set_end()
    assert ear.listening.stretch == Stretch(0, 10 * BLOCK)
    ear.loudspeaker.step(20)
    ear.listening.set_begin()
    assert ear.listening.stretch == Stretch(30 * BLOCK, LENGTH)


@pytest.mark.parametrize(("edge", "steps"), [("begin", -999), ("begin", 999), ("end", -999), ("end", 999)])
def test_edges_stay_in_the_recording_and_apart(edge: str, steps: int) -> None:
    ear = Ear()
    ear.listening.begin, ear.listening.end = 10 * BLOCK, 20 * BLOCK
    ear.listening.nudge(edge, steps)
    stretch = ear.listening.stretch
    assert stretch is not None
    assert 0 <= stretch.first < stretch.last <= LENGTH
    assert stretch.last - stretch.first >= round(0.03 * RATE)


def test_there_is_nothing_to_nudge_without_a_stretch() -> None:
    assert "Set a stretch first" in Ear().listening.nudge("begin", 1)


def test_slower_goes_through_the_speeds_and_back_and_goes_on_playing() -> None:
    ear = Ear()
    ear.listening.play()
    seen = []
    for _ in SPEEDS:
        ear.listening.slower()
        assert ear.listening.playing
        seen.append(ear.listening.speed)
    assert seen == [0.85, 0.7, 0.55, 1.0]


def test_slower_goes_on_from_what_is_being_heard_and_not_from_the_beginning() -> None:
    ear = Ear()
    ear.listening.play()
    ear.loudspeaker.step(30)
    ear.listening.slower()
    assert ear.listening.position == 30 * BLOCK
    assert np.count_nonzero(ear.loudspeaker.step(50)) < 25 * BLOCK


def test_slower_within_a_loop_goes_on_and_then_round_its_whole_stretch() -> None:
    ear = Ear()
    ear.listening.begin, ear.listening.end = 10 * BLOCK, 30 * BLOCK
    ear.listening.looped()
    ear.loudspeaker.step(15)
    for _ in SPEEDS:
        ear.listening.slower()
    assert ear.listening.position == 25 * BLOCK
    assert np.count_nonzero(ear.loudspeaker.step(6)) == 5 * BLOCK
    assert np.count_nonzero(ear.loudspeaker.step(40)) >= 20 * BLOCK
    assert ear.listening.playing


def test_what_goes_round_is_heard_anew_by_nobody() -> None:
    ear = Ear()
    ear.listening.play()
    assert ear.listening.heard_anew
    ear.listening.looped()
    assert ear.listening.playing
    assert not ear.listening.heard_anew


def test_the_sight_goes_along_and_comes_nearer_about_the_stretch() -> None:
    ear = Ear()
    assert ear.listening.sight.whole
    ear.listening.begin, ear.listening.end = 20 * BLOCK, 30 * BLOCK
    ear.listening.nearer(1)
    assert (ear.listening.sight.first, ear.listening.sight.width) == (25 * BLOCK // 2, 25 * BLOCK)
    ear.listening.again(-9)
    ear.loudspeaker.step(1)
    assert ear.listening.sight.first == 0
    ear.loudspeaker.step(29)
    assert ear.listening.sight.first > 20 * BLOCK


def test_a_loop_goes_on_until_it_is_stopped_and_then_the_stretch_can_be_let_go() -> None:
    ear = Ear()
    ear.listening.begin, ear.listening.end = 0, 5 * BLOCK
    ear.listening.looped()
    ear.loudspeaker.step(100)
    assert "over and over" in ear.listening.caption()
    assert ear.listening.playing
    assert ear.listening.stop()
    assert ear.listening.stretch == Stretch(0, 5 * BLOCK)
    assert ear.listening.stop()
    assert ear.listening.stretch is None
    assert not ear.listening.stop()


def test_without_a_loudspeaker_the_place_can_be_moved_all_the_same() -> None:
    ear = Ear(loudspeaker=False)
    assert ear.listening.play() == "Nothing can be heard here: no output device"
    ear.listening.again(0.5)
    ear.listening.set_begin()
    ear.listening.again(0.25)
    ear.listening.set_end()
    assert ear.listening.stretch == Stretch(RATE // 2, 3 * RATE // 4)
    assert ear.listening.caption() == "no sound here, 0.75 of 1.00 s, stretch 0.50–0.75 s"


def test_a_loudspeaker_that_was_pulled_out_is_taken_again_at_the_next_key() -> None:
    ear = Ear()
    ear.listening.play()
    ear.loudspeaker.step(5)
    ear.plugged_in = False
    ear.player._gone("unplugged")
    assert "no output device" in ear.listening.play()
    ear.plugged_in = True
    assert ear.listening.again(-0.02) == ""
    assert ear.listening.position == 4 * BLOCK
    assert ear.loudspeaker.step(3).all()
