"""A hub and its desks in one process, joined by pipes that can be cut, delayed or made to repeat themselves."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from session import events as e
from session.commands import AnyCommand, Report
from session.hub.connection import Connection
from session.hub.hub import Hub
from session.hub.query_runner import UnderstoodRequest
from session.hub.refused_desks import RefusedDesks
from session.hub.reply_voice import VoiceOf
from session.hub.side_requests import StudyInformation
from session.hub.thread_groups import ThreadGroups
from session.protocol.links import CommandAnswered, DeskLink, FactReceived, LinkEvent
from session.protocol.messages import AudioChunk, HubMessage, Rejected, WireError, encode
from session.state.fold import SessionState, evolve
from session.store.event_store import Store
from session.study.settings import CannedMessage, Equipment, Profile, Protocol, Scenario, Speaker
from session.values.answers import EarlierRequest, FailureKind, OtherReading, QueryFailure, Table, rows_of
from session.values.clock import ManualClock, Stamp
from session.values.column_display import Reading
from session.values.vocabulary import Channel, Language, ResponseClass, Role, ScenarioKind, Sealed
from tests.virtual_time import PATIENCE, VirtualTimeLoop

SESSION = "bbn-20261121-1"
TOKENS = {f"t-{role}": role for role in Role}


def admit(token: str, session: str) -> Role | None:
    """Give the role of one of `TOKENS`, which open every session."""
    return TOKENS.get(token)


HELD_BACK_S = 0.3
"""What has not come out of its thread by then, while nothing else went on, is being held back there by the test."""


def protocol(**changes: Any) -> Protocol:
    """A small protocol: one practice, one trip with a placeholder, two messages."""
    profile = Profile(name="BBN-89", consent=False, **changes)
    scenarios = [
        Scenario(id="try", title="Practice", kind=ScenarioKind.PRACTICE, text="Say something."),
        Scenario(
            id="trip",
            title="Trip",
            kind=ScenarioKind.TRIP,
            text="Go to {A}.",
            expected_queries=4,
            placeholders={"A": ""},
        ),
    ]
    messages = [
        CannedMessage(
            id="none", text="No information is available on ___", reason="no data", response=ResponseClass.DIAGNOSTIC
        ),
        CannedMessage(id="wait", text="One moment", reason="delay", response=ResponseClass.FILLER),
    ]
    return Protocol(
        site="bbn",
        sha256="0" * 64,
        files={},
        profile=profile,
        domain="toy",
        database_version="toy 1",
        today="1991-01-20",
        equipment=Equipment(),
        scenarios={scenario.id: scenario for scenario in scenarios},
        canned_messages={message.id: message for message in messages},
    )


def opened(**changes: Any) -> e.SessionOpened:
    """Return the fact that opens a session, with changes to its profile."""
    return e.SessionOpened(site="bbn", speaker=Speaker(id="b01"), protocol=protocol(**changes), operator="Oz")


class ToyDatabase:
    """Answers `rows N`, fails on everything else."""

    version = "toy 1"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.readings: Reading = ()

    def run(self, sql: str) -> Table:
        self.asked.append(sql)
        if not sql.startswith("rows "):
            raise QueryFailure(FailureKind.SYNTAX, f"no such thing as {sql}")
        return rows_of(["number"], [[number] for number in range(int(sql[5:]))])

    def reading(self, table: Table) -> Reading:
        return self.readings

    def spoken(self, table: Table, reading: Reading, most: int) -> str:
        return f"{len(table.rows)} rows."

    def understand(self, text: str, context: Sequence[EarlierRequest], language: Language) -> UnderstoodRequest:
        if text != "give me two":
            raise QueryFailure(FailureKind.NOT_UNDERSTOOD, "Not understood.")
        return UnderstoodRequest("rows 2", "two rows")

    def words(self) -> frozenset[str]:
        return frozenset(("number", "fares", "meals", "flights"))

    def written(self, sql: str) -> tuple[str, ...]:
        return ()

    def counted(self, readings: Sequence[OtherReading]) -> tuple[OtherReading, ...]:
        return tuple(msgspec.structs.replace(one, rows=len(self.run(one.sql).rows)) for one in readings)

    def consulted(self) -> None:
        """No outside model is asked here."""

    def cancel(self) -> None:
        """Nothing here runs long enough."""


class MemoryRecordings:
    """Takes in memory; `refuse` makes every write fail as a full disk does."""

    def __init__(self) -> None:
        self.said: dict[str, bytes] = {}
        self.parts: dict[tuple[str, str], bytearray] = {}
        self.known: dict[tuple[str, str], set[int]] = {}
        self.sealed: dict[tuple[str, str], bytes] = {}
        self.refuse = False

    def write(self, session: str, take: str, letter: str, first_sample: int, pcm: bytes) -> None:
        if self.refuse:
            raise OSError(28, "No space left on device")
        part = self.parts.setdefault((take, letter), bytearray())
        part.extend(bytes(max(0, 2 * first_sample + len(pcm) - len(part))))
        part[2 * first_sample : 2 * first_sample + len(pcm)] = pcm
        self.known.setdefault((take, letter), set()).update(range(first_sample, first_sample + len(pcm) // 2))

    def spoken(self, session: str, sha256: str) -> bytes | None:
        return self.said.get(sha256)

    def missing(self, session: str, take: str, letter: str, samples: int) -> list[tuple[int, int]]:
        known = self.known.get((take, letter), set())
        lacking = [number for number in range(samples) if number not in known]
        ranges: list[tuple[int, int]] = []
        for number in lacking:
            if ranges and sum(ranges[-1]) == number:
                ranges[-1] = (ranges[-1][0], ranges[-1][1] + 1)
            else:
                ranges.append((number, 1))
        return ranges

    def read(self, session: str, take: str, letter: str, first: int = 0, count: int = -1) -> bytes:
        whole = bytes(self.parts.get((take, letter), bytearray()))[2 * first :]
        return whole if count < 0 else whole[: 2 * count]

    def keep_spoken(self, session: str, pcm: bytes) -> str:
        sha256 = hashlib.sha256(pcm).hexdigest()
        self.said[sha256] = pcm
        return sha256

    def archive_spoken(self, session: str, sha256: str) -> None:
        """There is no archive."""

    def seal(self, session: str, take: str, letter: str, samples: int, sha256: str) -> bool:
        pcm = bytes(self.parts.get((take, letter), bytearray())[: 2 * samples])
        if hashlib.sha256(pcm).hexdigest() != sha256:
            self.known[(take, letter)] = set()
            return False
        self.sealed[(take, letter)] = pcm
        return True


class Threads(ThreadPoolExecutor):
    """Where a loop has done what would hold it up; tells what is under way."""

    def __init__(self) -> None:
        super().__init__()
        self.under_way: set[Future[Any]] = set()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **more: Any) -> "Future[Any]":
        future = super().submit(fn, *args, **more)
        self.under_way.add(future)
        future.add_done_callback(self.under_way.discard)
        return future


_THREADS: "WeakKeyDictionary[asyncio.AbstractEventLoop, Threads]" = WeakKeyDictionary()


def threads_of(loop: asyncio.AbstractEventLoop) -> Threads:
    """Return the threads of a loop, made at its first request."""
    if loop not in _THREADS:
        _THREADS[loop] = Threads()
        loop.set_default_executor(_THREADS[loop])
    return _THREADS[loop]


class Bench:
    """A hub over a store in memory, on a manual clock; every part that a test wants to look at is public."""

    def __init__(
        self,
        store: Store | None = None,
        recordings: MemoryRecordings | None = None,
        voice: VoiceOf | None = None,
        threads: ThreadGroups | None = None,
        beside: Callable[[ManualClock], StudyInformation] | None = None,
    ) -> None:
        self.clock = ManualClock("hub")
        self.store = store or Store("sqlite://")
        self.recordings = recordings or MemoryRecordings()
        self.database = ToyDatabase()
        self._writer = ThreadPoolExecutor(1)
        threads_of(asyncio.get_running_loop())
        told = beside(self.clock) if beside is not None else None
        self.hub = Hub(
            self.store, self.recordings, lambda: self.database, self.clock, self._writer, told, voice, threads=threads
        )
        self.refused = RefusedDesks(self.hub, self.clock)

    async def close(self) -> None:
        """Close the hub and what is under it."""
        await self.hub.close()
        self._writer.shutdown()
        self.store.close()

    async def settle(self) -> None:
        """Let everything that can happen without time passing happen, however long a thread needs for its part."""
        loop, held_back = asyncio.get_running_loop(), set[Future[Any]]()
        patience = HELD_BACK_S / (PATIENCE if isinstance(loop, VirtualTimeLoop) else 1)
        for _ in range(20):
            await asyncio.sleep(0)
            await loop.run_in_executor(self._writer, lambda: None)
            if under_way := threads_of(loop).under_way - held_back:
                waits = {asyncio.ensure_future(_end_of(task)): task for task in under_way}
                _, waiting = await asyncio.wait(waits, timeout=patience)
                held_back |= {waits[wait] for wait in waiting}


async def _end_of(future: "Future[Any]") -> None:
    """However it ended: what came of it is for whoever asked for it."""
    await asyncio.gather(asyncio.wrap_future(future), return_exceptions=True)


class PipedDesk:
    """A desk that folds what it is told; `cut` breaks the pipe in both directions at once."""

    def __init__(self, bench: Bench, token: str, name: str = "desk1") -> None:
        self.bench = bench
        self.link = DeskLink(name, ManualClock(f"{name}-clock"), "0", token)
        self.state = SessionState()
        self.happened: list[LinkEvent] = []
        self.answers: dict[str, str | None] = {}
        self.wire: list[str | bytes] = []
        self.closed = ""
        self.admit = admit
        self._connection: Connection | None = None
        self.drop: Callable[[str | bytes], bool] = lambda frame: False

    async def connect(self) -> "PipedDesk":
        """Attach to the hub."""
        generation = object()
        self._generation = generation

        def outlet(message: HubMessage | AudioChunk) -> None:
            if self._generation is generation:
                self._down(message)

        self._connection = Connection(
            self.bench.hub,
            SESSION,
            self.admit,
            self.bench.clock,
            outlet,  # type: ignore[arg-type]
            lambda why: setattr(self, "closed", why),
            self.bench.refused,
        )
        for frame in self.link.opening():
            await self._up(frame)
        await self.bench.settle()
        return self

    async def cut(self, why: str = "cut") -> None:
        """Break the connection and let the hub notice."""
        self._generation = None
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await connection.closed(why)

    async def give(self, *commands: AnyCommand) -> None:
        """Send commands one behind the other and let the hub settle."""
        for command in commands:
            frame = self.link.give(command)
            if self._connection is not None:
                await self._up(frame)
        await self.bench.settle()

    async def give_unsettled(self, *commands: AnyCommand) -> None:
        """Give commands one behind the other, without waiting for what comes of them."""
        for command in commands:
            await self._up(self.link.give(command))

    async def sound(self, sound: AudioChunk) -> None:
        """Send audio and let the hub settle."""
        await self._up(encode(sound))
        await self.bench.settle()

    async def raw(self, frame: str | bytes) -> None:
        """Send a frame as it is."""
        await self._up(frame)

    async def _up(self, frame: str | bytes) -> None:
        if self._connection is None:
            return
        try:
            await self._connection.receive(frame)
        except (WireError, Rejected) as error:
            self.closed = str(error)
            await self.cut(str(error))

    def _down(self, message: HubMessage | AudioChunk) -> None:
        frame = encode(message)
        if self.drop(frame):
            return
        self.wire.append(frame)
        for happening in self.link.receive(frame):
            self.happened.append(happening)
            if isinstance(happening, FactReceived):
                self.state = evolve(self.state, happening.recorded)
            elif isinstance(happening, CommandAnswered):
                self.answers[happening.command] = happening.refusal


def at(mono: int = 0) -> Stamp:
    """Return a stamp of the first desk's clock."""
    return Stamp("desk1-clock", mono, mono)


async def both(bench: Bench, **changes: Any) -> tuple[PipedDesk, PipedDesk]:
    """A session with a subject and a wizard attached."""
    await bench.hub.open(SESSION, opened(**changes))
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    return subject, wizard


def spoken(take: str, pcm: bytes) -> list[AnyCommand]:
    """The reports of one take, the last one holding its end."""
    sealed = (Sealed("s", len(pcm) // 2, hashlib.sha256(pcm).hexdigest()),)
    return [
        Report(id=f"{take}-p", event=e.TalkPressed(at=at(1), take=take)),
        Report(
            id=f"{take}-b",
            event=e.RecordingStarted(at=at(1), take=take, channels=(Channel("s", "mic", 16000),), pre_roll=0),
        ),
        Report(id=f"{take}-r", event=e.TalkReleased(at=at(2), take=take)),
        Report(id=f"{take}-stopped", event=e.RecordingStopped(at=at(3), take=take, sealed=sealed)),
    ]
