"""A hub's figures tell what it did, and whether it can take more, to whoever watches machines; nobody else's name is in them."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server import metrics as module
from server.metrics import metrics_served
from session import commands as c
from session.hub.server import RunningHub, running_hub
from session.protocol.links import DeskLink
from session.store.event_store import StoreUnavailable
from session.transport import connection_limits
from session.transport.listen_address import ListenAddress
from session.transport.websocket import Address, HubClient, LinkState
from session.values.clock import SystemClock
from tests.together.pipe import SESSION, ToyDatabase, admit, opened


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[RunningHub]:
    clock, url = SystemClock("hub"), f"sqlite:///{tmp_path}/collection.sqlite"
    async with running_hub(tmp_path, url, ToyDatabase, lambda _: admit, clock, ListenAddress()) as hub:
        yield hub


async def asked(port: int, request: str) -> tuple[int, str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request.encode())
    answer = (await reader.read()).decode()
    writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split()[1]), body


async def get(port: int, path: str) -> tuple[int, str]:
    return await asked(port, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")


def values(text: str) -> dict[str, float]:
    """The figures of Prometheus' text form; every line is one, or says what the next is."""
    lines = [line for line in text.splitlines() if not line.startswith(("# HELP curtain_", "# TYPE curtain_"))]
    found = [re.fullmatch(r'(curtain_[a-z_]+(?:\{role="[a-z]+"\})?) ([0-9.e+-]+)', line) for line in lines]
    return {match[1]: float(match[2]) for match in found if match} | {
        "lines": len(lines),
        "matched": sum(map(bool, found)),
    }


async def test_the_figures_follow_what_the_hub_does_and_name_nobody(running: RunningHub) -> None:
    clock = SystemClock("desk")
    await running.hub.open(SESSION, opened())
    async with metrics_served(running, ListenAddress()) as port:
        before = values((await get(port, "/metrics"))[1])
        link, up = DeskLink("wiz", clock, "0", "t-wizard"), asyncio.Event()
        answered = asyncio.Event()
        client = HubClient(
            Address("127.0.0.1", running.port, SESSION, "t-wizard", tls=False),
            link,
            clock,
            lambda happening: answered.set() if type(happening).__name__ == "CommandAnswered" else None,
            lambda state: up.set() if state.up else None,
        )
        desk = asyncio.create_task(client.run())
        await up.wait()
        client.give(c.WriteNote(id="c1", text="a note"))
        await answered.wait()
        status, text = await get(port, "/metrics")
        after = values(text)
        desk.cancel()
        await asyncio.gather(desk, return_exceptions=True)
    assert (status, after["lines"]) == (200, after["matched"])
    assert (after["curtain_sessions"], after['curtain_desks{role="wizard"}'], after["curtain_connections"]) == (1, 1, 1)
    assert after["curtain_facts_total"] >= before["curtain_facts_total"] + 2
    assert after["curtain_commits_total"] > before["curtain_commits_total"]
    assert SESSION not in text
    assert "b01" not in text


async def test_a_hub_whose_store_is_gone_lives_and_is_not_ready(
    running: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with metrics_served(running, ListenAddress()) as port:
        assert await get(port, "/ready") == (200, "ready\n")
        monkeypatch.setattr(module, "MOST_WAITING", -1)
        assert (await get(port, "/ready"))[0] == 503
        monkeypatch.undo()

        def gone(stream: str) -> str:
            raise StoreUnavailable("The store does not answer.")

        monkeypatch.setattr(running.store, "head", gone)
        assert await get(port, "/ready") == (503, "the store does not work\n")
        assert await get(port, "/health") == (200, "alive\n")


async def test_other_requests_are_refused_and_cost_nothing(running: RunningHub) -> None:
    async with metrics_served(running, ListenAddress()) as port:
        assert (await get(port, "/else"))[0] == 404
        assert (await asked(port, "POST /metrics HTTP/1.1\r\n\r\n"))[0] == 405
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"x" * 100_000)
        assert await reader.read() == b""
        writer.close()
        assert (await get(port, "/health?x=1"))[0] == 200


async def test_sockets_over_the_limit_are_refused_counted_and_let_in_later(
    running: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    await running.hub.open(SESSION, opened())
    monkeypatch.setattr(connection_limits, "MOST_UNKNOWN", 0)
    states: asyncio.Queue[LinkState] = asyncio.Queue()
    clock = SystemClock("desk")
    address = Address("127.0.0.1", running.port, SESSION, "t-wizard", tls=False)
    client = HubClient(address, DeskLink("w", clock, "0", address.token), clock, lambda _: None, states.put_nowait)
    desk = asyncio.create_task(client.run())
    refused = await states.get()
    assert (refused.up, "503" in refused.reason) == (False, True)
    assert running.served.refused >= 1
    monkeypatch.undo()
    while not (await states.get()).up:
        pass
    desk.cancel()
    await asyncio.gather(desk, return_exceptions=True)


async def test_those_who_only_connect_make_room_for_a_desk(
    running: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    await running.hub.open(SESSION, opened())
    monkeypatch.setattr(connection_limits, "MOST_SILENT", 3)
    mute = [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(10)]
    states: asyncio.Queue[LinkState] = asyncio.Queue()
    clock = SystemClock("desk")
    address = Address("127.0.0.1", running.port, SESSION, "t-wizard", tls=False)
    client = HubClient(address, DeskLink("w", clock, "0", address.token), clock, lambda _: None, states.put_nowait)
    desk = asyncio.create_task(client.run())
    assert (await states.get()).up
    for reader, _ in mute[:8]:
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
    assert running.served.refused == 8
    mute += [await asyncio.open_connection("127.0.0.1", running.port) for _ in range(3)]
    with contextlib.suppress(ConnectionResetError):
        assert await mute[9][0].read() == b""
    assert states.empty(), "a desk is never cut off for them"
    for _, writer in mute:
        writer.close()
    desk.cancel()
    await asyncio.gather(desk, return_exceptions=True)
