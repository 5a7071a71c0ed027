"""Real sockets on loopback: tokens, pinned certificates, foreign origins, floods, garbage, broken connections."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.torture.relay import Frames, carries_data
from session import commands as c
from session import events as e
from session.hub.certificates import server_context
from session.hub.connection import connection_factory
from session.protocol.links import DeskLink, FactReceived, HistoryReset, LinkEvent
from session.protocol.messages import AudioChunk, DeskPresence, Welcome
from session.state.fold import SessionState, evolve
from session.study.screen_words import ConsoleWords
from session.transport import running_server, websocket
from session.transport.page import HubConnection
from session.transport.send_queue import QUEUE, SOUND_IN_QUEUE, SendQueue
from session.transport.websocket import Address, HubClient, HubServer, LinkState, RunningServer
from session.values.clock import SystemClock
from tests.together.pipe import SESSION, Bench, admit, opened

PATIENCE_S = 120.0
"""Where a test waits for something, it comes at once on any machine that is not at work for others."""


class Client:
    """A desk over a socket that remembers what happened to it."""

    def __init__(self, address: Address | None) -> None:
        self.state = SessionState()
        self.links: list[LinkState] = []
        self._changed = asyncio.Event()
        clock = SystemClock("desk-clock")
        self.link = DeskLink("desk", clock, "0", address.token if address else "")
        self.up = HubClient(address, self.link, clock, self._happened, self._linked)
        self.task = asyncio.create_task(self.up.run())

    def _happened(self, happening: LinkEvent) -> None:
        if isinstance(happening, FactReceived):
            self.state = evolve(self.state, happening.recorded)
        self._changed.set()

    def _linked(self, state: LinkState) -> None:
        self.links.append(state)
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def close(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    bench = Bench()
    await bench.hub.open(SESSION, opened())
    yield bench
    await bench.close()


def server_of(bench: Bench) -> HubServer:
    clock = SystemClock("hub")
    return HubServer(connection_factory(bench.hub, admit, clock), clock)


@pytest.fixture
async def served(bench: Bench) -> AsyncIterator[RunningServer]:
    served = await server_of(bench).start("127.0.0.1", 0, None)
    yield served
    await served.close()


def address(served: RunningServer, token: str = "t-wizard") -> Address:
    return Address("127.0.0.1", served.port, SESSION, token, tls=False)


async def test_a_desk_connects_and_its_commands_arrive(served: RunningServer) -> None:
    client = Client(address(served))
    client.up.give(c.WriteNote(id="n1", text="before there was a link"))
    await client.until(lambda: client.state.notes == ("before there was a link",))
    client.up.give(c.WriteNote(id="n2", text="over it"))
    await client.until(lambda: len(client.state.notes) == 2)
    await client.until(lambda: client.link.compared)
    assert client.link.pending == ()
    await client.close()


async def test_a_hub_that_is_not_there_is_told_of_in_words_that_a_study_may_change(served: RunningServer) -> None:
    nobody = address(served)
    await served.close()
    client = Client(nobody)
    await client.until(lambda: bool(client.links))
    why = client.links[0].reason
    assert why == f"the hub at 127.0.0.1:{nobody.port} does not answer (Connection refused)"
    own = ConsoleWords("en", {"console_recorded.hub_silent": "Am Hub {place}: {why}"})
    assert own.told(why) == f"Am Hub 127.0.0.1:{nobody.port}: Connection refused"
    await client.close()


async def test_a_desk_that_learns_late_where_its_hub_is_loses_nothing_that_was_given_before(
    served: RunningServer,
) -> None:
    known = address(served)
    client = Client(None)
    client.up.give(c.WriteNote(id="n1", text="before there was an address"))
    await asyncio.sleep(0)
    assert client.links == []
    client.up.lead(known)
    await client.until(lambda: client.state.notes == ("before there was an address",))
    await client.close()


class LosesFirst:
    """A connection on which the first frame with `text` never arrives."""

    place = ""

    def __init__(self, connection: HubConnection, text: str, lost: list[str]) -> None:
        self._connection, self._text, self._lost = connection, text, lost

    async def receive(self, frame: str | bytes) -> None:
        if not self._lost and isinstance(frame, str) and self._text in frame:
            self._lost.append(frame)
            return
        await self._connection.receive(frame)

    def pass_sound(self, frame: bytes) -> None:
        """All is received."""

    async def closed(self, why: str) -> None:
        await self._connection.closed(why)


@pytest.mark.parametrize("later", [True, False])
async def test_a_command_that_is_lost_on_the_wire_is_given_again_on_a_new_connection(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, later: bool
) -> None:
    if not later:
        monkeypatch.setattr(websocket, "UNANSWERED_S", 0.05)
    clock, lost = SystemClock("hub"), list[str]()
    carry = connection_factory(bench.hub, admit, clock)
    server = HubServer(lambda name, down, leave: LosesFirst(carry(name, down, leave), "the lost one", lost), clock)
    served = await server.start("127.0.0.1", 0, None)
    client = Client(address(served))
    client.up.give(c.WriteNote(id="n1", text="the lost one"))
    if later:
        client.up.give(c.WriteNote(id="n2", text="one more"))
    await client.until(lambda: "the lost one" in client.state.notes and not client.link.pending)
    assert len(lost) == 1
    await client.close()
    await served.close()


async def flipping(port: int, text: bytes, ends: list[int]) -> asyncio.Server:
    """A way to the hub that turns the first frame with `text`, as long as it is, into one that says something else."""

    async def through(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(_pass(reader, inner, text, ends), _pass(inner_reader, writer, text, ends))

    return await asyncio.start_server(through, "127.0.0.1", 0)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, text: bytes, ends: list[int]) -> None:
    frames = Frames()
    while data := await reader.read(65_536):
        for frame in frames.feed(data):
            at = _in_message(frame, text)
            if at and not ends:
                ends.append(at)
                frame = frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]
            writer.write(frame)
    writer.close()


def _in_message(frame: bytes, text: bytes) -> int:
    """Where `text` ends in a frame's message, masked or not; 0 where it does not stand."""
    if not carries_data(frame):
        return 0
    head = 2 + (2 if frame[1] & 0x7F == 126 else 0)
    mask = frame[head : head + 4] if frame[1] >> 7 else bytes(4)
    body = frame[head + (4 if frame[1] >> 7 else 0) :]
    found = bytes(byte ^ mask[place % 4] for place, byte in enumerate(body)).find(text)
    return len(frame) - len(body) + found + len(text) - 1 if found >= 0 else 0


