"""Hubs in processes of their own for benchmarks: real store on the disk or a server, real sockets, loops that are watched."""

import asyncio
import multiprocessing
import os
import resource
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

import msgspec

from benchmarks.torture.processes import Toy, admit, opened
from session import events as e
from session.collection.recordings import Recordings
from session.gc_pauses import settle
from session.hub.connection import connection_factory
from session.hub.hub import Hub
from session.hub.lease_keeper import LeaseKeeper
from session.store.event_store import Store
from session.store.leases import Leases
from session.study.settings import Profile
from session.transport.websocket import HubServer
from session.values.clock import SystemClock
from subject.browser.pages import Pages

TICK_S = 0.01


def name(number: int) -> str:
    """The session of that number."""
    return f"bench-20260101-{number + 1}"


def opening(profile: Profile) -> e.SessionOpened:
    fact = opened()
    return msgspec.structs.replace(fact, protocol=msgspec.structs.replace(fact.protocol, profile=profile))


async def _serve(folder: Path, numbers: Sequence[int], profile: Profile, url: str, pipe: Pipe) -> None:
    store, recordings, clock = Store(url), Recordings(folder / "recordings"), SystemClock("hub")
    writer = ThreadPoolExecutor(1)
    keeper = LeaseKeeper(Leases(store, f"hub {numbers[:1]}"), clock)  # every append looks at its lease, as in earnest
    hub = Hub(store, recordings, Toy, clock, writer, leases=keeper)
    await keeper.start(hub.give_up)
    for number in numbers:
        await hub.open(name(number), opening(profile))
    pages = Pages(profile, ("127.0.0.1",))
    served = await HubServer(connection_factory(hub, admit, clock), clock, pages).start("127.0.0.1", 0, None)
    settle()
    pipe.send(served.port)
    late: list[float] = []
    spent, facts, commits = time.process_time(), hub.group.facts, hub.group.commits
    while not pipe.poll():
        began = time.perf_counter()
        await asyncio.sleep(TICK_S)
        late.append((time.perf_counter() - began - TICK_S) * 1e3)
    pipe.send((sorted(late), time.process_time() - spent, hub.group.facts - facts, hub.group.commits - commits))
    await served.close()
    await hub.close()
    await keeper.close()
    writer.shutdown()
    recordings.close()
    store.close()


def _live(folder: Path, numbers: Sequence[int], profile: Profile, url: str, pipe: Pipe) -> None:
    open_many_files()
    asyncio.run(_serve(folder, numbers, profile, url, pipe))


def open_many_files() -> None:
    """Allow this process as many sockets and files as it may have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def processor_s(pid: int) -> float:
    """The processor time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Running:
    """A hub that runs, with figures once it has stopped. The sessions of this step are numbered from `first` on."""

    def __init__(self, port: int, pid: int, first: int) -> None:
        self.port, self.pid, self.first = port, pid, first
        self.stalls: list[float] = []
        self.cpu_s = 0.0
        self.facts = self.commits = 0


@contextmanager
def hub(folder: Path, sessions: int, profile: Profile) -> Iterator[Running]:
    """A hub with so many sessions open, until the block ends."""
    with several(folder, sessions, profile, 1) as (running,):
        yield running


@contextmanager
def several(folder: Path, sessions: int, profile: Profile, count: int, url: str = "") -> Iterator[list[Running]]:
    """Some hubs on one store, a SQLite file in `folder` unless `url` names another, until the block ends.

    The sessions are dealt out: the first to the first hub, the second to the second. New ones, numbered behind those
    that a server has of an earlier step.
    """
    context = multiprocessing.get_context("spawn")
    store = url or f"sqlite:///{folder}/bench.sqlite"
    pipes, processes, started = [], [], []
    with closing(Store(store)) as there:
        earlier = sum("/" not in stream for stream in there.lengths())
    for first in range(count):
        ours, theirs = context.Pipe()
        numbers = range(earlier + first, earlier + sessions, count)
        process = context.Process(target=_live, args=(folder, numbers, profile, store, theirs))
        process.start()
        pipes.append(ours)
        processes.append(process)
    for pipe, process in zip(pipes, processes, strict=True):
        started.append(Running(pipe.recv(), process.pid or 0, earlier))
    try:
        yield started
    finally:
        for pipe in pipes:
            pipe.send("over")
        for pipe, process, running in zip(pipes, processes, started, strict=True):
            running.stalls, running.cpu_s, running.facts, running.commits = pipe.recv()
            process.join()
