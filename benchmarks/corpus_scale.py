"""What work on a large corpus costs, in time and memory: 14,000 utterances by default, as many as MADCOW had.

Run `python -m benchmarks.corpus_scale`; `--utterances N` (several times for several sizes) and `--seconds S` for others,
`--keep DIR` to keep the corpora. Each step runs in a process of its own, so that its peak memory is its own. With bagit
installed, its validation of the same files stands beside. Processor time is that of all processes of a step; memory that of
the first.
"""

import argparse
import importlib.util
import io
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import msgspec

from corpus import layout, manifest
from corpus.directory import staged
from corpus.export import export
from corpus.holdout import holdout_command
from corpus.jobs import Jobs
from corpus.manifest import SessionEntry
from corpus.reading import Corpus
from corpus.rebuilding import shared_files
from corpus.reporting import report_command, stats_command
from corpus.source import Collected
from corpus.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.verify import summary, verify
from session.names import base36
from tests.corpus.sessions import Script, whole_session

PER_SESSION = 7
A_DAY = 20
TELLING = 46_000  # the number of a speaker whose id, zhs, stands in no text by chance
STEPS = ("export", "verify --headers", "verify", "verify --jobs 2", "stats", "report", "holdout")


class Synthetic:
    """Sessions made when they are asked for, one speaker each."""

    def __init__(self, sessions: int, seconds: float, first: int = 1) -> None:
        self._count = sessions
        self._first = first
        self._stretch = 2 * seconds
        self._script: Script | None = None

    def sessions(self) -> Iterator[Collected]:
        for number in range(self._count):
            day = date(2020, 1, 1) + timedelta(days=number // A_DAY)
            name = f"bbn-{day:%Y%m%d}-{number % A_DAY + 1}"
            self._script = whole_session(name, base36(self._first + number, 3), self._stretch)
            yield Collected(self._script.session, self._script.facts)

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """A take of the session that is being exported; some speakers' takes are alike, which verification finds."""
        return self._script.takes[take].get(letter) if self._script else None

    def protocol_file(self, sha256: str) -> bytes | None:
        return None


def multiply(folder: Path, sessions: int, seconds: float) -> str:
    """A corpus of many sessions that are one exported session under other names: quickly made, to measure reading.

    Their samples are alike, which a verification of everything reports of each.
    """
    one = folder.with_name(f"{folder.name}.one")
    export(Synthetic(1, seconds, TELLING), one)
    corpus = Corpus(one)
    (entry,) = corpus.manifest.sessions
    own = {path: (corpus.read(path), each) for path, each in corpus.manifest.files.items() if corpus.speaker_of(path)}
    made, entries = list[SessionEntry](), list[SpeakerInfo]()
    with staged(folder) as staging:
        for number in range(sessions):
            speaker, session = base36(number + 1, 3), f"bbn-{date(2020, 1, 1) + timedelta(days=number):%Y%m%d}-1"
            for path, (data, marks) in own.items():
                text, rest = (data[:1024], data[1024:]) if path.endswith(".wav") else (data, b"")
                renamed = text.replace(entry.session.encode(), session.encode()).replace(
                    entry.speaker.encode(), speaker.encode()
                )
                staging.write(path.replace(entry.speaker, speaker), renamed + rest, like=marks)
            made.append(msgspec.structs.replace(entry, session=session, speaker=speaker))
            entries.append(msgspec.structs.replace(corpus.speakers()[entry.speaker], speaker=speaker))
        for path, each in corpus.manifest.files.items():
            if path.startswith(layout.PROTOCOLS):
                staging.write(path, corpus.read(path), like=each)
        made_anew = shared_files(
            tuple(made), SpeakerTable(tuple(entries)), staging.files, lambda path: (staging.root / path).read_bytes()
        )
        for path, data in made_anew.items():
            staging.write(path, data)
        found = msgspec.structs.replace(corpus.manifest, sessions=tuple(made), files=staging.files)
        staging.write(layout.MANIFEST, manifest.render(found))
        return f"{len(staging.files)} files"


def step(name: str, folder: Path, utterances: int, seconds: float) -> str:
    """Do one step and say what it did."""
    out, err = io.StringIO(), io.StringIO()
    match name:
        case "export":
            done = export(Synthetic(-(-utterances // PER_SESSION), seconds), folder)
            return f"{done.utterances} utterances, {done.files} files, {done.bytes / 1e6:.0f} MB"
        case "multiply":
            return multiply(folder, -(-utterances // PER_SESSION), seconds)
        case "verify --headers" | "verify":
            return summary(verify(folder, headers=name != "verify"))
        case "verify --jobs 2":
            return summary(verify(folder, jobs=Jobs(2)))
        case "stats":
            stats_command(str(folder), True, out, err, 1)
            return f"{len(out.getvalue()) / 1e6:.1f} MB of JSON{err.getvalue()}"
        case "report":
            page = folder.with_name(f"{folder.name}.html")
            report_command(str(folder), str(page), out, err, 1)
            return f"a page of {page.stat().st_size / 1e6:.1f} MB{err.getvalue()}"
        case "holdout":
            holdout_command(str(folder), "1", str(folder.with_name(f"{folder.name}.holdout.json")), "", "", out, err)
            return err.getvalue().strip()
        case _:
            import bagit  # type: ignore[import-not-found]

            bagit.Bag(str(folder)).validate()
            return "valid"


def measured(name: str, folder: Path, utterances: int, seconds: float) -> None:
    """Run one step in a process of its own and print what it cost."""
    command = [sys.executable, "-m", "benchmarks.corpus_scale", "--step", name, "--keep", str(folder)]
    command += ["--utterances", str(utterances), "--seconds", str(seconds)]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told, cpu, megabytes = done.stdout.strip().rsplit("|", 2)
    print(
        f"{name:>18}  {time.perf_counter() - began:7.1f} s  {float(cpu):7.1f} s of processor time, "
        f"{1000 * float(cpu) / utterances:6.3f} ms an utterance  {float(megabytes):6.0f} MB  {told}",
        flush=True,
    )


def bagged(folder: Path) -> Path:
    """A bag of the same files beside the corpus."""
    import bagit

    copy = folder.with_name(f"{folder.name}.bag")
    shutil.copytree(folder, copy)
    bagit.make_bag(str(copy), checksums=["sha256"])
    return copy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--utterances", type=int, action="append")
    parser.add_argument("--seconds", type=float, default=4.0, help="of speech in an utterance")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--step", help="this step alone, on the corpus at --keep")
    parser.add_argument("--multiplied", action="store_true", help="one session under many names: no export is measured")
    parser.add_argument("--no-peer", action="store_true", help="leave bagit out")
    chosen = parser.parse_args()
    sizes = chosen.utterances or [14_000]
    if chosen.step:
        told = step(chosen.step, chosen.keep, sizes[0], chosen.seconds)
        cost = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        print(f"{told}|{sum(each.ru_utime + each.ru_stime for each in cost)}|{cost[0].ru_maxrss / 1024}")
        return
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            target = (chosen.keep or Path(folder)) / f"corpus-{size}"
            print(f"{size:,} utterances of {chosen.seconds:g} s")
            for name in ("multiply", *STEPS[1:]) if chosen.multiplied else STEPS:
                measured(name, target, size, chosen.seconds)
            if importlib.util.find_spec("bagit") and not chosen.no_peer:
                measured("bagit --validate", bagged(target), size, chosen.seconds)


if __name__ == "__main__":
    main()
