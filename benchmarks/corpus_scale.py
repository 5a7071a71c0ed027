"""How long an export and a verification take, and how much memory: 14,000 utterances by default, as many as MADCOW had.

Run `python -m benchmarks.corpus_scale`; `--utterances N` and `--seconds S` for another size, `--keep DIR` to keep the corpus.
Each step runs in a process of its own, so that its peak memory is its own. With bagit installed, its validation of the same
files stands beside.
"""

import argparse
import importlib.util
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from corpus.export import export
from corpus.jobs import Jobs
from corpus.source import Collected
from corpus.verify import summary, verify
from session.names import base36
from tests.corpus.sessions import Script, whole_session

PER_SESSION = 7


class Synthetic:
    """Sessions made when they are asked for, one speaker each."""

    def __init__(self, sessions: int, seconds: float) -> None:
        self._count = sessions
        self._stretch = 2 * seconds
        self._script: Script | None = None

    def sessions(self) -> Iterator[Collected]:
        for number in range(1, self._count + 1):
            self._script = whole_session(f"bbn-20261121-{number}", base36(number, 3), self._stretch)
            yield Collected(self._script.session, self._script.facts)

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """A take of the session that is being exported; some speakers' takes are alike, which verification finds."""
        return self._script.takes[take].get(letter) if self._script else None

    def protocol_file(self, sha256: str) -> bytes | None:
        return None


def step(name: str, folder: Path, utterances: int, seconds: float) -> str:
    """Do one step and say what it did."""
    match name:
        case "export":
            done = export(Synthetic(-(-utterances // PER_SESSION), seconds), folder)
            return f"{done.utterances} utterances, {done.files} files, {done.bytes / 1e6:.0f} MB"
        case "verify --headers" | "verify":
            return summary(verify(folder, headers=name != "verify"))
        case "verify, 2 processes":
            return summary(verify(folder, jobs=Jobs(2)))
        case _:
            import bagit  # type: ignore[import-not-found]

            bagit.Bag(str(folder)).validate()
            return "valid"


def measured(name: str, folder: Path, utterances: int, seconds: float) -> None:
    """Run one step in a process of its own and print its time and peak memory."""
    command = [sys.executable, "-m", "benchmarks.corpus_scale", "--step", name, "--keep", str(folder)]
    command += ["--utterances", str(utterances), "--seconds", str(seconds)]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told, _, megabytes = done.stdout.strip().rpartition("|")
    print(f"{name:>19}  {time.perf_counter() - began:7.1f} s  {float(megabytes):6.0f} MB  {told}")


def bagged(folder: Path) -> Path:
    """A bag of the same files beside the corpus."""
    import bagit

    copy = folder.with_name(f"{folder.name}.bag")
    shutil.copytree(folder, copy)
    bagit.make_bag(str(copy), checksums=["sha256"])
    return copy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--utterances", type=int, default=14_000)
    parser.add_argument("--seconds", type=float, default=4.0, help="of speech in an utterance")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--step")
    chosen = parser.parse_args()
    if chosen.step:
        told = step(chosen.step, chosen.keep, chosen.utterances, chosen.seconds)
        print(f"{told}|{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}")
        return
    with tempfile.TemporaryDirectory() as folder:
        target = chosen.keep or Path(folder) / "corpus"
        for name in ("export", "verify --headers", "verify", "verify, 2 processes"):
            measured(name, target, chosen.utterances, chosen.seconds)
        if importlib.util.find_spec("bagit"):
            measured("bagit --validate", bagged(target), chosen.utterances, chosen.seconds)


if __name__ == "__main__":
    main()
