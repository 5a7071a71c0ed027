"""Benchmark of the delay from the subject's microphone to the wizard's loudspeaker through a real hub, and of its cost.

Three processes as in a lab: the hub with its store and recordings, the subject's desk with the real recorder, the wizard's desk
with the jitter buffer. Clicks in noise go in at one end and are looked for at the other, on the machine's one monotonic clock.
Without sound devices microphone and loudspeaker are paced by that clock: what is measured is everything but the sound cards.
With `--pulse` both are PortAudio over the null sinks of `.ci/services.sh`, and two more streams listen at both ends, so that
only differences between equal paths count.

    python -m benchmarks.mouth_to_ear [--seconds N] [--pulse]
"""

import argparse
import asyncio
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.capture import Watched
from benchmarks.figures import figure, percentile
from benchmarks.hubs import hub, name
from benchmarks.torture.processes import BY_ROLE
from session.audio.devices import Fill, Loudspeaker, Microphone, OnGone, SoundDeviceLoudspeaker, SoundDeviceMicrophone
from session.audio.fake import FileMicrophone, Samples
from session.collection.recordings import Recordings
from session.state.fold import Take
from session.study.settings import Profile
from session.transport.websocket import Address
from session.values.clock import SECOND, SystemClock
from session.values.vocabulary import AudioTrouble, Echo, Role
from subject.capture.input import Input
from subject.capture.stream_clock import StreamClock
from subject.desk import SubjectDesk
from wizard.desk import WizardDesk

RATE, BLOCK, OUT_BLOCK, PERIOD = 16_000, 320, 160, 7_963
DISTINCT, LOUD = RATE // 10, 8_000
PROFILE = Profile(name="bench", consent=False, echo=Echo.NEVER, reply_limit_s=0, longest_take_s=3600.0)


class Heard(msgspec.Struct):
    """Results of the wizard's process: times of clicks in nanoseconds, figures of the jitter buffer, processor time."""

    moments: list[int]
    underruns: int
    dropped: int
    target_ms: float
    buffered_ms: float
    cpu_s: float


