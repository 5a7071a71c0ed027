"""What delivering and receiving hold: no more for many files and many repairs than for a few."""

import io
import tarfile
import tracemalloc
from collections.abc import Callable, Iterable
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from corpus.centre import facts as f
from corpus.centre.delivery.arrived_files import ArrivedFiles
from corpus.centre.delivery.deliver import DeliverOptions, deliver_command
from corpus.centre.delivery.delivery_archive import LISTING, DeliveryListing
from corpus.centre.delivery.kept_repairs import MOVED, KeptRepairs
from corpus.centre.delivery.unpacking import Unpacking
from corpus.dataset import initial
from corpus.formats import manifest
from corpus.formats.manifest import FORMAT, Manifest, SessionEntry
from corpus.verify.rules.scratch_tables import scratch_tables
from tests.corpus.centre.world import World, tarred

FEW, MANY = 1000, 3000
MOST_BYTES = 50 * (MANY - FEW)
"""Names and hashes in memory would take ten times as many."""
SESSION = SessionEntry("bbn-000", "bbn", "000", "p", (1,), "", False, False, 1.0, "")


def _peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _speech(root: Path, number: int) -> Path:
    """A folder of transcriptions and a table of speakers: initial data, but that nothing was said."""
    (root / "doc").mkdir(parents=True)
    (root / "doc/spkrinfo.log").write_text("speaker\n")
    for n in range(number):
        place = root / f"spon/{n // 50:03}/1/{n // 50:03}{n % 50:02}1sx.sro"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"%d\n" % n)
    return root


def test_what_is_delivered_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.verify.rules.manifest_stream._PIECE", 1 << 15)  # of which each manifest has many
    most = []
    for number in (FEW, MANY):
        root, target = _speech(tmp_path / str(number), number), tmp_path / f"{number}.tar"
        files = initial.manifest_of(root).files
        seal = manifest.write(root / "manifest.json", Manifest(FORMAT, False, (SESSION,), files))
        hashes = {path: entry.sha256 for path, entry in files.items()} | {"manifest.json": seal}
        most.append(_peak(partial(_deliver, root, target)))
        with tarfile.open(target) as tar:
            listed = msgspec.json.decode(tar.extractfile(LISTING).read(), type=DeliveryListing)  # type: ignore[union-attr]
            assert tar.getnames()[1:] == sorted(hashes, key=lambda path: (path.startswith("spon"), "/" in path, path))
        assert [*listed.files.items()] == [
            *sorted(hashes.items())[:1],
            *sorted(hashes.items())[2:],
            ("manifest.json", seal),
        ]
        del files, hashes, listed
    assert most[1] - most[0] < MOST_BYTES, most


def _deliver(root: Path, target: Path) -> None:
    options, err = DeliverOptions(str(root), str(target)), io.StringIO()
    assert deliver_command(options, io.StringIO(), err) == 0, err.getvalue()


def test_the_manifest_of_initial_data_is_not_held(tmp_path: Path) -> None:
    most = []
    for number in (FEW, MANY):
        root = _speech(tmp_path / f"{number}" / "made", number)
        archive, folder = tarred(root, tmp_path / f"{number}.tar"), tmp_path / f"{number}" / "in"
        folder.mkdir()
        with Unpacking(archive, folder) as arriving:
            most.append(_peak(partial(_describe, arriving.done().files, folder)))
        assert manifest.held_in(folder).files == initial.manifest_of(root).files
    assert most[1] - most[0] < MOST_BYTES, most


def _describe(files: ArrivedFiles, folder: Path) -> None:
    """Derive the manifest of what was unpacked, and once more as after a repair."""
    derived = files.derive(folder)
    manifest.write(folder / "manifest.json", initial.updated(folder, derived, ["spon/000/1/000001sx.sro"]))


def test_repairs_are_on_record_in_their_place_and_not_held(tmp_path: Path) -> None:
    world, most = World(tmp_path), []
    refused = f.DeliveryRefused(file="b.tar", archive="", reason="it is cut off")
    for number in (FEW, MANY):
        repairs = (_repair(f"bbn_{number}", n) for n in range(number))
        most.append(_peak(partial(_record, world, repairs, refused)))
    with world.centre() as centre:
        facts = [found.fact for found in centre.everything()]
        assert facts[1:FEW] == [_repair(f"bbn_{FEW}", n) for n in range(1, FEW)]
        assert [at for at, fact in enumerate(facts) if fact == refused] == [FEW, FEW + MANY + 1]
        assert [found.fact for found in centre.happened] == [refused, refused]
        assert sum(1 for _ in centre.facts(f.FileRepaired)) == FEW + MANY
        assert not centre.faults()
    assert most[1] - most[0] < MOST_BYTES, most


def _record(world: World, repairs: Iterable[f.FileRepaired], last: f.DeliveryRefused) -> None:
    with world.centre() as centre:
        centre.record_all(chain(repairs, [last]))
    with world.centre() as again:
        assert again.happened[-1].fact == last


def _repair(delivery: str, n: int) -> f.FileRepaired:
    path = f"spon/{n // 50:03}/1/{n // 50:03}{n % 50:02}1sx.lsn"
    return f.FileRepaired(delivery, path, "set.lexical-missing", "derived from the .sro", "", f"{n:064}")


def test_repairs_are_kept_in_their_order_without_what_stayed_the_same() -> None:
    with scratch_tables() as tables:
        kept = KeptRepairs(tables, "bbn_1")
        made = [
            f.FileRepaired("bbn_1", "b.sro", "text.line-ends", "line ends", "1", "2"),
            f.FileRepaired("bbn_1", "a.wav", "name.form", f"{MOVED}spon/a.wav", "3", "3"),
            f.FileRepaired("bbn_1", "README", "derived", "derived from the files", "4", "4"),
            f.FileRepaired("bbn_1", "b.sro", "sro.spacing", "spacing", "2", "5"),
        ]
        kept.add(made)
        assert [*kept] == made
        assert ([*kept.paths], len(kept.paths), "README" in kept.paths) == (["README", "a.wav", "b.sro"], 3, True)
        kept.drop_unchanged()
        kept.delivery = "bbn_2"
        assert [*kept] == [msgspec.structs.replace(made[at], delivery="bbn_2") for at in (0, 1, 3)]
        assert (len(kept), "README" in kept.paths) == (3, False)
