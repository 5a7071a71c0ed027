"""Torture: real processes, killed, frozen, cut off and starved at random for minutes, then a look for what was lost.

A seeded scheduler strikes hub, desks, link, disks and clocks; a ledger kept outside says what each process knew to be safe. At
the end every sample and every fact in the ledger must be in the store and the recordings, once, in an unbroken chain.
`python -m rehearsal.torture [--minutes 2] [--seed 1]`; the same seed strikes in the same order, though not at the same instant.
"""

import argparse
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

from rehearsal.torture_faults import Weather
from rehearsal.torture_link import Relay
from rehearsal.torture_parts import PERIOD, SESSION, live, places
from session.events import Recorded, TakeConfirmed
from session.recordings import Recordings
from session.state import SessionState, Take, fold
from session.store import Store
from session.vocabulary import Trouble

PARTS = ("hub", "subject", "wizard")
ENDING_S = 90.0


class Outcome(msgspec.Struct, frozen=True):
    """What a run showed; every list of losses is to be empty."""

    strikes: dict[str, int]
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
            f"takes {self.takes} takes",
            f"takes_recovered {self.recovered} takes",
            f"samples {self.samples} samples",
            f"gaps_reported {self.gaps} gaps",
            f"facts {self.facts} facts",
            f"losses {len(self.losses)} losses",
            *(f"LOSS {loss}" for loss in self.losses),
        ]


class Run:
    """One torture of `seconds` in `folder`, which must be empty."""

    def __init__(self, folder: Path, seconds: float, seed: int, err: TextIO) -> None:
        self._folder, self._seconds, self._err = folder, seconds, err
        self._draw = random.Random(seed)
        self._weather = Weather(folder / "weather")
        self._relay = Relay(folder)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["rehearsal.torture_parts"])
        self._lives: dict[str, multiprocessing.process.BaseProcess] = {}
        self._born = 0
        self._strikes: Counter[str] = Counter()

    def perform(self) -> Outcome:
        """Strike until the time is over, let the session end, look for losses."""
        self._relay.start()
        for part in PARTS:
            self._bear(part)
        try:
            until = time.monotonic() + self._seconds
            while time.monotonic() < until:
                self._pause(0.05, 0.8)
                self._strike()
            self._let_end()
        finally:
            for life in self._lives.values():
                life.kill()
                life.join()
            self._relay.close()
        return examined(self._folder, dict(self._strikes))

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
            "hold": self._hold,
            "delay": lambda: self._relay.delay(self._draw.choice((0.0, 0.02, 0.1))),
            "hub_disk_full": self._fill_hub,
            "subject_disk_full": self._fill_subject,
            "clock_step": lambda: self._weather.change(step=self._draw.choice((-3600.0, -1.0, 0.5, 86_400.0))),
        }
        name = self._draw.choice(sorted(strikes))
        self._strikes[name] += 1
        self._err.write(f"{name} ")
        self._err.flush()
        strikes[name]()
        self._revive()

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

    def _hold(self) -> None:
        self._relay.hold(True)
        self._pause(0.05, 1.0)
        self._relay.hold(False)

    def _fill_hub(self) -> None:
        self._weather.change(hub_full=True)
        self._pause(0.05, 1.0)
        self._weather.change(hub_full=False)

    def _fill_subject(self) -> None:
        self._weather.change(subject_full=True)
        self._pause(0.05, 1.0)
        self._weather.change(subject_full=False)

    def _revive(self) -> None:
        """A part that ended by itself before the end is a loss too, but the run goes on."""
        for part, life in self._lives.items():
            if not life.is_alive():
                self._strikes[f"{part}_fell_by_itself"] += 1
                self._bear(part)

    def _let_end(self) -> None:
        self._relay.delay(0.0)
        self._weather.change(over=True)
        for part in ("wizard", "subject"):
            self._lives[part].join(ENDING_S)


