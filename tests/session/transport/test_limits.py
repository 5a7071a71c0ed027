"""Bounds on what one desk costs: bytes that wait for it, bytes of sound that it sends, sockets without a token."""

import resource

import pytest

from session.events import NoteWritten, Recorded
from session.protocol.links import RateLimiter
from session.protocol.messages import FactMessage, Welcome
from session.transport import connection_limits, send_queue
from session.transport.connection_limits import (
    SOUND_BURST,
    SOUND_PER_S,
    TEXT_BURST,
    TEXT_PER_S,
    ConnectionLimits,
    DeskRates,
)
from session.transport.send_queue import QUEUE, SendQueue
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Role


def fact(seq: int, text: str) -> FactMessage:
    return FactMessage(Recorded("bbn-20261121-1", seq, Stamp("hub", 1, 1), "hub", "", NoteWritten(text=text)))


async def test_a_desk_that_does_not_read_keeps_no_more_than_so_many_bytes() -> None:
    queue, text = SendQueue(), "x" * 1_000_000
    for number in range(2_000):
        queue.put(fact(number + 1, text))
    assert queue.overrun
    held = 0
    while queue._frames.qsize():
        held += len(await queue.get())
    assert held <= send_queue.MOST_BYTES + 2 * len(text)


async def test_the_history_of_a_long_session_waits_for_its_desk_however_long_it_is() -> None:
    queue, text, facts = SendQueue(), "x" * 1_000_000, 100
    queue.put(Welcome("bbn-20261121-1", Role.WIZARD, "hub", facts))
    for number in range(facts):
        queue.put(fact(number + 1, text))
    assert not queue.overrun
    queue.put(fact(facts + 1, text))
    assert queue.overrun, "of what happens since, only what fits"


def test_a_gigabyte_of_sound_takes_minutes_and_speech_never_waits() -> None:
    flood, speech, second = RateLimiter(SOUND_BURST, SOUND_PER_S), RateLimiter(SOUND_BURST, SOUND_PER_S), 0
    waited = sum(flood.delay(0, 65_536) > 0 for _ in range(2**30 // 65_536))
    assert waited > 0.98 * 2**30 / 65_536
    for second in range(600):
        assert speech.delay(second * SECOND, 4 * 48_000 * 2) == 0, "four channels at 48 kHz"
    assert second == 599


def test_a_gigabyte_of_notes_takes_hours_and_a_desk_that_comes_back_with_all_it_has_never_waits() -> None:
    flood, back = RateLimiter(TEXT_BURST, TEXT_PER_S), RateLimiter(TEXT_BURST, TEXT_PER_S)
    for _ in range(2**30 // 25_000):
        hours = flood.delay(0, 25_000) / 3600
    assert hours > 2
    assert not any(back.delay(0, 400) for _ in range(QUEUE // 2)), "as many reports as anybody ever kept"


def test_what_a_desk_may_send_outlives_its_connection_and_is_forgotten_once_it_has_rested(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_KEPT", 2)
    rates, sound = DeskRates(), bytes(SOUND_BURST)
    assert rates.of("17 subject", 0).admits(sound, 0)
    assert not rates.of("17 subject", 0).admits(sound, 0)
    assert rates.of("17 wizard", 0).delay("x", 0) == 0
    assert rates.of("", 0).admits(sound, 0)
    assert rates.of("", 0).admits(sound, 0), "what sits at no place of a session has no rate to keep"
    assert rates.of("18 subject", 2 * SECOND).admits(sound, 2 * SECOND)
    assert not rates.of("17 subject", 2 * SECOND).admits(sound, 2 * SECOND)
    assert sorted(rates._known) == ["17 subject", "18 subject"], "the wizard has rested"


def test_sockets_without_a_token_are_counted_apart() -> None:
    limits = ConnectionLimits()
    entering = [limits.unknown() for _ in range(connection_limits.MOST_UNKNOWN)]
    for one in entering:
        one.__enter__()
    assert not limits.admit(len(entering))
    entering.pop().__exit__(None, None, None)
    assert limits.admit(len(entering))
    assert not limits.admit(connection_limits.MOST_CONNECTIONS)
    assert limits.refused == 2


class Socket:
    """A socket that notes where it is cut off."""

    def __init__(self, number: int, gone: list[int]) -> None:
        self._number, self._gone = number, gone

    def abort(self) -> None:
        self._gone.append(self._number)


def test_few_files_leave_some_for_the_store_and_the_recordings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    limits, gone = ConnectionLimits(), list[int]()
    for number in range(300):
        limits.count_silent(Socket(number, gone))
    assert gone == list(range(300 - 256))
    assert (limits.admit(511), limits.admit(512)) == (True, False)


def test_sockets_that_never_finish_their_handshake_are_bounded_until_their_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MOST_SILENT", 2)
    limits, (first, second, third) = ConnectionLimits(), [Socket(number, []) for number in range(3)]
    limits.count_handshake(first, 0.0)
    limits.count_handshake(second, 9.0)
    with pytest.raises(ConnectionRefusedError):
        limits.count_handshake(third, 10.0)
    limits.count_handshake(third, 10.1)
    limits.count_silent(second)
    limits.count_handshake(first, 10.2)
    assert limits.refused == 1


def test_a_frame_goes_out_at_once_only_where_none_waits_before_it() -> None:
    sent, free = list[str | bytes](), [True, False, True, True]

    def at_once(frame: str | bytes) -> bool:
        if went := free.pop(0):
            sent.append(frame)
        return went

    queue = SendQueue(at_once)
    for text in ("first", "second", "third"):
        queue.put(text)
    assert (sent, free) == (["first"], [True, True]), "the third waits behind the second"
    assert [queue._frames.get_nowait()[0] for _ in range(queue._frames.qsize())] == ["second", "third"]
    queue.put("fourth")
    assert sent == ["first", "fourth"]


def test_sound_in_passing_is_counted_only_where_it_need_not_wait() -> None:
    bucket = RateLimiter(size=10, per_second=1)
    assert bucket.admits(0, 8)
    assert not bucket.admits(0, 3)
    assert bucket.admits(0, 2)
    assert not bucket.admits(10**9, 2)
    assert bucket.admits(2 * 10**9, 2)
