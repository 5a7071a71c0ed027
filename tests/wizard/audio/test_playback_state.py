"""Ear and link as the screen sees them."""

import numpy as np

from session.audio.fake import FileLoudspeaker
from session.transport.websocket import LinkState
from tests.wizard.desk import HandPlayed
from wizard.audio.monitor import Monitor
from wizard.audio.playback_state import PlaybackState


def up() -> LinkState:
    return LinkState(True)


def ear(recorded: dict[str, bytes] | None = None) -> tuple[PlaybackState, Monitor, FileLoudspeaker]:
    loudspeaker = FileLoudspeaker()
    monitor = Monitor(lambda: loudspeaker)
    monitor.open()
    find = (lambda take: recorded.get(take, b"")) if recorded is not None else None
    return PlaybackState(monitor, up, find), monitor, loudspeaker


def sound(level: int) -> bytes:
    return np.full(3200, level, "<i2").tobytes()


def test_without_a_loudspeaker_everything_says_so() -> None:
    desk, listening = HandPlayed(), PlaybackState(None, up)
    assert not listening.open
    assert listening.status == "× no sound"
    assert "no loudspeaker" in listening.replay(desk.console, 1.0)
    assert "no loudspeaker" in listening.mute()
    assert not listening.stop()


def test_nothing_to_hear_is_said() -> None:
    listening, _, _ = ear()
    assert listening.status == "√ sound"
    assert listening.replay(HandPlayed().console, 1.0) == "Nothing has been heard yet."


def test_the_last_take_is_heard_again_until_it_is_stopped() -> None:
    listening, monitor, loudspeaker = ear()
    monitor.frame("t1", "s", 0, sound(1000))
    monitor.finish("t1")
    loudspeaker.step(20)
    assert listening.replay(HandPlayed().console, 1.0) == ""
    assert loudspeaker.step().any()
    assert listening.stop()
    assert not listening.stop()


def test_an_utterance_that_was_picked_is_read_from_the_recordings() -> None:
    listening, _, loudspeaker = ear({"t1": sound(500)})
    desk = HandPlayed()
    desk.begin_turn()
    assert listening.replay(desk.console, 1.0) == "Nothing has been heard yet."
    desk.confirmed()
    assert listening.replay(desk.console, 1.0) == ""
    assert int(loudspeaker.step().max()) == 500


def test_what_is_turned_off_is_silent_and_says_so() -> None:
    listening, monitor, loudspeaker = ear()
    monitor.frame("t1", "s", 0, sound(1000))
    assert "Alt+H" in listening.mute()
    assert listening.status == "muted"
    assert "Alt+H" in listening.replay(HandPlayed().console, 1.0)
    assert not loudspeaker.step(3).any()
    assert listening.mute() == ""
    assert loudspeaker.step(3).any()
