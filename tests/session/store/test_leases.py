"""One hub serves a session at a time; one that has lost it cannot write to it any more, however long it slept."""

import threading
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from session.store import database
from session.store.event_store import Store
from session.store.leases import Leases
from session.store.types import LeaseLost, SecondWriter, StoreUnavailable, Write
from tests.session.examples import entries, opening
from tests.session.stores import NAME, SPOKEN

OTHER = "bbn-20261121-2"


def begin(store: Store, name: str) -> None:
    store.open_session(lambda _: (name, entries(opening())[0]))


def fall_silent(raw: Callable[..., None], hub: str) -> None:
    raw(f"UPDATE hubs SET until = 0 WHERE name = '{hub}'")


def test_a_session_is_its_hubs_until_that_is_silent(url: str, store: Store, raw: Callable[..., None]) -> None:
    second = Store(url)
    first_hub, second_hub = Leases(store, "one"), Leases(second, "two")
    assert (first_hub.beat(), second_hub.beat()) == ([], [])
    begin(store, NAME)
    begin(store, OTHER)
    assert (second_hub.take(NAME), first_hub.beat(), second_hub.beat()) == (False, [NAME], [])
    with pytest.raises(LeaseLost):
        second.append(NAME, 1, entries(SPOKEN))
    fall_silent(raw, "one")
    assert second_hub.take(NAME)
    second.append(NAME, 1, entries(SPOKEN))
    with pytest.raises(LeaseLost, match=f"another hub serves {NAME} now"):
        store.append(NAME, 2, entries(SPOKEN))
    done = store.append_together([Write(f"{NAME}/links", 0, entries(SPOKEN)), Write(OTHER, 1, entries(SPOKEN))])
    assert isinstance(done[0], LeaseLost)
    assert not isinstance(done[1], Exception), "what is still its own it goes on with"
    assert (len(store.read(NAME)), len(store.read(OTHER)), store.verify(NAME)) == (2, 2, [])
    second.close()


@pytest.mark.parametrize("url", [pytest.param("postgresql", marks=pytest.mark.postgres)], indirect=True)
def test_a_hub_that_is_stopped_inside_a_transaction_holds_nobody_up(
    url: str, store: Store, raw: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "STOPPED_MS", 100)
    second = Store(url)
    first_hub, second_hub = Leases(store, "one"), Leases(second, "two")
    first_hub.beat()
    second_hub.beat()
    begin(store, NAME)
    fall_silent(raw, "one")

    def stop() -> None:
        with store.writing("Nothing was written") as stopped:
            stopped.execute(database.leases.update().where(database.leases.c.session == NAME).values(wanted=""))
            assert second_hub.take(NAME), "the lock of the one that does nothing was waited for in vain"

    with pytest.raises(StoreUnavailable, match="Nothing was written"):
        stop()
    second.append(NAME, 1, entries(SPOKEN))
    with pytest.raises(LeaseLost):
        store.append(NAME, 2, entries(SPOKEN))
    second.close()


def test_a_hub_that_wakes_up_before_anybody_came_goes_on(url: str, store: Store, raw: Callable[..., None]) -> None:
    leases = Leases(store, "one")
    leases.beat()
    begin(store, NAME)
    fall_silent(raw, "one")
    store.append(NAME, 1, entries(SPOKEN))
    assert leases.take(NAME)


def test_a_session_that_is_asked_for_before_it_is_opened_can_be_opened(url: str, store: Store) -> None:
    second = Store(url)
    here, there = Leases(store, "one"), Leases(second, "two")
    for leases in (here, there):
        leases.beat()
        with pytest.raises(KeyError):
            leases.take(NAME)
    begin(second, NAME)
    assert not here.take(NAME)
    second.close()


def test_what_is_given_up_is_anybodys_and_programs_without_leases_write_as_before(url: str, store: Store) -> None:
    second, corrector = Store(url), Store(url)
    first_hub, second_hub = Leases(store, "one"), Leases(second, "two")
    first_hub.beat()
    begin(store, NAME)
    begin(store, OTHER)
    assert not second_hub.take(NAME)
    first_hub.give_up([NAME])
    assert second_hub.take(NAME)
    assert first_hub.beat() == [], "nothing is asked for any more"
    first_hub.end()
    assert second_hub.take(OTHER)
    corrector.append(OTHER, 1, entries(SPOKEN))
    with pytest.raises(SecondWriter):
        second.append(OTHER, 1, entries(SPOKEN))
    for opened in (second, corrector):
        opened.close()


def test_of_hubs_that_come_for_a_dead_ones_session_at_once_one_gets_it(
    url: str, store: Store, raw: Callable[..., None]
) -> None:
    Leases(store, "dead").beat()
    begin(store, NAME)
    fall_silent(raw, "dead")
    stores = [Store(url) for _ in range(4)]
    hubs = [Leases(opened, f"hub {number}") for number, opened in enumerate(stores)]
    for hub in hubs:
        hub.beat()
    got: list[bool] = []
    threads = [threading.Thread(target=lambda hub=hub: got.append(hub.take(NAME))) for hub in hubs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False, False, False, True]
    for opened in stores:
        opened.close()


def test_what_a_hub_had_is_forgotten_a_day_after_it_ended(url: str, store: Store, raw: Callable[..., None]) -> None:
    ended = Leases(store, "one")
    ended.beat()
    begin(store, NAME)
    ended.end()
    Leases(store, "two").beat()
    table = database.leases
    assert store.rows(sa.select(table.c.session, table.c.hub)) == [(NAME, "one")]
    fall_silent(raw, "one")
    Leases(store, "three").beat()
    assert store.rows(sa.select(table.c.session)) == []
    assert sorted(store.rows(sa.select(database.hubs.c.name))) == [("three",), ("two",)]
