"""How long people wait before anything happens: `curtain --help`, and the first paint of either desk.

Each run is a fresh process. A first paint counts from the start of the process to the moment at which the app has laid out and
drawn its first screen, without a terminal to write to; `over_study` is `curtain wizard STUDY`, which opens its hub after that.
The design wants 0.15 s for the help and 1 s for a desk. Processor time is given beside it: on a busy machine it is what can be
compared.

    python -m benchmarks.startup [--runs N]
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

from session.making import new

SUBJECT = """
import asyncio, pathlib, tempfile
from session.clock import SystemClock
from session.network import Address
from subject.app import SubjectApp
from subject.attached import SubjectDesk
address = Address("127.0.0.1", 9, "lab-20260101-1", "token", tls=False)
desk = SubjectDesk(address, SystemClock("s"), pathlib.Path(tempfile.mkdtemp()), [], lambda: None)
app = SubjectApp(desk.terminal, SystemClock("s"), open_microphone=lambda: None)
"""
WIZARD = """
import asyncio
from session.clock import SystemClock
from session.network import Address
from wizard.app import WizardApp
from wizard.attached import WizardDesk
from wizard.listening import Listening
address = Address("127.0.0.1", 9, "lab-20260101-1", "token", tls=False)
desk = WizardDesk(address, SystemClock("w"), lambda: None)
app = WizardApp(desk.console, SystemClock("w"), Listening(None, lambda: desk.link_state))
"""
OVER_STUDY = """
import os, pathlib, sys
from wizard.app import WizardApp
from wizard.running import wizard_command
from wizard.sitting import Sitting
run, console = WizardApp.run_async, Sitting.console
WizardApp.run_async = lambda app: run(app, headless=True, size=(120, 40))
Sitting.console = lambda sitting, opening, *rest, **more: console(sitting, lambda desk: os._exit(0), *rest, **more)
wizard_command(
    sys.argv[1], role="wizard", listen="127.0.0.1:0", insecure=False, wizard="", speaker="", loudspeaker=None, theme="dark",
    err=sys.stderr,
)
"""
PAINT = """
async def first():
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
asyncio.run(first())
"""


def seconds(command: list[str], runs: int) -> str:
    """The medians of so many runs, after one that fills the caches: by the clock, and of the processor."""
    took, used = [], []
    for _ in range(runs + 1):
        began, before = time.perf_counter(), _processor_s()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
        took.append(time.perf_counter() - began)
        used.append(_processor_s() - before)
    return f"{statistics.median(took[1:]):.3f} s, of the processor {statistics.median(used[1:]):.3f} s"


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    print(f"python_itself {seconds([sys.executable, '-c', 'pass'], runs)}")
    print(f"help {seconds([sys.executable, '-m', 'curtain', '--help'], runs)}")
    for desk, code in (("subject", SUBJECT), ("wizard", WIZARD)):
        print(f"first_paint_{desk} {seconds([sys.executable, '-c', code + PAINT], runs)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        study = new(Path(folder) / "study").folder
        print(f"first_paint_wizard_over_study {seconds([sys.executable, '-c', OVER_STUDY, str(study)], runs)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
