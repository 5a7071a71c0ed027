"""Archives that no centre takes in: what came, when and why stands in the ledger and in the weekly report."""

import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.centre import facts as f
from corpus.centre.centre_folder import centre_command
from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
from corpus.centre.histories import history_command
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.weekly_report import weekly_command
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, tarred


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def refused(world: World) -> list[f.DeliveryRefused]:
    with world.centre() as centre:
        assert centre.faults() == []
        return [*centre.facts(f.DeliveryRefused)]


def reported(world: World) -> str:
    out = io.StringIO()
    assert weekly_command(str(world.root), "", world.clock, out, io.StringIO()) == 0
    return out.getvalue()


def _cut(world: World) -> Path:
    whole = world.pack(world.site("bbn", "8k1"), "whole.tar", label="tape one")
    (world.folder / "bbn.tar").write_bytes(whole.read_bytes()[:-30_000])
    return world.folder / "bbn.tar"


def _altered(world: World) -> Path:
    whole = bytearray(world.pack(world.site("bbn", "8k1"), "whole.tar", label="tape one").read_bytes())
    with tarfile.open(world.folder / "whole.tar") as tar:
        wave = next(member for member in tar if member.name.endswith(".wav"))
    whole[wave.offset_data + 2000] ^= 1
    (world.folder / "bbn.tar").write_bytes(whole)
    return world.folder / "bbn.tar"


def _of_another_site(world: World) -> Path:
    (world.root / "keys/bbn.key").write_text("k" * 32)
    return tarred(world.site("bbn", "8k1"), world.folder / "bbn.tar")


def _unsigned(world: World) -> Path:
    (world.root / "keys/bbn.key").write_text("k" * 32)
    return world.pack(world.site("bbn", "8k1"), "bbn.tar", label="tape one")


def _of_no_release(world: World) -> Path:
    corpus = world.site("bbn", "8k1")
    assert world.receive(world.pack(corpus, "first.tar"))[0] == 0
    (corpus / "spon/8k1/1/8k1011sx.cat").write_text("D\n")
    made = corpus.rename(world.folder / "with")
    (made / "manifest.json").unlink()
    return world.pack(made, "bbn.tar", label="tape one", annotations="19930101")


def _compressed(world: World) -> Path:
    whole = world.pack(world.site("bbn", "8k1"), "whole.tar", label="tape one")
    (world.folder / "bbn.tar").write_bytes(gzip.compress(whole.read_bytes()))
    return world.folder / "bbn.tar"


def _empty(world: World) -> Path:
    tarfile.open(world.folder / "bbn.tar", "w").close()
    return world.folder / "bbn.tar"


