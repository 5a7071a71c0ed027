"""Several sites, planted faults, releases, volumes, bugs, a withdrawal in the middle: everything is on record and nothing is
lost."""

import importlib.util
import io
import shutil
from pathlib import Path

import pytest

from corpus.centre import facts as f
from corpus.centre.bugs import BugOptions, bug_command
from corpus.centre.centre_folder import centre_command
from corpus.centre.centre_state import CentreState
from corpus.centre.histories import history_command
from corpus.centre.ledger import Centre
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.volumes import VolumeOptions, volume_command
from corpus.centre.weekly_report import weekly_command
from corpus.centre.withdrawal import centre_withdraw_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.withdraw import WithdrawOptions
from evaluation.commands.testset import OfficialOptions, official_command
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, initial
from tests.corpus.corpora import corpus_of, session_of

HAS_IMAGES = importlib.util.find_spec("pycdlib") is not None


def told(command: object, *given: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = command(*given, out, err)  # type: ignore[operator]
    return status, out.getvalue(), err.getvalue()


def release(world: World) -> str:
    status, out, err = told(release_command, ReleaseOptions(str(world.root)), world.clock)
    assert status == 0, err
    return out.strip()


def holding(folder: Path, *words: str) -> list[str]:
    """The files that hold one of these words, or have it in their names; the ledger and lists of who left keep the pseudonym."""
    kept = ("ledger.sqlite", "removals.json", "holdout.json", "exports.log", "work.sqlite")
    return sorted(
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file()
        and not path.name.endswith(kept)
        and path.parent.name not in ("withdrawals", "logs")
        and any(word in path.name or word.encode() in path.read_bytes() for word in words)
    )


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Three sites, each with a fault that is mended or comes back once."""
    world = World(tmp_path)
    bbn = world.site("bbn", *(f"8k{n}" for n in range(1, 6)))
    assert world.receive(world.pack(bbn, "bbn.tar", label="tape 1"))[0] == 0
    cmu = initial(world.site("cmu", *(f"ab{n}" for n in range(1, 6))), tmp_path / "cmu-initial")
    spoilt = next(cmu.rglob("ab1021sx.sro"))
    spoilt.write_bytes(spoilt.read_bytes().upper().replace(b"\n", b"\r\n"))
    assert world.receive(world.pack(cmu, "cmu.tar")) == (0, "cmu_1\tfixed")
    mit = initial(world.site("mit", "m01", "m02"), tmp_path / "mit-initial")
    wave = next(mit.rglob("m01011ss.wav"))
    shutil.move(wave, tmp_path / "kept.wav")
    assert world.receive(world.pack(mit, "mit.tar")) == (1, "mit_1\treturned")
    shutil.move(tmp_path / "kept.wav", wave)
    assert world.receive(world.pack(mit, "mit2.tar")) == (0, "mit_2\tfixed")
    return world


def test_everything_that_happened_is_on_record_and_a_person_leaves_everywhere(world: World, tmp_path: Path) -> None:
    first = release(world)
    with world.centre() as centre:
        centre_state = CentreState(centre)
        leaver = next(s for s, which in sorted(centre_state.sets.items()) if which == "release" and s.startswith("8k"))
        held = next(s for s in centre_state.held_out if s.startswith("8k"))
    ann = annotated(tmp_path / "bbn", answered(leaver) | answered(held))
    assert (
        world.receive(world.pack(ann, "pool.tar", annotations="pool"))[0] == 2
    )  # some are of people who are not in the pool
    report_a_bug(world, leaver)
    assert bug(world, item=f"{held}011sx", text="it says Denver", reporter="mit")[0] == 0
    if HAS_IMAGES:
        status, images, err = told(volume_command, VolumeOptions(str(world.root), 0, every=True), world.clock)
        assert (status, images.count(".iso")) == (0, 1), err
    options = OfficialOptions(str(world.root), "dry", size=9, trial=True)
    assert told(official_command, options, world.clock)[0] == 0
    world.next_day()
    assert bug(world, item="8k9999sx", text="not there", reporter="mit")[0] == 2
    corrected = corpus_of(
        tmp_path / "bbn2", *(session_of("bbn", f"8k{n}", "fm"[n % 2 - 1], n, 0.2) for n in range(1, 6))
    )
    assert world.receive(world.pack(corrected, "bbn2.tar"))[0] == 0, world.err
    second = release(world)
    assert {path.name for path in (world.root / "releases" / second / "bug_rpts").iterdir()} == {"0001.txt", "open.txt"}
    assert holding(world.root / "releases", "it says Denver") == []
    if HAS_IMAGES:
        status, images, err = told(volume_command, VolumeOptions(str(world.root), 0, every=True), world.clock)
        assert (status, images.count("vol002.iso")) == (0, 1), err
    status, out, _ = told(history_command, str(world.root), f"{leaver}011sx", world.clock)
    assert status == 0
    for what in (
        "delivered by bbn as bbn_1 (tape 1): accepted",
        "assigned to the release",
        f"released in {first}",
        "bug 1 by mit",
    ):
        assert what in out, what
    assert ("on volume vol001" in out) == HAS_IMAGES
    assert "mended spon/ab1/1/ab1021sx.sro" in told(history_command, str(world.root), "ab1021sx", world.clock)[1]

    assert told(weekly_command, str(world.root), "", world.clock)[0] == 0
    (page,) = (world.root / "reports").iterdir()
    page.write_bytes(page.read_bytes().replace(b"</li>\n", b"</li>"))  # as pages of before are
    assert f"{leaver}011sx" in page.read_text()
    leaves(world, leaver, first)
    of_the_leaver = told(history_command, str(world.root), f"{leaver}011sx", world.clock)[1]
    assert of_the_leaver.count(f"released in {first}, to bbn, cmu, mit; nothing of it is there any more") == 1
    assert f"released in {second}" not in of_the_leaver
    assert "release" in page.read_text()
    assert world.receive(world.pack(tmp_path / "bbn-annotated", "again.tar"))[0] == 1
    assert "has withdrawn" in world.err
    assert world.receive(world.pack(tmp_path / "bbn", "same.tar"))[1].endswith("known")
    assert f"it holds {leaver}, who has withdrawn: curtain withdraw {leaver} there" in world.err
    assert release(world) == second


def leaves(world: World, leaver: str, first: str) -> None:
    """Let a person leave the centre, and look for what is left."""
    assert (
        merge_command(
            MergeOptions(
                tuple(str(world.root / "deliveries" / name) for name in ("bbn_2", "cmu_1")),
                str(world.folder / "merged"),
            ),
            io.StringIO(),
            io.StringIO(),
        )
        == 0
    )
    status, out, err = told(centre_withdraw_command, str(world.root), WithdrawOptions(leaver), world.clock)
    assert status == 1, err
    assert f"merged still holds {leaver}" in out
    assert "bbn\tholds the person still, delivered as bbn_2" in out
    assert f"mit\trelease {first}: all files of spon/{leaver}; take release.json, " in out
    again = told(centre_withdraw_command, str(world.root), WithdrawOptions(leaver), world.clock)[1]
    assert [line for line in again.splitlines() if "\trelease " in line or "\tvolume " in line] == [
        line for line in out.splitlines() if "\trelease " in line or "\tvolume " in line
    ]
    assert ("destroy it" in out) == HAS_IMAGES
    assert holding(world.root, f"{leaver}0", f"/{leaver}/") == []
    assert b"the third word is wrong" not in b"".join(p.read_bytes() for p in world.root.glob("ledger.sqlite*"))
    assert holding(world.root, "the third word is wrong") == []
    status, out, err = told(centre_command, str(world.root), world.clock)
    assert (status, err) == (0, "")


def test_the_list_of_a_withdrawal_names_what_really_holds_the_person_however_often_it_is_made(world: World) -> None:
    first = release(world)
    with world.centre() as centre:
        leaver = next(s for s, which in sorted(CentreState(centre).sets.items()) if which == "release")
    world.next_day()
    assert world.receive(world.pack(world.site("sri", "s01", "s02"), "sri.tar"))[0] == 0
    second = release(world)
    assert not (world.root / f"releases/{second}/spon/{leaver}").exists()
    options = OfficialOptions(str(world.root), "dry", size=9, trial=True)
    assert told(official_command, options, world.clock)[0] == 0
    made = [told(centre_withdraw_command, str(world.root), WithdrawOptions(leaver), world.clock)[1] for _ in range(2)]
    assert made[0] == made[1]
    lists = "doc/drafts.ndx, doc/initial.ndx, doc/spkrinfo.log"
    lines = {line.partition("\t")[2] for line in made[0].splitlines() if line.startswith("mit\t")}
    assert lines == {
        f"release {first}: all files of spon/{leaver}; take release.json, changes.txt, {lists} anew",
        f"release {second}: it names the person; take release.json, {lists} anew",
    }
    joined = [line for line in made[0].splitlines() if line.startswith(f"sri\trelease {first}: all files")]
    assert len(joined) == 1, made[0]  # its corpus is made of the earlier release too
    for name in (first, second):
        folder = world.root / "releases" / name
        assert (
            leaver.encode() not in (folder / "release.json").read_bytes() + (folder / "doc/spkrinfo.log").read_bytes()
        )


def report_a_bug(world: World, leaver: str) -> None:
    """Report a bug of a person's utterance, and accept it."""
    assert bug(world, item=f"{leaver}011sx", text="the third word is wrong", reporter="mit") == (0, "1\n", "")
    assert bug(world, item=f"{leaver}011sx")[0] == 2
    assert bug(world, judge="1=accepted", text="heard again")[0] == 0


def bug(world: World, **given: str) -> tuple[int, str, str]:
    return told(bug_command, BugOptions(str(world.root), **given), world.clock)


def test_a_tested_person_leaves_the_package_and_the_key(world: World) -> None:
    options = OfficialOptions(str(world.root), "dry", size=9, trial=True)
    assert told(official_command, options, world.clock)[0] == 0
    with world.centre() as centre:
        leaver = next(iter(CentreState(centre).tests["dry"].units)).split("/")[1]
    status, out, err = told(centre_withdraw_command, str(world.root), WithdrawOptions(leaver), world.clock)
    assert status == 1, err
    assert f"test dry: all of {leaver}" in out
    assert holding(world.root, f"{leaver}0", f"/{leaver}/") == []
    with world.centre() as centre:
        (left,) = centre.facts(f.SpeakerLeft)
    assert "test dry" in left.reached
    assert "not as it was recorded" not in told(centre_command, str(world.root), world.clock)[2]
    status, out, _ = told(weekly_command, str(world.root), "", world.clock)
    assert "held for tests 7 + queued 70 + rejected 7 (0 invalid, 7 withdrawn)" in out
    status, out, _ = told(history_command, str(world.root), leaver, world.clock)
    assert "in the trial dry" in out


def test_a_withdrawal_killed_after_the_packages_is_completed_by_the_next_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = OfficialOptions(str(world.root), "dry", size=30, trial=True)
    assert told(official_command, options, world.clock)[0] == 0
    with world.centre() as centre:
        first, second, *_ = sorted({unit.split("/")[1] for unit in CentreState(centre).tests["dry"].units})
    for speaker, sound in ((first, False), (second, True)):
        call = WithdrawOptions(speaker, sound=sound)
        with monkeypatch.context() as patch:
            patch.setattr(Centre, "record", killed)
            with pytest.raises(KeyboardInterrupt):
                told(centre_withdraw_command, str(world.root), call, world.clock)
        assert told(centre_withdraw_command, str(world.root), call, world.clock)[0] == 1
        assert told(centre_command, str(world.root), world.clock)[2] == ""
    with world.centre() as centre:
        (left,), (silent,) = centre.facts(f.SpeakerLeft), centre.facts(f.SoundTakenBack)
    assert ("test dry" in left.reached, "test dry" in silent.reached) == (True, True)


def killed(*_: object) -> None:
    raise KeyboardInterrupt


def test_the_weekly_report_tells_what_flowed_what_is_late_and_what_changed(world: World) -> None:
    name = release(world)
    status, out, _ = told(weekly_command, str(world.root), "", world.clock)
    assert status == 0
    for what in (
        "mit_1 from mit: returned, 2 errors cannot be mended here",
        "cmu_1 from cmu: fixed, 35 utterances",
        f"release {name}",
        "total: collected 84 = released",
        "mit: collected 14 = released 14 + held for tests 0 + queued 0 + rejected 0",
    ):
        assert what in out, out
    tapes = (world.root / "logs/madcow-tapes.log").read_text()
    assert f"bbn tape 1 bbn_1 35 utterances accepted released {name}" in tapes
    assert "<li>" in (world.root / "reports/20261123.html").read_text()
    for _ in range(8):
        world.next_day()
    assert bug(world, item="ab1011sx", text="a < b", reporter="sri")[0] == 0
    status, out, _ = told(weekly_command, str(world.root), str(world.folder / "page.html"), world.clock)
    assert "mit_1 from mit" not in out
    assert "wait for a volume since 2026-11-23" in out
    assert "bug 1: ab1011sx" in out
    assert "a &lt; b" in (world.folder / "page.html").read_text()
    assert bug(world, judge="1=refused", text="no")[0] == 0
    assert bug(world)[1].split("\t")[:2] == ["1", "refused"]


def test_what_a_site_sent_before_does_not_hide_that_a_return_is_late(world: World) -> None:
    empty = initial(world.site("cmu2", "c21"), world.folder / "cmu3")
    for path in empty.rglob("*.wav"):
        path.unlink()
    assert world.receive(world.pack(empty, "again.tar", site="cmu"))[1] == "cmu_2\treturned"
    for _ in range(8):
        world.next_day()
    late = told(weekly_command, str(world.root), "", world.clock)[1].partition("What is late")[2]
    assert "cmu_2 went back to cmu on 2026-11-23, and nothing has come since" in late
    assert "mit_1 went back" not in late


def test_corrections_and_annotations_that_nobody_released_or_sent_again_are_late(world: World, tmp_path: Path) -> None:
    first = release(world)
    if HAS_IMAGES:
        assert told(volume_command, VolumeOptions(str(world.root), 0, every=True), world.clock)[0] == 0
    with world.centre() as centre:
        who, other = (
            min(held.session.speaker for held in CentreState(centre).in_set("release") if held.delivery == name)
            for name in ("cmu_1", "bbn_1")
        )
    corrected = initial(tmp_path / "cmu", tmp_path / "cmu2")
    words = corrected / f"spon/{who}/1/{who}011sx.sro"
    words.write_text(words.read_text().replace("flights", "any flights"))
    assert world.receive(world.pack(corrected, "cmu2.tar"))[0] == 0, world.err
    made = annotated(tmp_path / "bbn", {f"spon/{other}/1/{other}011sx.ref": b"((1\n"})
    assert world.receive(world.pack(made, "ann.tar", annotations=first, site="sri"))[0] == 1, world.err
    louder = corpus_of(tmp_path / "bbn2", *(session_of("bbn", f"8k{n}", "fm"[n % 2 - 1], n, 0.2) for n in range(1, 6)))
    assert world.receive(world.pack(louder, "bbn2.tar"))[0] == 0, world.err

    def late() -> str:
        out = told(weekly_command, str(world.root), "", world.clock)[1]
        return out.partition("What is late")[2].partition("Documents")[0]

    assert "cmu_2" not in late()
    for _ in range(8):
        world.next_day()
    assert "cmu_2: 2 corrected files not released since 2026-11-23" in late()
    assert "ann_1 went back to sri on 2026-11-23, and nothing has come since" in late()
    assert "bbn_2: waveforms of 4 sessions wait for a volume since 2026-11-23" in late()
    assert ("cmu_2: waveforms" in late()) != HAS_IMAGES
    second = release(world)
    assert "corrected file" not in late()
    tapes = (world.root / "logs/madcow-tapes.log").read_text()
    assert f" cmu_1 35 utterances fixed released {first}\n" in tapes
    assert f" cmu_2 35 utterances fixed released {second}\n" in tapes


def test_the_second_report_of_a_day_has_a_page_of_its_own(world: World) -> None:
    assert told(weekly_command, str(world.root), "", world.clock)[0] == 0
    first = (world.root / "reports/20261123.html").read_bytes()
    assert bug(world, item="ab1011sx", text="a click", reporter="sri")[0] == 0
    status, _, err = told(weekly_command, str(world.root), "", world.clock)
    assert (status, err) == (0, f"{world.root}/reports/20261123b.html\n")
    assert b"a click" in (world.root / "reports/20261123b.html").read_bytes()
    assert (world.root / "reports/20261123.html").read_bytes() == first
