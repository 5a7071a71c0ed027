"""Benchmark of capture: losses, cost, and the time to recover a spool after a crash.

Three parts, one figure a line (from mouth to ear: `benchmarks.mouth_to_ear`; up again to the hub: `benchmarks.recovery`):

* stream: a paced microphone through the real recorder with its threads and the disk, in real time: samples lost or altered,
  gaps between the callbacks, the processor's share. With --device it is a real device, and nothing can be compared.
* faults: seeded rounds of overflow, hidden loss, stalls and unplugging, compared with the ledger of the faults.
* spool: recovery of unfinished takes, a start over many unconfirmed ones, confirmation.

    python -m benchmarks.capture [--seconds N] [--rounds N] [--takes N] [--device NAME] [--only PART]
"""

import argparse
import hashlib
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.figures import figure, percentile
from session.audio.devices import Microphone, OnBlock, OnGone, SoundDeviceMicrophone
from session.audio.fake import Fault, FaultyMicrophone, FileMicrophone, Overflow, Samples, Stall, Unplug
from session.events import AudioTroubled, Event
from session.values.clock import ManualClock, Stamp, SystemClock, stamp
from session.values.vocabulary import AudioTrouble
from subject.capture.input import Input
from subject.capture.recorder import Recorder
from subject.capture.recording_settings import RecordingSettings
from subject.capture.take_file import ChannelEnd, SealedTake, TakeFile, TakeHeader
from subject.spool.spool import DeskStorage
from subject.spool.takes import Spool

RATE, BLOCK = 16_000, 320


class Watched:
    """A microphone whose callbacks are timed; `gaps` in milliseconds, `flags` overflows."""

    def __init__(self, inner: Microphone) -> None:
        self.inner, self.gaps, self.flags = inner, list[float](), 0
        self.name, self.rate, self.channels, self.latency_ns = inner.name, inner.rate, inner.channels, inner.latency_ns
        self._before = 0.0

    def start(self, on_block: OnBlock, on_gone: OnGone) -> None:
        def timed(data: bytes, frames: int, overflowed: bool, captured_ns: int | None) -> None:
            now, before = time.perf_counter(), self._before
            self._before = now
            if before:
                self.gaps.append((now - before) * 1000)
            self.flags += overflowed
            on_block(data, frames, overflowed, captured_ns)

        self.inner.start(timed, on_gone)

    def stop(self) -> None:
        self.inner.stop()

    def close(self) -> None:
        self.inner.close()


def noise(samples: int, seed: int = 1) -> Samples:
    return np.random.default_rng(seed).integers(-20_000, 20_000, samples).astype(np.int16)


def stream(seconds: float, device: str | None) -> Iterator[str]:
    """Record takes of four seconds, one after the other, for so long."""
    clock = SystemClock("benchmark")
    spoken = noise(int((seconds + 30) * RATE))
    source = FileMicrophone(clock, pace=1.0)
    source.say(spoken)
    facts: list[Event] = []
    sealed: list[SealedTake] = []
    with tempfile.TemporaryDirectory() as folder:
        microphone = Watched(SoundDeviceMicrophone(device) if device else source)
        running = threading.Event()
        recorder = Recorder(
            [Input(lambda: microphone)],
            clock,
            Path(folder),
            facts.append,
            on_sealed=sealed.append,
            on_level=lambda level: running.set(),
        )
        recorder.open()
        running.wait(10)
        time.sleep(0.5)
        used, began = time.process_time(), time.perf_counter()
        for number in range(max(1, round(seconds / 5))):
            recorder.press(f"T{number}", stamp(clock))
            time.sleep(4.0)
            recorder.release(f"T{number}", stamp(clock))
            time.sleep(1.0)
        share = (time.process_time() - used) / (time.perf_counter() - began)
        recorder.close()
        wrong = 0 if device else sum(_differing(Path(folder), take, spoken) for take in sealed)
    yield figure("stream_recorded", sum(take.samples for take in sealed) / RATE, "s")
    yield figure("stream_takes", len(sealed), "takes", digits=0)
    if not device:
        yield figure("stream_samples_lost_or_altered", wrong, "samples", "0", digits=0)
    yield figure("stream_troubles", sum(isinstance(fact, AudioTroubled) for fact in facts), "troubles", digits=0)
    yield figure("stream_overflows_flagged", microphone.flags, "blocks", digits=0)
    yield figure("stream_callback_gap_p50", percentile(microphone.gaps, 0.5), "ms", "20")
    yield figure("stream_callback_gap_p99", percentile(microphone.gaps, 0.99), "ms")
    yield figure("stream_callback_gap_most", max(microphone.gaps), "ms")
    yield figure("stream_cpu", 100 * share, "percent of a core")


def _differing(folder: Path, take: SealedTake, spoken: Samples) -> int:
    samples = np.frombuffer((folder / f"{take.header.take}.s.pcm").read_bytes(), dtype="<i2")
    expected = spoken[take.header.start :][: len(samples)]
    short = max(0, int(4.6 * RATE) - BLOCK - len(samples))
    return int(np.count_nonzero(samples != expected)) + short


