"""The queue of a lobby in the store: each waits once, each session is promised once, however many hubs promise at a moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from session.store.database import lobby
from session.store.event_store import Store
from session.store.lobby_queue import FORGOTTEN_MS, PLACE_KEPT_MS, InvitationTaken, LobbyQueue

KEPT = 300_000


def live(raw: Callable[..., None], *names: str) -> None:
    raw("DELETE FROM hubs", *(f"INSERT INTO hubs (name, until) VALUES ('{name}', {2**52})" for name in names))


def order(queue: LobbyQueue) -> list[str]:
    return [place.invitation for place in queue.places() if not place.session]


def test_hubs_that_promise_at_one_moment_give_each_session_and_each_person_once(
    url: str, raw: Callable[..., None]
) -> None:
    names = [f"hub{number}" for number in range(4)]
    stores = [Store(url) for _ in names]
    with ThreadPoolExecutor(4) as threads:
        queues = list(threads.map(LobbyQueue, stores, names))  # each may be the one that makes the tables
        live(raw, *names)
        for number in range(24):
            queues[number % 4].enter(f"i{number:02}", "ticket", "")
        free = [{f"s{hub}-{number}": f"b{number}" for number in range(3)} for hub in range(4)]
        for _ in range(2):
            list(threads.map(lambda queue, sessions: queue.promise(sessions, KEPT), queues, free))
    given = [place.session for place in queues[0].places() if place.session]
    assert sorted(given) == sorted(name for sessions in free for name in sessions)
    assert order(queues[3]) == [f"i{number:02}" for number in range(12, 24)], "who came first goes first"
    for store in stores:
        store.close()


def test_a_place_is_kept_for_a_moment_and_for_nobody_else(store: Store, raw: Callable[..., None], url: str) -> None:
    one, two = LobbyQueue(store, "one"), LobbyQueue(store, "two")
    live(raw, "one", "two")
    for name in ("a", "b", "c"):
        one.enter(name, f"ticket {name}", "")
    with pytest.raises(InvitationTaken):
        two.enter("a", "another", "")
    one.leave("a")
    assert order(two) == ["b", "c"]
    two.enter("a", "ticket a", "")
    assert order(one) == ["a", "b", "c"]
    one.leave("a")  # she waits at the other hub now
    assert order(one) == ["a", "b", "c"]
    one.leave("b")
    raw(f"UPDATE lobby SET gone = gone - {PLACE_KEPT_MS + 1} WHERE invitation = 'b'")
    one.enter("b", "ticket b", "")
    assert order(one) == ["a", "c", "b"], "who stayed away for long is the last"
    live(raw, "one")
    assert order(one) == ["c", "b"], "nobody goes on at a hub that is dead"
    one.enter("a", "ticket a", "")
    assert order(one) == ["a", "c", "b"]
    one.leave("c")
    raw(f"UPDATE lobby SET gone = gone - {FORGOTTEN_MS + 1} WHERE invitation = 'c'")
    one.forget("b")
    one.leave("a")
    assert store.rows(sa.select(lobby.c.invitation)) == [("a",)], "nothing is kept of who is not coming back"


def test_a_promise_is_for_whom_it_fits_and_ends(store: Store, raw: Callable[..., None]) -> None:
    queue = LobbyQueue(store, "one")
    queue.enter("anybody", "t", "")
    queue.enter("seven", "t", "007")
    assert queue.wish("seven")
    assert not queue.wish("seven"), "her session is opened once"
    queue.promise({"s1": "007"}, KEPT)
    assert [(place.invitation, place.session) for place in queue.places()] == [("anybody", "s1"), ("seven", "")]
    queue.promise({"s1": "007", "s2": "001"}, KEPT)
    assert order(queue) == ["seven"], "s1 is promised, and s2 is another's"
    queue.promise({"s3": "007"}, KEPT)
    assert {place.invitation: place.session for place in queue.places()} == {"anybody": "s1", "seven": "s3"}
    raw("UPDATE lobby SET until = 1 WHERE invitation = 'seven'")
    assert [place.invitation for place in queue.places()] == ["anybody"]
    queue.enter("late", "t", "")
    queue.promise({"s3": "007"}, KEPT)
    assert {place.invitation: place.session for place in queue.places()} == {"anybody": "s1", "late": "s3"}


def test_the_sessions_at_work_are_those_of_hubs_that_live(store: Store, raw: Callable[..., None]) -> None:
    one, two = LobbyQueue(store, "one"), LobbyQueue(store, "two")
    live(raw, "one", "two")
    one.work(3)
    two.work(4)
    one.work(2)
    assert one.at_work() == two.at_work() == 6
    live(raw, "two")
    assert two.at_work() == 4
    two.work(5)
    live(raw, "one", "two")
    assert two.at_work() == 5, "what a dead hub said is gone"
