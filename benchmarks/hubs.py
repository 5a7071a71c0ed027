"""A hub in a process of its own for benchmarks: real store on the disk, real sockets, a loop that is watched."""

import asyncio
import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

import msgspec

from benchmarks.torture.processes import Toy, admit, opened
from session import events as e
from session.collection.recordings import Recordings
from session.gc_pauses import settle
from session.hub.connection import connection_factory
from session.hub.hub import Hub
from session.store.event_store import Store
from session.study.settings import Profile
from session.transport.websocket import HubServer
from session.values.clock import SystemClock

TICK_S = 0.01


def name(number: int) -> str:
    """The session of that number."""
    return f"bench-20260101-{number + 1}"


def opening(profile: Profile) -> e.SessionOpened:
    fact = opened()
    return msgspec.structs.replace(fact, protocol=msgspec.structs.replace(fact.protocol, profile=profile))


async def _serve(folder: Path, sessions: int, profile: Profile, pipe: Pipe) -> None:
    store, recordings, clock = (
        Store(f"sqlite:///{folder}/bench.sqlite"),
        Recordings(folder / "recordings"),
        SystemClock("hub"),
    )
    writer = ThreadPoolExecutor(1)
    hub = Hub(store, recordings, Toy, clock, writer)
    for number in range(sessions):
        await hub.open(name(number), opening(profile))
    served = await HubServer(connection_factory(hub, admit, clock), clock).start("127.0.0.1", 0, None)
    settle()
    pipe.send(served.port)
    late: list[float] = []
    spent = time.process_time()
    while not pipe.poll():
        began = time.perf_counter()
        await asyncio.sleep(TICK_S)
        late.append((time.perf_counter() - began - TICK_S) * 1e3)
    pipe.send((sorted(late), time.process_time() - spent))
    await served.close()
    await hub.close()
    writer.shutdown()
    recordings.close()
    store.close()


def _live(folder: Path, sessions: int, profile: Profile, pipe: Pipe) -> None:
    asyncio.run(_serve(folder, sessions, profile, pipe))


class Running:
    """A hub that runs; `stalls` and `cpu_s` are there once it has stopped."""

    def __init__(self, port: int, pid: int) -> None:
        self.port, self.pid = port, pid
        self.stalls: list[float] = []
        self.cpu_s = 0.0


@contextmanager
def hub(folder: Path, sessions: int, profile: Profile) -> Iterator[Running]:
    """A hub with so many sessions open, until the block ends."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_live, args=(folder, sessions, profile, theirs))
    process.start()
    running = Running(ours.recv(), process.pid or 0)
    try:
        yield running
    finally:
        ours.send("over")
        running.stalls, running.cpu_s = ours.recv()
        process.join()
