"""What sites send is checked, mended or sent back, entered once, and a fifth of it is set aside before anything else."""

import hashlib
import io
import re
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corpus.centre import facts as f
from corpus.centre.centre_folder import centre_command
from corpus.centre.centre_state import CentreState
from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
from corpus.centre.delivery.deliver import DeliverOptions, deliver_command
from corpus.centre.delivery.delivery_archive import LISTING, pack
from corpus.centre.histories import history
from corpus.centre.ledger import Centre
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.merge import merge
from corpus.commands.report import StatsOptions, stats_command
from corpus.dataset.reader import Corpus
from corpus.io.staging import Refused
from corpus.release.utterance_status import POOL, RELEASE
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, initial, tarred
from tests.corpus.corpora import corpus_of, session_of


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_delivery_is_entered_once_and_a_fifth_of_it_is_held_out_at_once(world: World) -> None:
    bbn = world.site("bbn", "8k1", "8k2", "8k3", "8k4", "8k5")
    archive = world.pack(bbn, "bbn.tar", label="tape one")
    again = world.pack(bbn, "again.tar", label="tape one")
    assert archive.read_bytes() == again.read_bytes()
    assert world.receive(archive) == (0, "bbn_1\taccepted")
    assert "7 of 35 utterances, 20.0 %" in world.err
    assert world.receive(again) == (0, "bbn_1\tknown")
    with world.centre() as centre:
        centre_state = CentreState(centre)
        (entered,) = centre.facts(f.DeliveryReceived)
        assert (entered.site, entered.label, entered.files, len(entered.sessions)) == ("bbn", "tape one", 151, 5)
        assert sorted(centre_state.sets.values()) == [POOL, *4 * [RELEASE]]
        assert sum(session.data for session in entered.sessions) == 35
        assert centre.faults() == []
    kept = world.root / "deliveries/bbn_1"
    assert (kept / "manifest.json").read_bytes() == (bbn / "manifest.json").read_bytes()
    assert verify(kept).findings == verify(bbn).findings


def test_two_programs_that_pack_the_same_archive_leave_a_whole_one(world: World) -> None:
    """The second had written into the first one's file, and then found it gone."""
    bbn, target = world.site("bbn", "8k1"), world.folder / "a.tar"
    (world.folder / ".a.tar.part").write_bytes(b"left by a call that was killed")
    told, second = io.StringIO(), list[int]()

    def meanwhile(done: int) -> None:
        if done == 3:
            options = DeliverOptions(str(bbn), str(target))
            second.append(deliver_command(options, io.StringIO(), told))

    pack(Corpus(bbn), target, "bbn", progress=meanwhile)
    assert (second, "another program is writing" in told.getvalue()) == ([2], True)
    assert [path.name for path in world.folder.glob(".*.part")] == []
    assert target.read_bytes() == world.pack(bbn, "b.tar", label="bbn").read_bytes()
    with pytest.raises(Refused, match="exists already"):
        pack(Corpus(bbn), target, "bbn")


def test_initial_data_alone_work_with_every_command_and_are_taken_in(world: World, tmp_path: Path) -> None:
    made = initial(world.site("bbn", "8k1", "8k2"), tmp_path / "initial")
    other = initial(world.site("cmu", "9k1"), tmp_path / "other")
    assert {finding.rule for finding in verify(made).findings if finding.severity is Severity.ERROR} == set()
    out, err = io.StringIO(), io.StringIO()
    assert stats_command(StatsOptions(str(made)), out, err) == 0
    assert holdout_command(str(made), HoldoutOptions(), out, err) == 0
    assert derive_command(DeriveOptions(str(made), str(tmp_path / "derived")), out, err) == 0, err.getvalue()
    assert verify(tmp_path / "derived").count(Severity.ERROR) == 0
    whole, same = world.site("mit", "m01"), corpus_of(tmp_path / "bbn3", session_of("bbn", "8k3", "f", 7, 0.1))
    assert merge([made, other, whole, same], tmp_path / "all").sites == ("bbn", "cmu", "mit")
    assert verify(tmp_path / "all").count(Severity.ERROR) == 0
    assert world.receive(tarred(made, tmp_path / "plain.tar")) == (0, "bbn_1\tfixed")
    kept = Corpus(world.root / "deliveries/bbn_1")
    assert sum(path.endswith(".lsn") for path in kept.manifest.files) == 14
    assert verify(kept.root).count(Severity.ERROR) == 0


