import os
from pathlib import Path

import pytest

from session.events import AudioTroubled, RecordingStarted, RecordingStopped
from session.values.clock import ManualClock, Stamp
from session.values.vocabulary import AudioTrouble, Sealed
from subject.capture.take_file import ChannelEnd, SealedTake, TakeFile, TakeHeader, UnreadableFile
from subject.spool.takes import Spool, SpoolError

SOUND = bytes(range(256)) * 8


def seal(spool: Spool, take: str, letter: str = "s", sound: bytes = SOUND) -> SealedTake:
    file = TakeFile(spool.directory, TakeHeader(take, letter, 16_000, "a microphone", Stamp("desk", 1, 2)))
    file.hold(sound)
    sealed = file.seal(ChannelEnd(tail=5))
    spool.add(sealed)
    return sealed


@pytest.fixture
def spool(tmp_path: Path):  # type: ignore[no-untyped-def]
    spool = Spool(tmp_path / "spool")
    yield spool
    spool.close()


def test_only_the_right_count_and_hash_let_a_take_go(spool: Spool) -> None:
    sealed = seal(spool, "T1")
    assert not spool.confirm("T1", "s", sealed.samples - 1, sealed.sha256)
    assert not spool.confirm("T1", "s", sealed.samples, "0" * 64)
    assert list(spool.unconfirmed()) == [("T1", "s")]
    assert (spool.directory / "T1.s.pcm").read_bytes() == SOUND
    assert spool.confirm("T1", "s", sealed.samples, sealed.sha256)
    assert sorted(path.name for path in spool.directory.iterdir()) == ["in-use"]
    assert spool.confirm("T1", "s", sealed.samples, sealed.sha256)


def test_a_take_that_is_still_written_is_not_confirmed_by_anything(spool: Spool) -> None:
    file = TakeFile(spool.directory, TakeHeader("T1", "s", 16_000, "a microphone", Stamp("desk", 1, 2)))
    file.hold(SOUND)
    file.flush()
    assert not spool.confirm("T1", "s", 1024, "0" * 64)
    assert spool.read("T1", "s", 10, 4) == SOUND[20:28]
    file.close()


def test_ranges_are_read_in_samples_and_end_where_the_take_ends(spool: Spool) -> None:
    seal(spool, "T1")
    assert spool.read("T1", "s", 0, 1024) == SOUND
    assert spool.read("T1", "s", 1000, 100) == SOUND[2000:]
    assert spool.read("T1", "s", 2000, 10) == b""
    with pytest.raises(KeyError):
        spool.read("T2", "s", 0, 1)


def test_what_is_not_confirmed_survives_a_restart_in_order(tmp_path: Path) -> None:
    first = Spool(tmp_path)
    seals = [seal(first, take, letter) for take, letter in [("T2", "s"), ("T1", "c"), ("T1", "s"), ("T3", "s")]]
    first.confirm("T3", "s", seals[3].samples, seals[3].sha256)
    first.close()
    second = Spool(tmp_path)
    assert list(second.unconfirmed()) == [("T1", "c"), ("T1", "s"), ("T2", "s")]
    assert second.sealed("T2", "s") == seals[0]
    second.close()


def test_a_deletion_that_a_crash_cut_short_is_finished(tmp_path: Path) -> None:
    first = Spool(tmp_path)
    seal(first, "T1")
    (tmp_path / "T1.s.json").rename(tmp_path / "T1.s.confirmed")
    first.close()
    second = Spool(tmp_path)
    assert len(second) == 0
    assert list(tmp_path.glob("T1*")) == []
    second.close()


@pytest.mark.parametrize("refused", ["the sidecar", "the deletion"])
def test_a_confirmation_that_the_disk_refuses_keeps_the_take_and_stops_nobody(
    spool: Spool, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    sealed = seal(spool, "T1")
    sidecar = spool.directory / "T1.s.json"
    if refused == "the sidecar":
        sidecar.rename(spool.directory / "T1.s.json.part")
    else:

        def read_only(_from: Path, _to: Path) -> None:
            raise OSError(30, os.strerror(30))

        monkeypatch.setattr(Path, "rename", read_only)
    assert not spool.confirm("T1", "s", sealed.samples, sealed.sha256)
    assert spool.read("T1", "s", 0, sealed.samples) == SOUND
    assert list(spool.unconfirmed()) == [("T1", "s")]


def test_a_second_terminal_on_the_same_folder_is_refused(spool: Spool) -> None:
    with pytest.raises(SpoolError, match="another terminal"):
        Spool(spool.directory)


def test_a_folder_that_cannot_be_used_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SpoolError, match="Make it writable"):
        Spool(tmp_path / "file")


