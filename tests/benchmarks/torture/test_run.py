"""A short torture of fixed seed, and that the look for losses finds them."""

import io
import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from benchmarks.torture.faults import pattern, places
from benchmarks.torture.ledger import _holes, holes
from benchmarks.torture.processes import HUB_DISK, RATE, SESSION
from benchmarks.torture.relay import Frames, carries_data
from benchmarks.torture.run import TortureRun, examined
from benchmarks.torture.small_disk import Disk
from session import events as e
from session.state.fold import Take
from session.store.event_store import Entry, Store
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import AudioTrouble, Sealed
from tests.forking import begin_fork_server

SECONDS = 2.5


@pytest.fixture(scope="module")
def tortured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("torture")
    begin_fork_server()
    outcome = TortureRun(folder, SECONDS, 1992, io.StringIO(), mounting=False).perform()
    assert outcome.losses == ()
    assert sum(outcome.strikes.values()) > SECONDS
    assert outcome.takes > 0
    assert not outcome.real_disks
    assert f"takes {outcome.takes} takes" in outcome.lines()
    return folder


def test_nothing_is_lost_whatever_strikes(tortured: Path) -> None:
    assert examined(tortured, {}).losses == ()


def test_a_report_that_was_safe_and_is_gone_is_missed(tortured: Path) -> None:
    ledger = tortured / "subject.ledger"
    before = ledger.read_text()
    ledger.write_text(before + "kept never-came\nwritten 01GONE s 5\n")
    losses = examined(tortured, {}).losses
    ledger.write_text(before)
    assert [loss.split()[0] for loss in losses] == ["never-came", "take"]


def test_a_fact_twice_and_a_take_without_end_are_seen(tortured: Path, tmp_path: Path) -> None:
    spoilt = shutil.copytree(tortured, tmp_path / "spoilt", symlinks=True)
    store = Store(f"sqlite:///{spoilt}/{HUB_DISK}/collection.sqlite")
    facts = store.read(SESSION)
    again = next(fact for fact in facts if fact.cause)
    pressed = e.TalkPressed(at=Stamp("s", 0, 0), take="01NEVER")
    store.append(
        SESSION,
        len(facts),
        [Entry(again.at, again.by, again.cause, again.event), Entry(again.at, "subject", "new", pressed)],
    )
    store.close()
    losses = examined(spoilt, {}).losses
    assert any("brought about facts twice" in loss for loss in losses)
    assert "take 01NEVER was begun and never confirmed" in losses


PRESSED = Stamp("subject", 0, 0)
WHOLE = Take(
    take="T",
    run=0,
    pressed=PRESSED,
    released=Stamp("subject", SECOND, 0),
    sealed=(Sealed("s", RATE, "0" * 64),),
    stopped=PRESSED,
)


def troubled(trouble: AudioTrouble, at_sample: int, samples: int) -> Take:
    trouble_event = e.AudioTroubled(
        at=PRESSED, take="T", trouble=trouble, letter="s", at_sample=at_sample, samples=samples
    )
    return msgspec.structs.replace(WHOLE, troubles=(trouble_event,))


def test_a_hole_is_missed_unless_an_event_tells_of_its_place() -> None:
    holed = pattern(0, 5_000) + pattern(6_000, RATE - 6_000)
    assert _holes(WHOLE, pattern(7, RATE)) == []
    assert "a hole at [5000]" in _holes(WHOLE, holed)[0]
    assert "a hole at [5000]" in _holes(troubled(AudioTrouble.GAP, 12_000, 1_000), holed)[0]
    assert _holes(troubled(AudioTrouble.OVERFLOW, 5_000, 0), holed) == []


def test_holes_are_found_across_pieces() -> None:
    pcm = pattern(3, 1_000) + pattern(1_503, 500)
    for size in (2, 500, 2_000, 2_002, 10_000):
        assert holes(pcm[at : at + size] for at in range(0, len(pcm), size)) == {1_000: 500}


def test_a_take_that_is_shorter_than_its_events_span_is_missed_unless_they_say_by_how_much() -> None:
    cut = pattern(0, RATE // 2)
    assert "the events span 16000" in _holes(WHOLE, cut)[0]
    assert _holes(troubled(AudioTrouble.DISK, RATE // 2, RATE // 2), cut) == []


@given(st.lists(st.integers(0, 70_000), max_size=4), st.integers(1, 5_000))
def test_the_relay_cuts_a_stream_into_its_frames_to_the_byte(sizes: list[int], step: int) -> None:
    head = b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"
    sent = [head]
    for number, size in enumerate(sizes):
        frame = Frame(Opcode.BINARY if number % 3 else Opcode.PING, bytes(size if number % 3 else size % 126))
        sent.append(frame.serialize(mask=bool(number % 2)))
    stream, frames = b"".join(sent), Frames()
    found = [frame for at in range(0, len(stream), step) for frame in frames.feed(stream[at : at + step])]
    assert found == sent
    assert [carries_data(frame) for frame in found[1:]] == [bool(number % 3) for number in range(len(sizes))]


def test_a_disk_of_its_own_is_really_full_and_leaves_what_it_held(tmp_path: Path) -> None:
    disk = Disk(tmp_path / "disk", 1)
    if not disk.real:
        pytest.skip("this user may not mount a file system")
    try:
        (disk.path / "kept").write_bytes(b"kept")
        disk.fill()
        with pytest.raises(OSError, match="No space left"):
            (disk.path / "more").write_bytes(bytes(10_000))
        disk.free()
        (disk.path / "more").write_bytes(bytes(10_000))
        assert disk.read_only(True)
        with pytest.raises(OSError, match="Read-only"):
            (disk.path / "yet").write_bytes(b"1")
        disk.read_only(False)
    finally:
        disk.close()
    assert (tmp_path / "disk" / "kept").read_bytes() == b"kept"
    assert (tmp_path / "disk" / "more").stat().st_size == 10_000


def test_samples_tell_their_places() -> None:
    assert list(places(pattern(65_530, 10))) == [65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 0, 1, 2, 3]
