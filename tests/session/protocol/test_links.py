"""A link that says nothing any more: both sides know of it within four seconds, by virtual time over real sockets."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.server import ServerProtocol

from session.protocol.links import DeskLink
from session.protocol.messages import AudioChunk, HubMessage, Welcome
from session.transport.websocket import Address, HubClient, HubServer, LinkState
from session.values.clock import SystemClock
from tests.virtual_time import VirtualTimeLoop

SESSION, WITHIN_S = "bbn-20261121-1", 4.0


class Side:
    """The hub's side of one connection, which notes when it ended."""

    place = ""

    def __init__(self, outlet: Callable[[HubMessage | AudioChunk], None]) -> None:
        self.ended: float | None = None
        self._outlet = outlet

    async def receive(self, frame: str | bytes) -> None:
        self._outlet(Welcome(SESSION, "subject", "hub", 0))

    def pass_sound(self, frame: bytes) -> None:
        """All is received."""

    async def closed(self, why: str) -> None:
        self.ended = asyncio.get_running_loop().time()


class Cable:
    """Passes bytes on between desk and hub until it is dead; then takes them and passes nothing."""

    def __init__(self) -> None:
        self.dead = False
        self._tasks: list[asyncio.Task[None]] = []
        self._writers: list[asyncio.StreamWriter] = []

    async def lay(self, port: int) -> int:
        async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            self._writers += [writer, far_writer]
            self._tasks += [
                asyncio.create_task(self._pass(reader, far_writer)),
                asyncio.create_task(self._pass(far_reader, writer)),
            ]

        self._server = await asyncio.start_server(join, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            if not self.dead:
                writer.write(data)
        if not self.dead:
            writer.close()

    async def remove(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def run(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        runner.run(work)


@pytest.mark.parametrize("idle_s", [0.3, 0.95, 3.2])
def test_both_sides_know_within_four_seconds_that_a_link_is_dead_and_again_that_it_lives(idle_s: float) -> None:
    async def work() -> None:
        loop, sides, states = asyncio.get_running_loop(), list[Side](), list[tuple[float, LinkState]]()
        changed = asyncio.Event()

        def carry(
            session: str, outlet: Callable[[HubMessage | AudioChunk], None], leave: Callable[[str], None]
        ) -> Side:
            sides.append(Side(outlet))
            return sides[-1]

        def linked(state: LinkState) -> None:
            states.append((loop.time(), state))
            changed.set()

        clock, cable = SystemClock("hub"), Cable()
        served = await HubServer(carry, clock).start("127.0.0.1", 0, None)
        address = Address("127.0.0.1", await cable.lay(served.port), SESSION, "t", tls=False)
        desk = asyncio.create_task(
            HubClient(address, DeskLink("desk", clock, "0", "t"), clock, lambda happening: None, linked).run()
        )
        await changed.wait()
        assert states[-1][1].up
        await clock.sleep(idle_s)
        cable.dead, died = True, loop.time()
        while states[-1][1].up or sides[0].ended is None:
            await clock.sleep(0.25)
        assert states[-1][0] - died <= WITHIN_S
        assert sides[0].ended - died <= WITHIN_S
        await clock.sleep(20.0)
        cable.dead, mended = False, loop.time()
        while not states[-1][1].up:
            await clock.sleep(0.25)
        assert states[-1][0] - mended <= WITHIN_S + 5.0
        desk.cancel()
        await asyncio.gather(desk, return_exceptions=True)
        await served.close()
        await cable.remove()

    run(work())


@pytest.mark.parametrize(("says_every_s", "pings"), [(0.5, range(1)), (60.0, range(10, 15))])
def test_a_hub_asks_for_a_sign_of_life_only_after_silence(
    says_every_s: float, pings: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, send_ping = list[bytes](), ServerProtocol.send_ping

    def counted(protocol: ServerProtocol, data: bytes) -> None:
        asked.append(data)
        send_ping(protocol, data)

    monkeypatch.setattr(ServerProtocol, "send_ping", counted)
    sides = list[Side]()

    def carry(session: str, outlet: Callable[[HubMessage | AudioChunk], None], leave: Callable[[str], None]) -> Side:
        sides.append(Side(outlet))
        return sides[-1]

    async def work() -> None:
        loop = asyncio.get_running_loop()
        clock = SystemClock("hub")
        served = await HubServer(carry, clock).start("127.0.0.1", 0, None)
        async with connect(f"ws://127.0.0.1:{served.port}/{SESSION}", ping_interval=None) as page:
            until = loop.time() + 20
            while loop.time() < until:
                await page.send("whatever")
                await clock.sleep(min(says_every_s, 20))
            assert sides[0].ended is None
        await served.close()

    run(work())
    assert len(asked) in pings
