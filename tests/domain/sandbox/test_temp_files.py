"""What SQLite spills is seen: by its open files, or by the disk where those are not shown."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from domain.sandbox.sandbox import Limits, Sandbox
from domain.sandbox.temp_files import scratch_gauge
from session.values.answers import FailureKind, QueryFailure


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the open files of a process")
def test_a_sort_that_spills_too_much_is_stopped_before_its_time(tmp_path: Path) -> None:
    path = tmp_path / "things.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE thing (code TEXT)")
        connection.executemany("INSERT INTO thing VALUES (?)", [("x" * 100,) for _ in range(1_000)])
    sandbox = Sandbox(f"sqlite:///{path}", Limits(seconds=60, scratch_bytes=10_000_000))
    with pytest.raises(QueryFailure) as caught:
        sandbox.run("SELECT a.code || b.code AS pair FROM thing a, thing b ORDER BY b.rowid * a.rowid")
    assert caught.value.kind is FailureKind.TOO_LARGE
    assert caught.value.message == "The query sorts or groups too many rows; add a condition or a join."


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows the open files of a process")
def test_only_temporary_files_of_sqlite_are_counted(tmp_path: Path) -> None:
    gauge = scratch_gauge()
    before = gauge()
    with (tmp_path / "recording.pcm").open("wb") as other, (tmp_path / "etilqs_abc").open("wb") as own:
        other.write(b"x" * 5_000)
        own.write(b"x" * 3_000)
        other.flush()
        own.flush()
        assert gauge() - before == 3_000
    assert gauge() == before


def test_the_disk_is_measured_where_open_files_are_not_shown(tmp_path: Path) -> None:
    assert scratch_gauge(tmp_path / "no proc here")() > 0
