"""The system speaks into a room whose microphone hears it, over the real PortAudio path: no take begins with its voice."""

import os
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from session.audio.devices import SoundDeviceLoudspeaker, SoundDeviceMicrophone
from session.events import Event, RecordingStarted, RecordingStopped
from session.values.clock import SECOND, Stamp, SystemClock, stamp
from session.values.vocabulary import PlaybackEnd
from subject.capture.input import Input
from subject.capture.recorder import Recorder
from subject.playback.reply_player import ReplyPlayer

pytestmark = [
    pytest.mark.pulse,
    pytest.mark.skipif(
        not os.environ.get("CURTAIN_PULSE"), reason="CURTAIN_PULSE is not set: no PulseAudio server with null sinks"
    ),
]

RATE = 16_000
PRE_ROLL_MS = 300
WAIT_S = 60


class Heard:
    """What the player tells, in its order."""

    def __init__(self) -> None:
        self.told: queue.Queue[tuple[str, int, PlaybackEnd | None, Stamp | None]] = queue.Queue()

    def began(self, reply: str, at: Stamp) -> None:
        self.told.put(("began", 0, None, at))

    def ended(self, reply: str, samples: int, why: PlaybackEnd, detail: str, at: Stamp) -> None:
        self.told.put(("ended", samples, why, at))

    def quiet(self) -> None:
        self.told.put(("quiet", 0, None, None))


class Room:
    """A recorder and a player, of which the one hears the other."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.folder, self.heard = SystemClock("desk"), folder, Heard()
        self.facts: list[Event] = []
        self.stopped = threading.Event()
        microphone = Input(lambda: SoundDeviceMicrophone("pulse", RATE))
        self.recorder = Recorder([microphone], self.clock, folder, self._fact)
        self.player = ReplyPlayer(lambda: SoundDeviceLoudspeaker("pulse", RATE), self.clock, self.heard, PRE_ROLL_MS)

    def _fact(self, fact: Event) -> None:
        self.facts.append(fact)
        if isinstance(fact, RecordingStopped):
            self.stopped.set()

    def told(self, kind: str) -> tuple[str, int, PlaybackEnd | None, Stamp | None]:
        """The next thing told, which is of this kind."""
        found = self.heard.told.get(timeout=WAIT_S)
        assert found[0] == kind
        return found


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setenv("PULSE_SOURCE", "mic_in.monitor")
    monkeypatch.setenv("PULSE_SINK", "mic_in")
    made = Room(tmp_path)
    made.recorder.open()
    made.player.open()
    yield made
    made.player.close()
    made.recorder.close()


def voice(seconds: float) -> bytes:
    """Loud from its first sample to its last."""
    return np.random.default_rng(1992).integers(8_000, 20_000, int(seconds * RATE)).astype("<i2").tobytes()


def test_a_take_that_begins_when_it_is_quiet_holds_nothing_of_the_reply(room: Room) -> None:
    room.player.play("r1", voice(1.5))
    _, _, _, began = room.told("began")
    _, samples, why, ended = room.told("ended")
    assert (samples, why) == (int(1.5 * RATE), PlaybackEnd.ENDED)
    assert began is not None
    assert ended is not None
    assert ended.mono - began.mono > 1.4 * SECOND, "it is over when it was heard"
    room.told("quiet")
    room.recorder.press("T1", stamp(room.clock))
    room.recorder.release("T1", stamp(room.clock))
    assert room.stopped.wait(WAIT_S)
    taken = np.frombuffer((room.folder / "T1.s.pcm").read_bytes(), "<i2")
    (started,) = [fact for fact in room.facts if isinstance(fact, RecordingStarted)]
    assert started.pre_roll > 0
    assert not np.abs(taken.astype(int)).max(initial=0) > 1_000, "the system's own voice is in the take"


def test_an_interrupted_reply_falls_silent_and_its_place_is_told(room: Room) -> None:
    room.player.play("r1", voice(20))
    room.told("began")
    room.player.stop()
    _, samples, why, _ = room.told("ended")
    room.told("quiet")
    assert why is PlaybackEnd.INTERRUPTED
    assert 0 <= samples < 20 * RATE
