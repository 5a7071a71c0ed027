import os
from pathlib import Path

import pytest

from session.commands import Report
from session.events import AudioTroubled, ExperimenterCalled, RecordingStarted, RecordingStopped, TalkPressed
from session.values.clock import ManualClock, Stamp
from subject.capture.take_file import ChannelEnd, TakeFile, TakeHeader
from subject.spool.spool import JOURNAL, DeskStorage
from subject.spool.takes import SpoolError

SOUND = bytes(range(256)) * 4
CALLED = Report(id="r1", event=ExperimenterCalled(at=Stamp("desk", 1, 2)))


def test_reports_come_back_as_they_went_in(tmp_path: Path) -> None:
    kept = DeskStorage(tmp_path, ManualClock())
    kept.add(CALLED)
    kept.close()
    again = DeskStorage(tmp_path, ManualClock())
    assert again.pending() == [CALLED]
    again.acknowledge("r1")
    assert again.pending() == []
    again.close()


def test_a_crash_in_the_middle_of_a_take_is_reported_once_however_often_the_desk_starts(tmp_path: Path) -> None:
    file = TakeFile(tmp_path, TakeHeader("T1", "s", 16_000, "a microphone", Stamp("desk", 1, 2)))
    file.hold(SOUND)
    file.flush()
    file.close()
    for _ in range(2):
        kept = DeskStorage(tmp_path, ManualClock())
        assert [(report.id, type(report.event)) for report in kept.pending()] == [
            ("T1-started", RecordingStarted),
            ("T1-recovered-s", AudioTroubled),
            ("T1-stopped", RecordingStopped),
        ]
        kept.close()
    kept = DeskStorage(tmp_path, ManualClock())
    stopped = kept.pending()[2].event
    assert isinstance(stopped, RecordingStopped)
    assert stopped.recovered
    assert kept.read("T1", "s", 0, 512) == SOUND
    assert kept.confirm("T1", "s", stopped.sealed[0].samples, stopped.sealed[0].sha256)
    kept.close()


def test_what_is_damaged_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b"nonsense\n")
    (tmp_path / "T1.s.pcm.part").write_bytes(SOUND)
    kept = DeskStorage(tmp_path, ManualClock())
    assert len(kept.warnings) == 2
    assert any("T1.s.pcm.part" in warning for warning in kept.warnings)
    assert any(f"{JOURNAL}, line 1" in warning for warning in kept.warnings)
    assert (tmp_path / "T1.s.pcm.part").read_bytes() == SOUND
    kept.close()


def test_a_take_that_the_recorder_sealed_is_kept_until_the_hub_has_it(tmp_path: Path) -> None:
    kept = DeskStorage(tmp_path, ManualClock())
    file = TakeFile(kept.directory, TakeHeader("T1", "s", 16_000, "a microphone", Stamp("desk", 1, 2)))
    file.hold(SOUND)
    sealed = file.seal(ChannelEnd())
    kept.sealed(sealed)
    assert not kept.confirm("T1", "s", 0, sealed.sha256)
    assert kept.confirm("T1", "s", sealed.samples, sealed.sha256)
    assert list(kept.spool.unconfirmed()) == []
    kept.close()


def test_a_disk_that_refuses_the_journal_stops_no_report(tmp_path: Path) -> None:
    kept = DeskStorage(tmp_path, ManualClock())
    add_all = kept.outbox.add_all

    def full(reports: object) -> None:
        raise OSError(28, "No space left on device")

    kept.outbox.add_all = full  # type: ignore[method-assign]
    kept.add(CALLED)
    assert kept.pending() == [CALLED]
    assert "make room" in kept.trouble
    kept.outbox.add_all = add_all  # type: ignore[method-assign]
    kept.add(Report(id="r2", event=CALLED.event))
    assert kept.trouble == ""
    kept.close()
    again = DeskStorage(tmp_path, ManualClock())
    assert [report.id for report in again.pending()] == ["r1", "r2"]
    again.close()


def test_a_press_after_which_the_desk_fell_at_once_is_followed_by_an_end(tmp_path: Path) -> None:
    pressed = Report(id="r1", event=TalkPressed(at=Stamp("desk", 1, 2), take="T1"))
    kept = DeskStorage(tmp_path, ManualClock())
    kept.add(pressed)
    (tmp_path / "T1.s.json.part.tmp").write_bytes(b"{")
    kept.close()
    for _ in range(2):
        kept = DeskStorage(tmp_path, ManualClock())
        first, stopped = kept.pending()
        assert (first, stopped.id) == (pressed, "T1-stopped")
        assert isinstance(stopped.event, RecordingStopped)
        assert (stopped.event.sealed, stopped.event.recovered) == ((), True)
        kept.close()


def full(*_: object) -> int:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("refused", ["write_once", "sync_directory"])
def test_a_start_on_a_full_disk_is_refused_while_a_take_is_unfinished_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    file = TakeFile(tmp_path, TakeHeader("T1", "s", 16_000, "a microphone", Stamp("desk", 1, 2)))
    file.hold(SOUND)
    file.flush()
    file.close()
    with monkeypatch.context() as patch:
        patch.setattr(f"subject.capture.take_file.{refused}", full)
        with pytest.raises(SpoolError, match="make room"):
            DeskStorage(tmp_path, ManualClock())
    kept = DeskStorage(tmp_path, ManualClock())
    assert [report.id for report in kept.pending()] == ["T1-started", "T1-recovered-s", "T1-stopped"]
    assert kept.read("T1", "s", 0, 512) == SOUND
    kept.close()


def test_what_a_full_disk_does_not_let_into_the_journal_at_the_start_goes_up_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = DeskStorage(tmp_path, ManualClock())
    file = TakeFile(kept.directory, TakeHeader("T1", "s", 16_000, "a microphone", Stamp("desk", 1, 2)))
    file.hold(SOUND)
    kept.sealed(file.seal(ChannelEnd()))
    kept.close()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        kept = DeskStorage(tmp_path, ManualClock())
    assert [report.id for report in kept.pending()] == ["T1-started", "T1-stopped"]
    assert "make room" in kept.troubles[0]
    kept.add(CALLED)
    assert kept.troubles == []
    kept.close()
    again = DeskStorage(tmp_path, ManualClock())
    assert {report.id for report in again.pending()} == {"T1-started", "T1-stopped", "r1"}
    again.close()
