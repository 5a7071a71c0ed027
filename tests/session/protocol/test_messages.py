"""The link loses nothing and repeats nothing, whatever the carrier does."""

import contextlib
import random
import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from session import commands as c
from session import events as e
from session.events import Recorded
from session.protocol.frame_upcasting import upcast_frame
from session.protocol.links import CommandAnswered, DeskLink, FactReceived, HubLink
from session.protocol.messages import (
    PROTOCOL_VERSION,
    Ack,
    AudioChunk,
    CommandMessage,
    CompletionCode,
    DeskMessage,
    DeskTurnedAway,
    FactMessage,
    Hello,
    HubMessage,
    Ping,
    Pong,
    Refusal,
    Rejected,
    ResendRequest,
    Unusable,
    Welcome,
    WireError,
    decode_desk_message,
    decode_hub_message,
    encode,
)
from session.protocol.side_messages import (
    AdmitRequest,
    DraftTyped,
    LobbyState,
    SolutionRequest,
    SolutionResponse,
    ValuesRequest,
    ValuesResponse,
)
from session.values.clock import ManualClock, Stamp
from tests import ROOT


def fact(number: int) -> FactMessage:
    return FactMessage(
        Recorded("s-20260101-1", number, Stamp("hub", number, 0), "hub", "", e.NoteWritten(text=str(number)))
    )


def link() -> DeskLink:
    return DeskLink("desk", ManualClock("desk"), "0")


def test_every_message_comes_back_as_it_went() -> None:
    up = [
        Hello(PROTOCOL_VERSION, "desk", "clock", "0", 3, "t"),
        CommandMessage(c.GiveUp(id="x", at=Stamp("d", 1, 2))),
        Ping(5, (1, -2, 3)),
    ]
    down = [
        Welcome("s", "subject", "hub"),
        fact(1),
        Ack("x"),
        Refusal("x", "why"),
        Pong(1, 2, 3),
        ResendRequest("t", "s", ((0, 5),)),
    ]
    assert [decode_desk_message(encode(message)) for message in up] == up  # type: ignore[arg-type]
    assert [decode_hub_message(encode(message)) for message in down] == down  # type: ignore[arg-type]


@given(
    st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=26, max_size=26),
    st.integers(0, 2**39),
    st.binary(max_size=500),
)
def test_sound_comes_back_as_it_went(take: str, first: int, half: bytes) -> None:
    sound = AudioChunk(take, "s", first, half + half)
    assert decode_desk_message(encode(sound)) == sound
    assert decode_hub_message(encode(sound)) == sound


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200)))
def test_no_frame_does_anything_but_mean_something_or_raise(frame: str | bytes) -> None:
    for decode in (decode_desk_message, decode_hub_message):
        with contextlib.suppress(WireError):
            assert decode(frame) is not None


def test_a_fact_seen_before_is_passed_over_and_a_gap_is_an_error() -> None:
    desk = link()
    assert desk.receive(encode(fact(1))) == [FactReceived(fact(1).recorded)]
    assert desk.receive(encode(fact(1))) == []
    with pytest.raises(WireError, match="fact 3 came after fact 1"):
        desk.receive(encode(fact(3)))


def test_a_command_is_given_again_until_it_is_answered() -> None:
    desk = link()
    first, second = c.GiveUp(id="a", at=Stamp("d", 0, 0)), c.GiveUp(id="b", at=Stamp("d", 0, 0))
    desk.give(first)
    desk.give(second)
    assert [decode_desk_message(frame) for frame in desk.opening()][1:] == [
        CommandMessage(first),
        CommandMessage(second),
    ]
    assert desk.receive(encode(Ack("a"))) == [CommandAnswered("a")]
    assert desk.receive(encode(Refusal("b", "no"))) == [CommandAnswered("b", "no")]
    assert desk.pending == ()


def test_a_command_that_the_hub_passed_over_was_lost_on_the_wire() -> None:
    desk = link()
    first, second = c.GiveUp(id="a", at=Stamp("d", 0, 0)), c.GiveUp(id="b", at=Stamp("d", 0, 0))
    desk.give(first)
    desk.give(second)
    assert desk.receive(encode(Ack("changed on the way"))) == [CommandAnswered("changed on the way")]
    with pytest.raises(WireError, match="command b was answered before an older one"):
        desk.receive(encode(Ack("b")))
    assert desk.pending == (first, second)


def test_a_new_connection_says_how_much_is_there() -> None:
    desk = link()
    desk.receive(encode(fact(1)))
    hello = decode_desk_message(desk.opening()[0])
    assert isinstance(hello, Hello)
    assert hello.have == 1


