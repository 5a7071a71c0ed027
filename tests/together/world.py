"""A small world for crashes: hub and desks over real sockets and real files, every clock and name in it decided beforehand.

Either all of it lives in one process, which dies as with a power cut, or each part in its own, of which one dies. What is
patched here (names, salts, the recorder's thread, the measuring of clocks) makes the play repeatable and nothing else.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import subject.capture.recorder
from corpus.export.madcow import export
from corpus.export.study_source import StudySource
from session import events as e
from session.collection.recordings import Recordings
from session.hub.connection import connection_factory
from session.hub.hub import Hub
from session.protocol.links import DeskLink
from session.store.event_store import Store
from session.transport.websocket import Address, HubServer
from session.values.clock import SECOND
from subject.capture.input import Input
from subject.capture.recorder import Recorder
from subject.capture.stream_clock import StreamClock
from subject.desk import SubjectDesk
from tests.together.acting import EPOCH, PER_FACT, Line, OutsideClock, Subject, Wizard, names
from tests.together.pipe import SESSION, ToyDatabase, admit, opened
from tests.together.points import Points, watched
from wizard.desk import WizardDesk

LONGEST_S = 150.0
WHOLE, HUB, SUBJECT, WIZARD = "whole", "hub", "subject", "wizard"


class Stepped(Recorder):
    """A recorder whose writer is stepped by hand."""

    def open(self, *, threaded: bool = False) -> None:
        super().open(threaded=False)


class FactClock:
    """The hub's manual clock: it moves with every fact. No deadline of the play ever comes."""

    name = "hub"

    def __init__(self) -> None:
        self.facts: Callable[[], int] = lambda: 0

    def monotonic_ns(self) -> int:
        return self.facts() * PER_FACT

    def wall_ns(self) -> int:
        return EPOCH + 3600 * SECOND + self.monotonic_ns()

    async def sleep(self, seconds: float) -> None:
        await asyncio.Event().wait()


class Acting(Protocol):
    """A part that acts by itself: what it has still to do, and its next move."""

    @property
    def settled(self) -> bool: ...

    @property
    def done(self) -> bool: ...

    def move(self) -> None: ...


def store_of(folder: Path) -> Store:
    """Open the store in a folder; its salts follow from stream and number, so that every run has the same bytes."""

    def salt(stream: str, seq: int) -> bytes:
        return hashlib.sha256(f"{stream} {seq}".encode()).digest()[:16]

    return Store(f"sqlite:///{folder}/collection.sqlite", salt=salt)


@asynccontextmanager
async def _hub(folder: Path) -> AsyncIterator[None]:
    store, clock, recordings = store_of(folder), FactClock(), Recordings(folder / "recordings")
    writer = ThreadPoolExecutor(1)
    hub = Hub(store, recordings, ToyDatabase, clock, writer)
    try:
        session = await hub.resume(SESSION)
    except KeyError:
        session = await hub.open(SESSION, opened())
    clock.facts = lambda: len(session._history.facts)
    port = folder / "port"
    server = HubServer(connection_factory(hub, admit, clock), clock)
    served = await server.start("127.0.0.1", int(port.read_text()) if port.exists() else 0, None)
    if not port.exists():
        (folder / "port.tmp").write_text(str(served.port))
        (folder / "port.tmp").rename(port)
    try:
        yield
    finally:
        await served.close()
        await hub.close()
        writer.shutdown()
        recordings.close()
        store.close()


async def _serve(folder: Path) -> None:
    async with _hub(folder):
        while not (folder / "over").exists():
            await asyncio.sleep(0.005)


async def _address(folder: Path, token: str) -> Address:
    while not (folder / "port").exists():
        await asyncio.sleep(0.005)
    return Address("127.0.0.1", int((folder / "port").read_text()), SESSION, token, tls=False)


async def _play(actor: Acting, changed: asyncio.Event, run: Coroutine[Any, Any, None]) -> None:
    """Move whenever everything before has arrived, until the session has ended."""
    link = asyncio.ensure_future(run)
    try:
        while not actor.done:
            if actor.settled:
                actor.move()
            changed.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), 0.02)
            if link.done():
                link.result()
    finally:
        link.cancel()
        await asyncio.gather(link, return_exceptions=True)


async def _subject(folder: Path) -> None:
    changed, clock = asyncio.Event(), OutsideClock("subject", folder / "subject.clock")
    line = Line(clock)
    address = await _address(folder, "t-subject")
    desk = SubjectDesk(address, clock, folder / "spool", [Input(lambda: line)], changed.set)
    desk.terminal._new_id = names("s", lambda: desk.terminal._have)
    desk._post = lambda action: action()  # type: ignore[method-assign]  # the recorder is stepped in this very thread
    await _play(Subject(desk, line), changed, desk.run())
    await desk.close()


async def _wizard(folder: Path) -> None:
    changed, clock = asyncio.Event(), OutsideClock("wizard", folder / "wizard.clock")
    desk = WizardDesk(await _address(folder, "t-wizard"), clock, changed.set)
    desk.console._new_id = desk.console._new_reply = names("w", lambda: desk._link.have)
    await _play(Wizard(desk, clock), changed, desk.run())


async def _whole(folder: Path) -> None:
    async with _hub(folder):
        await asyncio.gather(_subject(folder), _wizard(folder))


PARTS: dict[str, Callable[[Path], Coroutine[Any, Any, None]]] = {
    WHOLE: _whole,
    HUB: _serve,
    SUBJECT: _subject,
    WIZARD: _wizard,
}


def live(part: str, folder: Path, deadly: int = 0, listed: Path | None = None) -> None:
    """A part's whole life in this process, which dies at its moment number `deadly`; the moments are `listed` at its end."""
    points = Points(deadly)
    subject.capture.recorder.Recorder = Stepped  # type: ignore[misc]
    DeskLink._measure = lambda self, pong: None  # type: ignore[method-assign]
    # A microphone that was opened again after a kill has run too short for its drift to be known.
    StreamClock.drift_ppm = lambda self: None  # type: ignore[method-assign]
    with watched(points):
        asyncio.run(asyncio.wait_for(PARTS[part](folder), LONGEST_S))
    if listed is not None:
        listed.write_text("\n".join(points.names))


def facts_of(folder: Path) -> list[e.Recorded]:
    """Return the facts of the session in a folder."""
    store = store_of(folder)
    try:
        assert store.verify(SESSION) == []
        return store.read(SESSION)
    finally:
        store.close()


def corpus_of(folder: Path) -> dict[str, bytes]:
    """The session exported, file by file; also the chain's head stands in it."""
    store, recordings = store_of(folder), Recordings(folder / "recordings")
    try:
        export(StudySource(store, recordings, {}), folder / "corpus")
    finally:
        recordings.close()
        store.close()
    root = folder / "corpus"
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
