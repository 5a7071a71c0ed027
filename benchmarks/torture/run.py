"""Torture: real processes, killed, frozen, cut off and starved at random for minutes, then a look for what was lost.

A seeded scheduler strikes hub, desks, link, disks and clocks; a ledger kept outside says what each process knew to be safe. At
the end every sample and every fact in the ledger must be in the store and the recordings, once, in an unbroken chain.
`python -m benchmarks.torture.run [--minutes 2] [--seed 1 …] [--keep DIR]`; the same seed strikes in the same order, though not
at the same instant.
"""

import argparse
import contextlib
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import msgspec

from benchmarks.torture.faults import Weather, WeatherByte
from benchmarks.torture.ledger import losses
from benchmarks.torture.processes import HUB_DISK, REFUSED, SESSION, SUBJECT_DISK, SUBJECT_LEDGER, live
from benchmarks.torture.relay import Relay
from benchmarks.torture.small_disk import Disk
from session.collection.recordings import Recordings
from session.state.fold import fold
from session.store.event_store import Store
from session.values.vocabulary import AudioTrouble

PARTS = ("hub", "subject", "wizard")
ENDING_S = 90.0
ALWAYS, HEAVY, FLIPPED = 0.03, 0.25, 0.05
DISK_MB, DISK_MB_PER_S = 32, 0.1


class RunOutcome(msgspec.Struct, frozen=True):
    """Outcome of a run; every list of losses should be empty."""

    strikes: dict[str, int]
    real_disks: bool
    takes: int
    samples: int
    facts: int
    gaps: int
    recovered: int
    losses: tuple[str, ...]

    def lines(self) -> list[str]:
        """One figure a line: name, value, unit."""
        return [
            *(f"strike_{name} {count} times" for name, count in sorted(self.strikes.items())),
            f"disks_really_filled {int(self.real_disks)}",
            f"takes {self.takes} takes",
            f"takes_recovered {self.recovered} takes",
            f"samples {self.samples} samples",
            f"gaps_reported {self.gaps} gaps",
            f"facts {self.facts} facts",
            f"losses {len(self.losses)} losses",
            *(f"LOSS {loss}" for loss in self.losses),
        ]


