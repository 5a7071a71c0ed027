"""What a desk may send, at a real socket: who gives more bytes of commands than anybody types waits, and loses nothing."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.client import connect

from session import commands as c
from session.hub.connection import connection_factory
from session.protocol.links import DeskLink
from session.transport import connection_limits
from session.transport.websocket import HubServer, RunningServer
from session.values.clock import SystemClock
from tests.together.pipe import SESSION, Bench, admit, opened

PATIENCE_S = 120.0


@pytest.fixture
async def served() -> AsyncIterator[RunningServer]:
    bench, clock = Bench(), SystemClock("hub")
    await bench.hub.open(SESSION, opened())
    running = await HubServer(connection_factory(bench.hub, admit, clock), clock).start("127.0.0.1", 0, None)
    yield running
    await running.close()
    await bench.close()


async def _give(served: RunningServer, names: list[str]) -> None:
    """Give notes of 5 kB on a connection of its own, and return once each is acknowledged."""
    link = DeskLink("desk", SystemClock("desk"), "0", "t-wizard")
    async with connect(f"ws://127.0.0.1:{served.port}/{SESSION}") as socket, asyncio.timeout(PATIENCE_S):
        for frame in link.opening():
            await socket.send(frame)
        for name in names:
            await socket.send(link.give(c.WriteNote(id=name, text="x" * 5_000)))
        while link.pending:
            link.receive(await socket.recv())


async def test_a_desk_that_gives_more_bytes_than_anybody_types_waits_also_on_a_new_connection(
    served: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited, pause = list[float](), asyncio.sleep

    async def noted(seconds: float) -> None:
        if 0 < seconds < 0.2:  # what a limit has it wait; all else in a hub waits longer
            waited.append(seconds)
        await pause(seconds)

    monkeypatch.setattr(connection_limits, "TEXT_BURST", 50_000)
    monkeypatch.setattr(connection_limits, "TEXT_PER_S", 400_000)
    await _give(served, ["first"])
    monkeypatch.setattr("session.transport.websocket.asyncio.sleep", noted)
    await _give(served, [f"note-{number}" for number in range(40)])
    assert len(waited) > 10, "150 kB more than it may give at once"
    before = len(waited)
    await _give(served, [f"again-{number}" for number in range(12)])
    assert len(waited) > before, "a new connection is not a new desk"
