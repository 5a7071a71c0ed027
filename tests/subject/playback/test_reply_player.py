"""Replies out of a loudspeaker that is stepped by hand: what is heard, in samples, and when it is over."""

import numpy as np

from session.audio.devices import DeviceError, Fill, OnGone
from session.audio.fake import FileLoudspeaker
from session.values.clock import SECOND, ManualClock, Stamp
from session.values.vocabulary import PlaybackEnd
from subject.playback.reply_player import ReplyPlayer

BLOCK = 320
TONE = np.arange(1, 801, dtype="<i2")
"""Two and a half blocks."""


class Heard:
    def __init__(self) -> None:
        self.heard_events: list[tuple[object, ...]] = []

    def began(self, reply: str, at: Stamp) -> None:
        self.heard_events.append(("began", reply))

    def ended(self, reply: str, samples: int, why: PlaybackEnd, detail: str, at: Stamp) -> None:
        self.heard_events.append(("ended", reply, samples, why.value))

    def quiet(self) -> None:
        self.heard_events.append(("quiet",))


class Delayed(FileLoudspeaker):
    """Sound is heard two blocks after it was given."""

    latency_ns = 2 * BLOCK * SECOND // 16_000
    gone: OnGone

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        super().start(fill, on_gone)
        self.gone = on_gone


class Deaf(FileLoudspeaker):
    def start(self, fill: Fill, on_gone: OnGone) -> None:
        raise DeviceError("no loudspeaker: plug it in")


def player(device: FileLoudspeaker, pause_ms: int = 0, clock: ManualClock | None = None) -> tuple[ReplyPlayer, Heard]:
    heard = Heard()
    return ReplyPlayer(lambda: device, clock or ManualClock(), heard, pause_ms), heard


def test_a_reply_is_heard_to_the_sample_and_then_it_is_quiet() -> None:
    device = FileLoudspeaker()
    playing, heard = player(device)
    playing.play("r1", TONE.tobytes())
    assert heard.heard_events == []
    device.step(1)
    assert heard.heard_events == [("began", "r1")]
    device.step(3)
    assert heard.heard_events == [("began", "r1"), ("ended", "r1", 800, "ended"), ("quiet",)]
    assert (device.heard()[:800] == TONE).all()
    assert not device.heard()[800:].any()


def test_replies_follow_one_another_without_a_gap_and_it_is_quiet_once() -> None:
    device = FileLoudspeaker()
    playing, heard = player(device)
    playing.play("r1", TONE.tobytes())
    playing.play("r2", TONE.tobytes())
    device.step(6)
    assert (device.heard()[:1600] == np.tile(TONE, 2)).all()
    assert [heard_events[0] for heard_events in heard.heard_events] == ["began", "ended", "began", "ended", "quiet"]


def test_a_reply_is_over_when_it_was_heard_not_when_it_was_given_away() -> None:
    device = Delayed()
    playing, heard = player(device)
    playing.play("r1", TONE.tobytes())
    device.step(4)
    assert heard.heard_events == [("began", "r1")]
    device.step(1)
    assert ("ended", "r1", 800, "ended") in heard.heard_events


def test_it_is_quiet_only_when_no_recording_would_reach_back_into_the_reply() -> None:
    device, clock = FileLoudspeaker(), ManualClock()
    playing, heard = player(device, 100, clock)
    playing.play("r1", TONE.tobytes())
    device.step(3)
    assert heard.heard_events[-1] == ("ended", "r1", 800, "ended")
    clock.advance(0.1)
    device.step(4)
    assert ("quiet",) not in heard.heard_events
    device.step(1)
    assert heard.heard_events[-1] == ("quiet",)


def test_a_loudspeaker_that_catches_up_makes_no_quiet_room() -> None:
    device, clock = FileLoudspeaker(), ManualClock()
    playing, heard = player(device, 100, clock)
    playing.play("r1", TONE.tobytes())
    device.step(30)
    clock.advance(0.099)
    device.step(1)
    assert ("quiet",) not in heard.heard_events
    clock.advance(0.001)
    device.step(1)
    assert heard.heard_events[-1] == ("quiet",)


def test_whoever_interrupts_hears_no_more_and_the_place_is_told() -> None:
    device = Delayed()
    playing, heard = player(device)
    playing.play("r1", np.tile(TONE, 10).tobytes())
    playing.play("r2", TONE.tobytes())
    device.step(5)
    playing.stop()
    assert heard.heard_events[1:] == [
        ("ended", "r1", 3 * BLOCK, "interrupted"),
        ("ended", "r2", 0, "interrupted"),
        ("quiet",),
    ]
    assert not device.step(3).any()


def test_a_reply_that_cannot_be_heard_has_failed() -> None:
    playing, heard = player(Deaf())
    playing.play("r1", TONE.tobytes())
    assert heard.heard_events == [("ended", "r1", 0, "failed"), ("quiet",)]


def test_a_loudspeaker_that_is_unplugged_fails_what_was_played() -> None:
    device = Delayed()
    playing, heard = player(device)
    playing.play("r1", TONE.tobytes())
    device.step(1)
    device.gone("unplugged")
    assert heard.heard_events[1:] == [("ended", "r1", BLOCK, "failed"), ("quiet",)]


def test_closing_interrupts_and_opens_no_more() -> None:
    device = FileLoudspeaker()
    playing, heard = player(device)
    playing.play("r1", TONE.tobytes())
    device.step(1)
    playing.close()
    playing.close()
    assert ("ended", "r1", BLOCK, "interrupted") in heard.heard_events
