"""`curtain history` by every name that an item has: utterance, file, session, speaker, delivery, volume."""

import importlib.util
import io
import re
import shutil
from pathlib import Path

import pytest

from corpus.centre.bugs import BugOptions, bug_command
from corpus.centre.centre_state import CentreState
from corpus.centre.histories import history_command
from corpus.centre.releases import ReleaseOptions, release_command
from corpus.centre.volumes import VolumeOptions, volume_command
from tests.corpus.annotated import annotated
from tests.corpus.centre.world import World, answered, initial

HAS_IMAGES = importlib.util.find_spec("pycdlib") is not None


def told(world: World, item: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    assert history_command(str(world.root), item, world.clock, out, err) == 0, err.getvalue()
    return out.getvalue()


def release(world: World, final: str = "") -> str:
    out, err = io.StringIO(), io.StringIO()
    assert release_command(ReleaseOptions(str(world.root), final), world.clock, out, err) == 0, err.getvalue()
    world.err = err.getvalue()
    return out.getvalue().strip()


def bug(world: World, **given: str) -> None:
    assert bug_command(BugOptions(str(world.root), **given), world.clock, io.StringIO(), io.StringIO()) == 0


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A centre where one person was released, annotated, reported about, and written to a volume."""
    world = World(tmp_path)
    assert world.receive(world.pack(world.site("bbn", *(f"8k{n}" for n in range(1, 6))), "bbn.tar"))[0] == 0
    return world


def test_a_file_a_session_a_speaker_and_a_delivery_have_the_history_of_what_is_in_them(
    world: World, tmp_path: Path
) -> None:
    first = release(world)
    with world.centre() as centre:
        held = next(held for held in CentreState(centre).in_set("release"))
    who, session = held.session.speaker, held.session.session
    images = VolumeOptions(str(world.root), every=True)
    if HAS_IMAGES:
        assert volume_command(images, world.clock, io.StringIO(), io.StringIO()) == 0
    bug(world, item=f"spon/{who}/1/{who}011sx.sro", text="the third word", reporter="mit")
    bug(world, item=session, text="the room is loud", reporter="cmu")
    bug(world, judge="1=fixed", text="heard it again")
    sent = annotated(tmp_path / "bbn", answered(who))
    assert world.receive(world.pack(sent, "ann.tar", annotations=first, site="sri"))[0] == 0, world.err
    broken = annotated(tmp_path / "bbn-annotated", {f"spon/{who}/1/{who}011sx.ref": b"((1\n"})
    assert world.receive(world.pack(broken, "bad.tar", annotations=first, site="att"))[0] == 1
    assert world.receive(world.folder / "bad.tar") == (1, "ann_2\treturned")
    assert "returned before as ann_2, nothing in it has changed: " in world.err
    world.next_day()
    second = release(world)
    release(world, final=second)
    for name in (f"{who}011", f"spon/{who}/1/{who}011sx.sro", f"{who}011sx.wav", session, who, "bbn_1"):
        page = told(world, name)
        for what in (
            "delivered by bbn as bbn_1",
            f"{who} assigned to the release",
            f"released in {first}: ",
            f"released in {second}: 6 files",
            "annotated by sri in ann_1: ",
            "annotated by att, returned in ann_2: ",
            "corrected in bbn_1.2: ",
            f"annotations of {second} are final",
            "the third word",
            "bug 1 fixed: heard it again",
            "the room is loud",
        ):
            assert what in page, f"{what} of {name}: {page}"
        if HAS_IMAGES:
            assert "on volume vol001" in page
    if HAS_IMAGES:
        assert f"on volume vol001 as /SPON/{who.upper()}/1/{who.upper()}011SC.WAV " in told(world, f"{who}011")
        assert f" of {session}" in told(world, "vol001") or f" {session} " in told(world, "vol001")
    assert "the third word" not in told(world, f"{who}021")
    assert "the room is loud" in told(world, f"{who}012")
    many = answered(who) | answered(who, "02") | answered(who, "03")
    more = annotated(Path(shutil.copytree(tmp_path / "bbn", tmp_path / "more")), many)
    assert world.receive(world.pack(more, "more.tar", annotations=first, site="sri"))[0] == 0, world.err
    assert f"{who}021sx.win … and 6 more\n" in told(world, who)
    assert f"{who}031sx.win\n" in told(world, f"{who}031")
    assert "annotated by" not in told(world, f"{who}012")
    assert "annotated by" in told(world, f"{who}001sx.log")


def test_an_item_of_which_a_corrected_delivery_has_less_tells_what_is_gone(world: World, tmp_path: Path) -> None:
    release(world)
    assert world.receive(world.pack(initial(tmp_path / "bbn", tmp_path / "less"), "less.tar"))[0] == 0, world.err
    world.next_day()
    second = release(world)
    assert re.search(r"0 new items, \d+ corrected, [1-9]\d* gone", world.err), world.err
    with world.centre() as centre:
        who = min(held.session.speaker for held in CentreState(centre).in_set("release"))
    assert f"released in {second}: 0 files, 2 gone" in told(world, who)


def test_what_happened_stays_in_its_order_where_the_clock_was_put_back(world: World, tmp_path: Path) -> None:
    less = world.pack(initial(tmp_path / "bbn", tmp_path / "less"), "less.tar")
    bug(world, item="8k1011", text="the third word", reporter="mit")
    world.clock.step_wall(-3600)
    assert world.receive(less) == (0, "bbn_2\tfixed"), world.err
    with world.centre() as centre:
        assert {held.delivery for held in CentreState(centre).in_set("release")} == {"bbn_2"}
    page = told(world, "bbn_2")
    assert page.index("as bbn_1 ") < page.index("as bbn_2 "), page
    with world.centre() as centre:
        assert centre.faults() == []