def examined(folder: Path, strikes: dict[str, int]) -> Outcome:
    """What the store and the recordings hold, against the ledgers."""
    store, recordings = Store(f"sqlite:///{folder}/collection.sqlite"), Recordings(folder / "recordings")
    try:
        facts = store.read(SESSION)
        state = fold(facts)
        losses = [f"chain: {finding}" for finding in store.verify(SESSION)]
        losses += [f"{part} fell by itself" for part in PARTS if strikes.get(f"{part}_fell_by_itself")]
        losses += _facts_lost(facts, _ledger(folder / "subject.ledger"), _ledger(folder / "wizard.ledger"))
        losses += [] if state.ended else ["the session did not resume to its end"]
        heard = {take: recordings.read(SESSION, take, "s") for take in state.takes}
        losses += _sound_lost(state, facts, recordings, heard, _written(folder / "subject.ledger"))
    finally:
        recordings.close()
        store.close()
    takes = state.takes.values()
    return Outcome(
        strikes=strikes,
        takes=len(state.takes),
        samples=sum(len(pcm) // 2 for pcm in heard.values()),
        facts=len(facts),
        gaps=sum(trouble.trouble in _GAPS for take in takes for trouble in take.troubles),
        recovered=sum(take.recovered for take in takes),
        losses=tuple(losses),
    )


_GAPS = (Trouble.GAP, Trouble.OVERFLOW, Trouble.DISK)


def _ledger(path: Path) -> list[list[str]]:
    """The lines that were written whole."""
    text = path.read_text() if path.exists() else ""
    return [line.split() for line in text[: text.rfind("\n") + 1].splitlines()]


def _written(path: Path) -> dict[str, int]:
    """Samples of each take that its disk was said to hold."""
    return {line[1]: int(line[3]) for line in _ledger(path) if line[0] == "written"}


def _facts_lost(facts: list[Recorded], *ledgers: list[list[str]]) -> list[str]:
    """Reports and commands that were safe and are not in the store; identifiers that brought about facts twice."""
    runs: list[str] = []
    for fact in facts:
        if fact.cause and (not runs or runs[-1] != fact.cause):
            runs.append(fact.cause)
    known = set(runs)
    silent = {line[1] for ledger in ledgers for line in ledger if line[0] in ("kept", "acknowledged")} - known
    found = [f"command {cause} brought about facts twice" for cause, count in Counter(runs).items() if count > 1]
    return found + [f"{name} was safe and is not recorded" for name in sorted(silent)]


def _sound_lost(
    state: SessionState, facts: list[Recorded], recordings: Recordings, heard: dict[str, bytes], written: dict[str, int]
) -> list[str]:
    found = []
    for take in state.takes.values():
        if take.pressed and not (take.complete and take.confirmed):
            found.append(f"take {take.take} was begun and never confirmed")
        found += _holes(take, heard[take.take])
    for name, count in written.items():
        if len(heard.get(name, b"")) < 2 * count:
            found.append(f"take {name}: {count} samples were on the disk, the hub has {len(heard.get(name, b'')) // 2}")
    for fact in facts:
        if isinstance(fact.event, TakeConfirmed):
            for sealed in fact.event.sealed:
                if sealed.samples and not recordings.seal(
                    SESSION, fact.event.take, sealed.letter, sealed.samples, sealed.sha256
                ):
                    found.append(f"take {fact.event.take}: what was confirmed is not there")
    return found


def _holes(take: Take, pcm: bytes) -> list[str]:
    """Places at which samples are missing although no event says so."""
    steps = places(pcm)
    jumps = [place + 1 for place in range(len(steps) - 1) if (steps[place + 1] - steps[place]) % PERIOD != 1]
    told = sum(trouble.trouble in _GAPS for trouble in take.troubles)
    return [] if len(jumps) <= told else [f"take {take.take}: holes at {jumps[:5]}, {told} events tell of one"]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m rehearsal.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="curtain-torture-") as folder:
        outcome = Run(Path(folder), options.minutes * 60, options.seed, sys.stderr).perform()
    sys.stderr.write("\n")
    print("\n".join(outcome.lines()))
    return 1 if outcome.losses else 0


if __name__ == "__main__":
    sys.exit(main())
