"""Whom a site has let go is told at the centre with that site's next delivery, and nothing goes out before they are gone."""

import importlib.util
import io
import shutil
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.centre.centre_folder import centre_command
from corpus.centre.centre_state import CentreState
from corpus.centre.histories import history_command
from corpus.centre.mentions import drop_lines
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.volumes import VolumeOptions, volume_command
from corpus.centre.weekly_report import weekly_command
from corpus.centre.withdrawal import centre_withdraw_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.formats import spkrinfo
from curtain import main
from evaluation.commands.testset import OfficialOptions, official_command
from session.values.clock import SystemClock
from tests.corpus.centre.world import World, initial, tarred

HAS_IMAGES = importlib.util.find_spec("pycdlib") is not None


def told(command: object, *given: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = command(*given, out, err)  # type: ignore[operator]
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A centre that has released what a site delivered."""
    world = World(tmp_path)
    bbn = world.site("bbn", *(f"8k{n}" for n in range(1, 6)))
    assert world.receive(world.pack(bbn, "bbn.tar"))[0] == 0
    assert told(release_command, ReleaseOptions(str(world.root)), world.clock)[0] == 0
    return world


def released(world: World) -> str:
    with world.centre() as centre:
        centre_state = CentreState(centre)
        return next(speaker for speaker, which in sorted(centre_state.sets.items()) if which == "release")


def test_whom_a_site_s_list_names_goes_from_the_centre_before_anything_goes_out(world: World) -> None:
    leaver, root = released(world), str(world.root)
    bbn = world.folder / "bbn"
    assert (
        told(withdraw_command, str(bbn), WithdrawOptions(leaver), SystemClock("test"))[0] == 1
    )  # the archive holds them yet
    assert world.receive(world.pack(bbn, "again.tar"))[0] == 0
    line = f"{leaver} has withdrawn, says bbn_2, and is still here: curtain withdraw {root} {leaver}"
    assert line in world.err
    assert line in told(weekly_command, root, "", world.clock)[1]
    status, _, err = told(centre_command, root, world.clock)
    assert (status, line in err) == (1, True)
    for command, options in (
        (release_command, ReleaseOptions(root)),
        (volume_command, VolumeOptions(root, every=True)),
        (official_command, OfficialOptions(root, "dry", size=9, trial=True)),
    ):
        status, out, err = told(command, options, world.clock)
        assert (status, out, line in err) == (2, "", True)
    assert told(centre_withdraw_command, root, WithdrawOptions(leaver), world.clock)[0] == 1
    assert told(centre_command, root, world.clock)[::2] == (0, "")
    assert told(release_command, ReleaseOptions(root), world.clock)[0] == 0


def test_a_site_that_has_let_go_is_named_no_more_and_one_that_has_not_is_late(world: World) -> None:
    leaver, root, bbn = released(world), str(world.root), world.folder / "bbn"
    holds = "bbn\tholds the person still, delivered as bbn_1"
    assert holds in told(centre_withdraw_command, root, WithdrawOptions(leaver), world.clock)[1]
    for _ in range(8):
        world.next_day()
    line = f"bbn holds {leaver} still, delivered as bbn_1, since 2026-11-23"
    assert line in told(weekly_command, root, "", world.clock)[1].partition("What is late")[2]
    initial(bbn, world.folder / "other")
    assert told(withdraw_command, str(bbn), WithdrawOptions(leaver), SystemClock("test"))[0] == 1
    assert world.receive(world.pack(bbn, "without.tar"))[0] == 0, world.err
    status, out, _ = told(centre_withdraw_command, root, WithdrawOptions(leaver, dry_run=True), world.clock)
    assert (status, "holds the person" in out) == (1, False)
    assert line not in told(weekly_command, root, "", world.clock)[1]
    assert world.receive(tarred(world.folder / "other", world.folder / "old.tar"))[0] == 1


def test_what_a_site_says_of_another_site_s_people_counts_for_nothing(world: World) -> None:
    leaver = released(world)
    bbn, mit = world.folder / "bbn", world.site("mit", "m01")
    assert (
        told(withdraw_command, str(bbn), WithdrawOptions(leaver), SystemClock("test"))[0] == 1
    )  # the archive holds them yet
    assert world.receive(world.pack(mit, "mit.tar"))[0] == 0
    listed = removals.held_in(bbn)
    assert listed.speakers == {leaver}
    (world.root / "deliveries/mit_1/removals.json").write_bytes(removals.render(listed))
    assert told(centre_command, str(world.root), world.clock)[::2] == (0, "")


def test_a_site_s_table_of_speakers_tells_of_nobody_who_has_left_or_is_elsewhere(world: World, tmp_path: Path) -> None:
    """Sites send the table of all their people with every delivery; of whom leaves no sex and no age may stay in it."""
    leaver, root = released(world), str(world.root)
    mit = initial(world.site("mit", "m01"), tmp_path / "mit-initial")
    table = mit / "doc/spkrinfo.log"
    own = table.read_bytes()
    head, mine = own.split(b"\n", 1)
    others = (world.folder / "bbn/doc/spkrinfo.log").read_bytes().split(b"\n", 1)[1].replace(b"\tf\t", b"\tm\t")
    table.write_bytes(own + others)
    assert world.receive(world.pack(mit, "unsorted.tar")) == (1, "mit_1\treturned")
    assert "sort the speakers" in (world.root / "returned/mit_1.txt").read_text()
    table.write_bytes(b"%s\n%s%s" % (head, others, mine))
    assert world.receive(world.pack(mit, "mit.tar"))[1] == "mit_2\tfixed", world.err
    assert (world.root / "deliveries/mit_2/doc/spkrinfo.log").read_bytes() == own
    name = told(release_command, ReleaseOptions(root), world.clock)[1].strip()
    known = Corpus(world.folder / "bbn").speakers()
    told_of = spkrinfo.parse((world.root / "releases" / name / "doc/spkrinfo.log").read_bytes(), "").speakers
    assert {info.sex for info in told_of if info.speaker in known} == {"f", "m"}
    assert all(info.sex == known[info.speaker].sex for info in told_of if info.speaker in known)
    earlier = world.root / "deliveries/mit_2/doc/spkrinfo.log"  # as centres of before have it
    earlier.write_bytes(table.read_bytes())
    assert told(centre_withdraw_command, root, WithdrawOptions(leaver), world.clock)[0] == 1
    assert leaver.encode() not in earlier.read_bytes()
    (mit / "README.txt").write_text("another delivery\n")
    assert world.receive(world.pack(mit, "mit2.tar"))[0] == 1
    assert f"it holds {leaver}, who has withdrawn" in world.err


def test_nobody_leaves_a_part_of_a_centre_alone(world: World) -> None:
    """No byte of a release changes that the ledger does not know of, and a person does not stay in the rest."""
    leaver = released(world)
    for part in (next((world.root / "releases").iterdir()), world.root / "deliveries/bbn_1"):
        before = {path: path.read_bytes() for path in part.rglob("*") if path.is_file()}
        done = CliRunner().invoke(main, ["withdraw", str(part), leaver])
        assert (done.exit_code, f"part of the centre {world.root}" in " ".join(done.output.split())) == (2, True)
        assert {path: path.read_bytes() for path in part.rglob("*") if path.is_file()} == before


def test_sound_that_was_taken_back_goes_from_deliveries_volumes_and_packages_and_the_text_stays(world: World) -> None:
    leaver, root = released(world), str(world.root)
    with world.centre() as centre:
        tested = next(iter(CentreState(centre).held_out))
    if HAS_IMAGES:
        assert told(volume_command, VolumeOptions(root, every=True), world.clock)[0] == 0
    assert told(official_command, OfficialOptions(root, "dry", size=9, trial=True), world.clock)[0] == 0
    bbn, took_back = world.folder / "bbn", WithdrawOptions(leaver, sound=True)
    whole = Path(shutil.copytree(bbn, world.folder / "whole"))
    assert told(withdraw_command, str(bbn), took_back, SystemClock("test"))[0] == 1
    assert world.receive(world.pack(bbn, "again.tar"))[0] == 0
    line = f"{leaver} has taken the sound back, says bbn_2, and is still here: curtain withdraw --sound-only {root} {leaver}"
    assert line in world.err
    assert told(release_command, ReleaseOptions(root), world.clock)[0] == 2
    for speaker in (leaver, tested):
        status, out, err = told(centre_withdraw_command, root, WithdrawOptions(speaker, sound=True), world.clock)
        assert (status, "bbn\tholds the sound still, delivered as bbn_2" in out) == (1, speaker == tested), err
        assert ("volume vol001: destroy it" in out) == (HAS_IMAGES and speaker == leaver)
        assert ("test dry: the waveforms of" in out) == (speaker == tested)
    assert [path for who in (leaver, tested) for path in world.root.rglob(f"{who}*.wav")] == []
    assert {*world.root.rglob(f"{leaver}*.sro")}
    with tarfile.open(world.root / "tests/dry/dry.tar") as package:
        names = package.getnames()
    assert [name for name in names if name.endswith(".wav")] == []
    assert [name for name in names if name.endswith(".log") and f"/{tested}/" in name]
    if HAS_IMAGES:
        index = (world.root / "volumes/vol001.ndx").read_text()
        assert (f"/{leaver}/" in index, index.count(".wav") > 7) == (False, True)
    assert told(centre_command, root, world.clock)[::2] == (0, "")
    assert told(release_command, ReleaseOptions(root), world.clock)[0] == 0
    assert f"{leaver} took the sound back: delivery bbn_1" in told(history_command, root, leaver, world.clock)[1]
    (whole / "README.txt").write_text("once more\n")
    assert world.receive(tarred(whole, world.folder / "old.tar"))[0] == 1
    assert f"it holds the sound of {min(leaver, tested)}, who took it back" in world.err


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        (b"corrected\tspon/8k1/1/8k1011sx.sro\t20261125\n", False),
        (b"2026-11-25 north_1 from north, session north-20260302-1\n", False),
        (b"gone\tspon/202/1/202011sx.sro\t\t\t\n", True),
        (b"show me the flights (202-202011sx)\n", True),
        (b"202011sx ((1))\n", True),
        (b"<li>2026-11-25 bug 1: 202011sx</li>\n", True),
        (b"2026-11-25 202 has withdrawn\n", True),
        (b"bug 3 about 202\n", True),
    ],
)
def test_a_line_about_a_person_is_told_from_a_date(tmp_path: Path, line: bytes, goes: bool) -> None:
    (tmp_path / "page.txt").write_bytes(b"first\n" + line + b"last\n")
    drop_lines(tmp_path / "page.txt", "202")
    assert (tmp_path / "page.txt").read_bytes() == b"first\n" + (b"" if goes else line) + b"last\n"
