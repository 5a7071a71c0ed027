"""Sockets: the hub's server and a desk's client. All that is said on them is decided in `wire` and `connection`.

Compression is off (speech does not shrink, and it costs a fifth of the capacity); silent peers are noticed within four
seconds; a desk that reads too slowly loses sound for the ear first and its connection last, never a fact.
"""

import asyncio
import contextlib
import os
import random
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from session.commands import AnyCommand
from session.protocol import checksum
from session.protocol.links import DeskLink, FactReceived, HistoryReset, LinkEvent
from session.protocol.messages import (
    LARGEST_CONSOLE_FRAME,
    LARGEST_DESK_FRAME,
    AudioChunk,
    Rejected,
    Welcome,
    WireError,
    encode,
)
from session.protocol.side_messages import SideMessage
from session.transport.address import Address as Address
from session.transport.connection_limits import HANDSHAKE_WITHIN_S, ConnectionLimits, DeskRates
from session.transport.living_socket import CHECKSUM, SILENT, DeskSocket, HubSocket, pinning, watch_all
from session.transport.page import ConnectionFactory, HubConnection, PageServer
from session.transport.running_server import RunningServer as RunningServer
from session.transport.send_queue import QUEUE, SendQueue
from session.values.clock import Clock

DESK_PINGS_AFTER_S, HUB_PINGS_AFTER_S = 1.0, 1.3
"""After so much silence. A desk asks first, for its hub answers all desks, and asks those alone that cannot, such as pages."""
PING_WAIT_S = 2.0
COMPARE_EVERY_S = 4.0
HELLO_WITHIN_S = 10.0
UNANSWERED_S = 20.0
"""A command that has had no answer for so long was lost on the wire: the desk connects again and gives it again."""
SOUND_AHEAD = 8
FRAMES_AT_ONCE = 20
REJECTED = 4001
BROKEN = 1002
BACKOFF_S = (0.1, 0.2, 0.5, 1.0, 2.0)


class HubServer:
    """Serves the desks of one hub, and where there are `pages` a page for the subject's."""

    def __init__(self, carry: ConnectionFactory, clock: Clock, pages: PageServer | None = None) -> None:
        self._carry = carry
        self._clock = clock
        self._pages = pages
        self._encrypted = False
        self._limits, self._rates = ConnectionLimits(), DeskRates()
        self._handlers: set[asyncio.Task[Any]] = set()
        self._sockets: set[HubSocket] = set()

    async def start(
        self, host: str, port: int, tls: ssl.SSLContext | None, *, encrypted: bool = False
    ) -> RunningServer:
        """Listen, also `encrypted` where a proxy does that; raises OSError when the address cannot be had."""
        self._encrypted = encrypted or tls is not None
        server = await serve(
            self._handle,
            host,
            port,
            ssl=tls,
            compression=None,
            max_size=LARGEST_DESK_FRAME + checksum.BYTES,
            select_subprotocol=_with_checksum,
            ping_interval=None,
            close_timeout=1,
            create_connection=partial(HubSocket, limits=self._limits, encrypted=tls is not None),  # type: ignore[arg-type]
            ssl_handshake_timeout=HANDSHAKE_WITHIN_S if tls is not None else None,
            process_request=self._screen,
            server_header=None,
        )
        watch = asyncio.get_running_loop().create_task(watch_all(lambda: self._sockets, HUB_PINGS_AFTER_S, PING_WAIT_S))
        return RunningServer(server, self._handlers, self._limits, watch)

    async def _handle(self, socket: ServerConnection) -> None:
        assert isinstance(socket, HubSocket)
        outgoing = SendQueue(socket.send_at_once)
        loop = asyncio.get_running_loop()
        self._sockets.add(socket)
        if (handler := asyncio.current_task()) is not None:
            self._handlers.add(handler)
            handler.add_done_callback(self._handlers.discard)
        leaving: list[asyncio.Task[None]] = []

        def leave(why: str) -> None:
            leaving.append(loop.create_task(socket.close(REJECTED, why)))

        connection = self._connection(socket.request.path if socket.request else "", outgoing, leave)
        sending = loop.create_task(_send_all(socket, outgoing))
        why = "closed"
        try:
            await self._receive(socket, connection)
        except ConnectionClosed as closed:
            why = _ending(closed)
        except (WireError, Rejected) as error:
            why = str(error)
            await socket.close(REJECTED if isinstance(error, Rejected) else BROKEN, why[:120])
        finally:
            self._sockets.discard(socket)
            sending.cancel()
            await asyncio.gather(sending, *leaving, return_exceptions=True)
            await connection.closed(why[:200])

    def _connection(self, path: str, outgoing: SendQueue, leave: Callable[[str], None]) -> HubConnection:
        if self._pages is not None and (session := self._pages.session(path)) is not None:
            return self._pages.connection(session, outgoing.put, leave, self._carry, self._clock)
        return self._carry(path.strip("/"), outgoing.put, leave)

    def _screen(self, socket: ServerConnection, request: Request) -> Response | None:
        """Files of the page to anyone who asks; a socket to no page but this server's own. No desk of ours sends an Origin."""
        assert isinstance(socket, HubSocket)
        self._limits.count_no_longer_silent(socket)
        wants_socket, pages = request.headers.get("Upgrade") is not None, self._pages
        if not wants_socket and pages is not None and (file := pages.file(request.path)) is not None:
            response = socket.respond(200, "")
            response.headers = Headers(
                [*file.headers, ("Content-Length", str(len(file.body))), ("Connection", "close")]
            )
            response.body = file.body
            return response
        if (origin := request.headers.get("Origin")) is not None and not self._own_page(request, origin):
            return socket.respond(403, "There is nothing here for web pages from elsewhere.\n")
        if wants_socket and not self._limits.admit(len(self._handlers)):
            return socket.respond(503, "There are as many connections as can be served; try again.\n")
        if not wants_socket and pages is not None:
            return socket.respond(404, f"{pages.nowhere()}\n")
        if not wants_socket:
            return socket.respond(200, "A hub is listening here. Connect a desk with the address that it printed.\n")
        return None

    def _own_page(self, request: Request, origin: str) -> bool:
        if self._pages is None or self._pages.session(request.path) is None:
            return False
        return self._pages.own(origin, request.headers.get("Host", ""), encrypted=self._encrypted)

    async def _receive(self, socket: HubSocket, connection: HubConnection) -> None:
        with self._limits.unknown():
            try:
                async with asyncio.timeout(HELLO_WITHIN_S):
                    hello = await socket.hear()
            except TimeoutError:
                raise WireError("no hello came") from None
            await connection.receive(hello)
        rate = self._rates.of(connection.place, self._clock.monotonic_ns())

        def taken(frame: bytes) -> bool:
            """Take sound as it comes; what floods or is none waits in its line, and is judged there."""
            with contextlib.suppress(WireError):
                opened = socket.opened(frame)
                if isinstance(opened, bytes) and rate.admits(frame, self._clock.monotonic_ns()):
                    return connection.pass_sound(opened) is not None
            return False

        socket.on_sound = taken
        while True:
            frame = await socket.hear()
            if (delay := rate.delay(frame, self._clock.monotonic_ns())) > 0:
                await asyncio.sleep(delay)
            await connection.receive(frame)


