"""What the store keeps of each session is what the facts give, whoever wrote them and however the store came to be."""

import concurrent.futures
import multiprocessing
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session import events as e
from session.state.fold import fold
from session.store.event_store import Entry, SecondWriter, Store, StoreUnavailable
from session.store.folds import Usage
from session.store.session_folds import FoldedRun, SessionFold, folded
from session.store.types import Kept, Write
from session.values.names import Exhausted, SpeakerBlock, base36
from session.values.vocabulary import Outcome, Sealed
from tests import ROOT
from tests.session.examples import at, entries, opening
from tests.session.stores import NAME, SPOKEN, started

OTHER = "bbn-20261121-2"

SCENARIO = e.ScenarioStarted(number=1, scenario="hub", title="t", text="x", kind="problem", common=True)
OVER = e.ScenarioEnded(outcome=Outcome.DECLARED)
INVALID = e.ScenarioInvalidated(run=0, reason="r")
GONE = e.SpeakerWithdrawn(speaker="b01", erased=0)


def recorded(facts: list[e.Fact]) -> list[e.Recorded]:
    return [e.Recorded(NAME, seq, at(seq), "hub", "", fact) for seq, fact in enumerate(facts, start=1)]


def numbered(number: int | None, *, common: bool = False) -> e.ScenarioStarted:
    return e.ScenarioStarted(number=number, scenario="hub", title="t", text="x", kind="problem", common=common)


RUNS = st.builds(numbered, st.none() | st.integers(1, 35), common=st.booleans())
ENDS = st.sampled_from(Outcome).map(lambda outcome: e.ScenarioEnded(outcome=outcome))
INVALIDATIONS = st.integers(0, 4).map(lambda run: e.ScenarioInvalidated(run=run, reason="r"))


@given(st.lists(RUNS | ENDS | INVALIDATIONS | st.just(SPOKEN), max_size=12))
def test_the_fold_counts_what_the_state_counts(facts: list[e.Fact]) -> None:
    kept, state = folded([opening(), *facts]), fold(recorded([opening(), *facts]))
    assert kept.last_number == max((run.number or 0 for run in state.runs), default=0)
    counting = [run for run in state.runs if run.counts]
    assert kept.counted == (len(counting), sum(run.common for run in counting))
    assert folded(facts[3:], folded([opening(), *facts[:3]])) == kept, "one fact at a time or all at once"


def test_the_folds_follow_the_facts_in_the_transaction_that_appends_them(store: Store) -> None:
    started(store, SCENARIO)
    assert (store.usage.scenarios(), store.usage.last_number(opening().speaker.id)) == ((1, 1), 1)
    assert store.usage.unended() == [NAME]
    with pytest.raises(SecondWriter):
        store.append(NAME, 1, entries(numbered(2)))
    assert store.usage.last_number(opening().speaker.id) == 1, "what was not appended is not kept"
    store.append(NAME, 2, entries(OVER, INVALID, numbered(2), e.SessionEnded(reason="done")))
    assert (store.usage.scenarios(), store.usage.last_number(opening().speaker.id)) == ((1, 0), 2)
    assert store.usage.unended() == []
    assert store.check_folds() == []


def test_a_withdrawn_speaker_leaves_her_id_and_nothing_else(store: Store) -> None:
    started(store, SCENARIO)
    store.keep("line", {NAME: Kept(store.head(NAME), b"said")})
    speaker = opening().speaker.id
    store.withdraw([NAME], "experimenter", at(9), e.SpeakerWithdrawn(speaker=speaker, erased=0))
    assert (store.usage.scenarios(), store.usage.last_number(speaker), store.kept("line")) == ((0, 0), 0, {})
    with pytest.raises(Exhausted):
        store.usage.free_speaker(SpeakerBlock(speaker, speaker))
    assert store.check_folds() == []


def test_a_fold_that_is_not_what_the_facts_give_is_found_and_put_right(store: Store, raw: Callable[..., None]) -> None:
    started(store, SCENARIO)
    for change in (
        "last_number = 7",
        "unended = NOT unended",
        "condition = 'x'",
        "draws = NOT draws",
        "place = 99",
        "day = ''",
    ):
        raw(f"UPDATE sessions SET {change}")
        assert store.check_folds(mend=True) == [f"{NAME}: the stored fold differs from its facts"], change
        assert store.check_folds() == []
    raw("DELETE FROM sessions")
    assert store.check_folds(mend=True) == [f"{NAME}: no fold is kept of this session"]
    assert (store.check_folds(), store.usage.last_number(opening().speaker.id)) == ([], 1)


