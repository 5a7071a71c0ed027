"""Disks that are really full and folders that are really read-only, on a file system of a few megabytes."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.torture.small_disk import Disk
from session.collection.recordings import Recordings
from session.commands import Report
from session.events import ExperimenterCalled, NoteWritten
from session.store.event_store import Entry, Store, StoreUnavailable
from session.values.clock import ManualClock, Stamp
from session.values.vocabulary import AudioTrouble
from subject.desk import desk_name
from subject.spool.spool import DeskStorage
from subject.spool.takes import SpoolError
from tests.subject.bench import BLOCK, Bench

AT = Stamp("hub", 0, 0)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path / "disk", 4)
    if not disk.real:
        pytest.skip("this user may not mount a file system")
    yield disk
    disk.read_only(False)
    disk.close()


def test_a_take_outlives_a_disk_that_is_full_for_a_while(disk: Disk) -> None:
    bench = Bench(disk.path).open()
    bench.run(50)
    bench.press()
    bench.run(50)
    disk.fill()
    bench.run(150)
    disk.free()
    bench.run(60)
    bench.release()
    bench.run(30)
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 310 * BLOCK + 4800])
    [refused] = bench.troubles()
    assert refused.trouble is AudioTrouble.DISK
    assert "No space left" in refused.detail


def test_what_a_disk_that_stays_full_holds_of_a_take_is_kept_and_the_rest_counted(disk: Disk) -> None:
    bench = Bench(disk.path).open()
    bench.run(50)
    bench.press()
    bench.run(50)
    disk.fill()
    bench.run(100)
    bench.release()
    bench.run(30)
    whole = bench.spoken[50 * BLOCK - 4800 : 200 * BLOCK + 4800]
    [stopped] = bench.stopped()
    kept = stopped.sealed[0].samples
    lost = bench.troubles(AudioTrouble.DISK)[-1]
    assert 50 * BLOCK <= kept < len(whole)
    assert (lost.at_sample, lost.samples) == (kept, len(whole) - kept)
    bench.recorder.close()
    with pytest.raises(SpoolError, match="make room"):
        DeskStorage(disk.path, ManualClock())
    disk.free()
    again = DeskStorage(disk.path, ManualClock())
    pcm = again.read("T1", "s", 0, kept)
    assert pcm == whole[:kept].astype("<i2").tobytes()
    assert stopped.sealed[0].sha256 == hashlib.sha256(pcm).hexdigest()
    again.close()


def test_a_store_on_a_full_disk_refuses_in_words_and_goes_on_when_there_is_room(disk: Disk) -> None:
    store = Store(f"sqlite:///{disk.path}/collection.sqlite")
    notes = [Entry(AT, "wizard", f"n{number}", NoteWritten(text="x" * 4_000)) for number in range(60)]
    store.append("bbn-20261121-1", 0, notes[:20])
    disk.fill()
    with pytest.raises(StoreUnavailable, match="no space left"):
        store.append("bbn-20261121-1", 20, notes[20:])
    assert len(store.read("bbn-20261121-1")) == 20
    disk.free()
    store.append("bbn-20261121-1", 20, notes[20:])
    assert store.verify("bbn-20261121-1") == []
    assert len(store.read("bbn-20261121-1")) == 60
    store.close()


def test_recordings_on_a_full_disk_say_so_and_what_lacks_is_known(disk: Disk) -> None:
    recordings, pcm = Recordings(disk.path / "recordings"), bytes(range(256)) * 2_000
    recordings.write("bbn-20261121-1", "T1", "s", 0, pcm[:4_096])
    disk.fill()
    with pytest.raises(OSError, match="No space left"):
        recordings.write("bbn-20261121-1", "T1", "s", 2_048, pcm[4_096:])
    disk.free()
    for first, count in recordings.missing("bbn-20261121-1", "T1", "s", len(pcm) // 2):
        recordings.write("bbn-20261121-1", "T1", "s", first, pcm[2 * first : 2 * (first + count)])
    assert recordings.seal("bbn-20261121-1", "T1", "s", len(pcm) // 2, hashlib.sha256(pcm).hexdigest())
    recordings.close()


def test_a_journal_on_a_full_disk_keeps_its_reports_in_memory_and_writes_them_when_there_is_room(disk: Disk) -> None:
    kept = DeskStorage(disk.path, ManualClock())
    kept.add(Report(id="r0", event=ExperimenterCalled(at=AT)))
    disk.fill()
    for number in range(1, 60):
        kept.add(Report(id=f"r{number}", event=ExperimenterCalled(at=AT)))
    assert "make room" in kept.troubles[0]
    assert len(kept.pending()) == 60
    disk.free()
    kept.add(Report(id="last", event=ExperimenterCalled(at=AT)))
    assert kept.troubles == []
    kept.close()
    again = DeskStorage(disk.path, ManualClock())
    assert {report.id for report in again.pending()} == {"last", *(f"r{number}" for number in range(60))}
    again.close()


def test_a_folder_that_may_only_be_read_is_refused_in_words_everywhere(disk: Disk) -> None:
    (disk.path / "spool").mkdir()
    Store(f"sqlite:///{disk.path}/collection.sqlite").close()
    assert disk.read_only(True)
    with pytest.raises(SpoolError, match="Make it writable"):
        DeskStorage(disk.path / "spool", ManualClock())
    with pytest.raises(SpoolError, match="cannot be kept"):
        desk_name(disk.path / "spool", ManualClock())
    with pytest.raises(OSError, match="Read-only"):
        Recordings(disk.path / "recordings").write("bbn-20261121-1", "T1", "s", 0, b"\0\0")
    with pytest.raises(StoreUnavailable, match="may be written") as refused:
        Store(f"sqlite:///{disk.path}/collection.sqlite")
    assert "collection.sqlite" in str(refused.value)