class Clicks:
    """Notes where clicks are in a stream, each once."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.count = 0

    def feed(self, data: bytes) -> None:
        samples: Samples = np.frombuffer(data, dtype="<i2")
        for at in np.flatnonzero(np.abs(samples.astype(np.int32)) > LOUD):
            place = self.count + int(at)
            if not self.places or place - self.places[-1] > DISTINCT:
                self.places.append(place)
        self.count += len(samples)


class PacedLoudspeaker:
    """Asks for its next block whenever the clock says that the last one has been played."""

    name, rate = "no loudspeaker", RATE

    def __init__(self) -> None:
        self.clicks = Clicks()
        self._origin = 0
        self._quit = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        self._origin = time.monotonic_ns()
        self._thread = threading.Thread(target=self._run, args=(fill,), daemon=True)
        self._thread.start()

    def _run(self, fill: Fill) -> None:
        while not self._quit.is_set():
            due = self._origin + self.clicks.count * SECOND // RATE
            time.sleep(max(0.0, (due - time.monotonic_ns()) / SECOND))
            self.clicks.feed(fill(OUT_BLOCK))

    def close(self) -> None:
        self._quit.set()
        if self._thread is not None:
            self._thread.join()

    def moments(self) -> list[int]:
        """When each click would have begun to sound."""
        return [self._origin + place * SECOND // RATE for place in self.clicks.places]


class Witness:
    """Listens to the monitor of one sink and notes when clicks were there."""

    def __init__(self, source: str) -> None:
        os.environ["PULSE_SOURCE"] = source
        self._clock, self._clicks = StreamClock(RATE), Clicks()
        self.running = threading.Event()
        self._microphone = SoundDeviceMicrophone("pulse", RATE, blocksize=BLOCK)
        self._microphone.start(self._hear, lambda reason: None)

    def _hear(self, data: bytes, frames: int, overflowed: bool, captured_ns: int | None) -> None:
        self._clicks.feed(data)
        self._clock.feed(self._clicks.count, time.monotonic_ns())
        self.running.set()

    def moments(self) -> list[int]:
        return [self._clock.time_of(place) for place in self._clicks.places]

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


def spoken(seconds: float) -> Samples:
    """Room noise with a click every half second."""
    count = int((seconds + 20) * RATE)
    sound = np.random.default_rng(1992).integers(-300, 301, count).astype(np.int16)
    sound[np.arange(count) % PERIOD < 8] = 30_000
    return sound


def _address(port: int, role: Role) -> Address:
    return Address("127.0.0.1", port, name(0), BY_ROLE[role], tls=False)


def ear(port: int, pulse: bool, pipe: Pipe) -> None:
    """The wizard's process: listens until it is told to stop, then sends what it heard."""
    os.environ["PULSE_SINK"] = "spk_out"
    speaker = PacedLoudspeaker()
    opener: Callable[[], Loudspeaker] = (lambda: SoundDeviceLoudspeaker("pulse", RATE)) if pulse else lambda: speaker  # type: ignore[assignment, return-value]

    async def listen() -> None:
        desk = WizardDesk(_address(port, Role.WIZARD), SystemClock("wizard"), lambda: None, loudspeaker=opener)
        desk.listen()
        link = asyncio.ensure_future(desk.run())
        while desk.console.state.opened is None:
            await asyncio.sleep(0.01)
        desk.console.start_scenario("try")
        began = time.process_time()
        buffered = 0.0
        while not pipe.poll():
            await asyncio.sleep(0.05)
            buffered = max(buffered, desk.monitor.buffer.buffered_ms if desk.monitor else 0.0)
        spent = time.process_time() - began
        link.cancel()
        await asyncio.gather(link, return_exceptions=True)
        desk.close()
        buffer = desk.monitor.buffer if desk.monitor else None
        fared = (buffer.underruns, buffer.dropped, buffer.target_ms) if buffer else (0, 0, 0.0)
        heard = Heard(speaker.moments(), *fared, buffered, spent)
        pipe.send(msgspec.json.encode(heard))

    asyncio.run(listen())


class SpeakingDesk:
    """The subject's desk in this process, speaking one long take."""

    def __init__(self, port: int, folder: Path, opener: Callable[[], Microphone]) -> None:
        self.microphone: Watched | None = None
        self.cpu_s = 0.0
        self._port, self._folder, self._opener = port, folder, opener

    def _open(self) -> Microphone:
        self.microphone = Watched(self._opener())
        return self.microphone

    async def speak(self, seconds: float) -> Take:
        address, clock = _address(self._port, Role.SUBJECT), SystemClock("subject")
        desk = SubjectDesk(address, clock, self._folder, [Input(self._open)], lambda: None)
        link = asyncio.ensure_future(desk.run())
        terminal = desk.terminal
        while terminal.state.run is None:
            await asyncio.sleep(0.01)
        desk.open_microphone()
        await asyncio.sleep(1.0)
        terminal.press()
        take, began = terminal.held, time.process_time()
        await asyncio.sleep(seconds)
        self.cpu_s = time.process_time() - began
        terminal.release()
        while not ((known := terminal.state.takes.get(take)) and known.confirmed):
            await asyncio.sleep(0.02)
        link.cancel()
        await asyncio.gather(link, return_exceptions=True)
        await desk.close()
        return known


