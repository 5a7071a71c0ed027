"""The store's promises, on SQLite always and on PostgreSQL where CURTAIN_POSTGRES_URL names a server."""

import os
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import sqlalchemy as sa

from session import events as e
from session.answers import rows_of
from session.state import fold
from session.store import Entry, SecondWriter, Store, StoreUnavailable
from tests.session.examples import at, entries, opening

NAME = "bbn-20261121-1"
SECRET = "the quick brown fox flies to Denver"
SPOKEN = e.NoteWritten(text=SECRET)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/collection.sqlite"
        return
    server = os.environ.get("CURTAIN_POSTGRES_URL")
    if not server:
        pytest.skip("CURTAIN_POSTGRES_URL names no server")
    schema = f"curtain_{uuid4().hex}"
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
        own = sa.make_url(server).update_query_dict({"options": f"-csearch_path={schema}"})
        yield own.render_as_string(hide_password=False)
        connection.exec_driver_sql(f"DROP SCHEMA {schema} CASCADE")
    engine.dispose()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store(url)
    yield made
    made.close()


@pytest.fixture
def raw(url: str, store: Store) -> Iterator[Callable[..., None]]:
    """Runs statements as any other program would, in one transaction."""
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys = ON"))

    def run(*statements: str) -> None:
        with engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)

    yield run
    engine.dispose()


def started(store: Store, *more: e.Fact) -> list[e.Recorded]:
    return store.append(NAME, 0, entries(opening(), *more))


def test_what_is_appended_is_read_back_equal_by_another_store(url: str, store: Store) -> None:
    table = rows_of(["a", "b"], [[1, "x"], [None, 2.5]], more=True)
    returned = e.QueryReturned(attempt="A", sql="SELECT 1", table=table, took=5, database_version="1")
    written = started(store, returned) + store.append(NAME, 2, [Entry(at(9), "wizard", "C7", SPOKEN)])
    assert [(each.session, each.seq, each.by, each.cause) for each in written] == [
        (NAME, 1, "hub", ""),
        (NAME, 2, "hub", ""),
        (NAME, 3, "wizard", "C7"),
    ]
    other = Store(url)
    assert other.read(NAME) == store.read(NAME) == written
    assert other.read(NAME, after=2) == written[2:]
    assert fold(other.read(NAME)).notes == (SECRET,)
    other.close()


def test_a_stream_that_nobody_wrote_is_empty(store: Store) -> None:
    assert (store.read("none"), store.head("none"), store.verify("none"), store.streams()) == ([], "", [], [])


def test_streams_are_listed_with_their_size_head_and_first_type(store: Store) -> None:
    started(store, SPOKEN)
    store.append(f"{NAME}/links", 0, entries(e.DeskDetached(role="subject", desk="d", why="gone")))
    infos = store.streams()
    assert [(info.stream, info.events, info.first_type) for info in infos] == [
        (NAME, 2, "SessionOpened"),
        (f"{NAME}/links", 1, "DeskDetached"),
    ]
    assert [info.head for info in infos] == [store.head(NAME), store.head(f"{NAME}/links")]
    assert len(store.head(NAME)) == 64


def test_a_second_writer_loses_and_is_told_so(url: str, store: Store) -> None:
    started(store)
    other = Store(url)
    other.append(NAME, 1, entries(SPOKEN))
    with pytest.raises(SecondWriter, match="another program writes"):
        store.append(NAME, 1, entries(e.SessionResumed()))
    assert [type(each.event) for each in store.read(NAME)] == [e.SessionOpened, e.NoteWritten]
    assert store.append(NAME, 2, entries(e.SessionResumed()))[0].seq == 3
    other.close()


def test_an_append_is_whole_or_not_at_all(url: str, store: Store) -> None:
    started(store)
    other = Store(url)
    with pytest.raises(SecondWriter):
        other.append(NAME, 0, entries(opening(), SPOKEN))
    assert len(store.read(NAME)) == 1
    assert store.verify(NAME) == []
    other.close()


def test_nothing_is_appended_behind_a_gap(store: Store) -> None:
    with pytest.raises(ValueError, match="no event 5"):
        store.append(NAME, 5, entries(SPOKEN))


def test_appending_nothing_does_nothing(store: Store) -> None:
    assert store.append(NAME, 0, []) == []
    assert store.streams() == []


def test_several_threads_can_read_while_one_writes(store: Store) -> None:
    started(store)
    wrong: list[str] = []

    def read() -> None:
        for _ in range(20):
            seqs = [each.seq for each in store.read(NAME)]
            if seqs != list(range(1, len(seqs) + 1)):
                wrong.append(str(seqs))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for seq in range(1, 30):
        store.append(NAME, seq, entries(e.NoteWritten(text=str(seq))))
    for reader in readers:
        reader.join()
    assert wrong == []
    assert len(store.read(NAME)) == 30