def faults(rounds: int) -> Iterator[str]:
    """Takes of 60 s under a random mixture of faults; what is neither on disk nor in a gap, in samples."""
    unaccounted, lost, takes, found = 0, 0, 0, 0
    for seed in range(rounds):
        missing, ledger, gaps = _fault_round(seed)
        unaccounted += abs(missing)
        lost += ledger
        found += gaps
        takes += 1
    yield figure("faults_takes", takes, "takes", digits=0)
    yield figure("faults_lost_by_the_device", lost, "samples", digits=0)
    yield figure("faults_reported_as_gaps", found, "samples", digits=0)
    yield figure("faults_unaccounted_for", unaccounted, "samples", "0", digits=0)


def _fault_round(seed: int) -> tuple[int, int, int]:
    random = np.random.default_rng(seed)
    clock = ManualClock()
    source = FileMicrophone(clock)
    source.say(noise(80 * RATE, seed))
    kinds: list[Fault] = []
    for slot in range(3):
        at, blocks = 200 + 700 * slot + int(random.integers(0, 50)), int(random.integers(1, 100))
        choice: list[Fault] = [Overflow(at, blocks), Overflow(at, blocks, hidden=True), Stall(at, blocks)]
        kinds.append(choice[int(random.integers(0, 3))])
    unplugged = bool(random.integers(0, 2))
    microphone = FaultyMicrophone(source, [*kinds, *([Unplug(2_700)] if unplugged else [])], blind=True)
    spare = FileMicrophone(clock, name="spare")
    facts: list[Event] = []
    sealed: list[SealedTake] = []
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(
            [Input(lambda: microphone, take_over=lambda: spare)],
            clock,
            Path(folder),
            facts.append,
            on_sealed=sealed.append,
            settings=RecordingSettings(silence_ms=100_000),
        )
        recorder.open(threaded=False)
        for block in range(3_100):
            clock.advance(BLOCK / RATE)
            source.step()
            if microphone.lost and unplugged and block >= 2_700:
                spare.step() if spare.due_ns() <= clock.monotonic_ns() else None
            if block == 50:
                recorder.press("T1", stamp(clock))
            if block == 3_050:
                recorder.release("T1", stamp(clock))
            recorder.step()
        recorder.close()
    gaps = sum(fact.samples for fact in facts if isinstance(fact, AudioTroubled) and fact.trouble is AudioTrouble.GAP)
    expected = 3_000 * BLOCK + 9_600
    return (
        expected - sealed[0].samples - gaps,
        sum(frames for first, frames in microphone.lost if first < 3_051 * BLOCK),
        gaps,
    )


def spool(takes: int) -> Iterator[str]:
    """Takes of ten seconds left unfinished by a crash; then many small ones waiting for confirmation."""
    sound = noise(10 * RATE).tobytes()
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        for number in range(100):
            file = TakeFile(directory, TakeHeader(f"T{number:06d}", "s", RATE, "benchmark", Stamp("b", 0, 0)))
            file.hold(sound)
            file.flush()
            file.close()
        began = time.perf_counter()
        kept = DeskStorage(directory, ManualClock())
        took = time.perf_counter() - began
        intact = sum(take.samples * 2 == len(sound) for take in kept.recovered)
        kept.close()
    yield figure("spool_crashed_takes_recovered_whole", intact, "of 100 takes", "100", digits=0)
    yield figure("spool_crash_recovery_rate", len(sound) / 1e4 / took, "MB/s")
    with tempfile.TemporaryDirectory() as folder:
        yield from _many(Path(folder), takes)


def _many(directory: Path, takes: int) -> Iterator[str]:
    digest = hashlib.sha256(b"\0\0").hexdigest()
    for number in range(takes):
        name = f"T{number:06d}.s"
        header = TakeHeader(f"T{number:06d}", "s", RATE, "benchmark", Stamp("b", 0, 0))
        (directory / f"{name}.json").write_bytes(_encoded(SealedTake(header, 1, digest, ChannelEnd())))
        (directory / f"{name}.pcm").write_bytes(b"\0\0")
    began = time.perf_counter()
    store = Spool(directory)
    opened = time.perf_counter() - began
    began = time.perf_counter()
    gone = sum(store.confirm(take, letter, 1, digest) for take, letter in store.unconfirmed())
    took = time.perf_counter() - began
    store.close()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield figure("spool_unconfirmed_takes", takes, "takes", digits=0)
    yield figure("spool_opened_over_them_in", opened, "s", digits=2)
    yield figure("spool_memory", memory, "MB", digits=0)
    yield figure("spool_confirmed", gone / took, "takes/s", digits=0)


def _encoded(sealed: SealedTake) -> bytes:
    return msgspec.json.encode(sealed)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--takes", type=int, default=20_000)
    parser.add_argument("--device")
    parser.add_argument("--only", choices=["stream", "faults", "spool"])
    options = parser.parse_args()
    parts: dict[str, Callable[[], Iterator[str]]] = {
        "stream": lambda: stream(options.seconds, options.device),
        "faults": lambda: faults(options.rounds),
        "spool": lambda: spool(options.takes),
    }
    for name, part in parts.items():
        if options.only in (None, name):
            for line in part():
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
