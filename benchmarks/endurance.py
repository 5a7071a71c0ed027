"""A collection that does not end: a hundred thousand takes in one session, or one take of two hours, and what each still costs.

A real hub in a process of its own, real sockets, files and store; in this process the subject's desk with its real recorder
and the wizard's desk, over a scaled clock and a microphone whose samples tell their places. Every figure is printed for each
tenth of the way, so that what grows faster than its number shows; at the end everything is read back and compared.

    python -m benchmarks.endurance [--takes N] [--pace P] [--folder DIR]
    python -m benchmarks.endurance --hours H [--cuts N] [--pace P] [--folder DIR]
"""

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.hubs import Running, hub, name, processor_s
from benchmarks.torture.faults import Numbered
from benchmarks.torture.ledger import holes, untold
from benchmarks.torture.processes import address
from benchmarks.torture.relay import Relay
from session.collection.recordings import Recordings
from session.events import TakeConfirmed
from session.state.fold import SessionState, fold
from session.store.event_store import Store
from session.study.settings import Profile
from session.values.clock import ScaledClock
from session.values.vocabulary import Echo, Role
from subject.capture.input import Input
from subject.desk import SubjectDesk
from wizard.desk import WizardDesk

RATE, SESSION = 16_000, name(0)
PROFILE = Profile(
    name="endurance",
    consent=False,
    echo=Echo.NEVER,
    pre_roll_ms=0,
    tail_ms=20,
    longest_take_s=4 * 3600.0,
    reply_limit_s=3600.0,
)
TAKES_PER_SCENARIO, AHEAD, SPEAKING_S = 100, 16, 0.1
PIECE = 1 << 22


