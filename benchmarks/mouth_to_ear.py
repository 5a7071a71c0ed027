"""How long a sound takes from the subject's microphone to the wizard's loudspeaker over real audio devices, without a network.

Clicks are played into the null sink `mic_in`; they pass PortAudio, the recorder, the jitter buffer and PortAudio again into
`spk_out`. A second and a third stream listen to both sinks' monitors, so that only differences between equal paths count.
Add the link's own delay (well below a millisecond on loopback). Needs PulseAudio with the null sinks of
`.ci/services.sh`, and CURTAIN_PULSE set.

    python -m benchmarks.mouth_to_ear [--seconds N]
"""

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from session.audio import SoundDeviceLoudspeaker, SoundDeviceMicrophone
from session.clock import SECOND, SystemClock, stamp
from session.fake_audio import Samples
from subject.intake import Input
from subject.recorder import Recorder
from subject.streamclock import StreamClock
from wizard.monitor import Monitor

RATE, BLOCK, PERIOD = 16_000, 320, 7_963
DISTINCT = RATE // 10


class Witness:
    """Listens to the monitor of one sink and notes when clicks were there."""

    def __init__(self, source: str) -> None:
        os.environ["PULSE_SOURCE"] = source
        self._clock, self._count = StreamClock(RATE), 0
        self._clicks: list[int] = []
        self.running = threading.Event()
        self._microphone = SoundDeviceMicrophone("pulse", RATE, blocksize=BLOCK)
        self._microphone.start(self._hear, lambda reason: None)

    def _hear(self, data: bytes, frames: int, overflowed: bool, captured_ns: int | None) -> None:
        samples: Samples = np.frombuffer(data, dtype="<i2")
        for at in np.flatnonzero(np.abs(samples.astype(np.int32)) > 8_000):
            place = self._count + int(at)
            if not self._clicks or place - self._clicks[-1] > DISTINCT:
                self._clicks.append(place)
        self._count += frames
        self._clock.feed(self._count, time.monotonic_ns())
        self.running.set()

    def moments(self) -> list[int]:
        return [self._clock.time_of(place) for place in self._clicks]

    def close(self) -> None:
        self._microphone.close()


class Clicker:
    """Plays a click every half second into the sink of the microphone."""

    def __init__(self) -> None:
        os.environ["PULSE_SINK"] = "mic_in"
        self._at = 0
        self._loudspeaker = SoundDeviceLoudspeaker("pulse", RATE, BLOCK)
        self._loudspeaker.start(self._fill, lambda reason: None)

    def _fill(self, count: int) -> bytes:
        places = np.arange(self._at, self._at + count)
        self._at += count
        return np.where(places % PERIOD < 8, 30_000, 0).astype("<i2").tobytes()

    def close(self) -> None:
        self._loudspeaker.close()


def measure(seconds: float) -> tuple[list[float], Monitor]:
    """Delays in milliseconds, one for each click that was heard at both ends."""
    mouth, ear = Witness("mic_in.monitor"), Witness("spk_out.monitor")
    os.environ["PULSE_SOURCE"], os.environ["PULSE_SINK"] = "mic_in.monitor", "spk_out"
    monitor = Monitor(lambda: SoundDeviceLoudspeaker("pulse", RATE))
    monitor.open()
    clock = SystemClock("benchmark")
    running = threading.Event()
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(
            [Input(lambda: SoundDeviceMicrophone("pulse", RATE, blocksize=BLOCK))],
            clock,
            Path(folder),
            lambda fact: None,
            on_frame=monitor.frame,
            on_level=lambda level: running.set(),
        )
        recorder.open()
        for ready in (running, mouth.running, ear.running):
            ready.wait(10)
        clicker = Clicker()
        recorder.press("T1", stamp(clock))
        time.sleep(seconds)
        recorder.release("T1", stamp(clock))
        recorder.close()
    for device in (clicker, monitor, mouth, ear):
        device.close()
    return _delays(mouth.moments(), ear.moments()), monitor


def _delays(said: list[int], heard: list[int]) -> list[float]:
    delays = []
    for moment in said:
        after = [later for later in heard if moment < later < moment + SECOND * 4 // 10]
        if after:
            delays.append((after[0] - moment) / 1e6)
    return delays


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    if not os.environ.get("CURTAIN_PULSE"):
        print("mouth to ear: not measured, CURTAIN_PULSE is not set: no null sinks to play into", file=sys.stderr)
        return 0
    delays, monitor = measure(options.seconds)
    if not delays:
        print("no click was heard at both ends: are the null sinks there?", file=sys.stderr)
        return 2
    ordered = sorted(delays)
    print(
        f"mouth to ear in ms: p50 {statistics.median(ordered):.1f}, p99 {ordered[int(len(ordered) * 0.99)]:.1f}", end=""
    )
    print(f", most {ordered[-1]:.1f} ({len(ordered)} clicks; underruns {monitor.buffer.underruns})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
