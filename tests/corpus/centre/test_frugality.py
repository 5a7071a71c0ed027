"""What receiving costs beside time: how often each file of a delivery is opened, and that initial data are verified once."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from corpus.dataset import initial as derived
from corpus.dataset.reader import Corpus
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.centre.world import World, initial, tarred

ROOT = Path(__file__).parents[3]
COUNTING = """
import collections, io, json, os, sys
from corpus.centre.arrivals import ReceiveOptions, receive_command
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


def test_a_corpus_is_written_and_verified_and_its_logs_are_counted(world: World) -> None:
    opened = _opened(world, world.pack(world.site("bbn", "8k1", "8k2"), "a.tar"))
    assert {kind: {*times.values()} for kind, times in opened.items() if kind in ("wav", "sro", "lsn")} == {
        "wav": {2},
        "sro": {2},
        "lsn": {2},
    }
    assert {times for path, times in opened["log"].items() if path.startswith("spon")} == {3}


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

    def counted(root: Path, *given: object, **named: object) -> object:
        times.append(root)
        return verify(root, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("corpus.centre.arrivals.verify", counted)
    assert world.receive(tarred(made, world.folder / "a.tar")) == (0, "bbn_1\tfixed")
    assert len(times) == 1 + clutter


def test_a_corpus_that_is_mended_is_not_read_once_more_to_describe_it(world: World) -> None:
    corpus = world.site("bbn", "8k1", "8k2")
    (corpus / "spon/8k1/1/8k1011sx.sro~").write_bytes(b"old\n")
    opened = _opened(world, tarred(corpus, world.folder / "bbn.tar"))
    times = Counter(number for path, number in opened["wav"].items() if path.startswith("spon"))  # in bbn/ when written
    assert times == {2: times.total() - 1, 3: 1}  # verified before and after, and the first tells the format
