"""A centre at scale: a delivery packed, received and released, beside verifying it; 14,000 utterances by default.

Run `python -m benchmarks.later_work.centre_scale`; `--utterances N` and `--seconds S` for others. Each step is the command as a
user gives it, in a process of its own; processor time is that of all its processes, memory that of the largest.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.costs import Cost, waited_for
from tests.corpus.centre.world import STATED

ALONE = "verify in one process"


def cost_of(*call: str) -> Cost:
    """Return the cost of a call of `curtain`."""
    command, began = [sys.executable, "-m", "curtain", *call], time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        said = process.stderr.read() if process.stderr else b""
        found = waited_for(process)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{call[0]}: {said.decode()}")
    return msgspec.structs.replace(found, wall=time.perf_counter() - began)


def costs(place: Path, turn: int) -> Iterator[tuple[str, Cost]]:
    """Found a centre, deliver the corpus, receive and release it; what each step costs, and before them verification twice.

    Nothing of the turn before is deleted: ext4 looks at every inode that was given back a moment ago before it makes a file.
    """
    corpus, centre, archive = (str(place / name) for name in ("corpus", f"centre{turn}", f"delivery{turn}.tar"))
    cost_of("centre", centre)
    with Path(centre, "centre.toml").open("a", encoding="utf-8") as settings:
        settings.write(STATED)
    yield "verify", cost_of("verify", corpus)
    yield ALONE, cost_of("verify", corpus, "--jobs", "1")
    yield "deliver", cost_of("deliver", corpus, archive)
    yield "receive", cost_of("receive", centre, archive)
    yield "release", cost_of("release", centre)


def main() -> None:
    """Print the cost of each step, and its ratio to that of verification."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--utterances", type=int, default=14_000)
    options.add_argument("--seconds", type=float, default=1.0)
    options.add_argument("--folder", help="where; that of temporary files otherwise")
    options.add_argument(
        "--rounds", type=int, default=1, help="of which the least is taken, as another load is no cost"
    )
    given = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="curtain-centre-", dir=given.folder) as folder:
        place = Path(folder)
        made = ["--step", "multiply", "--keep", str(place / "corpus"), "--utterances", str(given.utterances)]
        made += ["--seconds", str(given.seconds)]  # elsewhere, for what this process holds counts as its children's
        subprocess.run([sys.executable, "-m", "benchmarks.corpus_scale", *made], check=True, stdout=sys.stderr)
        least: dict[str, Cost] = {}
        for turn in range(given.rounds):
            for name, found in costs(place, turn):
                least[name] = min(least.get(name, found), found, key=lambda cost: cost.processor)
        verified, wall = least["verify"].processor, least["verify"].wall
        for name, found in least.items():
            ratio = found.processor / verified
            print(
                f"{name:21} {found.processor:7.1f} s {found.megabytes:6.0f} MB   {ratio:.2f} of verify; by the clock "
                f"{found.wall:7.1f} s, {found.wall / wall:.2f}"
            )
        both, one = least["receive"] + least["release"], least[ALONE]
        print(f"received, verified and released, processor time: {both.processor / verified:.2f} of verify")
        print(f"received, verified and released, by the clock: {both.wall / wall:.2f} of verify")
        print(f"received, verified and released, by the clock: {both.wall / one.wall:.2f} of {ALONE}")


if __name__ == "__main__":
    main()
