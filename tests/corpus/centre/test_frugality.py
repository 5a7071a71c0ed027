"""What receiving costs beside time: how often each file of a delivery is opened, and that initial data are verified once."""

import hashlib
import io
import json
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corpus.centre import facts as f
from corpus.centre.delivery.arrivals import delivered
from corpus.centre.delivery.delivery_archive import LISTING, DeliveryListing
from corpus.dataset import initial as derived
from corpus.dataset.reader import Corpus
from corpus.verify.rules.context import Context
from corpus.verify.rules.file_survey import ScenarioFiles
from corpus.verify.rules.findings import Severity
from corpus.verify.rules.scenario import check
from corpus.verify.verify import verify
from session.events import ScenarioEnded
from session.values.vocabulary import Outcome
from tests.corpus.centre.world import World, initial, tarred
from tests.corpus.corpora import corpus_of, session_of

ROOT = Path(__file__).parents[3]
COUNTING = """
import collections, io, json, os, sys
from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
from session.values.clock import SystemClock
centre, archive = sys.argv[1:]
below, opened = centre + "/deliveries/.arriving.partial/files/", collections.Counter()
def hook(event, args):
    if event == "open" and isinstance(args[0], (str, os.PathLike)) and str(args[0]).startswith(below):
        opened[str(args[0]).removeprefix(below)] += 1
sys.addaudithook(hook)
assert receive_command(ReceiveOptions(centre, archive), SystemClock("centre"), io.StringIO(), io.StringIO()) == 0
print(json.dumps(opened))
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def _opened(world: World, archive: Path) -> dict[str, dict[str, int]]:
    """How often the files of a delivery were opened while it was received, to be written the first time, by type."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, str(world.root), str(archive)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = dict[str, dict[str, int]]()
    for path, times in json.loads(done.stdout).items():
        found.setdefault(path.rpartition(".")[2], {})[path] = times
    return found


LOADED = """
import io, sys
from session.values.clock import SystemClock
what, centre, archive = sys.argv[1:]
out, err, clock = io.StringIO(), io.StringIO(), SystemClock("centre")
if what == "receive":
    from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
    status = receive_command(ReceiveOptions(centre, archive), clock, out, err)
else:
    from corpus.centre.releases import ReleaseOptions, release_command
    from evaluation.references.handouts import documents_of
    status = release_command(ReleaseOptions(centre), clock, out, err, documents_of)
assert status == 0, err.getvalue()
print(*sys.modules)
"""


def test_nothing_is_loaded_that_a_centre_does_not_use(world: World) -> None:
    archive = world.pack(world.site("bbn", "8k1", "8k2"), "a.tar")
    for what, unused in (
        ("receive", {"sqlalchemy", "asyncio", "sqlglot"}),
        ("release", {"sqlalchemy", "asyncio", "sqlglot", "numpy"}),
    ):
        call = [sys.executable, "-c", LOADED, what, str(world.root), str(archive)]
        done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert {*done.stdout.split()} & unused == set()


def test_a_corpus_is_verified_and_counted_as_it_is_written(world: World) -> None:
    opened = _opened(world, world.pack(world.site("bbn", "8k1", "8k2"), "a.tar"))
    assert {kind: {*times.values()} for kind, times in opened.items() if kind in ("wav", "sro", "lsn")} == {
        "wav": {1},
        "sro": {1},
        "lsn": {1},
    }
    logs = {times for path, times in opened["log"].items() if path.startswith("spon")}
    assert logs == {1, 2}  # the first file of a directory is tried before its directory is there


def test_what_verification_counts_is_what_the_logs_say(world: World) -> None:
    trial = session_of("bbn", "8k3", "f", 3, 0.1)
    opened = msgspec.structs.replace(trial.opened, pilot=True)
    trial.facts[0] = msgspec.structs.replace(trial.facts[0], event=opened)
    wrong = session_of("bbn", "8k2", "m", 2, 0.1)
    *_, (at, ended) = ((at, fact) for at, fact in enumerate(wrong.facts) if isinstance(fact.event, ScenarioEnded))
    invalid = msgspec.structs.replace(ended.event, outcome=Outcome.INVALIDATED)
    wrong.facts[at] = msgspec.structs.replace(ended, event=invalid)
    corpus = corpus_of(world.folder / "bbn", session_of("bbn", "8k1", "f", 1, 0.1), wrong, trial)
    assert world.receive(world.pack(corpus, "a.tar"))[0] == 0
    with world.centre() as centre:
        (fact,) = centre.facts(f.DeliveryReceived)
    assert fact.sessions == tuple(delivered(Corpus(corpus)))
    told = {entry.speaker: (entry.data > 0, entry.invalid > 0) for entry in fact.sessions}
    assert told == {"8k1": (True, False), "8k2": (True, True), "8k3": (False, False)}


def test_of_initial_data_no_waveform_is_read_but_to_verify_it(world: World) -> None:
    made = initial(world.site("bbn", "8k1", "8k2"), world.folder / "initial")
    opened = _opened(world, world.pack(made, "a.tar"))
    times = Counter(opened["wav"].values())
    assert times[3] == 1  # the first of all, which tells the format of the others
    assert times[2] == times.total() - 1 > 10
    assert {*opened["sro"].values()} == {4}  # the .lsn and what tells of the whole come of it


