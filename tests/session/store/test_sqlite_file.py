"""A file of streams by the driver alone is the one that the store reads and writes, and fails as that does."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from corpus.centre.facts import LEDGER, BugTriaged
from session.store.event_store import Store
from session.store.sqlite_file import StreamsFile
from session.store.types import Entry, SecondWriter, StoreBusy, StoreDamaged, StoreUnavailable
from session.values.clock import Stamp

AT = Stamp("manual", 1, 2)
FACTS = [Entry(AT, "centre", "", BugTriaged(bug=number, state="fixed", reason="ü")) for number in range(3)]  # type: ignore[arg-type]


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger with one fact, as the store makes it."""
    with closing(Store(f"sqlite:///{tmp_path / 'ledger.sqlite'}", LEDGER)) as store:
        store.append("centre", 0, FACTS[:1])
    return tmp_path / "ledger.sqlite"


def test_both_continue_one_chain(ledger: Path) -> None:
    with closing(StreamsFile(ledger, LEDGER)) as streams:
        streams.append("centre", 1, FACTS[1:2])
        streams.append("about-8k9", 0, FACTS[:1])
    with closing(Store(f"sqlite:///{ledger}", LEDGER)) as store:
        store.append("centre", 2, FACTS[2:])
        assert [found.event for found in store.read("centre")] == [entry.event for entry in FACTS]
        assert store.verify("centre") == store.verify("about-8k9") == []
        expected = store.read("centre")
    with closing(StreamsFile(ledger, LEDGER)) as streams:
        assert streams.lengths() == {"about-8k9": 1, "centre": 3}
        assert streams.read("centre") == expected
        assert streams.verify("centre") == []


def test_whoever_comes_second_is_told_so_and_nothing_of_it_stays(ledger: Path) -> None:
    with closing(StreamsFile(ledger, LEDGER)) as streams, closing(StreamsFile(ledger, LEDGER)) as other:
        other.append("centre", 1, FACTS[1:2])
        with pytest.raises(SecondWriter, match="event 2 of centre exists already: another program"):
            streams.append("centre", 1, FACTS[1:])
        assert streams.lengths() == {"centre": 2}
        streams.append("centre", 2, FACTS[2:])


def test_a_file_that_another_program_holds(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session.store.sqlite_file.BUSY_MS", 1)
    with closing(StreamsFile(ledger, LEDGER)) as streams, closing(sqlite3.connect(ledger)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"is held by another program; close it\. The events were not recorded"):
            streams.append("centre", 1, FACTS[1:])


def test_a_file_that_was_replaced_while_it_was_open(ledger: Path) -> None:
    with closing(StreamsFile(ledger, LEDGER)) as streams:
        ledger.rename(ledger.with_name("elsewhere.sqlite"))
        ledger.touch()
        with pytest.raises(StoreUnavailable, match=r"was moved, removed or replaced .* were not recorded"):
            streams.append("centre", 1, FACTS[1:])
        assert streams.lengths() == {"centre": 1}


def test_what_is_no_ledger(tmp_path: Path, ledger: Path) -> None:
    (tmp_path / "text").write_text("no database, however long it may be\n" * 50)
    with pytest.raises(StoreDamaged, match=r"is not an SQLite database\. Nothing was opened"):
        StreamsFile(tmp_path / "text", LEDGER)
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        StreamsFile(tmp_path / "nowhere" / "ledger.sqlite", LEDGER)
    with closing(sqlite3.connect(ledger)) as newer:
        newer.execute("UPDATE curtain_store SET format = 7")
        newer.commit()
    with pytest.raises(StoreUnavailable, match="format 7"):
        StreamsFile(ledger, LEDGER)


def test_a_payload_that_was_changed_is_found(ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as forger:
        for (trigger,) in forger.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            forger.execute(f"DROP TRIGGER {trigger}")
        forger.execute("UPDATE payloads SET payload = replace(CAST(payload AS TEXT), 'fixed', 'refused')")
        forger.commit()
    with closing(StreamsFile(ledger, LEDGER)) as streams:
        assert streams.verify("centre") == ["centre: event 1 holds another payload than the one that was written"]