@pytest.mark.parametrize("text", [b"n1", b"whole words", b'"ack"'])
async def test_what_was_changed_on_the_way_is_never_taken_for_what_was_said(
    bench: Bench, served: RunningServer, text: bytes
) -> None:
    """A name, a word of a note and an acknowledgement would each have passed as another, well-formed one."""
    ends = list[int]()
    way = await flipping(served.port, text, ends)
    port = way.sockets[0].getsockname()[1]
    client = Client(Address("127.0.0.1", port, SESSION, "t-wizard", tls=False))
    client.up.give(c.WriteNote(id="n1", text="whole words"))
    await client.until(lambda: client.state.notes == ("whole words",) and not client.link.pending)
    assert ends, "a frame was struck"
    notes = [record.event for record in bench.store.read(SESSION) if isinstance(record.event, e.NoteWritten)]
    assert notes == [e.NoteWritten(text="whole words")]
    await client.close()
    way.close()


async def test_facts_that_nothing_can_be_made_of_are_asked_for_again_once(served: RunningServer) -> None:
    client = Client(address(served))
    faults, happened = [2], client._happened

    def happened_with_faults(happening: LinkEvent) -> None:
        if isinstance(happening, HistoryReset):
            client.state = SessionState()
        if isinstance(happening, FactReceived) and happening.recorded.seq in faults:
            faults.pop()
            raise KeyError("changed on the way")
        happened(happening)

    client.up._on_happening = happened_with_faults
    client.up.give(c.WriteNote(id="n1", text="whole"))
    await client.until(lambda: client.state.notes == ("whole",))
    assert any(state.broken for state in client.links)
    faults += [3, 3]
    client.up.give(c.WriteNote(id="n2", text="a fault of the program"))
    with pytest.raises(KeyError, match="changed on the way"):
        await client.task


async def test_a_server_closes_although_a_connection_is_at_work_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_server, "CLOSE_WITHIN_S", 0.05)
    at_work, ended = asyncio.Event(), list[str]()

    class Stuck:
        place = ""

        async def receive(self, frame: str | bytes) -> None:
            at_work.set()
            await asyncio.Event().wait()

        def pass_sound(self, frame: bytes) -> None:
            """All is received."""

        async def closed(self, why: str) -> None:
            ended.append(why)

    served = await HubServer(lambda name, down, leave: Stuck(), SystemClock("hub")).start("127.0.0.1", 0, None)
    client = Client(address(served))
    await at_work.wait()
    async with asyncio.timeout(PATIENCE_S):
        await served.close()
    assert len(ended) == 1
    await client.close()


async def test_a_desk_comes_back_by_itself_when_the_hub_does(bench: Bench) -> None:
    server = server_of(bench)
    served = await server.start("127.0.0.1", 0, None)
    port = served.port
    client = Client(address(served))
    await client.until(lambda: LinkState(True) in client.links)
    await served.close()
    await client.until(lambda: not client.links[-1].up)
    client.up.give(c.WriteNote(id="n1", text="meanwhile"))
    again = await server.start("127.0.0.1", port, None)
    await client.until(lambda: client.state.notes == ("meanwhile",))
    await client.close()
    await again.close()


