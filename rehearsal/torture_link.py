"""A relay between desks and hub that can be cut, held up and opened again: the network of a torture run."""

import asyncio
import contextlib
import threading
from pathlib import Path


class Relay:
    """Relays connections to whatever port the hub has now; every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._open = asyncio.Event()
        self._delay = 0.0
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
            both = (self._pass(reader, inner_writer), self._pass(inner_reader, writer))
            _, pending = await asyncio.wait(
                [asyncio.ensure_future(each) for each in both], return_when=asyncio.FIRST_COMPLETED
            )
            for task in pending:
                task.cancel()
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await self._open.wait()
                if self._delay:
                    await asyncio.sleep(self._delay)
                writer.write(data)
                await writer.drain()
