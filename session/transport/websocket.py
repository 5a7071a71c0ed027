"""Sockets: the hub's server and a desk's client. All that is said on them is decided in `wire` and `connection`.

Compression is off (speech does not shrink, and it costs a fifth of the capacity); silent peers are noticed within four
seconds; a desk that reads too slowly loses sound for the ear first and its connection last, never a fact.
"""

import asyncio
import contextlib
import hashlib
import ssl
from collections.abc import AsyncIterator, Callable, Set
from typing import Any, Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.http11 import Request, Response

from session.commands import AnyCommand
from session.protocol.links import DeskLink, FactReceived, HistoryReset, LinkEvent, RateLimiter
from session.protocol.messages import (
    LARGEST_CONSOLE_FRAME,
    LARGEST_DESK_FRAME,
    AudioChunk,
    HubMessage,
    Rejected,
    Welcome,
    WireError,
    encode,
)
from session.protocol.side_messages import SideRequest
from session.transport.address import Address as Address
from session.transport.send_queue import QUEUE, SendQueue
from session.values.clock import Clock

PING_EVERY_S = 0.8
PING_WAIT_S = 2.0
COMPARE_EVERY_S = 4.0
HELLO_WITHIN_S = 10.0
CLOSE_WITHIN_S = 1.5
UNANSWERED_S = 20.0
"""A command that has had no answer for so long was lost on the wire: the desk connects anew and gives it again."""
SOUND_AHEAD = 8
FRAMES_AT_ONCE = 20
REJECTED = 4001
BROKEN = 1002
BACKOFF_S = (0.1, 0.2, 0.5, 1.0, 2.0)


class RunningServer:
    """A running server; `port` is the one that it got."""

    def __init__(self, server: Server, handlers: Set[asyncio.Task[Any]]) -> None:
        self._server = server
        self._handlers = handlers

    @property
    def port(self) -> int:
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """Close every connection and the port; who is still at work then, on a store that is locked say, is cut short."""
        self._server.close()
        try:
            async with asyncio.timeout(CLOSE_WITHIN_S):
                await self._server.wait_closed()
        except TimeoutError:
            handlers = set(self._handlers)
            for handler in handlers:
                handler.cancel()
            if handlers:
                await asyncio.wait(handlers, timeout=CLOSE_WITHIN_S)


class HubConnection(Protocol):
    """The hub's side of a connection (`session.hub.connection.Connection`)."""

    async def receive(self, frame: str | bytes) -> None:
        """Act on a frame; raises WireError or Rejected."""

    async def closed(self, why: str) -> None:
        """The socket is gone."""


ConnectionFactory = Callable[[str, Callable[[HubMessage | AudioChunk], None], Callable[[str], None]], HubConnection]
"""Makes a connection from the session's name, the way down, and the way to close the socket with a reason."""


class HubServer:
    """Serves the desks of one hub."""

    def __init__(self, carry: ConnectionFactory, clock: Clock) -> None:
        self._carry = carry
        self._clock = clock
        self._handlers: set[asyncio.Task[Any]] = set()

    async def start(self, host: str, port: int, tls: ssl.SSLContext | None) -> RunningServer:
        """Listen; raises OSError when the address cannot be had."""
        server = await serve(
            self._handle,
            host,
            port,
            ssl=tls,
            compression=None,
            max_size=LARGEST_DESK_FRAME,
            ping_interval=PING_EVERY_S,
            ping_timeout=PING_WAIT_S,
            close_timeout=1,
            process_request=_screen,
            server_header=None,
        )
        return RunningServer(server, self._handlers)

    async def _handle(self, socket: ServerConnection) -> None:
        outgoing = SendQueue()
        loop = asyncio.get_running_loop()
        if (handler := asyncio.current_task()) is not None:
            self._handlers.add(handler)
            handler.add_done_callback(self._handlers.discard)
        leaving: list[asyncio.Task[None]] = []

        def leave(why: str) -> None:
            leaving.append(loop.create_task(socket.close(REJECTED, why)))

        session = (socket.request.path if socket.request else "").strip("/")
        connection = self._carry(session, outgoing.put, leave)
        sending = loop.create_task(_send(socket, outgoing))
        why = "closed"
        try:
            await self._receive(socket, connection)
        except ConnectionClosed as closed:
            why = str(closed)
        except (WireError, Rejected) as error:
            why = str(error)
            await socket.close(REJECTED if isinstance(error, Rejected) else BROKEN, why[:120])
        finally:
            sending.cancel()
            await asyncio.gather(sending, *leaving, return_exceptions=True)
            await connection.closed(why[:200])

    async def _receive(self, socket: ServerConnection, connection: HubConnection) -> None:
        bucket = RateLimiter(size=2000, per_second=500)
        try:
            async with asyncio.timeout(HELLO_WITHIN_S):
                hello = await socket.recv()
        except TimeoutError:
            raise WireError("no hello came") from None
        await connection.receive(hello)
        while True:
            frame = await socket.recv()
            if isinstance(frame, str) and (delay := bucket.delay(self._clock.monotonic_ns())) > 0:
                await asyncio.sleep(delay)
            await connection.receive(frame)