async def test_a_wrong_token_is_told_so(served: RunningServer) -> None:
    client = Client(address(served, "guess"))
    await client.until(lambda: bool(client.links))
    assert client.links[0].rejected
    assert "token" in client.links[0].reason
    await client.close()


async def test_a_page_of_another_site_is_refused_and_a_browser_is_told_what_this_is(served: RunningServer) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        await connect(address(served).url, origin="https://elsewhere.example")  # type: ignore[arg-type]
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    assert b"A hub is listening here" in await reader.read()
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    "frame", ["", "{}", "[" * 5000, '{"m":"do"}', b"", b"A" * 36, "x" * 60_000, '{"m":"hello","protocol":99}']
)
async def test_garbage_ends_its_own_connection_only(served: RunningServer, frame: str | bytes) -> None:
    async with connect(address(served).url) as socket:
        await socket.send(frame)
        with pytest.raises(ConnectionClosed):
            await socket.recv()
    client = Client(address(served))
    await client.until(lambda: LinkState(True) in client.links)
    await client.close()


async def test_an_overlong_frame_is_refused_before_it_is_read(served: RunningServer) -> None:
    async with connect(address(served).url) as socket:
        await socket.send("x" * 1_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


async def test_a_certificate_is_pinned_and_another_one_gets_no_token(bench: Bench, tmp_path: Path) -> None:
    context, fingerprint = server_context(tmp_path)
    served = await server_of(bench).start("127.0.0.1", 0, context)
    right = Client(Address("127.0.0.1", served.port, SESSION, "t-wizard", True, fingerprint))
    await right.until(lambda: LinkState(True) in right.links)
    wrong = Client(Address("127.0.0.1", served.port, SESSION, "t-wizard", True, "0" * 64))
    await wrong.until(lambda: bool(wrong.links))
    assert "certificate" in wrong.links[0].reason
    assert wrong.state.opened is None
    for client in (right, wrong):
        await client.close()
    await served.close()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("http://x", "ws://"),
        ("ws://tok@host/bbn-20261121-1", "port"),
        ("ws://host:1/bbn-20261121-1", "token"),
        ("ws://tok@host:1/nothing", "session"),
        ("wss://tok@host:1/bbn-20261121-1", "certificate"),
        ("ws://tok@host:99999/bbn-20261121-1", "port"),
    ],
)
def test_an_address_says_what_is_wrong_with_it(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Address.parse(text)


@pytest.mark.parametrize(
    "text", ["ws://tok@127.0.0.1:8765/bbn-20261121-1", f"wss://tok@[::1]:8765/bbn-20261121-1#{'a' * 64}"]
)
def test_an_address_reads_as_it_is_printed(text: str) -> None:
    assert str(Address.parse(text)) == text
    assert "tok" not in Address.parse(text).url


def test_a_desk_that_reads_slowly_loses_old_sound_and_no_fact() -> None:
    outgoing = SendQueue()
    for number in range(1_000):
        outgoing.put(AudioChunk("t", "s", number, b"\0\0"))
        if number % 10 == 0:
            outgoing.put(DeskPresence("subject", True, str(number)))
    sent = [outgoing._frames.get_nowait()[0] for _ in range(outgoing._frames.qsize())]
    assert sum(isinstance(frame, bytes) for frame in sent) == SOUND_IN_QUEUE
    assert sum(isinstance(frame, str) for frame in sent) == 100
    assert not outgoing.overrun


def test_a_desk_is_told_of_everything_before_it_came_however_much_that_is() -> None:
    outgoing = SendQueue()
    outgoing.put(Welcome(SESSION, "observer", "hub", facts=30_000))
    for number in range(30_000 + QUEUE - 1):
        outgoing.put(DeskPresence("subject", True, str(number)))
    assert not outgoing.overrun
    outgoing.put(DeskPresence("subject", True, "one too many"))
    assert outgoing.overrun


async def test_a_wizard_that_reads_nothing_holds_up_neither_the_hub_nor_the_recording(
    bench: Bench, served: RunningServer
) -> None:
    async with connect(address(served).url) as deaf:
        await deaf.send(DeskLink("deaf", SystemClock("w"), "0", "t-wizard").opening()[0])
        deaf.transport.pause_reading()
        subject = Client(address(served, "t-subject"))
        await subject.until(lambda: LinkState(True) in subject.links)
        pieces = [AudioChunk("T1", "s", 1_600 * number, bytes(3_200)) for number in range(1_500)]
        for piece in pieces:
            await subject.up.room()
            subject.up.sound(piece)
        async with asyncio.timeout(PATIENCE_S):
            while len(bench.recordings.parts.get(("T1", "s"), b"")) < 1_500 * 3_200:
                await asyncio.sleep(0)
        assert bench.recordings.missing(SESSION, "T1", "s", 1_500 * 1_600) == []
        await subject.close()
        deaf.transport.abort()