def test_annotations_are_packed_alone(world: World) -> None:
    bbn = annotated(world.site("bbn", "8k1"), answered("8k1"))
    with tarfile.open(world.pack(bbn, "a.tar", annotations="20261123")) as tar:
        names = {name.rpartition(".")[2] for name in tar.getnames()}
    assert names == {"json", "cat", "win", "sql", "sq2", "ref", "rf2"}
    assert world.receive(world.folder / "a.tar")[0] == 2
    assert "no release 20261123" in world.err
    beside = world.site("cmu", "ab1")
    (beside / "spon/ab1/1/ab1011sx.cat").write_bytes(
        b"A: wh-question\n"
    )  # in no manifest: nobody knows that it is finished
    options = DeliverOptions(str(beside), str(world.folder / "b.tar"), annotations="pool")
    assert deliver_command(options, io.StringIO(), err := io.StringIO()) == 2
    assert "is in it when curtain annotate --out has made a new corpus" in err.getvalue()


def _capitals(corpus: Path) -> None:
    path = next(corpus.rglob("8k1011ss.wav"))
    path.rename(path.with_name("8K1011SS.WAV"))


def _misplaced(corpus: Path) -> None:
    next(corpus.rglob("8k1011ss.wav")).rename(corpus / "8k1011ss.wav")


def _line_ends(corpus: Path) -> None:
    path = next(corpus.rglob("8k1021sx.sro"))
    path.write_bytes(path.read_bytes().rstrip(b"\n").upper() + b"\r\n")


def _backup(corpus: Path) -> None:
    next(corpus.rglob("8k1021sx.sro")).with_name("8k1021sx.sro~").write_bytes(b"old\n")


def _lost_log(corpus: Path) -> None:
    next(corpus.rglob("8k1001sx.log")).unlink()


def _swapped(corpus: Path) -> None:
    one, two = next(corpus.rglob("8k1011ss.wav")), next(corpus.rglob("8k1031ss.wav"))
    other = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(other)


def _lost_wave(corpus: Path) -> None:
    next(corpus.rglob("8k1011ss.wav")).unlink()


@pytest.mark.parametrize("plant", [_capitals, _misplaced, _line_ends, _backup])
def test_what_can_be_mended_is_and_each_repair_is_on_record(
    world: World, tmp_path: Path, plant: Callable[[Path], None]
) -> None:
    made = initial(world.site("bbn", "8k1"), tmp_path / "initial")
    plant(made)
    assert world.receive(world.pack(made, "a.tar")) == (0, "bbn_1\tfixed"), world.err
    assert verify(world.root / "deliveries/bbn_1").count(Severity.ERROR) == 0
    with world.centre() as centre:
        repaired = [fact for fact in centre.facts(f.FileRepaired) if fact.rule != "derived"]
        assert any("8k10" in fact.path.lower() and fact.before and fact.rule for fact in repaired)


