"""Hubs behind a proxy of Debian's: a session is where the proxy sends its desks, and a hub that is killed loses nothing."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from server.metrics import metrics_served
from session import commands as c
from session import events as e
from session.hub.server import running_hub
from session.protocol.links import DeskLink, FactReceived, LinkEvent
from session.store.event_store import Store
from session.store.types import Entry
from session.transport.listen_address import ListenAddress
from session.transport.websocket import Address, HubClient
from session.values.clock import Stamp, SystemClock
from tests.server.proxied_hubs import Hubs, proxied
from tests.together.pipe import SESSION, ToyDatabase, admit, opened

NOTES, PATIENCE_S, KILLED_WITHIN_S = 60, 60.0, 5.0


async def _serve(number: int, folder: Path, url: str, pipe: Connection) -> None:
    clock = SystemClock(f"hub-{number}")
    async with (
        running_hub(folder, url, ToyDatabase, lambda _: admit, clock, ListenAddress()) as running,
        metrics_served(running, ListenAddress()) as metrics,
    ):
        pipe.send((running.port, metrics))
        await asyncio.to_thread(pipe.recv)


@pytest.fixture
def hubs(tmp_path: Path) -> Iterator[Hubs]:
    url = f"sqlite:///{tmp_path}/collection.sqlite"
    store = Store(url)
    store.open_session(lambda _: (SESSION, Entry(Stamp("hub", 1, 1), "hub", "", opened())))
    store.close()
    with proxied(tmp_path, url, _serve) as made:
        yield made


class Console:
    """A wizard's desk that gives notes and keeps what it is told."""

    def __init__(self, port: int) -> None:
        clock = SystemClock("desk")
        self.notes: list[str] = []
        self.seen: list[int] = []
        self.news = asyncio.Event()
        address = Address("127.0.0.1", port, SESSION, "t-wizard", tls=False)
        link = DeskLink("wiz", clock, "0", address.token)
        self.client = HubClient(address, link, clock, self.happened, lambda _: None)

    def happened(self, happening: LinkEvent) -> None:
        if isinstance(happening, FactReceived):
            self.seen.append(happening.recorded.seq)
            if isinstance(happening.recorded.event, e.NoteWritten):
                self.notes.append(happening.recorded.event.text)
            self.news.set()

    async def has(self, count: int) -> float:
        """Wait for so many notes; gives the longest silence in seconds."""
        longest, last = 0.0, time.monotonic()
        async with asyncio.timeout(PATIENCE_S):
            while len(self.notes) < count:
                self.news.clear()
                await self.news.wait()
                longest, last = max(longest, time.monotonic() - last), time.monotonic()
        return longest


@contextlib.asynccontextmanager
async def attached(port: int) -> AsyncIterator[Console]:
    console = Console(port)
    running = asyncio.create_task(console.client.run())
    try:
        yield console
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.proxy
async def test_a_killed_hub_hands_its_session_to_another_and_nothing_is_lost_or_there_twice(
    hubs: Hubs, tmp_path: Path
) -> None:
    given = [f"note {number}" for number in range(NOTES)]
    async with attached(hubs.port) as console:
        for text in given[:20]:
            console.client.give(c.WriteNote(id=f"c-{text.replace(' ', '-')}", text=text))
        await console.has(20)
        holder = _holder(tmp_path)
        for text in given[20:40]:
            console.client.give(c.WriteNote(id=f"c-{text.replace(' ', '-')}", text=text))
        os.kill(hubs.processes[holder].pid, signal.SIGKILL)
        for text in given[40:]:
            console.client.give(c.WriteNote(id=f"c-{text.replace(' ', '-')}", text=text))
        silence = await console.has(NOTES)
    assert console.notes == given
    assert console.seen == list(range(1, NOTES + 2))
    assert silence < KILLED_WITHIN_S
    store = Store(f"sqlite:///{tmp_path}/collection.sqlite")
    assert [fact.event.text for fact in store.read(SESSION) if isinstance(fact.event, e.NoteWritten)] == given
    assert store.verify(SESSION) == []
    assert _holder(tmp_path) == 1 - holder
    store.close()


def _holder(folder: Path) -> int:
    """The number of the hub that has the session's lease."""
    with contextlib.closing(sqlite3.connect(folder / "collection.sqlite")) as connection:
        ((hub,),) = connection.execute("SELECT hub FROM leases").fetchall()
    return int(hub.removeprefix("hub-").partition(" ")[0])
