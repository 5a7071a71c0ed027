"""What a study holds of a person goes from store, recordings and spools; tests of the whole command stand in tests/corpus."""

import datetime
import fcntl
import io
import random
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from session import events as e
from session.collection import open_session
from session.collection.erase_speaker import Erased, erase, sessions_of
from session.collection.study_lock import StudyInUse, exclusive_lock, shared_lock
from session.store.event_store import Entry, Store
from session.study.create import new
from session.study.folder import Study, load
from session.study.settings import Speaker
from session.values.clock import ManualClock
from tests import ROOT

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
    again = open_session.plan_session(
        study, store.usage, "1", datetime.date(2026, 11, 22), speaker=Speaker("002")
    ).opened
    assert again.first_scenario == 1
    following = open_session.plan_session(study, store.usage, "1", datetime.date(2026, 11, 22)).opened
    assert following.speaker.id == "003", "nobody gets the id of one who has withdrawn"
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
        with pytest.raises(StudyInUse, match="close it, then withdraw"):
            erase(study, store, "001", [tmp_path / "spool"], ManualClock())
    assert isinstance(store.read("lab-20261121-1")[0].event, e.SessionOpened)
    assert erase(study, store, "001", [tmp_path / "spool"], ManualClock()).files == 1
    assert not spool.exists()
    store.close()
    assert load(study.folder).site == "lab"


def test_nobody_withdraws_while_a_hub_serves_the_study_and_no_hub_begins_meanwhile(study: Study) -> None:
    with ExitStack() as hubs:
        for _ in range(2):
            hubs.enter_context(shared_lock(study.folder))
        with pytest.raises(StudyInUse, match="close the hub or wait"), exclusive_lock(study.folder):
            pass
    with (
        exclusive_lock(study.folder),
        pytest.raises(StudyInUse, match="wait, then try again"),
        shared_lock(study.folder),
    ):
        pass


def test_what_an_interruption_left_beside_a_copy_goes_too(study: Study, tmp_path: Path) -> None:
    name, second = "lab-20261121-1", tmp_path / "second"
    left = [name, f"{name}.new", f"{name}.old", f".{name}.partial", f".{name}.new.partial"]
    for folder in (*left, "lab-20261121-11"):
        (second / folder).mkdir(parents=True)
        (second / folder / "facts.json").write_text(MARK, "utf-8")
    store = Store(study.store_url)
    store.append(name, 0, [opened(study, "001")])
    assert erase(study, store, "001", [second], ManualClock()).files == 5
    store.close()
    assert [path.name for path in second.iterdir()] == ["lab-20261121-11"]


def test_a_copy_of_the_database_is_pointed_out(study: Study) -> None:
    take = "01JD3ABCDEFGHJKMNPQRSTVWXY"
    store = Store(study.store_url)
    store.append("lab-20261121-1", 0, [opened(study, "001"), stamped(e.TalkPressed(at=e.NOWHERE, take=take))])
    copy = study.folder / f"{Path(study.store_url.partition(':///')[2]).name}.bak"
    copy.write_bytes(b"SQLite" + take.encode())
    assert erase(study, store, "001", (), ManualClock()).traces == (copy,)
    store.close()


def test_of_a_server_s_log_which_no_program_may_clear_the_command_tells(
    study: Study, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = sa.make_url(url)
    if known.password:
        monkeypatch.setenv("PGPASSWORD", str(known.password))
    settings = study.folder / "study.toml"
    named = known._replace(password=None).render_as_string()
    settings.write_text(settings.read_text("utf-8").replace('store = "', f'store = "{named}" # ', 1), "utf-8")
    found = load(study.folder)
    store = Store(found.store_url)
    store.append("lab-20261121-1", 0, [opened(study, "001"), stamped(e.NoteWritten(text=MARK))])
    for _ in range(2):  # who was killed before it was told is told by the second call
        err = io.StringIO()
        assert withdraw_command(str(study.folder), WithdrawOptions("001"), ManualClock(), io.StringIO(), err) == 0
    assert store.verify("lab-20261121-1") == []
    assert not any(isinstance(fact.event, e.NoteWritten) for fact in store.read("lab-20261121-1"))
    store.close()
    assert ("write-ahead log (pg_wal)" in err.getvalue()) is url.startswith("postgresql")
    clearing = [line.strip() for line in err.getvalue().splitlines() if line.startswith("  ")]
    documented = (ROOT / "docs/how-to/let-a-person-withdraw.md").read_text("utf-8")
    assert (len(clearing) == 3, all(line in documented for line in clearing)) == (url.startswith("postgresql"), True)