@pytest.mark.parametrize("golden", ["store-1", "store-1-complete", "store-1-correcting"])
def test_a_store_of_an_earlier_release_gets_its_folds_when_it_is_first_written_to(golden: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "golden" / "session" / f"{golden}.sqlite", tmp_path / "old.sqlite")
    before = (tmp_path / "old.sqlite").read_bytes()
    stores = [Store(f"sqlite:///{tmp_path}/old.sqlite") for _ in range(2)]
    names = list(stores[0].lengths())
    assert stores[0].kept("line") == {}
    assert (tmp_path / "old.sqlite").read_bytes() == before, "reading changes nothing"
    assert [store.check_folds() for store in stores] == [[], []]
    with sqlite3.connect(tmp_path / "old.sqlite") as connection:
        assert connection.execute("SELECT stream FROM sessions ORDER BY stream").fetchall() == [(n,) for n in names]
    connection.close()
    for store in stores:
        store.close()


def test_folds_of_an_earlier_release_that_count_no_sound_are_made_anew(
    url: str, store: Store, raw: Callable[..., None]
) -> None:
    sealed = (Sealed("s", 1600, "0" * 64),)
    store.append(NAME, 0, entries(opening(), e.TakeConfirmed(take="a", sealed=sealed)))
    assert store.usage.sound() == 3200
    store.close()
    raw("DROP INDEX sessions_by_sound", "ALTER TABLE sessions DROP COLUMN sound")
    stores = [Store(url) for _ in range(2)]
    stores[0].append(NAME, 2, entries(e.TakeConfirmed(take="b", sealed=sealed)))
    assert [other.usage.sound() for other in stores] == [6400, 6400]
    assert [other.check_folds() for other in stores] == [[], []]
    for other in stores:
        other.close()


def test_a_store_of_an_earlier_release_learns_which_ids_are_taken(
    url: str, store: Store, raw: Callable[..., None]
) -> None:
    for place, speaker in enumerate(("001", "002", "004"), start=1):
        store.append(f"bbn-20261121-{place}", 0, entries(_of(speaker)))
    store.close()
    raw("DROP TABLE taken")
    later = Store(url)
    assert later.usage.free_speaker(SpeakerBlock("001", "0zz")) == "003"
    assert later.check_folds() == []
    later.close()


def test_an_id_that_is_kept_as_taken_or_free_against_the_facts_is_found_and_put_right(
    store: Store, raw: Callable[..., None]
) -> None:
    started(store, SCENARIO)
    for change in ("DELETE FROM taken", "INSERT INTO taken VALUES (7, 9)", "UPDATE taken SET last = last + 1"):
        raw(change)
        assert store.check_folds() == ["the speakers' ids that are kept as taken are not those that the facts give"], (
            change
        )
        store.check_folds(mend=True)
        assert store.check_folds() == []


@given(st.lists(st.integers(1, 40), max_size=40), st.sets(st.integers(1, 40)))
def test_the_lowest_free_id_is_the_lowest_that_is_free_in_whatever_order_they_were_given(
    given_out: list[int], reserved: set[int]
) -> None:
    store = Store("sqlite://")
    for place, number in enumerate(given_out, start=1):
        store.append(f"bbn-20261121-{place}", 0, entries(_of(base36(number, 3))))
    for first in (1, 5, 39):
        free = [number for number in range(first, 43) if number not in reserved and number not in given_out]
        block = SpeakerBlock(base36(first, 3), "016")
        assert store.usage.free_speaker(block, [base36(number, 3) for number in reserved]) == base36(free[0], 3)
    assert store.check_folds() == []
    store.close()


def test_a_store_that_can_only_be_read_is_read_without_folds(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "golden" / "session" / "store-1.sqlite", tmp_path / "old.sqlite")
    writer = Store(f"sqlite:///{tmp_path}/old.sqlite")
    reader = Store(writer.reading_url)
    assert reader.read(NAME)
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        reader.check_folds()
    reader.close()
    writer.close()


def test_the_lowest_free_id_is_found_behind_gaps_and_devices(store: Store) -> None:
    for place, speaker in enumerate(("com", "con", "cop", "00z"), start=1):
        store.append(f"bbn-20261121-{place}", 0, entries(_of(speaker)))
    assert store.usage.free_speaker(SpeakerBlock("com", "coz")) == "coo"
    assert store.usage.free_speaker(SpeakerBlock("00z", "0zz")) == "010"
    assert store.usage.free_speaker(SpeakerBlock("cop", "cor")) == "coq"
    assert store.usage.last_session("bbn", "20261121") == ["bbn-20261121-4"]
    assert store.usage.last_session("bbn", "20261122") == []


