"""A hub comes to life whole, and gives everything back whatever happens at its end."""

import asyncio
import threading
from pathlib import Path

import pytest

from session.collection.study_lock import exclusive_lock
from session.hub.hub import Hub
from session.hub.server import running_hub
from session.store.event_store import StoreUnavailable
from session.transport.listen_address import ListenAddress
from session.values.clock import SystemClock
from tests.together.pipe import ToyDatabase, admit


async def test_an_end_that_fails_in_one_place_gives_all_others_back(
    tmp_path: Path, connected: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(self: Hub) -> None:
        raise RuntimeError("a session does not end")

    monkeypatch.setattr(Hub, "close", fails)
    url = f"sqlite:///{tmp_path}/collection.sqlite"
    clock = SystemClock("hub")
    with pytest.raises(RuntimeError, match="does not end"):
        async with running_hub(tmp_path, url, ToyDatabase, lambda _: admit, clock, ListenAddress()):
            assert connected
    assert connected == []
    with exclusive_lock(tmp_path):
        pass


@pytest.mark.parametrize("opens", [True, False])
async def test_a_store_that_opens_after_its_start_was_interrupted_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opens: bool
) -> None:
    opening, interrupted = threading.Event(), threading.Event()
    closed: list[bool] = []

    class Slow:
        def __init__(self, url: str) -> None:
            opening.set()
            interrupted.wait()
            if not opens:
                raise StoreUnavailable("it is not there")

        def close(self) -> None:
            closed.append(True)

    async def start() -> None:
        async with running_hub(tmp_path, "", ToyDatabase, lambda _: admit, SystemClock("hub"), ListenAddress()):
            pass

    monkeypatch.setattr("session.hub.server.Store", Slow)
    starting = asyncio.create_task(start())
    await asyncio.to_thread(opening.wait)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    interrupted.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    assert closed == [True] * opens