@pytest.mark.parametrize("plant", [_lost_log, _swapped, _lost_wave])
def test_what_cannot_goes_back_with_a_report_and_a_corrected_one_supersedes(
    world: World, tmp_path: Path, plant: Callable[[Path], None]
) -> None:
    whole = initial(world.site("bbn", "8k1"), tmp_path / "whole")
    broken = initial(world.folder / "bbn", tmp_path / "broken")
    plant(broken)
    assert world.receive(world.pack(broken, "a.tar")) == (1, "bbn_1\treturned")
    report = (world.root / "returned/bbn_1.txt").read_text("utf-8")
    kinds = re.findall(r"(?m)^\S+: (error|warning): ", report)
    assert kinds == sorted(kinds)
    assert {*kinds} == {"error", "warning"}
    assert "error" in report
    assert "8k10" in report
    assert not (world.root / "deliveries/bbn_1").exists()
    assert world.receive(world.pack(whole, "b.tar")) == (0, "bbn_2\tfixed")
    assert world.receive(world.pack(world.folder / "bbn", "c.tar")) == (0, "bbn_3\taccepted")
    with world.centre() as centre:
        assert [d.supersedes for d in centre.facts(f.DeliveryReceived)] == [(), (), ("bbn_2",)]
        assert {held.delivery for held in CentreState(centre).sessions.values()} == {"bbn_3"}


def relisted(archive: Path, target: Path, site: str) -> Path:
    """The delivery as if another site had sent it."""
    with tarfile.open(archive) as old, tarfile.open(target, "w") as new:
        for member in old:
            data = _read(old, member)
            if member.name == LISTING:
                data = data.replace(b'"site": "bbn"', f'"site": "{site}"'.encode())
                member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return target


