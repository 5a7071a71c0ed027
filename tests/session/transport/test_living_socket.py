"""A socket takes the other side for dead only where it was asked and could have been heard."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Frame, Opcode
from websockets.protocol import CLOSED, OPEN

from session.transport import living_socket
from session.transport.connection_limits import ConnectionLimits
from session.transport.living_socket import END_WITHIN_S, DeskSocket, HubSocket

QUIET_S, WAIT_S, LONG_S, PATIENCE_S = 1.0, 2.0, 100.0, 60.0


@pytest.fixture
async def pair() -> AsyncIterator[tuple[DeskSocket, HubSocket]]:
    come: asyncio.Future[HubSocket] = asyncio.get_running_loop().create_future()

    async def stay(socket: ServerConnection) -> None:
        assert isinstance(socket, HubSocket)
        come.set_result(socket)
        await socket.wait_closed()

    async with serve(
        stay,
        "127.0.0.1",
        0,
        create_connection=partial(HubSocket, limits=ConnectionLimits()),  # type: ignore[arg-type]
        ping_interval=None,
        close_timeout=0.1,
    ) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        at = f"ws://127.0.0.1:{port}"
        async with connect(at, create_connection=DeskSocket, ping_interval=None, close_timeout=0.1) as desk:
            assert isinstance(desk, DeskSocket)
            yield desk, await come


async def _hears(socket: DeskSocket | HubSocket) -> None:
    """Return once something has come."""
    before = socket._heard
    async with asyncio.timeout(PATIENCE_S):
        while socket._heard == before:
            await asyncio.sleep(0)


async def test_after_a_stand_still_of_its_own_a_socket_asks_before_it_takes_the_other_for_dead(
    pair: tuple[DeskSocket, HubSocket],
) -> None:
    desk, hub = pair
    hub._heard -= LONG_S
    assert hub.look(QUIET_S, WAIT_S) == WAIT_S
    await _hears(hub)
    assert hub.protocol.state is OPEN
    assert 0 < hub.look(QUIET_S, WAIT_S) <= QUIET_S
    assert desk.protocol.state is OPEN


async def test_who_does_not_answer_is_ended(pair: tuple[DeskSocket, HubSocket]) -> None:
    desk, hub = pair
    desk.transport.pause_reading()
    hub._heard -= LONG_S
    assert hub.look(QUIET_S, WAIT_S) == WAIT_S
    assert WAIT_S / 2 < hub.look(QUIET_S, WAIT_S) <= WAIT_S
    hub._asked -= WAIT_S
    assert hub.look(QUIET_S, WAIT_S) == END_WITHIN_S
    hub._ended -= END_WITHIN_S
    hub.look(QUIET_S, WAIT_S)
    async with asyncio.timeout(PATIENCE_S):
        await hub.wait_closed()
    assert hub.protocol.state is CLOSED
    assert hub.look(QUIET_S, WAIT_S) > 0, "whoever looks after it does not turn in a circle"


async def test_a_desk_that_has_no_breath_to_read_neither_gives_up_its_hub_nor_is_given_up(
    pair: tuple[DeskSocket, HubSocket],
) -> None:
    desk, hub = pair
    desk.transport.pause_reading()
    desk._heard -= LONG_S
    hub._heard -= LONG_S
    assert hub.look(QUIET_S, WAIT_S) == WAIT_S
    assert desk.look(QUIET_S, WAIT_S) == QUIET_S
    await _hears(hub)
    assert desk.protocol.state is hub.protocol.state is OPEN
    assert 0 < hub.look(QUIET_S, WAIT_S) <= QUIET_S
    desk.transport.resume_reading()
    assert 0 < desk.look(QUIET_S, WAIT_S) <= QUIET_S


@pytest.fixture
def taken(pair: tuple[DeskSocket, HubSocket], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what the hub's side has taken in."""
    sizes, receive = list[int](), pair[1].protocol.receive_data
    monkeypatch.setattr(pair[1].protocol, "receive_data", lambda data: (sizes.append(len(data)), receive(data)))
    return sizes


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG])
async def test_who_floods_with_pings_is_cut_off_and_the_rest_of_them_never_taken_in(
    pair: tuple[DeskSocket, HubSocket], taken: list[int], opcode: Opcode
) -> None:
    desk, hub = pair
    await (await desk.ping())
    assert hub.protocol.state is OPEN
    desk.transport.write(Frame(opcode, b"").serialize(mask=True) * 50_000)
    async with asyncio.timeout(PATIENCE_S):
        await hub.wait_closed()
    assert sum(taken) < 6 * living_socket.MOST_SIGNS + 2 * living_socket.PIECE


async def test_frames_of_no_bytes_are_taken_in_as_they_are_acted_on_and_none_is_lost(
    pair: tuple[DeskSocket, HubSocket], taken: list[int]
) -> None:
    desk, hub = pair
    desk.transport.write(Frame(Opcode.TEXT, b"").serialize(mask=True) * 5_000)
    await _hears(hub)
    assert sum(taken) <= living_socket.PIECE, "no more is taken in while nobody acts on it"
    assert [await hub.recv() for _ in range(5_000)] == [""] * 5_000
    assert max(taken) <= living_socket.PIECE
    await desk.send("after them")
    assert await hub.recv() == "after them"


async def test_a_large_frame_comes_whole_though_it_is_taken_in_by_pieces(pair: tuple[DeskSocket, HubSocket]) -> None:
    desk, hub = pair
    sound = bytes(range(256)) * 250
    await desk.send(sound)
    await desk.send("after it")
    assert [await hub.recv(), await hub.recv()] == [sound, "after it"]
