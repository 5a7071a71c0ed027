"""Sockets of the hub and of a desk that cost little as long as the connection works.

Whatever comes in shows that the other side lives, so a ping goes out only after silence. At the hub most frames are 20 ms of
sound: one is taken as it comes and sent on as it is, without a task that wakes for it, unless something waits before it.
"""

import asyncio
import hashlib
import ssl
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.connection import Connection
from websockets.asyncio.server import ServerConnection
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN, Event
from websockets.typing import Subprotocol

from session.protocol import checksum
from session.protocol.links import RateLimiter
from session.protocol.messages import WireError
from session.transport.connection_limits import ConnectionLimits
from session.values.clock import SECOND

LOOK_EVERY_S = 0.25
END_WITHIN_S = 0.25
SILENT = "it no longer answers"
PIECE = 2048
MOST_SIGNS, SIGNS_PER_S = 200, 20.0
"""Pings and pongs of one socket, of which a desk or a browser sends one a second."""
CHECKSUM = Subprotocol(checksum.NAME)


class _WatchedConnection(Connection):
    """A connection that records when it last received anything."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._heard = asyncio.get_running_loop().time()
        self._asked = self._ended = 0.0

    def data_received(self, data: bytes) -> None:
        self._heard, self._asked = self.loop.time(), 0.0
        super().data_received(data)

    async def hear(self) -> str | bytes:
        """Wait for the next frame; raises WireError if it was altered on the way."""
        return self.opened(await self.recv())

    async def say(self, frame: str | bytes) -> None:
        """Send a frame, waiting for the other side to read what was sent."""
        await self.send(self.sealed(frame))

    def opened(self, frame: str | bytes) -> str | bytes:
        """Return the content of a frame; raises WireError if it was altered on the way."""
        return checksum.opened(frame) if self.subprotocol == CHECKSUM else frame

    def sealed(self, frame: str | bytes) -> str | bytes:
        """Return the frame in which something is sent."""
        return checksum.sealed(frame) if self.subprotocol == CHECKSUM else frame

    def look(self, quiet_s: float, wait_s: float) -> float:
        """Ask for a sign of life after `quiet_s` of silence, end the connection `wait_s` later; return when to look again.

        However long this program itself stood still, it asks before it takes the other side for dead. While so much waits to
        be acted on that nothing more is read, nothing can be heard; then it gives a sign of life, for it answers none.
        """
        now = self.loop.time()
        if self._ended:
            if now - self._ended >= END_WITHIN_S:
                self.transport.abort()
            return END_WITHIN_S
        if self.protocol.state is not OPEN:
            return quiet_s
        if not self.transport.is_reading():
            self._heard, self._asked = now, 0.0
            self.protocol.send_pong(b"")
            self.send_data()
            return quiet_s
        if (silent := now - self._heard) < quiet_s:
            return quiet_s - silent
        if not self._asked:
            self._asked = now
            self.protocol.send_ping(b"")
            self.send_data()
            return wait_s
        if (waited := now - self._asked) < wait_s:
            return wait_s - waited
        self._ended = now
        self.protocol.fail(CloseCode.INTERNAL_ERROR, SILENT)
        self.send_data()
        return END_WITHIN_S


class DeskSocket(_WatchedConnection, ClientConnection):
    """A desk's socket."""

    async def watch(self, quiet_s: float, wait_s: float) -> None:
        """Watch the connection until cancelled."""
        while True:
            await asyncio.sleep(self.look(quiet_s, wait_s))

    def check_certificate(self, fingerprint: str) -> None:
        """Check, before the token leaves this machine, that the certificate has the fingerprint that the hub printed."""
        encrypted = self.transport.get_extra_info("ssl_object")
        found = hashlib.sha256(encrypted.getpeercert(binary_form=True) or b"").hexdigest()
        if found != fingerprint:
            raise WireError("its certificate is not the one named in the address; find out why before you continue")


class HubSocket(_WatchedConnection, ServerConnection):
    """A socket of the hub's server; `on_sound` is given every binary frame first and returns whether it has taken it.

    What comes is taken in by pieces, and no further while enough waits to be acted on. Frames of few bytes are dear: a quarter
    of a megabyte of them, read at once, would keep all other desks waiting for a second. Who sends more pings than any desk or
    browser is cut off.
    """

    on_sound: Callable[[bytes], bool] | None = None

    def __init__(self, *given: Any, limits: ConnectionLimits, encrypted: bool = False, **more: Any) -> None:
        super().__init__(*given, **more)
        self._limits = limits
        if encrypted:
            limits.count_handshake(self, self.loop.time())
        self._signs = RateLimiter(size=MOST_SIGNS, per_second=SIGNS_PER_S)
        self._rest = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.recv_messages.resume = self._resume
        self._limits.count_silent(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._limits.count_no_longer_silent(self)
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close at once and drop what is unsent."""
        self.transport.abort()

    def _resume(self) -> None:
        self.transport.resume_reading()
        self.loop.call_soon(self._take_in)

    def data_received(self, data: bytes) -> None:
        self._rest += data
        self._take_in()

    def _take_in(self) -> None:
        while self._rest and self.transport.is_reading():
            piece = bytes(self._rest[:PIECE])
            del self._rest[:PIECE]
            super().data_received(piece)

    def send_data(self) -> None:
        """Write everything unsent at once; nothing if the connection is broken."""
        going = self.protocol.data_to_send()
        if self.transport.is_closing():
            return
        if data := b"".join(going):
            self.transport.write(data)
        if not all(going):  # an empty piece is the end
            if self.transport.can_write_eof():
                self.transport.write_eof()
            else:
                self.transport.close()

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and event.opcode in (Opcode.PING, Opcode.PONG):
            if not self._signs.admits(int(self.loop.time() * SECOND), 1):
                self.transport.abort()
        elif (
            self.on_sound is not None
            and isinstance(event, Frame)
            and event.opcode is Opcode.BINARY
            and event.fin
            and self.on_sound(bytes(event.data))
        ):
            return
        super().process_event(event)

    def send_at_once(self, frame: str | bytes) -> bool:
        """Return whether the frame went out: nothing waits before it, and the other side has read what was sent so far."""
        transport = self.transport
        if self.protocol.state is not OPEN or transport.is_closing() or transport.get_write_buffer_size():
            return False
        sealed = self.sealed(frame)
        if isinstance(sealed, str):
            self.protocol.send_text(sealed.encode())
        else:
            self.protocol.send_binary(sealed)
        self.send_data()
        return True


async def watch_all(sockets: Callable[[], "set[HubSocket]"], quiet_s: float, wait_s: float) -> None:
    """Watch all sockets of a server until cancelled."""
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        for socket in tuple(sockets()):
            socket.look(quiet_s, wait_s)


def pinning() -> ssl.SSLContext:
    """Return a TLS context without an authority: the fingerprint in the address is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