def test_a_folder_that_cannot_be_listed_is_let_go_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr("subject.spool.takes.os.scandir", refuse)
        with pytest.raises(SpoolError, match="Make it readable"):
            Spool(tmp_path)
    Spool(tmp_path).close()


def test_other_files_in_the_folder_are_nobodys_takes(tmp_path: Path) -> None:
    for name in ("desk.json", "reports.jsonl", "notes.confirmed", "T1.json"):
        (tmp_path / name).write_text("{}")
    spool = Spool(tmp_path)
    assert (len(spool), spool.recover(), list(spool.left_behind(ManualClock()))) == (0, [], [])
    assert len(list(tmp_path.iterdir())) == 5
    spool.close()


def test_a_damaged_sidecar_is_made_good_by_the_samples_themselves(spool: Spool) -> None:
    sealed = seal(spool, "T1")
    (spool.directory / "T1.s.json").write_text("{")
    [troubled, stopped] = spool.left_behind(ManualClock())
    assert isinstance(troubled, AudioTroubled)
    assert isinstance(stopped, RecordingStopped)
    assert stopped.sealed == (Sealed("s", sealed.samples, sealed.sha256),)
    assert not spool.confirm("T1", "s", sealed.samples + 1, sealed.sha256)
    assert spool.confirm("T1", "s", sealed.samples, sealed.sha256)


@pytest.mark.parametrize("damaged", [False, True])
def test_samples_that_are_gone_are_named_and_stop_nothing(spool: Spool, damaged: bool) -> None:
    seal(spool, "T1")
    seal(spool, "T2")
    (spool.directory / "T1.s.pcm").unlink()
    if damaged:
        (spool.directory / "T1.s.json").write_text("{")
    unreadable, started, stopped = spool.left_behind(ManualClock())
    assert isinstance(started, RecordingStarted)
    assert isinstance(unreadable, UnreadableFile)
    assert "T1.s.pcm" in unreadable.problem
    assert isinstance(stopped, RecordingStopped)
    assert stopped.take == "T2"


def test_what_a_crash_left_is_sealed_kept_and_reported(spool: Spool) -> None:
    done = seal(spool, "T1", "c")
    file = TakeFile(spool.directory, TakeHeader("T1", "s", 16_000, "a microphone", Stamp("desk", 1, 2)))
    file.hold(SOUND[:1000])
    file.flush()
    file.close()
    (spool.directory / "T9.s.pcm.part").write_bytes(b"??")
    recovered, foreign = spool.recover()
    assert isinstance(recovered, SealedTake)
    assert isinstance(foreign, UnreadableFile)
    started, troubled, stopped = spool.left_behind(ManualClock())
    assert isinstance(started, RecordingStarted)
    assert (started.at, [channel.rate for channel in started.channels]) == (Stamp("desk", 1, 2), [16_000, 16_000])
    assert isinstance(troubled, AudioTroubled)
    assert isinstance(stopped, RecordingStopped)
    assert (troubled.trouble, troubled.take, troubled.at_sample) == (AudioTrouble.RECOVERED, "T1", 500)
    assert stopped.recovered
    assert stopped.sealed == (Sealed("s", 500, recovered.sha256), Sealed("c", 1024, done.sha256))


def test_the_directory_is_listed_once_however_much_it_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        (tmp_path / f"T{number:06d}.s.json").touch()
        (tmp_path / f"T{number:06d}.s.pcm").touch()
    listings = []
    scandir = os.scandir
    monkeypatch.setattr("subject.spool.takes.os.scandir", lambda path: listings.append(path) or scandir(path))
    spool = Spool(tmp_path)
    assert len(spool) == 60
    for number, (take, letter) in enumerate(spool.unconfirmed()):
        assert spool.read(take, letter, 0, 1) == b""
        seal(spool, f"U{number}")
        assert spool.confirm(f"U{number}", "s", *_count_and_hash(spool, f"U{number}"))
    assert len(listings) == 1
    spool.close()


def _count_and_hash(spool: Spool, take: str) -> tuple[int, str]:
    sealed = spool.sealed(take, "s")
    return sealed.samples, sealed.sha256