def test_what_is_known_of_initial_data_is_what_reading_them_again_would_tell(world: World) -> None:
    made = initial(world.site("bbn", "8k1", "8k2"), world.folder / "initial")
    assert world.receive(tarred(made, world.folder / "a.tar")) == (0, "bbn_1\tfixed")
    kept = world.root / "deliveries/bbn_1"
    listed = Corpus(kept).manifest
    (kept / "manifest.json").rename(world.folder / "manifest.json")
    there = derived.manifest_of(kept)
    assert (listed.files, listed.sessions) == (there.files, there.sessions)
    assert all(entry.header for path, entry in listed.files.items() if path.endswith(".wav"))
    (world.folder / "manifest.json").rename(kept / "manifest.json")
    assert verify(kept).count(Severity.ERROR) == 0


@pytest.mark.parametrize("clutter", [False, True])
def test_initial_data_are_verified_once_unless_a_file_was_mended(
    world: World, monkeypatch: pytest.MonkeyPatch, clutter: bool
) -> None:
    made = initial(world.site("bbn", "8k1"), world.folder / "initial")
    if clutter:
        (made / "spon/8k1/1/8k1011sx.sro~").write_bytes(b"old\n")
    times = list[Path]()

    def counted(root: Path, *given: object, **named: Any) -> object:
        times.append(root)
        return verify(root, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("corpus.centre.delivery.arrivals.verify", counted)
    assert world.receive(tarred(made, world.folder / "a.tar")) == (0, "bbn_1\tfixed")
    assert len(times) == 1 + clutter


@pytest.mark.parametrize(
    "plant", ["nothing", "an altered transcription", "a lost log", "a file that is no file of a corpus"]
)
def test_what_is_verified_while_it_arrives_has_the_findings_of_what_lies_there(world: World, plant: str) -> None:
    corpus = world.site("bbn", "8k1", "8k2", "8k3")
    if plant == "an altered transcription":
        (corpus / "spon/8k1/1/8k1011sx.sro").write_bytes(b"Other  words\r\n")
    elif plant == "a lost log":
        next((corpus / "spon/8k2/1").glob("*.log")).unlink()
    elif plant == "a file that is no file of a corpus":
        (corpus / "spon/8k1/1/8k1011sx.sro~").write_bytes(b"old\n")
        (corpus / "spon/notes.txt").write_bytes(b"call them\n")
    made = {}
    for kind in ("in order", "as it comes"):
        (world.folder / kind).mkdir()
        other = World(world.folder / kind)
        outcome = other.receive(_packed(corpus, other.folder / "bbn.tar", kind == "in order"))
        (reports,) = [[path.read_text() for path in sorted((other.root / "returned").glob("*"))]]
        with other.centre() as centre:
            facts = [
                msgspec.structs.replace(fact, archive="") if isinstance(fact, f.DeliveryReceived) else fact
                for fact in (found.fact for found in centre.everything())
            ]
            digest = "".join(fact.archive for fact in centre.facts(f.DeliveryReceived))
        made[kind] = outcome, [text.replace(digest, "") for text in reports], facts
    assert made["in order"] == made["as it comes"]
    assert made["in order"][0][0] == (1 if plant in ("an altered transcription", "a lost log") else 0)


def _packed(corpus: Path, target: Path, in_order: bool) -> Path:
    """The files of a corpus with their listing, in the order of `curtain deliver` or the other way round."""
    files = {
        path.relative_to(corpus).as_posix(): path.read_bytes() for path in sorted(corpus.rglob("*")) if path.is_file()
    }
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    listing = {LISTING: msgspec.json.encode(DeliveryListing("bbn", "tape one", hashes))}
    order = sorted(files, key=lambda path: (path.startswith("spon"), path.rpartition("/")[0], path))
    with tarfile.open(target, "w") as tar:
        for path in [LISTING, *(order if in_order else order[::-1])]:
            member = tarfile.TarInfo(path)
            member.size = len(data := (listing | files)[path])
            tar.addfile(member, io.BytesIO(data))
    return target


def test_speech_is_verified_before_the_last_of_it_has_come(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = world.pack(world.site("bbn", "8k1", "8k2", "8k3"), "bbn.tar")
    there = dict[str, bool]()

    def looked(context: Context, unit: ScenarioFiles) -> None:
        there[unit.directory] = (context.root / "spon/8k3/1").exists()
        check(context, unit)

    monkeypatch.setattr("corpus.verify.batches.scenario.check", looked)
    assert world.receive(archive) == (0, "bbn_1\taccepted")
    assert not there["spon/8k1/1"]
    assert there["spon/8k3/1"]


def test_a_corpus_that_is_mended_is_not_read_once_more_to_describe_it(world: World) -> None:
    corpus = world.site("bbn", "8k1", "8k2")
    (corpus / "spon/8k1/1/8k1011sx.sro~").write_bytes(b"old\n")
    opened = _opened(world, tarred(corpus, world.folder / "bbn.tar"))
    times = Counter(number for path, number in opened["wav"].items() if path.startswith("spon"))  # in bbn/ when written
    assert times == {2: times.total() - 1, 3: 1}  # verified before and after, and the first tells the format
