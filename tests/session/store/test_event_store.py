"""The store's promises, on SQLite always and on PostgreSQL where CURTAIN_POSTGRES_URL names a server."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from session import events as e
from session.state.fold import fold
from session.store.event_store import Entry, SecondWriter, Store
from session.values.answers import rows_of
from tests.session.examples import at, entries, opening
from tests.session.stores import NAME, SECRET, SPOKEN, started


def test_what_is_appended_is_read_back_equal_by_another_store(url: str, store: Store) -> None:
    table = rows_of(["a", "b"], [[1, "x"], [None, 2.5]], more=True)
    returned = e.QueryReturned(attempt="A", sql="SELECT 1", table=table, took=5, database_version="1")
    written = started(store, returned) + store.append(NAME, 2, [Entry(at(9), "wizard", "C7", SPOKEN)])
    assert [(fact.session, fact.seq, fact.by, fact.cause) for fact in written] == [
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


def test_streams_are_listed_with_their_size_and_head(store: Store) -> None:
    started(store, SPOKEN)
    store.append(f"{NAME}/links", 0, entries(e.DeskDetached(role="subject", desk="d", why="gone")))
    infos = store.streams()
    assert [(info.stream, info.events) for info in infos] == [(NAME, 2), (f"{NAME}/links", 1)]
    assert [info.head for info in infos] == [store.head(NAME), store.head(f"{NAME}/links")]
    assert len(store.head(NAME)) == 64
    assert store.lengths() == {info.stream: info.events for info in infos}


def test_many_streams_are_read_in_parts_as_each_of_them_is(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session.store.event_store.AT_ONCE", 2)
    started(store, SPOKEN)
    names = [NAME, "none", *(f"{NAME}/{number}" for number in range(4))]
    for name in names[2:]:
        store.append(name, 0, entries(e.DeskDetached(role="subject", desk=name, why="gone"), SPOKEN))
    assert dict(store.read_many(names)) == {name: store.read(name) for name in names if name != "none"}


def test_a_second_writer_loses_and_is_told_so(url: str, store: Store) -> None:
    started(store)
    other = Store(url)
    other.append(NAME, 1, entries(SPOKEN))
    with pytest.raises(SecondWriter, match="another program writes"):
        store.append(NAME, 1, entries(e.SessionResumed()))
    assert [type(fact.event) for fact in store.read(NAME)] == [e.SessionOpened, e.NoteWritten]
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
            seqs = [fact.seq for fact in store.read(NAME)]
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
    assert any(finding in line for line in store.verify(stream))
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
    assert [fact.event for fact in read] == [
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
