"""A relay between desks and hub that can be cut, held up and put out of order: the network of a torture run."""

import asyncio
import contextlib
import random
import threading
from collections.abc import Iterator
from pathlib import Path

TEXT, BINARY = 1, 2
_SHORT, _LONG = 126, 127
_HELD_S = 0.05
_READ = 65_536


class Frames:
    """Cuts the bytes of one direction of a WebSocket into whole frames (RFC 6455, section 5.2), the HTTP head being the first."""

    def __init__(self) -> None:
        self._rest = b""
        self._head = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Every frame that is complete now, in order, to the byte."""
        self._rest += data
        while size := self._size():
            frame, self._rest = self._rest[:size], self._rest[size:]
            yield frame

    def _size(self) -> int:
        """Bytes of the first frame, 0 while it is not all there."""
        if not self._head:
            end = self._rest.find(b"\r\n\r\n")
            self._head = end >= 0
            return end + 4 if self._head else 0
        if len(self._rest) < 2:
            return 0
        length, masked, at = self._rest[1] & 0x7F, self._rest[1] >> 7, 2
        if length >= _SHORT:
            at += 2 if length == _SHORT else 8
            if len(self._rest) < at:
                return 0
            length = int.from_bytes(self._rest[2:at])
        size = at + 4 * masked + length
        return size if len(self._rest) >= size else 0


def carries_data(frame: bytes) -> bool:
    """Return whether it is a message, not the head or a ping, a pong or a close."""
    return frame[0] & 0x0F in (TEXT, BINARY) and bool(frame[0] & 0x80)


def flipped(frame: bytes, draw: random.Random) -> bytes:
    """Return a frame with one bit of its message changed."""
    short, masked = frame[1] & 0x7F, frame[1] >> 7
    head = 2 + (0 if short < _SHORT else 2 if short == _SHORT else 8) + 4 * masked
    if head >= len(frame):
        return frame
    at = draw.randrange(head, len(frame))
    return frame[:at] + bytes([frame[at] ^ 1 << draw.randrange(8)]) + frame[at + 1 :]


class Relay:
    """Relays connections to whatever port the hub has now; every method may be called from any thread."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self._folder = folder
        self._draw = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._open = asyncio.Event()
        self._delay = self._up = self._down = self._flips = 0.0
        self._ages = 0
        self._server: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)

    def start(self) -> None:
        """Listen, and write down where."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()

    def cut(self) -> None:
        """Break every connection."""
        self._loop.call_soon_threadsafe(self._break)

    def hold(self, held: bool) -> None:
        """Let nothing through, without breaking anything; or let everything through that waited."""
        self._loop.call_soon_threadsafe(self._open.clear if held else self._open.set)

    def delay(self, seconds: float) -> None:
        """Let everything come so much later."""
        self._delay = seconds

    def disorder(self, up: float, down: float) -> None:
        """Let this share of the messages to the hub, and of those from it, come twice, and as many after their successor."""
        self._up, self._down = up, down

    def flip(self, share: float) -> None:
        """Change a bit in this share of the messages, in both directions."""
        self._flips = share

    def half_open(self) -> None:
        """Let nothing more through on the connections that there are, and tell neither end."""
        self._ages += 1

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> None:
        self._open.set()
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        (self._folder / "proxy").write_text(str(self._server.sockets[0].getsockname()[1]))

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        self._break()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _break(self) -> None:
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            port = int((self._folder / "port").read_text())
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        except (OSError, ValueError):
            writer.transport.abort()
            return
        ends = {writer, inner_writer}
        self._writers |= ends
        try:
            both = (self._pass(reader, inner_writer, upward=True), self._pass(inner_reader, writer, upward=False))
            _, pending = await asyncio.wait(
                [asyncio.ensure_future(task) for task in both], return_when=asyncio.FIRST_COMPLETED
            )
            for task in pending:
                task.cancel()
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, upward: bool) -> None:
        frames, held, age = Frames(), list[bytes](), self._ages

        def release() -> None:
            while held and not writer.transport.is_closing():
                writer.write(held.pop())

        with contextlib.suppress(OSError):
            while data := await reader.read(_READ):
                await self._open.wait()
                if age != self._ages:
                    continue
                if self._delay:
                    await asyncio.sleep(self._delay)
                for whole in frames.feed(data):
                    struck = carries_data(whole) and self._draw.random() < self._flips
                    frame = flipped(whole, self._draw) if struck else whole
                    fate = self._draw.random() if carries_data(frame) else 1.0
                    share = self._up if upward else self._down
                    if fate < share and not held:
                        held.append(frame)
                        self._loop.call_later(_HELD_S, release)
                        continue
                    writer.write(frame * 2 if fate < 2 * share else frame)
                    release()
                await writer.drain()