def _of(speaker: str) -> e.SessionOpened:
    return e.SessionOpened(
        site="bbn", speaker=type(opening().speaker)(id=speaker), protocol=opening().protocol, operator=""
    )


def _next(usage: Usage) -> tuple[str, Entry]:
    """A session of the next name, for the next speaker."""
    last = usage.last_session("bbn", "20261121")
    number = int(last[0].rpartition("-")[2]) + 1 if last else 1
    speaker = type(opening().speaker)(id=usage.free_speaker(SpeakerBlock("001", "0zz")))
    opened = e.SessionOpened(site="bbn", speaker=speaker, protocol=opening().protocol, operator="")
    return f"bbn-20261121-{number}", Entry(at(1), "hub", "", opened)


def _open_some(url: str, count: int) -> list[tuple[str, str]]:
    store, found = Store(url), []
    for _ in range(count):
        (first,) = store.open_session(_next)
        assert isinstance(first.event, e.SessionOpened)
        found.append((first.session, first.event.speaker.id))
    store.close()
    return found


def test_hubs_that_open_sessions_at_the_same_moment_each_get_their_own(url: str) -> None:
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(3, mp_context=spawn) as hubs:
        found = [claim for done in hubs.map(_open_some, [url] * 3, [5] * 3) for claim in done]
    assert sorted(int(name.rpartition("-")[2]) for name, _ in found) == list(range(1, 16))
    assert len({speaker for _, speaker in found}) == 15
    store = Store(url)
    assert store.check_folds() == []
    store.close()


def test_opening_reads_no_events(store: Store, raw: Callable[..., None]) -> None:
    started(store, SCENARIO)
    raw("DELETE FROM sessions")
    (first,) = store.open_session(lambda usage: (f"bbn-20261121-{1 + usage.scenarios()[0] + 1}", entries(opening())[0]))
    assert first.session == "bbn-20261121-2", "with the fold gone nothing is known of the scenario that was begun"


def test_what_waits_is_committed_together_and_one_that_fails_harms_no_other(store: Store) -> None:
    started(store)
    writes = [
        Write("bbn-20261121-2", 0, entries(opening(), SPOKEN)),
        Write(NAME, 0, entries(SPOKEN)),  # there is one already
        Write("bbn-20261121-3", 0, entries(opening())),
        Write("bbn-20261121-4", 7, entries(SPOKEN)),  # there is nothing to append after
        Write("bbn-20261121-3", 1, entries(SPOKEN)),
        Write(NAME, 1, ()),
    ]
    done = store.append_together(writes)
    kinds = [type(result) if isinstance(result, Exception) else len(result) for result in done]
    assert kinds == [2, SecondWriter, 1, ValueError, 1, 0]
    assert {name: len(store.read(name)) for name in store.lengths()} == {
        NAME: 1, "bbn-20261121-2": 2, "bbn-20261121-3": 2
    }  # fmt: skip
    assert [finding for name in store.lengths() for finding in store.verify(name)] == []
    assert store.check_folds() == []


def test_an_erased_session_folds_to_her_id(store: Store) -> None:
    assert folded([opening(), SCENARIO, OVER, GONE]) == folded([GONE]) == SessionFold("b01", erased=True)
    assert folded([opening(), SCENARIO, OVER]).runs == (FoldedRun(1, common=True, over=True),)


def test_a_fold_that_is_damaged_keeps_no_other_session_from_being_recorded(
    store: Store, raw: Callable[..., None]
) -> None:
    for name in (NAME, OTHER):
        store.open_session(lambda _, name=name: (name, entries(opening())[0]))  # type: ignore[misc]
    raw(f"UPDATE sessions SET fold = (SELECT prev FROM events WHERE stream = '{OTHER}') WHERE stream = '{NAME}'")
    writes = [
        Write(OTHER, 1, entries(SPOKEN)),
        Write(OTHER, 0, entries(SPOKEN)),
        Write(NAME, 1, entries(e.SessionEnded(reason="done"))),
    ]
    told = store.append_together(writes)
    assert [isinstance(result, Exception) for result in told] == [False, True, True]
    assert {name: len(store.read(name)) for name in (NAME, OTHER)} == {NAME: 1, OTHER: 2}
