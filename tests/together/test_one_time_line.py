"""A known click, from the microphone to the waveform, and events of three clocks placed beside it within what is stated."""

import random
from pathlib import Path

import numpy as np
import pytest

from corpus.formats.log.timeline import Timeline
from session.events import ClockCompared, DeskAttached, Recorded, RecordingStarted
from session.protocol.links import DeskLink
from session.protocol.messages import Pong, encode
from session.values.clock import MILLISECOND, SECOND, ManualClock, Stamp, stamp
from tests.session.stalls import jitter
from tests.subject.bench import BLOCK, RATE, Bench

HUB_BEGAN, HUB_WALL = 977 * SECOND, 1_600_000_000 * SECOND


class Lab:
    """A recorder whose blocks jitter, and a hub whose clock runs `ppm` faster than the desk's, over links that delay."""

    def __init__(self, folder: Path, seed: int, ppm: float) -> None:
        self.desk = Bench(folder, faults=jitter(seed, 3_000), blind=True, speak=False).open()
        self.facts: list[Recorded] = []
        self._draw, self._rate = random.Random(seed), 1 + ppm * 1e-6
        self._link = DeskLink("desk", self.desk.clock, "1")
        self._note(DeskAttached(role="subject", desk="desk", clock=self.desk.clock.name, version="1"))

    def hub(self, desk_ns: int | None = None) -> Stamp:
        """The hub's clocks at this moment of the desk's."""
        mono = HUB_BEGAN + round((self.desk.clock.monotonic_ns() if desk_ns is None else desk_ns) * self._rate)
        return Stamp("hub", mono, HUB_WALL + mono)

    def _note(self, event: DeskAttached | ClockCompared | RecordingStarted) -> None:
        self.facts.append(Recorded("s", len(self.facts) + 1, self.hub(), "hub", "", event))

    def compare(self) -> None:
        """A ping whose ways there and back take 0 to 15 ms each, whatever the other took."""
        sent = self.desk.clock.monotonic_ns()
        arrived = self.hub(sent + self._draw.randrange(15 * MILLISECOND)).mono
        back = ManualClock(self.desk.clock.name, sent + self._draw.randrange(15, 30) * MILLISECOND)
        self._link._clock, desk_clock = back, self._link._clock
        self._link.receive(encode(Pong(sent, arrived, arrived)))
        self._link._clock = desk_clock
        assert self._link._last is not None
        mono, offset, uncertainty = self._link._last
        self._note(ClockCompared(clock=self.desk.clock.name, mono=mono, offset=offset, uncertainty=uncertainty))

    def run(self, seconds: int) -> None:
        for second in range(seconds):
            self.desk.run(RATE // BLOCK)
            if second % 4 == 0:
                self.compare()

    def began(self) -> RecordingStarted:
        [began] = self.desk.started()
        self._note(began)
        return began


@pytest.mark.parametrize("ppm", [-90.0, 0.0, 90.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_click_lies_where_the_clocks_of_desk_and_hub_say(tmp_path: Path, seed: int, ppm: float) -> None:
    lab = Lab(tmp_path, seed, ppm)
    lab.run(9)
    lab.desk.clock.step_wall(-86_400)
    lab.desk.press()
    lab.run(3)
    at_desk, at_hub = stamp(lab.desk.clock), lab.hub()
    lab.desk.source.say(np.array([30_000], dtype=np.int16))
    lab.desk.clock.step_wall(3_600)
    lab.run(2)
    lab.desk.release()
    lab.run(6)
    place = int(np.argmax(lab.desk.samples()))
    began = lab.began()
    line = Timeline(lab.facts)
    for said, least_ms in ((at_desk, 45), (at_hub, 75)):
        found = line.sample(began, said, RATE)
        assert found.within is not None
        assert abs(found.at - place) <= found.within + 1
        assert found.within < least_ms * RATE // 1000