async def _send_all(socket: HubSocket, outgoing: SendQueue) -> None:
    with contextlib.suppress(ConnectionClosed):
        while not outgoing.overrun:
            await socket.say(await outgoing.get())
        await socket.close(BROKEN, "this desk reads too slowly")


def _with_checksum(socket: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    return CHECKSUM if CHECKSUM in offered else None


def _why_silent(error: Exception) -> str:
    """Return what the system calls it: a wizard reads it, and an error's number and arguments tell nothing more."""
    number = (isinstance(error, OSError) and error.errno) or 0
    return os.strerror(number) if number > 0 else str(error) or "too late"


class LinkState(msgspec.Struct, frozen=True):
    """State of the link to the hub; `rejected` when it answered and does not want this desk, `broken` when what came from it
    could not be understood."""

    up: bool
    reason: str = ""
    rejected: bool = False
    broken: bool = False


class HubClient:
    """A desk's connection to its hub: connects, connects again, and never loses a command.

    Without an address it waits until `lead` gives one.
    """

    def __init__(
        self,
        address: Address | None,
        link: DeskLink,
        clock: Clock,
        on_happening: Callable[[LinkEvent], None],
        on_state: Callable[[LinkState], None],
        largest: int = LARGEST_CONSOLE_FRAME,
    ) -> None:
        self._address = address
        self._link = link
        self._clock = clock
        self._on_happening = on_happening
        self._on_state = on_state
        self._largest = largest
        self._outgoing: asyncio.Queue[str | bytes] | None = None
        self._roomy = asyncio.Event()
        self._led = asyncio.Event()
        self._unfolded = 0

    def lead(self, address: Address) -> None:
        """Take the hub's address, and the token to show there."""
        self._address = address
        self._link.show(address.token)
        self._led.set()

    def give(self, command: AnyCommand) -> None:
        """Send a command now, or as soon as there is a connection; from the event loop's thread."""
        frame = self._link.give(command)
        if self._outgoing is not None:
            self._outgoing.put_nowait(frame)

    def ask(self, question: SideMessage) -> None:
        """Ask for something beside the session if there is a connection; who still wants it asks again on the next one."""
        if self._outgoing is not None:
            self._outgoing.put_nowait(encode(question))

    def sound(self, sound: AudioChunk) -> None:
        """Send a piece of a take if there is a connection; the hub asks again for what it lacks."""
        if self._outgoing is not None and self._outgoing.qsize() < QUEUE:
            self._outgoing.put_nowait(encode(sound))

    async def room(self) -> None:
        """Return when sound that is given now would go out soon; without a connection, when there is one again.

        What is being recorded goes through the same queue: it never waits for more than a few frames of what was recorded before.
        """
        while self._outgoing is None or self._outgoing.qsize() >= SOUND_AHEAD:
            self._roomy.clear()
            await self._roomy.wait()

    async def run(self) -> None:
        """Stay connected until cancelled."""
        if self._address is None:
            await self._led.wait()
        failures = 0
        while self._address is not None:
            state = await self._connection(self._address)
            failures = 0 if state.up and not state.broken else failures + 1
            self._on_state(msgspec.structs.replace(state, up=False))
            await asyncio.sleep(BACKOFF_S[min(failures, len(BACKOFF_S) - 1)])

    async def _connection(self, address: Address) -> LinkState:
        """One connection from beginning to end; `up` tells whether it ever stood."""
        stood = False
        try:
            async with self._connected(address) as socket:
                outgoing: asyncio.Queue[str | bytes] = asyncio.Queue()
                for frame in self._link.opening():
                    outgoing.put_nowait(frame)
                self._outgoing = outgoing
                self._roomy.set()
                tasks = [
                    asyncio.create_task(self._pump(socket, outgoing)),
                    asyncio.create_task(self._compare(outgoing)),
                    asyncio.create_task(self._watch_answers(socket)),
                    asyncio.create_task(socket.watch(DESK_PINGS_AFTER_S, PING_WAIT_S)),
                ]
                try:
                    async for frame in _with_breath(socket):
                        for happening in self._link.receive(frame):
                            if isinstance(happening, Welcome):
                                stood = True
                                self._on_state(LinkState(True))
                            self._pass_on(happening)
                finally:
                    self._outgoing = None
                    for task in tasks:
                        task.cancel()
                    await asyncio.gather(*tasks, return_exceptions=True)
                return LinkState(stood, socket.close_reason or "the connection ended", socket.close_code == REJECTED)
        except ConnectionClosed as closed:
            frame_ = closed.rcvd
            rejected = frame_ is not None and frame_.code == REJECTED
            return LinkState(stood, frame_.reason if frame_ else "the connection broke off", rejected)
        except WireError as error:
            return LinkState(stood, f"the hub does not keep to the protocol: {error}", broken=True)
        except ssl.SSLError as error:
            return LinkState(stood, f"the encryption failed: {error.reason}")
        except (OSError, InvalidHandshake, TimeoutError) as error:
            return LinkState(stood, f"the hub at {address.host}:{address.port} does not answer ({_why_silent(error)})")

    def _pass_on(self, happening: LinkEvent) -> None:
        """Hand over what came. A fact that nothing can be made of was changed on the way, so all of them are asked for again;
        one that comes so twice is a fault of this program, and raises what the desk made of it."""
        try:
            self._on_happening(happening)
        except Exception as error:
            if not isinstance(happening, FactReceived) or happening.recorded.seq == self._unfolded:
                raise
            self._unfolded = happening.recorded.seq
            self._link.have = 0
            self._on_happening(HistoryReset())
            raise WireError(f"fact {self._unfolded} cannot be read ({type(error).__name__}: {error})") from error

    async def _watch_answers(self, socket: ClientConnection) -> None:
        """Close a connection on which the oldest command stays unanswered."""
        while True:
            oldest = self._link.pending[:1]
            await asyncio.sleep(UNANSWERED_S)
            if oldest and oldest == self._link.pending[:1]:
                await socket.close(BROKEN, "the hub does not answer")
                return

    @contextlib.asynccontextmanager
    async def _connected(self, address: Address) -> AsyncIterator[DeskSocket]:
        async with connect(
            address.url,
            ssl=pinning() if address.tls else None,
            compression=None,
            max_size=self._largest + checksum.BYTES,
            subprotocols=None if address.tls else [CHECKSUM],
            ping_interval=None,
            close_timeout=1,
            create_connection=DeskSocket,
            open_timeout=5,
            proxy=None,
            user_agent_header=None,
        ) as socket:
            assert isinstance(socket, DeskSocket)
            if address.tls:
                socket.check_certificate(address.fingerprint)
            yield socket

    async def _pump(self, socket: DeskSocket, outgoing: "asyncio.Queue[str | bytes]") -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.say(await outgoing.get())
                if outgoing.qsize() < SOUND_AHEAD:
                    self._roomy.set()

    async def _compare(self, outgoing: "asyncio.Queue[str | bytes]") -> None:
        """Two quick pings first, so that the hub knows the offset at once; then one every few seconds, out of step with
        the desks that connected at the same moment."""
        drawn = random.Random(self._clock.name)
        while True:
            outgoing.put_nowait(self._link.ping())
            await self._clock.sleep(COMPARE_EVERY_S * drawn.uniform(0.75, 1.25) if self._link.compared else 0.05)


async def _with_breath(socket: DeskSocket) -> AsyncIterator[str | bytes]:
    """The frames that come; where many wait, others have their turn in between."""
    at_once = 0
    async for frame in socket:
        yield socket.opened(frame)
        at_once += 1
        if at_once % FRAMES_AT_ONCE == 0:
            await asyncio.sleep(0)


def _ending(closed: ConnectionClosed) -> str:
    """Return how a desk's connection ended, for people: the library's own words tell of frames and codes."""
    if closed.rcvd is not None:
        return closed.rcvd.reason or "it left"
    return SILENT if closed.sent is not None else "the connection broke off"
