"""Benchmark of the English front end: processor time of one request, over the requests of a domain that ships.

Each request of its `requests.txt` is asked alone, after all have been asked once, by an engine that has kept nothing of them.
The figures mean something beside the processor, the load and the version of Python, which are printed first.

    python -m benchmarks.understanding.speed [--domain air_travel] [--rounds N]
"""

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

import scenarios
from benchmarks.figures import figure, percentile
from domain.database.build import open_database
from domain.english.engine import Engine
from session.gc_pauses import settle

_CPU = Path("/proc/cpuinfo")


def machine() -> str:
    """The processor, how many of them, how busy they are, and the version of Python."""
    lines = _CPU.read_text("utf-8").splitlines() if _CPU.is_file() else []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return f"{name or platform.machine()}, {os.cpu_count()} processors, load {load:.1f}, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="air_travel")
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    folder = Path(scenarios.__file__).parent / given.domain
    requests = [line for line in (folder / "requests.txt").read_text("utf-8").splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as scratch:
        engine = Engine(folder, open_database(folder, Path(scratch)).url)
        answered = sum(bool(engine.ask(request).readings) for request in requests)
        settle()  # as a console does before its first turn
        took = list[float]()
        for _ in range(given.rounds):
            engine = engine.with_model(engine.model)  # which has read none of them yet
            for request in requests:
                before = time.process_time()
                engine.ask(request)
                took.append(1000 * (time.process_time() - before))
    sys.stdout.write(f"{machine()}\n{len(requests)} requests, {answered} understood, {given.rounds} rounds\n")
    sys.stdout.write(figure("median", statistics.median(took), "ms") + "\n")
    sys.stdout.write(figure("99th percentile", percentile(took, 0.99), "ms") + "\n")


if __name__ == "__main__":
    main()