async def _send(socket: ServerConnection, outgoing: SendQueue) -> None:
    with contextlib.suppress(ConnectionClosed):
        while not outgoing.overrun:
            await socket.send(await outgoing.get())
        await socket.close(BROKEN, "this desk reads too slowly")


def _screen(socket: ServerConnection, request: Request) -> Response | None:
    """Browsers of other sites send an Origin; no desk of ours does."""
    if request.headers.get("Origin") is not None:
        return socket.respond(403, "This hub takes no connections from web pages.\n")
    if request.headers.get("Upgrade") is None:
        return socket.respond(200, "A hub is listening here. Connect a desk with the address that it printed.\n")
    return None


class LinkState(msgspec.Struct, frozen=True):
    """Whether the hub is reached; `rejected` when it answered and does not want this desk, `broken` when what came from it
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

    def ask(self, question: SideRequest) -> None:
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
            return LinkState(stood, f"the hub at {address.host}:{address.port} does not answer ({error})")

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
            raise WireError(
                f"nothing can be made of fact {self._unfolded} ({type(error).__name__}: {error})"
            ) from error

    async def _watch_answers(self, socket: ClientConnection) -> None:
        """Close a connection on which the oldest command stays unanswered."""
        while True:
            oldest = self._link.pending[:1]
            await asyncio.sleep(UNANSWERED_S)
            if oldest and oldest == self._link.pending[:1]:
                await socket.close(BROKEN, "the hub does not answer")
                return

    @contextlib.asynccontextmanager
    async def _connected(self, address: Address) -> AsyncIterator[ClientConnection]:
        async with connect(
            address.url,
            ssl=_pinning() if address.tls else None,
            compression=None,
            max_size=self._largest,
            ping_interval=PING_EVERY_S,
            ping_timeout=PING_WAIT_S,
            close_timeout=1,
            open_timeout=5,
            proxy=None,
            user_agent_header=None,
        ) as socket:
            if address.tls:
                _check_certificate(socket, address.fingerprint)
            yield socket

    async def _pump(self, socket: ClientConnection, outgoing: "asyncio.Queue[str | bytes]") -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.send(await outgoing.get())
                if outgoing.qsize() < SOUND_AHEAD:
                    self._roomy.set()

    async def _compare(self, outgoing: "asyncio.Queue[str | bytes]") -> None:
        """Two quick pings first, so that the hub knows the offset at once; then one every few seconds."""
        while True:
            outgoing.put_nowait(self._link.ping())
            await self._clock.sleep(COMPARE_EVERY_S if self._link.compared else 0.05)


async def _with_breath(socket: ClientConnection) -> AsyncIterator[str | bytes]:
    """The frames that come; where many wait, others have their turn in between."""
    at_once = 0
    async for frame in socket:
        yield frame
        at_once += 1
        if at_once % FRAMES_AT_ONCE == 0:
            await asyncio.sleep(0)


def _check_certificate(socket: ClientConnection, fingerprint: str) -> None:
    """Before the token leaves this machine: the certificate must be the one whose fingerprint the hub printed."""
    encrypted = socket.transport.get_extra_info("ssl_object")
    found = hashlib.sha256(encrypted.getpeercert(binary_form=True) or b"").hexdigest()
    if found != fingerprint:
        raise WireError("its certificate is not the one named in the address; do not go on before you know why")


def _pinning() -> ssl.SSLContext:
    """TLS without an authority: the fingerprint in the address is what is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