def _read(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    found = tar.extractfile(member)
    assert found is not None
    return found.read()


def test_a_key_that_is_not_there_is_to_be_written_first(world: World) -> None:
    options = DeliverOptions(
        str(world.site("bbn", "8k1")), str(world.folder / "a.tar"), key=str(world.folder / "my.key")
    )
    assert deliver_command(options, io.StringIO(), err := io.StringIO()) == 2
    assert "my.key; write the one that you agreed on with the centre into this file" in err.getvalue()
    assert not (world.folder / "a.tar").exists()


def test_a_key_proves_who_delivered(world: World) -> None:
    (world.folder / "bbn.key").write_text("k" * 32)
    (world.root / "keys/bbn.key").write_text("k" * 32)
    bbn = world.site("bbn", "8k1")
    unsigned = world.pack(bbn, "unsigned.tar")
    assert world.receive(unsigned)[0] == 2
    assert "it is not signed, and bbn has a key here: let them pack it with curtain deliver --key" in world.err
    (world.folder / "another.key").write_text("z" * 32)
    assert world.receive(world.pack(bbn, "another.tar", key=str(world.folder / "another.key")))[0] == 2
    assert "the signature is not that of" in world.err
    for forged in (tarred(bbn, world.folder / "plain.tar"), relisted(unsigned, world.folder / "mit.tar", "mit")):
        assert world.receive(forged)[0] == 2
        assert "not signed with the key of bbn" in world.err
    assert world.receive(world.pack(bbn, "signed.tar", key=str(world.folder / "bbn.key")))[0] == 0
    settings = world.root / "centre.toml"
    settings.write_text(settings.read_text().replace("signed = false", "signed = true"))
    assert world.receive(world.pack(world.site("cmu", "9k1"), "cmu.tar"))[0] == 2
    assert "not signed" in world.err
    with world.centre() as centre:
        assert [d.signed for d in centre.facts(f.DeliveryReceived)] == [True]


@pytest.mark.parametrize("site", ["../../x", "x\\u001b[2J", "b" * 300, "", ".."])
def test_a_delivery_has_the_name_of_a_site_that_can_stand_anywhere(world: World, site: str) -> None:
    archive = world.pack(world.site("bbn", "8k1"), "a.tar", label="tape\x1b[2J")
    assert world.receive(relisted(archive, world.folder / "b.tar", site)) == (2, "")
    assert "is not a site" in world.err
    assert "\x1b" not in world.err
    out, err = io.StringIO(), io.StringIO()
    options = DeliverOptions(str(world.folder / "bbn"), str(world.folder / "c.tar"), site=site or "B")
    assert deliver_command(options, out, err) == 2
    assert "name it with --site" in err.getvalue()
    next((world.folder / "bbn").rglob("8k1011sx.sro")).unlink()
    assert (
        world.receive(world.pack(initial(world.folder / "bbn", world.folder / "in"), "d.tar", label="a\x1b[2J"))[0] == 1
    )
    assert "1 utterance without .sro" in world.err
    report = (world.root / "returned/bbn_1.txt").read_text()
    assert "Delivery a\\u{1b}[2J" in report
    assert "8k1011sx: never transcribed" in report


def test_annotators_deliver_under_their_own_name_and_a_corrected_delivery_keeps_their_work(world: World) -> None:
    """What they annotated stays where the site has changed nothing that it is about; the rest is named."""
    bbn = world.site("bbn", "8k1", "8k2")
    assert world.receive(world.pack(bbn, "a.tar"))[0] == 0
    out, err = io.StringIO(), io.StringIO()
    assert release_command(ReleaseOptions(str(world.root)), world.clock, out, err) == 0
    made = annotated(bbn, answered("8k1") | answered("8k2"))
    assert world.receive(world.pack(made, "b.tar", annotations="20261123", site="sri"))[0] == 0, world.err
    corrected = initial(bbn, world.folder / "corrected")
    next(corrected.rglob("8k2011sx.sro")).write_bytes(b"show me all flights\n")
    assert world.receive(world.pack(corrected, "c.tar")) == (0, "bbn_2\tfixed")
    assert "not right any more, to be made again: spon/8k2/1/8k2011sx.cat" in world.err
    with world.centre() as centre:
        assert [fact.site for fact in centre.facts(f.AnnotationsReceived)] == ["sri"]
        ((_, now),) = CentreState(centre).roots()
        (entered,) = (fact for fact in centre.facts(f.DeliveryReceived) if fact.dropped)
        assert any("to be made again: spon/8k2/1/8k2011sx.cat" in line for line in history(centre, "8k2011sx"))
    assert len(entered.dropped) == 6
    assert {path.name[:3] for path in now.rglob("*.cat")} == {"8k1"}
    assert next(now.rglob("8k2011sx.sro")).read_bytes() == b"show me all flights\n"
    assert verify(now).count(Severity.ERROR) == 0


def _altered(corpus: Path) -> None:
    next(corpus.rglob("8k1002sx.squ")).write_bytes(b"nobody said this\n")


def _lost(corpus: Path) -> None:
    next(corpus.rglob("8k1002sx.squ")).unlink()


def _slipped_in(corpus: Path) -> None:
    next(corpus.rglob("8k1011sx.sro")).with_name("8k1011sx.cat").write_bytes(b"X:\n")


@pytest.mark.parametrize("plant", [_altered, _lost, _slipped_in])
def test_mending_hides_nothing_that_was_lost_or_altered_on_its_way(world: World, plant: Callable[[Path], None]) -> None:
    corpus = world.site("bbn", "8k1")
    _line_ends(corpus)
    plant(corpus)
    assert world.receive(tarred(corpus, world.folder / "a.tar"))[0] == 1
    found = (world.root / "returned/bbn_1.txt").read_text()
    assert "8k1002sx.squ" in found or "8k1011sx.cat" in found


def test_what_was_returned_is_checked_again_when_it_comes_again(world: World) -> None:
    made = initial(world.site("bbn", "8k1"), world.folder / "initial")
    _capitals(made)
    settings, archive = world.root / "centre.toml", world.pack(made, "a.tar")
    mild = settings.read_text()
    settings.write_text(mild.replace("most_a_hundred_utterances = 1000.0", "most_a_hundred_utterances = 0.0"))
    assert [world.receive(archive), world.receive(archive)] == 2 * [(1, "bbn_1\treturned")]
    assert "returned before as bbn_1, nothing in it has changed" in world.err
    settings.write_text(mild)
    assert world.receive(archive) == (0, "bbn_2\tfixed")
    assert world.receive(archive) == (0, "bbn_2\tknown")


def test_a_centre_is_whole_whenever_its_program_is_killed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bbn = world.site("bbn", *(f"8k{n}" for n in range(1, 6)))
    archive = world.pack(bbn, "a.tar")
    with world.centre():
        assert world.receive(archive)[0] == 2
        assert "another program is at work" in world.err
    with monkeypatch.context() as patched:  # before the ledger knows of it
        patched.setattr(Centre, "record_all", _killed)
        assert world.receive(archive)[0] == 130
    assert not [*(world.root / "deliveries").glob(".*")]
    assert world.receive(archive) == (0, "bbn_1\taccepted")
    options = ReleaseOptions(str(world.root))
    assert release_command(options, world.clock, io.StringIO(), io.StringIO()) == 0
    for folder, name in (("deliveries", "bbn_1"), ("releases", "20261123")):
        left = world.root / folder / f".{name}.partial"  # after it knows, and before the folder has its name
        left.mkdir()
        (world.root / folder / name).rename(left / "files")
        (world.root / folder / ".other.partial/files").mkdir(parents=True)
    assert whole(world)
    left = world.root / "deliveries/.bbn_1.withdrawal"  # while a person was taken out
    left.mkdir()
    (world.root / "deliveries/bbn_1").rename(left / "new")
    assert whole(world)
    (world.root / "releases/20261124").mkdir()
    assert not whole(world)
    out, err = io.StringIO(), io.StringIO()
    assert centre_command(str(world.root), world.clock, out, err) == 1
    assert "20261124 is in no ledger" in err.getvalue()


def whole(world: World) -> bool:
    """Return whether a centre has all that its ledger knows, and nothing else."""
    ended = centre_command(str(world.root), world.clock, io.StringIO(), io.StringIO())
    errors = verify(world.root / "deliveries/bbn_1").count(Severity.ERROR)
    return ended == 0 and errors == 0 and not [*world.root.glob("*/.*")]


def test_a_delivery_is_verified_by_processes_or_a_cluster(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    archive, err = world.pack(world.site("bbn", "8k1"), "a.tar"), io.StringIO()

    def received(**more: Any) -> int:
        options = msgspec.structs.replace(ReceiveOptions(str(world.root), str(archive)), **more)
        return receive_command(options, world.clock, io.StringIO(), err)

    monkeypatch.setitem(sys.modules, "distributed", None)
    assert received(jobs=2, cluster="tcp://127.0.0.1:9") == 2
    assert "give one of them" in err.getvalue()
    assert received(cluster="tcp://127.0.0.1:9") == 2
    assert "the extra dask is not installed" in err.getvalue()
    assert not [*(world.root / "deliveries").iterdir()]
    assert received(jobs=1) == 0


def _killed(*_: object, **__: Any) -> None:
    raise KeyboardInterrupt


def test_a_plain_tar_that_breaks_off_or_is_damaged_is_not_taken_for_a_shorter_one(world: World) -> None:
    whole = tarred(
        initial(world.site("bbn", "8k1", "8k2"), world.folder / "in"), world.folder / "whole.tar"
    ).read_bytes()
    with tarfile.open(world.folder / "whole.tar") as tar:
        last = max(member.offset for member in tar if member.name.count("/") == 2)  # where a person begins
    archive = world.folder / "bad.tar"
    for data in (whole[:last], whole[: last + 100], whole[: last + 9] + b"~" + whole[last + 10 :], whole + whole):
        archive.write_bytes(data)
        assert world.receive(archive) == (2, "")
        assert "no tar archive: " in world.err
    archive.write_bytes(whole)
    assert world.receive(archive) == (0, "bbn_1\tfixed")
    with world.centre() as centre:
        assert centre.last(f.DeliveryReceived).archive == hashlib.sha256(whole).hexdigest()  # type: ignore[union-attr]


@pytest.mark.parametrize("data", [b"", b"no tar", bytes(1000), b"\xff" * 2048])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bad.tar").write_bytes(data)
    (tmp_path / "w").mkdir()
    world = World(tmp_path / "w")
    assert world.receive(tmp_path / "bad.tar")[0] in (1, 2)
    assert [*(world.root / "deliveries").glob("*")] == []
