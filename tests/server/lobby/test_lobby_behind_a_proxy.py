"""The lobby at a proxy's address, two hubs behind it: who waits goes on in her turn, though the hub she came to was killed."""

import asyncio
import contextlib
import io
import json
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.metrics import metrics_served
from server.study_hub import running_study_hub
from session.protocol.links import DeskLink
from session.study.create import new
from session.study.folder import load
from session.transport.listen_address import ListenAddress
from session.transport.websocket import Address, HubClient
from session.values.clock import SystemClock
from session.values.vocabulary import Role
from study.invite_command import InviteOptions, invite_command
from subject.browser.pages import Pages
from tests.server.proxied_hubs import Hubs, proxied

pytestmark = pytest.mark.proxy
AGAIN_S, PATIENCE_S = 0.5, 60.0


async def _serve(number: int, folder: Path, url: str, pipe: Connection) -> None:
    study = load(folder / "study")
    async with (
        running_study_hub(
            study,
            SystemClock(f"hub-{number}"),
            ListenAddress(),
            pages=Pages(study.profile, ("127.0.0.1",)),
            participants="",
        ) as hub,
        metrics_served(hub.hosted, ListenAddress()) as metrics,
    ):
        session = await hub.open_session()
        (folder / f"wizard{number}").write_text(f"{session.name} {hub.tokens.of(Role.WIZARD, session.name)}")
        pipe.send((hub.hosted.port, metrics))
        await asyncio.to_thread(pipe.recv)


@pytest.fixture
def hubs(tmp_path: Path) -> Iterator[Hubs]:
    new(tmp_path / "study")
    with proxied(tmp_path, "", _serve) as made:
        yield made


class Waiting:
    """The lobby's page in a browser that comes again when its link is lost."""

    def __init__(self, port: int, code: str) -> None:
        self.port, self.code = port, code
        self.told: list[dict[str, Any]] = []
        self.news = asyncio.Event()

    async def run(self) -> None:
        hello = json.dumps({"m": "hello", "code": self.code, "ticket": f"browser of {self.code}", "query": ""})
        while True:
            with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError):
                url, origin = f"ws://127.0.0.1:{self.port}/join/link", f"http://127.0.0.1:{self.port}"
                async with connect(url, origin=origin) as socket:  # type: ignore[arg-type]
                    await socket.send(hello)
                    async for frame in socket:
                        self.told.append(json.loads(frame))
                        self.news.set()
            await SystemClock("page").sleep(AGAIN_S)

    async def sees(self, key: str, begun: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not self.told or not str(self.told[-1].get(key, "")).startswith(begun):
                self.news.clear()
                await self.news.wait()


@contextlib.asynccontextmanager
async def wizard(port: int, folder: Path, number: int) -> AsyncIterator[str]:
    """The wizard of the session that hub `number` opened, at the proxy's address."""
    name, token = (folder / f"wizard{number}").read_text().split()
    clock = SystemClock("desk")
    link = DeskLink("wiz", clock, "0", token)
    client = HubClient(Address("127.0.0.1", port, name, token, tls=False), link, clock, lambda _: None, lambda _: None)
    running = asyncio.create_task(client.run())
    try:
        yield name
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_who_waits_goes_on_in_her_turn_though_her_hub_is_killed(hubs: Hubs, tmp_path: Path) -> None:
    out = io.StringIO()
    asked = InviteOptions(study=str(tmp_path / "study"), until="2999-01-01", count=2)
    assert await asyncio.to_thread(invite_command, asked, SystemClock("invites"), out, io.StringIO()) == 0
    first, second = (Waiting(hubs.port, line.rpartition("#")[2]) for line in out.getvalue().split())
    pages = [asyncio.create_task(first.run())]
    await first.sees("place", "You are next")
    pages.append(asyncio.create_task(second.run()))
    await second.sees("place", "1 ahead")
    os.kill(hubs.processes[_waited_at(tmp_path)].pid, signal.SIGKILL)
    async with wizard(hubs.port, tmp_path, 0) as zero:
        await first.sees("address", f"/visit/{zero}#")
        await second.sees("place", "You are next")
        async with wizard(hubs.port, tmp_path, 1) as one:
            await second.sees("address", f"/visit/{one}#")
    assert [frame["m"] for frame in first.told].count("go") == 1
    for page in pages:
        page.cancel()
    await asyncio.gather(*pages, return_exceptions=True)


def _waited_at(folder: Path) -> int:
    """The number of the hub at which both wait."""
    with contextlib.closing(sqlite3.connect(folder / "study" / "collection.sqlite")) as connection:
        ((hub,),) = connection.execute("SELECT DISTINCT hub FROM lobby").fetchall()
    return int(hub.removeprefix("hub-").partition(" ")[0])
