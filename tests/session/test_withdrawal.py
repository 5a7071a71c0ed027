"""What a study holds of a person goes from store, recordings and spools; tests of the whole command stand in tests/corpus."""

import fcntl
import random
from pathlib import Path

import msgspec
import pytest

from session import events as e
from session import opening
from session.clock import ManualClock
from session.making import new
from session.store import Entry, Store
from session.study import Speaker
from session.studyfolder import Study, load
from session.withdrawal import Erased, StillRunning, erase, sessions_of

MARK = "secret~"
EMPTY = len(msgspec.json.encode(e.NoteWritten(text="")))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return new(tmp_path / "study")


def stamped(event: e.Fact) -> Entry:
    return Entry(e.NOWHERE, "hub", "", event)


def opened(study: Study, speaker: str) -> Entry:
    return stamped(e.SessionOpened(site="lab", speaker=Speaker(speaker), protocol=study.protocol("1")))


@pytest.mark.parametrize("seed", [34, 51])
def test_no_copy_stays_where_the_database_moved_its_cells(tmp_path: Path, seed: int) -> None:
    """Sizes of payloads with which zeroing alone leaves one in the unused part of a page (SQLite 3.40)."""
    draw = random.Random(seed)
    store = Store(f"sqlite:///{tmp_path / 'events.sqlite'}")
    for number in (1, 2):
        sizes = [2800, *(draw.randint(30, 400) for _ in range(110))]
        facts = [
            stamped(e.NoteWritten(text=(MARK if number == 1 else "harmless").ljust(size - EMPTY, "x")))
            for size in sizes
        ]
        store.append(f"bbn-20261121-{number}", 0, facts)
    store.append("bbn-20261121-1/links", 0, [stamped(e.NoteWritten(text=MARK.ljust(120 - EMPTY, "x")))])
    fact = e.SpeakerWithdrawn(speaker="002", erased=0)
    assert store.withdraw(["bbn-20261121-1", "bbn-20261121-1/links"], "experimenter", e.NOWHERE, fact) == 112
    assert [store.verify(info.stream) for info in store.streams()] == [[], [], []]
    assert len(store.read("bbn-20261121-2")) == 111
    store.close()
    assert MARK.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_all_sessions_of_a_speaker_are_found_before_and_after(study: Study) -> None:
    store = Store(study.store_url)
    for number, speaker in ((1, "001"), (2, "002"), (3, "001")):
        store.append(f"lab-20261121-{number}", 0, [opened(study, speaker)])
    wanted = ["lab-20261121-1", "lab-20261121-3"]
    assert sessions_of(store, "001") == wanted
    assert erase(study, store, "001", (), ManualClock()) == Erased(tuple(wanted), 2, 0, ())
    assert sessions_of(store, "001") == wanted
    assert erase(study, store, "001", (), ManualClock()) == Erased(tuple(wanted), 0, 0, ())
    assert opening.first_scenario(store, "002") == 1
    store.close()


def test_a_link_in_the_place_of_a_folder_is_removed_and_not_followed(study: Study, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "dear.txt").write_text("stays", "utf-8")
    study.recordings.mkdir()
    (study.recordings / "lab-20261121-1").symlink_to(elsewhere)
    store = Store(study.store_url)
    store.append("lab-20261121-1", 0, [opened(study, "001")])
    erase(study, store, "001", (), ManualClock())
    store.close()
    assert not (study.recordings / "lab-20261121-1").is_symlink()
    assert (elsewhere / "dear.txt").read_text("utf-8") == "stays"


def test_a_spool_in_use_is_told_before_anything_is_erased(study: Study, tmp_path: Path) -> None:
    spool = tmp_path / "spool/lab-20261121-1"
    spool.mkdir(parents=True)
    store = Store(study.store_url)
    store.append("lab-20261121-1", 0, [opened(study, "001")])
    with (spool / "in-use").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StillRunning, match="close it, then withdraw"):
            erase(study, store, "001", [tmp_path / "spool"], ManualClock())
    assert isinstance(store.read("lab-20261121-1")[0].event, e.SessionOpened)
    assert erase(study, store, "001", [tmp_path / "spool"], ManualClock()).files == 1
    assert not spool.exists()
    store.close()
    assert load(study.folder).site == "lab"
