"""Benchmark of commands on a large corpus, in time and memory: 14,000 utterances by default, as many as MADCOW had.

Run `python -m benchmarks.corpus_scale`; `--utterances N` (several times for several sizes) and `--seconds S` for others,
`--keep DIR` to keep the corpora. Each step runs in a process of its own, so that its peak memory is its own. Verification is
the command as a user gives it; with bagit installed, its own command validates the same files by turns with it, and the ratio
of the least costs is beside: of a bag as bagit makes it, and of one with fewer hashes. Processor time is that of all
processes of a step, memory that of the largest.
"""

import argparse
import hashlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import date, datetime, timedelta
from pathlib import Path

import msgspec

from benchmarks.costs import Cost, waited_for
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command
from corpus.dataset.reader import Corpus
from corpus.dataset.subset import shared_files
from corpus.export.madcow import export
from corpus.export.source import Collected
from corpus.formats import layout, manifest, sphere, sphere_header
from corpus.formats import pcm as samples
from corpus.formats.log.timeline import Moment
from corpus.formats.manifest import SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.io.staging import staged
from session.values.names import base36
from tests.corpus.sessions import Script, whole_session

PER_SESSION = 7
DAY = date(2026, 11, 21)  # of the first sessions
A_DAY = 20
TELLING = 46_000  # the number of a speaker whose id, zhs, stands in no text by chance
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
WORD = re.compile(r"(?<!Plan )\b(boston|denver|hotels|flights?|fare|airlines|united|mind)\b", re.IGNORECASE)
SYLLABLES = [consonant + vowel for vowel in "ae" for consonant in "bdfgklmnpr"]
STEPS = ("export", "stats", "report", "holdout")
COMMANDS = {
    "verify --headers": ("curtain", "verify", "--headers"),
    "verify --jobs 1": ("curtain", "verify", "--jobs", "1"),
    "verify": ("curtain", "verify"),
}
"""`verify` alone has as many processes as a corpus of its size gets by itself."""
PEERS = {
    "bagit --validate": ("bagit", "--quiet", "--validate"),
    "bagit --processes 2": ("bagit", "--quiet", "--processes", "2", "--validate"),
}
"""Each for a bag as bagit makes it, with SHA-256 and SHA-512 of every file, and for one with the corpus's SHA-256 alone."""
ONE_HASH = ", SHA-256 alone"


