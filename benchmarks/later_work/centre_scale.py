"""A centre at scale: a delivery packed, received and released, beside verifying it; 14,000 utterances by default.

Run `python -m benchmarks.later_work.centre_scale`; `--utterances N` and `--seconds S` for others. Each step is the command as a
user gives it, in a process of its own; processor time is that of all its processes, memory that of the largest.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.corpus_scale import PER_SESSION, multiply
from benchmarks.costs import Cost, waited_for


def cost_of(*call: str) -> Cost:
    """Return the cost of a call of `curtain`."""
    command = [sys.executable, "-m", "curtain", *call]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        said = process.stderr.read() if process.stderr else b""
        found = waited_for(process)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{call[0]}: {said.decode()}")
    return found


def main() -> None:
    """Print the cost of each step, and its ratio to that of verification."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--utterances", type=int, default=14_000)
    options.add_argument("--seconds", type=float, default=1.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="curtain-centre-") as folder:
        place = Path(folder)
        multiply(place / "corpus", -(-given.utterances // PER_SESSION), given.seconds)
        corpus, centre, archive = (str(place / name) for name in ("corpus", "centre", "delivery.tar"))
        cost_of("centre", centre)
        verified = cost_of("verify", corpus)
        print(f"verify   {verified.processor:7.1f} s {verified.megabytes:6.0f} MB")
        for name, call in (
            ("deliver", ("deliver", corpus, archive)),
            ("receive", ("receive", centre, archive)),
            ("release", ("release", centre)),
        ):
            found = cost_of(*call)
            ratio = found.processor / verified.processor
            print(f"{name:8} {found.processor:7.1f} s {found.megabytes:6.0f} MB   {ratio:.2f} of verify", flush=True)


if __name__ == "__main__":
    main()
