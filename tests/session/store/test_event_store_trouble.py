"""A store whose database is missing, full, held, newer or killed says so in one sentence and loses nothing."""

import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from session import events as e
from session.store import database
from session.store.event_store import Store, StoreUnavailable
from session.store.types import UnstorableValue, database_problem
from session.values.answers import Table
from tests import ROOT
from tests.session.examples import entries, opening
from tests.session.stores import NAME, SPOKEN, started
from tests.unsynchronised import Careful


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "collection.sqlite"
    path.write_text("hello, this is a text file and nothing like a database " * 20)
    with pytest.raises(StoreUnavailable, match=r"collection\.sqlite is not an SQLite database"):
        Store(f"sqlite:///{path}")
    assert path.read_text().startswith("hello")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"nowhere/collection\.sqlite cannot be opened"):
        Store(f"sqlite:///{tmp_path}/nowhere/collection.sqlite")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://h/x", "not mysql"),
        ("nonsense", "is not an SQLAlchemy URL, such as postgresql"),
        ("oracle://h/x", "not oracle"),
        ("postgresql+none://h/x", "write sqlite or postgresql"),
    ],
)
def test_another_kind_of_database_is_refused(url: str, said: str) -> None:
    with pytest.raises(StoreUnavailable, match=said):
        Store(url)


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(StoreUnavailable, match="does not answer; start its server, or correct its address") as raised:
        Store("postgresql+psycopg://ida:secret@127.0.0.1:1/x?connect_timeout=2")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ('connection to server at "h", port 5432 failed: Connection refused', "start its server"),
        ('connection to server on socket "/run/.s.PGSQL.5432" failed: No such file or directory', "start its server"),
        ("connection timeout expired", "start its server"),
        ("failed to resolve host 'nowhere': [Errno -2] Name or service not known", "correct its name"),
        ('FATAL:  password authentication failed for user "ida"', "PGPASSWORD"),
        ("fe_sendauth: no password supplied", "PGPASSWORD"),
        ('FATAL:  database "x" does not exist', "createdb"),
        ('FATAL:  role "ida" does not exist', "createuser"),
        ("server closed the connection unexpectedly", "start that again"),
        ("No module named 'psycopg'", "pip install"),
    ],
)
def test_what_a_server_says_is_told_with_its_remedy(said: str, remedy: str) -> None:
    assert remedy in database_problem(Exception(said))


def test_a_database_held_by_another_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session.store.sqlite_file.BUSY_MS", 1)
    path = tmp_path / "x.sqlite"
    store = Store(f"sqlite:///{path}")
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match=r"held by another program.*not recorded"):
        started(store)
    holder.execute("ROLLBACK")
    assert started(store)[0].seq == 1
    holder.close()
    store.close()