class Synthetic:
    """Sessions made when they are asked for, one speaker each."""

    def __init__(self, sessions: int, seconds: float, first: int = 1) -> None:
        self._first = first
        self._stretch = 2 * seconds
        self._script: Script | None = None
        days = (DAY + timedelta(days=number // A_DAY) for number in range(sessions))
        self.names = [f"bbn-{day:%Y%m%d}-{number % A_DAY + 1}" for number, day in enumerate(days)]
        self._numbers = {name: number for number, name in enumerate(self.names)}

    def collected(self, name: str) -> Collected:
        number = self._numbers[name]
        self._script = whole_session(name, base36(self._first + number, 3), self._stretch, number // A_DAY)
        return Collected(name, self._script.facts, self.head(name))

    def head(self, name: str) -> str:
        return hashlib.sha256(name.encode()).hexdigest()

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        """A take of the session that is being exported; some speakers' takes are alike, which verification finds."""
        return self._script.takes[take].get(letter) if self._script else None

    def spoken(self, session: str, sha256: str) -> bytes | None:
        return None

    def protocol_file(self, sha256: str) -> bytes | None:
        return None


def multiply(folder: Path, sessions: int, seconds: float) -> str:
    """A corpus of many sessions that are one exported session under other names: quickly made, to measure reading.

    Each has times, words and samples of its own, sealed in log, header and manifest: what a reader remembers of one session
    helps it no more with the next than in a corpus of many people, and verification finds no error.
    """
    one = folder.with_name(f"{folder.name}.one")
    export(Synthetic(1, seconds, TELLING), one)
    corpus = Corpus(one)
    (entry,) = corpus.manifest.sessions
    own = {path: (corpus.read(path), entry) for path, entry in corpus.manifest.files.items() if corpus.speaker_of(path)}
    own = dict(sorted(own.items(), key=lambda item: not item[0].endswith(".wav")))  # logs seal what was made before
    made, entries = list[SessionEntry](), list[SpeakerInfo]()
    with staged(folder) as staging:
        for number in range(sessions):
            another = SessionCopy(entry, number)
            for path, (data, marks) in own.items():
                new = another.waveform(data) if path.endswith(".wav") else another.text(data)
                staging.write(path.replace(entry.speaker, another.speaker), new, like=marks)
            made.append(msgspec.structs.replace(entry, session=another.session, speaker=another.speaker))
            entries.append(msgspec.structs.replace(corpus.speakers()[entry.speaker], speaker=another.speaker))
        for path, entry in corpus.manifest.files.items():  # type: ignore[assignment]
            if path.startswith(layout.PROTOCOLS):
                staging.write(path, corpus.read(path), like=entry)  # type: ignore[arg-type]
        made_anew = shared_files(
            tuple(made), SpeakerTable(tuple(entries)), staging.files, lambda path: (staging.root / path).read_bytes()
        )
        for path, data in made_anew.items():
            staging.write(path, data)
        found = msgspec.structs.replace(corpus.manifest, sessions=tuple(made), files=staging.files)
        staging.write(layout.MANIFEST, manifest.render(found))
        return f"{len(staging.files)} files"


class SessionCopy:
    """One session made out of another: other names, another day, other words, other samples."""

    def __init__(self, like: SessionEntry, number: int) -> None:
        self.session = f"bbn-{DAY + timedelta(days=number):%Y%m%d}-1"
        self.speaker = base36(number + 1, 3)
        self._names = {like.session: self.session, like.speaker: self.speaker}
        self._later = timedelta(days=number, seconds=number * 7919 % 50_000, milliseconds=number * 67 % 100 * 10)
        self._number = number
        self._seals = dict[str, str]()
        self._ending = "".join(SYLLABLES[number // len(SYLLABLES) ** place % len(SYLLABLES)] for place in range(4))

    def waveform(self, data: bytes) -> bytes:
        """The same sound with the session's number in its first samples, and the header that belongs to it."""
        file = sphere.parse(data, "")
        changed = self._number.to_bytes(4, "little") + file.data[4:]
        self._seals[hashlib.sha256(file.data).hexdigest()] = hashlib.sha256(changed).hexdigest()
        values = samples.decode(changed, samples.SampleCoding.PCM, 2, 1, big_endian=False)
        level, header = samples.levels(values), file.header
        stamp = f"{header.text('recording_date')} {header.text('recording_time')} +0000"
        when = datetime.strptime(stamp, "%d-%b-%Y %H:%M:%S.%f %z")
        renewed: dict[str, sphere.Value] = {
            "sample_min": level.minimum,
            "sample_max": level.maximum,
            "sample_checksum": samples.checksum(changed, 2, big_endian=False),
            "recording_date": sphere_header.date_text(when + self._later),
            "recording_time": sphere_header.time_text(when + self._later),
        }
        fields = tuple((name, renewed.get(name, self._renamed(value))) for name, value in header.fields)
        return sphere.render_header(sphere.SphereHeader(fields, header.size)) + changed

    def _renamed(self, value: sphere.Value) -> sphere.Value:
        for old, new in self._names.items() if isinstance(value, str) else ():
            value = str(value).replace(old, new)
        return value

    def text(self, data: bytes) -> bytes:
        """The same text with what is this session's own."""
        text = data.decode()
        for old, new in (self._names | self._seals).items():
            text = text.replace(old, new)
        text = STAMP.sub(lambda match: str(self._moved(match[0])), text)
        return WORD.sub(self._worded, text).encode()

    def _moved(self, stamp: str) -> Moment:
        return Moment(Moment.parse(stamp).at + self._later // timedelta(microseconds=1))

    def _worded(self, match: re.Match[str]) -> str:
        return match[0] + (self._ending.upper() if match[0].isupper() else self._ending)


def step(name: str, folder: Path, utterances: int, seconds: float) -> str:
    """Do one step and say what it did."""
    out, err = io.StringIO(), io.StringIO()
    match name:
        case "export":
            done = export(Synthetic(-(-utterances // PER_SESSION), seconds), folder)
            return f"{done.utterances} utterances, {done.files} files, {done.bytes / 1e6:.0f} MB"
        case "multiply":
            return multiply(folder, -(-utterances // PER_SESSION), seconds)
        case "stats":
            stats_command(StatsOptions(str(folder), as_json=True, jobs=1), out, err)
            return f"{len(out.getvalue()) / 1e6:.1f} MB of JSON{err.getvalue()}"
        case "report":
            page = folder.with_name(f"{folder.name}.html")
            report_command(ReportOptions(str(folder), str(page), jobs=1), out, err)
            return f"a page of {page.stat().st_size / 1e6:.1f} MB{err.getvalue()}"
        case "holdout":
            holdout_command(
                str(folder), HoldoutOptions("1", str(folder.with_name(f"{folder.name}.holdout.json"))), out, err
            )
            return err.getvalue().strip()
        case _:
            raise ValueError(f"no step is called {name}")


def measured(name: str, command: list[str], utterances: int) -> Cost:
    """Run a command and print what it cost; raises CalledProcessError with what it said when it fails.

    Findings of a verification, of takes that are alike, are no failure.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-m", *command], stdout=out, stderr=err)
        cost = msgspec.structs.replace(waited_for(process), wall=time.perf_counter() - began)
        out.seek(0)
        err.seek(0)
        output, complaint = out.read().decode().splitlines(), err.read().decode().splitlines()
    if process.returncode > ("verify" in command) or process.returncode < 0:
        raise subprocess.CalledProcessError(process.returncode, command, "\n".join(output), "\n".join(complaint))
    print(
        f"{name:>35}  {cost.wall:7.1f} s  {cost.processor:7.1f} s of processor time, "
        f"{cost.each_ms(utterances):6.3f} ms an utterance  {cost.megabytes:6.0f} MB  "
        f"{(complaint or output or ['done'])[-1]}",
        flush=True,
    )
    return cost


def bagged(folder: Path, checksums: list[str] | None) -> Path:
    """A bag of the very files of the corpus, so that neither program finds more of them in memory than the other."""
    import bagit

    bag = folder.with_name(f"{folder.name}.{'-'.join(checksums or ['bag'])}")
    shutil.copytree(folder, bag, copy_function=os.link)
    bagit.make_bag(str(bag), checksums=checksums)
    return bag


def compared(folder: Path, utterances: int, rounds: int, peer: bool) -> None:
    """Verify the corpus and validate its bags by turns, and print the least that each has cost in `rounds`, side by side."""
    runs = {name: [*command, str(folder)] for name, command in COMMANDS.items()}
    peers = dict[str, list[str]]()
    for end, checksums in (("", None), (ONE_HASH, ["sha256"])) if peer else ():
        bag = str(bagged(folder, checksums))
        peers |= {f"{name}{end}": [*command, bag] for name, command in PEERS.items()}
    runs |= peers
    costs: dict[str, list[Cost]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, command in runs.items():
            costs[name].append(measured(name, command, utterances))
    gigabytes = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e9
    for name, found in costs.items():
        wall, processor = min(cost.wall for cost in found), min(cost.processor for cost in found)
        print(f"{name}, wall: {wall:.2f} s, {wall / gigabytes:.2f} s per GB")
        print(f"{name}, processor time: {processor:.2f} s, {processor / gigabytes:.2f} s per GB")
    for name in COMMANDS:
        for other in peers:
            walls, processors = [
                [min(getattr(cost, what) for cost in costs[run]) for run in (name, other)]
                for what in ("wall", "processor")
            ]
            print(f"{name} / {other}, wall: {walls[0] / walls[1]:.2f}")
            print(f"{name} / {other}, processor time: {processors[0] / processors[1]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--utterances", type=int, action="append")
    parser.add_argument("--seconds", type=float, default=6.0, help="of speech in an utterance")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--step", help="this step alone, on the corpus at --keep")
    parser.add_argument("--multiplied", action="store_true", help="one session under many names: no export is measured")
    parser.add_argument("--rounds", type=int, default=3, help="of verification and its peer, by turns")
    parser.add_argument("--verify-only", action="store_true", help="measure no other reader")
    parser.add_argument("--no-peer", action="store_true", help="leave bagit out")
    chosen = parser.parse_args()
    sizes = chosen.utterances or [14_000]
    if chosen.step:
        print(step(chosen.step, chosen.keep, sizes[0], chosen.seconds))
        return
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            target = (chosen.keep or Path(folder)) / f"corpus-{size}"
            print(f"{size:,} utterances of {chosen.seconds:g} s")
            made, *read = ("multiply" if chosen.multiplied else STEPS[0]), *STEPS[1:]
            for name in (made, *(() if chosen.verify_only else read)):
                own = ["benchmarks.corpus_scale", "--step", name, "--keep", str(target)]
                measured(name, [*own, "--utterances", str(size), "--seconds", str(chosen.seconds)], size)
            compared(target, size, chosen.rounds, not chosen.no_peer and importlib.util.find_spec("bagit") is not None)


if __name__ == "__main__":
    main()