CASES: dict[str, tuple[Callable[[World], Path], str, str]] = {
    "cut off": (_cut, "bbn", "no tar archive: "),
    "compressed": (_compressed, "", "no tar archive, but compressed by gzip"),
    "empty": (_empty, "", "holds no file"),
    "altered": (_altered, "bbn", ".wav was changed"),
    "of another site": (_of_another_site, "", "it holds sessions of bbn and is not signed with the key of bbn"),
    "unsigned": (_unsigned, "bbn", "it is not signed, and bbn has a key here"),
    "of no release": (_of_no_release, "bbn", "there is no release 19930101"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_was_refused_is_on_record_once_and_in_the_weekly_report(case: str, world: World) -> None:
    make, site, why = CASES[case]
    archive = make(world)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    for _ in range(2):
        assert world.receive(archive) == (2, "")
        assert why in world.err
    (fact,) = refused(world)
    assert (fact.file, fact.archive, fact.site) == ("bbn.tar", digest, site)
    assert fact.label == ("tape one" if site else "")
    assert why in fact.reason
    assert str(world.folder) not in fact.reason
    told = reported(world)
    assert f"bbn.tar{' of bbn (tape one)' if site else ''} was refused: " in told
    assert why in told
    assert digest in told
    out = io.StringIO()
    assert history_command(str(world.root), "bbn.tar", world.clock, out, io.StringIO()) == 0
    assert f"bbn.tar was refused: {fact.reason}" in out.getvalue()
    assert centre_command(str(world.root), world.clock, out, io.StringIO()) == 0
    assert "archives that were refused 1" in out.getvalue()


SURPLUS = {
    "spon/8k1/1/8k1001sx.log": "'spon/8k1/1/8k1001sx.log' stands twice",
    "spon/8k1/1/8k1001sx.log/x.sro": "'spon/8k1/1/8k1001sx.log/x.sro' stands as a file and as a folder",
    "spon/8k1/1/8K1001SX.LOG": "'spon/8k1/1/8k1001sx.log' stands twice",
    "spon/8k1/1/8k1zz1sx.sro": "spon/8k1/1/8k1zz1sx.sro is in no list",
    "spon/8k1/../../x.sro": "'spon/8k1/../../x.sro' leads out of the folder",
}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("path", SURPLUS)
def test_what_an_archive_holds_beyond_its_list_is_refused_whoever_unpacks_it(
    path: str, jobs: int, world: World
) -> None:
    archive = world.pack(world.site("bbn", "8k1"), "bbn.tar")
    with tarfile.open(archive, "a") as tar:
        member = tarfile.TarInfo(path)
        member.size = 2
        tar.addfile(member, io.BytesIO(b"a\n"))
    options = ReceiveOptions(str(world.root), str(archive), jobs)
    assert receive_command(options, world.clock, io.StringIO(), err := io.StringIO()) == 2
    assert SURPLUS[path] in err.getvalue()
    (fact,) = refused(world)
    assert SURPLUS[path] in fact.reason
    assert [place.name for place in (world.root / "deliveries").iterdir()] == []


def test_after_a_week_a_refused_archive_after_which_nothing_came_is_late(world: World) -> None:
    assert world.receive(_cut(world))[0] == 2
    assert "bbn.tar went back" not in reported(world)
    world.clock.advance(8 * 86_400)
    assert "bbn.tar went back to bbn on 2026-11-23, and nothing has come since" in reported(world)
    assert world.receive(world.folder / "whole.tar")[0] == 0
    world.clock.advance(8 * 86_400)
    assert "bbn.tar went back" not in reported(world)
    name = _refuse_annotations(world)
    world.clock.advance(8 * 86_400)
    assert "unsigned.tar went back to bbn" in reported(world)
    key = str(world.root / "keys/bbn.key")
    assert world.receive(world.pack(world.folder / "bbn-annotated", "signed.tar", annotations=name, key=key))[0] == 0
    assert "unsigned.tar went back" not in reported(world)


def _refuse_annotations(world: World) -> str:
    """Release what there is, and receive annotations of it that are not signed as they must be; return the release."""
    out = io.StringIO()
    assert release_command(ReleaseOptions(str(world.root)), world.clock, out, io.StringIO()) == 0
    (world.root / "keys/bbn.key").write_text("k" * 32)
    made = annotated(world.folder / "bbn", answered("8k1"))
    assert world.receive(world.pack(made, "unsigned.tar", annotations=out.getvalue().strip()))[0] == 2
    assert "it is not signed" in world.err
    return out.getvalue().strip()


def test_a_medium_that_cannot_be_read_is_on_record_without_a_hash(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert world.receive(Path("/proc/self/mem")) == (2, "")
    assert "/proc/self/mem: no tar archive: it cannot be read: Input/output error" in world.err
    archive = world.pack(world.site("bbn", "8k1"), "bbn.tar")

    def denied(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr("corpus.centre.delivery.unpacking.open_archive", denied)
        assert world.receive(archive) == (2, "")
    assert f"{archive}: Permission denied" in world.err
    assert [(fact.file, fact.archive, fact.reason) for fact in refused(world)] == [
        ("mem", "", "no tar archive: it cannot be read: Input/output error"),
        ("bbn.tar", "", "Permission denied"),
    ]


def test_a_slip_of_who_receives_is_told_at_once_and_is_nobody_s_delivery(world: World) -> None:
    os.mkfifo(world.folder / "pipe.tar")
    for name, why in {
        str(world.folder / "pipe.tar"): "no plain file; write what it gives into a file, and name that",
        "/dev/zero": "no plain file",
        str(world.folder): "a folder, no archive; pack it",
        str(world.folder / "nothing.tar"): "No such file",
    }.items():
        assert world.receive(Path(name)) == (2, "")
        assert f"{name}: {why}" in world.err
    assert refused(world) == []