def test_a_desk_is_not_led_into_another_session() -> None:
    desk = link()
    desk.receive(encode(Welcome("s-20260101-1", "subject", "hub")))
    with pytest.raises(WireError, match="the hub serves session"):
        desk.receive(encode(Welcome("s-20260101-2", "subject", "hub")))


def test_the_four_stamps_bound_the_offset() -> None:
    clock = ManualClock("desk")
    desk = DeskLink("desk", clock, "0")
    ping = decode_desk_message(desk.ping())
    assert isinstance(ping, Ping)
    hub_ahead = 7_000_000_000
    clock.advance(0.010)
    arrived = clock.monotonic_ns() + hub_ahead
    clock.advance(0.030)
    desk.receive(encode(Pong(ping.sent, arrived, arrived)))
    measured = decode_desk_message(desk.ping())
    assert isinstance(measured, Ping)
    assert measured.last is not None
    _, offset, uncertainty = measured.last
    assert abs(offset - hub_ahead) <= uncertainty <= 20_000_001
    assert desk.offset == offset


def test_the_hub_demands_a_hello_of_its_own_version_first_and_once() -> None:
    with pytest.raises(WireError, match="first frame"):
        HubLink().receive(encode(Ping(1)))
    with pytest.raises(Rejected, match="speaks protocol 2, this desk 99: install the same version"):
        HubLink().receive(encode(Hello(99, "desk", "clock", "0")))
    with pytest.raises(WireError, match="not an identifier"):
        HubLink().receive(encode(Hello(PROTOCOL_VERSION, "../desk", "clock", "0")))
    hub = HubLink()
    hub.receive(encode(Hello(PROTOCOL_VERSION, "desk", "clock", "0")))
    with pytest.raises(WireError, match="second hello"):
        hub.receive(encode(Hello(PROTOCOL_VERSION, "desk", "clock", "0")))


def test_a_hub_of_another_version_is_named() -> None:
    with pytest.raises(WireError, match="speaks protocol 3, this desk 2: install the same version"):
        link().receive(encode(Welcome("s-20260101-1", "subject", "hub", protocol=3)))


LATER = {
    AdmitRequest,
    LobbyState,
    CompletionCode,
    DeskTurnedAway,
    DraftTyped,
    SolutionRequest,
    SolutionResponse,
    Unusable,
    ValuesRequest,
    ValuesResponse,
}
"""Messages that the first protocol had not."""


def test_a_desk_of_the_first_protocol_is_told_so_and_its_recordings_are_read() -> None:
    lines = (ROOT / "tests" / "golden" / "wire-1.txt").read_text(encoding="utf-8").splitlines()
    up, down = ([line[2:] for line in lines if line.startswith(way)] for way in "><")
    with pytest.raises(Rejected, match="speaks protocol 2, this desk 1"):
        HubLink().receive(up[0])
    read = [*(decode_desk_message(upcast_frame(frame)) for frame in up)]
    received = [*(decode_hub_message(upcast_frame(frame)) for frame in down)]
    assert {type(message) for message in read} == set(typing.get_args(DeskMessage)) - LATER
    assert {type(message) for message in received} == set(typing.get_args(HubMessage)) - LATER
    assert isinstance(received[0], Welcome)
    assert received[0].protocol == 1
    again = [upcast_frame(str(encode(message))) for message in (*read, *received)]
    assert [msgspec.json.decode(frame) for frame in again] == [
        msgspec.json.decode(encode(m)) for m in (*read, *received)
    ]


@given(st.integers(0, 2**32))
def test_a_link_that_breaks_anywhere_delivers_every_fact_and_every_command_once(seed: int) -> None:
    """A toy hub that acknowledges and numbers; the carrier loses whatever was under way when it breaks."""
    dice = random.Random(seed)
    desk = link()
    history: list[FactMessage] = [fact(number) for number in range(1, 20)]
    arrived: list[int] = []
    taken: list[str] = []
    for number in range(10):
        desk.give(c.GiveUp(id=f"c{number}", at=Stamp("d", 0, 0)))
    while desk.pending or len(arrived) < len(history):
        hello, *commands = (decode_desk_message(frame) for frame in desk.opening())
        assert isinstance(hello, Hello)
        down: list[str | bytes] = [encode(received) for received in history[hello.have :]]
        for command in commands[: dice.randint(0, len(commands))]:
            assert isinstance(command, CommandMessage)
            if command.command.id not in taken:
                taken.append(command.command.id)
            down.append(encode(Ack(command.command.id)))
        for frame in down[: dice.randint(0, len(down))]:
            arrived += [message.recorded.seq for message in desk.receive(frame) if isinstance(message, FactReceived)]
    assert arrived == list(range(1, 20))
    assert sorted(taken) == sorted(f"c{number}" for number in range(10))
