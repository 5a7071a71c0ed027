"""Benchmark of start-up: `curtain --help`, and the first paint of every desk.

Each run is a fresh process. A first paint counts from the start of the process to the moment at which the app has laid out and
drawn its first screen, without a terminal to write to; `over_study` is `curtain wizard STUDY`, which opens its hub after that.
`curtain transcribe` is run over a corpus of many utterances, of which none is transcribed, then the half; what comes between is
the time that it takes to put so many transcriptions into a corpus. The design wants 0.15 s for the help and 1 s for a desk.
Processor time is given beside it: on a busy machine it is what can be compared.

    python -m benchmarks.startup [--runs N] [--utterances N]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.corpus_scale import PER_SESSION, multiply
from corpus.dataset.reader import Corpus
from session.annotation.events import Pass, TranscriptionBegun, TranscriptionRevised, TranscriptionSubmitted
from session.annotation.store import Work, stream_of, work_path
from session.study.create import new
from session.values.clock import SECOND, SystemClock, stamp

SUBJECT = """
import asyncio, pathlib, tempfile
from session.values.clock import SystemClock
from session.transport.websocket import Address
from subject.app import SubjectApp
from subject.desk import SubjectDesk
address = Address("127.0.0.1", 9, "lab-20260101-1", "token", tls=False)
desk = SubjectDesk(address, SystemClock("s"), pathlib.Path(tempfile.mkdtemp()), [], lambda: None)
app = SubjectApp(desk.terminal, SystemClock("s"), open_microphone=lambda: None)
"""
WIZARD = """
import asyncio
from session.values.clock import SystemClock
from session.transport.websocket import Address
from wizard.app import WizardApp
from wizard.desk import WizardDesk
from wizard.audio.playback_state import PlaybackState
address = Address("127.0.0.1", 9, "lab-20260101-1", "token", tls=False)
desk = WizardDesk(address, SystemClock("w"), lambda: None)
app = WizardApp(desk.console, SystemClock("w"), PlaybackState(None, lambda: desk.link_state))
"""
OVER_STUDY = """
import os, pathlib, sys
from wizard.app import WizardApp
from wizard.command import WizardOptions, wizard_command
from wizard.launch import ConsoleRun
run, console = WizardApp.run_async, ConsoleRun.console
WizardApp.run_async = lambda app: run(app, headless=True, size=(120, 40))
ConsoleRun.console = lambda own, opening, *rest, **more: console(own, lambda desk: os._exit(0), *rest, **more)
wizard_command(sys.argv[1], WizardOptions(), sys.stderr)
"""
TRANSCRIBING = """
import asyncio, os, sys
from annotator import command
from annotator.app import TranscriptionApp
from annotator.screens.transcription_screen import TranscribingScreen
TranscriptionApp.run = lambda app: asyncio.run(app.run_async(headless=True, size=(120, 40)))
TranscribingScreen._list = lambda screen: os._exit(0)
command.on_a_terminal = lambda: None
sys.exit(command.transcribe_command(command.TranscribeOptions(sys.argv[1], "anna"), sys.stdout, sys.stderr))
"""
PAINT = """
async def first():
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
asyncio.run(first())
"""


def seconds(command: list[str], runs: int) -> str:
    """The medians of so many runs, after one that fills the caches, which alone counts where there are none: by the clock, and of
    the processor."""
    took, used = [], []
    for _ in range(runs + 1):
        began, before = time.perf_counter(), _processor_s()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
        took.append(time.perf_counter() - began)
        used.append(_processor_s() - before)
    first = min(1, runs)
    return f"{statistics.median(took[first:]):.3f} s, of the processor {statistics.median(used[first:]):.3f} s"


def transcribing(root: Path, utterances: int, runs: int) -> None:
    """Print what opening the transcription desk over so many utterances takes."""
    multiply(root, -(-utterances // PER_SESSION), 0.25)
    opening = [sys.executable, "-c", TRANSCRIBING, str(root)]
    print(f"first_paint_transcription_of_{utterances} {seconds(opening, runs)}", flush=True)
    work, corpus = Work(work_path(root)), Corpus(root)
    takes = [take for log in corpus.logs for take in corpus.takes(log)]
    for stem, take in takes[: len(takes) // 2]:
        begun = TranscriptionBegun(utterance=str(stem), take=take, text="", rate=16_000)
        revised = TranscriptionRevised(text="show me flights [uh] please", during=Pass.WORDS, worked=SECOND)
        facts = [begun, revised, TranscriptionSubmitted(worked=SECOND)]
        work.append(stream_of(str(stem), take), 0, facts, stamp(SystemClock("benchmark")), "anna")  # type: ignore[arg-type]
    work.close()
    print(f"catching_up_{len(takes) // 2} {seconds(opening, 0)}")
    print(f"first_paint_transcription_half_done {seconds(opening, runs)}", flush=True)


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--utterances", type=int, default=14_000, help="of the corpus that is transcribed")
    chosen = parser.parse_args()
    runs = chosen.runs
    print(f"python_itself {seconds([sys.executable, '-c', 'pass'], runs)}")
    print(f"help {seconds([sys.executable, '-m', 'curtain', '--help'], runs)}")
    for desk, code in (("subject", SUBJECT), ("wizard", WIZARD)):
        print(f"first_paint_{desk} {seconds([sys.executable, '-c', code + PAINT], runs)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        study = new(Path(folder) / "study").folder
        print(f"first_paint_wizard_over_study {seconds([sys.executable, '-c', OVER_STUDY, str(study)], runs)}")
        transcribing(Path(folder) / "corpus", chosen.utterances, runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