# --- the chain ----------------------------------------------------------------------------------------------------------


def test_an_untouched_stream_verifies_and_its_head_vouches_for_its_end(store: Store) -> None:
    started(store, SPOKEN)
    kept = store.head(NAME)
    assert store.verify(NAME, kept) == []
    store.append(NAME, 2, entries(SPOKEN))
    assert store.verify(NAME) == []
    assert "cut off or added" in store.verify(NAME, kept)[0]


def test_nothing_that_was_spoken_stands_in_an_envelope(store: Store) -> None:
    started(store, SPOKEN)
    for stored in store.raw(NAME):
        assert SECRET.encode() not in stored.envelope
        assert b"33" not in stored.envelope.replace(stored.digest.hex().encode(), b"").split(b'"payload"')[0]


def test_equal_payloads_do_not_betray_themselves_by_equal_hashes(store: Store) -> None:
    started(store, SPOKEN, SPOKEN)
    second, third = (stored.envelope.split(b'"payload":')[1] for stored in store.raw(NAME)[1:])
    assert second != third


def test_salts_given_by_the_caller_make_equal_bytes(tmp_path: Path) -> None:
    heads = []
    for name in "ab":
        made = Store(f"sqlite:///{tmp_path}/{name}.sqlite", salt=lambda stream, seq: f"{stream}{seq}".encode())
        started(made, SPOKEN)
        heads.append(made.head(NAME))
        made.close()
    assert heads[0] == heads[1]


@pytest.mark.parametrize(
    ("damage", "finding"),
    [
        ("UPDATE events SET envelope = X'7b7d' WHERE seq = 2", "was changed"),
        ("UPDATE events SET prev = X'00' WHERE seq = 2", "does not follow"),
        ("UPDATE payloads SET payload = X'7b7d' WHERE seq = 2", "holds another payload"),
        ("DELETE FROM payloads WHERE seq = 2", "no withdrawal"),
        ("DELETE FROM events WHERE seq = 2", "should"),
        ("UPDATE events SET seq = 9 WHERE seq = 3", "should"),
        ("UPDATE events SET stream = 'other'", "says that it is"),
    ],
)
def test_verify_finds_every_kind_of_damage(tmp_path: Path, damage: str, finding: str) -> None:
    path = tmp_path / "x.sqlite"
    store = Store(f"sqlite:///{path}")
    started(store, SPOKEN, SPOKEN)
    with sqlite3.connect(path) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute(damage)
    connection.close()
    stream = store.streams()[0].stream if "other" not in damage else "other"
    assert any(finding in each for each in store.verify(stream))
    store.close()


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE events SET digest = prev"],
        ["DELETE FROM events WHERE seq = 2"],
        ["UPDATE payloads SET salt = payload"],
        ["DELETE FROM payloads WHERE seq = 2"],
        [f"INSERT INTO erasing VALUES ('{NAME}', 3)", "DELETE FROM payloads WHERE seq = 2"],
        [f"INSERT INTO erasing VALUES ('{NAME}', 3)", "DELETE FROM payloads WHERE seq = 2", "DELETE FROM erasing"],
        [f"INSERT INTO erasing VALUES ('{NAME}', 2)", "DELETE FROM payloads WHERE seq = 2"],
        [f"INSERT INTO erasing VALUES ('{NAME}', 3)", "UPDATE erasing SET seq = 2"],
        [f"INSERT INTO events SELECT '{NAME}', 3, envelope, prev, digest FROM events WHERE seq = 2"],
        [f"INSERT INTO events SELECT '{NAME}', 4, envelope, digest, digest FROM events WHERE seq = 2"],
        [
            f"INSERT INTO erasing VALUES ('{NAME}', 3)",
            "DELETE FROM payloads WHERE seq = 2",
            f"INSERT INTO events SELECT '{NAME}', 3, envelope, digest, digest FROM events WHERE seq = 2",
        ],
    ],
)
def test_the_database_itself_refuses(store: Store, raw: Callable[..., None], statements: list[str]) -> None:
    before = started(store, SPOKEN)
    with pytest.raises(sa.exc.IntegrityError):
        raw(*statements)
    assert store.read(NAME) == before
    assert store.verify(NAME) == []


def test_replacing_is_refused_too(tmp_path: Path) -> None:
    """SQLite's REPLACE would not fire the triggers that guard deletion."""
    store = Store(f"sqlite:///{tmp_path}/x.sqlite")
    started(store, SPOKEN)
    connection = sqlite3.connect(tmp_path / "x.sqlite")
    for table in ("events", "payloads"):
        with pytest.raises(sqlite3.IntegrityError, match="exists already"):
            connection.execute(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} WHERE seq = 2")
    connection.close()
    store.close()


