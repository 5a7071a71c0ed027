"""How long people wait before anything happens: `curtain --help`, and the first paint of either desk.

Each run is a fresh process. A first paint counts from the start of the process to the moment at which the app has laid out and
drawn its first screen, without a terminal to write to. The design wants 0.15 s for the help and 1 s for a desk.

    python -m benchmarks.startup [--runs N]
"""

import argparse
import os
import statistics
import subprocess
import sys
import time

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
PAINT = """
async def first():
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
asyncio.run(first())
"""


def seconds(command: list[str], runs: int) -> float:
    """The median of so many runs, after one that fills the caches."""
    took = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
        took.append(time.perf_counter() - began)
    return statistics.median(took[1:])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    print(f"python_itself {seconds([sys.executable, '-c', 'pass'], runs):.3f} s")
    print(f"help {seconds([sys.executable, '-m', 'curtain', '--help'], runs):.3f} s")
    for desk, code in (("subject", SUBJECT), ("wizard", WIZARD)):
        print(f"first_paint_{desk} {seconds([sys.executable, '-c', code + PAINT], runs):.3f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