class People:
    """Both desks over one scaled clock, and how far they have come."""

    def __init__(self, folder: Path, pace: float) -> None:
        self.clock = ScaledClock("subject", pace)
        microphone = Numbered(self.clock, RATE, blocksize=320, pace=pace)
        self._moved = asyncio.Event()
        self.subject = SubjectDesk(
            address(folder, Role.SUBJECT, SESSION),
            self.clock,
            folder / "spool",
            [Input(lambda: microphone)],
            self._moved.set,
            pace=pace,
        )
        self.wizard = WizardDesk(address(folder, Role.WIZARD, SESSION), self.clock.named("wizard"), self._changed)
        self._links = [asyncio.ensure_future(desk.run()) for desk in (self.subject, self.wizard)]
        self._unheard: deque[str] = deque()
        self._unread: deque[str] = deque()

    def _changed(self) -> None:
        """The wizard answers what is complete, in order."""
        console = self.wizard.console
        while self._unheard and (take := console.state.takes.get(self._unheard[0])) and take.complete:
            self._unread.append(self._unheard.popleft())
            console.pick(take.take)
            console.transcribe(f"take {take.take}")
            console.send_canned("none", (take.take,))
        self._moved.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return when it holds; whatever arrives at either desk is a reason to look."""
        while not condition():
            self._moved.clear()
            await self._moved.wait()

    async def open(self) -> None:
        await self.until(lambda: self.wizard.console.state.opened is not None)
        await self.scenario()
        self.subject.open_microphone()

    async def scenario(self) -> None:
        """A new scenario, after every utterance of the last one has been answered."""
        console, terminal = self.wizard.console, self.subject.terminal
        await self.until(self._all_read)
        if console.state.run is not None:
            console.end_scenario()
            await self.until(lambda: terminal.state.run is None and console.state.run is None)
        console.start_scenario("try")
        await self.until(lambda: terminal.state.run is not None)

    async def speak(self, seconds: float, during: Callable[[], None] = lambda: None) -> str:
        """One take, to the end of its tail; gives its name."""
        terminal = self.subject.terminal
        if not terminal.press():
            raise RuntimeError(f"the subject could not speak: {terminal.phase}, {terminal.message}")
        take = terminal.held
        self._unheard.append(take)
        await self.until(lambda: terminal.lamp == take)
        during()
        await self.clock.sleep(seconds)
        terminal.release()
        await self.until(lambda: not terminal.lamp)
        await self.until(lambda: self._all_read(AHEAD))
        return take

    def _all_read(self, but: int = 0) -> bool:
        terminal = self.subject.terminal
        while self._unread and (take := terminal.state.takes.get(self._unread[0])) and take.replies:
            terminal.reply_painted(take.replies[-1], 0, 1)
            self._unread.popleft()
        return len(self._unheard) + len(self._unread) <= but

    async def finished(self) -> None:
        """Everything is confirmed and nothing waits to be acknowledged."""
        await self.until(self._all_read)
        await self.until(lambda: not len(self.subject.kept.spool) and not self.subject.kept.pending())

    async def close(self) -> None:
        for link in self._links:
            link.cancel()
        await asyncio.gather(*self._links, return_exceptions=True)
        await self.subject.close()


class ProcessMeter:
    """Processor time and memory of hub and desks, taken between marks."""

    def __init__(self, hub_pid: int) -> None:
        self._pids = {"hub": hub_pid, "desks": os.getpid()}
        self._before = {who: processor_s(pid) for who, pid in self._pids.items()}
        self._began = time.perf_counter()

    def mark(self, label: str, takes: int) -> Iterator[str]:
        """Return what the takes since the last mark cost."""
        now = time.perf_counter()
        yield f"{label}_wall {1e3 * (now - self._began) / takes:.2f} ms/take"
        self._began = now
        for who, pid in self._pids.items():
            spent = processor_s(pid)
            yield f"{label}_{who}_cpu {1e3 * (spent - self._before[who]) / takes:.2f} ms/take"
            yield f"{label}_{who}_memory {_resident_mb(pid):.0f} MB"
            self._before[who] = spent


def _resident_mb(pid: int) -> float:
    [line] = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


async def _many(folder: Path, running: Running, takes: int, pace: float) -> None:
    people = People(folder, pace)
    await people.open()
    meter, tenth = ProcessMeter(running.pid), max(1, takes // 10)
    for number in range(1, takes + 1):
        await people.speak(SPEAKING_S)
        if number % tenth == 0:
            _tell(meter.mark(f"takes_{number}", tenth))
        if number % TAKES_PER_SCENARIO == 0:
            await people.scenario()
    await people.finished()
    await people.close()


async def _long(folder: Path, relay: Relay, running: Running, hours: float, cuts: int, pace: float) -> None:
    people = People(folder, pace)
    await people.open()
    meter = ProcessMeter(running.pid)

    async def cutting() -> None:
        for _ in range(cuts):
            await people.clock.sleep(hours * 3600 / (cuts + 1))
            relay.cut()

    struck: list[asyncio.Task[None]] = []
    await people.speak(hours * 3600, lambda: struck.append(asyncio.ensure_future(cutting())))
    _tell(meter.mark("spoken", 1))
    await asyncio.gather(*struck)
    await people.finished()
    _tell(meter.mark("confirmed", 1))
    await people.close()


def _tell(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)


@contextlib.contextmanager
def working(folder: Path) -> Iterator[tuple[Relay, Running]]:
    """A hub over `folder`, and the link to it."""
    with hub(folder, 1, PROFILE) as running:
        (folder / "port").write_text(str(running.port))
        relay = Relay(folder)
        relay.start()
        yield relay, running
        relay.close()


def read_back(folder: Path) -> Iterator[str]:
    """Chain, fold and every sample of every take, and how long each of them takes."""
    began = time.perf_counter()
    store, recordings = Store(f"sqlite:///{folder}/bench.sqlite"), Recordings(folder / "recordings")
    facts = store.read(SESSION)
    read = time.perf_counter()
    yield f"read {read - began:.2f} s"
    state = fold(facts)
    folded = time.perf_counter()
    yield f"fold {folded - read:.2f} s"
    yield f"chain_findings {len(store.verify(SESSION))} findings"
    yield f"verify {time.perf_counter() - folded:.2f} s"
    yield f"facts {len(facts)} facts"
    yield f"takes {len(state.takes)} takes"
    yield f"unconfirmed {sum(not take.confirmed for take in state.takes.values())} takes"
    yield f"confirmed_twice {_twice([fact.event.take for fact in facts if isinstance(fact.event, TakeConfirmed)])} takes"
    samples, found, silent, short = _compared(state, recordings)
    yield f"samples {samples} samples"
    yield f"holes_told_by_an_event {found - silent} holes"
    yield f"holes_without_an_event {silent} holes"
    yield f"samples_lacking {short} samples"
    recordings.close()
    store.close()
    for part in ("bench.sqlite", "recordings", "spool"):
        yield f"disk_{part.partition('.')[0]} {_size_mb(folder / part):.1f} MB"


def _twice(names: list[str]) -> int:
    return len(names) - len(set(names))


def _compared(state: SessionState, recordings: Recordings) -> tuple[int, int, int, int]:
    """Samples there are, holes in takes, holes of which no event tells, samples announced and not there."""
    samples = found = silent = short = 0
    for take in state.takes.values():
        path = recordings.root / SESSION / f"{take.take}.s.pcm"
        with path.open("rb") as file:
            missing = holes(iter(lambda: file.read(PIECE), b""))
        found, silent = found + len(missing), silent + len(untold(take, missing))
        count = path.stat().st_size // 2
        samples += count
        short += max(0, sum(sealed.samples for sealed in take.sealed) - count)
    return samples, found, silent, short


def _size_mb(path: Path) -> float:
    files = [path] if path.is_file() else [inner for inner in path.rglob("*") if inner.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takes", type=int, default=2_000)
    parser.add_argument("--hours", type=float, default=0.0)
    parser.add_argument("--cuts", type=int, default=3)
    parser.add_argument("--pace", type=float, default=20.0)
    parser.add_argument("--folder", type=Path, help="where to work; must be empty, and is left as it is")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="curtain-endurance-")))
        with working(folder) as (relay, running):
            if options.hours:
                asyncio.run(_long(folder, relay, running, options.hours, options.cuts, options.pace))
            else:
                asyncio.run(_many(folder, running, options.takes, options.pace))
        _tell(read_back(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