# --- withdrawal -----------------------------------------------------------------------------------------------------------

WITHDRAWN = e.SpeakerWithdrawn(speaker="001", erased=0)


def test_after_a_withdrawal_the_chain_holds_and_the_payloads_are_gone(store: Store) -> None:
    started(store, SPOKEN)
    store.append(f"{NAME}/links", 0, entries(e.CallAnswered()))
    store.append("bbn-20261121-2", 0, entries(SPOKEN))
    assert store.withdraw([NAME, f"{NAME}/links"], "experimenter", at(99), WITHDRAWN) == 3
    read = store.read(NAME)
    assert [each.event for each in read] == [
        e.Redacted(of="SessionOpened"),
        e.Redacted(of="NoteWritten"),
        e.SpeakerWithdrawn(speaker="001", erased=2),
    ]
    assert (read[2].by, read[2].at) == ("experimenter", at(99))
    assert store.verify(NAME) == store.verify(f"{NAME}/links") == []
    assert store.read("bbn-20261121-2")[0].event == SPOKEN
    assert fold(read).notes == ()


def test_withdrawing_again_changes_nothing(store: Store) -> None:
    started(store, SPOKEN)
    store.withdraw([NAME], "experimenter", at(99), WITHDRAWN)
    before = store.read(NAME)
    assert store.withdraw([NAME], "experimenter", at(100), WITHDRAWN) == 0
    assert store.read(NAME) == before


def test_a_stream_goes_on_after_a_withdrawal_but_its_old_writer_is_told(url: str, store: Store) -> None:
    started(store)
    other = Store(url)
    other.withdraw([NAME], "experimenter", at(99), WITHDRAWN)
    with pytest.raises(SecondWriter):
        store.append(NAME, 1, entries(SPOKEN))
    store.append(NAME, 2, entries(SPOKEN))
    assert store.verify(NAME) == []
    other.close()


def test_an_unknown_stream_stops_a_withdrawal_before_anything_is_erased(store: Store) -> None:
    before = started(store, SPOKEN)
    with pytest.raises(ValueError, match="no stream zzz"):
        store.withdraw([NAME, "zzz"], "experimenter", at(99), WITHDRAWN)
    assert store.read(NAME) == before


def test_no_byte_of_what_was_erased_is_left_in_sqlite_s_files(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/x.sqlite")
    started(store, e.NoteWritten(text=SECRET * 500), SPOKEN)
    assert any(SECRET.encode() in path.read_bytes() for path in tmp_path.iterdir())
    store.withdraw([NAME], "experimenter", at(99), WITHDRAWN)
    assert not any(SECRET.encode() in path.read_bytes() for path in tmp_path.iterdir())
    store.close()


# --- when the database is out of order -----------------------------------------------------------------------------------------


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "collection.sqlite"
    path.write_text("hello, this is a text file and nothing like a database " * 20)
    with pytest.raises(StoreUnavailable, match=r"collection\.sqlite is no SQLite database"):
        Store(f"sqlite:///{path}")
    assert path.read_text().startswith("hello")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"nowhere/collection\.sqlite cannot be opened"):
        Store(f"sqlite:///{tmp_path}/nowhere/collection.sqlite")


@pytest.mark.parametrize(
    ("url", "said"),
    [("mysql://h/x", "not mysql"), ("nonsense", "no database that can be used"), ("oracle://h/x", "not oracle")],
)
def test_another_kind_of_database_is_refused(url: str, said: str) -> None:
    with pytest.raises(StoreUnavailable, match=said):
        Store(url)


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(StoreUnavailable, match="does not work") as raised:
        Store("postgresql+psycopg://ida:secret@127.0.0.1:1/x?connect_timeout=2")
    assert "secret" not in str(raised.value)


def test_a_database_held_by_another_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session.store.BUSY_MS", 1)
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
        "from session.store import Store\n"
        "from tests.session.examples import entries, opening\n"
        "store = Store(sys.argv[1])\n"
        "store.append('bbn-20261121-1', 0, entries(opening()))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    url = f"sqlite:///{tmp_path}/x.sqlite"
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", program, url], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    store = Store(url)
    assert store.read(NAME)[0].event == opening()
    assert store.verify(NAME) == []
    store.close()


def test_sqlite_runs_in_wal_mode_with_full_synchronisation_and_for_its_owner_only(tmp_path: Path) -> None:
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
    raw("UPDATE curtain_store SET format = 2")
    with pytest.raises(StoreUnavailable, match="format 2, this release knows 1"):
        Store(url)