def measure(seconds: float, pulse: bool) -> Iterator[str]:
    """One line for each figure."""
    source = FileMicrophone(SystemClock("microphone"), pace=1.0)
    sound = spoken(seconds)
    witnesses = [Witness("mic_in.monitor"), Witness("spk_out.monitor")] if pulse else []
    os.environ["PULSE_SOURCE"] = "mic_in.monitor"
    ours, theirs = multiprocessing.Pipe()
    with tempfile.TemporaryDirectory() as temporary, hub(Path(temporary), 1, PROFILE) as running:
        folder = Path(temporary)
        wizard = multiprocessing.get_context("spawn").Process(target=ear, args=(running.port, pulse, theirs))
        wizard.start()
        opener: Callable[[], Microphone] = (
            (lambda: SoundDeviceMicrophone("pulse", RATE, blocksize=BLOCK)) if pulse else lambda: source
        )
        source.say(sound)
        clicker = Clicker() if pulse else None
        mouth = SpeakingDesk(running.port, folder / "spool", opener)
        take = asyncio.run(mouth.speak(seconds))
        ours.send("over")
        heard = msgspec.json.decode(ours.recv(), type=Heard)
        wizard.join()
        pcm = Recordings(folder / "recordings").pcm(name(0), take.take, "s")
    for device in (*witnesses, *([clicker] if clicker else [])):
        device.close()  # type: ignore[attr-defined]
    origin = source.due_ns() - (source.delivered + BLOCK) * SECOND // RATE
    said = witnesses[0].moments() if pulse else [origin + at * SECOND // RATE for at in range(0, len(sound), PERIOD)]
    # What was said before the press is in the pre-roll, which comes when the button is pressed and not before.
    said = [moment for moment in said if take.pressed is not None and moment > take.pressed.mono]
    delays = _delays(said, witnesses[1].moments() if pulse else heard.moments)
    yield figure("mouth_to_ear_p50", percentile(delays, 0.5), "ms")
    yield figure("mouth_to_ear_p99", percentile(delays, 0.99), "ms", "under 100; 40 is the floor")
    yield figure("mouth_to_ear_clicks", len(delays), "clicks", digits=0)
    yield figure("ear_ran_dry", heard.underruns, "times", digits=0)
    yield figure("ear_dropped", heard.dropped, "samples", digits=0)
    yield figure("ear_buffer_at_the_end", heard.target_ms, "ms", "40; 60 after it ran dry")
    yield figure("ear_buffered_at_most", heard.buffered_ms, "ms")
    yield figure("capture_cpu", 100 * mouth.cpu_s / seconds, "percent of a core")
    yield figure("wizard_cpu", 100 * heard.cpu_s / seconds, "percent of a core")
    yield figure("hub_cpu", 100 * running.cpu_s / seconds, "percent of a core")
    gaps = mouth.microphone.gaps if mouth.microphone else []
    yield figure("callback_gap_p50", percentile(gaps, 0.5), "ms", "20")
    yield figure("callback_gap_p99", percentile(gaps, 0.99), "ms")
    yield figure("callback_gap_most", max(gaps), "ms")
    lost = sum(trouble.samples for trouble in take.troubles if trouble.trouble is AudioTrouble.GAP)
    yield figure("samples_recorded", len(pcm) // 2, "samples", digits=0)
    yield figure("samples_in_gaps", lost, "samples", digits=0)
    if not pulse:
        yield figure("samples_lost_or_altered", _differing(take, pcm, sound, origin), "samples", "0", digits=0)


def _delays(said: list[int], heard: list[int]) -> list[float]:
    """Milliseconds, one for each click that was heard at both ends."""
    after = [(moment, [later for later in heard if moment < later < moment + SECOND * 4 // 10]) for moment in said]
    return [(later[0] - moment) / 1e6 for moment, later in after if later]


def _differing(take: Take, pcm: bytes, sound: Samples, origin: int) -> int:
    """Samples at the hub that are not what the microphone gave, and those that the take's length and its events lack."""
    if take.began is None or take.pressed is None or take.released is None:
        return len(sound)
    start = round((take.began.mono - origin) * RATE / SECOND)
    got: Samples = np.frombuffer(pcm, dtype="<i2")
    span = (take.released.mono - take.pressed.mono) * RATE // SECOND + take.pre_roll + take.tail
    return int(np.count_nonzero(got != sound[start : start + len(got)])) + max(0, span - BLOCK - len(got))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pulse", action="store_true", help="over PulseAudio's null sinks, named by CURTAIN_PULSE")
    options = parser.parse_args()
    if options.pulse and not os.environ.get("CURTAIN_PULSE"):
        print("CURTAIN_PULSE is not set: there are no null sinks to play into (.ci/services.sh)", file=sys.stderr)
        return 2
    for line in measure(options.seconds, options.pulse):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