def test_a_disk_that_takes_no_more_loses_nothing_and_appending_goes_on_afterwards(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/x.sqlite")
    started(store)
    size = max(path.stat().st_size for path in tmp_path.iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        with pytest.raises(StoreUnavailable, match="The events were not recorded"):
            store.append(NAME, 1, entries(e.NoteWritten(text="x" * 200_000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert len(store.read(NAME)) == 1
    assert store.append(NAME, 1, entries(SPOKEN))[0].seq == 2
    assert store.verify(NAME) == []
    store.close()


def test_what_was_appended_survives_kill_9(tmp_path: Path) -> None:
    program = (
        "import os, sys\n"
        "from session.store.event_store import Store\n"
        "from tests.session.examples import entries, opening\n"
        "store = Store(sys.argv[1])\n"
        "store.append('bbn-20261121-1', 0, entries(opening()))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    url = f"sqlite:///{tmp_path}/x.sqlite"
    root = ROOT
    done = subprocess.run([sys.executable, "-c", program, url], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    store = Store(url)
    assert store.read(NAME)[0].event == opening()
    assert store.verify(NAME) == []
    store.close()


def test_sqlite_runs_in_wal_mode_with_full_synchronisation_and_for_its_owner_only(
    tmp_path: Path, careful: Careful, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_careful", careful)
    path = tmp_path / "x.sqlite"
    store = Store(f"sqlite:///{path}")
    with store._engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys", "secure_delete")
        }
    assert found == {
        "journal_mode": "wal", "synchronous": 2, "busy_timeout": 5000, "foreign_keys": 1, "secure_delete": 1
    }  # fmt: skip
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    store.close()


def test_a_store_in_memory_serves_all_threads() -> None:
    store = Store("sqlite://")
    started(store)
    counts: list[int] = []
    reader = threading.Thread(target=lambda: counts.append(len(store.read(NAME))))
    reader.start()
    reader.join()
    assert counts == [1]
    store.close()


def test_a_newer_format_is_refused(url: str, store: Store, raw: Callable[..., None]) -> None:
    raw("UPDATE curtain_store SET format = 3")
    with pytest.raises(StoreUnavailable, match="format 3, this release knows 1 and 2"):
        Store(url)


def test_a_store_that_cannot_be_opened_keeps_no_connection(
    url: str, store: Store, raw: Callable[..., None], connected: list[object]
) -> None:
    raw("ALTER TABLE curtain_store RENAME COLUMN format TO kind")
    before = len(connected)
    with pytest.raises(StoreUnavailable, match="Nothing could be read"):
        Store(url)
    assert len(connected) == before


def test_what_a_thread_still_reads_by_when_a_store_is_closed_is_closed_after_it(
    url: str, connected: list[object]
) -> None:
    before = len(connected)
    store = Store(url)
    with store._engine.connect():
        store.close()
        assert len(connected) > before
    assert len(connected) == before


@pytest.mark.parametrize("url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)
def test_a_connection_that_the_server_dropped_is_made_anew(store: Store, raw: Callable[..., None]) -> None:
    started(store)
    # why: without a time to wait, the server answers before the connection has ended, and the store may still use it
    raw(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE pid <> pg_backend_pid() AND usename = current_user"
    )
    assert store.append(NAME, 1, entries(SPOKEN))[0].seq == 2
    assert store.verify(NAME) == []


@pytest.mark.parametrize("acknowledged", [1, 6, 25])
def test_kill_9_in_the_middle_of_appending_loses_nothing_that_was_acknowledged(
    tmp_path: Path, acknowledged: int
) -> None:
    program = (
        "import sys\n"
        "from session import events as e\n"
        "from session.store.event_store import Store\n"
        "from tests.session.examples import entries\n"
        "store = Store(sys.argv[1])\n"
        "for seq in range(10_000):\n"
        "    store.append('s', seq, entries(e.NoteWritten(text=str(seq + 1))))\n"
        "    print(seq + 1, flush=True)\n"
    )
    url = f"sqlite:///{tmp_path}/x.sqlite"
    root = ROOT
    with subprocess.Popen([sys.executable, "-c", program, url], cwd=root, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        durable = [int(child.stdout.readline()) for _ in range(acknowledged)]
        child.kill()
        durable += map(int, child.stdout.read().split())
    store = Store(url)
    stored = [fact.event for fact in store.read("s")]
    assert len(stored) >= durable[-1]
    assert stored == [e.NoteWritten(text=str(number)) for number in range(1, len(stored) + 1)]
    assert store.verify("s") == []
    store.append("s", len(stored), entries(SPOKEN))
    store.close()


def test_a_file_that_is_removed_replaced_or_moved_in_use_is_noticed_at_the_next_fact(tmp_path: Path) -> None:
    path, aside = tmp_path / "x.sqlite", tmp_path / "aside"
    store = Store(f"sqlite:///{path}")
    started(store)
    path.rename(aside)
    with pytest.raises(
        StoreUnavailable, match=r"x\.sqlite was moved, removed or replaced.*not recorded.*Put the very file"
    ):
        store.append(NAME, 1, entries(SPOKEN))
    path.write_bytes(aside.read_bytes())
    with pytest.raises(StoreUnavailable, match="replaced while it is in use"):
        store.append(NAME, 1, entries(SPOKEN))
    path.unlink()
    aside.rename(path)
    assert store.append(NAME, 1, entries(SPOKEN))[0].seq == 2
    assert store.verify(NAME) == []
    store.close()


@pytest.mark.parametrize(
    "fact",
    [
        e.QueryReturned(attempt="A", sql="", table=Table(("x",), ((float("nan"),),)), took=1, database_version="1"),
        e.QueryReturned(attempt="A", sql="", table=Table(("x",), ((float("inf"),),)), took=1, database_version="1"),
        e.NoteWritten(text=7),  # type: ignore[arg-type]
    ],
)
def test_a_fact_that_would_be_read_back_as_another_is_refused(tmp_path: Path, fact: e.Fact) -> None:
    store = Store(f"sqlite:///{tmp_path}/x.sqlite")
    started(store)
    with pytest.raises(UnstorableValue, match="would be read back as another"):
        store.append(NAME, 1, entries(SPOKEN, fact))
    assert len(store.read(NAME)) == 1
    store.close()
