"""`curtain wer` beside sclite, in one run, on 100,000 drawn utterances with 1.1 million words.

Both read TRN, align every word and report by speaker. The budgets are those of the design: 5 s and 300 MB. Without Debian's sctk
only ours is measured.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

BUDGET_S, BUDGET_MB = 5.0, 300
SPEAKERS = 280


def draw(folder: Path, utterances: int) -> int:
    """Write `ref.trn` and `hyp.trn`, with an error in about 12 of 100 words; return how many words were said."""
    rng = random.Random(1992)
    vocabulary = [f"w{number}" for number in range(1_200)]
    often = list(accumulate(1 / (place + 1) for place in range(len(vocabulary))))
    words = 0
    with (folder / "ref.trn").open("w") as ref, (folder / "hyp.trn").open("w") as hyp:
        for number in range(utterances):
            said = rng.choices(vocabulary, cum_weights=often, k=rng.randrange(5, 18))
            heard = [rng.choice(vocabulary) if rng.random() < 0.08 else word for word in said if rng.random() > 0.04]
            key = f"(s{number % SPEAKERS:03d}-{number:06d})"
            ref.write(f"{' '.join(said)} {key}\n")
            hyp.write(f"{' '.join(heard)} {key}\n")
            words += len(said)
    return words


def measured(command: list[str], folder: Path) -> tuple[float, float]:
    """Run a program; return its seconds and its megabytes at most."""
    began = time.perf_counter()
    with (folder / "output").open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit((folder / "output").read_text(errors="replace")[-2_000:])
    return time.perf_counter() - began, used.ru_maxrss / 1_024


def main() -> int:
    """Print both rows; 1 when ours is over its budget."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--utterances", type=int, default=100_000)
    options.add_argument("--without-sclite", action="store_true", help="it takes half a minute and 3 GB")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        words = draw(folder, given.utterances)
        print(f"{given.utterances} utterances, {words} words")
        seconds, megabytes = measured([sys.executable, "-m", "curtain", "wer", "ref.trn", "hyp.trn"], folder)
        print(f"curtain wer  {seconds:6.1f} s  {megabytes:6.0f} MB  (budget {BUDGET_S:g} s, {BUDGET_MB} MB)")
        if shutil.which("sctk") and not given.without_sclite:
            sides = ["-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id"]
            other = measured(["sctk", "sclite", *sides, "-o", "rsum", "sum", "stdout", "-f", "0"], folder)
            print(f"sclite       {other[0]:6.1f} s  {other[1]:6.0f} MB")
    return int(seconds > BUDGET_S or megabytes > BUDGET_MB)


if __name__ == "__main__":
    sys.exit(main())