class TortureRun:
    """One torture of `seconds` in `folder`, which must be empty; `mounting` lets it have disks that can really be filled."""

    def __init__(self, folder: Path, seconds: float, seed: int, err: TextIO, *, mounting: bool = True) -> None:
        self._folder, self._seconds, self._err = folder, seconds, err
        self._draw = random.Random(seed)
        self._weather = Weather(folder / "weather")
        room = DISK_MB + round(DISK_MB_PER_S * seconds)
        self._disks = {part: Disk(folder / part, room, mounting=mounting) for part in (HUB_DISK, SUBJECT_DISK)}
        self._relay = Relay(folder, seed)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["benchmarks.torture.processes"])
        self._lives: dict[str, multiprocessing.process.BaseProcess] = {}
        self._born = 0
        self._strikes: Counter[str] = Counter()

    def perform(self) -> RunOutcome:
        """Strike until the time is over, let the session end, look for losses."""
        self._relay.start()
        self._relay.disorder(ALWAYS, 0.0)
        for part in PARTS:
            self._bear(part)
        try:
            until = time.monotonic() + self._seconds
            while time.monotonic() < until:
                self._pause(0.05, 0.8)
                self._strike()
            self._let_speak()
            self._let_end()
        finally:
            for life in self._lives.values():
                life.kill()
                life.join()
            self._relay.close()
            real = all(disk.real for disk in self._disks.values())
            for disk in self._disks.values():
                disk.close()
        return examined(self._folder, dict(self._strikes), real_disks=real)

    def _bear(self, part: str) -> None:
        self._born += 1
        life = self._context.Process(target=live, args=(part, self._folder, self._born))
        life.start()
        self._lives[part] = life

    def _pause(self, least: float, most: float) -> None:
        time.sleep(self._draw.uniform(least, most))

    def _strike(self) -> None:
        strikes: dict[str, Callable[[], None]] = {
            "kill_hub": lambda: self._kill("hub"),
            "kill_subject": lambda: self._kill("subject"),
            "kill_wizard": lambda: self._kill("wizard"),
            "kill_all": lambda: self._kill(*PARTS),
            "freeze": self._freeze,
            "cut": self._relay.cut,
            "hold": lambda: self._for_a_while(self._relay.hold),
            "delay": lambda: self._relay.delay(self._draw.choice((0.0, 0.02, 0.1))),
            "disorder": lambda: self._for_a_while(self._disorder),
            "flip": lambda: self._for_a_while(lambda on: self._relay.flip(FLIPPED if on else 0.0)),
            "half_open": self._relay.half_open,
            "hub_disk_full": lambda: self._for_a_while(lambda on: self._fill(HUB_DISK, WeatherByte.HUB_FULL, on)),
            "subject_disk_full": lambda: self._for_a_while(
                lambda on: self._fill(SUBJECT_DISK, WeatherByte.SUBJECT_FULL, on)
            ),
            "hub_read_only": lambda: self._read_only("hub", HUB_DISK),
            "subject_read_only": lambda: self._read_only("subject", SUBJECT_DISK),
            "callbacks_stall": lambda: self._for_a_while(lambda on: self._weather.set(WeatherByte.STALLED, on)),
            "callbacks_overflow": lambda: self._for_a_while(lambda on: self._weather.set(WeatherByte.DEAF, on), 0.2),
            "clock_step": lambda: self._weather.step(self._draw.choice((-3600.0, -1.0, 0.5, 86_400.0))),
        }
        name = self._draw.choice(sorted(strikes))
        self._strikes[name] += 1
        self._err.write(f"{name} ")
        self._err.flush()
        strikes[name]()
        self._revive()

    def _for_a_while(self, trouble: Callable[[bool], object], most: float = 1.0) -> None:
        trouble(True)
        self._pause(0.02, most)
        trouble(False)

    def _kill(self, *parts: str) -> None:
        for part in parts:
            self._lives[part].kill()
        for part in parts:
            self._lives[part].join()
        self._pause(0.0, 0.3)
        for part in parts:
            self._bear(part)

    def _freeze(self) -> None:
        process = self._lives[self._draw.choice(PARTS)]
        if process.pid is not None and process.is_alive():
            os.kill(process.pid, signal.SIGSTOP)
            self._pause(0.05, 1.0)
            os.kill(process.pid, signal.SIGCONT)

    def _disorder(self, on: bool) -> None:
        self._relay.disorder(HEAVY if on else ALWAYS, HEAVY if on else 0.0)

    def _fill(self, name: str, sky: WeatherByte, on: bool) -> None:
        disk = self._disks[name]
        if not disk.real:
            self._weather.set(sky, on)
        elif on:
            disk.fill()
        else:
            disk.free()

    def _read_only(self, part: str, name: str) -> None:
        """A part that is started over a folder that it may not write must refuse, or go on without loss."""
        self._lives[part].kill()
        self._lives[part].join()
        disk = self._disks[name]
        if disk.read_only(True):
            self._bear(part)
            self._lives[part].join(self._draw.uniform(0.5, 2.0))
            self._lives[part].kill()
            self._lives[part].join()
            disk.read_only(False)
        self._bear(part)

    def _revive(self) -> None:
        """A part that ended by itself without a word for it is a loss too, but the run goes on."""
        for part, life in self._lives.items():
            if not life.is_alive():
                life.join()
                self._strikes[f"{part}_{'refused' if life.exitcode == REFUSED else 'fell_by_itself'}"] += 1
                self._bear(part)

    def _let_speak(self) -> None:
        """On a machine so slow that nobody has spoken yet, wait: a run without a word shows nothing."""
        ledger, until = self._folder / SUBJECT_LEDGER, time.monotonic() + ENDING_S
        while time.monotonic() < until and b"written" not in (ledger.read_bytes() if ledger.exists() else b""):
            time.sleep(0.1)

    def _let_end(self) -> None:
        self._relay.delay(0.0)
        self._relay.disorder(0.0, 0.0)
        self._relay.flip(0.0)
        self._weather.set(WeatherByte.OVER, True)
        until = time.monotonic() + ENDING_S
        while time.monotonic() < until and any(self._lives[part].is_alive() for part in ("wizard", "subject")):
            self._lives["wizard"].join(0.1)
            self._lives["subject"].join(0.1)
            for part, life in self._lives.items():
                if life.exitcode == REFUSED:
                    self._bear(part)


def examined(folder: Path, strikes: dict[str, int], *, real_disks: bool = False) -> RunOutcome:
    """Return what the store and the recordings hold, against the ledgers."""
    store = Store(f"sqlite:///{folder}/{HUB_DISK}/collection.sqlite")
    recordings = Recordings(folder / HUB_DISK / "recordings")
    try:
        facts = store.read(SESSION)
        state = fold(facts)
        found = [f"chain: {finding}" for finding in store.verify(SESSION)]
        found += [f"{part} fell by itself" for part in PARTS if strikes.get(f"{part}_fell_by_itself")]
        found += [] if state.ended else ["the session did not resume to its end"]
        found += losses(folder, state, facts, recordings)
        samples = sum(len(recordings.read(SESSION, take, "s")) // 2 for take in state.takes)
    finally:
        recordings.close()
        store.close()
    takes = state.takes.values()
    return RunOutcome(
        strikes=strikes,
        real_disks=real_disks,
        takes=len(state.takes),
        samples=samples,
        facts=len(facts),
        gaps=sum(trouble.trouble is AudioTrouble.GAP for take in takes for trouble in take.troubles),
        recovered=sum(take.recovered for take in takes),
        losses=tuple(found),
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.torture.run", description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0, help="of each seed; 120 for two hours")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="one run for each")
    parser.add_argument("--keep", type=Path, help="a folder in which what each run leaves is kept")
    options = parser.parse_args(arguments)
    lost = 0
    for seed in options.seed:
        with contextlib.ExitStack() as stack:
            if options.keep is None:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="curtain-torture-")))
            else:
                folder = options.keep / f"seed-{seed}"
                folder.mkdir(parents=True)
            outcome = TortureRun(folder, options.minutes * 60, seed, sys.stderr).perform()
        sys.stderr.write("\n")
        print("\n".join([f"seed {seed}", f"minutes {options.minutes:g} min", *outcome.lines()]), flush=True)
        lost += len(outcome.losses)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
