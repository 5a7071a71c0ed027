"""Benchmark of the cost per utterance as a corpus grows: a small corpus beside large ones.

Run `python -m benchmarks.corpus_slope --utterances 14000 --utterances 200000`; the first size is the small one. `--keep DIR`
keeps the corpora, `--only COMMAND` (several times) measures some commands. While a command works on a large corpus it is halted
now and then, and the same command works on the small one: whatever else the machine is doing makes both dearer by as much, and
the ratio of the two is the commands' own. Processor time, user and system, of one process; memory is the most that it held.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from annotator.command import first_of
from annotator.transcription import Transcribing
from benchmarks.corpus_scale import PER_SESSION, Synthetic
from benchmarks.costs import Cost, waited_for
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.packages.formats import ExportFormat
from session.annotation.store import Work, work_path
from session.values.clock import SystemClock
from session.values.names import base36

SECONDS = 0.15  # of speech in an utterance: what grows with its length is measured by corpus_scale
SLICE_S = 10.0
LOOK_S = 0.05
COMMANDS = (
    "report",
    "stats",
    "verify --headers",
    "verify",
    "holdout",
    "merge",
    *(f"--as {form}" for form in ExportFormat),
    "transcribe",
    "withdraw",
    "export",
)
"""`transcribe` is what the desk does before it can be seen; `export` is of sessions that are made up in the same process."""


class SizedCorpus:
    """A corpus of a size, and room for what commands make of it."""

    def __init__(self, root: Path, utterances: int, scratch: Path) -> None:
        self.root, self.utterances, self._scratch = root, utterances, scratch
        self._leaving = count(1)

    def arguments(self, command: str) -> list[str]:
        """What `python -m` is to run: a command that writes does so to `made`."""
        root, made = str(self.root), self.made
        alone = ["--jobs", "1"]
        match command.split():
            case ["report"]:
                return ["curtain", "report", root, "--out", str(made / "page.html"), *alone]
            case ["stats"]:
                return ["curtain", "stats", root, "--json", *alone]
            case ["verify", *options]:
                return ["curtain", "verify", root, *options, *alone]
            case ["holdout"]:
                parts = ["--release", str(made / "release"), "--pool", str(made / "pool")]
                return ["curtain", "holdout", root, *parts, *alone]
            case ["merge"]:
                return ["curtain", "merge", root, str(made / "merged"), *alone]
            case ["--as", form]:
                return ["curtain", "export", root, str(made / form), "--whole", "--as", form, *alone]
            case ["withdraw"]:
                return ["curtain", "withdraw", root, base36(next(self._leaving), 3)]
            case _:
                step = ["benchmarks.corpus_slope", "--step", command, "--corpus", root, "--made", str(made / "corpus")]
                return [*step, "--utterances", str(self.utterances)]

    @property
    def made(self) -> Path:
        """Where commands write."""
        return self._scratch / f"made-{self.utterances}"

    def ready(self) -> None:
        """Nothing that an earlier command made is there."""
        for left in (self.made, self.root.with_name("holdout.json"), work_path(self.root)):
            if left.is_dir():
                shutil.rmtree(left)
            left.unlink(missing_ok=True)
        self.made.mkdir()


class Running:
    """A command at work, of which the processor time is counted."""

    def __init__(self, command: str, place: SizedCorpus) -> None:
        place.ready()
        self._command = place.arguments(command)
        self._said = place.made / "said"
        homes = {name: str(place.made) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME")}
        with self._said.open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", *self._command], stdout=subprocess.DEVNULL, stderr=said, env=os.environ | homes
            )

    def ended(self, within_s: float) -> Cost | None:
        """Return what it has cost if it ends within this time; raises CalledProcessError if it did not do what it should."""
        until = time.monotonic() + within_s
        while os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() >= until:
                return None
            time.sleep(LOOK_S)
        cost = waited_for(self._process)
        if self._process.returncode not in (0, 1):  # 1: there are findings, or copies that still hold somebody
            raise subprocess.CalledProcessError(
                self._process.returncode, self._command, stderr=self._said.read_text("utf-8")
            )
        return cost

    def halt(self) -> None:
        """It does nothing until `go`."""
        self._process.send_signal(signal.SIGSTOP)

    def go(self) -> None:
        """On it works."""
        self._process.send_signal(signal.SIGCONT)


def side_by_side(command: str, small: SizedCorpus, large: SizedCorpus) -> tuple[Cost, Cost]:
    """Return what a command costs on the small corpus and on the large one, by turns."""
    before = _whole(Running(command, small))
    running = Running(command, large)
    while (found := running.ended(SLICE_S)) is None:
        running.halt()
        before += _whole(Running(command, small))
        running.go()
    return before + _whole(Running(command, small)), found


def _whole(running: Running) -> Cost:
    while (found := running.ended(SLICE_S)) is None:
        pass
    return found


def step(name: str, root: Path, made: Path, utterances: int) -> None:
    """Return what is not a command of its own."""
    if name == "export":
        export(Synthetic(-(-utterances // PER_SESSION), SECONDS), made)
        return
    work = Work(work_path(root))
    try:
        desk = Transcribing(Corpus(root), work, "measuring", SystemClock("measuring"))
        desk.open(first_of(desk))
    finally:
        work.close()


def _corpora(folder: Path, sizes: list[int]) -> Iterator[SizedCorpus]:
    for size in sizes:
        home = folder / f"of-{size}"  # each with notes and assignments of its own beside it
        home.mkdir(exist_ok=True)
        if not (home / "corpus").is_dir():
            made = [
                "--step",
                "multiply",
                "--keep",
                str(home / "corpus"),
                "--utterances",
                str(size),
                "--seconds",
                str(SECONDS),
            ]
            subprocess.run([sys.executable, "-m", "benchmarks.corpus_scale", *made], check=True, stdout=sys.stderr)
        yield SizedCorpus(home / "corpus", size, home)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--utterances", type=int, action="append")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", action="append", choices=COMMANDS)
    for inner in ("--step", "--corpus", "--made"):
        parser.add_argument(inner, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    sizes = chosen.utterances or [1_400, 14_000]
    if chosen.step:
        step(chosen.step, Path(chosen.corpus), Path(chosen.made), sizes[0])
        return
    with tempfile.TemporaryDirectory() as folder:
        small, *others = _corpora(chosen.keep or Path(folder), sizes)
        for large in others:
            print(f"{small.utterances:,} utterances beside {large.utterances:,}: milliseconds of each, and megabytes")
            for command in chosen.only or COMMANDS:
                one, other = side_by_side(command, small, large)
                few, many = one.each_ms(small.utterances), other.each_ms(large.utterances)
                print(
                    f"{command:>17}  {few:6.3f} ms {one.megabytes:5.0f} MB   {many:6.3f} ms {other.megabytes:5.0f} MB   "
                    f"ratio {many / few:5.2f} (linear: 1)   {one.runs} runs and 1",
                    flush=True,
                )


if __name__ == "__main__":
    main()
